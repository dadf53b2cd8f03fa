/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a replay, edited one place at a time and given a checksum of what they are then:
 * each key, each count, and each number at both ends of its range and beyond.
 */
#include <criterion/criterion.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/replay/sample.h"

enum {
    PLACE_BYTES_MAX = 256,
    CHECKSUM_BYTES = 2 + SHA256_DIGEST_SIZE, /* with its head */
};

#define HEADER   "the data is not a replay of version 1: the header is invalid"
#define NEWER    "a newer arena wrote this replay: use that arena"
#define DECISION "the replay is truncated or altered: a decision is invalid"
#define RESULT   "the replay is truncated or altered: the result is invalid or missing"

/* The first place where old stands; bytes are text, or hex between < and >. NULL: it is accepted.
 */
static const struct {
    const char *old, *new;
    const char *fault;
} edits[] = {
    {"<8ba6>replay", "<8ba6>replax", HEADER},
    {"<8ba6>replay", "<8ba7>replayy", HEADER},
    {"<8ba6>replay", "<8ba5>repla", HEADER},
    {"<a5>match", "<a5>matcg", HEADER},
    {"<a4>seed", "<a4>sead", HEADER},
    {"<a5>board", "<a5>beard", HEADER},
    {"<a7>players", "<a7>playerz", HEADER},
    {"<a4>bots", "<a4>bits", HEADER},
    {"<a5>clock", "<a5>clack", HEADER},
    {"<a7>started", "<a7>starved", HEADER},
    {"<a6>layers", "<a6>lawers", HEADER},
    {"<aa>names_told", "<aa>names_tolt", HEADER},
    {"<a6>memory", "<a6>memery", HEADER},
    {"<a6>scores", "<a6>stores", RESULT},
    {"<a5>ranks", "<a5>tanks", RESULT},
    {"<a7>reasons", "<a7>seasons", RESULT},
    {"<a3>out<93>", "<a3>put<93>", RESULT},
    {"<a8>forfeits", "<a8>forfeitz", RESULT},

    {"replay<01>", "replay<00>", HEADER},
    {"replay<01>", "replay<02>", NEWER},
    {"<8ba6>replay<01>", "<8ca6>replay<7f>", NEWER},
    {"replay<01>", "replay<cc>", HEADER},
    {"match<a8>000012-2", "match<a0>", NULL},
    {"match<a8>000012-2",
     "match<d97f>1234567890123456789012345678901234567890123456789012345678901234567890"
     "123456789012345678901234567890123456789012345678901234567",
     NULL},
    {"match<a8>000012-2",
     "match<d980>1234567890123456789012345678901234567890123456789012345678901234567890"
     "1234567890123456789012345678901234567890123456789012345678",
     NULL}, /* cut, as names are */
    {"seed<c410>", "seed<c40f>", HEADER},
    {"seed<c41001>", "seed<c40f>", HEADER},
    {"seed<c410>", "seed<c41100>", HEADER},
    {"board<01>", "board<00>", NULL},
    {"board<01>", "board<02>", HEADER},
    {"board<01>", "board<ff>", HEADER},
    {"players<03>", "players<01>", HEADER},
    {"players<03>", "players<05>", HEADER},
    {"clock<9464cd01f40acd0bb8>", "clock<9400ce7fffffff0000>", NULL},
    {"clock<9464cd01f40acd0bb8>", "clock<94ff000000>", HEADER},
    {"clock<9464cd01f40acd0bb8>", "clock<94000000ce80000000>", HEADER},
    {"clock<9464cd01f40acd0bb8>", "clock<90>", HEADER},
    {"started<ce6955b900>", "started<00>", NULL},
    {"started<ce6955b900>", "started<ff>", HEADER},
    {"started<ce6955b900>", "started<cf0000010000000000>", NULL},
    {"started<ce6955b900>", "started<cf0000010000000001>", HEADER},
    {"layers<9301>", "layers<9300>", NULL},
    {"layers<9301>", "layers<93ff>", HEADER},
    {"layers<9301>", "layers<93cf0000000100000000>", HEADER},
    {"layers<9301ceffffffffce00080000>", "layers<90>", HEADER},
    {"told<c2>", "told<c3>", NULL},
    {"told<c2>", "told<00>", HEADER},
    {"memory<ce04000000>", "memory<00>", NULL},
    {"memory<ce04000000>", "memory<cf7fffffffffffffff>", NULL},
    {"memory<ce04000000>", "memory<ff>", HEADER},

    /* the first decision: seat, by, action, us, cpu_us, delay_us, hash, note */
    {"<04000000980000>", "<04000000980200>", NULL},
    {"<04000000980000>", "<04000000980300>", DECISION},
    {"<04000000980000>", "<0400000098ff00>", DECISION},
    {"<04000000980000>", "<04000000980001>", NULL},
    {"<04000000980000>", "<04000000980002>", DECISION},
    {"<04000000980000>", "<040000009800ff>", DECISION},
    {"draft<0001000001d3>", "draft<0001ff0001d3>", DECISION},
    {"draft<0001000001d3>", "draft<000100ff01d3>", DECISION},
    {"draft<0001000001d3>", "draft<00010000ffd3>", DECISION},
    {"draft<0001000001d3>", "draft<0001cf7fffffffffffffff0000d3>", NULL},
    {"draft<0001000001d3>", "draft<000100cf7fffffffffffffff00d3>", NULL},
    {"draft<0001000001d3>", "draft<00010000cf7fffffffffffffffd3>", NULL},
    {"draft<0001000001d3>", "draft<0001000001a1>", DECISION},
    {"<1ad7067cb0>first<00>second <e282ac>", "<1ad7067cc0>", NULL},
    {"<1ad7067cb0>first<00>second <e282ac>", "<1ad7067c01>", DECISION},

    {"scores<93010101>", "scores<930000ce7fffffff>", NULL},
    {"scores<93010101>", "scores<93ff0101>", RESULT},
    {"scores<93010101>", "scores<930101ce80000000>", RESULT},
    {"scores<93010101>", "scores<90>", RESULT},
    {"ranks<93010301>", "ranks<93010401>", NULL},
    {"ranks<93010301>", "ranks<93010300>", RESULT},
    {"ranks<93010301>", "ranks<93050301>", RESULT},
    {"ranks<93010301>", "ranks<90>", RESULT},
    {"reasons<93000200>", "reasons<93000900>", NULL},
    {"reasons<93000200>", "reasons<93000a00>", RESULT},
    {"reasons<93000200>", "reasons<9300ff00>", RESULT},
    {"reasons<93000200>", "reasons<93000000>", RESULT}, /* out, for no reason */
    {"reasons<93000200>", "reasons<93010200>", RESULT}, /* a reason, but never out */
    {"reasons<93000200>", "reasons<90>", RESULT},
    {"<a3>out<93fe0afe>", "<a3>out<93fefffe>", NULL},
    {"<a3>out<93fe0afe>", "<a3>out<93fefdfe>", RESULT},
    {"<a3>out<93fe0afe>", "<a3>out<93fefefe>", RESULT},
    {"<a3>out<93fe0afe>", "<a3>out<90>", RESULT},

    /* the number of items of each map and array: another than it must be */
    {"<8ba6>replay", "<8aa6>replay", HEADER},
    {"bots<93>", "bots<92>", HEADER},
    {"bots<9393>", "bots<9392>", HEADER},
    {"clock<94>", "clock<93>", HEADER},
    {"layers<93>", "layers<92>", HEADER},
    {"memory<ce0400000098>", "memory<ce0400000097>", DECISION},
    {"<85a6>scores", "<84a6>scores", RESULT},
    {"scores<93>", "scores<92>", RESULT},
    {"ranks<93>", "ranks<92>", RESULT},
    {"reasons<93>", "reasons<92>", RESULT},
    {"<a3>out<93>", "<a3>out<92>", RESULT},
    {"forfeits<93>", "forfeits<92>", RESULT},
    {"forfeits<93c0dc0011>", "forfeits<93c0dc0010>", RESULT},

    /* a bot's name, version and hash are texts, and all three are there */
    {"bots<9393a6>greedy", "bots<9393c0>", HEADER},
    {"<a6>greedy<a1>1", "<a6>greedy<01>", HEADER},
    {"<a4>00ff", "<c0>", HEADER},
    {"<93a6>greedy<a1>1<a4>00ff", "<90>", HEADER},

    /* the length of bytes, in two bytes or four: the request has 300 */
    {"<c5012c>", "<c60000012c>", NULL},
    {"<c5012c>", "<c60000012d>", RESULT},
    {"<c5012c>", "<c60000012b>", RESULT},
    {"<c5012c>", "<c60001012c>", RESULT},
    {"<c5012c>", "<c60100012c>", RESULT}, /* gigabytes */
    {"<c5012c>", "<c42c>", RESULT},
    {"<c5012c>", "<da012c>", RESULT}, /* a text */

    /* the forfeit's reply and standard error: the parts kept, then the sizes they had */
    {"<09a6>ptrace", "<09a0>", NULL},
    {"<09a6>ptrace", "<09bf>1234567890123456789012345678901", NULL},
    {"<09a6>ptrace", "<09d920>12345678901234567890123456789012", NULL},
    {"<c40181c403>", "<c40181c402>", RESULT},
    {"<c403ff0a2ecd012cc420>", "<c403ff0a2ecd012bc420>", RESULT},
    {"<c403ff0a2ecd012cc420>", "<c403ff0a2ecd012dc420>", RESULT},
    {"<c403ff0a2ecd012cc420>", "<c403ff0a2ecd012cc41f>", RESULT},
    {"<c403ff0a2ecd012cc420>", "<c403ff0a2ecd012cc42100>", RESULT},
    {"<c403ff0a2ecd012cc420>", "<c403ff0a2ecd012cd920>", RESULT},
};

