/* SPDX-License-Identifier: MIT */
#include "arena/site/parts.h"

#include <math.h>
#include <string.h>

#include "arena/rating/fit.h"
#include "arena/base/clock.h"
#include "arena/base/json.h"
#include "arena/report/columns.h"
#include "arena/report/ladder.h"
#include "arena/site/page.h"

enum {
    SEASON_GAMES = 30, /* number of newest games on the season's page */
    AXIS_STEPS = 4,
    AXIS_WIDTH = 192, /* of the range, in pixels; .ladder .bar in pages.css adds 21 around it */
};

/* ---- the ladder ---- */

/* Returns the class of the column's cells. */
static const char *key_of(const struct column *column)
{
    return column->name ? column->name : column->title;
}

static bool is_shown(const struct column *column)
{
    return column->forms & COLUMN_IN_TEXT;
}

/* True if a page shows the column only when the reader asks for all columns. */
static bool is_extra(const struct column *column)
{
    return column->level > 0 && strcmp(key_of(column), "author") != 0;
}

/* True for the column after which pages draw the interval of the rating. */
static bool is_error(const struct column *column)
{
    return strcmp(key_of(column), "error95") == 0;
}

/* The Elo range that all intervals of a table share: four steps, each a round number. */
struct axis {
    int from, step;
};

static struct axis find_axis(const struct ladder *ladder, int row_count)
{
    static const int steps[] = {100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 2000};
    double low = LADDER_ANCHOR_ELO, high = LADDER_ANCHOR_ELO;
    struct axis axis = {0};

    for (int i = 0; i < row_count; i++) {
        double error = fmin(ladder->rows[i].error95, AXIS_ERROR);

        low = fmin(low, ladder->rows[i].elo - error);
        high = fmax(high, ladder->rows[i].elo + error);
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        axis = (struct axis){(int)floor(low / 100) * 100, steps[i]};
        if (axis.from + AXIS_STEPS * axis.step >= high)
            break;
    }
    return axis;
}

static json_t *scale_json(const struct axis *axis)
{
    json_t *scale = json_array();

    for (int i = 0; i <= AXIS_STEPS; i++)
        json_array_append_new(scale, json_pack("{s:i, s:i}", "x", AXIS_WIDTH / AXIS_STEPS * i,
                                               "elo", axis->from + i * axis->step));
    return scale;
}

/* Returns where the interval of a rating begins and ends, and where the rating is. */
static json_t *bar_json(const struct ladder_row *row, const struct axis *axis)
{
    double scale = (double)AXIS_WIDTH / (AXIS_STEPS * axis->step);
    double x = scale * (row->elo - axis->from), half = scale * fmin(row->error95, AXIS_ERROR);

    return json_pack("{s:f, s:f, s:f}", "from", x - half, "to", x + half, "x", x);
}

/* Returns links to the ladders of all games (`players` is 0) and of each table size. */
static json_t *tabs_json(const struct season_data *data, int player_count)
{
    json_t *tabs = json_array();

    for (int players = 0; players <= GAME_PLAYERS_MAX; players++) {
        char path[PARTS_PATH_BYTES] = "index.html";

        if (players > 0 && !data->standings.ladders[players].entries)
            continue;
        if (players > 0)
            parts_ladder_path(players, path);
        json_array_append_new(tabs, json_pack("{s:s, s:i, s:b}", "path", path, "players", players,
                                              "is_this", players == player_count));
    }
    return tabs;
}

static json_t *column_json(const struct column *column)
{
    return json_pack("{s:s, s:s, s:s*, s:b, s:b, s:b, s:b}", "key", key_of(column), "title",
                     strcmp(column->title, "+-") == 0 ? "±" : column->title, "explanation",
                     column->explanation, "is_ms", column->kind == COLUMN_MS, "falls",
                     !column->left && strcmp(column->title, "rank") != 0, "is_extra",
                     is_extra(column), "has_bar", is_error(column));
}

