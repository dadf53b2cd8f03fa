/* SPDX-License-Identifier: MIT */
/* The pages of a bot and of a pair: bot_page, pair_page. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/base/clock.h"
#include "arena/base/json.h"
#include "arena/base/memory.h"
#include "arena/rating/fit.h"
#include "arena/replay/words.h"
#include "arena/report/bot.h"
#include "arena/report/columns.h"
#include "arena/report/ladder.h"
#include "arena/site/page.h"
#include "arena/site/parts.h"
#include "engine/board.h"
#include "engine/notation.h"

enum {
    HABIT_GAMES = 20, /* number of newest games whose replays the page of a bot reads */
    PAIR_READ = 10,   /* number of newest games whose replays the page of a pair reads */
    /* Maximum number of newest games listed per cause of forfeits, besides the example. */
    MORE_FORFEITS = 10,
    MANY_DISCARDS = 5, /* tiles a game above the opponents' that the page calls a fault */
    MESSAGE_CHARS = 400,
    ERRORS_CHARS = 2000,
    BOT_GAMES = 60,    /* number of newest games on a bot's page */
    DAY_LOST = 20,     /* number of newest lost games that the API tells of a day */
    EXTREME_GAMES = 3, /* number of closest and of widest games on a pair's page */
    PAIR_GAMES = 200,  /* number of newest games on a pair's page */
};

/* Returns the data that every page below a season's folder has. feed is a relative path. */
static json_t *page_data(const struct season_data *data, const char *title, const char *feed)
{
    return json_pack("{s:s, s:o, s:s, s:s, s:s, s:s}", "title", title, "card",
                     json_sprintf("%s/" PAGE_CARD, data->standings.season.name), "home",
                     "../../index.html", "season", data->standings.season.name, "season_home",
                     "../index.html", "feed", feed);
}

/* ---- forfeits ---- */

static const char *text_of(const json_t *forfeit, const char *key)
{
    const char *text = json_string_value(json_object_get(forfeit, key));

    return text ? text : "";
}

/* Returns the readable form of a message if the forfeit has one, else the message's bytes in hex.
 */
static json_t *message_of(const json_t *forfeit, const char *key)
{
    char decoded[24];
    const char *text;

    snprintf(decoded, sizeof decoded, "%s_decoded", key);
    text = *text_of(forfeit, decoded) ? text_of(forfeit, decoded) : text_of(forfeit, key);
    return page_text(text, strlen(text), MESSAGE_CHARS);
}

/* Returns the end of the bot's standard error, if the season's terms allow publishing it. */
static json_t *errors_of(const struct season_data *data, const json_t *forfeit)
{
    const char *errors = text_of(forfeit, "stderr");
    size_t size, skipped;
    json_t *end, *json;

    if (!data->standings.season.publishes_errors || !*errors)
        return json_null();
    size = json_string_length(json_object_get(forfeit, "stderr"));
    skipped = size > ERRORS_CHARS ? size - ERRORS_CHARS : 0;
    while (skipped > 0 && ((unsigned char)errors[skipped] & 0xc0) == 0x80) /* not a first byte */
        skipped--;
    end = page_text(errors + skipped, size - skipped, size - skipped);
    json = json_sprintf("%s%s", skipped ? "…" : "", end ? json_string_value(end) : "");
    json_decref(end);
    return json;
}

/* Returns the decision times of all versions of a bot's name together. */
static struct latency sum_times(const struct season_data *data, int name)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    struct latency latency = {0};

    for (int entry = name; entry < ladder->entry_count; entry++)
        if (data_name(data, entry) == name)
            latency_merge(&latency, &ladder->counts[entry].latency);
    return latency;
}

/* Adds the time of a median decision beside what the clock allows, if the name has decided. */
static void add_slowness(json_t *forfeit, const struct season_data *data, int name)
{
    const struct latency latency = sum_times(data, name);
    const struct wire_clock *clock = &data->standings.season.clock;

    if (latency.count > 0)
        json_object_set_new(forfeit, "slowness",
                            json_pack("{s:f, s:I, s:I}", "median_ms",
                                      (double)latency_share_us(&latency, 0.5) / 1000, "turn_ms",
                                      (json_int_t)clock->turn_ms, "bank_ms",
                                      (json_int_t)clock->bank_ms));
}

/*
 * Returns why and when the bot forfeited, what the bot read and wrote, and the command with which a
 * reader can repeat the forfeit.
 */
static json_t *forfeit_of(const struct season_data *data, const struct data_game *game, int name,
                          int seat)
{
    json_t *forfeits = json_loads(game->forfeits ? game->forfeits : "[]", JSON_ALLOW_NUL, NULL);
    const json_t *forfeit = json_array_get(forfeits, (size_t)seat);
    const json_t *turn = json_object_get(forfeit, "turn");
    json_t *made = json_pack(
        "{s:s, s:o, s:i, s:o, s:o, s:o, s:o, s:b}", "words", text_of(forfeit, "words"), "game",
        parts_game_json(data, game, "../",
                        json_is_integer(turn) ? (int)json_integer_value(turn) : -1, seat),
        "seat", seat, "started", json_time(game->started_us), "read",
        message_of(forfeit, "request"), "wrote", message_of(forfeit, "reply"), "stderr",
        errors_of(data, forfeit), "has_page", game->page);
    static const char *const times[] = {"wall_us", "limit_us", "cpu_us", "delay_us"};

    if (json_is_integer(turn)) /* as text: decision 0 is one, too */
        json_object_set_new(made, "turn", json_sprintf("%d", (int)json_integer_value(turn)));
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        json_object_set(made, times[i], json_object_get(forfeit, times[i]));
    if (game->reasons[seat] == WIRE_TIMEOUT)
        add_slowness(made, data, name);
    json_decref(forfeits);
    return made;
}

