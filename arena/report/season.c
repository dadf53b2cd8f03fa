/* SPDX-License-Identifier: MIT */
#include "arena/report/season.h"

#include <stddef.h>
#include <stdlib.h>

#include "arena/base/array.h"
#include "arena/base/json.h"
#include "arena/replay/json.h"
#include "sandbox/sandbox.h"

enum {
    ALL = COLUMN_EVERYWHERE,
    DATA = COLUMN_IN_DATA,
    JSON = COLUMN_IN_JSON,
    CARD = COLUMN_IN_CARD,
};

/* ---- clocks ---- */

static const struct column clock_array[] = {
    {"turn_ms", NULL, JSON, "time for each decision, before the bank is used", MEMBER("integer"),
     .unit = "ms"},
    {"bank_ms", NULL, JSON, "time in the bank at the start of a game", MEMBER("integer"),
     .unit = "ms"},
    {"gain_ms", NULL, JSON, "time added to the bank after each decision", MEMBER("integer"),
     .unit = "ms"},
    {"start_ms", NULL, JSON, "time from the start of the bot to its first message",
     MEMBER("integer"), .unit = "ms"},
};

const struct columns clock_columns = COLUMNS_OF(clock_array);

/* ---- openings ---- */

static bool is_known(const struct store_opening *opening)
{
    return opening->closed_us || opening->by_hand;
}

static void get_seed(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    const struct store_opening *opening = row;
    size_t size = 0;

    value->kind = COLUMN_TEXT;
    for (int i = 0; i < GAME_SEED_BYTES && is_known(opening); i++)
        size += (size_t)snprintf(value->text + size, 3, "%02x", opening->seed[i]);
}

static void get_secret(const void *context, const void *row, const struct column *column,
                       struct column_value *value)
{
    value->kind = COLUMN_BOOL;
    value->is_true = !((const struct store_opening *)row)->by_hand;
}

#define OPENING(of_kind, field)                                                                    \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct store_opening, field)

static const struct column opening_array[] = {
    {"commitment", NULL, JSON, "SHA-256 of the seed's bytes, told before the first game",
     OPENING(TEXT, commitment)},
    {"seed", NULL, JSON, "seed of the draws, in hex; null while the seed is secret",
     .kind = COLUMN_TEXT, .type = "text?", .get_fn = get_seed},
    {"secret", NULL, JSON, "the arena drew the seed; false: the organizer gave the seed",
     .kind = COLUMN_BOOL, .get_fn = get_secret},
    {"opened", NULL, JSON, "when the opening began", OPENING(MOMENT, opened_us)},
    {"closed", NULL, JSON, "when the season was closed; null: not closed",
     OPENING(MOMENT, closed_us)},
};

const struct columns opening_columns = COLUMNS_OF(opening_array);

/* ---- seasons ---- */

static const struct store_season *terms_of(const void *row)
{
    return &((const struct report_season *)row)->facts.terms;
}

static void get_players(const void *context, const void *row, const struct column *column,
                        struct column_value *value)
{
    const struct store_season *terms = terms_of(row);
    size_t size = 0;

    value->kind = COLUMN_TEXT;
    for (int i = 0; i < terms->player_count_count; i++)
        size += (size_t)snprintf(value->text + size, sizeof value->text - size, i ? ",%d" : "%d",
                                 terms->player_counts[i]);
}

static json_t *players_json(const void *context, const void *row)
{
    return json_ints(terms_of(row)->player_counts, terms_of(row)->player_count_count);
}

static void get_clock(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct wire_clock *clock = &terms_of(row)->clock;

    column_set_text(value, "turn %lld ms, bank %lld ms, gain %lld ms, start %lld ms",
                    (long long)clock->turn_ms, (long long)clock->bank_ms, (long long)clock->gain_ms,
                    (long long)clock->start_ms);
}

static json_t *clock_json(const void *context, const void *row)
{
    return replay_json_clock(&terms_of(row)->clock);
}

