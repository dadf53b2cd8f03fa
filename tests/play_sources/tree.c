/* SPDX-License-Identifier: MIT */
/* Trees as strangers leave them: removed completely, with nothing outside them touched. */
#include "arena/base/tree.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    DEEP = 300,     /* folders of 200 bytes each: far beyond PATH_MAX */
    SWAPS = 300,    /* removals while somebody swaps a folder for a link, */
    SWAPPING_S = 1, /* as many as there is time for */
};

static char room[] = "/tmp/tree-test-XXXXXX";

static void run(const char *script)
{
    char command[1024];

    snprintf(command, sizeof command, "cd %s && %s", room, script);
    cr_assert_eq(system(command), 0, "%s", command);
}

static const char *below(const char *name)
{
    static char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", room, name);
    return path;
}

static void make_room(void)
{
    cr_assert_not_null(mkdtemp(room));
}

static void remove_room(void)
{
    cr_expect_eq(chdir("/"), 0);
    cr_expect_eq(tree_remove(room), 0);
    cr_expect_eq(access(room, F_OK), -1);
}

TestSuite(tree, .init = make_room, .fini = remove_room);

/* One row per tree: a script that creates it as `t`. */
/* clang-format off */
static const struct {
    const char *rule, *script;
} trees[] = {
    {"an empty folder", "mkdir t"},
    {"a file", "echo text > t"},
    {"a link", "ln -s / t"},
    {"files and folders", "mkdir -p t/a/b/c t/d && echo x > t/a/b/x && echo y > t/y"},
    {"a fifo and links", "mkdir t && mkfifo t/p && ln -s .. t/up && ln -s t/none t/dangling"},
    {"folders without rights", "mkdir -p t/a/b/c && echo x > t/a/b/c/x && chmod 0 t/a/b/c t/a/b t/a t"},
    {"names like those of folders that are moved up", "mkdir -p t/.removed-0/x/y t/.removed-1 t/b/.removed-0/c && echo x > t/b/.removed-0/c/x"},
    {"many folders beside each other", "mkdir t && cd t && for i in $(seq 100); do mkdir -p $i/a/b; done"},
};
/* clang-format on */

Test(tree, is_removed_whole)
{
    run("echo stays > outside");
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        run(trees[i].script);
        cr_expect_eq(tree_remove(below("t")), 0, "%s", trees[i].rule);
        cr_expect_eq(faccessat(AT_FDCWD, below("t"), F_OK, AT_SYMLINK_NOFOLLOW), -1, "%s",
                     trees[i].rule);
    }
    cr_expect_eq(tree_remove(below("t")), -ENOENT);
    run("test $(cat outside) = stays");
}

Test(tree, what_cannot_be_removed_is_told)
{
    cr_expect_lt(tree_remove("/proc/version"), 0);
    cr_expect_eq(tree_remove(below("none")), -ENOENT);
}

/* A few descriptors suffice for any depth. */
Test(tree, deeper_than_any_path_is_removed)
{
    struct rlimit files = {.rlim_cur = 32, .rlim_max = 32};
    char name[201];

    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cr_assert_eq(mkdir(below("t"), 0755), 0);
    cr_assert_eq(chdir(below("t")), 0);
    for (int depth = 0; depth < DEEP; depth++) {
        cr_assert_eq(mkdir(name, 0755), 0);
        cr_assert_eq(chdir(name), 0);
    }
    cr_assert_eq(chdir("/"), 0);
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
    cr_expect_eq(tree_remove(below("t")), 0);
}

struct swapping {
    char inner[PATH_MAX], away[PATH_MAX];
    atomic_bool over;
};

/* Plays another user: turns a folder into a link to somebody else's files, and back. */
static void *swap(void *owner)
{
    struct swapping *swapping = owner;

    while (!swapping->over) {
        if (rename(swapping->inner, swapping->away) == 0)
            (void)!symlink("../victim", swapping->inner);
        unlink(swapping->inner);
        rename(swapping->away, swapping->inner);
    }
    return NULL;
}

/* Creates files 1 to 50 in a folder, unless it is a link. */
static void fill(const char *path)
{
    int folder_fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);

    for (int file = 1; folder_fd >= 0 && file <= 50; file++) {
        char name[16];

        snprintf(name, sizeof name, "%d", file);
        close(openat(folder_fd, name, O_WRONLY | O_CREAT, 0644));
    }
    close(folder_fd);
}

Test(tree, a_folder_swapped_for_a_link_leads_nowhere)
{
    struct swapping swapping = {.over = false};
    const time_t begun = time(NULL);
    pthread_t swapper;

    strcpy(swapping.inner, below("t/inner"));
    strcpy(swapping.away, below("away"));
    run("mkdir victim && cd victim && touch $(seq 50)");
    cr_assert_eq(pthread_create(&swapper, NULL, swap, &swapping), 0);
    for (int i = 0; i < SWAPS && time(NULL) <= begun + SWAPPING_S; i++) {
        mkdir(below("t"), 0755);
        mkdir(below("t/inner"), 0755);
        fill(below("t/inner"));
        tree_remove(below("t"));
    }
    swapping.over = true;
    pthread_join(swapper, NULL);
    run("test $(ls victim | wc -l) = 50");
}

