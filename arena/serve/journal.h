/*
 * The daemon's log, written by a thread of its own: a terminal that is stopped, a pipe that nobody
 * reads or a disk that stalls holds neither the loop nor its end. The queue is bounded: what finds
 * no room is counted, and that is told.
 */
#ifndef ARENA_SERVE_JOURNAL_H
#define ARENA_SERVE_JOURNAL_H

#include <stdbool.h>

/* What happened, for the log. */
enum daemon_event {
    DAEMON_STARTED = 0,
    DAEMON_SEASON_BEGUN = 1,
    DAEMON_SEASON_RESTS = 2, /* budget spent, decided, closed, or no table can be filled */
    DAEMON_SUBMISSION = 3,   /* a submission has ended */
    DAEMON_PUBLISHED = 4,
    DAEMON_ERROR = 5, /* an error of the arena */
    DAEMON_STOPPING = 6,
    DAEMON_STOPPED = 7,
};

enum journal_limits {
    JOURNAL_LINES_MAX = 1000,
    JOURNAL_END_MS = 2000, /* that what is still queued has at the end */
};

typedef void journal_fn(enum daemon_event event, const char *name, const char *words);

struct journal;

/* log_fn is called in the thread. Returns NULL with errno set. */
struct journal *journal_create(journal_fn *log_fn);

/* Copies name and words. Never waits. */
void journal_add(struct journal *journal, enum daemon_event event, const char *name,
                 const char *words);

/*
 * Writes what is queued and frees the journal. False: a line is stuck in log_fn, so thread and
 * journal are left as they are. Takes NULL.
 */
bool journal_destroy(struct journal *journal);

#endif
