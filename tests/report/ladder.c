/* A ladder in every form, completely compared with tests/golden/ladder.txt. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/report/ladder.h"
#include "tests/golden.h"
#include "tests/report/field.h"

static const struct {
    const char *title;
    unsigned list;
    int width;
    bool color;
} texts[] = {
    {"final, 80 columns", LADDER_FINAL, 80, false},
    {"final, 110 columns, in color", LADDER_FINAL, 110, true},
    {"final, wide", LADDER_FINAL, 0, false},
    {"final, all in place", LADDER_FINAL | LADDER_IN_PLACE, 80, false},
    {"live", LADDER_LIVE, 80, false},
};

/* Prints a line per key, and one per item of an array. */
static void print_json(FILE *file, json_t *value)
{
    const char *key;
    json_t *of;

    json_object_foreach(value, key, of)
    {
        fprintf(file, "%s\n", key);
        for (size_t i = 0; i < (json_is_array(of) ? json_array_size(of) : 1); i++) {
            json_dumpf(json_is_array(of) ? json_array_get(of, i) : of, file,
                       JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
            fputc('\n', file);
        }
    }
    json_decref(value);
}

static void describe(FILE *file)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct standings standings;
        struct report_ladder report = {&standings, 0};
        struct columns_layout layout = {texts[i].width, texts[i].color};

        field_init(&standings, texts[i].list);
        fprintf(file, "==== %s\n", texts[i].title);
        cr_assert_eq(report_ladder_print(file, &report, layout), 0);
        standings_finish(&standings);
    }
    for (unsigned list = LADDER_FINAL; list <= LADDER_LIVE; list++) {
        struct standings standings;
        struct report_ladder report = {&standings, 0};

        field_init(&standings, list);
        fprintf(file, "==== csv %u\n", list);
        report_ladder_print_csv(file, &report);
        fprintf(file, "==== json %u\n", list);
        print_json(file, report_ladder_json(&report));
        standings_finish(&standings);
    }
}

static void describe_cross(FILE *file)
{
    struct standings standings;
    struct report_ladder report = {&standings, 0};

    field_init(&standings, LADDER_FINAL);
    fputs("==== cross\n", file);
    cr_assert_eq(report_cross_print(file, &report, (struct columns_layout){.width = 80}), 0);
    fputs("==== cross json\n", file);
    print_json(file, report_cross_json(&report));
    standings_finish(&standings);
}

Test(ladder, is_one_golden_text)
{
    char *made = NULL;
    size_t size;
    FILE *file = open_memstream(&made, &size);

    describe(file);
    describe_cross(file);
    fclose(file);
    golden_expect("ladder.txt", made);
    free(made);
}

Test(ladder, no_line_is_wider_than_it_may_be)
{
    for (int width = 80; width <= 200; width += 8) {
        struct standings standings;
        struct report_ladder report = {&standings, 0};
        char *text = NULL, *rest;
        size_t size = 0;
        FILE *file = open_memstream(&text, &size);

        field_init(&standings, LADDER_FINAL);
        cr_assert_eq(report_ladder_print(file, &report, (struct columns_layout){.width = width}),
                     0);
        fclose(file);
        rest = strstr(text, "\n\n") + 2; /* the table */
        *strstr(rest, "\n\n") = '\0';
        for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
            cr_expect_leq(strlen(line), (size_t)width, "%s", line);
        free(text);
        standings_finish(&standings);
    }
}

Test(ladder, versions_that_play_no_more_hold_no_rank)
{
    struct standings standings;
    const struct ladder *ladder = &standings.ladders[0];
    int ranked = 0, worst = 0;
    double mean = 0, told;
    json_t *json;

    field_init(&standings, LADDER_FINAL);
    for (int i = 0; i < standings.row_counts[0]; i++) {
        const struct ladder_row *row = &ladder->rows[i];
        bool plays = row->entry != FIELD_BEE_1 && row->entry != FIELD_CAT;

        cr_expect_eq(row->ranked, plays);
        cr_expect(plays == (i < FIELD_ENTRIES - 2), "those that play no more are listed last");
        cr_expect_eq(row->rank_best > 0, plays);
        cr_expect(plays || isnan(row->los_next));
        ranked += plays;
        worst = row->rank_worst > worst ? row->rank_worst : worst;
        mean += plays ? row->elo : 0;
    }
    cr_expect_eq(ranked, FIELD_ENTRIES - 2);
    cr_expect_eq(worst, ranked, "ranks run to the number of those that play");
    json = report_ladder_json(&(struct report_ladder){&standings, 0});
    told = json_number_value(json_object_get(json, "mean"));
    cr_expect_float_eq(told, mean / ranked, 1e-6, "the mean that is told is theirs");
    json_decref(json);
    standings_finish(&standings);
}

Test(ladder, a_score_that_chance_does_not_explain_is_flagged)
{
    struct standings standings;
    const struct ladder *ladder = &standings.ladders[0];
    json_t *json, *residuals;

    field_init(&standings, LADDER_FINAL);
    for (int i = 0; i < standings.row_counts[0]; i++)
        cr_expect_eq(!!(ladder->rows[i].flags & LADDER_RESIDUAL),
                     ladder->rows[i].entry == FIELD_FOX || ladder->rows[i].entry == FIELD_GNU,
                     "entry %d", ladder->rows[i].entry);
    json = report_cross_json(&(struct report_ladder){&standings, 0});
    residuals = json_object_get(json, "residuals");
    cr_assert_eq(json_array_size(residuals), 1);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(residuals, 0), "bot")),
                     "gnu");
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(residuals, 0), "opponent")),
                     "fox");
    json_decref(json);
    standings_finish(&standings);
}

Test(ladder, same_package_and_probation_are_told)
{
    struct standings standings;
    const struct ladder *ladder = &standings.ladders[0];

    field_init(&standings, LADDER_FINAL);
    for (int i = 0; i < standings.row_counts[0]; i++) {
        const struct ladder_row *row = &ladder->rows[i];

        cr_expect_eq(!!(row->flags & LADDER_SAME_HASH),
                     row->entry == FIELD_ANT || row->entry == FIELD_DOG);
        cr_expect_eq(!!(row->flags & LADDER_PROBATION), row->entry == FIELD_EEL);
    }
    standings_finish(&standings);
}
