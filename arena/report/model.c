/* SPDX-License-Identifier: MIT */
#include "arena/report/model.h"

#include <stddef.h>

#include "arena/report/bot.h"
#include "arena/report/challenge.h"
#include "arena/report/game.h"
#include "arena/report/league.h"
#include "arena/report/mistakes.h"
#include "arena/report/season.h"
#include "arena/report/workers.h"

enum {
    JSON = COLUMN_IN_JSON,
};

/* ---- JSON that other modules make: described here, and cut to what the reader may see ---- */

#define SEEN(its_type) MEMBER(its_type), .reader = READER_ORGANIZER

static const char *const store_words[] = {"up", "down", "full", "unread", NULL};
static const char *const list_words[] = {"final", "live", NULL};

static const struct column status_array[] = {
    {"version", NULL, JSON, "version of the arena; null: only the API tells", MEMBER("text?")},
    {"running", NULL, JSON, "a daemon plays", MEMBER("boolean")},
    {"since", NULL, JSON, "when the daemon began; null: no daemon", MEMBER("time?")},
    {"games", NULL, JSON, "games that the daemon has stored since then; null: no daemon",
     MEMBER("integer?")},
    {"queue", NULL, JSON, "submissions that have not ended; null: no daemon", MEMBER("integer?")},
    {"overloaded", NULL, JSON,
     "a load above 4 a core, or more than 100 in the queue; null: only the API tells",
     MEMBER("boolean?")},
    {"seasons", NULL, JSON, "the open seasons", MEMBER("season[]")},
    {"pid", NULL, JSON, "number of the daemon's process; null: no daemon", SEEN("integer?")},
    {"games_per_s", NULL, JSON, "games stored a second; null: no daemon", SEEN("number?")},
    {"jobs", NULL, JSON, "games that are played at a time", SEEN("integer?")},
    {"longest_hold_us", NULL, JSON, "longest time for which the daemon's loop was blocked",
     SEEN("integer?"), .unit = "us"},
    {"longest_hold_processor_us", NULL, JSON,
     "longest time for which the loop was blocked, in processor time", SEEN("integer?"),
     .unit = "us"},
    {"disk_free_bytes", NULL, JSON, "free room on the disk", SEEN("integer?"), .unit = "bytes"},
    {"store", NULL, JSON,
     "whether the store answers: down: it does not; full: its disk is full; unread: "
     "not read yet",
     SEEN("text?"), .words = store_words},
    {"store_since", NULL, JSON, "since when the store is in this state", SEEN("time?")},
    {"published", NULL, JSON, "when the site was last published; null: never", SEEN("time?")},
    {"elsewhere", NULL, JSON, "seasons that another process plays", SEEN("integer?")},
    {"errors", NULL, JSON, "the last different errors, with their times", SEEN("text[]")},
    {"playing_count", NULL, JSON, "games under way", SEEN("integer?")},
    {"analyses", NULL, JSON, "the arena analyses games at the moment, if any are wanted",
     SEEN("boolean?")},
};

const struct columns status_columns = COLUMNS_OF(status_array);

static const struct column live_array[] = {
    {"match", NULL, JSON, MATCH_WORDS, MEMBER("text")},
    {"season", NULL, JSON, "name of the season", MEMBER("text")},
    {"board", NULL, JSON, BOARD_WORDS, MEMBER("text")},
    {"bots", NULL, JSON, SEATED_WORDS, MEMBER("text[]")},
    {"scores", NULL, JSON, SCORES_WORDS, MEMBER("integer[]")},
    {"round", NULL, JSON, "round of the game, from 1", MEMBER("integer")},
    {"decisions", NULL, JSON, "decisions of the game", MEMBER("integer")},
    {"over", NULL, JSON, "the game is over", MEMBER("boolean")},
};

const struct columns live_columns = COLUMNS_OF(live_array);

static const struct column ladder_array[] = {
    {"season", NULL, JSON, "name of the season", MEMBER("text")},
    {"list", NULL, JSON, "final: all games at once; live: updated after each group", MEMBER("text"),
     .words = list_words},
    {"games", NULL, JSON, "games that were played and count", MEMBER("integer")},
    {"groups", NULL, JSON, "groups of these games", MEMBER("integer")},
    {"mean", NULL, JSON, "mean rating of the bots with a rank; null: no bot has one",
     MEMBER("number?"), .unit = "Elo"},
    {"rows", NULL, JSON, "the versions of bots, best first", MEMBER("row[]")},
};

