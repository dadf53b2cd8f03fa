/* SPDX-License-Identifier: MIT */
/* What must be true of every list: the same in any order, exact sums, finite numbers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/elo.h"
#include "arena/rating/fit.h"
#include "arena/rating/past.h"
#include "tests/rating/files.h"

#define GAMES   "game,group,player,seat,rank\n"
#define RESULTS "first,second,first_wins,draws,second_wins\n"

enum {
    BOTS = 12, /* of F_multi_games.csv */
    LINES_MAX = 6000,
};

/* Returns the text with the lines after the first in another order; the caller frees it. */
static char *shuffle_lines(const char *text, uint64_t seed)
{
    char *copy = strdup(text);
    char *shuffled = malloc(strlen(text) + 1);
    char *lines[LINES_MAX];
    char *rest = copy;
    char *at = shuffled;
    size_t count = 0;

    for (char *line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n"))
        lines[count++] = line;
    for (size_t i = count - 1; i > 1; i--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t j = 1 + (size_t)(seed >> 33) % i;
        char *line = lines[i];
        lines[i] = lines[j];
        lines[j] = line;
    }
    for (size_t i = 0; i < count; i++) {
        at = stpcpy(at, lines[i]);
        at = stpcpy(at, "\n");
    }
    free(copy);
    return shuffled;
}

Test(lists, same_bits_in_any_order_of_games)
{
    char *text = files_read("F_multi_games.csv");
    struct csv csv = files_parse(text);
    struct elo_bot live[BOTS];
    struct fit fit;

    elo_rate(&csv.games, NULL, 4, live, NULL, NULL);
    cr_assert_eq(fit_init(&fit, &csv.games, FIT_PRIOR_ELO), 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        char *shuffled_text = shuffle_lines(text, seed);
        struct csv shuffled = files_parse(shuffled_text);
        struct elo_bot shuffled_live[BOTS];
        struct fit shuffled_fit;

        cr_assert(strcmp(shuffled_text, text) != 0);
        elo_rate(&shuffled.games, NULL, 4, shuffled_live, NULL, NULL);
        cr_assert_eq(fit_init(&shuffled_fit, &shuffled.games, FIT_PRIOR_ELO), 0);
        for (int i = 0; i < BOTS; i++) {
            cr_assert_eq(live[i].rating_micro, shuffled_live[i].rating_micro);
            cr_assert(memcmp(&fit.bots[i].elo, &shuffled_fit.bots[i].elo, sizeof(double)) == 0);
        }
        cr_assert(memcmp(fit.pair_se_elo, shuffled_fit.pair_se_elo,
                         BOTS * BOTS * sizeof *fit.pair_se_elo) == 0);
        fit_finish(&shuffled_fit);
        csv_finish(&shuffled);
        free(shuffled_text);
    }
    fit_finish(&fit);
    csv_finish(&csv);
    free(text);
}

Test(lists, live_sum_never_changes)
{
    static const char *const files[] = {"F_multi_games.csv", "A_unbeaten_results.csv",
                                        "B_draws_results.csv"};

    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct csv csv = files_read_games(files[f]);
        struct elo_bot live[BOTS];
        int64_t sum = 0;

        elo_rate(&csv.games, NULL, 0, live, NULL, NULL);
        for (int i = 0; i < csv.games.bot_count; i++)
            sum += live[i].rating_micro - ELO_START_MICRO;
        cr_expect_eq(sum, 0, "%s: %lld", files[f], (long long)sum);
        csv_finish(&csv);
    }
}

Test(lists, live_games_of_a_group_are_rated_at_once)
{
    /*
     * Two games of one group, each bot winning one: no rating changes. In two groups they change.
     */
    struct csv together = files_parse(GAMES "1,0,a,0,1\n1,0,b,1,2\n2,0,b,0,1\n2,0,a,1,2\n");
    struct csv apart = files_parse(GAMES "1,0,a,0,1\n1,0,b,1,2\n2,1,b,0,1\n2,1,a,1,2\n");
    struct elo_bot live[2];

    elo_rate(&together.games, NULL, 0, live, NULL, NULL);
    cr_expect_eq(live[0].rating_micro, ELO_START_MICRO);
    elo_rate(&apart.games, NULL, 0, live, NULL, NULL);
    cr_expect_neq(live[0].rating_micro, ELO_START_MICRO);
    csv_finish(&together);
    csv_finish(&apart);
}