static size_t read_bytes(const char *text, uint8_t bytes[static PLACE_BYTES_MAX])
{
    size_t size = 0;
    bool hex = false;

    while (*text) {
        cr_assert_lt(size, (size_t)PLACE_BYTES_MAX);
        if (*text == '<' || *text == '>') {
            hex = *text++ == '<';
        } else if (hex) {
            bytes[size++] = (uint8_t)strtoul((char[]){text[0], text[1], '\0'}, NULL, 16);
            text += 2;
        } else {
            bytes[size++] = (uint8_t)*text++;
        }
    }
    return size;
}

/* Returns the edited bytes, with their checksum, for the caller to free. */
static uint8_t *edited(size_t row, const uint8_t *bytes, size_t size, size_t *new_size)
{
    uint8_t old[PLACE_BYTES_MAX], new[PLACE_BYTES_MAX], digest[SHA256_DIGEST_SIZE];
    size_t old_bytes = read_bytes(edits[row].old, old), new_bytes = read_bytes(edits[row].new, new);
    const uint8_t *place = memmem(bytes, size, old, old_bytes);
    uint8_t *changed = malloc(size + new_bytes);
    struct sha256_ctx hash;
    size_t before;

    cr_assert_not_null(place, "%s: nothing to edit", edits[row].old);
    before = (size_t)(place - bytes);
    memcpy(changed, bytes, before);
    memcpy(changed + before, new, new_bytes);
    memcpy(changed + before + new_bytes, place + old_bytes, size - before - old_bytes);
    *new_size = size - old_bytes + new_bytes;
    sha256_init(&hash);
    sha256_update(&hash, *new_size - CHECKSUM_BYTES, changed);
    sha256_digest(&hash, sizeof digest, digest);
    memcpy(changed + *new_size - sizeof digest, digest, sizeof digest);
    return changed;
}

