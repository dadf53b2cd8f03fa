/* SPDX-License-Identifier: MIT */
/* The lists of docs/ratings.md: every expected output within its stated tolerance. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/elo.h"
#include "arena/rating/fit.h"
#include "arena/rating/sprt.h"
#include "tests/rating/files.h"

enum {
    COLUMNS_MAX = 20,
    ROWS_MAX = 40,
};

/* A table of numbers with one column of names; without its header. */
struct table {
    int row_count;
    char names[ROWS_MAX][32];
    double values[ROWS_MAX][COLUMNS_MAX];
};

/* Reads a table whose names are in column name_column, from 0. */
static struct table read_table(const char *file, int name_column)
{
    struct table table = {0};
    char *text = files_read(file);
    char *rest = text;

    strsep(&rest, "\n");
    for (char *line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n")) {
        int column = 0;

        for (char *cell = strsep(&line, ","); cell; cell = strsep(&line, ","), column++) {
            if (column == name_column) {
                sscanf(cell, "%*[\"]%31[^\"]", table.names[table.row_count]);
                if (*cell != '"')
                    snprintf(table.names[table.row_count], 32, "%s", cell);
            } else {
                table.values[table.row_count][column] = atof(cell);
            }
        }
        table.row_count++;
    }
    free(text);
    cr_assert_gt(table.row_count, 0);
    return table;
}

/* A final list and its expected values; columns of -1 are not compared. */
struct final_case {
    const char *games;
    double prior_elo;
    const char *expected;
    int elo_column;
    double elo_tolerance;
    int model_column;
    int clustered_column;
    double clustered_tolerance; /* relative */
};

static const struct final_case final_cases[] = {
    {"A_unbeaten_results.csv", 350, "A_unbeaten_eo_prior350.csv", 1, 0.01, 2, 3, 0.02},
    {"B_draws_results.csv", 0, "B_draws_eo_flat.csv", 1, 0.01, 2, 3, 0.02},
    {"F_multi_games.csv", 350, "F_multi_batch_prior350_w3m1.csv", 1, 0.01, 2, 3, 0.01},
    {"B_draws_results.csv", 0, "B_draws_ordo_w0.csv", 2, 0.02, -1, -1, 0},
};

/* Both kinds of error are as expected, and the larger one is used. */
static void expect_errors(const struct final_case *row, const double *expected,
                          const struct fit_bot *bot)
{
    double clustered = expected[row->clustered_column];
    double model = expected[row->model_column];

    cr_expect_float_eq(bot->se_clustered_elo, clustered, row->clustered_tolerance * clustered,
                       "%s: clustered %f", row->expected, bot->se_clustered_elo);
    cr_expect_float_eq(bot->se_model_elo, model, 1e-4, "%s: model %f", row->expected,
                       bot->se_model_elo);
    cr_expect_eq(bot->se_elo, fmax(bot->se_clustered_elo, bot->se_model_elo));
}

Test(golden, final_lists_are_as_expected)
{
    for (size_t c = 0; c < sizeof final_cases / sizeof *final_cases; c++) {
        const struct final_case *row = &final_cases[c];
        struct table expected = read_table(row->expected, row->elo_column - 1);
        struct csv csv = files_read_games(row->games);
        struct fit fit;

        cr_assert_eq(fit_init(&fit, &csv.games, row->prior_elo), 0);
        cr_assert_eq(expected.row_count, csv.games.bot_count, "%s", row->expected);
        cr_assert_eq(fit.prior_elo, row->prior_elo);
        for (int r = 0; r < expected.row_count; r++) {
            const struct fit_bot *bot = &fit.bots[files_bot(&csv, expected.names[r])];

            cr_assert_float_eq(bot->elo, expected.values[r][row->elo_column], row->elo_tolerance,
                               "%s %s: %f", row->expected, expected.names[r], bot->elo);
            if (row->model_column >= 0)
                expect_errors(row, expected.values[r], bot);
        }
        fit_finish(&fit);
        csv_finish(&csv);
    }
}

Test(golden, unbeaten_bot_has_the_model_error)
{
    struct table expected = read_table("A_unbeaten_eo_prior350.csv", 0);
    struct csv csv = files_read_games("A_unbeaten_results.csv");
    struct fit fit;

    cr_assert_eq(fit_init(&fit, &csv.games, FIT_PRIOR_ELO), 0);
    const struct fit_bot *bot = &fit.bots[files_bot(&csv, "Unbeaten")];
    cr_assert_str_eq(expected.names[0], "Unbeaten");
    cr_assert_float_eq(bot->se_elo, expected.values[0][2], 1e-4);
    cr_assert(bot->flags & FIT_UNBEATEN);
    fit_finish(&fit);
    csv_finish(&csv);
}

Test(golden, live_list_is_as_expected)
{
    struct table expected = read_table("F_multi_live_elo_group.csv", 0);
    struct csv csv = files_read_games("F_multi_games.csv");
    struct elo_bot bots[ROWS_MAX];

    cr_assert_eq(expected.row_count, csv.games.bot_count);
    elo_rate(&csv.games, NULL, 4, bots, NULL, NULL);
    for (int r = 0; r < expected.row_count; r++) {
        const struct elo_bot *bot = &bots[files_bot(&csv, expected.names[r])];

        cr_assert_float_eq((double)bot->rating_micro / 1e6, expected.values[r][1], 0.01, "%s",
                           expected.names[r]);
        cr_assert_float_eq((double)bot->information_tenths / 10, expected.values[r][2], 1e-9, "%s",
                           expected.names[r]);
    }
    csv_finish(&csv);
}

Test(golden, sprt_is_as_expected)
{
    struct table expected = read_table("sprt_pentanomial_ref.csv", -1);

    for (int r = 0; r < expected.row_count; r++) {
        const double *value = expected.values[r];
        struct sprt sprt;

        cr_assert_eq(sprt_init(&sprt, value[5], value[6], 0.05, 0.05), 0);
        for (int cell = 0; cell < SPRT_CELLS; cell++)
            sprt.counts[cell] = (int64_t)value[cell];
        struct sprt_state state = sprt_evaluate(&sprt);
        cr_assert_float_eq(state.llr, value[10], 1e-6, "row %d: %.9f", r + 1, state.llr);
    }
}