/* Returns the seat that the named bot held in a game and forfeited for this reason, or -1. */
static int find_forfeit(const struct season_data *data, const struct data_game *game, int name,
                        enum wire_reason reason)
{
    for (int seat = 0; seat < game->player_count; seat++)
        if (game->reasons[seat] == reason && data_name(data, game->entries[seat]) == name)
            return seat;
    return -1;
}

/*
 * Returns how often a name forfeited for this reason, with the newest game as an example and links
 * to older games; NULL: never.
 */
static json_t *cause_of(const struct season_data *data, int name, enum wire_reason reason)
{
    const struct data_game *example = NULL;
    json_t *before = json_array();
    int game_count, count = 0;
    const int *games = season_index_games(data, name, &game_count);

    for (int i = game_count; i-- > 0;) {
        const struct data_game *game = &data->games[games[i]];
        int seat = find_forfeit(data, game, name, reason);

        if (game->is_void || seat < 0)
            continue;
        count++;
        if (!example)
            example = game;
        else if (data_has_page(data, game) && json_array_size(before) < MORE_FORFEITS)
            json_array_append_new(
                before, parts_game_json(data, game, "../", data_forfeit_turn(game, seat), seat));
    }
    if (count == 0) {
        json_decref(before);
        return NULL;
    }
    return json_pack("{s:s, s:i, s:o, s:o}", "reason", wire_reason_name(reason), "count", count,
                     "newest",
                     forfeit_of(data, example, name, find_forfeit(data, example, name, reason)),
                     "before", before);
}

/* Returns how many more tiles the bot discards than its opponents; null if not far more. */
static json_t *discards_of(const struct season_data *data, int name)
{
    struct habits mine, theirs;

    if (season_habits(data, name, LADDER_NOBODY, HABIT_GAMES, &mine, &theirs) > 0 &&
        mine.means[STORY_LOST_TILES] >= theirs.means[STORY_LOST_TILES] + MANY_DISCARDS)
        return json_pack("{s:f, s:f, s:f}", "tiles", mine.means[STORY_LOST_TILES], "opponents",
                         theirs.means[STORY_LOST_TILES], "points", -mine.means[STORY_LOST]);
    return json_null();
}

static bool is_costly(const struct judgement *judgement)
{
    return judgement_lost(judgement) >= MISTAKE_POINTS * 100;
}

/* Returns the costly decisions of a kind, game by game. */
static json_t *games_of_kind(const struct season_data *data, const struct mistake *mistakes,
                             int count, enum mistake_kind kind)
{
    const struct data_game *game = NULL;
    json_t *games = json_array(), *decisions = NULL;

    for (int i = 0; i < count; i++) {
        const struct judgement *judgement = &mistakes[i].judgement;
        int seat = judgement->done.seat;

        if (mistake_kind(judgement) != kind || !is_costly(judgement))
            continue;
        if (mistakes[i].game != game) {
            game = mistakes[i].game;
            decisions = json_array();
            json_array_append_new(games, json_pack("{s:o, s:o}", "game",
                                                   parts_game_json(data, game, "../", -1, seat),
                                                   "decisions", decisions));
        }
        json_array_append_new(
            decisions, json_pack("{s:I, s:o}", "turn", (json_int_t)judgement->turn, "href",
                                 parts_game_href(data, game, "../", (int)judgement->turn, seat)));
    }
    return games;
}

static json_t *kinds_of(const struct season_data *data, const struct mistakes *sums,
                        const struct mistake *mistakes, int count)
{
    enum mistake_kind kinds[MISTAKE_KINDS];
    int kind_count = mistakes_order(sums, kinds);
    json_t *groups = json_array();

    for (int i = 0; i < kind_count; i++) {
        const struct mistakes_cell *cell = &sums->cells[kinds[i]][0];
        double error = mistakes_error95(sums, cell);

        json_array_append_new(
            groups, json_pack("{s:s, s:i, s:f, s:o, s:o}", "group", mistake_words[kinds[i]],
                              "count", cell->count, "points", mistakes_lost(sums, cell), "error",
                              isnan(error) ? json_null() : json_real(error), "games",
                              games_of_kind(data, mistakes, count, kinds[i])));
    }
    return groups;
}

/* Returns what the name's newest analysed games cost it, by kind; null if none is known. */
static json_t *mistakes_of(const struct season_data *data, int name)
{
    struct mistakes sums = {0};
    struct mistake *mistakes = NULL;
    char analyst[STORE_NAME_BYTES_MAX + 1];
    int count = 0, game_count;
    const int *games = season_index_games(data, name, &game_count);
    json_t *json = json_null();

    while (game_count-- > 0 && sums.game_count < HABIT_GAMES) {
        const struct data_game *game = &data->games[games[game_count]];
        int before = count;

        if (game->is_void || !season_mistakes(data, game, name, &mistakes, &count, analyst))
            continue;
        for (int i = before; i < count; i++)
            mistakes_add(&sums, &mistakes[i].judgement, "", NULL);
        mistakes_end_game(&sums);
    }
    if (count > 0)
        json = json_pack("{s:i, s:s, s:b, s:o}", "read", sums.game_count, "analyst", analyst,
                         "is_maestro", strcmp(analyst, "maestro") == 0, "groups",
                         kinds_of(data, &sums, mistakes, count));
    free(mistakes);
    return json;
}

static json_t *wrong_of(const struct season_data *data, int name)
{
    json_t *causes = json_array();

    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++) {
        json_t *cause = cause_of(data, name, (enum wire_reason)reason);

        if (cause)
            json_array_append_new(causes, cause);
    }
    return json_pack("{s:b, s:o, s:o, s:o}", "publishes_errors",
                     data->standings.season.publishes_errors, "causes", causes, "discards",
                     discards_of(data, name), "mistakes", mistakes_of(data, name));
}

