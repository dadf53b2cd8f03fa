#include "arena/report/ladder_values.h"

#include <math.h>
#include <stdio.h>

static const struct ladder_row *row_of(const void *rows, int row)
{
    return &((const struct ladder_rows *)rows)->ladder->rows[row];
}

/* Writes "3-5", "3", or "-" for a version that is not ranked. */
void ladder_value_rank(const void *rows, int row, const struct column *column,
                       struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);

    (void)column;
    if (!at->ranked)
        column_set_text(value, "-");
    else if (at->rank_best == at->rank_worst)
        column_set_text(value, "%d", at->rank_best);
    else
        column_set_text(value, "%d-%d", at->rank_best, at->rank_worst);
}

void ladder_value_rank_end(const void *rows, int row, const struct column *column,
                           struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);

    if (at->ranked)
        column_set_integer(value, column->detail == LADDER_VALUE_RANK_BEST ? at->rank_best
                                                                           : at->rank_worst);
}

void ladder_value_bot(const void *rows, int row, const struct column *column,
                      struct column_value *value)
{
    const struct ladder_rows *of = rows;
    const struct store_bot *bot = &of->standings->roster.members[row_of(rows, row)->entry].bot;

    column_set_text(value, "%s",
                    column->detail == LADDER_VALUE_BOT_NAME      ? bot->name
                    : column->detail == LADDER_VALUE_BOT_VERSION ? bot->version
                    : column->detail == LADDER_VALUE_BOT_AUTHOR  ? bot->author
                                                                 : bot->language);
}

void ladder_value_label(const void *rows, int row, const struct column *column,
                        struct column_value *value)
{
    const struct ladder_rows *of = rows;
    char label[STANDINGS_LABEL_BYTES];

    (void)column;
    standings_label(&of->standings->roster, row_of(rows, row)->entry, label);
    column_set_text(value, "%s", label);
}

void ladder_value_rating(const void *rows, int row, const struct column *column,
                         struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);

    column_set_real(value, column->detail == LADDER_VALUE_RATING_FINAL    ? at->elo
                           : column->detail == LADDER_VALUE_RATING_ERROR  ? at->error95
                           : column->detail == LADDER_VALUE_RATING_LIVE   ? at->live
                           : column->detail == LADDER_VALUE_RATING_CHANGE ? at->change
                           : column->detail == LADDER_VALUE_RATING_LOS    ? at->los_next
                                                                          : at->opponents_elo);
}

void ladder_value_count(const void *rows, int row, const struct column *column,
                        struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);

    column_set_integer(value, column->detail == LADDER_VALUE_COUNT_GAMES    ? at->game_count
                              : column->detail == LADDER_VALUE_COUNT_GROUPS ? at->group_count
                                                                            : at->shared_win_count);
}

void ladder_value_score(const void *rows, int row, const struct column *column,
                        struct column_value *value)
{
    (void)column;
    column_set_real(value, row_of(rows, row)->score);
}

void ladder_value_place(const void *rows, int row, const struct column *column,
                        struct column_value *value)
{
    column_set_real(value, row_of(rows, row)->places[column->detail]);
}

json_t *ladder_value_places_json(const void *rows, int row)
{
    json_t *places = json_array();

    for (int place = 0; place < GAME_PLAYERS_MAX; place++)
        json_array_append_new(places,
                              json_real(round(1e6 * row_of(rows, row)->places[place]) / 1e6));
    return places;
}

void ladder_value_time(const void *rows, int row, const struct column *column,
                       struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);

    column_set_real(value, (double)(column->detail == LADDER_VALUE_TIME_MEAN  ? at->us_mean
                                    : column->detail == LADDER_VALUE_TIME_P99 ? at->us_p99
                                                                              : at->us_max) /
                               1000);
}

void ladder_value_forfeit(const void *rows, int row, const struct column *column,
                          struct column_value *value)
{
    column_set_integer(value, row_of(rows, row)->forfeits[column->detail]);
}

/* Writes "3 timeout, 1 crash". */
void ladder_value_forfeits(const void *rows, int row, const struct column *column,
                           struct column_value *value)
{
    char text[COLUMNS_TEXT_BYTES] = "";
    size_t size = 0;

    (void)column;
    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        if (row_of(rows, row)->forfeits[reason])
            size += (size_t)snprintf(text + size, sizeof text - size, "%s%lld %s", size ? ", " : "",
                                     (long long)row_of(rows, row)->forfeits[reason],
                                     wire_reason_name((enum wire_reason)reason));
    column_set_text(value, "%s", text);
}

json_t *ladder_value_forfeits_json(const void *rows, int row)
{
    json_t *forfeits = json_object();

    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        if (row_of(rows, row)->forfeits[reason])
            json_object_set_new(forfeits, wire_reason_name((enum wire_reason)reason),
                                json_integer(row_of(rows, row)->forfeits[reason]));
    return forfeits;
}

void ladder_value_provisional(const void *rows, int row, const struct column *column,
                              struct column_value *value)
{
    (void)column;
    column_set_bool(value, row_of(rows, row)->provisional);
}

/* Writes the names of the flags, separated by spaces; in text also "?" for a provisional row. */
void ladder_value_flags(const void *rows, int row, const struct column *column,
                        struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);
    char text[COLUMNS_TEXT_BYTES] = "";
    size_t size = 0;

    if (column->forms & COLUMN_IN_TEXT && at->provisional)
        size = (size_t)snprintf(text, sizeof text, "?");
    for (unsigned flag = 1; flag && flag <= at->flags; flag <<= 1)
        if (at->flags & flag)
            size += (size_t)snprintf(text + size, sizeof text - size, "%s%s", size ? " " : "",
                                     ladder_flag_name(flag));
    column_set_text(value, "%s", text);
}

json_t *ladder_value_flags_json(const void *rows, int row)
{
    unsigned flags = row_of(rows, row)->flags;
    json_t *names = json_array();

    for (unsigned flag = 1; flag && flag <= flags; flag <<= 1)
        if (flags & flag)
            json_array_append_new(names, json_string(ladder_flag_name(flag)));
    return names;
}

/* Returns what ends a bot's probation; null if it is not on probation. */
json_t *ladder_value_probation_json(const void *rows, int row)
{
    const struct ladder_rows *of = rows;
    const struct ladder_row *at = row_of(rows, row);
    const struct probation *probation = ladder_probation(of->ladder, at->entry);

    if (!(at->flags & LADDER_PROBATION))
        return json_null();
    return json_pack("{s:i, s:i, s:i}", "in_row", probation_row(probation), "of_last_10",
                     probation_count(probation), "games_left", probation_games_left(probation));
}