static json_t *cell_json(const struct season_data *data, const struct columns_rows *rows, int row,
                         const struct column *column, const struct axis *axis)
{
    const struct ladder_row *at = (const struct ladder_row *)rows->rows + row;
    const struct store_bot *bot = data_bot(data, at->entry);
    const char *key = key_of(column);
    struct column_value value;
    json_t *cell = json_pack("{s:s}", "key", key);

    if (strcmp(key, "rank") == 0)
        json_object_set_new(cell, "text", parts_rank_json(at->rank_best, at->rank_worst));
    else if (strcmp(key, "author") == 0)
        json_object_set_new(cell, "author", parts_author_json(bot->author, "../"));
    else if (strcmp(key, "flags") == 0)
        json_object_set_new(cell, "flags", parts_flags_json(at));
    else
        json_object_set_new(cell, "text", json_string(column_text(column, rows, row, &value)));
    if (strcmp(key, "bot") == 0)
        json_object_set_new(cell, "bot", json_string(bot->name));
    if (is_error(column))
        json_object_set_new(cell, "bar", bar_json(at, axis));
    return cell;
}

/*
 * Returns a row. The values of the columns that a page shows only on request are `more`, the words
 * of one attribute: 1,000 rows with a cell for each value would open slowly.
 */
static json_t *row_json(const struct season_data *data, const struct columns *columns,
                        const struct columns_rows *rows, int row, const struct axis *axis)
{
    json_t *cells = json_array(), *more = json_array();

    for (int c = 0; c < columns->count; c++) {
        const struct column *column = &columns->columns[c];
        struct column_value value;

        if (is_shown(column) && is_extra(column))
            json_array_append_new(more, json_string(column_text(column, rows, row, &value)));
        else if (is_shown(column))
            json_array_append_new(cells, cell_json(data, rows, row, column, axis));
    }
    return json_pack("{s:o, s:o}", "cells", cells, "more", more);
}

/*
 * Returns, for the template ladder, the ladder of games with player_count players, or of all games
 * if player_count is 0.
 */
static json_t *ladder_json(const struct season_data *data, int player_count)
{
    struct report_ladder report = {&data->standings, player_count};
    struct columns_rows rows = ladder_rows(&report);
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(LADDER_FINAL, array);
    struct axis axis = find_axis(&data->standings.ladders[player_count], rows.count);
    json_t *headings = json_array(), *list = json_array();

    for (int extra = 0; extra < 2; extra++)
        for (int c = 0; c < columns.count; c++) {
            if (array[c].unit && strcmp(array[c].unit, "Elo") == 0)
                array[c].text_decimals = 0; /* pages show whole Elo; CSV and JSON have decimals */
            if (is_shown(&array[c]) && is_extra(&array[c]) == extra)
                json_array_append_new(headings, column_json(&array[c]));
        }
    for (int row = 0; row < rows.count; row++)
        json_array_append_new(list, row_json(data, &columns, &rows, row, &axis));
    return json_pack("{s:o, s:b, s:i, s:i, s:o, s:o, s:o, s:o}", "tabs",
                     tabs_json(data, player_count), "is_official", player_count == 0, "from",
                     axis.from, "to", axis.from + AXIS_STEPS * axis.step, "scale",
                     scale_json(&axis), "columns", headings, "rows", list, "flags",
                     parts_flags_json(NULL));
}

/* ---- who against whom ---- */

/* Returns the result of two rows of the ladder; an empty object if they did not meet. */
static json_t *cross_cell(const struct season_data *data, int a, int b)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    int first = ladder->rows[a].entry, second = ladder->rows[b].entry;
    char path[PARTS_PATH_BYTES];
    struct residual cell = {0};
    json_t *json = json_object();

    if (a != b)
        cell = residual_of(&ladder->games, &ladder->fit, first, second);
    if (cell.game_count == 0)
        return json;
    json_object_update_new(json,
                           json_pack("{s:I, s:f, s:f}", "games", (json_int_t)cell.game_count,
                                     "score", 100 * cell.score, "expected", 100 * cell.expected));
    /* Give no link if the pair has no page, because all its games belong to incomplete groups. */
    if (data_name(data, first) != data_name(data, second) &&
        season_index_met(data, data_name(data, first), data_name(data, second))) {
        parts_pair_path(data, first, second, path);
        json_object_set_new(json, "href", json_string(path));
    }
    return json;
}

static json_t *cross_json(const struct season_data *data)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    int rows[PARTS_CROSS_MAX], shown = 0, count = 0;
    json_t *list = json_array();

    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        if (ladder->rows[i].game_count > 0 && count++ < PARTS_CROSS_MAX)
            rows[shown++] = i;
    }
    for (int i = 0; i < shown; i++) {
        char label[STANDINGS_LABEL_BYTES];
        json_t *cells = json_array();

        standings_label(&data->standings.roster, ladder->rows[rows[i]].entry, label);
        for (int j = 0; j < shown; j++)
            json_array_append_new(cells, cross_cell(data, rows[i], rows[j]));
        json_array_append_new(list, json_pack("{s:s, s:o}", "label", label, "cells", cells));
    }
    return json_pack("{s:o, s:i, s:i, s:b}", "rows", list, "shown", shown, "all", count, "left_out",
                     count > shown);
}

