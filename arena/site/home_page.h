/* SPDX-License-Identifier: MIT */
/*
 * The home page of a site and the pages of authors. Both need all seasons, but a publication loads
 * one season at a time: home_add copies from each season what these pages show.
 */
#ifndef ARENA_SITE_HOME_PAGE_H
#define ARENA_SITE_HOME_PAGE_H

#include "arena/site/parts.h"

/* A season in the list of seasons. */
struct home_season {
    struct store_season season;
    bool is_early; /* announced: its games begin later */
    json_t *told;  /* parts_state_json; owned */
};

/* One version of a bot in one season, for its author's page. */
struct home_bot {
    char author[STORE_TEXT_BYTES_MAX + 1], version[STORE_TEXT_BYTES_MAX + 1];
    char name[STORE_NAME_BYTES_MAX + 1];
    int season;                       /* index into home.seasons */
    bool plays;                       /* false for retired, replaced and banned versions */
    bool waits;                       /* it is in no game of the season yet */
    int place, rank_best, rank_worst; /* 0: none */
    int ranked_count;                 /* ranked rows of the season */
    /* Rating and its error; NAN if the version has no game. */
    double elo, error95;
    int64_t game_count;
    int medal;            /* 1 to 3: the place in a closed season, practice left out; else 0 */
    struct parts_day day; /* of all versions of the name; empty in a closed season */
    uint64_t key;         /* changes when the author's page must show new numbers */
};

/* What the home page and the authors' pages show. A zeroed home is empty. */
struct home {
    /* Set by the caller. */
    int64_t shown_id;    /* id of the season that the home page shows at its top */
    const char *address; /* where bots are submitted; NULL: unknown */
    bool has_program;    /* the site offers the program */
    json_t *voided;      /* names of void seasons; borrowed */
    json_t *leagues;     /* names of leagues; borrowed */

    json_t *shown; /* what the home page shows of the season shown_id; owned */
    struct home_season *seasons;
    int season_count;
    /* After home_sort: sorted by author; of each author, the newest season first. */
    struct home_bot *bots;
    int bot_count;
};

/* Adds a season, whose index the caller has made (season_index_make). Returns 0 or -ENOMEM. */
int home_add(struct home *home, const struct season_data *data);
void home_sort(struct home *home);
void home_finish(struct home *home);

/* Returns the data of the home page, for the template `home`; a new reference. */
json_t *home_page(const struct home *home);

/*
 * Returns the key of the page of the author whose first bot is home->bots[first]; *count becomes
 * the number of the author's bots. Never returns 0.
 */
uint64_t home_author_key(const struct home *home, int first, int *count);

/*
 * Returns the data of the page of the author whose `count` bots begin at home->bots[first], for the
 * template `author`; a new reference.
 */
json_t *author_page(const struct home *home, int first, int count);

#endif
