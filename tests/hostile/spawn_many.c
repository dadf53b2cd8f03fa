/*
 * `spawn_many N`: starts and ends N bots, and compares what the arena then holds with what it held
 * after the first hundred: descriptors, children, namespaces, control groups and resident memory.
 * Exits with status 1 if anything grew.
 */
#include <dirent.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/sandbox.h"

#ifdef __SANITIZE_ADDRESS__
static const bool resident_counts = false; /* ASan keeps what was freed, for a while */
#else
static const bool resident_counts = true;
#endif

enum {
    WARM_COUNT = 100,
    RESIDENT_SLACK_KIB = 256,
};

/* What is counted. */
struct holdings {
    int descriptor_count;
    int child_count;
    int namespace_count;
    int group_count;
    long resident_kib;
};

static int count_entries(const char *path, const char *prefix)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    int count = 0;

    while (folder && (entry = readdir(folder)))
        count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    if (folder)
        closedir(folder);
    return count;
}

/* Counts the namespaces kept by our descriptors or our children. */
static int count_namespaces(void)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    int count = 0;

    while (folder && (entry = readdir(folder))) {
        char path[300], target[256] = "";

        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        if (readlink(path, target, sizeof target - 1) > 0)
            count += strncmp(target, "user:", 5) == 0 || strncmp(target, "mnt:", 4) == 0;
    }
    if (folder)
        closedir(folder);
    return count;
}

static int count_groups(void)
{
    char command[128], line[32] = "0";
    FILE *found;

    snprintf(command, sizeof command,
             "find /sys/fs/cgroup -type d -path '*pavilion-*-%d*' 2>/dev/null | wc -l",
             (int)getpid());
    found = popen(command, "r");
    if (found) {
        if (!fgets(line, sizeof line, found))
            line[0] = '\0';
        pclose(found);
    }
    return atoi(line);
}

static long resident_kib(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib;
}

static struct holdings take_stock(void)
{
    struct holdings holdings = {
        .descriptor_count = count_entries("/proc/self/fd", ""),
        .namespace_count = count_namespaces(),
        .group_count = count_groups(),
        .resident_kib = resident_kib(),
    };

    while (waitpid(-1, NULL, WNOHANG | __WALL) >= 0)
        holdings.child_count++;
    return holdings;
}

static int start_and_end(struct sandbox *sandbox)
{
    const char *const argv[] = {"./byte", NULL};
    const struct sandbox_command command = {
        .folder = SPAWN_FOLDER, .argv = argv, .executable_fd = -1, .cpu = -1};
    struct sandbox_failure failure;
    struct sandbox_child child;
    char byte = 0;
    int result = -1;

    if (sandbox_spawn(sandbox, &command, &child, &failure) < 0) {
        fprintf(stderr, "spawn_many: %s: %s\n", failure.step, strerror(failure.error));
        return -1;
    }
    if (poll(&(struct pollfd){.fd = child.stdout_fd, .events = POLLIN}, 1, 5000) == 1 &&
        read(child.stdout_fd, &byte, 1) == 1 && byte == 'x')
        result = 0;
    sandbox_child_finish(&child);
    return result;
}

static void print(const char *when, const struct holdings *holdings)
{
    printf("%s: %d descriptors, %d children, %d namespaces, %d control groups, %ld KiB\n", when,
           holdings->descriptor_count, holdings->child_count, holdings->namespace_count,
           holdings->group_count, holdings->resident_kib);
}

int main(int argc, char **argv)
{
    int count = argc == 2 ? atoi(argv[1]) : 0;
    struct holdings before = {0}, after;
    struct sandbox_failure failure;
    struct sandbox *sandbox;

    if (count < 2 * WARM_COUNT) {
        fprintf(stderr, "usage: spawn_many N, with N at least %d\n", 2 * WARM_COUNT);
        return 2;
    }
    if (sandbox_create(&sandbox, NULL, &failure) < 0) {
        fprintf(stderr, "spawn_many: %s: %s\n", failure.step, strerror(failure.error));
        return 1;
    }
    for (int i = 0; i < count; i++) {
        if (i == WARM_COUNT)
            before = take_stock();
        if (start_and_end(sandbox) < 0) {
            fprintf(stderr, "spawn_many: bot %d of %d gave no byte\n", i, count);
            return 1;
        }
    }
    after = take_stock();
    sandbox_destroy(sandbox);
    print("after 100", &before);
    print("at the end", &after);
    return after.descriptor_count > before.descriptor_count || after.child_count > 0 ||
           after.namespace_count > before.namespace_count ||
           after.group_count > before.group_count ||
           (resident_counts && after.resident_kib > before.resident_kib + RESIDENT_SLACK_KIB);
}
