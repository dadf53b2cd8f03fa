/* SPDX-License-Identifier: MIT */
/* Replay files: valid ones are read back unchanged, any other is refused with its offset. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/place.h"
#include "arena/base/file.h"
#include "arena/replay/replay.h"
#include "tests/replay/sample.h"

static void expect_same_decision(const struct replay_decision *a, const struct replay_decision *b,
                                 size_t turn)
{
    cr_assert_eq(a->seat, b->seat, "decision %zu", turn);
    cr_assert_eq(a->by_arena, b->by_arena, "decision %zu", turn);
    cr_assert_eq(action_compare(a->action, b->action), 0, "decision %zu", turn);
    cr_assert(a->us == b->us && a->cpu_us == b->cpu_us && a->delay_us == b->delay_us);
    cr_assert_eq(a->hash, b->hash, "decision %zu", turn);
    cr_assert_eq(a->note == NULL, b->note == NULL, "decision %zu", turn);
    cr_assert_eq(a->note_bytes, b->note_bytes, "decision %zu", turn);
    if (a->note)
        cr_assert_arr_eq(a->note, b->note, a->note_bytes, "decision %zu", turn);
}

static void expect_same_forfeit(const struct forfeit *a, const struct forfeit *b)
{
    cr_assert_eq(a == NULL, b == NULL);
    if (!a)
        return;
    cr_expect_eq(a->reason, b->reason);
    cr_expect_str_eq(a->words, b->words);
    cr_expect_eq(a->turn, b->turn);
    cr_expect(a->limit_us == b->limit_us && a->wall_us == b->wall_us);
    cr_expect(a->cpu_us == b->cpu_us && a->delay_us == b->delay_us);
    cr_expect(a->status == b->status && a->signal == b->signal);
    cr_expect_str_eq(a->call, b->call);
    cr_assert_eq(a->request_bytes, b->request_bytes);
    cr_expect_arr_eq(a->request, b->request, a->request_bytes);
    cr_assert_eq(a->reply_bytes, b->reply_bytes);
    cr_expect_arr_eq(a->reply, b->reply, a->reply_bytes);
    cr_assert_eq(a->errors_bytes, b->errors_bytes);
    cr_expect_arr_eq(a->errors, b->errors, a->errors_bytes);
}

Test(pack, round_trip)
{
    char error[REPLAY_ERROR_BYTES] = "";
    struct replay replay, again;
    uint8_t *bytes, *bytes_again;
    size_t size, size_again;

    sample_replay(&replay);
    size = sample_packed(&replay, &bytes);
    cr_assert_eq(replay_unpack(&again, bytes, size, error), 0, "%s", error);
    cr_expect_str_eq(again.terms.id, replay.terms.id);
    cr_expect_arr_eq(again.terms.seed, replay.terms.seed, GAME_SEED_BYTES);
    cr_expect_eq(again.terms.player_count, 3);
    cr_expect_eq(again.terms.board, BOARD_GRAY);
    cr_expect_arr_eq(&again.terms.clock, &replay.terms.clock, sizeof again.terms.clock);
    cr_expect_eq(again.memory_bytes, replay.memory_bytes);
    cr_expect_eq(again.started_s, replay.started_s);
    for (int seat = 0; seat < 3; seat++) {
        cr_expect_str_eq(again.bots[seat].name, replay.bots[seat].name);
        cr_expect_str_eq(again.bots[seat].version, replay.bots[seat].version);
        cr_expect_str_eq(again.bots[seat].sha256, replay.bots[seat].sha256);
        cr_expect_eq(again.layers[seat], replay.layers[seat]);
        cr_expect_eq(again.out_turns[seat], replay.out_turns[seat]);
        cr_expect_eq(again.result.scores[seat], replay.result.scores[seat]);
        cr_expect_eq(again.result.ranks[seat], replay.result.ranks[seat]);
        cr_expect_eq(again.result.reasons[seat], replay.result.reasons[seat]);
        expect_same_forfeit(again.forfeits[seat], replay.forfeits[seat]);
    }
    cr_assert_eq(again.decision_count, replay.decision_count);
    for (size_t i = 0; i < replay.decision_count; i++)
        expect_same_decision(&again.decisions[i], &replay.decisions[i], i);
    /* Read and written again, it is the same file. */
    size_again = sample_packed(&again, &bytes_again);
    cr_assert_eq(size_again, size);
    cr_expect_arr_eq(bytes_again, bytes, size);
    free(bytes_again);
    free(bytes);
    replay_finish(&again);
    replay_finish(&replay);
}

