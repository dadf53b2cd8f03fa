/* Shared by the files of the daemon. For these files only. */
#ifndef ARENA_SERVE_DAEMON_STATE_H
#define ARENA_SERVE_DAEMON_STATE_H

#include "arena/play/subprocess.h"
#include "arena/season/dealer.h"
#include "arena/season/player.h"
#include "arena/serve/daemon.h"
#include "arena/serve/scout.h"

enum daemon_state {
    DAEMON_RUNNING = 0,
    DAEMON_DRAINING = 1, /* running games are played to their end */
    DAEMON_ENDING = 2,   /* running games are given up */
};

struct daemon;

/* A season being played. */
struct daemon_season {
    struct daemon_season *next;
    struct daemon *daemon;
    struct scout_ready *ready;
    struct player *player;       /* NULL: workers play it */
    struct dealer *dealer;       /* NULL: it is played in this process */
    struct player_report report; /* as of the last tick */
    ev_timer over;               /* it has ended: frees it from the loop */
    int64_t counted;             /* its stored games included in the daemon's game_count */
};

/* A submission being admitted. */
struct daemon_admit {
    struct subprocess process; /* text NULL: unused */
    struct daemon *daemon;
    struct scout_submission submission;
};

/* A submission for which the arena failed: not tried again before retry_us. id 0: unused. */
struct daemon_failed_admit {
    int64_t id;
    int64_t retry_us;
    int attempt_count;
};

enum {
    DAEMON_FAILED_ADMITS_MAX = 64,
};

struct daemon {
    enum daemon_state state;
    struct daemon_options options;
    struct ev_loop *loop;
    struct transport transport;
    struct scout *scout;
    struct scout_view view; /* result of the last look */
    bool has_view;
    struct mailbox *journal;
    int log_line_count;     /* lines that wait to be written */
    int dropped_line_count; /* lines that found no room since the last that did */
    struct runner_jobs jobs;
    struct daemon_season *seasons;
    struct daemon_admit admits[DAEMON_ADMITS_MAX];
    struct daemon_failed_admit failed_admits[DAEMON_FAILED_ADMITS_MAX];
    struct subprocess publish;
    struct mailbox *errands; /* starts the processes of both kinds; NULL before the first */
    bool is_stale;           /* something changed since the last publication began */
    uint64_t shown_mark;     /* view.mark of the last look that succeeded */
    int64_t published_us;    /* when the last publication began; 0: never */
    ev_signal interrupt, terminate;
    ev_timer tick, drain;
    ev_prepare going_to_sleep;
    ev_check woken;
    int64_t woke_us, longest_hold_us;
    int64_t woke_processor_us, longest_busy_us; /* the same in processor time of the thread */
    int64_t since_us;                           /* start, since 1970 */
    int64_t began_us;                           /* start, monotonic */
    int64_t game_count;                         /* games stored since the start */
    int64_t watchdog_us, watched_us;
    char errors[DAEMON_ERRORS_MAX][DAEMON_LINE_BYTES]; /* a ring buffer */
    int error_count;
};

/* daemon.c: returns how many games are running. */
int daemon_playing_count(const struct daemon *daemon);

/* daemon.c: logs an event. */
void daemon_log(struct daemon *daemon, enum daemon_event event, const char *name,
                const char *words);

/* daemon.c: logs an error and keeps it for the status. */
void daemon_tell_error(struct daemon *daemon, const char *name, const char *words);

/* daemon_children.c: starts due admissions and publications. */
void daemon_children_begin(struct daemon *daemon);

/* Kills all of them; their deaths are awaited beside the loop (subprocess_finish). */
void daemon_children_end(struct daemon *daemon);

/*
 * daemon_status.c: return the status as JSON and in Prometheus's text format, for the caller to
 * free.
 */
char *daemon_status_json(const struct daemon *daemon, int64_t now_us);
char *daemon_status_metrics(const struct daemon *daemon);

#endif
