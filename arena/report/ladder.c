/* SPDX-License-Identifier: MIT */
#include "arena/report/ladder.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "arena/base/memory.h"
#include "arena/base/plain_text.h"
#include "arena/rating/fit.h"
#include "arena/report/bot.h"

enum {
    CELL_COLUMNS = 12, /* width of a crosstable's column: "100.0/10000" and a space */
    LABEL_COLUMNS_MAX = 24,
};

static const struct ladder *ladder_of(const struct report_ladder *report)
{
    return &report->standings->ladders[report->player_count];
}

static int row_count_of(const struct report_ladder *report)
{
    return report->standings->row_counts[report->player_count];
}

static bool is_live(const struct report_ladder *report)
{
    return ladder_of(report)->list & LADDER_LIVE;
}

static const char *name_of(const struct report_ladder *report, int entry)
{
    return report->standings->roster.members[entry].bot.name;
}

/* ---- columns ---- */

static const void *bot_of(const void *context, const void *row)
{
    const struct report_ladder *report = context;

    return &report->standings->roster.members[((const struct ladder_row *)row)->entry].bot;
}

/* Writes "3-5", "3", or "-" for a bot without a rank. */
static void get_rank(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    const struct ladder_row *at = row;

    if (!at->ranked)
        column_set_text(value, "-");
    else if (at->rank_best == at->rank_worst)
        column_set_text(value, "%d", at->rank_best);
    else
        column_set_text(value, "%d-%d", at->rank_best, at->rank_worst);
}

static void get_rank_end(const void *context, const void *row, const struct column *column,
                         struct column_value *value)
{
    const int rank = *(const int *)((const char *)row + column->offset);

    if (rank > 0)
        column_set_integer(value, rank);
}

static void get_label(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct report_ladder *report = context;
    char label[STANDINGS_LABEL_BYTES];

    standings_label(&report->standings->roster, ((const struct ladder_row *)row)->entry, label);
    column_set_text(value, "%s", label);
}

static json_t *places_json(const void *context, const void *row)
{
    const struct ladder_row *at = row;
    json_t *places = json_array();

    for (int place = 0; place < GAME_PLAYERS_MAX; place++)
        json_array_append_new(places, json_real(decimals_round(at->places[place], 6)));
    return places;
}

/* Sets the number of forfeits for one reason; column->offset is the reason. */
static void get_forfeit(const void *context, const void *row, const struct column *column,
                        struct column_value *value)
{
    column_set_integer(value, ((const struct ladder_row *)row)->forfeits[column->offset]);
}

/* Writes "3 timeout, 1 crash". */
static void get_forfeits(const void *context, const void *row, const struct column *column,
                         struct column_value *value)
{
    const int64_t *forfeits = ((const struct ladder_row *)row)->forfeits;
    size_t size = 0;

    value->kind = COLUMN_TEXT;
    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        if (forfeits[reason])
            size += (size_t)snprintf(value->text + size, sizeof value->text - size, "%s%lld %s",
                                     size ? ", " : "", (long long)forfeits[reason],
                                     wire_reason_name((enum wire_reason)reason));
}

static json_t *forfeits_json(const void *context, const void *row)
{
    const struct ladder_row *at = row;
    json_t *forfeits = json_object();

    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        if (at->forfeits[reason])
            json_object_set_new(forfeits, wire_reason_name((enum wire_reason)reason),
                                json_integer(at->forfeits[reason]));
    return forfeits;
}

/*
 * Writes the names of the row's flags, separated by spaces. In text a provisional row also has a
 * "?".
 */
static void get_flags(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct ladder_row *at = row;
    size_t size = 0;

    value->kind = COLUMN_TEXT;
    if (column->forms & COLUMN_IN_TEXT && at->provisional)
        size = (size_t)snprintf(value->text, sizeof value->text, "?");
    for (unsigned flag = 1; flag && flag <= at->flags; flag <<= 1)
        if (at->flags & flag)
            size += (size_t)snprintf(value->text + size, sizeof value->text - size, "%s%s",
                                     size ? " " : "", ladder_flag_name(flag));
}

