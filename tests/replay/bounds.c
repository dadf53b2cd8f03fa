/*
 * The numbers of a forfeit at both ends of what is allowed and beyond, the three ways in which
 * MessagePack tells the length of bytes, actions as JSON, and the parts of a final scoring.
 */
#include <criterion/criterion.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/effect.h"
#include "arena/replay/json.h"
#include "tests/replay/sample.h"

enum {
    OUT_SEAT = 1,
    CHECKSUM_BYTES = SHA256_DIGEST_SIZE,
};

/* A number of a forfeit: its least and greatest value. */
static const struct {
    const char *name;
    size_t offset;
    bool is_wide; /* int64_t, else int */
    int64_t least, greatest;
} numbers[] = {
    {"limit_us", offsetof(struct forfeit, limit_us), true, 0, INT64_MAX},
    {"wall_us", offsetof(struct forfeit, wall_us), true, 0, INT64_MAX},
    {"cpu_us", offsetof(struct forfeit, cpu_us), true, -1, INT64_MAX},
    {"delay_us", offsetof(struct forfeit, delay_us), true, 0, INT64_MAX},
    {"status", offsetof(struct forfeit, status), false, -1, 255},
    {"signal", offsetof(struct forfeit, signal), false, 0, 255},
};

static void set(struct forfeit *forfeit, size_t row, int64_t value)
{
    char *at = (char *)forfeit + numbers[row].offset;

    if (numbers[row].is_wide)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &(int){(int)value}, sizeof(int));
}

/* Packs the sample with a value, and reads it again. */
static int read_with(size_t row, int64_t value)
{
    char error[REPLAY_ERROR_BYTES] = "";
    struct replay replay, again;
    uint8_t *bytes;
    size_t size;
    int result;

    sample_replay(&replay);
    set(replay.forfeits[OUT_SEAT], row, value);
    size = sample_packed(&replay, &bytes);
    result = replay_unpack(&again, bytes, size, error);
    if (result == 0) {
        const char *from = (const char *)replay.forfeits[OUT_SEAT] + numbers[row].offset;
        const char *to = (const char *)again.forfeits[OUT_SEAT] + numbers[row].offset;

        cr_expect_eq(memcmp(from, to, numbers[row].is_wide ? 8 : sizeof(int)), 0, "%s",
                     numbers[row].name);
        replay_finish(&again);
    } else {
        cr_expect(strstr(error, "result is invalid"), "%s: %s", numbers[row].name, error);
    }
    free(bytes);
    replay_finish(&replay);
    return result;
}

Test(bounds, of_the_numbers_of_a_forfeit)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        cr_expect_eq(read_with(i, numbers[i].least), 0, "%s", numbers[i].name);
        cr_expect_eq(read_with(i, numbers[i].greatest), 0, "%s", numbers[i].name);
        cr_expect_eq(read_with(i, numbers[i].least - 1), -1, "%s", numbers[i].name);
        if (numbers[i].greatest < INT64_MAX)
            cr_expect_eq(read_with(i, numbers[i].greatest + 1), -1, "%s", numbers[i].name);
    }
}

/* ---- lengths ---- */

/* Replaces the head of the first bin of this length; the caller frees what it returns. */
static uint8_t *with_head(const uint8_t *bytes, size_t size, const char *head, size_t head_bytes,
                          size_t *new_size)
{
    const uint8_t *place = memmem(bytes, size, "\xc5\x01\x2c", 3); /* the request: 300 zeros */
    uint8_t *changed = malloc(size + head_bytes), digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx hash;
    size_t before;

    cr_assert_not_null(place);
    before = (size_t)(place - bytes);
    memcpy(changed, bytes, before);
    memcpy(changed + before, head, head_bytes);
    memcpy(changed + before + head_bytes, place + 3, size - before - 3);
    *new_size = size - 3 + head_bytes;
    sha256_init(&hash);
    sha256_update(&hash, *new_size - CHECKSUM_BYTES - 2, changed);
    sha256_digest(&hash, sizeof digest, digest);
    memcpy(changed + *new_size - sizeof digest, digest, sizeof digest);
    return changed;
}

