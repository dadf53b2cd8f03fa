/*
 * Runs the arena's own program as another process, for work that would hold the loop. The process
 * is watched on the loop, has a lower priority and one deadline. Its output is kept up to a limit.
 */
#ifndef ARENA_PLAY_SUBPROCESS_H
#define ARENA_PLAY_SUBPROCESS_H

#include <ev.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum subprocess_limits {
    SUBPROCESS_NICE = 10,      /* so that bots have priority */
    SUBPROCESS_KILLED = -1,    /* the status if it did not exit by itself */
    SUBPROCESS_UNSTARTED = -2, /* the status if subprocess_start_aside could not start it */
};

struct mailbox;

/* Zeroed: no process. */
struct subprocess {
    pid_t pid;
    int pid_fd;
    struct subprocess_start *starting; /* its start by another thread; or NULL */
    struct mailbox *errands;           /* that thread's; or NULL */
    struct ev_loop *loop;
    ev_io output, death;
    ev_timer deadline;
    char *text; /* its standard output so far, up to the limit */
    size_t text_bytes, text_bytes_max;
    int start_error; /* for SUBPROCESS_UNSTARTED: -errno */
    void *owner;
    /*
     * NAME=VALUE to add to its environment, or NULL: for secrets, since other users can read
     * arguments. Borrowed for the start.
     */
    const char *variable;
    /*
     * It has ended and is reaped; status is its exit status, SUBPROCESS_KILLED or
     * SUBPROCESS_UNSTARTED.
     */
    void (*ended_fn)(struct subprocess *process, int status);
};

/*
 * Starts program (NULL: this one) with arguments, argv[0] first and NULL last. Set owner and
 * ended_fn first. Its standard input is empty; its standard error is this process's. It is killed
 * after limit_s. Returns 0 or -errno; after a failure *process is as before.
 */
int subprocess_start(struct subprocess *process, struct ev_loop *loop, const char *program,
                     char *const arguments[], size_t text_bytes_max, int limit_s);

/*
 * The same, but the thread of errands starts the process and must live as long: a start takes a
 * millisecond, more on a busy machine. ended_fn receives SUBPROCESS_UNSTARTED if the start fails.
 */
int subprocess_start_aside(struct subprocess *process, struct ev_loop *loop,
                           struct mailbox *errands, const char *program, char *const arguments[],
                           size_t text_bytes_max, int limit_s);

/*
 * Kills and reaps the process, if there is one, and frees its text. Waits for its end, 10 s at
 * most, unless it was started aside: then its errands do. Accepts a zeroed struct.
 */
void subprocess_finish(struct subprocess *process);

/*
 * Called first in the new process: it dies with its parent and gets a lower priority than bots.
 * Returns false if parent is already gone: exit then.
 */
bool subprocess_settle(pid_t parent);

#endif