/* ---- lately ---- */

/* Returns a number with its sign, rounded; "±0" for none. A new reference. */
static json_t *signed_json(double number)
{
    const double rounded = decimals_round(number, 0);

    return rounded == 0 ? json_string("±0")
                        : json_sprintf("%s%.0f", rounded > 0 ? "+" : "−", fabs(rounded));
}

/* Adds where the name stands, and where it stood a day before the newest game. */
static void add_place(json_t *day, const struct ladder_row *row)
{
    if (!row || row->place == 0 || row->game_count == 0)
        return;
    json_object_set_new(day, "place", json_integer(row->place));
    if (row->day_place > 0)
        json_object_set_new(day, "was",
                            json_pack("{s:i, s:b, s:o}", "place", row->day_place, "is_other",
                                      row->day_place != row->place, "change",
                                      signed_json(row->elo - row->day_elo)));
}

/*
 * Returns what became of the name in the last 24 hours; null if the name has no games. row is its
 * row of the ladder, or NULL.
 */
static json_t *day_of(const struct season_data *data, int name, const struct ladder_row *row)
{
    struct parts_day day = parts_day(data, name, LADDER_NOBODY);
    json_t *json, *forfeits = json_array();

    day.is_mixed |= row && day.newest != LADDER_NOBODY && day.newest != row->entry;
    json = parts_day_json(&day);
    for (int reason = 0; reason < WIRE_REASON_COUNT; reason++)
        if (day.by_reason[reason] > 0)
            json_array_append_new(forfeits,
                                  json_pack("{s:i, s:s}", "count", day.by_reason[reason], "reason",
                                            wire_reason_name((enum wire_reason)reason)));
    if (json_is_null(json)) {
        json_decref(forfeits);
        return json;
    }
    json_object_set_new(json, "forfeits", forfeits);
    json_object_set_new(json, "until_us", json_integer(data->newest_us));
    add_place(json, row);
    return json;
}

/*
 * Finds the decision that cost a name most in some of its games, newest last, of which at most
 * HABIT_GAMES are read. Returns false if no analysis of these games names a costly one.
 */
static bool find_worst(const struct season_data *data, const int *games, int game_count, int name,
                       struct mistake *worst, char analyst[static STORE_NAME_BYTES_MAX + 1])
{
    struct mistake *mistakes = NULL;
    int count = 0;

    for (int read = 0; game_count-- > 0 && read < HABIT_GAMES;) {
        const struct data_game *game = &data->games[games[game_count]];

        if (game->page && !game->is_void)
            read += season_mistakes(data, game, name, &mistakes, &count, analyst);
    }
    for (int i = 0; i < count; i++)
        if (i == 0 || judgement_lost(&mistakes[i].judgement) > judgement_lost(&worst->judgement))
            *worst = mistakes[i];
    free(mistakes);
    return count > 0 && is_costly(&worst->judgement);
}

/* Returns that decision for a page; null if there is none. */
static json_t *worst_of(const struct season_data *data, const int *games, int game_count, int name)
{
    char analyst[STORE_NAME_BYTES_MAX + 1], *advice = NULL;
    const struct judgement *judgement;
    struct mistake worst;
    json_t *json;
    size_t size;
    FILE *stream;

    if (!find_worst(data, games, game_count, name, &worst, analyst))
        return json_null();
    judgement = &worst.judgement;
    stream = memory_stream(&advice, &size);
    words_action(stream, &judgement->better, WORDS_ADVICE);
    memory_stream_end(stream);
    json = json_pack(
        "{s:I, s:f, s:o, s:s, s:s, s:s}", "turn", (json_int_t)judgement->turn, "cost",
        (double)judgement_lost(judgement) / 100, "href",
        parts_game_href(data, worst.game, "../", (int)judgement->turn, judgement->done.seat),
        "group", mistake_words[mistake_kind(judgement)], "analyst", analyst, "advice", advice);
    free(advice);
    return json;
}

/* Returns the name's *count games of the last 24 hours, oldest first. */
static const int *games_of_day(const struct season_data *data, int name, int *count)
{
    int all, first;
    const int *games = season_index_games(data, name, &all);

    for (first = all; first > 0; first--)
        if (data->games[games[first - 1]].started_us <= data->newest_us - CLOCK_DAY_US)
            break;
    *count = all - first;
    return games + first;
}

static json_t *worst_of_day(const struct season_data *data, int name)
{
    int count;
    const int *games = games_of_day(data, name, &count);

    return worst_of(data, games, count, name);
}

/* Returns where a field leads to any decision of a game; null if the game has no page. */
static json_t *field_of(const struct season_data *data, const struct data_game *game, int seat)
{
    const struct game_story *story = season_story(data, (int)(game - data->games));
    char path[PARTS_PATH_BYTES];

    if (!game->page || !story || story->decision_count == 0)
        return json_null();
    parts_game_path(data, game, "html", path);
    return json_pack("{s:o, s:i}", "to", json_sprintf("../%s#seat=%d&t=", path, seat), "last",
                     story->decision_count - 1);
}

/*
 * Returns the newest game in which a name was not first, why, and links to its decisions; and
 * `version` if an older version played it than that of the row, which is NULL if none plays.
 */