static json_t *flags_json(const void *context, const void *row)
{
    unsigned flags = ((const struct ladder_row *)row)->flags;
    json_t *names = json_array();

    for (unsigned flag = 1; flag && flag <= flags; flag <<= 1)
        if (flags & flag)
            json_array_append_new(names, json_string(ladder_flag_name(flag)));
    return names;
}

/* Returns the conditions that end a bot's probation; null if the bot is not on probation. */
static json_t *probation_json(const void *context, const void *row)
{
    const struct ladder_row *at = row;
    const struct probation *probation = ladder_probation(ladder_of(context), at->entry);

    if (!(at->flags & LADDER_PROBATION))
        return json_null();
    return json_pack("{s:i, s:i, s:i}", "in_row", probation_row(probation), "of_last_10",
                     probation_count(probation), "games_left", probation_games_left(probation));
}

enum {
    TEXT = COLUMN_IN_TEXT,
    JSON = COLUMN_IN_JSON,
    CSV = COLUMN_IN_CSV,
    DATA = COLUMN_IN_DATA,
    ALL = COLUMN_EVERYWHERE,
    FINAL = 1, /* column of final lists only */
    LIVE = 2,  /* column of live lists only */
    BOT = 4,   /* stands for the columns of the bot */
};

#define AT(field)    .offset = offsetof(struct ladder_row, field)
#define COUNT(field) .kind = COLUMN_INTEGER, AT(field)
#define REAL(field, its_unit)                                                                      \
    .kind = COLUMN_REAL, AT(field), .unit = its_unit, .decimals = 6, .text_decimals = 1
#define RANK(field) .kind = COLUMN_INTEGER, .type = "integer?", .get_fn = get_rank_end, AT(field)
#define MS(field)                                                                                  \
    .kind = COLUMN_MS, AT(field), .parent = "ms", .unit = "ms", .decimals = 3, .text_decimals = 2, \
    .level = 10

#define ELO_WORDS "rating from all games at once (the final list); 400 Elo more are odds of 10 to 1"
#define LIVE_WORDS                                                                                 \
    "live Elo: updated after each group of games, in order; live Elo has no standard error"

