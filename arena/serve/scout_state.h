/* What the files of the scout share. For these files only. */
#ifndef ARENA_SERVE_SCOUT_STATE_H
#define ARENA_SERVE_SCOUT_STATE_H

#include <pthread.h>

#include "arena/serve/scout.h"

/* What the thread knows about an open season. */
struct known {
    char name[STORE_NAME_BYTES_MAX + 1];
    bool is_given;      /* the loop has it */
    bool is_seen;       /* at this look: it is open */
    bool misses_tier;   /* its terms ask for a stronger sandbox than this machine gives */
    bool is_busy;       /* another process plays it */
    uint64_t told;      /* of the trouble that was told last, a hash; 0: none */
    int64_t event;      /* of the store, when it was loaded last; -1: never */
    int64_t budget;     /* at that time */
    int64_t game_count; /* likewise; -1: never */
    int64_t retry_s;    /* monotonic: not before; 0: at once */
};

struct scout {
    struct scout_options options;
    struct ev_loop *loop;
    ev_async told;
    pthread_t thread;

    /* Used by the thread. */
    struct known known[SCOUT_SEASONS_MAX];
    int known_count;
    struct scout_view view;
    char file_error[SCOUT_ERROR_BYTES]; /* of the files written last, or "" */

    pthread_mutex_t mutex; /* protects the fields below */
    pthread_cond_t due;
    struct scout_view seen; /* the last complete view, for the loop */
    bool has_seen;
    struct ready_list {
        struct ready_list *next;
        struct scout_ready *ready;
        bool failed;
    } * given, *returned;
    struct trouble {
        struct trouble *next;
        bool is_busy;
        char season[STORE_NAME_BYTES_MAX + 1];
        char words[SCOUT_ERROR_BYTES];
    } * troubles;           /* for the loop, the newest first */
    char *status, *metrics; /* texts to be written to the files */
    bool ends;
};

/* scout.c: true once the thread is to end. */
bool scout_is_ending(struct scout *scout);

/* scout_seasons.c: a step of a look each, in this order. The first one's context is the scout. */
int scout_see_season(void *context, const struct store_season *season);
void scout_forget_closed(struct scout *scout);
void scout_load_changed(struct scout *scout, int64_t event);

/* scout_seasons.c: frees the seasons that the loop gave back. */
void scout_take_returned(struct scout *scout);
void scout_free_ready(struct scout_ready *ready);

#endif
