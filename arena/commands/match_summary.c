#include "arena/commands/match_summary.h"

#include <inttypes.h>
#include <string.h>

#include "arena/report/columns.h"
#include "arena/rating/fit.h"
#include "arena/replay/plain_text.h"

int match_summary_init(struct match_summary *summary, const char *const *names, int bot_count)
{
    *summary = (struct match_summary){.bot_count = bot_count};
    for (int bot = 0; bot < bot_count; bot++)
        summary->bots[bot].name = names[bot];
    for (int pair = 0; pair < bot_count * (bot_count - 1) / 2; pair++) {
        int error = games_init(&summary->pairs[pair], 2);

        if (error < 0) {
            match_summary_finish(summary);
            return error;
        }
    }
    return 0;
}

void match_summary_finish(struct match_summary *summary)
{
    for (int pair = 0; pair < GAMES_PAIRS_MAX; pair++)
        games_finish(&summary->pairs[pair]);
}

/*
 * Adds a game to the games of each pair of bots, as a game of two players. A pair is rated from its
 * own results only, so that its Elo agrees with its score.
 */
static int add_pairs(struct match_summary *summary, int64_t group, const uint8_t *ranks)
{
    int pair = 0, error = 0;

    for (int a = 0; a < summary->bot_count; a++)
        for (int b = a + 1; b < summary->bot_count && !error; b++, pair++) {
            struct games_result game = {.group = group, .player_count = 2, .bots = {0, 1}};

            game.ranks[0] = ranks[a] <= ranks[b] ? 1 : 2;
            game.ranks[1] = ranks[b] <= ranks[a] ? 1 : 2;
            error = games_add(&summary->pairs[pair], &game);
        }
    return error;
}

int match_summary_add(struct match_summary *summary, int64_t group,
                      const int bots[static GAME_PLAYERS_MAX], const struct match *match)
{
    uint8_t ranks[GAME_PLAYERS_MAX] = {0}; /* the rank of each bot */
    struct wire_end result;

    match_result(match, &result);
    for (int seat = 0; seat < summary->bot_count; seat++) {
        int bot = bots[seat];

        ranks[bot] = (uint8_t)result.ranks[seat];
        summary->bots[bot].reason_counts[result.reasons[seat]]++;
        summary->rank_counts[seat][result.ranks[seat] - 1]++;
        for (int other = 0; other < summary->bot_count; other++)
            summary->better_counts[bot][bots[other]] += result.ranks[seat] < result.ranks[other];
    }
    for (size_t i = 0; i < match->decision_count; i++)
        if (!match->decisions[i].by_arena)
            latency_add(&summary->bots[bots[match->events[i].seat]].latency,
                        match->decisions[i].us);
    summary->match_count++;
    return add_pairs(summary, group, ranks);
}

/* ---- tables ---- */

/* Returns the width of the longest name, in columns; at least `least`. */
static int name_width(const struct match_summary *summary, int least)
{
    int width = least;

    for (int bot = 0; bot < summary->bot_count; bot++) {
        const char *name = summary->bots[bot].name;
        int columns = (int)plain_text_columns(name, strlen(name));

        width = columns > width ? columns : width;
    }
    return width;
}

static void print_pair(const struct match_summary *summary, const struct fit *fit, int a, int b,
                       int width, FILE *stream)
{
    int64_t won = summary->better_counts[a][b], lost = summary->better_counts[b][a];
    int64_t count = summary->match_count;
    double score = (double)(won + count - lost) / (double)(2 * count);
    unsigned flags = fit->bots[0].flags | fit->bots[1].flags;

    plain_text_printf(stream, "%-*s - %-*s", width, summary->bots[a].name, width,
                      summary->bots[b].name);
    plain_text_printf(stream,
                      " %6" PRId64 " %6" PRId64 " %6" PRId64 " %6.1f%% %+7.1f %6.1f %6.1f%%%s\n",
                      won, count - won - lost, lost, 100 * score,
                      decimals_round(fit->bots[0].elo - fit->bots[1].elo, 1),
                      FIT_ERROR95 * fit_pair_se(fit, 0, 1), 100 * fit_los(fit, 0, 1),
                      flags & FIT_PROVISIONAL ? " ?" : "");
}