static const struct columns ladder_members = COLUMNS_OF(ladder_array);

static const struct column day_array[] = {
    {"season", NULL, JSON, "name of the season", MEMBER("text")},
    {"bot", NULL, JSON, BOT_WORDS, MEMBER("text")},
    {"newest_game", NULL, JSON,
     "when the season's newest game began, the end of the 24 hours; null: no game was played",
     MEMBER("time?")},
    {"row", NULL, JSON,
     "the ladder's row of the bot's newest version that plays, with place and Elo of a day before",
     MEMBER("row?")},
    {"results", NULL, JSON, "the games of these hours that count, by number of players",
     MEMBER("results[]")},
    {"lost_games", NULL, JSON,
     "ids of the newest games of these hours that others won, newest first, at most 20",
     MEMBER("text[]")},
    {"analyst", NULL, JSON, "name of the bot that was asked about the decisions", MEMBER("text?")},
    {"costliest", NULL, JSON,
     "the costliest mistake in the bot's analysed games of these hours; null: none is known",
     MEMBER("decision?")},
};

const struct columns day_columns = COLUMNS_OF(day_array);

static const struct column results_array[] = {
    {"seats", NULL, JSON, "players at the table", MEMBER("integer")},
    {"games", NULL, JSON, "games of the bot at such tables", MEMBER("integer")},
    {"wins", NULL, JSON, "games that the bot alone won", MEMBER("integer")},
    {"ties", NULL, JSON, "games in which the bot shared the first place", MEMBER("integer")},
    {"mean_place", NULL, JSON, "mean place; a shared one is the mean of those shared",
     MEMBER("number")},
};

static const struct columns results_columns = COLUMNS_OF(results_array);

static const struct column me_array[] = {
    {"author", NULL, JSON, AUTHOR_WORDS, MEMBER("text")},
    {"bots", NULL, JSON, "the newest versions of the author's bots", MEMBER("bot[]")},
    {"submissions", NULL, JSON, "the author's newest submissions, at most 100",
     MEMBER("submission[]")},
    {"void_seasons", NULL, JSON, "names of the seasons that the organizer made void",
     MEMBER("text[]")},
    {"forfeits", NULL, JSON, "newest games that the author's bots forfeited, at most 20",
     MEMBER("forfeited[]")},
    {"quotas", NULL, JSON, "what the author may still ask for", MEMBER("quota[]")},
    {"challenged", NULL, JSON, "authors who allow it too may challenge the author's bots",
     MEMBER("boolean")},
};

static const struct columns me_columns = COLUMNS_OF(me_array);

static const struct column order_array[] = {
    {"arguments", NULL, JSON, "an arena command, word by word: season, show, cup",
     MEMBER("text[]")},
    {"files", NULL, JSON,
     "texts by name: files in the folder in which the command runs; null: none", MEMBER("object?")},
};

static const struct columns order_columns = COLUMNS_OF(order_array);

static const struct column outcome_array[] = {
    {"exit", NULL, JSON,
     "exit status: 0 done; 1 the arena failed, or a check was negative; 2 wrong input",
     MEMBER("integer")},
    {"output", NULL, JSON, "what the command printed; null: values has it", MEMBER("text?")},
    {"values", NULL, JSON, "what the command printed with --json, a value a line; null: no JSON",
     MEMBER("object[]?")},
    {"message", NULL, JSON, "news, or what is wrong and how to mend it", MEMBER("text")},
    {"made", NULL, JSON, "files that the command made: a tar archive in base64; null: none",
     MEMBER("text?")},
};

const struct columns outcome_columns = COLUMNS_OF(outcome_array);

static const char *const news_words[] = {
    "opened",  "deadline near", "paused",         "resumed",       "closed",   "voided", "admitted",
    "refused", "banned",        "leader changed", "forfeits many", "disk low", NULL};

static const struct column news_array[] = {
    {"news", NULL, JSON, "what is new", MEMBER("text"), .words = news_words},
    {"words", NULL, JSON, "what happened, in words", MEMBER("text")},
    {"time", NULL, JSON, "when the event happened", MEMBER("time")},
    {"season", NULL, JSON, "name of the season", MEMBER("text?")},
    {"bot", NULL, JSON, BOT_WORDS, MEMBER("text?")},
    {"version", NULL, JSON, VERSION_WORDS, MEMBER("text?")},
    {"author", NULL, JSON, AUTHOR_WORDS, MEMBER("text?")},
    {"submission", NULL, JSON, "number of the submission", MEMBER("integer?")},
    {"who", NULL, JSON, "who did it: USER@HOST, daemon, or author-NUMBER through the API",
     MEMBER("text?")},
};

