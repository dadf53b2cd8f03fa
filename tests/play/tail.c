/* What is kept of a bot's standard error: the beginning and the end, each contiguous. */
#include "arena/play/channel.h"

#include <criterion/criterion.h>

enum {
    KEPT_BYTES = TAIL_HEAD_BYTES + TAIL_RING_BYTES,
    WRITTEN_MAX = 3 * KEPT_BYTES + 5,
};

/* Returns the byte written at an index; bytes differ at the borders of pieces. */
static char byte_of(size_t index)
{
    return (char)(index * 7 + index / 251);
}

/* Arow a case. */
/* clang-format off */
static const struct {
    const char *rule;
    size_t written, piece, asked, got;
} rows[] = {
    {"nothing", 0, 1, 100, 0},
    {"one byte", 1, 1, 100, 1},
    {"none asked for", 10, 10, 0, 0},
    {"all of a short text", 100, 7, 4096, 100},
    {"the end of a longer one", 5000, 100, 4096, 4096},
    {"over the border of head and ring", TAIL_HEAD_BYTES + 10, 333, 4096, 4096},
    {"head and ring are full", KEPT_BYTES, 4096, KEPT_BYTES, KEPT_BYTES},
    {"one more: the head is cut off", KEPT_BYTES + 1, 4096, KEPT_BYTES, TAIL_RING_BYTES},
    {"round the ring, byte by byte", 2 * KEPT_BYTES + 3, 1, KEPT_BYTES, TAIL_RING_BYTES},
    {"round the ring, in one piece", WRITTEN_MAX, WRITTEN_MAX, 4096, 4096},
    {"round the ring, in odd pieces", WRITTEN_MAX, 1013, KEPT_BYTES, TAIL_RING_BYTES},
};
/* clang-format on */

Test(tail, keeps_the_end)
{
    static char written[WRITTEN_MAX], kept[KEPT_BYTES];

    for (size_t i = 0; i < WRITTEN_MAX; i++)
        written[i] = byte_of(i);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        static struct tail tail;
        size_t got;

        tail = (struct tail){0};
        for (size_t at = 0; at < rows[row].written; at += rows[row].piece) {
            size_t left = rows[row].written - at;

            tail_add(&tail, written + at, left < rows[row].piece ? left : rows[row].piece);
        }
        got = tail_last(&tail, kept, rows[row].asked);
        cr_expect_eq(tail.total_bytes, rows[row].written, "%s", rows[row].rule);
        cr_assert_eq(got, rows[row].got, "%s: %zu bytes", rows[row].rule, got);
        cr_expect_arr_eq(kept, written + rows[row].written - got, got, "%s", rows[row].rule);
        cr_expect_arr_eq(tail.head, written,
                         rows[row].written < TAIL_HEAD_BYTES ? rows[row].written : TAIL_HEAD_BYTES,
                         "%s: the beginning", rows[row].rule);
    }
}

/* Both ends, as a forfeit keeps them: the beginning is there even if the ring has turned. */
Test(tail, gives_its_first_and_last_part)
{
    enum {
        PART = 1000,
    };
    static const size_t sizes[] = {
        0, 1, PART, 2 * PART - 1, 2 * PART, 2 * PART + 1, 5 * PART, KEPT_BYTES, WRITTEN_MAX};
    static char written[WRITTEN_MAX];

    for (size_t i = 0; i < WRITTEN_MAX; i++)
        written[i] = byte_of(i);
    for (size_t row = 0; row < sizeof sizes / sizeof *sizes; row++) {
        const size_t size = sizes[row], first = size < PART ? size : PART;
        const size_t last = size - first < PART ? size - first : PART;
        static struct tail tail;
        char parts[2 * PART];

        tail = (struct tail){0};
        tail_add(&tail, written, size);
        cr_assert_eq(tail_parts(&tail, parts, PART), first + last, "of %zu", size);
        cr_expect_arr_eq(parts, written, first, "of %zu", size);
        cr_expect_arr_eq(parts + first, written + size - last, last, "of %zu", size);
    }
}
