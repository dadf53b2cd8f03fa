/* SPDX-License-Identifier: MIT */
/*
 * How a bot with the SDK exits: the built random bot gets a complete input, and its exit status and
 * its line for the author are checked. One row per case.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/game.h"
#include "sdk/wire.h"

#define RANDOM TEST_BINARY_DIR "/bots/random/random"

enum part {
    PART_NONE,
    PART_HELLO,
    PART_TURN,
    PART_END,
    PART_HALF_HELLO,
    PART_READY,      /* what only bots send */
    PART_OVER,       /* a turn, though the game is over */
    PART_IMPOSSIBLE, /* a turn with a tile too many */
    PART_GARBAGE,
    PART_UNKNOWN_TYPE,
};

static const struct {
    const char *rule;
    enum part parts[6];
    int status;
    const char *complaint; /* all of standard error */
} cases[] = {
    {"nothing", {PART_NONE}, 0, ""},
    {"a match", {PART_HELLO, PART_TURN, PART_TURN, PART_END}, 0, ""},
    {"two matches", {PART_HELLO, PART_TURN, PART_END, PART_HELLO, PART_TURN, PART_END}, 0, ""},
    {"a match broken off", {PART_HELLO, PART_TURN}, 0, ""},
    {"half a message",
     {PART_HALF_HELLO},
     1,
     "random: the input ended in the middle of a message\n"},
    {"garbage", {PART_HELLO, PART_GARBAGE}, 1, "random: the message is not a map\n"},
    {"a type that is not known is passed over",
     {PART_HELLO, PART_UNKNOWN_TYPE, PART_TURN, PART_END},
     0,
     ""},
    {"a bot's message", {PART_READY}, 1, "random: a message that only bots send\n"},
    {"a turn before any hello", {PART_TURN}, 1, "random: a turn before any hello\n"},
    {"a turn after the end",
     {PART_HELLO, PART_END, PART_TURN},
     1,
     "random: a turn before any hello\n"},
    {"a turn of a game that is over",
     {PART_HELLO, PART_OVER},
     1,
     "random: a turn in a match that is over\n"},
    {"a state that cannot be",
     {PART_HELLO, PART_IMPOSSIBLE},
     1,
     "random: purple does not have 22 tiles in all\n"},
};

/* Sets up a game during its first draft, or one that is over. */
static void set_up_game(struct game *game, bool is_over)
{
    static const uint8_t seed[GAME_SEED_BYTES] = {1, 2, 3};
    struct action actions[GAME_ACTIONS_MAX];

    game_init(game, 2, BOARD_GRAY, seed);
    while (is_over && game_legal_actions(game, actions) > 0)
        cr_assert(game_apply(game, actions[0]));
}

static size_t pack_turn(uint8_t *bytes, size_t capacity, enum part part)
{
    struct wire_turn turn = {.turn = 0};
    struct game game;

    set_up_game(&game, part == PART_OVER);
    game_view(&game, &turn.state);
    turn.state.tower[0] = (uint8_t)(turn.state.tower[0] + (part == PART_IMPOSSIBLE));
    return wire_pack_turn(bytes, capacity, &turn);
}

static size_t pack_part(uint8_t *bytes, size_t capacity, enum part part)
{
    static const struct wire_hello hello = {.player_count = 2, .board = BOARD_GRAY};
    static const struct wire_ready ready = {.actions = true};
    static const char unknown_type[] = "\x81\xa4type\xa5hallo";
    struct wire_end end = {.player_count = 2, .ranks = {1, 2}};
    struct game game;

    switch (part) {
    case PART_NONE:
        return 0;
    case PART_HELLO:
        return wire_pack_hello(bytes, capacity, &hello);
    case PART_HALF_HELLO:
        return wire_pack_hello(bytes, capacity, &hello) / 2;
    case PART_READY:
        return wire_pack_ready(bytes, capacity, &ready);
    case PART_TURN:
    case PART_OVER:
    case PART_IMPOSSIBLE:
        return pack_turn(bytes, capacity, part);
    case PART_END:
        set_up_game(&game, true);
        game_view(&game, &end.state);
        return wire_pack_end(bytes, capacity, &end);
    case PART_GARBAGE:
        memcpy(bytes, "garbage", 7);
        return 7;
    case PART_UNKNOWN_TYPE:
        memcpy(bytes, unknown_type, sizeof unknown_type - 1);
        return sizeof unknown_type - 1;
    }
    return 0;
}

/* Runs the bot with that input. Returns its wait status; copies its standard error to text. */
static int run_bot(FILE *input, int output_fd, char *text, size_t text_size)
{
    FILE *complaint = tmpfile();
    int status;
    pid_t pid;

    rewind(input);
    pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0) {
        if (dup2(fileno(input), 0) == 0 && dup2(output_fd, 1) == 1 &&
            dup2(fileno(complaint), 2) == 2)
            execl(RANDOM, RANDOM, NULL);
        _exit(127);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    rewind(complaint);
    text[fread(text, 1, text_size - 1, complaint)] = '\0';
    fclose(complaint);
    return status;
}

Test(sdk_run, leaves)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[8192];
        char complaint[256];
        FILE *input = tmpfile(), *output = tmpfile();
        int status;

        for (size_t part = 0; part < sizeof cases[i].parts / sizeof *cases[i].parts; part++)
            fwrite(bytes, 1, pack_part(bytes, sizeof bytes, cases[i].parts[part]), input);
        fflush(input);
        status = run_bot(input, fileno(output), complaint, sizeof complaint);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == cases[i].status, "%s: %d",
                  cases[i].rule, status);
        cr_expect_str_eq(complaint, cases[i].complaint, "%s: %s", cases[i].rule, complaint);
        fclose(input);
        fclose(output);
    }
}

Test(sdk_run, leaves_when_nobody_reads_its_answers)
{
    uint8_t bytes[8192];
    char complaint[256];
    FILE *input = tmpfile();
    int output[2], status;

    cr_assert_eq(pipe(output), 0);
    close(output[0]);
    fwrite(bytes, 1, pack_part(bytes, sizeof bytes, PART_HELLO), input);
    fflush(input);
    status = run_bot(input, output[1], complaint, sizeof complaint);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1, "%d", status);
    cr_assert_str_eq(complaint, "random: Broken pipe\n");
    close(output[1]);
    fclose(input);
}
