#include "sandbox/processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    KEEPER_NUMBER = 1, /* PID in its namespace */
};

size_t processes_read(int folder_fd, const char *path, char *text, size_t capacity)
{
    int fd = openat(folder_fd, path, O_RDONLY | O_CLOEXEC);
    ssize_t length;

    text[0] = '\0';
    if (fd < 0)
        return 0;
    length = read(fd, text, capacity - 1);
    close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length > 0 ? (size_t)length : 0;
}

/* Opens a folder in another one as a stream; NULL if there is none. */
static DIR *open_folder(int folder_fd, const char *path)
{
    int fd = openat(folder_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);

    if (!folder && fd >= 0)
        close(fd);
    return folder;
}

size_t processes_read_any(int proc_fd, int number, const char *name, const char *key, char *text,
                          size_t capacity)
{
    char path[128];
    const struct dirent *entry;
    size_t length;
    DIR *threads;

    snprintf(path, sizeof path, "%d/%s", number, name);
    length = processes_read(proc_fd, path, text, capacity);
    if (length == 0 || strstr(text, key))
        return length;
    snprintf(path, sizeof path, "%d/task", number);
    threads = open_folder(proc_fd, path);
    length = 0;
    while (threads && length == 0 && (entry = readdir(threads))) {
        if (atoi(entry->d_name) <= 0)
            continue;
        snprintf(path, sizeof path, "%d/task/%d/%s", number, atoi(entry->d_name), name);
        length = processes_read(proc_fd, path, text, capacity);
        if (!strstr(text, key))
            length = 0;
    }
    if (threads)
        closedir(threads);
    return length;
}

/* call is the "NUMBER ARGUMENT ..." of the system call in which a thread waits, or "running". */
static bool is_vfork(const char *call)
{
    unsigned long flags;
    long number;

    if (sscanf(call, "%ld %lx", &number, &flags) != 2)
        return false;
#ifdef SYS_vfork
    if (number == SYS_vfork)
        return true;
#endif
    return number == SYS_clone && (flags & CLONE_VFORK);
}

bool processes_shares_memory(int proc_fd, int number)
{
    char path[128], call[256];
    const struct dirent *entry;
    bool shares = false;
    DIR *threads;

    snprintf(path, sizeof path, "%d/task", number);
    threads = open_folder(proc_fd, path);
    while (threads && !shares && (entry = readdir(threads))) {
        if (atoi(entry->d_name) <= 0)
            continue;
        snprintf(path, sizeof path, "%d/task/%d/syscall", number, atoi(entry->d_name));
        shares = processes_read(proc_fd, path, call, sizeof call) > 0 && is_vfork(call);
    }
    if (threads)
        closedir(threads);
    return shares;
}

bool processes_is_stopped(int proc_fd, int number)
{
    char path[64], line[512];
    const char *rest;

    snprintf(path, sizeof path, "%d/stat", number);
    if (processes_read(proc_fd, path, line, sizeof line) == 0)
        return false;
    rest = strrchr(line, ')'); /* the process name may contain anything */
    return rest && strncmp(rest, ") T", 3) == 0;
}

void processes_each(int proc_fd, void (*found_fn)(int proc_fd, int number, void *owner),
                    void *owner)
{
    const struct dirent *entry;
    DIR *folder = open_folder(proc_fd, ".");

    if (!folder)
        return;
    while ((entry = readdir(folder))) {
        int number = atoi(entry->d_name);

        if (number > KEEPER_NUMBER)
            found_fn(proc_fd, number, owner);
    }
    closedir(folder);
}