/* All columns in order. A live list shows the live rating first, and no errors. */
static const struct column all_columns[] = {
    {NULL, "rank", TEXT,
     "the ranks that the bot may have, in a live list the place; the order of two bots counts as "
     "certain if its likelihood "
     "is above 97.5 %",
     .kind = COLUMN_TEXT, .get_fn = get_rank},
    {"rank_best", NULL, DATA,
     "the best of the possible ranks, 1 or greater; null for a reference bot and for a version "
     "that "
     "no longer plays",
     RANK(rank_best)},
    {"rank_worst", NULL, DATA, "the worst possible rank", RANK(rank_worst)},
    {"official_place", NULL, DATA,
     "place in the order of the list, which is the official one: prizes and promotions follow it; "
     "null: no rank",
     RANK(place), .only = FINAL},
    {NULL, "bot", TEXT, "name of the bot, with its version if several versions played",
     .kind = COLUMN_TEXT, .get_fn = get_label, .left = true, .least_width = 10},
    {.only = BOT}, /* the columns of bots that are also those of ladders (bot.h) */
    {"elo", "Elo", ALL, ELO_WORDS, REAL(elo, "Elo"), .only = FINAL},
    {"error95", "+-", ALL,
     "1.96 standard errors of the rating: the clustered or the model's, whichever is larger",
     REAL(error95, "Elo"), .only = FINAL},
    {"live", "live", ALL, LIVE_WORDS, REAL(live, "Elo"), .level = 1, .only = FINAL},
    {"live", "live", ALL, LIVE_WORDS, REAL(live, "Elo"), .only = LIVE},
    {"elo", "Elo", ALL, ELO_WORDS, REAL(elo, "Elo"), .level = 1, .only = LIVE},
    {"change", "change", ALL, "change of the live Elo in the bot's last group of games",
     REAL(change, "Elo"), .sign = true, .level = 4},
    {"day_place", NULL, DATA,
     "place a day before the season's newest game began, by the games until then; null: none",
     RANK(day_place)},
    {"day_elo", NULL, DATA,
     "Elo a day before the season's newest game began, of the bot's version that played then; "
     "null: "
     "none did",
     REAL(day_elo, "Elo"), .type = "number?"},
    {"gain", NULL, DATA,
     "Elo above that of the bot's version before this one; null: no version before it has played",
     REAL(gain, "Elo"), .type = "number?"},
    {"gain_error95", NULL, DATA, "1.96 standard errors of this difference",
     REAL(gain_error95, "Elo"), .type = "number?"},
    {"games", "games", ALL, "games that the bot played", COUNT(game_count)},
    {"groups", "groups", ALL, "groups of games in which the bot played", COUNT(group_count),
     .level = 5},
    {"score", "score%", ALL, "points against opponents: 1 for a win, 1/2 for a tie",
     REAL(score, "%")},
    {"los_next", "LOS%", ALL, "likelihood of being better than the next row with a rank",
     REAL(los_next, "%"), .only = FINAL},
    {"places", NULL, JSON, "shares of games that ended on 1st, 2nd, 3rd, 4th place",
     .type = "number[]", .json_fn = places_json},
    {"first", "1st%", TEXT | CSV, NULL, REAL(places[0], "%"), .level = 8},
    {"second", "2nd%", TEXT | CSV, NULL, REAL(places[1], "%"), .level = 8},
    {"third", "3rd%", TEXT | CSV, NULL, REAL(places[2], "%"), .level = 8},
    {"fourth", "4th%", TEXT | CSV, NULL, REAL(places[3], "%"), .level = 8},
    {"shared", "shared", ALL, "wins that the bot shared", COUNT(shared_win_count), .level = 9},
    {"opponents", "oppon.", ALL, "mean Elo of the bot's opponents", REAL(opponents_elo, "Elo"),
     .level = 7},
    {"mean", "mean", ALL, "mean milliseconds per decision", MS(us_mean)},
    {"p99", "p99", ALL, "99 % of the decisions took at most this time (accurate to 13 %)",
     MS(us_p99)},
    {"max", "max", ALL, "the longest decision", MS(us_max)},
    {"forfeits", "forfeits", TEXT | JSON,
     "games that the bot did not play to the end, by reason; CSV has a column for each reason",
     .kind = COLUMN_TEXT, .type = "object", .get_fn = get_forfeits, .json_fn = forfeits_json,
     .left = true, .least_width = 12, .style = "31"},
    {"provisional", NULL, DATA,
     "the rating may still change much: few games, or a standard error above 100; a \"?\" in text",
     .kind = COLUMN_BOOL, AT(provisional)},
    {"probation", NULL, JSON,
     "forfeits in a row and in the last 10 games; games until the probation ends",
     .type = "object?", .json_fn = probation_json},
    {NULL, "flags", TEXT, NULL, .kind = COLUMN_TEXT, .get_fn = get_flags, .left = true,
     .least_width = 11, .style = "33"},
    {"flags", NULL, DATA,
     "what is special about the bot: unbeaten, winless, unvaried, unconnected, unplayed, "
     "probation, "
     "retired, replaced, banned, reference, residual (docs/ratings.md)",
     .kind = COLUMN_TEXT, .type = "text[]", .get_fn = get_flags, .json_fn = flags_json},
};

static void add_column(struct columns *columns, struct column *array, struct column column)
{
    assert(columns->count < LADDER_COLUMNS_MAX);
    array[columns->count++] = column;
}

