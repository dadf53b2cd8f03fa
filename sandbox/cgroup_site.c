/* Finds where the arena can create its control groups, and creates them. */
#include "sandbox/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/cgroup_files.h"

/*
 * An arena's group has its PID in its name, so that a later arena can remove it if this one is
 * killed.
 */
#define SITE_PREFIX "pavilion-"

enum {
    SITE_PREFIX_BYTES = 48,
};

static const char *const controller_names[CGROUP_CONTROLLERS] = {"memory", "pids"};

static bool has_word(const char *list, const char *word, const char *separators)
{
    size_t length = strlen(word);

    while (*list) {
        size_t span = strcspn(list, separators);

        if (span == length && strncmp(list, word, length) == 0)
            return true;
        list += span + (list[span] != '\0');
    }
    return false;
}

/*
 * Finds where a hierarchy is mounted: type "cgroup2", or "cgroup" with a controller among its mount
 * options.
 */
static bool find_mount(const char *mounts, const char *type, const char *controller, char *path,
                       size_t capacity)
{
    FILE *file = fopen(mounts, "re");
    char line[4096], source[256], place[CGROUP_PATH_BYTES_MAX], kind[64], options[1024];
    bool found = false;

    if (!file)
        return false;
    while (!found && fgets(line, sizeof line, file))
        if (sscanf(line, "%255s %511s %63s %1023s", source, place, kind, options) == 4 &&
            strcmp(kind, type) == 0 && (!controller || has_word(options, controller, ",")))
            found = snprintf(path, capacity, "%s", place) < (int)capacity;
    fclose(file);
    return found;
}

/* Finds the group of this process in /proc/self/cgroup: "4:memory:/a/b", "0::/a/b". */
static bool find_own_group(const char *groups, const char *controller, char *path, size_t capacity)
{
    FILE *file = fopen(groups, "re");
    char line[1024];
    bool found = false;

    if (!file)
        return false;
    while (!found && fgets(line, sizeof line, file)) {
        char *names = strchr(line, ':');
        char *group = names ? strchr(names + 1, ':') : NULL;

        if (!group)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (controller ? has_word(names + 1, controller, ",") : names[1] == '\0')
            found = snprintf(path, capacity, "%s", strcmp(group, "/") == 0 ? "" : group) <
                    (int)capacity;
    }
    fclose(file);
    return found;
}

/*
 * Writes the prefix of all groups of arenas in this PID namespace; in another namespace their PIDs
 * would mean nothing.
 */
static void name_site(char prefix[static SITE_PREFIX_BYTES])
{
    struct stat namespace;

    if (stat("/proc/self/ns/pid", &namespace) < 0) {
        namespace.st_ino = 0;
    }
    snprintf(prefix, SITE_PREFIX_BYTES, SITE_PREFIX "%llu-", (unsigned long long)namespace.st_ino);
}

/* Removes the groups that killed arenas left here: those without processes. */
static void remove_stale(const char *base, const char *prefix)
{
    DIR *folder = opendir(base);
    struct dirent *entry;

    if (!folder)
        return;
    while ((entry = readdir(folder))) {
        char path[2 * CGROUP_PATH_BYTES_MAX];
        struct dirent *inner;
        pid_t pid;
        DIR *site;

        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        pid = (pid_t)atoi(entry->d_name + strlen(prefix));
        if (pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH)
            continue;
        snprintf(path, sizeof path, "%s/%s", base, entry->d_name);
        site = opendir(path);
        while (site && (inner = readdir(site)))
            if (inner->d_type == DT_DIR && inner->d_name[0] != '.')
                unlinkat(dirfd(site), inner->d_name, AT_REMOVEDIR);
        if (site)
            closedir(site);
        rmdir(path);
    }
    closedir(folder);
}

static bool make_site(const char *base, char folder[static CGROUP_PATH_BYTES_MAX])
{
    char prefix[SITE_PREFIX_BYTES];

    name_site(prefix);
    remove_stale(base, prefix);
    if (snprintf(folder, CGROUP_PATH_BYTES_MAX, "%s/%s%d", base, prefix, (int)getpid()) >=
            CGROUP_PATH_BYTES_MAX ||
        (mkdir(folder, 0755) < 0 && errno != EEXIST)) {
        folder[0] = '\0';
        return false;
    }
    return true;
}

