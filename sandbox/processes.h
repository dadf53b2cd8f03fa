/* The processes of a child that may have several, read from the /proc of its PID namespace. */
#ifndef SANDBOX_PROCESSES_H
#define SANDBOX_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

/* Calls found_fn with the PID of each process except the keeper. */
void processes_each(int proc_fd, void (*found_fn)(int proc_fd, int number, void *owner),
                    void *owner);

/*
 * Reads a file of a process that its threads have as well, such as "status". If the first thread of
 * a process has ended, its file lacks the memory figures, but those of the other threads have them;
 * so this reads the first file that contains key. Returns the length, 0 if no file contains key.
 */
size_t processes_read_any(int proc_fd, int number, const char *name, const char *key, char *text,
                          size_t capacity);

/*
 * True if the process is suspended, as after vfork, until a child that shares its memory calls
 * exec.
 */
bool processes_shares_memory(int proc_fd, int number);

/* True if a signal has stopped the process. */
bool processes_is_stopped(int proc_fd, int number);

/*
 * Reads as much of a file of /proc as fits and ends it with a NUL. Returns its length, 0 if the
 * file cannot be read.
 */
size_t processes_read(int folder_fd, const char *path, char *text, size_t capacity);

#endif
