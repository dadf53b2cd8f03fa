/* SPDX-License-Identifier: MIT */
/*
 * What an open season is doing, or what it waits for: one state, derived from what is stored. The
 * log, `arena status`, metrics, pages and the API all tell this state.
 */
#ifndef ARENA_SEASON_STATUS_H
#define ARENA_SEASON_STATUS_H

#include "arena/season/roster.h"
#include "arena/store/leases.h"

enum season_status_limits {
    STATUS_REASON_BYTES = 512,
};

enum season_state {
    STATE_PLAYED = 0,    /* a process plays the season */
    STATE_CLOSED = 1,    /* the season is closed */
    STATE_CLOSING = 2,   /* no game begins any more; games under way may end */
    STATE_EARLY = 3,     /* the season's first time to play (--from) is to come */
    STATE_SPENT = 4,     /* all games of the budget are played */
    STATE_DECIDED = 5,   /* the order of the bots is certain (--until-decided) */
    STATE_FEW_BOTS = 6,  /* too few bots for a game */
    STATE_NO_WORKER = 7, /* workers play the season, and none is there */
    STATE_UNFIT = 8,     /* no machine has what the season's terms require */
    STATE_FAILED = 9,    /* the arena failed to play the season, and tries again */
    STATE_IDLE = 10,     /* nobody plays the season */
    STATE_PAUSED = 12,   /* bots forfeited too often, or an organizer paused it */
    STATE_JUDGING = 11,  /* bots that came before --from are still being checked */
};

/* All that the state depends on. */
struct season_facts {
    struct store_season terms;
    struct store_season_counts counts;
    struct store_pace pace;
    struct store_season_workers workers;
    struct roster_counts roster;
    /* Submissions that came before --from and are not judged yet, until the season's first game. */
    int unjudged_count;
    char owner[STORE_OWNER_BYTES]; /* who has claimed the season; "": nobody, or this process */
    int64_t now_us;                /* since 1970 */

    /* The caller may set the fields below. */
    bool is_ours; /* this process plays the season */
    /* What this machine lacks to play the season, with the cure; "": nothing. */
    char lack[STATUS_REASON_BYTES];
    char failure[STATUS_REASON_BYTES]; /* why this process failed to play the season; "": it did not
                                        */
};

struct season_status {
    enum season_state state;
    int64_t budget_games; /* games in all; by dates: what these come to with the bots of now */
    int64_t game_count;   /* stored games that count */
    int64_t void_count;   /* games of the schedule that do not count; they are not played again */
    int64_t left_count;   /* games that are still to be played */
    int64_t idle_us;      /* time since the last stored game; -1: there is none, or the season is
                             closed */
    char reason[STATUS_REASON_BYTES]; /* one line for the organizer, without a figure that ages */
};

/*
 * Reads the facts about a season, and sets all other fields to 0. Of a closed season sets only
 * terms and now_us. Set is_ours if this process has claimed the season. Returns 0 or -errno (see
 * store_failure).
 */
int season_facts_read(struct season_facts *facts, struct store *store,
                      const struct store_season *terms, bool is_ours);

/*
 * Reads again what changes without an event of the store; the games only if another process plays
 * the season. Returns 0 or -errno (see store_failure).
 */
int season_facts_refresh(struct season_facts *facts, struct store *store);

/* Derives the state. */
void season_status_of(const struct season_facts *facts, struct season_status *status);

/* False if no further game begins: the season is closed or being closed, spent or decided. */
bool season_status_goes_on(const struct season_status *status);

/* The words of enum season_state in JSON and metrics, such as "few_bots", and NULL. */
extern const char *const season_states[];

/*
 * Returns a sentence for visitors of the site, who cannot change what the season waits for: a
 * static string, "" for STATE_PLAYED.
 */
const char *season_state_sentence(enum season_state state);

#endif