/* Adds the columns of a bot. In text the name's column is that of get_label. */
static void add_bot_columns(struct columns *columns, struct column *array)
{
    for (int i = 0; i < bot_columns.count; i++) {
        struct column column = bot_columns.columns[i];

        if (!(column.forms & COLUMN_IN_LADDER))
            continue;
        column.of_fn = bot_of;
        if (column.level == 0) {
            column.forms &= ~(unsigned)TEXT;
            column.title = NULL;
        }
        add_column(columns, array, column);
    }
}

struct columns ladder_columns(unsigned list, struct column array[static LADDER_COLUMNS_MAX])
{
    unsigned kind = list & LADDER_LIVE ? LIVE : FINAL;
    struct columns columns = {array, 0};

    for (size_t i = 0; i < sizeof all_columns / sizeof *all_columns; i++)
        if (all_columns[i].only == BOT)
            add_bot_columns(&columns, array);
        else if (!all_columns[i].only || all_columns[i].only == kind)
            add_column(&columns, array, all_columns[i]);
    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        add_column(&columns, array,
                   (struct column){.name = wire_reason_name((enum wire_reason)reason),
                                   .forms = CSV,
                                   .kind = COLUMN_INTEGER,
                                   .get_fn = get_forfeit,
                                   .offset = (size_t)reason});
    return columns;
}

struct columns_rows ladder_rows(const struct report_ladder *report)
{
    return (struct columns_rows){.rows = ladder_of(report)->rows,
                                 .row_bytes = sizeof(struct ladder_row),
                                 .count = row_count_of(report),
                                 .context = report};
}

/*
 * Returns the mean rating of the ranked rows, of the kind that the list shows; NAN if there are
 * none.
 */
static double mean_elo(const struct report_ladder *report, int *ranked_count)
{
    const struct ladder *ladder = ladder_of(report);
    double sum = 0;

    *ranked_count = 0;
    for (int i = 0; i < row_count_of(report); i++) {
        const struct ladder_row *row = &ladder->rows[i];

        if (!row->ranked)
            continue;
        sum += is_live(report) ? row->live : row->elo;
        ++*ranked_count;
    }
    return *ranked_count ? sum / *ranked_count : NAN;
}

/* ---- text ---- */

static void print_seats(FILE *stream, const struct ladder *ladder)
{
    for (int players = GAME_PLAYERS_MIN; players <= GAME_PLAYERS_MAX; players++) {
        const struct games_seat *seats = ladder->games.seats[players];

        if (seats[0].game_count == 0)
            continue;
        plain_text_printf(stream, "score by seat, %d players, in %%:", players);
        for (int seat = 0; seat < players; seat++) {
            double count = (double)seats[seat].game_count, most = 2.0 * (players - 1);
            double mean = (double)seats[seat].halves / count;
            double variance = (double)seats[seat].halves_squared / count - mean * mean;
            double error = variance > 0 ? FIT_ERROR95 * sqrt(variance / count) : 0;

            plain_text_printf(stream, "%s %.1f +- %.1f", seat ? "," : "",
                              decimals_round(100 * mean / most, 1),
                              decimals_round(100 * error / most, 1));
        }
        fputc('\n', stream);
    }
}

static const char *connection_of(const struct ladder *ladder)
{
    return ladder->games.game_count == 0        ? "no games yet"
           : ladder->fit.links.island_count > 1 ? "no chain of games connects some of the bots"
           : ladder->fit.links.set_count > 1
               ? "some bots took no points from others, not even indirectly: the prior decides how "
                 "far apart their ratings are"
               : "every bot took points from every other, directly or through others";
}