static const struct {
    const char *rule;
    const char *head;
    size_t head_bytes;
    int result;
} heads[] = {
    {"a length of two bytes", "\xc5\x01\x2c", 3, 0},
    {"a length of four bytes", "\xc6\x00\x00\x01\x2c", 5, 0},
    {"a length of four bytes, one too long", "\xc6\x00\x00\x01\x2d", 5, -1},
    {"a length of four bytes, one too short", "\xc6\x00\x00\x01\x2b", 5, -1},
    {"a length of four bytes, far too long", "\xc6\x00\x01\x01\x2c", 5, -1},
    {"a length of four bytes, of gigabytes", "\xc6\x01\x00\x01\x2c", 5, -1},
    {"a length of one byte, of the first 44", "\xc4\x2c", 2, -1},
    {"a text", "\xda\x01\x2c", 3, -1},
};

Test(bounds, of_the_length_of_bytes)
{
    struct replay replay;
    uint8_t *bytes;
    size_t size;

    sample_replay(&replay);
    size = sample_packed(&replay, &bytes);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char error[REPLAY_ERROR_BYTES] = "";
        struct replay again;
        size_t new_size;
        uint8_t *changed = with_head(bytes, size, heads[i].head, heads[i].head_bytes, &new_size);

        cr_expect_eq(replay_unpack(&again, changed, new_size, error), heads[i].result, "%s: %s",
                     heads[i].rule, error);
        if (heads[i].result == 0) {
            cr_expect_eq(again.forfeits[OUT_SEAT]->request_bytes, 300);
            replay_finish(&again);
        }
        free(changed);
    }
    free(bytes);
    replay_finish(&replay);
}

/* ---- actions as JSON ---- */

static const struct {
    struct action action;
    const char *text;
} actions[] = {
    {{.kind = ACTION_DRAFT, .number = {7, 5}}, "[\"draft\",7,5]"},
    {{.kind = ACTION_PLACE, .number = {1, 2, 3, 4}}, "[\"place\",1,2,3,4]"},
    {{.kind = ACTION_BONUS, .number = {1, 2, 3, 4, 5, 6}}, "[\"bonus\",[1,2,3,4,5,6]]"},
    {{.kind = ACTION_PASS, .number = {6, 5, 4, 3, 2, 1}}, "[\"pass\",[6,5,4,3,2,1]]"},
};

Test(bounds, of_actions_each_number_has_its_place)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        json_t *json = replay_json_action(actions[i].action);
        char *text = json_dumps(json, JSON_COMPACT);

        cr_expect_str_eq(text, actions[i].text);
        free(text);
        json_decref(json);
    }
}

/* ---- the final scoring ---- */

enum {
    GAMES = 60,
};

/* Prefers placing, so that stars are finished. */
static struct action choose(const struct game *game, unsigned *random)
{
    static struct action legal[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, legal);

    *random = *random * 1103515245 + 12345;
    for (size_t i = 0; i < count; i++)
        if (legal[i].kind == ACTION_PLACE)
            return legal[i];
    return legal[*random / 65536 % count];
}

static void check_final(const struct game *before, const struct game *after, struct action last,
                        int finished[static GAME_STARS])
{
    struct effect_final finals[GAME_PLAYERS_MAX];
    struct position position;

    effect_final(before, last, finals);
    game_view(after, &position);
    for (int seat = 0; seat < position.player_count; seat++) {
        int sum = finals[seat].before - finals[seat].corners;

        for (int star = 0; star < GAME_STARS; star++) {
            int covered = 0;

            for (int space = 0; space < GAME_SPACES; space++)
                covered += position.seats[seat].stars[star][space] != GAME_EMPTY;
            cr_assert_eq(finals[seat].covered[star], covered);
            cr_assert_eq(finals[seat].stars[star] > 0, covered == GAME_SPACES);
            sum += finals[seat].stars[star];
            finished[star] += covered == GAME_SPACES;
        }
        for (int cost = 1; cost <= BOARD_REWARDED_COSTS; cost++)
            sum += finals[seat].costs[cost - 1];
        cr_assert_eq(finals[seat].after, game_score(after, seat));
        cr_assert_eq(sum, finals[seat].after);
    }
}

Test(bounds, of_a_final_scoring_its_parts_add_up)
{
    int finished[GAME_STARS] = {0};
    unsigned random = 1;

    for (int i = 0; i < GAMES; i++) {
        const uint8_t seed[GAME_SEED_BYTES] = {(uint8_t)i};
        struct game game, before;
        struct action action;

        game_init(&game, 2 + i % 3, i % 2 ? BOARD_GRAY : BOARD_COLORED, seed);
        while (!game_is_over(&game)) {
            before = game;
            action = choose(&game, &random);
            cr_assert(game_apply(&game, action));
        }
        check_final(&before, &game, action, finished);
    }
    cr_expect_gt(finished[0], 0, "no game shows the first star finished");
}
