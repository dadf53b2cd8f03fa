#include "arena/commands/ladder_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/decimals.h"
#include "arena/replay/plain_text.h"
#include "arena/season/csv_field.h"

static const struct ladder *ladder_of(const struct ladder_print *print)
{
    return &print->standings->ladders[print->player_count];
}

static int row_count_of(const struct ladder_print *print)
{
    return print->standings->row_counts[print->player_count];
}

static const struct store_bot *bot_of(const struct ladder_print *print,
                                      const struct ladder_row *row)
{
    return &print->standings->roster.members[row->entry].bot;
}

/* Terminal columns of UTF-8, a character each, for padding. */
static int columns_of(const char *text)
{
    int columns = 0;

    for (; *text; text++)
        columns += (*text & 0xc0) != 0x80;
    return columns;
}

static int wider(int width, const char *text)
{
    return columns_of(text) > width ? columns_of(text) : width;
}

static void print_padded(const char *text, int width)
{
    plain_text_printf(stdout, "  %s%*s", text, width - columns_of(text), "");
}

/* ---- the table ---- */

struct widths {
    int name, version, author, language;
};

static struct widths measure(const struct ladder_print *print)
{
    struct widths widths = {3, 7, 6, 8};

    for (int i = 0; i < row_count_of(print); i++) {
        const struct store_bot *bot = bot_of(print, &ladder_of(print)->rows[i]);

        widths.name = wider(widths.name, bot->name);
        widths.version = wider(widths.version, bot->version);
        widths.author = wider(widths.author, bot->author);
        widths.language = wider(widths.language, bot->language);
    }
    return widths;
}

/* "3 timeout, 1 crash" */
static void print_forfeits(const struct ladder_row *row)
{
    const char *before = "  ";

    for (int reason = 0; reason < WIRE_REASON_COUNT; reason++) {
        if (row->forfeits[reason] == 0)
            continue;
        plain_text_printf(stdout, "%s%lld %s", before, (long long)row->forfeits[reason],
                          wire_reason_name((enum wire_reason)reason));
        before = ", ";
    }
}

static void print_flags(const struct ladder_row *row)
{
    if (row->provisional)
        fputs("  ?", stdout);
    for (unsigned flag = 1; flag && flag <= row->flags; flag <<= 1)
        if (row->flags & flag)
            plain_text_printf(stdout, "  %s", ladder_flag_name(flag));
}

static void print_row(const struct ladder_print *print, const struct ladder_row *row,
                      const struct widths *widths)
{
    const struct store_bot *bot = bot_of(print, row);
    char ranks[32], los[16] = "";

    snprintf(ranks, sizeof ranks, row->rank_best == row->rank_worst ? "%d" : "%d-%d",
             row->rank_best, row->rank_worst);
    if (!isnan(row->los_next))
        snprintf(los, sizeof los, "%.1f", decimals_round(100 * row->los_next, 1));
    plain_text_printf(stdout, "%7s", ranks);
    print_padded(bot->name, widths->name);
    print_padded(bot->version, widths->version);
    print_padded(bot->author, widths->author);
    print_padded(bot->language, widths->language);
    plain_text_printf(stdout, " %7.1f %6.1f %+7.1f %5s %7lld %7lld %6.1f",
                      decimals_round(row->elo, 1), decimals_round(row->error95, 1),
                      decimals_round(row->change, 1), los, (long long)row->game_count,
                      (long long)row->group_count, decimals_round(100 * row->score, 1));
    for (int place = 0; place < GAME_PLAYERS_MAX; place++)
        printf(" %5.1f", decimals_round(100 * row->places[place], 1));
    printf(" %6lld %7.1f %8.2f %8.2f %8.2f", (long long)row->shared_win_count,
           decimals_round(row->opponents_elo, 1), (double)row->us_mean / 1000,
           (double)row->us_p99 / 1000, (double)row->us_max / 1000);
    print_flags(row);
    print_forfeits(row);
    putchar('\n');
}