static json_t *last_lost_of(const struct season_data *data, int name, const struct ladder_row *row)
{
    const struct data_game *game = NULL;
    int count, seat = 0, winner = 0;
    const int *games = season_index_games(data, name, &count);
    json_t *lost;

    while (!game && count-- > 0) {
        game = &data->games[games[count]];
        seat = parts_best_seat(data, game, name);
        if (game->is_void || game->ranks[seat] == 1)
            game = NULL;
    }
    if (!game)
        return json_null();
    while (game->ranks[winner] != 1)
        winner++;
    lost = json_pack("{s:o, s:i, s:i, s:s, s:o, s:o, s:o}", "href",
                     parts_game_href(data, game, "../", data_forfeit_turn(game, seat), seat),
                     "score", game->scores[seat], "winner_score", game->scores[winner], "winner",
                     data_bot(data, game->entries[winner])->name, "field",
                     field_of(data, game, seat), "why",
                     data_has_forfeit(game) ? json_string("") : season_why_lost(data, game, seat),
                     "worst", worst_of(data, &games[count], 1, name));
    if (game->player_count > 2) {
        json_object_set_new(lost, "place", json_integer(game->ranks[seat]));
        json_object_set_new(lost, "of", json_integer(game->player_count));
    }
    if (!row || game->entries[seat] != row->entry)
        json_object_set_new(lost, "version",
                            json_string(data_bot(data, game->entries[seat])->version));
    if (data_forfeited(game, seat))
        json_object_set_new(lost, "reason", json_string(wire_reason_name(game->reasons[seat])));
    return lost;
}

/* ---- rank and versions ---- */

/*
 * Returns where the newest version that has entered stands. is_voided: the bot was banned with its
 * games. waits: a newer version waits for its first game.
 */
static json_t *standing_of(const struct season_data *data, const struct ladder_row *row,
                           bool is_voided, bool waits)
{
    bool plays = row && row->plays, has_games = row && row->game_count > 0;
    json_t *json = json_pack("{s:b, s:b, s:b, s:b}", "is_banned", !plays && is_voided, "is_retired",
                             !plays && !is_voided && !waits, "is_new", plays && !has_games,
                             "is_reference", row && row->flags & LADDER_REFERENCE);

    if (row && row->ranked && has_games) {
        json_object_set_new(json, "rank", parts_rank_json(row->rank_best, row->rank_worst));
        json_object_set_new(json, "of", json_integer(standings_ranked(&data->standings)));
    }
    if (has_games) {
        json_object_set_new(json, "elo", json_real(row->elo));
        json_object_set_new(json, "error95", json_real(row->error95));
        json_object_set_new(json, "games", json_integer(row->game_count));
    }
    return json;
}

/* Returns who wrote the newest version, and what its flags mean. */
static json_t *version_of(const struct season_data *data, const struct ladder_row *row, int name)
{
    const struct store_bot *bot = data_bot(data, row ? row->entry : name);
    json_t *version = columns_row_json(&bot_columns, bot, NULL, READER_PUBLIC);

    json_object_set_new(version, "author", parts_author_json(bot->author, "../../"));
    json_object_set_new(version, "flags", row ? parts_flags_json(row) : json_array());
    return version;
}

/* A number of habits, and its label in a table. */
struct habit {
    const char *label;
    enum story_number number;
};

static const struct habit points_by_source[] = {
    {"Runs of tiles", STORY_RUNS},
    {"Full stars", STORY_STARS},
    {"Numbers covered", STORY_COSTS},
    {"Start token", STORY_TOKEN},
    {"Tiles discarded", STORY_LOST},
    {"Tiles left on corners", STORY_CORNERS},
    {"Final score (5 at start)", STORY_SCORES + GAME_ROUNDS + 1}};

enum {
    SOURCES = sizeof points_by_source / sizeof *points_by_source,
};

/* Sums over seats of a version, by source. */
struct version_points {
    int seat_count, game_count;
    double sums[SOURCES], squares[SOURCES];
};

/* Sums over the newest games of a version, at most HABIT_GAMES, to whose end all bots played. */
static struct version_points points_of(const struct season_data *data, int entry)
{
    struct version_points points = {0};
    int count;
    const int *games = season_index_games(data, data_name(data, entry), &count);

    while (count-- > 0 && points.game_count < HABIT_GAMES) {
        const struct data_game *game = &data->games[games[count]];
        const struct game_story *story = NULL;
        int seats = points.seat_count;

        for (int seat = 0; seat < game->player_count; seat++) {
            if (game->entries[seat] != entry || game->is_void || data_has_forfeit(game) ||
                (!story && !(story = season_story(data, games[count]))) || !story->is_whole)
                continue;
            points.seat_count++;
            for (int i = 0; i < SOURCES; i++) {
                const double number = story->seats[seat][points_by_source[i].number];

                points.sums[i] += number;
                points.squares[i] += number * number;
            }
        }
        points.game_count += points.seat_count > seats;
    }
    return points;
}

/* Returns the square of the standard error of the mean of a source; at least two seats. */
static double variance_of(const struct version_points *points, int source)
{
    const double count = points->seat_count, mean = points->sums[source] / count;

    return fmax(0, points->squares[source] / count - mean * mean) / (count - 1);
}

/*
 * Returns what two versions score a game by source, and the difference with its 95 % error; no rows
 * if one of them has fewer than two games to compare.
 */
static json_t *sources_of(const struct season_data *data, int entry, int before)
{
    const struct version_points mine = points_of(data, entry), other = points_of(data, before);
    json_t *rows = json_array();

    for (int i = 0; i < SOURCES && mine.game_count > 1 && other.game_count > 1; i++) {
        const double is = mine.sums[i] / mine.seat_count, was = other.sums[i] / other.seat_count;
        const double error95 = 1.96 * sqrt(variance_of(&mine, i) + variance_of(&other, i));

        json_array_append_new(rows, json_pack("{s:s, s:f, s:f, s:o, s:f, s:b}", "label",
                                              points_by_source[i].label, "is", is, "was", was,
                                              "gain", json_sprintf("%+.1f", is - was), "error95",
                                              error95, "is_sure", fabs(is - was) > error95));
    }
    return json_pack("{s:i, s:i, s:o}", "games", mine.game_count, "before_games", other.game_count,
                     "rows", rows);
}

