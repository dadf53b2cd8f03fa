#include "arena/report/ladder.h"

#include <math.h>

#include "arena/replay/plain_text.h"
#include "arena/report/decimals.h"

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

/* Returns the mean of the ranked rows' ratings as shown in the list; NAN if there are none. */
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
           : ladder->fit.links.island_count > 1 ? "not all bots are connected by games"
           : ladder->fit.links.set_count > 1
               ? "not all bots are connected by points both ways: distances depend on the prior"
               : "all bots are connected by points both ways";
}

/* Prints who is on probation, and what ends it. */
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
        plain_text_printf(stream,
                          " and plays one\n  group in four batches; %d game%s played to the end "
                          "lift%s it, a new version does not\n",
                          left, left == 1 ? "" : "s", left == 1 ? "s" : "");
    }
}

/* Prints names that share a package, one line per package. */
static void print_same_hashes(FILE *stream, const struct report_ladder *report)
{
    const struct ladder *ladder = ladder_of(report);

    for (int entry = 0; entry < ladder->entry_count; entry++) {
        int told = 0;

        if (ladder->entries[entry].package_entry != entry)
            continue;
        for (int i = 0; i < row_count_of(report); i++) {
            const struct ladder_row *row = &ladder->rows[i];

            if (!(row->flags & LADDER_SAME_HASH) ||
                ladder->entries[row->entry].package_entry != entry)
                continue;
            plain_text_printf(stream, "%s%s", told++ ? ", " : "same package (same_hash): ",
                              name_of(report, row->entry));
        }
        if (told)
            fputc('\n', stream);
    }
}

static void print_footer(FILE *stream, const struct report_ladder *report)
{
    const struct ladder *ladder = ladder_of(report);
    const struct games *games = &ladder->games;
    const char *name = report->standings->season.name;
    int ranked_count;
    double mean = mean_elo(report, &ranked_count);
    unsigned flags = 0;

    plain_text_printf(
        stream, "%lld games in %lld groups, %.1f %% of pairs tied\n", (long long)games->game_count,
        (long long)games->group_count,
        games->pair_count ? 50.0 * (double)games->tie_halves / (double)games->pair_count : 0.0);
    fprintf(stream, "%s\n", connection_of(ladder));
    if (is_live(report))
        fputs("live list: rated group by group, in order; live ratings have no error\n", stream);
    else
        plain_text_printf(
            stream,
            "Elo: all games at once, prior %g Elo; +-: 95 %%, the larger of clustered "
            "and model\n",
            FIT_PRIOR_ELO);
    if (ranked_count)
        plain_text_printf(stream,
                          "400 Elo are odds of 10 to 1; the mean of the %d with a rank is %.1f",
                          ranked_count, decimals_round(mean, 1));
    if (ranked_count && !is_live(report) && ranked_count < ladder->entry_count)
        plain_text_printf(stream, ", of all %d versions %d", ladder->entry_count,
                          LADDER_ANCHOR_ELO);
    fputs(ranked_count ? "\n" : "", stream);
    print_probations(stream, report);
    print_same_hashes(stream, report);
    for (int i = 0; i < row_count_of(report); i++)
        flags |= ladder->rows[i].flags;
    if (flags & LADDER_RESIDUAL)
        plain_text_printf(
            stream, "residual: results that chance does not explain: arena ladder %s --cross\n",
            name);
    plain_text_printf(stream, "recompute: arena export %s DIR && arena rate DIR/games.csv%s\n",
                      name, is_live(report) ? " --live" : "");
}

int report_ladder_print(FILE *stream, const struct report_ladder *report,
                        struct columns_layout layout)
{
    const struct ladder *ladder = ladder_of(report);
    struct ladder_rows rows = {report->standings, ladder};
    struct columns_rows shown = {&rows, row_count_of(report), -1,
                                 "replaced, retired or banned, without a rank:"};
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(ladder->list, array);
    int error;

    if (!(ladder->list & LADDER_IN_PLACE))
        for (shown.note_at = 0; shown.note_at < shown.count; shown.note_at++)
            if (!ladder->rows[shown.note_at].ranked)
                break;
    plain_text_printf(stream, "season %s, %s list", report->standings->season.name,
                      is_live(report) ? "live" : "final");
    if (report->player_count)
        plain_text_printf(stream, ", %d players", report->player_count);
    fputs("\n\n", stream);
    error = columns_print_text(stream, &columns, &shown, layout);
    fputc('\n', stream);
    print_seats(stream, ladder);
    print_footer(stream, report);
    return error;
}

/* ---- JSON and CSV ---- */

json_t *report_ladder_json(const struct report_ladder *report)
{
    const struct ladder *ladder = ladder_of(report);
    struct ladder_rows rows = {report->standings, ladder};
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(ladder->list, array);
    json_t *list = json_array();
    int ranked_count;
    double mean = mean_elo(report, &ranked_count);

    for (int i = 0; i < row_count_of(report); i++)
        json_array_append_new(list, columns_json(&columns, &rows, i));
    return json_pack("{s:s, s:s, s:I, s:I, s:o, s:o}", "season", report->standings->season.name,
                     "list", is_live(report) ? "live" : "final", "games",
                     (json_int_t)ladder->games.game_count, "groups",
                     (json_int_t)ladder->games.group_count, "mean",
                     ranked_count ? json_real(decimals_round(mean, 6)) : json_null(), "rows", list);
}

void report_ladder_print_csv(FILE *stream, const struct report_ladder *report)
{
    struct ladder_rows rows = {report->standings, ladder_of(report)};
    struct columns_rows shown = {&rows, row_count_of(report), -1, NULL};
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(ladder_of(report)->list, array);

    columns_print_csv(stream, &columns, &shown);
}
