/* Replays are untrusted: contents that no match could have are refused. One row per rule. */
#include <criterion/criterion.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "tests/replay/sample.h"

static void reason_past_the_last(struct replay *replay)
{
    replay->result.reasons[1] = (enum wire_reason)WIRE_REASON_COUNT;
}

static void seat_past_the_last(struct replay *replay)
{
    replay->decisions[2].seat = replay->terms.player_count;
}

static void seat_before_the_first(struct replay *replay)
{
    replay->decisions[2].seat = -1;
}

static void rank_of_nobody(struct replay *replay)
{
    replay->result.ranks[0] = 0;
}

static void rank_past_the_last(struct replay *replay)
{
    replay->result.ranks[0] = GAME_PLAYERS_MAX + 1;
}

static void time_that_runs_back(struct replay *replay)
{
    replay->decisions[0].us = -1;
}

static const struct {
    const char *rule;
    void (*spoil_fn)(struct replay *replay);
    const char *words;
} rows[] = {
    {"reasons end before WIRE_REASON_COUNT", reason_past_the_last, "result is invalid"},
    {"seats end before the number of players", seat_past_the_last, "decision is invalid"},
    {"seats begin at 0", seat_before_the_first, "decision is invalid"},
    {"ranks begin at 1", rank_of_nobody, "result is invalid"},
    {"ranks end at the number of seats", rank_past_the_last, "result is invalid"},
    {"no decision takes less than no time", time_that_runs_back, "decision is invalid"},
};

Test(refused, what_no_match_records)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char error[REPLAY_ERROR_BYTES] = "";
        struct replay replay, again;
        uint8_t *bytes;
        size_t size;

        sample_replay(&replay);
        rows[i].spoil_fn(&replay);
        size = sample_packed(&replay, &bytes);
        cr_assert_eq(replay_unpack(&again, bytes, size, error), -1, "%s", rows[i].rule);
        cr_expect(strstr(error, rows[i].words), "%s: %s", rows[i].rule, error);
        free(bytes);
        replay_finish(&replay);
    }
}

#define BYTES(text) text, sizeof(text) - 1

enum {
    CHECKSUM_BYTES = 2 + SHA256_DIGEST_SIZE,
};

