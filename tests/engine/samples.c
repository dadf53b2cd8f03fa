/*
 * Complete replays and initial states from an independent implementation of rules.md: the engine
 * must produce the same state before each decision, and the same end.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "engine/game.h"

static int integer(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static void read_counts(const json_t *array, uint8_t counts[static GAME_COLORS])
{
    cr_assert_eq(json_array_size(array), GAME_COLORS);
    for (size_t color = 0; color < GAME_COLORS; color++)
        counts[color] = (uint8_t)json_integer_value(json_array_get(array, color));
}

static int named(const json_t *object, const char *key, const char *const names[])
{
    const char *name = json_string_value(json_object_get(object, key));

    for (int i = 0; names[i]; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    cr_assert_fail("%s is %s", key, name);
    return -1;
}

static const char *const boards[] = {"colored", "gray", NULL};
static const char *const phases[] = {"draft", "place", "bonus", "over", NULL};
static const char *const kinds[] = {"draft", "place", "bonus", "pass", NULL};

static void read_seat(const json_t *object, struct position_seat *seat)
{
    seat->score = integer(object, "score");
    seat->passed = json_is_true(json_object_get(object, "passed"));
    read_counts(json_object_get(object, "hand"), seat->hand);
    read_counts(json_object_get(object, "corners"), seat->corners);
    for (size_t star = 0; star < GAME_STARS; star++)
        for (size_t space = 0; space < GAME_SPACES; space++)
            seat->stars[star][space] = (int8_t)json_integer_value(
                json_array_get(json_array_get(json_object_get(object, "stars"), star), space));
}

static void read_state(const json_t *object, struct position *position)
{
    const json_t *displays = json_object_get(object, "displays");
    const json_t *players = json_object_get(object, "players");

    memset(position, 0, sizeof *position);
    position->board = (uint8_t)named(object, "board", boards);
    position->player_count = (uint8_t)json_array_size(players);
    position->round = (uint8_t)integer(object, "round");
    position->phase = (uint8_t)named(object, "phase", phases);
    position->player = (int8_t)integer(object, "player");
    position->wild = (uint8_t)integer(object, "wild");
    position->start = (uint8_t)integer(object, "start");
    position->token = (int8_t)integer(object, "token");
    position->bonus = (uint8_t)integer(object, "bonus");
    cr_assert_eq(json_array_size(displays), 2u * position->player_count + 1);
    for (size_t i = 0; i < json_array_size(displays); i++)
        read_counts(json_array_get(displays, i), position->displays[i]);
    read_counts(json_object_get(object, "center"), position->center);
    read_counts(json_object_get(object, "supply"), position->supply);
    read_counts(json_object_get(object, "bag"), position->bag);
    read_counts(json_object_get(object, "tower"), position->tower);
    for (size_t i = 0; i < json_array_size(players); i++)
        read_seat(json_array_get(players, i), &position->seats[i]);
}

static struct action read_action(const json_t *array)
{
    const char *name = json_string_value(json_array_get(array, 0));
    struct action action = {0};

    while (strcmp(kinds[action.kind], name) != 0)
        action.kind++;
    if (action.kind == ACTION_BONUS || action.kind == ACTION_PASS)
        array = json_array_get(array, 1);
    else
        json_array_remove((json_t *)array, 0);
    for (size_t i = 0; i < json_array_size(array); i++)
        action.number[i] = (int8_t)json_integer_value(json_array_get(array, i));
    return action;
}

static void start_game(const json_t *object, int player_count, struct game *game)
{
    const char *hex = json_string_value(json_object_get(object, "seed"));
    uint8_t seed[GAME_SEED_BYTES];

    for (int i = 0; i < GAME_SEED_BYTES; i++)
        cr_assert_eq(sscanf(hex + 2 * i, "%2hhx", &seed[i]), 1);
    game_init(game, player_count, (enum board_side)named(object, "board", boards), seed);
}

static void expect_state(const struct game *game, const json_t *state, size_t line)
{
    struct position expected, seen;

    read_state(state, &expected);
    game_view(game, &seen);
    cr_assert(memcmp(&seen, &expected, sizeof seen) == 0, "line %zu differs", line);
}

static json_t *next_line(FILE *file)
{
    return json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
}

static void follow_replay(const char *path)
{
    FILE *file = fopen(path, "r");
    struct game game;
    json_t *line;
    size_t number = 1;

    cr_assert(file != NULL, "%s", path);
    line = next_line(file);
    start_game(line, integer(line, "players"), &game);
    json_decref(line);
    while ((line = next_line(file))) {
        number++;
        expect_state(&game, json_object_get(line, "state"), number);
        if (json_object_get(line, "end"))
            break;
        cr_assert_eq(game_turn(&game), integer(line, "seat"));
        cr_assert(game_apply(&game, read_action(json_object_get(line, "action"))), "line %zu",
                  number);
        json_decref(line);
    }
    cr_assert(line != NULL && game_is_over(&game));
    for (int seat = 0; seat < game_player_count(&game); seat++) {
        const json_t *scores = json_object_get(line, "scores");
        const json_t *ranks = json_object_get(line, "ranks");

        cr_assert_eq(game_score(&game, seat),
                     json_integer_value(json_array_get(scores, (size_t)seat)));
        cr_assert_eq(game_rank(&game, seat),
                     json_integer_value(json_array_get(ranks, (size_t)seat)));
    }
    json_decref(line);
    fclose(file);
}

Test(samples, colored_board_with_two_players)
{
    follow_replay(TEST_SOURCE_DIR "/tests/golden/replay-colored-2.jsonl");
}

Test(samples, gray_board_with_four_players)
{
    follow_replay(TEST_SOURCE_DIR "/tests/golden/replay-gray-4.jsonl");
}

Test(samples, first_states)
{
    FILE *file = fopen(TEST_SOURCE_DIR "/tests/golden/first-states.jsonl", "r");
    json_t *line;
    size_t number = 0;

    cr_assert(file != NULL);
    while ((line = next_line(file))) {
        struct game game;

        start_game(line, integer(line, "players"), &game);
        expect_state(&game, json_object_get(line, "state"), ++number);
        json_decref(line);
    }
    cr_assert_eq(number, 6);
    fclose(file);
}
