/* SPDX-License-Identifier: MIT */
/*
 * The terms of a season as options: what `season new` and the commands of leagues share. Also says
 * what terms mean, and how long their games last on this machine.
 */
#ifndef ARENA_COMMANDS_SEASON_TERMS_H
#define ARENA_COMMANDS_SEASON_TERMS_H

#include <jansson.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/options.h"
#include "arena/report/season.h"
#include "arena/season/dates.h"

/* A date of a season, as an option gives it. */
struct season_date {
    int64_t us;      /* since 1970; 0: none */
    bool ends;       /* a day without a time of day means its end */
    bool is_weekday; /* a day of the week: it may be moved by weeks */
};

/* The values of the options. */
struct season_creation {
    struct play_options play;
    struct store_season terms;
    unsigned authors, errors;
    uint8_t seed[GAME_SEED_BYTES];
    const char *like;
    bool is_trial; /* --dry-run */
};

extern struct season_creation season_creation;
extern struct season_date season_from, season_deadline, season_until;
extern const char *const season_author_words[], *const season_error_words[];

int season_terms_take_time(void *date, const char *text); /* sets a struct season_date */
int season_terms_take_players(void *season, const char *text);
int season_terms_take_delay(void *seconds, const char *text);
/*
 * Parses which replays a season keeps: "all"; or "forfeits+N", which keeps the replays of all games
 * with a forfeit and of the newest N other games. Sets prunes and keep_games of a struct
 * store_season. Returns a command's status.
 */
int season_terms_take_keep(void *season, const char *text);

/* Sets the dates of a season to those that were given. */
void season_terms_take_dates(struct store_season *season);

/* Refuses dates that cannot be kept. Returns a command's status or -errno. */
int season_terms_check_dates(struct store *store, const struct store_season *terms);

/*
 * Makes a season's terms of the options, whose values are in *terms, and of the season that --like
 * names. Returns a command's status or -errno.
 */
int season_terms_make(struct store *store, struct store_season *terms);

/*
 * Sets *told to what the terms mean, for a season that need not exist, with this many bots; -1:
 * those that may play. Returns 0 or -errno. report_season_finish has nothing to free.
 */
int season_terms_read(struct report_season *told, struct store *store,
                      const struct store_season *terms, int bot_count);

/* Prints that. */
void season_terms_print(const struct report_season *told);

/* A season that need not exist, and how many bots play in it; -1: those that may play. */
struct season_load {
    const struct store_season *terms;
    int bot_count;
};

/*
 * Tells how long the games last of seasons that one machine plays side by side, of equal terms:
 * prints it, or sets "estimate" of `told` unless that is NULL.
 */
int season_terms_estimate(struct store *store, const struct season_load *loads, int count,
                          json_t *told);

/* clang-format off */
#define SEASON_DATE_OPTIONS \
    {"from", "TIME", "when games begin: MON, 2026-12-31 or 2026-12-31T18:00+01:00 (at once)", \
     .take_fn = season_terms_take_time, .context = &season_from}, \
    {"deadline", "TIME", "last time to submit: later versions do not enter (none)", \
     .take_fn = season_terms_take_time, .context = &season_deadline}, \
    {"until", "TIME", "until when games are played, evenly; then a daemon closes the season (none)", \
     .take_fn = season_terms_take_time, .context = &season_until}
#define SEASON_TERM_OPTIONS \
    {"players", "LIST", \
     "numbers of players, such as 2 or 2,3,4; with several numbers, groups of games take turns (2)", \
     .take_fn = season_terms_take_players, .context = &season_creation.terms}, \
    {"board", "SIDE", "side of the player boards: colored, gray, or both in turn (colored)", \
     .word = (unsigned *)&season_creation.terms.board, .words = store_boards}, \
    PLAY_OPTION_CLOCK(&season_creation.play), \
    {"budget", "GAMES", "games to play in all, rounded up to whole groups (1000; with --until, the dates rule)", \
     .number = &season_creation.terms.budget_games, .minimum = 1, .maximum = STORE_BUDGET_GAMES_MAX, .unit = "games"}, \
    {"games-a-day", "N", \
     "by dates, without a budget: games of each bot a day (as many as make 1000 until --until)", \
     .number = &season_creation.terms.games_a_day, .minimum = 1, .maximum = DATES_GAMES_A_DAY_MAX, \
     .unit = "games", .excludes = "budget"}, \
    SEASON_DATE_OPTIONS, \
    {"live-delay", "SECONDS", \
     "delay in seconds before pages show a running game; off: pages show only ended games (30)", \
     .take_fn = season_terms_take_delay, .context = &season_creation.terms.live_delay_s}, \
    {"until-decided", NULL, \
     "end before the budget is spent, once the order of all bots in the ladder is certain", \
     .flag = &season_creation.terms.until_decided}, \
    {"authors", "HOW", \
     "apart: with three or more authors, and at tables of three or four, bots of one author " \
     "do not meet; free: they may meet (apart)", \
     .word = &season_creation.authors, .words = season_author_words}, \
    {"keep", "WHICH", \
     "replays that `arena season prune` keeps: all; or forfeits+N: the replays of games with a " \
     "forfeit and of the newest N other games (all)", \
     .take_fn = season_terms_take_keep, .context = &season_creation.terms}, \
    {"stderr", "HOW", \
     "what a bot that forfeits wrote to standard error: private, for its author and the " \
     "organizer; publish: for the site too (private)", \
     .word = &season_creation.errors, .words = season_error_words}, \
    {"practice", NULL, \
     "practice: bots learn their opponents' names, and a daemon spends at most a tenth of its jobs " \
     "on the season while other seasons have games to play", \
     .flag = &season_creation.terms.is_practice}, \
    {"like", "SEASON", "take the terms of another season, except its dates and its list of bots", \
     .text = &season_creation.like}, \
    {"dry-run", NULL, "create nothing: say what the terms mean", .flag = &season_creation.is_trial}, \
    {"seed", "HEX", "32 hex digits in place of secret randomness: for tests", \
     .seed = season_creation.seed}, \
    {.help = "how the arena runs bots in every game of the season (--freeze is the default)"}, \
    PLAY_OPTION_PIN(&season_creation.play), \
    PLAY_OPTION_FREEZE(&season_creation.play), \
    PLAY_OPTION_NO_FREEZE(&season_creation.play), \
    PLAY_OPTION_MEMORY(&season_creation.play), \
    PLAY_OPTION_REQUIRE(&season_creation.play)
/* clang-format on */

#endif