/* ---- seats, terms ---- */

/*
 * Returns the score of a seat in percent, rounded to one decimal; NAN if there is none. If all
 * seats have played equally often their mean is 50, and the last seat gets what makes it so.
 */
static double seat_score(const struct games_seat *seats, int players, int seat)
{
    double rest = 50.0 * players;
    bool equal = true;

    if (seat >= players || seats[seat].game_count == 0)
        return NAN;
    for (int other = 0; other < seat; other++) {
        rest -= seat_score(seats, players, other);
        equal = equal && seats[other].game_count == seats[seat].game_count;
    }
    if (seat == players - 1 && equal)
        return decimals_round(rest, 1);
    return decimals_round(100.0 * (double)seats[seat].halves /
                              (2.0 * (players - 1) * (double)seats[seat].game_count),
                          1);
}

/* Returns the score of each seat, by table size. */
static json_t *seats_json(const struct season_data *data)
{
    const struct games *games = &data->standings.ladders[0].games;
    int64_t counts[GAME_PLAYERS_MAX + 1] = {0};
    int most = GAME_PLAYERS_MAX;
    json_t *rows = json_array();

    for (int i = 0; i < data->count; i++)
        counts[data->games[i].player_count] += !data->games[i].is_void;
    while (most > GAME_PLAYERS_MIN && counts[most] == 0)
        most--;
    for (int players = GAME_PLAYERS_MIN; players <= GAME_PLAYERS_MAX; players++) {
        json_t *scores = json_array();

        for (int seat = 0; seat < most; seat++) {
            double score = seat_score(games->seats[players], players, seat);

            json_array_append_new(scores,
                                  isnan(score) ? json_string("") : json_sprintf("%.1f %%", score));
        }
        if (counts[players] > 0)
            json_array_append_new(rows, json_pack("{s:i, s:I, s:O}", "players", players, "games",
                                                  (json_int_t)counts[players], "scores", scores));
        json_decref(scores);
    }
    /* No column for a seat that no table has. */
    return json_pack("{s:o, s:b, s:b}", "rows", rows, "has_third", most > 2, "has_fourth",
                     most > 3);
}

json_t *season_page(const struct season_data *data, int subject)
{
    bool is_played = data->standings.ladders[0].games.game_count > 0;

    (void)subject;
    return json_pack(
        "{s:o, s:o, s:s, s:s, s:o, s:o*, s:o, s:o*, s:o*, s:o*, s:o*}", "title",
        json_sprintf("Season %s", data->standings.season.name), "card",
        json_sprintf("%s/" PAGE_CARD, data->standings.season.name), "feed", "feed.xml", "home",
        "../index.html", "state", parts_state_json(data, "../index.html"), "waiting",
        parts_waiting_json(data), "ladder", ladder_json(data, 0), "history",
        is_played ? parts_history_json(data, LADDER_NOBODY) : NULL, "cross",
        is_played ? cross_json(data) : NULL, "seats", is_played ? seats_json(data) : NULL, "games",
        is_played ? parts_games_json(data, LADDER_NOBODY, LADDER_NOBODY, "", SEASON_GAMES) : NULL);
}

json_t *ladder_page(const struct season_data *data, int player_count)
{
    const char *season = data->standings.season.name;

    return json_pack("{s:o, s:o, s:s, s:s, s:s, s:s, s:o}", "title",
                     json_sprintf("Season %s, tables of %d", season, player_count), "card",
                     json_sprintf("%s/" PAGE_CARD, season), "home", "../index.html", "season",
                     season, "season_home", "index.html", "feed", "feed.xml", "ladder",
                     ladder_json(data, player_count));
}

json_t *season_standings_json(const struct season_data *data)
{
    static const char *const keys[] = {"bot", "version", "rank_best", "rank_worst",
                                       "elo", "error95", "games",     "provisional"};
    json_t *ladder = report_ladder_json(&(struct report_ladder){&data->standings, 0}), *row;
    json_t *season = report_season_json(&data->told, READER_PUBLIC), *rows = json_array(), *json;
    size_t i;

    json_array_foreach(json_object_get(ladder, "rows"), i, row)
    {
        json_t *small = json_object();

        for (size_t key = 0; key < sizeof keys / sizeof *keys; key++)
            json_object_set(small, keys[key], json_object_get(row, keys[key]));
        json_array_append_new(rows, small);
    }
    json = json_pack("{s:O, s:O, s:O, s:O, s:O, s:o}", "season", json_object_get(season, "season"),
                     "closed", json_object_get(season, "closed"), "state",
                     json_object_get(season, "state"), "games", json_object_get(ladder, "games"),
                     "left", json_object_get(season, "left"), "rows", rows);
    json_decref(ladder);
    json_decref(season);
    return json;
}