static void print_seats(const struct ladder *ladder)
{
    for (int players = GAME_PLAYERS_MIN; players <= GAME_PLAYERS_MAX; players++) {
        const struct games_seat *seats = ladder->games.seats[players];

        if (seats[0].game_count == 0)
            continue;
        printf("score by seat, %d players:", players);
        for (int seat = 0; seat < players; seat++) {
            double count = (double)seats[seat].game_count, most = 2.0 * (players - 1);
            double mean = (double)seats[seat].halves / count;
            double variance = (double)seats[seat].halves_squared / count - mean * mean;
            double error = variance > 0 ? FIT_ERROR95 * sqrt(variance / count) : 0;

            plain_text_printf(stdout, "%s seat %d %.1f +- %.1f %%", seat ? "," : "", seat,
                              100 * mean / most, 100 * error / most);
        }
        putchar('\n');
    }
}

static void print_footer(const struct ladder_print *print)
{
    const struct ladder *ladder = ladder_of(print);
    const struct games *games = &ladder->games;
    const char *name = print->standings->season.name;

    plain_text_printf(
        stdout, "%lld games in %lld groups, %.1f %% of pairs tied; %s\n",
        (long long)games->game_count, (long long)games->group_count,
        games->pair_count ? 50.0 * (double)games->tie_halves / (double)games->pair_count : 0.0,
        games->game_count == 0               ? "no games yet"
        : ladder->fit.links.island_count > 1 ? "not all bots are connected by games"
        : ladder->fit.links.set_count > 1
            ? "connected, but not by points both ways: distances rest on the prior"
            : "all bots are connected by points both ways");
    plain_text_printf(
        stdout,
        "%s; 400 Elo are odds of 10 to 1; the mean is %d; prior %g Elo; errors by group, 95 %%; "
        "times in ms a decision\n",
        print->list == LADDER_FINAL ? "final list: actual points equal expected ones"
                                    : "live list: each group as it came; errors of the final list",
        LADDER_ANCHOR_ELO, FIT_PRIOR_ELO);
    plain_text_printf(stdout, "recompute: arena export %s DIR && arena rate DIR/games.csv%s\n",
                      name, print->list == LADDER_LIVE ? " --live" : "");
}

void ladder_print_text(const struct ladder_print *print)
{
    struct widths widths = measure(print);

    plain_text_printf(stdout, "season %s, %s", print->standings->season.name,
                      print->list == LADDER_FINAL ? "final list" : "live list");
    if (print->player_count)
        printf(", %d players", print->player_count);
    plain_text_printf(
        stdout,
        "\n\n%7s  %-*s  %-*s  %-*s  %-*s %7s %6s %7s %5s %7s %7s %6s %5s %5s %5s %5s %6s %7s "
        "%8s %8s %8s\n",
        "rank", widths.name, "bot", widths.version, "version", widths.author, "author",
        widths.language, "language", "Elo", "+-", "change", "LOS%", "games", "groups", "score%",
        "1st%", "2nd%", "3rd%", "4th%", "shared", "oppon.", "mean", "p99", "max");
    for (int i = 0; i < row_count_of(print); i++)
        print_row(print, &ladder_of(print)->rows[i], &widths);
    putchar('\n');
    print_seats(ladder_of(print));
    print_footer(print);
}

/* ---- JSON ---- */

static json_t *number(double value, int decimals)
{
    return isnan(value) ? json_null() : json_real(decimals_round(value, decimals));
}

static json_t *flags_json(unsigned flags)
{
    json_t *names = json_array();

    for (unsigned flag = 1; flag && flag <= flags; flag <<= 1)
        if (flags & flag)
            json_array_append_new(names, json_string(ladder_flag_name(flag)));
    return names;
}

