#include "arena/report/ladder_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TEXT = COLUMN_IN_TEXT,
    JSON = COLUMN_IN_JSON,
    CSV = COLUMN_IN_CSV,
    DATA = COLUMN_IN_JSON | COLUMN_IN_CSV,
    ALL = COLUMN_EVERYWHERE,
};

/* What the columns of bots, times and counts get. */
enum detail {
    BOT_NAME,
    BOT_VERSION,
    BOT_AUTHOR,
    BOT_LANGUAGE,
    RANK_BEST,
    RANK_WORST,
    RATING_FINAL,
    RATING_ERROR,
    RATING_LIVE,
    RATING_CHANGE,
    RATING_LOS,
    RATING_OPPONENTS,
    COUNT_GAMES,
    COUNT_GROUPS,
    COUNT_SHARED,
    TIME_MEAN,
    TIME_P99,
    TIME_MAX,
};

static const struct ladder_row *row_of(const void *rows, int row)
{
    return &((const struct ladder_rows *)rows)->ladder->rows[row];
}

/* ---- getters ---- */

/* "3-5", "3", or "-" of a version that holds no rank. */
static void get_rank(const void *rows, int row, const struct column *column,
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

static void get_rank_end(const void *rows, int row, const struct column *column,
                         struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);

    if (at->ranked)
        column_set_integer(value, column->detail == RANK_BEST ? at->rank_best : at->rank_worst);
}

static void get_bot(const void *rows, int row, const struct column *column,
                    struct column_value *value)
{
    const struct ladder_rows *of = rows;
    const struct store_bot *bot = &of->standings->roster.members[row_of(rows, row)->entry].bot;

    column_set_text(value, "%s",
                    column->detail == BOT_NAME      ? bot->name
                    : column->detail == BOT_VERSION ? bot->version
                    : column->detail == BOT_AUTHOR  ? bot->author
                                                    : bot->language);
}

static void get_label(const void *rows, int row, const struct column *column,
                      struct column_value *value)
{
    const struct ladder_rows *of = rows;
    char label[STANDINGS_LABEL_BYTES];

    (void)column;
    standings_label(&of->standings->roster, row_of(rows, row)->entry, label);
    column_set_text(value, "%s", label);
}

static void get_rating(const void *rows, int row, const struct column *column,
                       struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);

    column_set_real(value, column->detail == RATING_FINAL    ? at->elo
                           : column->detail == RATING_ERROR  ? at->error95
                           : column->detail == RATING_LIVE   ? at->live
                           : column->detail == RATING_CHANGE ? at->change
                           : column->detail == RATING_LOS    ? at->los_next
                                                             : at->opponents_elo);
}

static void get_count(const void *rows, int row, const struct column *column,
                      struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);

    column_set_integer(value, column->detail == COUNT_GAMES    ? at->game_count
                              : column->detail == COUNT_GROUPS ? at->group_count
                                                               : at->shared_win_count);
}

static void get_score(const void *rows, int row, const struct column *column,
                      struct column_value *value)
{
    (void)column;
    column_set_real(value, row_of(rows, row)->score);
}

static void get_place(const void *rows, int row, const struct column *column,
                      struct column_value *value)
{
    column_set_real(value, row_of(rows, row)->places[column->detail]);
}

static json_t *places_json(const void *rows, int row)
{
    json_t *places = json_array();

    for (int place = 0; place < GAME_PLAYERS_MAX; place++)
        json_array_append_new(places,
                              json_real(round(1e6 * row_of(rows, row)->places[place]) / 1e6));
    return places;
}

static void get_time(const void *rows, int row, const struct column *column,
                     struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);

    column_set_real(value, (double)(column->detail == TIME_MEAN  ? at->us_mean
                                    : column->detail == TIME_P99 ? at->us_p99
                                                                 : at->us_max) /
                               1000);
}