Test(edited, each_place_is_read_as_it_must_be)
{
    struct replay replay;
    uint8_t *bytes;
    size_t size;

    sample_replay(&replay);
    size = sample_packed(&replay, &bytes);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char error[REPLAY_ERROR_BYTES] = "";
        size_t new_size;
        uint8_t *changed = edited(i, bytes, size, &new_size);
        struct replay again;
        int result = replay_unpack(&again, changed, new_size, error);

        cr_expect_eq(result, edits[i].fault ? -1 : 0, "%s -> %s: %s", edits[i].old, edits[i].new,
                     error);
        cr_expect(!edits[i].fault || strstr(error, edits[i].fault), "%s -> %s: %s", edits[i].old,
                  edits[i].new, error);
        if (result == 0)
            replay_finish(&again);
        free(changed);
    }
    free(bytes);
    replay_finish(&replay);
}

/* What is wrong with the end of a file, and where it is. */
Test(edited, ends_of_a_file_are_told_apart)
{
    char error[REPLAY_ERROR_BYTES], wanted[REPLAY_ERROR_BYTES];
    struct replay replay, again;
    uint8_t *bytes;
    size_t size;

    sample_replay(&replay);
    size = sample_packed(&replay, &bytes);
    bytes = realloc(bytes, size + 1);
    bytes[size] = 0xc0;
    cr_assert_eq(replay_unpack(&again, bytes, size + 1, error), -1);
    snprintf(wanted, sizeof wanted, "offset %zu: the replay is altered: bytes follow its checksum",
             size);
    cr_expect_str_eq(error, wanted);
    cr_assert_eq(replay_unpack(&again, bytes, size - CHECKSUM_BYTES, error), -1);
    snprintf(wanted, sizeof wanted,
             "offset %zu: the replay is truncated or altered: the checksum is invalid or missing",
             size - CHECKSUM_BYTES);
    cr_expect_str_eq(error, wanted);
    bytes[size - 1] ^= 1;
    cr_assert_eq(replay_unpack(&again, bytes, size, error), -1);
    snprintf(wanted, sizeof wanted,
             "offset %zu: the replay is altered: its checksum does not match",
             size - CHECKSUM_BYTES);
    cr_expect_str_eq(error, wanted);
    bytes[size - CHECKSUM_BYTES + 1] = SHA256_DIGEST_SIZE - 1; /* the length of the checksum */
    cr_assert_eq(replay_unpack(&again, bytes, size - 1, error), -1);
    cr_expect(strstr(error, "the checksum is invalid or missing"), "%s", error);
    cr_assert_eq(replay_unpack(&again, bytes, 0, error), -1);
    cr_expect_str_eq(error, "offset 0: " HEADER);
    free(bytes);
    replay_finish(&replay);
}