const struct columns news_columns = COLUMNS_OF(news_array);

static const struct column problem_array[] = {
    {"type", NULL, JSON, "about:blank (RFC 9457)", MEMBER("text")},
    {"title", NULL, JSON, "the status in words", MEMBER("text")},
    {"status", NULL, JSON, "HTTP status", MEMBER("integer")},
    {"detail", NULL, JSON, "what is wrong, and what to do about it", MEMBER("text")},
};

static const struct columns problem_columns = COLUMNS_OF(problem_array);

static const struct column analysis_array[] = {
    {"match", NULL, JSON, MATCH_WORDS, MEMBER("text")},
    {"analyst", NULL, JSON, "name of the bot that was asked about the decisions", MEMBER("text")},
    {"turn_ms", NULL, JSON, "time that the analyst had for a decision", MEMBER("integer"),
     .unit = "ms"},
    {"decisions", NULL, JSON, "the decisions that the analyst judged", MEMBER("decision[]")},
};

static const struct columns analysis_columns = COLUMNS_OF(analysis_array);

static const struct column summary_array[] = {
    {"analyst", NULL, JSON, "name of the bot that was asked about the decisions", MEMBER("text")},
    {"turn_ms", NULL, JSON, "time that the analyst had for a decision", MEMBER("integer"),
     .unit = "ms"},
    {"players", NULL, JSON, "each player of the games", MEMBER("player[]")},
};

static const struct columns summary_columns = COLUMNS_OF(summary_array);

/* ---- all things ---- */

const struct thing model[] = {
    {"season", "a season", &season_columns},
    {"clock", "the bots' clock in a season", &clock_columns},
    {"opening", "a period in which a season is open", &opening_columns},
    {"event", "a change to a season, or to the bots that play", &event_columns},
    {"batch", "groups of games that the schedule chose in one step", &batch_columns},
    {"league", "a league, whose divisions are seasons", &league_columns},
    {"division", "a division of a league in one round", &division_columns},
    {"place", "a bot in a division", &place_columns},
    {"ladder", "the ladder of a season", &ladder_members},
    {"row", "a row of a ladder: a version of a bot", NULL},
    {"day", "what became of a bot in the 24 hours before the season's newest game", &day_columns},
    {"results", "how a bot's games with one number of players ended", &results_columns},
    {"game", "a game of a season", &game_columns},
    {"live", "a game that can be watched, so far as the season's delay allows", &live_columns},
    {"forfeit", "why and how a bot forfeited a game", &forfeit_columns},
    {"forfeited", "a game that a bot of an author forfeited", &forfeited_columns},
    {"bot", "a version of a bot", &bot_columns},
    {"submission", "a bot that was sent in, and its outcome", &submission_columns},
    {"author", "an account", &author_columns},
    {"token", "what lets an author use the API", &token_columns},
    {"me", "what an author has", &me_columns},
    {"quota", "what an author may ask for only so often in a day", &quota_columns},
    {"challenge", "unrated games between two bots, asked for by the first one's author",
     &challenge_columns},
    {"entrance", "a season that an admitted bot enters", &entrance_columns},
    {"bout", "a game of a challenge", &bout_columns},
    {"status", "the state of the arena", &status_columns},
    {"order", "a command that an organizer sends", &order_columns},
    {"outcome", "what came of a command", &outcome_columns},
    {"news", "what the daemon tells the program of --on-event; what does not apply is null",
     &news_columns},
    {"worker", "a run of a worker", &report_workers_columns},
    {"analysis", "what an analyst says about a game", &analysis_columns},
    {"decision", "what an analyst says about a decision", &decision_columns},
    {"summary", "what an analyst says about many games", &summary_columns},
    {"player", "what a player's decisions cost in many games", &mistakes_columns},
    {"mistake", "what decisions of one kind cost, in all rounds or in one", &mistake_columns},
    {"problem", "why the API refuses a request", &problem_columns},
};

const int model_count = sizeof model / sizeof *model;

struct columns thing_columns(const struct thing *thing,
                             struct column array[static LADDER_COLUMNS_MAX])
{
    return thing->columns ? *thing->columns : ladder_columns(LADDER_FINAL, array);
}