static void find_version_1(struct cgroup_site *site, const char *mounts, const char *groups)
{
    for (int i = 0; i < CGROUP_CONTROLLERS; i++) {
        char mount[CGROUP_PATH_BYTES_MAX], group[CGROUP_PATH_BYTES_MAX];
        char base[2 * CGROUP_PATH_BYTES_MAX];

        if (!find_mount(mounts, "cgroup", controller_names[i], mount, sizeof mount) ||
            !find_own_group(groups, controller_names[i], group, sizeof group))
            continue;
        snprintf(base, sizeof base, "%s%s", mount, group);
        if (access(base, F_OK) < 0) /* in a container the path may be one on the host */
            snprintf(base, sizeof base, "%s", mount);
        make_site(base, site->folders[i]);
    }
    if (site->folders[CGROUP_MEMORY][0] || site->folders[CGROUP_PIDS][0])
        site->version = 1;
}

static int enable(const char *folder)
{
    int folder_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int result = cgroup_write_text(folder_fd, "cgroup.subtree_control", "+memory +pids");

    close(folder_fd);
    return result;
}

/*
 * A group that has processes cannot enable controllers for its children. If the arena is the only
 * process in a delegated group (a systemd unit with Delegate=), it moves itself to a child group,
 * so that the delegated group is empty and can.
 */
static int enable_below(struct cgroup_site *site, const char *base)
{
    char leaf[2 * CGROUP_PATH_BYTES_MAX];
    int result = enable(base);
    int leaf_fd;

    if (result != -EBUSY)
        return result;
    snprintf(leaf, sizeof leaf, "%s/arena", site->folders[CGROUP_MEMORY]);
    if (mkdir(leaf, 0755) < 0 && errno != EEXIST)
        return -errno;
    leaf_fd = open(leaf, O_PATH | O_DIRECTORY | O_CLOEXEC);
    result = cgroup_write_number(leaf_fd, "cgroup.procs", getpid());
    close(leaf_fd);
    if (result < 0) {
        rmdir(leaf);
        return result;
    }
    snprintf(site->home, sizeof site->home, "%s", base);
    return enable(base);
}

static void find_version_2(struct cgroup_site *site, const char *mounts, const char *groups)
{
    char mount[CGROUP_PATH_BYTES_MAX], group[CGROUP_PATH_BYTES_MAX];
    char base[CGROUP_PATH_BYTES_MAX], controllers[256];
    int base_fd;
    bool offered;

    if (!find_mount(mounts, "cgroup2", NULL, mount, sizeof mount) ||
        !find_own_group(groups, NULL, group, sizeof group) ||
        snprintf(base, sizeof base, "%s%s", mount, group) >= (int)sizeof base)
        return;
    base_fd = open(base, O_PATH | O_DIRECTORY | O_CLOEXEC);
    offered = base_fd >= 0 &&
              cgroup_read_text(base_fd, "cgroup.controllers", controllers, sizeof controllers) &&
              has_word(controllers, "memory", " \n") && has_word(controllers, "pids", " \n");
    if (base_fd >= 0)
        close(base_fd);
    if (!offered || !make_site(base, site->folders[CGROUP_MEMORY]))
        return;
    strcpy(site->folders[CGROUP_PIDS], site->folders[CGROUP_MEMORY]);
    site->version = 2;
    if (enable_below(site, base) < 0 || enable(site->folders[CGROUP_MEMORY]) < 0)
        cgroup_site_finish(site);
}

void cgroup_site_find(struct cgroup_site *site, const char *mounts, const char *groups)
{
    memset(site, 0, sizeof *site);
    find_version_2(site, mounts, groups);
    if (site->version == 0)
        find_version_1(site, mounts, groups);
}

void cgroup_site_init(struct cgroup_site *site)
{
    cgroup_site_find(site, "/proc/self/mounts", "/proc/self/cgroup");
}

/*
 * Undoes enable_below: moves the arena back to its first group, once no controllers are enabled for
 * that group's children.
 */
static void return_home(const struct cgroup_site *site)
{
    char leaf[2 * CGROUP_PATH_BYTES_MAX];
    int home_fd = open(site->home, O_PATH | O_DIRECTORY | O_CLOEXEC);

    if (home_fd < 0)
        return;
    cgroup_write_text(home_fd, "cgroup.subtree_control", "-memory -pids");
    cgroup_write_number(home_fd, "cgroup.procs", getpid());
    close(home_fd);
    snprintf(leaf, sizeof leaf, "%s/arena", site->folders[CGROUP_MEMORY]);
    rmdir(leaf);
}

void cgroup_site_finish(struct cgroup_site *site)
{
    if (site->home[0])
        return_home(site);
    for (int i = 0; i < CGROUP_CONTROLLERS; i++)
        if (site->folders[i][0])
            rmdir(site->folders[i]);
    memset(site, 0, sizeof *site);
}

int cgroup_site_remake(const struct cgroup_site *site, int controller)
{
    if (mkdir(site->folders[controller], 0755) < 0 && errno != EEXIST)
        return -errno;
    return site->version == 2 ? enable(site->folders[controller]) : 0;
}