/* Counts that do not fit what follows them: a change of the first place where old stands. */
static const struct {
    const char *rule;
    const char *old;
    size_t old_bytes;
    const char *new;
    size_t new_bytes;
    const char *words;
} counts[] = {
    {"eleven parts of a header, not fewer",
     BYTES("\x8b"
           "\xa6replay"),
     BYTES("\x8a"
           "\xa6replay"),
     "header is invalid"},
    {"eleven parts of a header, not more",
     BYTES("\x8b"
           "\xa6replay"),
     BYTES("\x8c"
           "\xa6replay"),
     "header is invalid"},
    {"a bot for each player, not fewer",
     BYTES("\xa4"
           "bots\x93"),
     BYTES("\xa4"
           "bots\x92"),
     "header is invalid"},
    {"a bot for each player, not more",
     BYTES("\xa4"
           "bots\x93"),
     BYTES("\xa4"
           "bots\x94"),
     "header is invalid"},
    {"three texts of a bot, not fewer",
     BYTES("\xa4"
           "bots\x93\x93"),
     BYTES("\xa4"
           "bots\x93\x92"),
     "header is invalid"},
    {"three texts of a bot, not more",
     BYTES("\xa4"
           "bots\x93\x93"),
     BYTES("\xa4"
           "bots\x93\x94"),
     "header is invalid"},
    {"a bot's name is a text",
     BYTES("\xa4"
           "bots\x93\x93\xa6"
           "greedy"),
     BYTES("\xa4"
           "bots\x93\x93\xc0"),
     "header is invalid"},
    {"a bot's version is a text",
     BYTES("\xa6greedy\xa1"
           "1"),
     BYTES("\xa6greedy\x01"), "header is invalid"},
    {"a bot's hash is a text",
     BYTES("\xa4"
           "00ff"),
     BYTES("\xc0"), "header is invalid"},
    {"no bot goes without its texts",
     BYTES("\x93\xa6greedy\xa1"
           "1\xa4"
           "00ff"),
     BYTES("\x90"), "header is invalid"},
    {"four times of a clock, not fewer", BYTES("clock\x94"), BYTES("clock\x93"),
     "header is invalid"},
    {"four times of a clock, not more", BYTES("clock\x94"), BYTES("clock\x95"),
     "header is invalid"},
    {"layers for each player, not fewer", BYTES("layers\x93"), BYTES("layers\x92"),
     "header is invalid"},
    {"layers for each player, not more", BYTES("layers\x93"), BYTES("layers\x94"),
     "header is invalid"},
    {"eight parts of a decision, not fewer", BYTES("memory\xce\x04\x00\x00\x00\x98"),
     BYTES("memory\xce\x04\x00\x00\x00\x97"), "decision is invalid"},
    {"eight parts of a decision, not more", BYTES("memory\xce\x04\x00\x00\x00\x98"),
     BYTES("memory\xce\x04\x00\x00\x00\x99"), "decision is invalid"},
    {"five parts of a result, not fewer", BYTES("\x85\xa6scores"), BYTES("\x84\xa6scores"),
     "result is invalid"},
    {"five parts of a result, not more", BYTES("\x85\xa6scores"), BYTES("\x86\xa6scores"),
     "result is invalid"},
    {"a score for each player, not fewer", BYTES("scores\x93"), BYTES("scores\x92"),
     "result is invalid"},
    {"a score for each player, not more", BYTES("scores\x93"), BYTES("scores\x94"),
     "result is invalid"},
    {"a rank for each player, not fewer", BYTES("ranks\x93"), BYTES("ranks\x92"),
     "result is invalid"},
    {"a rank for each player, not more", BYTES("ranks\x93"), BYTES("ranks\x94"),
     "result is invalid"},
    {"a reason for each player, not fewer", BYTES("reasons\x93"), BYTES("reasons\x92"),
     "result is invalid"},
    {"a reason for each player, not more", BYTES("reasons\x93"), BYTES("reasons\x94"),
     "result is invalid"},
    {"a turn of leaving for each player, not fewer", BYTES("\xa3out\x93"), BYTES("\xa3out\x92"),
     "result is invalid"},
    {"a turn of leaving for each player, not more", BYTES("\xa3out\x93"), BYTES("\xa3out\x94"),
     "result is invalid"},
    {"a forfeit or nil for each player, not fewer", BYTES("forfeits\x93"), BYTES("forfeits\x92"),
     "result is invalid"},
    {"a forfeit or nil for each player, not more", BYTES("forfeits\x93"), BYTES("forfeits\x94"),
     "result is invalid"},
    {"17 parts of a forfeit, not fewer", BYTES("forfeits\x93\xc0\xdc\x00\x11"),
     BYTES("forfeits\x93\xc0\xdc\x00\x10"), "result is invalid"},
    {"17 parts of a forfeit, not more", BYTES("forfeits\x93\xc0\xdc\x00\x11"),
     BYTES("forfeits\x93\xc0\xdc\x00\x12"), "result is invalid"},
};

/* Packed, changed and given the checksum of what it is now. */
static uint8_t *changed_counts(size_t row, const uint8_t *bytes, size_t size, size_t *new_size)
{
    const uint8_t *place = memmem(bytes, size, counts[row].old, counts[row].old_bytes);
    uint8_t *changed = malloc(size + counts[row].new_bytes);
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx hash;
    size_t before, after;

    cr_assert_not_null(place, "%s: nothing to change", counts[row].rule);
    before = (size_t)(place - bytes);
    after = size - before - counts[row].old_bytes;
    memcpy(changed, bytes, before);
    memcpy(changed + before, counts[row].new, counts[row].new_bytes);
    memcpy(changed + before + counts[row].new_bytes, place + counts[row].old_bytes, after);
    *new_size = size - counts[row].old_bytes + counts[row].new_bytes;
    sha256_init(&hash);
    sha256_update(&hash, *new_size - CHECKSUM_BYTES, changed);
    sha256_digest(&hash, sizeof digest, digest);
    memcpy(changed + *new_size - sizeof digest, digest, sizeof digest);
    return changed;
}

Test(refused, counts_that_do_not_fit)
{
    struct replay replay, again;
    uint8_t *bytes;
    size_t size;

    sample_replay(&replay);
    size = sample_packed(&replay, &bytes);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char error[REPLAY_ERROR_BYTES] = "";
        size_t new_size;
        uint8_t *changed = changed_counts(i, bytes, size, &new_size);
        int result = replay_unpack(&again, changed, new_size, error);

        cr_expect_eq(result, -1, "%s", counts[i].rule);
        cr_expect(strstr(error, counts[i].words), "%s: %s", counts[i].rule, error);
        if (result == 0)
            replay_finish(&again);
        free(changed);
    }
    free(bytes);
    replay_finish(&replay);
}