static void get_forfeit(const void *rows, int row, const struct column *column,
                        struct column_value *value)
{
    column_set_integer(value, row_of(rows, row)->forfeits[column->detail]);
}

/* "3 timeout, 1 crash" */
static void get_forfeits(const void *rows, int row, const struct column *column,
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

static json_t *forfeits_json(const void *rows, int row)
{
    json_t *forfeits = json_object();

    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        if (row_of(rows, row)->forfeits[reason])
            json_object_set_new(forfeits, wire_reason_name((enum wire_reason)reason),
                                json_integer(row_of(rows, row)->forfeits[reason]));
    return forfeits;
}

static void get_provisional(const void *rows, int row, const struct column *column,
                            struct column_value *value)
{
    (void)column;
    column_set_bool(value, row_of(rows, row)->provisional);
}

/* Names of flags with a space between; in text, "?" of a provisional row among them. */
static void get_flags(const void *rows, int row, const struct column *column,
                      struct column_value *value)
{
    const struct ladder_row *at = row_of(rows, row);
    char text[COLUMNS_TEXT_BYTES] = "";
    size_t size = 0;

    if (column->forms & TEXT && at->provisional)
        size = (size_t)snprintf(text, sizeof text, "?");
    for (unsigned flag = 1; flag && flag <= at->flags; flag <<= 1)
        if (at->flags & flag)
            size += (size_t)snprintf(text + size, sizeof text - size, "%s%s", size ? " " : "",
                                     ladder_flag_name(flag));
    column_set_text(value, "%s", text);
}

static json_t *flags_json(const void *rows, int row)
{
    unsigned flags = row_of(rows, row)->flags;
    json_t *names = json_array();

    for (unsigned flag = 1; flag && flag <= flags; flag <<= 1)
        if (flags & flag)
            json_array_append_new(names, json_string(ladder_flag_name(flag)));
    return names;
}

/* How a bot gets off probation; null where it is not on it. */
static json_t *probation_json(const void *rows, int row)
{
    const struct ladder_rows *of = rows;
    const struct ladder_row *at = row_of(rows, row);
    const struct probation *probation = ladder_probation(of->ladder, at->entry);

    if (!(at->flags & LADDER_PROBATION))
        return json_null();
    return json_pack("{s:i, s:i, s:i}", "in_row", probation_row(probation), "of_last_10",
                     probation_count(probation), "games_left", probation_games_left(probation));
}

/* ---- the table ---- */

static const struct column all_columns[] = {
    {.title = "rank",
     .unit = "",
     .get_fn = get_rank,
     .forms = TEXT,
     .explanation = "the ranks that likelihoods beyond 97.5 % leave open"},
    {.name = "rank_best",
     .unit = "",
     .get_fn = get_rank_end,
     .forms = DATA,
     .detail = RANK_BEST,
     .explanation = "the best of them, from 1; null for a version that plays no more"},
    {.name = "rank_worst",
     .unit = "",
     .get_fn = get_rank_end,
     .forms = DATA,
     .detail = RANK_WORST,
     .explanation = "the worst of them"},
    {.title = "bot",
     .unit = "",
     .get_fn = get_label,
     .forms = TEXT,
     .left = true,
     .least_width = 10,
     .explanation = "its name, and its version where several of a name played"},
    {.name = "name",
     .unit = "",
     .get_fn = get_bot,
     .forms = DATA,
     .detail = BOT_NAME,
     .explanation = "as submitted"},
    {.name = "version",
     .title = "version",
     .unit = "",
     .get_fn = get_bot,
     .forms = ALL,
     .detail = BOT_VERSION,
     .left = true,
     .least_width = 7,
     .level = 2,
     .explanation = "as submitted"},
    {.name = "author",
     .title = "author",
     .unit = "",
     .get_fn = get_bot,
     .forms = ALL,
     .detail = BOT_AUTHOR,
     .left = true,
     .least_width = 10,
     .level = 3,
     .explanation = "as submitted"},
    {.name = "language",
     .title = "language",
     .unit = "",
     .get_fn = get_bot,
     .forms = ALL,
     .detail = BOT_LANGUAGE,
     .left = true,
     .least_width = 8,
     .level = 6,
     .explanation = "as submitted"},
    {.name = "elo",
     .title = "Elo",
     .unit = "Elo",
     .get_fn = get_rating,
     .forms = ALL,
     .detail = RATING_FINAL,
     .decimals = 6,
     .text_decimals = 1,
     .explanation = "rating by all games at once (the final list); 400 are odds of 10 to 1"},
    {.name = "error95",
     .title = "+-",
     .unit = "Elo",
     .get_fn = get_rating,
     .forms = ALL,
     .detail = RATING_ERROR,
     .decimals = 6,
     .text_decimals = 1,
     .explanation = "1.96 standard errors of it, the larger of clustered and model"},
    {.name = "live",
     .title = "live",
     .unit = "Elo",
     .get_fn = get_rating,
     .forms = ALL,
     .detail = RATING_LIVE,
     .decimals = 6,
     .text_decimals = 1,
     .level = 1,
     .explanation = "live Elo, each group as it came; it has no error"},
    {.name = "change",
     .title = "change",
     .unit = "Elo",
     .get_fn = get_rating,
     .forms = ALL,
     .detail = RATING_CHANGE,
     .decimals = 6,
     .text_decimals = 1,
     .sign = true,
     .level = 4,
     .explanation = "of live Elo by the last group it played"},
    {.name = "games",
     .title = "games",
     .unit = "",
     .get_fn = get_count,
     .forms = ALL,
     .detail = COUNT_GAMES,
     .explanation = "games it played"},
    {.name = "groups",
     .title = "groups",
     .unit = "",
     .get_fn = get_count,
     .forms = ALL,
     .detail = COUNT_GROUPS,
     .level = 5,
     .explanation = "groups of games it played in"},
    {.name = "score",
     .title = "score%",
     .unit = "%",
     .get_fn = get_score,
     .forms = ALL,
     .decimals = 6,
     .text_decimals = 1,
     .explanation = "points taken off opponents: won 1, shared 1/2"},
    {.name = "los_next",
     .title = "LOS%",
     .unit = "%",
     .get_fn = get_rating,
     .forms = ALL,
     .detail = RATING_LOS,
     .decimals = 6,
     .text_decimals = 1,
     .explanation = "likelihood of being better than the next row with a rank"},
    {.name = "places",
     .unit = "%",
     .json_fn = places_json,
     .forms = JSON,
     .explanation = "shares of games that ended on 1st, 2nd, 3rd, 4th place"},
    {.name = "first",
     .title = "1st%",
     .unit = "%",
     .get_fn = get_place,
     .forms = TEXT | CSV,
     .detail = 0,
     .decimals = 6,
     .text_decimals = 1,
     .level = 8},
    {.name = "second",
     .title = "2nd%",
     .unit = "%",
     .get_fn = get_place,
     .forms = TEXT | CSV,
     .detail = 1,
     .decimals = 6,
     .text_decimals = 1,
     .level = 8},
    {.name = "third",
     .title = "3rd%",
     .unit = "%",
     .get_fn = get_place,
     .forms = TEXT | CSV,
     .detail = 2,
     .decimals = 6,
     .text_decimals = 1,
     .level = 8},
    {.name = "fourth",
     .title = "4th%",
     .unit = "%",
     .get_fn = get_place,
     .forms = TEXT | CSV,
     .detail = 3,
     .decimals = 6,
     .text_decimals = 1,
     .level = 8},
    {.name = "shared",
     .title = "shared",
     .unit = "",
     .get_fn = get_count,
     .forms = ALL,
     .detail = COUNT_SHARED,
     .level = 9,
     .explanation = "wins that it shared"},
    {.name = "opponents",
     .title = "oppon.",
     .unit = "Elo",
     .get_fn = get_rating,
     .forms = ALL,
     .detail = RATING_OPPONENTS,
     .decimals = 6,
     .text_decimals = 1,
     .level = 7,
     .explanation = "mean Elo of those it met"},
    {.name = "mean",
     .parent = "ms",
     .title = "mean",
     .unit = "ms",
     .get_fn = get_time,
     .forms = ALL,
     .detail = TIME_MEAN,
     .decimals = 3,
     .text_decimals = 2,
     .level = 10,
     .explanation = "milliseconds a decision"},
    {.name = "p99",
     .parent = "ms",
     .title = "p99",
     .unit = "ms",
     .get_fn = get_time,
     .forms = ALL,
     .detail = TIME_P99,
     .decimals = 3,
     .text_decimals = 2,
     .level = 10,
     .explanation = "99 in 100 decisions took no longer, within 13 %"},
    {.name = "max",
     .parent = "ms",
     .title = "max",
     .unit = "ms",
     .get_fn = get_time,
     .forms = ALL,
     .detail = TIME_MAX,
     .decimals = 3,
     .text_decimals = 2,
     .level = 10,
     .explanation = "the longest decision"},
    {.name = "forfeits",
     .title = "forfeits",
     .unit = "",
     .get_fn = get_forfeits,
     .json_fn = forfeits_json,
     .forms = TEXT | JSON,
     .left = true,
     .least_width = 12,
     .style = "31",
     .explanation = "games it did not play to the end, by reason; in CSV a column each"},
    {.name = "provisional",
     .unit = "",
     .get_fn = get_provisional,
     .forms = DATA,
     .explanation = "few games, or a standard error above 100: \"?\" among the flags"},
    {.name = "probation",
     .unit = "",
     .json_fn = probation_json,
     .forms = JSON,
     .explanation = "forfeits in a row and of the last 10 games; games left to get out"},
    {.title = "flags",
     .unit = "",
     .get_fn = get_flags,
     .forms = TEXT,
     .left = true,
     .least_width = 11,
     .style = "33"},
    {.name = "flags",
     .unit = "",
     .get_fn = get_flags,
     .json_fn = flags_json,
     .forms = DATA,
     .explanation = "unbeaten, winless, unvaried, unconnected, unplayed, probation, retired, "
                    "replaced, banned,\n"
                    "                             same_hash, residual: "
                    "docs/ratings.md"},
};

static const struct column forfeit_column = {.unit = "", .get_fn = get_forfeit, .forms = CSV};

static int find(const struct columns *columns, const char *name)
{
    int i = 0;

    while (!columns->columns[i].name || strcmp(columns->columns[i].name, name) != 0)
        i++;
    return i;
}

/* The rating that the list is ordered by comes first and is always shown. */
static void put_live_first(struct columns *columns, struct column *array)
{
    int elo = find(columns, "elo"), live = find(columns, "live");
    struct column first = array[live];

    array[live] = array[elo];
    array[live].level = 1;
    array[elo] = first;
    array[elo].level = 0;
}

struct columns ladder_columns(unsigned list, struct column array[static LADDER_COLUMNS_MAX])
{
    struct columns columns = {array, 0};

    for (size_t i = 0; i < sizeof all_columns / sizeof *all_columns; i++) {
        const struct column *column = &all_columns[i];
        bool is_error = column->get_fn == get_rating &&
                        (column->detail == RATING_ERROR || column->detail == RATING_LOS);

        if (!(list & LADDER_LIVE && is_error))
            array[columns.count++] = *column;
    }
    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++) {
        array[columns.count] = forfeit_column;
        array[columns.count].name = wire_reason_name((enum wire_reason)reason);
        array[columns.count++].detail = reason;
    }
    if (list & LADDER_LIVE)
        put_live_first(&columns, array);
    return columns;
}