/* What the API gives out and pages save: a forfeit whose standard error is left out. */
Test(pack, without_standard_error)
{
    char error[REPLAY_ERROR_BYTES] = "";
    struct replay replay, again;
    const struct forfeit *forfeit;
    uint8_t *bytes;
    size_t size;
    int found = 0;

    sample_replay(&replay);
    replay_drop_errors(&replay);
    size = sample_packed(&replay, &bytes);
    cr_assert_eq(replay_unpack(&again, bytes, size, error), 0, "%s", error);
    cr_expect_eq(replay_verify(&again, NULL, NULL, error), 0, "%s", error);
    for (int seat = 0; seat < 3; seat++) {
        forfeit = again.forfeits[seat];
        expect_same_forfeit(forfeit, replay.forfeits[seat]);
        if (!forfeit)
            continue;
        found++;
        cr_expect_eq(forfeit->errors_bytes, 0);
        cr_expect_eq(forfeit->errors_whole.bytes, 0);
        cr_expect_eq(forfeit->errors_whole.sha256[0], 0xe3, "the SHA-256 of nothing");
    }
    cr_expect_eq(found, 1);
    free(bytes);
    replay_finish(&again);
    replay_finish(&replay);
}

/* The bytes are refused, with one line that has an offset within them. */
static void expect_refused(const uint8_t *bytes, size_t size, const char *what, size_t where)
{
    char error[REPLAY_ERROR_BYTES] = "";
    struct replay replay;
    size_t offset;

    cr_assert_eq(replay_unpack(&replay, bytes, size, error), -1, "%s %zu was taken", what, where);
    cr_assert_eq(sscanf(error, "offset %zu: ", &offset), 1, "%s %zu: %s", what, where, error);
    cr_assert_leq(offset, size, "%s %zu: %s", what, where, error);
    cr_assert_null(strchr(error, '\n'));
    cr_assert_null(replay.decisions);
}

/* In a buffer of exactly its size, so that the sanitizer detects any access beyond. */
Test(pack, every_torn_file_is_refused)
{
    struct replay replay;
    uint8_t *bytes;
    size_t size;

    sample_replay(&replay);
    size = sample_packed(&replay, &bytes);
    for (size_t length = 0; length < size; length++) {
        uint8_t *torn = malloc(length + 1);

        memcpy(torn, bytes, length);
        torn = realloc(torn, length > 0 ? length : 1);
        expect_refused(torn, length, "length", length);
        free(torn);
    }
    free(bytes);
    replay_finish(&replay);
}

Test(pack, every_altered_byte_is_refused)
{
    static const uint8_t masks[] = {0x01, 0x80, 0xff};
    struct replay replay;
    uint8_t *bytes;
    size_t size;

    sample_replay(&replay);
    size = sample_packed(&replay, &bytes);
    for (size_t at = 0; at < size; at++)
        for (size_t mask = 0; mask < sizeof masks; mask++) {
            bytes[at] ^= masks[mask];
            expect_refused(bytes, size, "altered byte", at);
            bytes[at] ^= masks[mask];
        }
    free(bytes);
    replay_finish(&replay);
}

/* ---- files ---- */

Test(file, is_read_whole_and_closed)
{
    char folder[] = "/tmp/replay-test-XXXXXX", *path;
    int before = dup(0), after;
    uint8_t *bytes;
    size_t size;

    close(before);
    cr_assert_not_null(mkdtemp(folder));
    path = replay_file_path(folder, "000001-0");
    cr_expect_not_null(strstr(path, "/000001-0.replay"));
    for (size_t length = 0; length <= 3; length += 3) {
        cr_assert_eq(place_write_over(path, "one", length, NULL), 0);
        cr_assert_eq(file_read(path, REPLAY_BYTES_MAX, &bytes, &size), 0);
        cr_expect_eq(size, length);
        cr_expect_arr_eq(bytes, "one", length);
        free(bytes);
        cr_expect_eq(file_read(folder, REPLAY_BYTES_MAX, &bytes, &size), -EISDIR);
    }
    after = dup(0);
    close(after);
    cr_expect_eq(after, before, "a descriptor is left open");
    unlink(path);
    rmdir(folder);
    free(path);
}

Test(file, that_cannot_be_read)
{
    char folder[] = "/tmp/replay-test-XXXXXX", pipe_path[64], large[64];
    uint8_t *bytes;
    size_t size;

    cr_assert_not_null(mkdtemp(folder));
    snprintf(pipe_path, sizeof pipe_path, "%s/pipe", folder);
    snprintf(large, sizeof large, "%s/large", folder);
    cr_assert_eq(mkfifo(pipe_path, 0600), 0);
    cr_assert_eq(place_write_new(large, (const uint8_t *)"x", 1), 0);
    cr_assert_eq(truncate(large, REPLAY_BYTES_MAX), 0);
    cr_assert_eq(file_read(large, REPLAY_BYTES_MAX, &bytes, &size), 0);
    cr_expect_eq(size, (size_t)REPLAY_BYTES_MAX);
    free(bytes);
    cr_assert_eq(truncate(large, REPLAY_BYTES_MAX + 1), 0);
    cr_expect_eq(file_read("/nonexistent/file", REPLAY_BYTES_MAX, &bytes, &size), -ENOENT);
    cr_expect_eq(file_read(folder, REPLAY_BYTES_MAX, &bytes, &size), -EISDIR);
    cr_expect_eq(file_read(pipe_path, REPLAY_BYTES_MAX, &bytes, &size), -EINVAL);
    cr_expect_eq(file_read(large, REPLAY_BYTES_MAX, &bytes, &size), -EFBIG);
    cr_expect_null(bytes);
    unlink(pipe_path);
    unlink(large);
    rmdir(folder);
}
