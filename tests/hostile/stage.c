/* SPDX-License-Identifier: MIT */
#include "tests/hostile/stage.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ORDINARY_UID = 61234, /* of nobody */
};

static char above[64]; /* the folder above the bot's; only the arena writes there */
char stage_folder[80];
char stage_program[32]; /* "./attack-PID": its name tells ours from others' */

static void copy_program(const char *name, mode_t mode)
{
    char path[160], block[65536];
    int from = open(ATTACK_PROGRAM, O_RDONLY);
    ssize_t length;
    int to;

    snprintf(path, sizeof path, "%s/%s", stage_folder, name);
    to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    cr_assert(from >= 0 && to >= 0);
    while ((length = read(from, block, sizeof block)) > 0)
        cr_assert_eq(write(to, block, (size_t)length), length);
    fchmod(to, mode);
    close(from);
    close(to);
}

static void write_text(const char *path)
{
    FILE *file = fopen(path, "w");

    cr_assert_not_null(file);
    fputs("secret\n", file);
    fclose(file);
}

/* Other programs of the machine mount, too: where it can, a test counts only its own mounts. */
static void leave_mount_namespace(void)
{
    if (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
        mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL);
}

/* Drops to an ordinary user if root starts it; the folder belongs to that user. */
void stage_lay(bool ordinary)
{
    char path[160];

    if (getuid() == 0)
        leave_mount_namespace();
    if (ordinary && getuid() == 0)
        cr_assert(setgroups(0, NULL) == 0 &&
                  setresgid(ORDINARY_UID, ORDINARY_UID, ORDINARY_UID) == 0);
    strcpy(above, "/tmp/hostile-XXXXXX");
    cr_assert_not_null(mkdtemp(above));
    snprintf(stage_folder, sizeof stage_folder, "%s/bot", above);
    cr_assert_eq(mkdir(stage_folder, 0755), 0);
    snprintf(stage_program, sizeof stage_program, "./atk%d", (int)getpid());
    copy_program(stage_program + 2, 0755);
    copy_program("setuid", 04755);
    snprintf(path, sizeof path, "%s/attack.txt", stage_folder);
    write_text(path);
    snprintf(path, sizeof path, "%s/secret", above);
    write_text(path);
    if (ordinary && getuid() == 0) {
        snprintf(path, sizeof path, "chown -R %d:%d %s", ORDINARY_UID, ORDINARY_UID, above);
        cr_assert_eq(system(path), 0);
        cr_assert_eq(setresuid(ORDINARY_UID, ORDINARY_UID, ORDINARY_UID), 0);
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* as a process that he started himself */
    }
}

void stage_remove(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf %s", above);
    cr_assert_eq(system(command), 0);
}

struct sandbox_child stage_start(struct sandbox *sandbox, const char *attack,
                                 struct sandbox_limits limits)
{
    const char *const argv[] = {stage_program, attack, NULL};
    const struct sandbox_command command = {
        .folder = stage_folder, .argv = argv, .executable_fd = -1, .cpu = -1, .limits = limits};
    struct sandbox_failure failure = {0};
    struct sandbox_child child;

    cr_assert_eq(sandbox_spawn(sandbox, &command, &child, &failure), 0, "%s: %s", failure.step,
                 strerror(failure.error));
    return child;
}

bool stage_speaks(const struct sandbox_child *child, int limit_ms)
{
    return poll(&(struct pollfd){.fd = child->stdout_fd, .events = POLLIN}, 1, limit_ms) > 0;
}

/*
 * Parses /proc/PID/stat: "12 (atk9) S ...", with the number of threads as its 20th field. A process
 * whose first thread has ended is shown as a zombie while its other threads live; one that is being
 * reaped is shown as dead for a moment.
 */
static bool is_ours_and_lives(const char *number)
{
    char path[300], line[512] = "", name[32];
    FILE *file;
    char state;
    long thread_count;

    snprintf(path, sizeof path, "/proc/%s/stat", number);
    file = fopen(path, "r");
    if (!file)
        return false;
    if (!fgets(line, sizeof line, file))
        line[0] = '\0';
    fclose(file);
    if (sscanf(line,
               "%*d (%31[^)]) %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
               "%ld",
               name, &state, &thread_count) != 3 ||
        strcmp(name, stage_program + 2) != 0)
        return false;
    /* A zombie is dead; its new parent has to reap it. */
    return (state != 'Z' && state != 'X') || thread_count > 1;
}

int stage_count_left(void)
{
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    while ((entry = readdir(processes)))
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
            count += is_ours_and_lives(entry->d_name);
    closedir(processes);
    return count;
}

int stage_await_none(int limit_ms)
{
    int left = stage_count_left();

    for (int waited_ms = 0; left > 0 && waited_ms < limit_ms; waited_ms += 10) {
        usleep(10000);
        left = stage_count_left();
    }
    return left;
}

double stage_ran_ms(void)
{
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    double sum_ms = 0;

    while ((entry = readdir(processes))) {
        char path[300];
        long long ran_ns = 0;
        FILE *file;

        if (entry->d_name[0] < '0' || entry->d_name[0] > '9' || !is_ours_and_lives(entry->d_name))
            continue;
        snprintf(path, sizeof path, "/proc/%s/schedstat", entry->d_name);
        file = fopen(path, "r");
        if (!file)
            continue;
        if (fscanf(file, "%lld", &ran_ns) == 1)
            sum_ms += (double)ran_ns / 1e6;
        fclose(file);
    }
    closedir(processes);
    return sum_ms;
}

int stage_count_mounts(void)
{
    FILE *file = fopen("/proc/self/mountinfo", "r");
    char line[4096];
    int count = 0;

    while (fgets(line, sizeof line, file))
        count++;
    fclose(file);
    return count;
}

int stage_count_groups(pid_t arena)
{
    char command[128], line[32] = "0";
    FILE *found;

    snprintf(command, sizeof command,
             "find /sys/fs/cgroup -type d -name 'pavilion-*-%d' 2>/dev/null | wc -l", (int)arena);
    found = popen(command, "r");
    cr_assert_not_null(found);
    cr_assert_not_null(fgets(line, sizeof line, found));
    pclose(found);
    return atoi(line);
}