/*
 * Returns by how much a version is better than the one before it, over all tables, by size and by
 * source of points; null if no version before it has played.
 */
static json_t *gain_of(const struct season_data *data, const struct ladder_row *row)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    json_t *tables;
    double los;
    json_t *told;
    int before;

    if (!row || isnan(row->gain))
        return json_null();
    before = ladder_version_before(ladder, row->entry, NULL);
    los = fit_los(&ladder->fit, row->entry, before);
    tables = json_array();
    for (int size = GAME_PLAYERS_MIN; size <= GAME_PLAYERS_MAX; size++)
        for (int i = 0; i < data->standings.row_counts[size]; i++) {
            const struct ladder_row *of = &data->standings.ladders[size].rows[i];

            if (of->entry == row->entry && !isnan(of->gain))
                json_array_append_new(tables, json_pack("{s:i, s:o, s:f}", "players", size, "gain",
                                                        signed_json(of->gain), "error95",
                                                        of->gain_error95));
        }
    told = json_pack(
        "{s:o, s:s, s:s, s:o, s:f, s:o}", "sources", sources_of(data, row->entry, before),
        "version", data_bot(data, row->entry)->version, "before", data_bot(data, before)->version,
        "gain", signed_json(row->gain), "error95", row->gain_error95, "tables", tables);
    json_object_update_new(told, parts_los_json(los));
    return told;
}

/* Returns the row of an entry in the ladder of all tables; NULL: there is none. */
static const struct ladder_row *row_of(const struct season_data *data, int entry)
{
    for (int i = 0; i < data->standings.row_counts[0]; i++)
        if (data->standings.ladders[0].rows[i].entry == entry)
            return &data->standings.ladders[0].rows[i];
    return NULL;
}

/* Returns a name's versions, newest first, if the name has several. */
static json_t *versions_of(const struct season_data *data, int name)
{
    json_t *versions = json_array();

    for (int entry = data->standings.roster.count; entry-- > name;) {
        const struct store_bot *bot = data_bot(data, entry);
        const struct ladder_row *row = row_of(data, entry);
        json_t *version;

        if (data_name(data, entry) != name || !row)
            continue;
        version = columns_row_json(&bot_columns, bot, NULL, READER_PUBLIC);
        json_object_set_new(version, "elo", json_real(row->elo));
        json_object_set_new(version, "error95", json_real(row->error95));
        json_object_set_new(version, "games", json_integer(row->game_count));
        if (!isnan(row->gain)) {
            json_object_set_new(version, "gain", signed_json(row->gain));
            json_object_set_new(version, "gain_error95", json_real(row->gain_error95));
        }
        json_array_append_new(versions, version);
    }
    if (json_array_size(versions) < 2)
        json_array_clear(versions);
    return versions;
}

/* ---- opponents ---- */

/*
 * Returns the results of one name against another, of all versions together. Leaves the field
 * `evidence` 0.
 */
static struct residual sum_versions(const struct season_data *data, int name, int other)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    struct residual sum = {0};

    for (int a = name; a < ladder->entry_count; a++)
        for (int b = other; b < ladder->entry_count && data_name(data, a) == name; b++) {
            struct residual cell;

            if (data_name(data, b) != other)
                continue;
            cell = residual_of(&ladder->games, &ladder->fit, a, b);
            sum.game_count += cell.game_count;
            sum.score += (double)cell.game_count * cell.score;
            sum.expected += (double)cell.game_count * cell.expected;
        }
    if (sum.game_count > 0) {
        sum.score /= (double)sum.game_count;
        sum.expected /= (double)sum.game_count;
    }
    return sum;
}

/* Returns the opponents of all versions together, as the pages of pairs have them. */
static json_t *opponents_of(const struct season_data *data, int name)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    json_t *opponents = json_array();

    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        int other = data_name(data, ladder->rows[i].entry);
        struct residual sum;
        char path[PARTS_PATH_BYTES];

        if (other == name || !season_index_met(data, name, other) ||
            standings_newest(&data->standings, data_bot(data, other)->name) != &ladder->rows[i])
            continue;
        sum = sum_versions(data, name, other);
        parts_pair_path(data, name, other, path);
        if (sum.game_count > 0)
            json_array_append_new(opponents,
                                  json_pack("{s:s, s:s, s:I, s:f, s:f, s:f, s:f}", "path", path,
                                            "name", data_bot(data, other)->name, "games",
                                            (json_int_t)sum.game_count, "score", 100 * sum.score,
                                            "expected", 100 * sum.expected, "score_x",
                                            120 * sum.score, "expected_x", 120 * sum.expected));
    }
    return opponents;
}

/* ---- habits ---- */

/*
 * Two bots, or a bot and its opponents, whose numbers a chart compares. The labels are plain text.
 */
struct comparison {
    const char *labels[2];
    char shorts[2][PARTS_SHORT_BYTES]; /* the labels, cut */
    struct habits habits[2];
};

static json_t *shares_of(const struct habits *habits, int first)
{
    json_t *shares = json_array();

    for (int star = 0; star < GAME_STARS; star++)
        json_array_append_new(shares, json_real(100 * habits->means[first + star]));
    return shares;
}

/* Returns how often the first tile lies on each star, and how often each star is full at the end.
 */
static json_t *stars_of(const struct comparison *compared)
{
    json_t *stars = json_array();

    for (int star = 0; star < GAME_STARS; star++)
        if (star == GAME_STAR_CENTER)
            json_array_append_new(stars, json_object());
        else
            json_array_append_new(
                stars, json_pack("{s:o, s:s}", "tile", json_sprintf("c%d", board_star_colors[star]),
                                 "color", notation_color_names[board_star_colors[star]]));
    return json_pack("{s:o, s:o, s:o, s:o}", "stars", stars, "opens",
                     shares_of(&compared->habits[0], STORY_FIRST), "fills",
                     shares_of(&compared->habits[0], STORY_FULL), "other_fills",
                     shares_of(&compared->habits[1], STORY_FULL));
}