void report_keep_write(const struct store_season *terms, char text[static COLUMNS_TEXT_BYTES])
{
    if (terms->prunes)
        snprintf(text, COLUMNS_TEXT_BYTES, "forfeits+%lld", (long long)terms->keep_games);
    else
        snprintf(text, COLUMNS_TEXT_BYTES, "all");
}

static void get_keep(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    value->kind = COLUMN_TEXT;
    report_keep_write(terms_of(row), value->text);
}

static void get_memory(const void *context, const void *row, const struct column *column,
                       struct column_value *value)
{
    column_set_integer(value, terms_of(row)->play.memory_bytes >> 20);
}

static void get_budget(const void *context, const void *row, const struct column *column,
                       struct column_value *value)
{
    if (!terms_of(row)->games_a_day)
        column_set_integer(value, ((const struct report_season *)row)->status.budget_games);
}

static void get_games_at_most(const void *context, const void *row, const struct column *column,
                              struct column_value *value)
{
    const int64_t games = ((const struct report_season *)row)->status.budget_games;

    /* Without bots, or once the season is closed, dates come to no number of games. */
    if (terms_of(row)->games_a_day && games > 0)
        column_set_integer(value, games);
}

static void get_games_in_all(const void *context, const void *row, const struct column *column,
                             struct column_value *value)
{
    get_budget(context, row, column, value);
    get_games_at_most(context, row, column, value);
}

static void get_games_a_day(const void *context, const void *row, const struct column *column,
                            struct column_value *value)
{
    if (terms_of(row)->games_a_day)
        column_set_integer(value, terms_of(row)->games_a_day);
}

static void get_delay(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    if (terms_of(row)->live_delay_s >= 0)
        column_set_integer(value, terms_of(row)->live_delay_s);
}

static void get_count(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct report_season *season = row;

    if (season->is_counted)
        column_set_integer(value, *(const int64_t *)((const char *)row + column->offset));
}

static void get_state(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    column_set_text(value, "%s", season_states[((const struct report_season *)row)->status.state]);
}

static void get_notice(const void *context, const void *row, const struct column *column,
                       struct column_value *value)
{
    column_set_text(value, "%s",
                    season_state_sentence(((const struct report_season *)row)->status.state));
}

static void get_idle(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    const int64_t idle_us = ((const struct report_season *)row)->status.idle_us;

    if (idle_us >= 0)
        column_set_integer(value, idle_us / 1000000);
}

static json_t *openings_json(const void *context, const void *row)
{
    const struct report_season *season = row;

    return season->openings
               ? columns_json(&opening_columns,
                              &(struct columns_rows){.rows = season->openings,
                                                     .row_bytes = sizeof *season->openings,
                                                     .count = season->opening_count},
                              READER_PUBLIC)
               : json_null();
}

static const char *const author_words[] = {"apart", "free", NULL};
static const char *const stderr_words[] = {"private", "publish", NULL};

#define SEASON(of_kind, field)                                                                     \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct report_season, field)
#define TERM(of_kind, field) SEASON(of_kind, facts.terms.field)
#define SEASON_COUNT(field)                                                                        \
    .kind = COLUMN_INTEGER, .type = "integer?", .get_fn = get_count,                               \
    .offset = offsetof(struct report_season, field)