Test(lists, a_new_version_takes_over_rating_but_not_information)
{
    /* a plays b; then its versions a2 and a3, of which only a3 plays; a4 never plays. */
    struct csv csv = files_parse(GAMES "1,0,a,0,1\n1,0,b,1,2\n2,1,a3,0,1\n2,1,b,1,1\n"
                                       "3,2,a,0,1\n3,2,a2,1,1\n4,2,a4,0,1\n4,2,a2,1,1\n");
    const int predecessors[] = {ELO_NOBODY, 0, 1, 2, ELO_NOBODY};
    struct csv before = files_parse(GAMES "1,0,a,0,1\n1,0,b,1,2\n");
    struct elo_bot live[5];
    struct elo_bot first[2];

    elo_rate(&before.games, NULL, 0, first, NULL, NULL);
    cr_expect_eq(first[0].rating_micro, ELO_START_MICRO + 20 * 1000000); /* K = 40, half of it */
    csv.games.table_count = 1;                                           /* group 0 only */
    elo_rate(&csv.games, predecessors, 0, live, NULL, NULL);
    for (int i = 0; i < 4; i++)
        cr_expect_eq(live[i].rating_micro, first[0].rating_micro, "version %d", i + 1);
    csv.games.table_count = 2; /* a3 takes over a's rating, and b has it in hand */
    elo_rate(&csv.games, predecessors, 0, live, NULL, NULL);
    cr_expect_lt(live[2].rating_micro, first[0].rating_micro);
    cr_expect_eq(live[0].rating_micro, first[0].rating_micro);
    cr_expect_eq(live[2].information_tenths, 10);
    cr_expect_eq(live[3].rating_micro, live[2].rating_micro);
    cr_expect_float_eq(elo_k(0, 0), 40, 1e-12);
    cr_expect_float_eq(elo_k(1000000, 4), 4, 1e-12);
    csv_finish(&before);
    csv_finish(&csv);
}

/* Every number of a fit is finite and has the right sign. */
static void expect_sane(const struct fit *fit, const char *rule)
{
    double sum = 0;

    for (int i = 0; i < fit->bot_count; i++) {
        cr_expect(isfinite(fit->bots[i].elo) && isfinite(fit->bots[i].se_elo), "%s", rule);
        cr_expect_geq(fit->bots[i].se_elo, 0, "%s", rule);
        cr_expect(fit->bots[i].rank_best >= 1 &&
                      fit->bots[i].rank_best <= fit->bots[i].rank_worst &&
                      fit->bots[i].rank_worst <= fit->bot_count,
                  "%s", rule);
        sum += fit->bots[i].elo;
        for (int j = 0; j < fit->bot_count; j++) {
            double both = fit_los(fit, i, j) + fit_los(fit, j, i);

            cr_expect_float_eq(both, 1, 1e-12, "%s", rule);
            cr_expect(isfinite(fit_pair_se(fit, i, j)), "%s", rule);
            cr_expect(i == j || fit_pair_se(fit, i, j) > 0, "%s", rule);
        }
    }
    cr_expect_float_eq(sum, 0, 1e-4, "%s", rule);
}

static const struct {
    const char *rule;
    const char *text;
    unsigned first_flags, last_flags; /* of the bots first and last by name */
    int set_count;
    bool replaced; /* the prior, where none is wanted */
} odd_cases[] = {
    {"no game", GAMES, 0, 0, 0, false},
    {"no game, two bots", RESULTS "a,b,0,0,0\n", FIT_UNPLAYED | FIT_UNCONNECTED,
     FIT_UNPLAYED | FIT_UNCONNECTED, 2, true},
    {"one game", RESULTS "a,b,1,0,0\n", FIT_UNBEATEN, FIT_WINLESS, 2, true},
    {"one tie", RESULTS "a,b,0,1,0\n", FIT_UNVARIED, FIT_UNVARIED, 1, false},
    {"all tied", RESULTS "a,b,0,90,0\nb,c,0,90,0\n", FIT_UNVARIED, FIT_UNVARIED, 1, false},
    {"every group shared evenly",
     GAMES
     "1,0,a,0,1\n1,0,b,1,2\n2,0,b,0,1\n2,0,a,1,2\n3,1,a,0,1\n3,1,b,1,2\n4,1,b,0,1\n4,1,a,1,2\n",
     FIT_UNVARIED, FIT_UNVARIED, 1, false},
    {"unbeaten", RESULTS "a,b,50,0,0\nb,c,30,5,20\nc,a,0,0,40\n", FIT_UNBEATEN, 0, 2, true},
    {"winless", RESULTS "a,b,20,5,30\nb,c,30,0,0\nc,a,0,0,40\n", 0, FIT_WINLESS, 2, true},
    {"disconnected", RESULTS "a,b,40,3,30\nc,d,40,1,20\n", FIT_UNCONNECTED, FIT_UNCONNECTED, 2,
     true},
    {"one that never played, beside two", RESULTS "a,b,40,3,30\na,c,0,0,0\n", 0, FIT_UNPLAYED, 2,
     true},
    {"a ladder where each beats the next", RESULTS "a,b,9,0,0\nb,c,9,0,0\nc,d,9,0,0\n",
     FIT_UNBEATEN, FIT_WINLESS, 4, true},
    {"thousands of games to one", RESULTS "a,b,30000,0,1\nb,c,30000,0,1\n", 0, 0, 1, false},
    {"the same, and strangers to it", RESULTS "a,b,30000,30000,30000\nc,d,30000,30000,1\n",
     FIT_UNCONNECTED, FIT_UNCONNECTED, 2, true},
};

