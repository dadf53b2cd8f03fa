/*
 * The arena's own program, run as another process for what would hold the loop: watched on the
 * loop, at lower priority, with one deadline. What it prints is kept up to a bound.
 */
#ifndef ARENA_PLAY_SUBPROCESS_H
#define ARENA_PLAY_SUBPROCESS_H

#include <ev.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum subprocess_limits {
    SUBPROCESS_NICE = 10,      /* bots come first */
    SUBPROCESS_KILLED = -1,    /* its status when it did not exit by itself */
    SUBPROCESS_UNSTARTED = -2, /* when it could not be started beside the loop */
};

struct errands;

/* A zeroed one is none. */
struct subprocess {
    pid_t pid;
    int pid_fd;
    struct subprocess_start *starting; /* beside the loop; or NULL */
    struct ev_loop *loop;
    ev_io output, death;
    ev_timer deadline;
    char *text; /* what it wrote to standard output so far, up to the bound */
    size_t text_bytes, text_bytes_max;
    void *owner;
    /* NAME=VALUE for its environment besides this process's, or NULL: what others may not read, as
       they read arguments. Borrowed for the start. */
    const char *variable;
    /* It has ended and is reaped: its exit status, or SUBPROCESS_KILLED or SUBPROCESS_UNSTARTED. */
    void (*ended_fn)(struct subprocess *process, int status);
};

/*
 * Starts program (NULL: this one) with arguments, argv[0] first and NULL last; owner and ended_fn
 * are set beforehand. Standard input is empty, standard error is this process's. It is killed after
 * limit_s. Returns 0 or -errno, then it is none again.
 */
int subprocess_start(struct subprocess *process, struct ev_loop *loop, const char *program,
                     char *const arguments[], size_t text_bytes_max, int limit_s);

/*
 * The same, started by the thread of errands, which has to live as long as the process: starting
 * one takes a millisecond, and more on a busy machine. ended_fn tells SUBPROCESS_UNSTARTED if it
 * could not be started.
 */
int subprocess_start_aside(struct subprocess *process, struct ev_loop *loop,
                           struct errands *errands, const char *program, char *const arguments[],
                           size_t text_bytes_max, int limit_s);

/* Kills and reaps it, if it is there, and frees its text. Takes a zeroed one. */
void subprocess_finish(struct subprocess *process);

/*
 * The process's side, first of all: it dies with its parent and comes after bots. False if parent
 * is gone already: then leave.
 */
bool subprocess_settle(pid_t parent);

#endif