static json_t *row_json(const struct ladder_print *print, const struct ladder_row *row)
{
    const struct store_bot *bot = bot_of(print, row);
    json_t *places = json_array();
    json_t *forfeits = json_object();

    for (int place = 0; place < GAME_PLAYERS_MAX; place++)
        json_array_append_new(places, number(row->places[place], 6));
    for (int reason = 0; reason < WIRE_REASON_COUNT; reason++)
        if (row->forfeits[reason])
            json_object_set_new(forfeits, wire_reason_name((enum wire_reason)reason),
                                json_integer(row->forfeits[reason]));
    return json_pack(
        "{s:i, s:i, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:I, s:o,"
        " s:{s:o, s:o, s:o}, s:o, s:b, s:o}",
        "rank_best", row->rank_best, "rank_worst", row->rank_worst, "name", bot->name, "version",
        bot->version, "author", bot->author, "language", bot->language, "elo", number(row->elo, 6),
        "error95", number(row->error95, 6), "los_next", number(row->los_next, 6), "games",
        (json_int_t)row->game_count, "groups", (json_int_t)row->group_count, "score",
        number(row->score, 6), "places", places, "shared", (json_int_t)row->shared_win_count,
        "opponents", number(row->opponents_elo, 6), "ms", "mean",
        number((double)row->us_mean / 1000, 3), "p99", number((double)row->us_p99 / 1000, 3), "max",
        number((double)row->us_max / 1000, 3), "forfeits", forfeits, "provisional",
        row->provisional, "flags", flags_json(row->flags));
}

json_t *ladder_print_json(const struct ladder_print *print)
{
    const struct games *games = &ladder_of(print)->games;
    json_t *rows = json_array();

    for (int i = 0; i < row_count_of(print); i++)
        json_array_append_new(rows, row_json(print, &ladder_of(print)->rows[i]));
    return json_pack("{s:s, s:I, s:I, s:o}", "season", print->standings->season.name, "games",
                     (json_int_t)games->game_count, "groups", (json_int_t)games->group_count,
                     "rows", rows);
}

/* ---- CSV ---- */

static void print_csv_row(const struct ladder_print *print, const struct ladder_row *row)
{
    const struct store_bot *bot = bot_of(print, row);
    const char *const texts[] = {bot->name, bot->version, bot->author, bot->language};
    const char *before = "";

    printf("%d,%d", row->rank_best, row->rank_worst);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        putchar(',');
        csv_field_write(stdout, texts[i]);
    }
    printf(",%.3f,%.3f,%.3f,", decimals_round(row->elo, 3), decimals_round(row->error95, 3),
           decimals_round(row->change, 3));
    if (!isnan(row->los_next))
        printf("%.4f", row->los_next);
    printf(",%lld,%lld,%.4f", (long long)row->game_count, (long long)row->group_count, row->score);
    for (int place = 0; place < GAME_PLAYERS_MAX; place++)
        printf(",%.4f", row->places[place]);
    printf(",%lld,%.3f,%.3f,%.3f,%.3f", (long long)row->shared_win_count,
           decimals_round(row->opponents_elo, 3), (double)row->us_mean / 1000,
           (double)row->us_p99 / 1000, (double)row->us_max / 1000);
    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        printf(",%lld", (long long)row->forfeits[reason]);
    plain_text_printf(stdout, ",%s,", row->provisional ? "?" : "");
    for (unsigned flag = 1; flag && flag <= row->flags; flag <<= 1) {
        if (!(row->flags & flag))
            continue;
        plain_text_printf(stdout, "%s%s", before, ladder_flag_name(flag));
        before = " ";
    }
    putchar('\n');
}

void ladder_print_csv(const struct ladder_print *print)
{
    fputs("rank_best,rank_worst,name,version,author,language,elo,error95,change,los_next,games,"
          "groups,score,first,second,third,fourth,shared,opponents,ms_mean,ms_p99,ms_max",
          stdout);
    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        plain_text_printf(stdout, ",%s", wire_reason_name((enum wire_reason)reason));
    puts(",provisional,flags");
    for (int i = 0; i < row_count_of(print); i++)
        print_csv_row(print, &ladder_of(print)->rows[i]);
}

