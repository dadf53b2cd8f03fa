/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/person/dialog.h"
#include "engine/draw.h"

static struct dialog dialog;

static char *item_words(size_t item)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    dialog_write_item(stream, &dialog, item);
    fclose(stream);
    return text;
}

static enum dialog_outcome type_number(size_t number)
{
    char line[24];

    snprintf(line, sizeof line, "%zu", number);
    return dialog_take(&dialog, line);
}

/* Types the numbers that lead to that action of the list. */
static void choose(size_t wanted)
{
    for (int step = 0; !dialog.chosen && step < DIALOG_STEPS_MAX; step++) {
        size_t item = 0;

        while (item < dialog.item_count &&
               wanted >= dialog.items[item].first + dialog.items[item].count)
            item++;
        cr_assert(item < dialog.item_count);
        cr_assert(type_number(item + 1) == DIALOG_AGAIN);
        cr_assert(*dialog.message == '\0', "%s", dialog.message);
    }
}

/* Checks that the items of a step are complete and in order, and that each has different words. */
static void check_step(void)
{
    struct choices part = dialog.steps[dialog.step_count - 1];
    size_t next = part.first;
    char *words[CHOICES_MAX];

    cr_assert(dialog.item_count >= 1 && dialog.item_count <= CHOICES_MAX);
    cr_assert(part.count == 1 || dialog.item_count > 1);
    for (size_t i = 0; i < dialog.item_count; i++) {
        int space, cost;

        cr_assert(dialog.items[i].first == next);
        next += dialog.items[i].count;
        words[i] = item_words(i);
        if (sscanf(words[i], "space %d, which costs %d", &space, &cost) == 2)
            cr_assert(space >= 1 && space <= GAME_SPACES, "not as the board is drawn: %s",
                      words[i]);
        cr_assert(*words[i], "an item without words");
        for (size_t other = 0; other < i; other++)
            cr_assert(strcmp(words[other], words[i]) != 0, "twice: %s", words[i]);
    }
    cr_assert(next == part.first + part.count);
    for (size_t i = 0; i < dialog.item_count; i++)
        free(words[i]);
}

static void check_every_action(const struct game *game)
{
    dialog_begin(&dialog, game);
    for (size_t i = 0; i < dialog.steps[0].count; i += 1 + dialog.steps[0].count / 16) {
        dialog_begin(&dialog, game);
        check_step();
        choose(i);
        check_step();
        cr_assert(dialog.chosen);
        cr_assert(action_compare(dialog.action, dialog.actions[i]) == 0);
    }
}

static void play_through(int players, enum board_side side)
{
    const uint8_t seed[GAME_SEED_BYTES] = {(uint8_t)players, (uint8_t)side};
    uint64_t random = (uint64_t)(17 * players + (int)side);
    struct game game;

    game_init(&game, players, side, seed);
    while (!game_is_over(&game)) {
        check_every_action(&game);
        game_play(&game, game_draw_action(&game, draw_next(&random)));
    }
}

Test(person, numbers_lead_to_every_action)
{
    for (int players = GAME_PLAYERS_MIN; players <= GAME_PLAYERS_MAX; players++) {
        play_through(players, BOARD_COLORED);
        play_through(players, BOARD_GRAY);
    }
}

static void begin(void)
{
    const uint8_t seed[GAME_SEED_BYTES] = {1};
    struct game game;

    game_init(&game, 2, BOARD_COLORED, seed);
    dialog_begin(&dialog, &game);
}

Test(person, lines)
{
    static const struct {
        const char *rule;
        const char *lines[5];
        enum dialog_outcome outcome; /* of the last one */
        const char *message;         /* a part of it; NULL: none */
        bool chosen;
    } rows[] = {
        {"a number is a step", {"1"}, DIALOG_AGAIN, NULL, false},
        {"the last step chooses", {"1", "1"}, DIALOG_AGAIN, NULL, true},
        {"nothing is sent before Enter", {"1", "1", ""}, DIALOG_SEND, NULL, true},
        {"undo takes the choice back", {"1", "1", "u"}, DIALOG_AGAIN, NULL, false},
        {"a choice that was taken back is not sent",
         {"1", "1", "u", ""},
         DIALOG_AGAIN,
         "Nothing is chosen yet",
         false},
        {"undo takes steps back, one by one",
         {"1", "u", "u"},
         DIALOG_AGAIN,
         "nothing to undo",
         false},
        {"a number does not change a choice that waits",
         {"1", "1", "2"},
         DIALOG_AGAIN,
         "Enter plays this choice",
         true},
        {"spaces around do not matter", {"  1 ", " 1"}, DIALOG_AGAIN, NULL, true},
        {"0 is not on the list", {"0"}, DIALOG_AGAIN, "'0' is not on the list", false},
        {"nor is a number past its end",
         {"99"},
         DIALOG_AGAIN,
         "choose a number from 1 to 5",
         false},
        {"nor one that no integer holds",
         {"99999999999999999999999"},
         DIALOG_AGAIN,
         "is not on the list",
         false},
        {"nor one with something behind it",
         {"1x"},
         DIALOG_AGAIN,
         "'1x' is not on the list",
         false},
        {"a word is not understood", {"frog"}, DIALOG_AGAIN, "'frog' is not understood", false},
        {"what is typed cannot act on a terminal",
         {"\033[2J"},
         DIALOG_AGAIN,
         "'?[2J' is not understood",
         false},
        {"a question mark asks for a hint", {"?"}, DIALOG_HINT, NULL, false},
        {"boards", {"b"}, DIALOG_BOARDS, NULL, false},
        {"quit", {"quit"}, DIALOG_QUIT, NULL, false},
    };

    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        enum dialog_outcome outcome = DIALOG_AGAIN;

        begin();
        for (int i = 0; i < 5 && rows[row].lines[i]; i++)
            outcome = dialog_take(&dialog, rows[row].lines[i]);
        cr_expect(outcome == rows[row].outcome, "%s: outcome %d", rows[row].rule, (int)outcome);
        cr_expect(dialog.chosen == rows[row].chosen, "%s: chosen", rows[row].rule);
        if (rows[row].message)
            cr_expect(strstr(dialog.message, rows[row].message) != NULL, "%s: '%s'", rows[row].rule,
                      dialog.message);
        else
            cr_expect(*dialog.message == '\0', "%s: '%s'", rows[row].rule, dialog.message);
    }
}