static const struct column season_array[] = {
    {"season", "season", ALL | CARD, "name of the season", TERM(TEXT, name), .left = true},
    {"division", "division", ALL | CARD, "name of the season's division; null: none",
     TERM(TEXT, division), .type = "text?", .left = true, .least_width = 8},
    {"players", "players", ALL | CARD, "numbers of players at the season's tables",
     .kind = COLUMN_TEXT, .type = "integer[]", .get_fn = get_players, .json_fn = players_json},
    {"board", "board", ALL | CARD, "side of the player boards", TERM(WORD, board),
     .words = store_boards, .left = true},
    {"clock", "clock", JSON | CARD, "the bots' clock", .kind = COLUMN_TEXT, .type = "clock",
     .get_fn = get_clock, .json_fn = clock_json},
    {"budget", "budget", ALL,
     "games that the season plays in all; by dates: what they come to with the bots of now, null "
     "without bots and in a list once the season is closed",
     NUMBER_BY(get_games_in_all, "integer?"), .unit = "games"},
    {"budget", "budget", CARD, "", NUMBER_BY(get_budget, NULL), .unit = "games"},
    {"games_at_most", "games at most", CARD, "", NUMBER_BY(get_games_at_most, NULL),
     .unit = "games"},
    {"games_a_day", "by dates", DATA | CARD,
     "by dates: games of each bot that are due a day; null: the season has a budget",
     NUMBER_BY(get_games_a_day, "integer?"), .unit = "games a day for each bot"},
    {"until_decided", "until decided", DATA | CARD,
     "the season ends before its budget is spent, once the order of its bots is certain",
     TERM(BOOL, until_decided)},
    {"authors", NULL, DATA, "apart: bots of one author do not meet; free: they may",
     TERM(FLAG, authors_free), .words = author_words},
    {"keep", "keep", DATA | CARD,
     "replays that pruning keeps: all, or those of games with a forfeit and of the newest N others",
     WORDS_BY(get_keep, NULL)},
    {"stderr", "stderr", DATA | CARD,
     "publish: the site shows what a bot that forfeits wrote to standard error; private: it does "
     "not",
     TERM(FLAG, publishes_errors), .words = stderr_words},
    {"practice", "practice", DATA | CARD, "bots learn their opponents' names",
     TERM(BOOL, is_practice)},
    {"memory_mib", "memory", DATA | CARD, "memory that a bot may use", NUMBER_BY(get_memory, NULL),
     .unit = "MiB"},
    {"freeze", NULL, DATA, "the arena stops each bot while it is not the bot's turn",
     TERM(BOOL, play.freeze)},
    {"pin", NULL, DATA, "each game has a processor core of its own", TERM(BOOL, play.pin)},
    {"require", NULL, DATA, "the weakest tier of the sandbox that may confine bots",
     TERM(WORD, play.tier), .words = sandbox_tiers},
    {"from", "from", DATA | CARD, "when the first game may begin; null: at once",
     TERM(MOMENT, from_us)},
    {"deadline", "deadline", DATA | CARD,
     "last time to submit a version for the season; null: none", TERM(MOMENT, deadline_us)},
    {"until", "until", DATA | CARD, "when the daemon closes the season; null: never",
     TERM(MOMENT, until_us)},
    {"live_delay_s", NULL, DATA,
     "how far pages show a running game behind; null: pages show only ended games",
     NUMBER_BY(get_delay, "integer?"), .unit = "s"},
    {"created", NULL, DATA, "when the season was created", TERM(MOMENT, created_us)},
    {"closing", NULL, DATA,
     "until when the games under way may end, before the season is closed; null: not being closed",
     TERM(MOMENT, closing_us)},
    {"closed", "closed", DATA | CARD, "when the season was closed; null: not closed",
     TERM(MOMENT, closed_us)},
    {"void_since", "void since", DATA | CARD,
     "when the organizer made the season void; null: the season counts", TERM(MOMENT, voided_us)},
    {"state", "state", ALL | CARD, "what the season does or waits for, as a word",
     WORDS_BY(get_state, NULL), .words = season_states, .left = true},
    {"notice", NULL, DATA, "what the season waits for, as a sentence for visitors, or \"\"",
     WORDS_BY(get_notice, NULL)},
    {"reason", "reason", ALL | CARD,
     "what the season does, or waits for, and what the organizer can do about it",
     SEASON(TEXT, status.reason), .left = true, .least_width = 16, .reader = READER_ORGANIZER},
    {"running", NULL, DATA, "the daemon that tells this plays the season itself",
     SEASON(BOOL, facts.is_ours), .reader = READER_ORGANIZER},
    {"bots", "bots", DATA | CARD, "versions of bots in the season; null: not counted",
     SEASON_COUNT(facts.counts.entries)},
    {"too_slow", "too slow", DATA | CARD,
     "bots that are too slow for the season's clock and do not enter it; null: not counted",
     SEASON_COUNT(facts.roster.too_slow_count)},
    {"groups", "groups", DATA | CARD, "groups of games that are scheduled; null: not counted",
     SEASON_COUNT(facts.counts.groups)},
    {"scheduled", "scheduled", DATA | CARD, "games of these groups; null: not counted",
     SEASON_COUNT(facts.counts.scheduled), .unit = "games"},
    {"played", "played", DATA | CARD,
     "games that are stored, void ones included; null: not counted",
     SEASON_COUNT(facts.counts.played), .unit = "games"},
    {"games", "counting", DATA | CARD, "games that were played and count; null: not counted",
     SEASON_COUNT(status.game_count), .unit = "games"},
    {"void", "void", DATA | CARD,
     "games of the schedule that do not count, and are not played again; null: not counted",
     SEASON_COUNT(status.void_count), .unit = "games"},
    {"left", "left", DATA | CARD, "games that are still to be played",
     SEASON(INTEGER, status.left_count), .unit = "games"},
    {"idle_s", NULL, DATA, "time since the last stored game; null: no game, or a closed season",
     NUMBER_BY(get_idle, "integer?"), .unit = "s"},
    {"openings", NULL, JSON,
     "periods in which the season was open, each with a secret seed of its own; null: not told "
     "here",
     .type = "opening[]?", .json_fn = openings_json},
};