/* Returns a table of habits: two numbers each, with bars on an axis that all share. */
static json_t *table_of(const struct comparison *compared, const char *title,
                        const struct habit *habits, int count)
{
    const double *mine = compared->habits[0].means, *theirs = compared->habits[1].means;
    double most = 1;
    json_t *rows = json_array();

    for (int i = 0; i < count; i++)
        most = fmax(most, fmax(fabs(mine[habits[i].number]), fabs(theirs[habits[i].number])));
    most = 10 * ceil(most / 10);
    for (int i = 0; i < count; i++) {
        double a = mine[habits[i].number], b = theirs[habits[i].number];

        json_array_append_new(rows,
                              json_pack("{s:s, s:f, s:f, s:b, s:f, s:f}", "label", habits[i].label,
                                        "mine", a, "theirs", b, "is_minus", a < 0, "mine_x",
                                        120 * fabs(a) / most, "theirs_x", 120 * fabs(b) / most));
    }
    return json_pack("{s:s, s:f, s:o}", "title", title, "most", most, "rows", rows);
}

static json_t *tables_of(const struct comparison *compared)
{
    static const struct habit tiles[] = {{"Bonus tiles taken", STORY_BONUS_TILES},
                                         {"Tiles discarded", STORY_LOST_TILES},
                                         {"Start tokens taken", STORY_TOKENS}};

    return json_pack("[o, o]", table_of(compared, "Points", points_by_source, SOURCES),
                     table_of(compared, "Tiles", tiles, sizeof tiles / sizeof *tiles));
}

/* Positions on the chart of scores: of a round, and of a score where `most` is at the top. */
static double round_x(int round)
{
    return 40 + 55 * round;
}

static double score_y(double score, double most)
{
    return 244 - 215 * score / most;
}

/* Returns the distance of the lines of that chart's scale, in points. */
static int points_step(double most)
{
    return most > 100 ? 50 : most > 40 ? 20 : 10;
}

/* Returns a curve: the mean score at the start, after each round and after the final scoring. */
static json_t *curve_of(const double *scores, double most, int number, const char *name,
                        double end_y)
{
    json_t *points = json_array();

    for (int round = 0; round <= GAME_ROUNDS + 1; round++)
        json_array_append_new(points, json_pack("{s:f, s:f}", "x", round_x(round), "y",
                                                score_y(scores[round], most)));
    return json_pack("{s:i, s:b, s:o, s:f, s:s, s:f}", "number", number, "is_dashed", number > 0,
                     "points", points, "end_y", end_y, "name", name, "final",
                     scores[GAME_ROUNDS + 1]);
}

/* Returns the chart of the scores by round. */
static json_t *rounds_of(const struct comparison *compared)
{
    json_t *scale = json_array(), *rounds = json_array(), *curves = json_array();
    double most = 10, end_y[2];

    for (int i = 0; i < 2; i++)
        for (int round = 0; round <= GAME_ROUNDS + 1; round++)
            most = fmax(most, compared->habits[i].means[STORY_SCORES + round]);
    for (int points = 0; points <= most; points += points_step(most))
        json_array_append_new(scale, json_pack("{s:i, s:f, s:f}", "points", points, "y",
                                               score_y(points, most), "text_y",
                                               score_y(points, most) + 4));
    for (int round = 0; round <= GAME_ROUNDS + 1; round++)
        json_array_append_new(rounds, json_pack("{s:f, s:o}", "x", round_x(round), "label",
                                                round == 0             ? json_string("start")
                                                : round <= GAME_ROUNDS ? json_sprintf("%d", round)
                                                                       : json_string("final")));
    for (int i = 0; i < 2; i++) {
        const double *scores = &compared->habits[i].means[STORY_SCORES];

        end_y[i] = score_y(scores[GAME_ROUNDS + 1], most) + 4;
        if (i == 1 && fabs(end_y[1] - end_y[0]) < 16)
            end_y[1] = end_y[0] + (end_y[1] < end_y[0] ? -16 : 16);
        json_array_append_new(curves, curve_of(scores, most, i, compared->shorts[i], end_y[i]));
    }
    return json_pack("{s:f, s:f, s:o, s:o, s:o}", "left", round_x(0), "right",
                     round_x(GAME_ROUNDS + 1), "scale", scale, "rounds", rounds, "curves", curves);
}

/* Compares a name with another name, or with its opponents if other is LADDER_NOBODY. */
static json_t *habits_of(const struct season_data *data, int name, int other)
{
    struct comparison compared = {.labels = {data_bot(data, name)->name, "opponents"}};
    int count = season_habits(data, name, other, other == LADDER_NOBODY ? HABIT_GAMES : PAIR_READ,
                              &compared.habits[0], &compared.habits[1]);

    if (other != LADDER_NOBODY)
        compared.labels[1] = data_bot(data, other)->name;
    for (int i = 0; i < 2; i++)
        parts_short_name(compared.labels[i], 11, compared.shorts[i]);
    if (count == 0)
        return json_pack("{s:i}", "count", 0);
    return json_pack("{s:i, s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:o}", "count", count, "mine_label",
                     compared.labels[0], "other_label", compared.labels[1], "mine_short",
                     compared.shorts[0], "other_short", compared.shorts[1], "is_pair",
                     other != LADDER_NOBODY, "tables", tables_of(&compared), "rounds",
                     rounds_of(&compared), "stars",
                     compared.habits[0].colored_count > 0 ? stars_of(&compared) : json_null());
}

/* ---- times ---- */