static void print_probations(FILE *stream, const struct report_ladder *report)
{
    const struct ladder *ladder = ladder_of(report);

    for (int i = 0; i < row_count_of(report); i++) {
        const struct ladder_row *row = &ladder->rows[i];
        const struct probation *probation = ladder_probation(ladder, row->entry);
        int left = probation_games_left(probation);

        if (!(row->flags & LADDER_PROBATION))
            continue;
        if (probation_row(probation) >= PROBATION_ROW)
            plain_text_printf(stream, "probation: %s forfeited its last %d games",
                              name_of(report, row->entry), probation_row(probation));
        else
            plain_text_printf(stream, "probation: %s forfeited %d of its last %d games",
                              name_of(report, row->entry), probation_count(probation),
                              PROBATION_WINDOW);
        plain_text_printf(
            stream,
            " and gets about a quarter of the usual games; the probation ends after %d "
            "more game%s played to the end, not with a new version\n",
            left, plain_text_s(left));
    }
}

static void print_notes(FILE *stream, const struct report_ladder *report)
{
    const struct ladder *ladder = ladder_of(report);
    const struct games *games = &ladder->games;
    const char *name = report->standings->season.name;
    int ranked_count;
    double mean = mean_elo(report, &ranked_count);
    unsigned flags = 0;

    plain_text_printf(
        stream, "%lld game%s in %lld group%s, %.1f %% of pairs tied\n",
        (long long)games->game_count, plain_text_s(games->game_count),
        (long long)games->group_count, plain_text_s(games->group_count),
        games->pair_count ? 50.0 * (double)games->tie_halves / (double)games->pair_count : 0.0);
    fprintf(stream, "%s\n", connection_of(ladder));
    if (is_live(report))
        fputs("live list: updated after each group of games, in order, without standard errors\n",
              stream);
    else
        plain_text_printf(stream,
                          "Elo: from all games at once, with a prior of %g Elo; +-: 95 %%, the "
                          "larger of clustered and model\n",
                          FIT_PRIOR_ELO);
    if (ranked_count)
        plain_text_printf(
            stream, "400 Elo are odds of 10 to 1; the mean of the %d bots with a rank is %.1f",
            ranked_count, decimals_round(mean, 1));
    if (ranked_count && !is_live(report) && ranked_count < ladder->entry_count)
        plain_text_printf(stream, ", of all %d versions %d", ladder->entry_count,
                          LADDER_ANCHOR_ELO);
    fputs(ranked_count ? "\n" : "", stream);
    print_probations(stream, report);
    for (int i = 0; i < row_count_of(report); i++)
        flags |= ladder->rows[i].flags;
    if (flags & LADDER_RESIDUAL)
        plain_text_printf(
            stream,
            "residual: `arena ladder %s --cross` shows results that chance does not explain\n",
            name);
    plain_text_printf(stream, "recompute: arena export %s DIR && arena rate DIR/games.csv%s\n",
                      name, is_live(report) ? " --live" : "");
}

static int print_footer(FILE *stream, const struct report_ladder *report, int width)
{
    char *text = NULL;
    size_t size;
    FILE *notes = memory_stream(&text, &size);

    print_notes(notes, report);
    memory_stream_end(notes);
    plain_text_wrap(stream, text, (size_t)width, 2);
    free(text);
    return 0;
}

/* Takes the places out of the text that no table of the list's games has. */
static void drop_places(const struct report_ladder *report, struct column *array, int count)
{
    const struct store_season *season = &report->standings->season;
    const size_t places = offsetof(struct ladder_row, places);
    int place_count = report->player_count;

    for (int i = 0; i < season->player_count_count && !report->player_count; i++)
        if (season->player_counts[i] > place_count)
            place_count = season->player_counts[i];
    for (int i = 0; i < count; i++)
        if (array[i].offset >= places + (size_t)place_count * sizeof(double) &&
            array[i].offset < places + sizeof((struct ladder_row *)0)->places)
            array[i].forms &= ~(unsigned)TEXT;
}

int report_ladder_print(FILE *stream, const struct report_ladder *report,
                        struct columns_layout layout)
{
    const struct ladder *ladder = ladder_of(report);
    struct columns_rows rows = ladder_rows(report);
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(ladder->list, array);
    int error;