const struct columns season_columns = COLUMNS_OF(season_array);

static int add_opening(void *context, const struct store_opening *opening)
{
    struct report_season *season = context;

    return array_add(&season->openings, &season->opening_count, opening, sizeof *opening);
}

int report_season_read(struct report_season *season, struct store *store,
                       const struct store_season *terms, bool counts_closed)
{
    int error;

    *season = (struct report_season){.is_counted = counts_closed || !terms->closed_us};
    error = season_facts_read(&season->facts, store, terms, false);
    if (!error && terms->closed_us && counts_closed)
        error = store_season_count(store, terms->id, &season->facts.counts);
    season_status_of(&season->facts, &season->status);
    return error ?: store_openings_each(store, terms->id, add_opening, season);
}

void report_season_finish(struct report_season *season)
{
    free(season->openings);
}

json_t *report_season_json(const struct report_season *season, enum column_reader reader)
{
    return columns_row_json(&season_columns, season, NULL, reader);
}

/* ---- events and batches ---- */

static void get_event_season(const void *context, const void *row, const struct column *column,
                             struct column_value *value)
{
    const struct report_event *event = row;

    if (*event->season)
        column_set_text(value, "%s", event->season);
}

#define EVENT(of_kind, field)                                                                      \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct report_event, event.field),                \
    .reader = READER_ORGANIZER

static const struct column event_array[] = {
    {"event", "event", ALL, "number of the event, ascending", EVENT(INTEGER, id)},
    {"time", "time", ALL, "when the event happened", EVENT(MOMENT, time_us), .left = true},
    {"season", "season", ALL, "name of the season", .type = "text?", .kind = COLUMN_TEXT,
     .get_fn = get_event_season, .left = true, .reader = READER_ORGANIZER},
    {"what", "what", ALL,
     "what was done, such as new, extend, ban, close, author-new or organizer-token",
     EVENT(TEXT, what), .left = true},
    {"about", "about", ALL, "what the event is about, such as NAME@VERSION", EVENT(TEXT, about),
     .left = true, .least_width = 12},
    {"who", "who", ALL, "who did it: USER@HOST, daemon, or author-NUMBER through the API",
     EVENT(TEXT, who), .left = true, .least_width = 12},
};

const struct columns event_columns = COLUMNS_OF(event_array);

#define BATCH(of_kind, field)                                                                      \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct store_batch, field),                       \
    .reader = READER_ORGANIZER

static const struct column batch_array[] = {
    {"batch", NULL, JSON, "number of the batch, from 0", BATCH(INT, number)},
    {"opening", NULL, JSON, "number of the opening in which the batch was chosen, from 0",
     BATCH(INT, opening)},
    {"event", NULL, JSON, "the last event that the choice of the batch knew",
     BATCH(INTEGER, event)},
};

const struct columns batch_columns = COLUMNS_OF(batch_array);