/* ---- the crosstable ---- */

struct cell {
    int64_t game_count;
    double score;    /* of the row's bot against the column's, 0..1 */
    double expected; /* by their ratings */
};

static struct cell cell_of(const struct ladder *ladder, int a, int b)
{
    const struct games_pair *pair = games_pair_of(&ladder->games, a < b ? a : b, a < b ? b : a);
    struct cell cell = {.game_count = pair->game_count,
                        .expected = elo_expected(ladder->ratings[a] - ladder->ratings[b])};

    if (pair->game_count)
        cell.score = (double)games_halves(&ladder->games, a, b) / (2.0 * (double)pair->game_count);
    return cell;
}

/* One table of the two: scores with games, or residuals. */
static void print_cross_table(const struct ladder_print *print, int width, bool residuals)
{
    const struct ladder *ladder = ladder_of(print);
    int count = row_count_of(print);
    char label[STANDINGS_LABEL_BYTES];

    plain_text_printf(stdout, "%*s", width + 4, "");
    for (int i = 0; i < count; i++)
        printf(" %11d", i + 1);
    putchar('\n');
    for (int i = 0; i < count; i++) {
        standings_label(&print->standings->roster, ladder->rows[i].entry, label);
        printf("%3d", i + 1);
        print_padded(label, width);
        for (int j = 0; j < count; j++) {
            struct cell cell = i == j
                                   ? (struct cell){.game_count = 0}
                                   : cell_of(ladder, ladder->rows[i].entry, ladder->rows[j].entry);

            if (cell.game_count == 0)
                plain_text_printf(stdout, " %11s", i == j ? "-" : "");
            else if (residuals)
                printf(" %+11.1f", decimals_round(100 * (cell.score - cell.expected), 1));
            else
                printf(" %5.1f/%-5lld", decimals_round(100 * cell.score, 1),
                       (long long)cell.game_count);
        }
        putchar('\n');
    }
}

void ladder_print_cross(const struct ladder_print *print)
{
    char label[STANDINGS_LABEL_BYTES];
    int width = 3;

    for (int i = 0; i < row_count_of(print); i++) {
        standings_label(&print->standings->roster, ladder_of(print)->rows[i].entry, label);
        width = wider(width, label);
    }
    puts("score in percent of the row's bot against the column's / games\n");
    print_cross_table(print, width, false);
    puts("\nresidual: score less what the ratings say, in percent\n");
    print_cross_table(print, width, true);
}

json_t *ladder_print_cross_json(const struct ladder_print *print)
{
    const struct ladder *ladder = ladder_of(print);
    json_t *names = json_array();
    json_t *rows = json_array();

    for (int i = 0; i < row_count_of(print); i++) {
        char label[STANDINGS_LABEL_BYTES];
        json_t *cells = json_array();

        standings_label(&print->standings->roster, ladder->rows[i].entry, label);
        json_array_append_new(names, json_string(label));
        for (int j = 0; j < row_count_of(print); j++) {
            struct cell cell = i == j
                                   ? (struct cell){.game_count = 0}
                                   : cell_of(ladder, ladder->rows[i].entry, ladder->rows[j].entry);

            json_array_append_new(cells, cell.game_count
                                             ? json_pack("{s:I, s:o, s:o}", "games",
                                                         (json_int_t)cell.game_count, "score",
                                                         number(cell.score, 6), "residual",
                                                         number(cell.score - cell.expected, 6))
                                             : json_null());
        }
        json_array_append_new(rows, cells);
    }
    return json_pack("{s:s, s:o, s:o}", "season", print->standings->season.name, "bots", names,
                     "cross", rows);
}