    drop_places(report, array, columns.count);
    if (!(ladder->list & LADDER_IN_PLACE))
        rows.note = "replaced, retired or banned, without a rank:";
    while (rows.note_at < rows.count && ladder->rows[rows.note_at].plays)
        rows.note_at++;
    plain_text_printf(stream, "season %s, %s", report->standings->season.name,
                      is_live(report)                       ? "live list"
                      : report->standings->season.closed_us ? "final list"
                                                            : "all games so far");
    if (report->player_count)
        plain_text_printf(stream, ", %d players", report->player_count);
    fputs("\n\n", stream);
    error = columns_print_text(stream, &columns, &rows, layout);
    fputc('\n', stream);
    print_seats(stream, ladder);
    return error ? error : print_footer(stream, report, layout.width);
}

/* ---- JSON and CSV ---- */

json_t *report_ladder_json(const struct report_ladder *report)
{
    const struct ladder *ladder = ladder_of(report);
    struct columns_rows rows = ladder_rows(report);
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(ladder->list, array);
    int ranked_count;
    double mean = mean_elo(report, &ranked_count);

    return json_pack("{s:s, s:s, s:I, s:I, s:o, s:o}", "season", report->standings->season.name,
                     "list", is_live(report) ? "live" : "final", "games",
                     (json_int_t)ladder->games.game_count, "groups",
                     (json_int_t)ladder->games.group_count, "mean",
                     ranked_count ? json_real(decimals_round(mean, 6)) : json_null(), "rows",
                     columns_json(&columns, &rows, READER_PUBLIC));
}

void report_ladder_print_csv(FILE *stream, const struct report_ladder *report)
{
    struct columns_rows rows = ladder_rows(report);
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(ladder_of(report)->list, array);

    columns_print_csv(stream, &columns, &rows);
}

/* ---- the crosstable ---- */

static void label_of(const struct report_ladder *report, int row,
                     char label[static STANDINGS_LABEL_BYTES])
{
    standings_label(&report->standings->roster, ladder_of(report)->rows[row].entry, label);
}

static struct residual cell_of(const struct report_ladder *report, int a, int b)
{
    const struct ladder *ladder = ladder_of(report);

    if (a == b)
        return (struct residual){.game_count = 0};
    return residual_of(&ladder->games, &ladder->fit, ladder->rows[a].entry, ladder->rows[b].entry);
}

static int add_cell(struct grid *grid, const struct report_ladder *report, int a, int b)
{
    struct residual cell = cell_of(report, a, b);
    char text[64] = "";

    if (cell.game_count)
        snprintf(text, sizeof text, "%.1f/%lld", decimals_round(100 * cell.score, 1),
                 (long long)cell.game_count);
    return grid_add(grid, a == b ? "-" : text);
}

/* Prints the columns from..to - 1 of the crosstable. */
static int print_block(FILE *stream, const struct report_ladder *report,
                       struct columns_layout layout, int from, int to)
{
    char text[STANDINGS_LABEL_BYTES];
    struct grid grid;
    int error = 0;

    grid_init(&grid, 2 + to - from);
    grid.columns[1] =
        (struct grid_column){.left = true, .least_width = layout.width ? LABEL_COLUMNS_MAX : 0};
    error |= grid_add(&grid, "") | grid_add(&grid, "bot");
    for (int j = from; j < to; j++) {
        snprintf(text, sizeof text, "%d", j + 1);
        error |= grid_add(&grid, text);
    }
    for (int i = 0; i < row_count_of(report); i++) {
        snprintf(text, sizeof text, "%d", i + 1);
        error |= grid_add(&grid, text);
        label_of(report, i, text);
        error |= grid_add(&grid, text);
        for (int j = from; j < to; j++)
            error |= add_cell(&grid, report, i, j);
    }
    if (!error)
        grid_print(&grid, stream, layout, 0, NULL);
    grid_finish(&grid);
    return error;
}