Test(lists, odd_sets_give_finite_lists_and_honest_flags)
{
    static const double priors[] = {FIT_PRIOR_NONE, FIT_PRIOR_MIN, FIT_PRIOR_ELO, FIT_PRIOR_MAX};

    for (size_t c = 0; c < sizeof odd_cases / sizeof *odd_cases; c++) {
        struct csv csv = files_parse(odd_cases[c].text);
        int last = csv.games.bot_count - 1;

        for (size_t p = 0; p < sizeof priors / sizeof *priors; p++) {
            struct fit fit;

            cr_assert_eq(fit_init(&fit, &csv.games, priors[p]), 0);
            expect_sane(&fit, odd_cases[c].rule);
            cr_expect_eq(fit.links.set_count, odd_cases[c].set_count, "%s", odd_cases[c].rule);
            cr_expect_eq(fit.prior_replaced, priors[p] == FIT_PRIOR_NONE && odd_cases[c].replaced,
                         "%s", odd_cases[c].rule);
            if (last >= 0) {
                unsigned ignored = FIT_PROVISIONAL;

                cr_expect_eq(fit.bots[0].flags & ~ignored, odd_cases[c].first_flags, "%s: %x",
                             odd_cases[c].rule, fit.bots[0].flags);
                cr_expect_eq(fit.bots[last].flags & ~ignored, odd_cases[c].last_flags, "%s: %x",
                             odd_cases[c].rule, fit.bots[last].flags);
            }
            fit_finish(&fit);
        }
        csv_finish(&csv);
    }
}

/* A version that is new, or whose games are void, is in the list's games without any game. */
Test(lists, one_that_never_played_changes_no_error)
{
    struct csv without = files_parse(RESULTS "a,b,40,3,30\nb,c,9,2,12\n");
    struct csv with = files_parse(RESULTS "a,b,40,3,30\nb,c,9,2,12\na,d,0,0,0\n");
    struct fit two, three;

    cr_assert_eq(fit_init(&two, &without.games, FIT_PRIOR_ELO), 0);
    cr_assert_eq(fit_init(&three, &with.games, FIT_PRIOR_ELO), 0);
    cr_assert_eq(three.bot_count, 4);
    for (int i = 0; i < 3; i++) {
        cr_expect_float_eq(three.bots[i].elo, two.bots[i].elo, 1e-9);
        cr_expect_float_eq(three.bots[i].se_elo, two.bots[i].se_elo, 1e-9);
        cr_expect_float_eq(three.bots[i].se_clustered_elo, two.bots[i].se_clustered_elo, 1e-9);
    }
    fit_finish(&two);
    fit_finish(&three);
    csv_finish(&without);
    csv_finish(&with);
}

Test(lists, few_games_or_a_large_error_are_provisional)
{
    struct csv few = files_parse(RESULTS "a,b,10,9,10\n");
    struct csv enough = files_parse(RESULTS "a,b,10,10,10\n");
    struct csv unbeaten = files_parse(RESULTS "a,b,40,0,0\n");
    struct fit fit;

    cr_assert_eq(fit_init(&fit, &few.games, FIT_PRIOR_ELO), 0);
    cr_expect(fit.bots[0].flags & FIT_PROVISIONAL);
    fit_finish(&fit);
    cr_assert_eq(fit_init(&fit, &enough.games, FIT_PRIOR_ELO), 0);
    cr_expect(!(fit.bots[0].flags & FIT_PROVISIONAL));
    fit_finish(&fit);
    cr_assert_eq(fit_init(&fit, &unbeaten.games, FIT_PRIOR_ELO), 0);
    cr_expect(fit.bots[0].flags & FIT_PROVISIONAL);
    fit_finish(&fit);
    csv_finish(&few);
    csv_finish(&enough);
    csv_finish(&unbeaten);
}