Test(tree, modes_become_plain)
{
    struct stat status;

    run("mkdir -p t/sub/closed && cp /bin/true t/uid && cp /bin/true t/gid && echo x > t/text &&"
        " echo y > t/sub/closed/y && chmod 4755 t/uid && chmod 2711 t/gid && chmod 0666 t/text &&"
        " chmod 7777 t/sub && chmod 0 t/sub/closed && ln -s text t/link && chmod 2770 t");
    cr_assert_eq(tree_set_plain_modes(below("t")), 0);
    run("for f in t t/sub t/sub/closed t/uid t/gid; do test $(stat -c %a $f) = 755 || exit 1; done;"
        " for f in t/text t/sub/closed/y; do test $(stat -c %a $f) = 644 || exit 1; done");
    run("ln -s /bin/sh t/out");
    cr_assert_eq(stat("/bin/sh", &status), 0);
    cr_assert_eq(tree_set_plain_modes(below("t")), 0);
    run("d=t; for i in $(seq 140); do d=$d/d; done; mkdir -p $d");
    cr_expect_eq(tree_set_plain_modes(below("t")), -ELOOP);
}

Test(tree, is_measured_until_it_is_too_much)
{
    const struct tree_size enough = {.bytes = 1 << 20, .inode_count = 100};
    struct tree_size size;

    run("mkdir -p t/a && head -c 100000 /dev/zero > t/a/x && ln -s /usr t/link");
    cr_assert_eq(tree_measure(below("t"), &enough, &size, NULL, NULL), 0);
    cr_expect_eq(size.inode_count, 4);
    cr_expect_geq(size.bytes, 100000);
    cr_expect_lt(size.bytes, 200000);
    run("cd t && truncate -s 1G hole");
    cr_assert_eq(tree_measure(below("t"), &enough, &size, NULL, NULL), 0);
    cr_expect_lt(size.bytes, 200000, "a hole takes no room");
    run("cd t && touch $(seq 200)");
    cr_assert_eq(tree_measure(below("t"), &enough, &size, NULL, NULL), 0);
    cr_expect_eq(size.inode_count, 101, "it goes on behind what is enough");
    cr_expect_eq(tree_measure(below("none"), &enough, &size, NULL, NULL), -ENOENT);
}

/* /dev/shm is of memory, where a hole may be as large as a size can say. */
Test(tree, is_measured_with_more_than_a_number_can_say)
{
    const struct tree_size enough = {.bytes = 1 << 20, .inode_count = 100};
    char folder[] = "/dev/shm/tree-test-XXXXXX", path[PATH_MAX];
    bool has_room = mkdtemp(folder) != NULL;
    struct tree_size size;
    FILE *file;

    for (char name = 'a'; name <= 'c' && has_room; name++) {
        snprintf(path, sizeof path, "%s/%c", folder, name);
        file = fopen(path, "w");
        cr_assert_not_null(file);
        fclose(file);
        has_room = truncate(path, INT64_MAX) == 0;
    }
    if (has_room) {
        cr_expect_eq(tree_measure(folder, &enough, &size, NULL, NULL), 0);
        cr_expect_eq(size.file_bytes, INT64_MAX);
    }
    tree_remove(folder);
    if (!has_room)
        cr_skip("no file of 8 EiB in /dev/shm");
}

Test(tree, is_measured_where_its_owner_took_his_own_right_to_look)
{
    const struct tree_size enough = {.bytes = 1 << 20, .inode_count = 100};
    const uid_t user = geteuid() ? geteuid() : 65534;
    struct tree_size size;

    run("mkdir -p t/a && head -c 100000 /dev/zero > t/a/x && chmod 0400 t/a");
    if (geteuid() == 0)
        run("chown -R 65534 . && chmod 711 .");
    cr_assert_eq(seteuid(user), 0);
    cr_expect_eq(tree_measure(below("t"), &enough, &size, NULL, NULL), 0);
    cr_expect_geq(size.bytes, 100000, "a build may hide what it wrote");
    if (getuid() == 0)
        cr_assert_eq(seteuid(0), 0);
}

enum {
    NOBODY = 65534,
};

/* Root reads a folder whatever its rights, and whoever else owns it gives themselves back theirs.
 */
Test(tree, one_without_rights_is_removed_by_an_ordinary_user)
{
    int status;
    pid_t pid;

    cr_assert_eq(chmod(room, 0777), 0);
    pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0) {
        if (geteuid() == 0 &&
            (setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0))
            _exit(2);
        run("mkdir -p t/a/b && touch t/a/b/c t/a/d && chmod 0 t/a/b && chmod 0 t/a && chmod 0 t");
        _exit(tree_remove(below("t")) == 0 && access(below("t"), F_OK) < 0 ? 0 : 1);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect_eq(status, 0, "status %d", status);
}

/* A build's part: what was a folder is now a file, and back. */
static void *exchange(void *owner)
{
    struct swapping *swapping = owner;

    while (!swapping->over)
        renameat2(AT_FDCWD, swapping->inner, AT_FDCWD, swapping->away, RENAME_EXCHANGE);
    return NULL;
}

/* A walk that ended there would see nothing of the rest. */
Test(tree, a_folder_exchanged_for_a_file_hides_nothing_else)
{
    const struct tree_size enough = {.bytes = 1 << 30, .inode_count = 100000};
    struct swapping swapping = {.over = false};
    const time_t begun = time(NULL);
    int failed_count = 0, error = 0;
    struct tree_size size;
    pthread_t swapper;

    run("mkdir -p t/inner && cd t && touch away $(seq 5)");
    strcpy(swapping.inner, below("t/inner"));
    strcpy(swapping.away, below("t/away"));
    cr_assert_eq(pthread_create(&swapper, NULL, exchange, &swapping), 0);
    while (time(NULL) <= begun + SWAPPING_S && failed_count == 0) {
        int result = tree_measure(below("t"), &enough, &size, NULL, NULL);

        failed_count += result != 0 || size.inode_count < 6;
        error = result ? result : error;
    }
    swapping.over = true;
    pthread_join(swapper, NULL);
    cr_expect_eq(failed_count, 0, "%s", strerror(-error));
}