/* Returns a histogram of decision times of all versions together, a bar a doubling of the time. */
static json_t *times_of(const struct season_data *data, int name)
{
    const struct latency latency = sum_times(data, name);
    int64_t octaves[LATENCY_BUCKETS / 8] = {0}, most = 1;
    json_t *bars = json_array();
    int last = 0;

    for (int i = 0; i < LATENCY_BUCKETS; i++) {
        octaves[i / 8] += latency.counts[i];
        if (latency.counts[i] > 0)
            last = i / 8;
        if (octaves[i / 8] > most)
            most = octaves[i / 8];
    }
    for (int i = 0; i <= last && latency.count > 0; i++) {
        double height = 110.0 * (double)octaves[i] / (double)most;
        double us = i == 0 ? 8 : 8 * pow(2, i);

        json_array_append_new(bars,
                              json_pack("{s:i, s:i, s:f, s:f, s:o}", "x", i * 48, "text_x",
                                        i * 48 + 20, "y", 116 - height, "height", height, "label",
                                        us < 1000 ? json_sprintf("%.0f µs", us)
                                                  : json_sprintf("%.0f ms", us / 1000)));
    }
    return json_pack("{s:f, s:f, s:f, s:f, s:I, s:I, s:i, s:o}", "median_ms",
                     (double)latency_share_us(&latency, 0.5) / 1000, "p90_ms",
                     (double)latency_share_us(&latency, 0.9) / 1000, "p99_ms",
                     (double)latency_share_us(&latency, 0.99) / 1000, "max_ms",
                     (double)latency.max_us / 1000, "count", (json_int_t)latency.count, "most",
                     (json_int_t)most, "width", 48 * (last + 1), "bars", bars);
}

json_t *bot_day(const struct season_data *data, int name)
{
    json_t *day =
        day_of(data, name, standings_newest(&data->standings, data_bot(data, name)->name));

    if (!json_is_null(day))
        json_object_set_new(day, "worst", worst_of_day(data, name));
    return day;
}

/* Returns how many games of each table size the name has won. */
static json_t *results_of(const struct parts_day *day)
{
    json_t *tables = parts_day_json(day), *results = json_array(), *table;
    size_t i;

    json_array_foreach(json_object_get(tables, "tables"), i, table) json_array_append_new(
        results,
        json_pack("{s:O, s:O, s:O, s:O, s:O}", "seats", json_object_get(table, "players"), "games",
                  json_object_get(table, "games"), "wins", json_object_get(table, "won"), "ties",
                  json_object_get(table, "shared"), "mean_place", json_object_get(table, "place")));
    json_decref(tables);
    return results;
}

json_t *bot_day_told(const struct season_data *data, int name)
{
    const struct report_ladder ladder = {.standings = &data->standings};
    const struct ladder_row *row = standings_newest(&data->standings, data_bot(data, name)->name);
    const struct parts_day day = parts_day(data, name, LADDER_NOBODY);
    char analyst[STORE_NAME_BYTES_MAX + 1], id[STORE_GAME_ID_BYTES];
    json_t *told = json_object(), *lost = json_array();
    struct column array[LADDER_COLUMNS_MAX];
    const struct columns columns = ladder_columns(LADDER_FINAL, array);
    struct mistake worst;
    int count;
    const int *games = games_of_day(data, name, &count);

    for (int i = count; i-- > 0 && json_array_size(lost) < DAY_LOST;) {
        const struct data_game *game = &data->games[games[i]];

        store_game_id(id, data->standings.season.name, game->group, game->rotation);
        if (!game->is_void && game->ranks[parts_best_seat(data, game, name)] > 1)
            json_array_append_new(lost, json_string(id));
    }
    json_object_set_new(told, "season", json_string(data->standings.season.name));
    json_object_set_new(told, "bot", json_string(data_bot(data, name)->name));
    if (data->newest_us)
        json_object_set_new(told, "newest_game", json_time(data->newest_us));
    if (row)
        json_object_set_new(told, "row", columns_row_json(&columns, row, &ladder, READER_PUBLIC));
    json_object_set_new(told, "results", results_of(&day));
    json_object_set_new(told, "lost_games", lost);
    if (find_worst(data, games, count, name, &worst, analyst)) {
        store_game_id(worst.judgement.game, data->standings.season.name, worst.game->group,
                      worst.game->rotation);
        json_object_set_new(told, "analyst", json_string(analyst));
        json_object_set_new(
            told, "costliest",
            columns_row_json(&decision_columns, &worst.judgement, NULL, READER_PUBLIC));
    }
    return told;
}

json_t *bot_page(const struct season_data *data, int name)
{
    const struct ladder_row *row = standings_newest(&data->standings, data_bot(data, name)->name);
    const struct store_bot *waiting = data_waiting(data, name);
    bool is_voided = !row && data_bot(data, name)->voided;
    char feed[STORE_NAME_BYTES_MAX + 8];
    int game_count, point_count;
    json_t *bot;

    snprintf(feed, sizeof feed, "%s.xml", data_bot(data, name)->name);
    season_index_games(data, name, &game_count);
    season_index_points(data, name, &point_count);
    bot = page_data(data, data_bot(data, name)->name, feed);
    json_object_set_new(
        bot, "live_card",
        json_sprintf("%s/bot/%s.png", data->standings.season.name, data_bot(data, name)->name));
    json_object_set_new(bot, "standing", standing_of(data, row, is_voided, waiting != NULL));
    json_object_set_new(bot, "waiting", parts_waiting_version(data, waiting));
    json_object_set_new(bot, "day", day_of(data, name, row));
    json_object_set_new(bot, "worst_of_day", worst_of_day(data, name));
    json_object_set_new(bot, "last_lost", last_lost_of(data, name, row));
    json_object_set_new(bot, "about", version_of(data, row, name));
    json_object_set_new(bot, "versions", versions_of(data, name));
    json_object_set_new(bot, "compared", gain_of(data, row));
    if (game_count > 0)
        json_object_set_new(bot, "games",
                            parts_games_json(data, name, LADDER_NOBODY, "../", BOT_GAMES));
    if (game_count > 0 && !is_voided) {
        json_object_set_new(bot, "wrong", wrong_of(data, name));
        json_object_set_new(bot, "habits", habits_of(data, name, LADDER_NOBODY));
        json_object_set_new(bot, "opponents", opponents_of(data, name));
        json_object_set_new(bot, "times", times_of(data, name));
        if (point_count > 1)
            json_object_set_new(bot, "history", parts_history_json(data, name));
    }
    return bot;
}