/* Reference values from a separate program that multiplies the matrices of docs/ratings.md. */
static const struct {
    const char *rule;
    const char *text;
    double elo[4], se_clustered[4];
    double pair_se; /* of a and c */
} group_cases[] = {
    {"three tables of one group, two of the other",
     GAMES "1,0,a,0,1\n1,0,b,1,2\n2,0,b,0,1\n2,0,c,1,2\n3,0,c,0,1\n3,0,a,1,2\n4,1,a,0,1\n"
           "4,1,c,1,2\n5,1,a,0,1\n5,1,b,1,2\n",
     {105.21761592648546, -52.60880796324272, -52.60880796324272},
     {119.08599741531125, 59.54299870765565, 59.54299870765562},
     209.1541423780236},
    {"the same tables, a group each",
     GAMES "1,0,a,0,1\n1,0,b,1,2\n2,2,b,0,1\n2,2,c,1,2\n3,3,c,0,1\n3,3,a,1,2\n4,1,a,0,1\n"
           "4,1,c,1,2\n5,4,a,0,1\n5,4,b,1,2\n",
     {105.21761592648546, -52.60880796324272, -52.60880796324272},
     {114.4644025619091, 104.69502804308247, 142.73688439782012},
     236.62372312589676},
    {"tables of 2, 3 and 4 in one group",
     GAMES "1,0,a,0,1\n1,0,b,1,2\n2,0,a,0,2\n2,0,c,1,1\n2,0,d,2,3\n3,0,d,0,1\n3,0,b,1,2\n"
           "3,0,c,2,2\n3,0,a,3,4\n4,1,a,0,1\n4,1,b,1,2\n4,1,c,2,3\n5,1,b,0,1\n5,1,d,1,2\n"
           "6,2,c,0,1\n6,2,d,1,1\n7,2,a,0,1\n7,2,d,1,2\n7,2,b,2,3\n8,3,b,0,1\n8,3,c,1,2\n",
     {74.3259293636757, -11.049427645521236, -36.88038657445841, -26.39611514369595},
     {107.23800199825422, 78.07122689496957, 106.15662868310467, 51.19117334560992},
     206.72339598133595},
};

Test(lists, a_group_of_several_tables_counts_as_one)
{
    for (size_t c = 0; c < sizeof group_cases / sizeof *group_cases; c++) {
        struct csv csv = files_parse(group_cases[c].text);
        struct fit fit;

        cr_assert_eq(fit_init(&fit, &csv.games, FIT_PRIOR_ELO), 0);
        for (int i = 0; i < csv.games.bot_count; i++) {
            cr_expect_float_eq(fit.bots[i].elo, group_cases[c].elo[i], 1e-6, "%s: elo %f",
                               group_cases[c].rule, fit.bots[i].elo);
            cr_expect_float_eq(fit.bots[i].se_clustered_elo, group_cases[c].se_clustered[i], 1e-6,
                               "%s: se %f", group_cases[c].rule, fit.bots[i].se_clustered_elo);
        }
        cr_expect_float_eq(fit_pair_se(&fit, 0, 2), group_cases[c].pair_se, 1e-6, "%s: %f",
                           group_cases[c].rule, fit_pair_se(&fit, 0, 2));
        fit_finish(&fit);
        csv_finish(&csv);
    }
}

Test(lists, equal_bots_stand_by_name)
{
    struct csv csv = files_read_games("A_unbeaten_results.csv");
    struct fit fit;
    int order[8];

    cr_assert_eq(fit_init(&fit, &csv.games, FIT_PRIOR_ELO), 0);
    fit_order(&fit, order);
    cr_expect_eq(order[0], files_bot(&csv, "Unbeaten"));
    cr_expect_eq(order[3], files_bot(&csv, "E"));
    cr_expect_eq(order[4], files_bot(&csv, "F"));
    fit_finish(&fit);
    csv_finish(&csv);
}

