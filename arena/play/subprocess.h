/* SPDX-License-Identifier: MIT */
/*
 * Runs a program, by default the arena's own, as another process, for work that would hold the
 * loop. The process has a time limit. The loop collects its output up to a limit and reports its
 * end. The arena's own program gives itself a lower priority than bots (subprocess_settle).
 */
#ifndef ARENA_PLAY_SUBPROCESS_H
#define ARENA_PLAY_SUBPROCESS_H

#include <ev.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "arena/play/watch.h"

enum subprocess_limits {
    SUBPROCESS_NICE = 10,      /* nice value, lower in priority than bots */
    SUBPROCESS_KILLED = -1,    /* status of a process that did not exit by itself */
    SUBPROCESS_UNSTARTED = -2, /* status if the process could not be started */
};

struct mailbox;

/* A process, or none if zeroed. */
struct subprocess {
    pid_t pid;                        /* PID of the process; 0: not started yet, or ended */
    struct subprocess_errand *errand; /* work of starting the process, which another thread does */
    struct ev_loop *loop;
    struct watch output, death;
    ev_timer deadline;
    char *text; /* the process's standard output so far, up to the limit */
    size_t text_bytes, text_bytes_max;
    int start_error; /* -errno, if the status is SUBPROCESS_UNSTARTED */
    void *owner;
    /*
     * NAME=VALUE to add to the process's environment, or NULL. For secrets, because other users can
     * read a process's arguments. subprocess_start borrows the text until the thread has started
     * the process.
     */
    const char *variable;
    /*
     * Called once the process has ended. status is its exit status, SUBPROCESS_KILLED or
     * SUBPROCESS_UNSTARTED.
     */
    void (*ended_fn)(struct subprocess *process, int status);
    /*
     * Called with each line of output as it arrives, which may be cut at the limit; text then has
     * only the beginning of a line. NULL: text has all the output. Must not finish the process.
     */
    void (*line_fn)(struct subprocess *process, const char *line);
};

/*
 * Lets the thread of `errands` start a program (NULL: this one) with arguments, argv[0] first and
 * NULL last. The caller sets owner and ended_fn first; errands must live as long as the process.
 * The process's standard input is empty; its standard error is that of this process. After limit_s
 * seconds the loop kills the process; one that does not end then, because it hangs in the
 * kernel, is given up: ended_fn is called with SUBPROCESS_KILLED, and text says so. Returns 0; or
 * -errno, with *process as before.
 */
int subprocess_start(struct subprocess *process, struct ev_loop *loop, struct mailbox *errands,
                     const char *program, char *const arguments[], size_t text_bytes_max,
                     int limit_s);

/*
 * Kills the process, if there is one, and frees its output. Another thread reaps the process, which
 * may take long. Accepts a zeroed struct.
 */
void subprocess_finish(struct subprocess *process);

/* Where a process that subprocess_spawn starts begins and writes. */
struct subprocess_ends {
    const char *folder; /* NULL: this process's folder */
    int output_fd;
    int message_fd; /* of standard error; -1: that of this process */
};

/*
 * Starts a program for which the caller waits itself, with no input, in a process group of its own,
 * so that Ctrl-C on the terminal does not reach it, and the caller can kill it with all that it has
 * started. Its signals are as at a shell: none blocked, SIGPIPE not ignored. Returns 0 or -errno.
 */
int subprocess_spawn(pid_t *pid, const char *program, char *const arguments[],
                     char *const environment[], const struct subprocess_ends *ends);

/*
 * Waits for the end of a process that was killed, or is about to end, and reaps it; status may be
 * NULL. Returns false, after ten seconds, if it does not end: it hangs in the kernel.
 */
bool subprocess_reap(pid_t pid, int *status);

/* The beginning of a line of output that says why the process failed. */
#define SUBPROCESS_ERROR "arena: "

/*
 * Called first in the new process: gives it a lower priority than bots, and makes the kernel kill
 * it when its parent dies. Returns false if the parent is already dead: the process must then exit.
 */
bool subprocess_settle(pid_t parent);

#endif