/* ---- the feed ---- */

enum {
    /* Maximum number of new bots in a feed, and maximum number of first forfeits. */
    ENTRIES_MAX = 40,
};

/* The entries of a feed: those of one name, or of all (LADDER_NOBODY). */
struct feed {
    const struct season_data *data;
    int name;
    json_t *entries;
    int64_t newest_us; /* time of the newest event */
};

/* Adds an entry. kind and bot make its id; reason is that of a forfeit, else "". */
static void add_entry(struct feed *feed, const char *kind, int entry, int64_t us,
                      const char *reason)
{
    const struct store_bot *bot = data_bot(feed->data, entry);

    if (us > feed->newest_us)
        feed->newest_us = us;
    json_array_append_new(feed->entries,
                          json_pack("{s:s, s:b, s:i, s:o, s:s, s:s, s:s}", "kind", kind, kind, true,
                                    "number", entry, "updated", json_time(us), "bot", bot->name,
                                    "version", bot->version, "reason", reason));
}

static bool has_entry(const struct feed *feed, int entry)
{
    return feed->name == LADDER_NOBODY || data_name(feed->data, entry) == feed->name;
}

static void add_bots(struct feed *feed)
{
    int count = feed->data->standings.roster.count;

    for (int entry = count; entry-- > 0 && entry >= count - ENTRIES_MAX;)
        if (has_entry(feed, entry))
            add_entry(feed, "admitted", entry, data_bot(feed->data, entry)->submitted_us, "");
}

/* Adds an entry for the first forfeit of each version. */
static void add_first_forfeits(struct feed *feed)
{
    const struct season_data *data = feed->data;

    for (int entry = data->standings.roster.count, told = 0; entry-- > 0 && told < ENTRIES_MAX;) {
        int first = data->index.first_forfeits[entry], seat = 0;
        const struct data_game *game;

        if (first < 0 || !has_entry(feed, entry))
            continue;
        game = &data->games[first];
        while (game->entries[seat] != entry || !data_forfeited(game, seat))
            seat++;
        add_entry(feed, "forfeit", entry, game->started_us, wire_reason_name(game->reasons[seat]));
        told++;
    }
}

/*
 * Adds what became of the name in the 24 hours before the season's newest game: one entry a day,
 * which the games of that day change. Readers of feeds keep the entries of days before.
 */
static void add_day(struct feed *feed)
{
    const struct season_data *data = feed->data;
    json_t *day = bot_day(data, feed->name), *entry;
    char utc[CLOCK_TIME_BYTES];

    if (json_array_size(json_object_get(day, "tables")) > 0) {
        clock_write_time(data->newest_us, utc);
        add_entry(feed, "day", feed->name, data->newest_us, "");
        entry = json_array_get(feed->entries, json_array_size(feed->entries) - 1);
        json_object_set_new(entry, "number",
                            json_sprintf("%s:%.10s", data_bot(data, feed->name)->name, utc));
        json_object_set(entry, "day", day);
    }
    json_decref(day);
}

json_t *season_feed(const struct season_data *data, int name)
{
    const struct ladder_row *leader = parts_ranked_row(data, 1);
    struct feed feed = {.data = data,
                        .name = name,
                        .entries = json_array(),
                        .newest_us = data->standings.season.created_us};

    if (name == LADDER_NOBODY && data->newest_us > feed.newest_us)
        feed.newest_us = data->newest_us;
    if (name == LADDER_NOBODY && leader && leader->game_count > 0)
        add_entry(&feed, "leader", leader->entry, feed.newest_us, "");
    if (name != LADDER_NOBODY)
        add_day(&feed);
    add_bots(&feed);
    add_first_forfeits(&feed);
    return json_pack("{s:s, s:s*, s:o, s:o}", "season", data->standings.season.name, "of",
                     name == LADDER_NOBODY ? NULL : data_bot(data, name)->name, "updated",
                     json_time(feed.newest_us), "entries", feed.entries);
}
