/* The processes of a child that may have several, as the /proc of its namespace lists them. */
#ifndef SANDBOX_PROCESSES_H
#define SANDBOX_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

/* Calls back with the number of each, the keeper left out. */
void processes_each(int proc_fd, void (*found_fn)(int proc_fd, int number, void *owner),
                    void *owner);

/*
 * Reads the file of a process that every thread has as well, like "status". That of a process
 * whose first thread has ended tells nothing of its memory: one that another thread has does, so
 * the first of them is read that has the key. Returns the length, 0 if nobody has it.
 */
size_t processes_read_any(int proc_fd, int number, const char *name, const char *key, char *text,
                          size_t capacity);

/* Does it wait for a child that shares its memory until it executes something, as after vfork? */
bool processes_shares_memory(int proc_fd, int number);

/*
 * Reads a file of /proc whole, as far as it fits; the text ends with a zero. Returns its length, 0
 * if it cannot be read.
 */
size_t processes_read(int folder_fd, const char *path, char *text, size_t capacity);

#endif