/* By definition: b is in a's set if links lead from a to b and from b to a. */
Test(lists, sets_are_those_that_points_lead_around_in)
{
    enum {
        FIELD = 7
    };
    uint64_t seed = 1;

    for (int round = 0; round < 300; round++) {
        bool reaches[FIELD][FIELD] = {{false}};
        struct games games;
        struct fit fit;

        cr_assert_eq(games_init(&games, FIELD), 0);
        for (int game = 0; game < 4 + round % 9; game++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            int winner = (int)(seed >> 33) % FIELD;
            int loser = (winner + 1 + (int)(seed >> 40) % (FIELD - 1)) % FIELD;
            struct games_result result = {game, 2, {(uint16_t)winner, (uint16_t)loser}, {1, 2}};

            cr_assert_eq(games_add(&games, &result), 0);
            reaches[winner][loser] = true;
        }
        cr_assert_eq(games_settle(&games), 0);
        cr_assert_eq(fit_init(&fit, &games, FIT_PRIOR_ELO), 0);
        for (int via = 0; via < FIELD; via++)
            for (int a = 0; a < FIELD; a++)
                for (int b = 0; b < FIELD; b++)
                    reaches[a][b] |= reaches[a][via] && reaches[via][b];
        int first_seen = 0;
        for (int a = 0; a < FIELD; a++) {
            for (int b = 0; b < FIELD; b++)
                cr_expect_eq(fit.links.sets[a] == fit.links.sets[b],
                             a == b || (reaches[a][b] && reaches[b][a]), "round %d", round);
            cr_expect_leq(fit.links.sets[a], first_seen);
            first_seen += fit.links.sets[a] == first_seen;
        }
        cr_expect_eq(fit.links.set_count, first_seen);
        fit_finish(&fit);
        games_finish(&games);
    }
}

/* What is wrong with past lists. */
struct past_fits {
    const struct csv *csv;
    const int64_t *groups;
    double largest; /* difference from the fit, in Elo */
    int unlike;     /* bots that had played by one and not by the other */
};

/* Compares a list with the fit of the games of its groups alone, a past_fn. */
static int compare_past(void *context, int at, const double *elo, const bool *played)
{
    struct past_fits *past = context;
    const struct games *all = &past->csv->games;
    struct games games;
    struct fit fit;

    cr_assert_eq(games_init(&games, all->bot_count), 0);
    games.tables = calloc(all->table_count, sizeof *games.tables);
    for (size_t i = 0; i < all->table_count; i++)
        if (all->tables[i].group <= past->groups[at])
            games.tables[games.table_count++] = all->tables[i];
    cr_assert_eq(games_settle(&games), 0);
    cr_assert_eq(fit_init(&fit, &games, FIT_PRIOR_ELO), 0);
    for (int i = 0; i < all->bot_count; i++) {
        bool has_table = false;

        for (size_t t = 0; t < games.table_count; t++)
            for (int seat = 0; seat < games.tables[t].player_count; seat++)
                has_table = has_table || games.tables[t].bots[seat] == i;
        past->largest = fmax(past->largest, fabs(fit.bots[i].elo - elo[i]));
        past->unlike += played[i] != has_table;
    }
    fit_finish(&fit);
    games_finish(&games);
    return 0;
}

Test(lists, past_lists_are_fits_of_the_games_until_then)
{
    static const struct {
        const char *rule, *text;
        int64_t groups[4];
    } rows[] = {
        {"a field of twelve", NULL, {0, 40, 700, INT64_MAX}},
        {"one bot takes all",
         GAMES "1,1,a,0,1\n1,1,b,1,2\n2,2,a,0,1\n2,2,b,1,2\n3,3,c,0,1\n3,3,d,1,2\n",
         {0, 1, 2, INT64_MAX}},
        {"no game until then", GAMES "1,9,a,0,1\n1,9,b,1,2\n", {0, 1, 8, INT64_MAX}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = rows[i].text ? strdup(rows[i].text) : files_read("F_multi_games.csv");
        struct csv csv = files_parse(text);
        struct past_fits past = {&csv, rows[i].groups, 0, 0};

        cr_expect_eq(past_rate(&csv.games, rows[i].groups, 4, compare_past, &past), 0);
        cr_expect_lt(past.largest, 0.1, "%s: %f Elo from the fit", rows[i].rule, past.largest);
        cr_expect_eq(past.unlike, 0, "%s: played", rows[i].rule);
        csv_finish(&csv);
        free(text);
    }
}