/* ---- pairs ---- */

struct meeting {
    const struct data_game *game;
    int lead;   /* points by which name's best seat was ahead of other's */
    bool whole; /* nobody forfeited */
};

/* The games in which two names played each other and that count, oldest first. */
struct meetings {
    struct meeting *games; /* from malloc */
    int count, better, worse, voided;
};

static void find_meetings(const struct season_data *data, int name, int other,
                          struct meetings *meetings)
{
    int count;
    const int *games = season_index_games(data, name, &count);

    *meetings = (struct meetings){0};
    for (int i = 0; i < count; i++) {
        const struct data_game *game = &data->games[games[i]];
        int mine = parts_best_seat(data, game, name), theirs = parts_best_seat(data, game, other);
        struct meeting meeting = {.game = game, .whole = !data_has_forfeit(game)};

        if (theirs < 0)
            continue;
        meetings->voided += game->is_void;
        if (game->is_void)
            continue;
        meeting.lead = game->scores[mine] - game->scores[theirs];
        meetings->better += game->ranks[mine] < game->ranks[theirs];
        meetings->worse += game->ranks[mine] > game->ranks[theirs];
        array_add(&meetings->games, &meetings->count, &meeting, sizeof meeting);
    }
}

/* Returns a bar for each of the newest games: up where name was ahead, down where other was. */
static json_t *margins_of(const struct meetings *meetings)
{
    int shown = meetings->count < PAIR_GAMES ? meetings->count : PAIR_GAMES, up = 0, down = 0;
    const struct meeting *games = meetings->games + meetings->count - shown;
    double step = fmin(1000.0 / shown, 24), scale;
    json_t *bars = json_array();

    for (int i = 0; i < shown; i++) {
        up = games[i].lead > up ? games[i].lead : up;
        down = -games[i].lead > down ? -games[i].lead : down;
    }
    scale = 90.0 / (up > down ? up : down > 0 ? down : 1);
    for (int i = 0; i < shown; i++)
        json_array_append_new(bars, json_pack("{s:b, s:f, s:f, s:f, s:f}", "is_minus",
                                              games[i].lead < 0, "x", i * step, "y",
                                              scale * (games[i].lead < 0 ? up : up - games[i].lead),
                                              "width", fmax(1, step - 2), "height",
                                              fmax(scale * abs(games[i].lead), 1)));
    return json_pack("{s:i, s:f, s:f, s:i, s:i, s:o}", "count", shown, "width", step * shown,
                     "height", 2 + scale * (up + down), "up", up, "down", down, "bars", bars);
}

static int compare_leads(const void *a, const void *b)
{
    const struct meeting *first = a, *second = b;

    if (first->whole != second->whole)
        return second->whole - first->whole;
    return abs(first->lead) - abs(second->lead);
}

/*
 * Returns the games without forfeits that were closest and widest in points; null if there are too
 * few. Sorts the games.
 */
static json_t *extremes_of(const struct season_data *data, struct meetings *meetings)
{
    json_t *closest = json_array(), *widest = json_array();
    int count = 0, shown;

    for (int i = 0; i < meetings->count; i++)
        count += meetings->games[i].whole;
    shown = count / 2 < EXTREME_GAMES ? count / 2 : EXTREME_GAMES; /* no game is in both lists */
    qsort(meetings->games, (size_t)meetings->count, sizeof *meetings->games, compare_leads);
    for (int i = 0; i < shown; i++) {
        json_array_append_new(closest,
                              parts_row_json(data, meetings->games[i].game, LADDER_NOBODY, "../"));
        json_array_append_new(widest, parts_row_json(data, meetings->games[count - 1 - i].game,
                                                     LADDER_NOBODY, "../"));
    }
    if (shown > 0)
        return json_pack("{s:o, s:o}", "closest", closest, "widest", widest);
    json_decref(closest);
    json_decref(widest);
    return json_null();
}

json_t *pair_page(const struct season_data *data, int name, int other)
{
    const char *names[] = {data_bot(data, name)->name, data_bot(data, other)->name};
    char title[2 * STORE_NAME_BYTES_MAX + 8];
    struct meetings meetings;
    json_t *pair;

    snprintf(title, sizeof title, "%s – %s", names[0], names[1]);
    find_meetings(data, name, other, &meetings);
    pair = page_data(data, title, "../feed.xml");
    json_object_update_new(
        pair, json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:b}", "name", names[0], "other",
                        names[1], "count", meetings.count, "better", meetings.better, "worse",
                        meetings.worse, "shared", meetings.count - meetings.better - meetings.worse,
                        "voided", meetings.voided, "is_one_voided", meetings.voided == 1));
    if (meetings.count > 0)
        json_object_set_new(pair, "habits", habits_of(data, name, other));
    if (meetings.count > EXTREME_GAMES) { /* of fewer, the list of the newest games shows as much */
        json_object_set_new(pair, "margins", margins_of(&meetings));
        json_object_set_new(pair, "extremes", extremes_of(data, &meetings));
    }
    free(meetings.games);
    json_object_set_new(pair, "games", parts_games_json(data, name, other, "../", PAIR_GAMES));
    return pair;
}