/* Prints the crosstable in blocks of as many columns as fit. */
static int print_table(FILE *stream, const struct report_ladder *report,
                       struct columns_layout layout)
{
    int fits =
        layout.width ? (layout.width - LABEL_COLUMNS_MAX - 6) / CELL_COLUMNS : GRID_COLUMNS_MAX;
    int error = 0;

    if (fits < 1)
        fits = 1;
    if (fits > GRID_COLUMNS_MAX - 2)
        fits = GRID_COLUMNS_MAX - 2;
    for (int from = 0; from < row_count_of(report) && !error; from += fits) {
        int to = from + fits < row_count_of(report) ? from + fits : row_count_of(report);

        fputs(from ? "\n" : "", stream);
        error = print_block(stream, report, layout, from, to);
    }
    return error;
}

/*
 * Returns every pair whose result chance does not explain, as JSON: "bot" scored more against
 * "opponent" than the ratings predict.
 */
static json_t *residuals_json(const struct report_ladder *report)
{
    double bound = residual_bound(&ladder_of(report)->games);
    json_t *residuals = json_array();

    for (int i = 0; i < row_count_of(report); i++)
        for (int j = 0; j < row_count_of(report); j++) {
            struct residual cell = cell_of(report, i, j);
            char first[STANDINGS_LABEL_BYTES], second[STANDINGS_LABEL_BYTES];

            if (cell.evidence <= bound || cell.score < cell.expected)
                continue;
            label_of(report, i, first);
            label_of(report, j, second);
            json_array_append_new(residuals,
                                  json_pack("{s:s, s:s, s:I, s:f, s:f}", "bot", first, "opponent",
                                            second, "games", (json_int_t)cell.game_count, "score",
                                            decimals_round(cell.score, 6), "expected",
                                            decimals_round(cell.expected, 6)));
        }
    return residuals;
}

int report_cross_print(FILE *stream, const struct report_ladder *report,
                       struct columns_layout layout)
{
    json_t *residuals = residuals_json(report);
    int error;

    fputs("score in percent of the row's bot against the column's bot / games\n\n", stream);
    error = print_table(stream, report, layout);
    fputs("\nresults that chance does not explain:\n", stream);
    for (size_t i = 0; i < json_array_size(residuals); i++) {
        const char *bot, *opponent;
        double score, expected;
        json_int_t games;

        json_unpack(json_array_get(residuals, i), "{s:s, s:s, s:I, s:f, s:f}", "bot", &bot,
                    "opponent", &opponent, "games", &games, "score", &score, "expected", &expected);
        plain_text_printf(
            stream, "  %s scored %.1f %% in %lld game%s against %s; its rating predicts %.1f %%\n",
            bot, decimals_round(100 * score, 1), (long long)games, plain_text_s(games), opponent,
            decimals_round(100 * expected, 1));
    }
    if (json_array_size(residuals) == 0)
        fputs("  none\n", stream);
    json_decref(residuals);
    return error;
}

static json_t *cell_json(struct residual cell)
{
    return cell.game_count ? json_pack("{s:I, s:f, s:f}", "games", (json_int_t)cell.game_count,
                                       "score", decimals_round(cell.score, 6), "residual",
                                       decimals_round(cell.score - cell.expected, 6))
                           : json_null();
}

json_t *report_cross_json(const struct report_ladder *report)
{
    json_t *names = json_array(), *rows = json_array();

    for (int i = 0; i < row_count_of(report); i++) {
        char label[STANDINGS_LABEL_BYTES];
        json_t *cells = json_array();

        label_of(report, i, label);
        json_array_append_new(names, json_string(label));
        for (int j = 0; j < row_count_of(report); j++)
            json_array_append_new(cells, cell_json(cell_of(report, i, j)));
        json_array_append_new(rows, cells);
    }
    return json_pack("{s:s, s:o, s:o, s:o}", "season", report->standings->season.name, "bots",
                     names, "cross", rows, "residuals", residuals_json(report));
}