static int print_pairs(struct match_summary *summary, FILE *stream)
{
    int width = name_width(summary, 0), pair = 0;
    unsigned flags = 0;

    plain_text_printf(stream, "%-*s %6s %6s %6s %7s %7s %6s %7s\n", 2 * width + 3, "pair", "won",
                      "tied", "lost", "score", "Elo", "+-", "LOS");
    for (int a = 0; a < summary->bot_count; a++)
        for (int b = a + 1; b < summary->bot_count; b++, pair++) {
            struct fit fit;
            int error = games_settle(&summary->pairs[pair]);

            if (error == 0)
                error = fit_init(&fit, &summary->pairs[pair], FIT_PRIOR_ELO);
            if (error < 0)
                return error;
            print_pair(summary, &fit, a, b, width, stream);
            flags |= fit.bots[0].flags | fit.bots[1].flags;
            fit_finish(&fit);
        }
    if (flags & FIT_PROVISIONAL)
        fputs("?: too few matches to tell\n", stream);
    return 0;
}

static void print_seats(const struct match_summary *summary, FILE *stream)
{
    static const char *const ranks[] = {"1st", "2nd", "3rd", "4th"};

    fputs("seat  ", stream);
    for (int rank = 0; rank < summary->bot_count; rank++)
        plain_text_printf(stream, " %6s", ranks[rank]);
    fputc('\n', stream);
    for (int seat = 0; seat < summary->bot_count; seat++) {
        fprintf(stream, "%-6d", seat);
        for (int rank = 0; rank < summary->bot_count; rank++)
            fprintf(stream, " %6" PRId64, summary->rank_counts[seat][rank]);
        fputc('\n', stream);
    }
}

/* Prints a column for each reason that occurred, and always one for "played". */
static void print_reasons(const struct match_summary *summary, FILE *stream)
{
    int width = name_width(summary, 3);
    bool seen[WIRE_REASON_COUNT] = {[WIRE_PLAYED] = true};

    for (int bot = 0; bot < summary->bot_count; bot++)
        for (int reason = 0; reason < WIRE_REASON_COUNT; reason++)
            seen[reason] |= summary->bots[bot].reason_counts[reason] > 0;
    plain_text_printf(stream, "%-*s", width, "bot");
    for (int reason = 0; reason < WIRE_REASON_COUNT; reason++)
        if (seen[reason])
            plain_text_printf(stream, " %9s", wire_reason_name((enum wire_reason)reason));
    fputc('\n', stream);
    for (int bot = 0; bot < summary->bot_count; bot++) {
        plain_text_printf(stream, "%-*s", width, summary->bots[bot].name);
        for (int reason = 0; reason < WIRE_REASON_COUNT; reason++)
            if (seen[reason])
                fprintf(stream, " %9" PRId64, summary->bots[bot].reason_counts[reason]);
        fputc('\n', stream);
    }
}

static void print_ms(FILE *stream, int64_t us)
{
    fprintf(stream, " %6" PRId64 ".%02" PRId64, us / 1000, us % 1000 / 10);
}

static void print_times(const struct match_summary *summary, FILE *stream)
{
    int width = name_width(summary, 3);

    plain_text_printf(stream, "%-*s %9s %9s %9s   ms a decision\n", width, "bot", "mean", "p99",
                      "max");
    for (int bot = 0; bot < summary->bot_count; bot++) {
        const struct latency *latency = &summary->bots[bot].latency;

        plain_text_printf(stream, "%-*s", width, summary->bots[bot].name);
        print_ms(stream, latency->count > 0 ? latency->sum_us / latency->count : 0);
        print_ms(stream, latency_share_us(latency, 0.99));
        print_ms(stream, latency->max_us);
        fputc('\n', stream);
    }
}

int match_summary_print(struct match_summary *summary, int64_t run_us, FILE *stream)
{
    double seconds = (double)run_us / 1e6;
    int result = print_pairs(summary, stream);

    if (result < 0)
        return result;
    fputc('\n', stream);
    print_seats(summary, stream);
    fputc('\n', stream);
    print_reasons(summary, stream);
    fputc('\n', stream);
    print_times(summary, stream);
    plain_text_printf(stream, "\n%" PRId64 " match%s in %.1f s, %.1f a second\n",
                      summary->match_count, summary->match_count == 1 ? "" : "es", seconds,
                      seconds > 0 ? (double)summary->match_count / seconds : 0);
    return 0;
}
