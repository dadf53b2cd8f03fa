/* SPDX-License-Identifier: MIT */
#include "arena/report/league.h"

#include <stddef.h>
#include <stdlib.h>

enum {
    JSON = COLUMN_IN_JSON,
    ALL = COLUMN_IN_JSON | COLUMN_IN_TEXT,
};

static void get_division(const void *context, const void *row, const struct column *column,
                         struct column_value *value)
{
    column_set_text(value, "%s", ((const struct report_place *)row)->division->name);
}

static void get_bot(const void *context, const void *row, const struct column *column,
                    struct column_value *value)
{
    column_set_text(value, "%s", ((const struct report_place *)row)->place->bot);
}

static void get_ranks(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct league_place *place = ((const struct report_place *)row)->place;

    if (place->rank_best == place->rank_worst && place->rank_best)
        column_set_text(value, "%d", place->rank_best);
    else if (place->rank_best)
        column_set_text(value, "%d-%d", place->rank_best, place->rank_worst);
}

static json_t *ranks_json(const void *context, const void *row)
{
    const struct league_place *place = ((const struct report_place *)row)->place;

    return place->rank_best ? json_pack("[i, i]", place->rank_best, place->rank_worst)
                            : json_null();
}

static void get_move(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    column_set_text(value, "%s", league_moves[((const struct report_place *)row)->place->move]);
}

static void get_undecided(const void *context, const void *row, const struct column *column,
                          struct column_value *value)
{
    value->kind = COLUMN_BOOL;
    value->is_true = ((const struct report_place *)row)->place->is_undecided;
}

static const struct column place_array[] = {
    {"division", "division", ALL, "name of the division", WORDS_BY(get_division, NULL),
     .left = true},
    {"bot", "bot", ALL, "name of the bot", WORDS_BY(get_bot, NULL), .left = true},
    {"rank_range", "rank", ALL,
     "the best and the worst rank that the games allow; null: the bot has not played",
     .kind = COLUMN_TEXT, .type = "integer[]?", .get_fn = get_ranks, .json_fn = ranks_json},
    {"move", "next round", ALL, "what the bot does after the round", WORDS_BY(get_move, NULL),
     .words = league_moves, .left = true},
    {"undecided", "undecided", ALL,
     "the bot's ranks reach over a cut: the order of the final list will decide",
     .kind = COLUMN_BOOL, .get_fn = get_undecided},
};

const struct columns place_columns = COLUMNS_OF(place_array);

static void get_open(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    value->kind = COLUMN_BOOL;
    value->is_true = ((const struct league_division *)row)->season.closed_us == 0;
}

static json_t *places_json(const void *context, const void *row)
{
    const struct league_division *division = row;
    json_t *places = json_array();

    for (int i = 0; i < division->count; i++)
        json_array_append_new(
            places,
            columns_row_json(&place_columns, &(struct report_place){division, &division->places[i]},
                             NULL, READER_PUBLIC));
    return places;
}

#define DIVISION(of_kind, field)                                                                   \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct league_division, field)

static const struct column division_array[] = {
    {"division", NULL, JSON, "name of the division", DIVISION(TEXT, name)},
    {"season", NULL, JSON, "name of the season", DIVISION(TEXT, season.name)},
    {"is_open", NULL, JSON, "the division's season is not closed", .kind = COLUMN_BOOL,
     .get_fn = get_open},
    {"members", NULL, JSON, "the bots, best first", .type = "place[]", .json_fn = places_json},
};

const struct columns division_columns = COLUMNS_OF(division_array);

static json_t *divisions_json(const void *context, const void *row)
{
    const struct league_round *round = row;

    return columns_json(&division_columns,
                        &(struct columns_rows){.rows = round->divisions,
                                               .row_bytes = sizeof *round->divisions,
                                               .count = round->number ? round->count : 0},
                        READER_PUBLIC);
}

#define LEAGUE(of_kind, field)                                                                     \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct league_round, field)

static const struct column league_array[] = {
    {"league", "league", ALL, "name of the league", LEAGUE(TEXT, league.name), .left = true},
    {"division_names", "divisions", ALL, "names of the divisions, best first",
     LEAGUE(TEXT, league.divisions), .left = true},
    {"division_places", "places", ALL, "bots of a division; the last one takes all others",
     LEAGUE(INT, league.place_count)},
    {"promote", "promote", ALL, "bots that go up, and down, between two divisions",
     LEAGUE(INT, league.promoted_count)},
    {"created", "created", ALL, "when the league was created", LEAGUE(MOMENT, league.created_us),
     .left = true},
    {"round", "round", ALL, "number of the latest round, from 1", LEAGUE(INT, number)},
    {"divisions", NULL, JSON, "the divisions in that round, best first", .type = "division[]",
     .json_fn = divisions_json},
};

const struct columns league_columns = COLUMNS_OF(league_array);

struct report_place *report_places(const struct league_round *round, int *count)
{
    struct report_place *rows;
    int all = 0;

    for (int i = 0; i < round->count; i++)
        all += round->divisions[i].count;
    *count = 0;
    rows = calloc((size_t)all + 1, sizeof *rows);
    for (int i = 0; i < round->count && rows; i++)
        for (int j = 0; j < round->divisions[i].count; j++)
            rows[(*count)++] =
                (struct report_place){&round->divisions[i], &round->divisions[i].places[j]};
    return rows;
}
