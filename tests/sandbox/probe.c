/* SPDX-License-Identifier: MIT */
/* What the arena may do with ids in a container that maps few of them. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/prepared.h"

enum {
    NOBODY = 65534,
    SLOT_FIRST = 1900000000,
    NO_NAMESPACE = 77,
};

static const struct {
    const char *name, *ids;
    int result;
    bool shared;
    unsigned uid; /* of slot 3 */
} rows[] = {
    {"all ids", "0 0 4294967295\n", 0, false, SLOT_FIRST + 3},
    {"those of the slots in a range of their own", "0 0 1000\n1900000000 1900000000 256\n", 0,
     false, SLOT_FIRST + 3},
    {"one too few for the slots", "0 0 70000\n1900000000 1900000000 255\n", 0, true, NOBODY},
    {"the slots' but the first", "0 0 70000\n1900000001 1900000001 256\n", 0, true, NOBODY},
    {"of a usual container", "0 100000 65536\n", 0, true, NOBODY},
    {"nobody alone, in a later range", "0 0 1\n65534 65534 1\n", 0, true, NOBODY},
    {"up to nobody, without it", "0 0 65534\n", -EINVAL, true, NOBODY},
    {"root alone", "0 0 1\n", -EINVAL, true, NOBODY},
};

static int write_map(pid_t pid, const char *name, const char *ids)
{
    char path[64];
    int fd, result;

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    result = write(fd, ids, strlen(ids)) == (ssize_t)strlen(ids) ? 0 : -1;
    close(fd);
    return result;
}

/* Probes as root of a user namespace; the exit status is 0 or the number of what is wrong. */
static void probe(size_t row, int ready_fd, int mapped_fd)
{
    struct sandbox_failure failure = {0};
    struct machine machine;
    char byte = 0;
    int result;

    if (unshare(CLONE_NEWUSER) < 0)
        _exit(NO_NAMESPACE);
    if (write(ready_fd, &byte, 1) != 1 || read(mapped_fd, &byte, 1) != 1)
        _exit(NO_NAMESPACE);
    if (setresgid(0, 0, 0) < 0 || setresuid(0, 0, 0) < 0)
        _exit(5);
    result = machine_probe(&machine, &failure);
    if (result != rows[row].result)
        _exit(1);
    if (result < 0)
        _exit(failure.error == EINVAL && strcmp(failure.step, "an unprivileged id") == 0 ? 0 : 2);
    if (!machine.root || machine.uid_shared != rows[row].shared)
        _exit(3);
    _exit(machine_slot_uid(&machine, 3) == rows[row].uid ? 0 : 4);
}

Test(probe, ids_that_a_container_maps)
{
    if (geteuid() != 0)
        cr_skip_test("only root can map ids");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int ready[2], mapped[2], status;
        char byte = 0;
        pid_t pid;

        cr_assert_eq(pipe(ready), 0);
        cr_assert_eq(pipe(mapped), 0);
        pid = fork();
        cr_assert_geq(pid, 0);
        if (pid == 0) {
            close(ready[0]);
            close(mapped[1]);
            probe(i, ready[1], mapped[0]);
        }
        close(ready[1]);
        close(mapped[0]);
        if (read(ready[0], &byte, 1) == 1 && write_map(pid, "uid_map", rows[i].ids) == 0 &&
            write_map(pid, "gid_map", rows[i].ids) == 0)
            cr_assert_eq(write(mapped[1], &byte, 1), 1);
        close(ready[0]);
        close(mapped[1]);
        cr_assert_eq(waitpid(pid, &status, 0), pid);
        if (WIFEXITED(status) && WEXITSTATUS(status) == NO_NAMESPACE)
            cr_skip_test("no user namespaces with maps of our own here");
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: %d", rows[i].name,
                  WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    }
}

Test(probe, without_root_children_keep_the_arenas_id)
{
    pid_t pid = fork();
    int status;

    cr_assert_geq(pid, 0);
    if (pid == 0) {
        struct sandbox_failure failure = {0};
        struct machine machine;

        if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) < 0)
            _exit(1);
        if (machine_probe(&machine, &failure) != 0 || machine.root || machine.uid_shared)
            _exit(2);
        _exit(machine_slot_uid(&machine, 3) == 0 && machine.proc && machine.network ? 0 : 3);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d", WEXITSTATUS(status));
}
