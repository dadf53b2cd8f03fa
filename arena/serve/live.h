/* SPDX-License-Identifier: MIT */
/*
 * Live games: of the games under way, up to LIVE_GAMES_MAX can be watched on the site. Each is two
 * files in the folder .NAME.live beside the site: ID.html, its page (the viewer's), and ID.jsonl,
 * one JSON object a line (site/viewer.h), to which decisions are added once the season's live delay
 * is over. The page asks for the second file again and again, and shows its decisions at a pace at
 * which people can follow. games.json lists these games; index.html shows the list. The web
 * process serves the folder as /live; once the site has the match's page, the game's address leads
 * there.
 *
 * Once a second the loop looks at the tables and passes copies of the chosen games to a thread,
 * which plays them again, writes and removes the files. So bots wait for nothing, however many
 * people watch. A decision counts from when the loop saw it, so it is never shown too early; it may
 * be shown a second late.
 *
 *   chosen     one game a second at most, of the season that has the fewest; it is watched to its
 *              end
 *   over       everything is shown at once, as its replay is public from then on; the files stay
 *              for LIVE_KEPT_S, by when the site should have the match's page, or from LIVE_LEAST_S
 *              on until another game needs the place
 *   void       the files are removed at once
 *   killed     a daemon begins by emptying the folder; until then the web process shows no game
 *              of a list that is older than a minute
 *
 * Games of a season that hides its games (--live-delay off) are never chosen. Games that workers
 * play on other machines are not live: the daemon learns of them when they are over.
 */
#ifndef ARENA_SERVE_LIVE_H
#define ARENA_SERVE_LIVE_H

#include "arena/play/table.h"
#include "arena/store/store.h"

enum live_limits {
    LIVE_GAMES_MAX = 8,
    LIVE_KEPT_S = 120, /* longer than a game takes that is shown at one decision a second */
    LIVE_LEAST_S = 30, /* after which a game that is over makes room for one under way */
};

struct live_options {
    const char *site;        /* folder of the site; borrowed */
    const char *contact;     /* how to reach the organizer; NULL: unknown; borrowed */
    int64_t (*now_fn)(void); /* returns the time; NULL: the monotonic clock */
    void *owner;
    /* Called on the loop when files cannot be written, once until they can. */
    void (*failed_fn)(void *owner, const char *words);
};

/* Starts the thread, which empties the folder. Returns NULL with errno set. */
struct live *live_create(struct ev_loop *loop, const struct live_options *options);

/*
 * A look at the running games: live_see for each table whose season shows its games, and then
 * live_look, which passes on what is new.
 */
void live_see(struct live *live, const char *season, int delay_s, const struct table *table);
void live_look(struct live *live);

/* Call when the match at a table has its result. */
void live_over(struct live *live, const struct table *table);

/* Ends the thread, and removes the folder. Accepts NULL. */
void live_destroy(struct live *live);

#endif
