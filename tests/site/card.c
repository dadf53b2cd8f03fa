/* SPDX-License-Identifier: MIT */
/* What the pictures of a season say. */
#include <criterion/criterion.h>

#include "arena/site/card.h"

static struct roster_member members[] = {
    {.bot.name = "ant"}, {.bot.name = "ref"}, {.bot.name = "old"}};

Test(card, counts_the_bots_that_play_ranked_or_not)
{
    static const struct {
        const char *rule;
        bool ant_is_ranked;
        size_t shown_count;
    } rows[] = {{"only reference bots play", false, 0}, {"one has a rank", true, 1}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ladder_row ladder[] = {
            {.entry = 0, .plays = true, .ranked = rows[i].ant_is_ranked, .game_count = 5},
            {.entry = 1, .plays = true, .game_count = 5},
            {.entry = 2, .game_count = 5},
        };
        const struct standings standings = {.season.name = "cup",
                                            .roster = {.members = members, .count = 3},
                                            .ladders[0].rows = ladder,
                                            .row_counts[0] = 3};
        json_t *card = card_of_season(&standings);

        cr_expect_eq(json_integer_value(json_object_get(json_object_get(card, "played"), "bots")),
                     2, "%s", rows[i].rule);
        cr_expect_eq(json_array_size(json_object_get(card, "rows")), rows[i].shown_count, "%s",
                     rows[i].rule);
        json_decref(card);
    }
}
