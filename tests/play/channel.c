/* A channel over pipes whose other ends the test holds. */
#include "arena/play/channel.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static struct channel channel;
static int input_fd, output_fd, errors_fd; /* the bot's ends */

static int open_pipe(int own_end, int *other_fd)
{
    int ends[2];

    cr_assert_eq(pipe2(ends, O_NONBLOCK), 0);
    *other_fd = ends[1 - own_end];
    return ends[own_end];
}

static void open_channel(void)
{
    int to_bot = open_pipe(1, &input_fd);
    int from_bot = open_pipe(0, &output_fd);

    signal(SIGPIPE, SIG_IGN);
    channel_init(&channel, to_bot, from_bot, open_pipe(0, &errors_fd));
}

TestSuite(channel, .init = open_channel);

#define READY "\x81\xa4type\xa5ready"

enum {
    PIECES_MAX = 3,
};

/* One row per case: what the bot writes, in pieces, and the result of each receive. */
/* clang-format off */
static const struct {
    const char *rule;
    const char *pieces[PIECES_MAX]; /* NULL: it closes its output */
    enum channel_reply replies[PIECES_MAX];
    int piece_count;
} rows[] = {
    {"nothing", {""}, {CHANNEL_NOTHING}, 1},
    {"a whole message", {READY}, {CHANNEL_WHOLE}, 1},
    {"a message in pieces", {"\x81\xa4ty", "", "pe\xa5ready"}, {CHANNEL_PART, CHANNEL_NOTHING, CHANNEL_WHOLE}, 3},
    {"bytes behind it", {READY "x"}, {CHANNEL_BAD}, 1},
    {"no message", {"\x81\xa4ty", "pe\xc1"}, {CHANNEL_PART, CHANNEL_BAD}, 2},
    {"an end", {NULL}, {CHANNEL_ENDED}, 1},
    {"an end in the middle", {"\x81\xa4ty", NULL}, {CHANNEL_PART, CHANNEL_ENDED}, 2},
};
/* clang-format on */

Test(channel, replies)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        open_channel();
        channel_begin(&channel, 0);
        for (int piece = 0; piece < rows[i].piece_count; piece++) {
            const char *text = rows[i].pieces[piece];

            if (text)
                cr_assert_eq(write(output_fd, text, strlen(text)), (ssize_t)strlen(text));
            else
                close(output_fd);
            cr_expect_eq(channel_receive(&channel), rows[i].replies[piece], "%s: piece %d",
                         rows[i].rule, piece);
        }
    }
}

Test(channel, bytes_behind_a_message_are_told)
{
    channel_begin(&channel, 0);
    cr_assert_eq(write(output_fd, READY READY, 24), 24);
    cr_expect_eq(channel_receive(&channel), CHANNEL_BAD);
    cr_expect_str_eq(channel.scan.fault, "the bot wrote bytes after its answer");
}

/* A request larger than the pipe is sent as the pipe is emptied, byte for byte. */
Test(channel, a_request_need_not_fit)
{
    static uint8_t taken[sizeof channel.request];
    size_t taken_bytes = 0;
    ssize_t waiting;

    cr_assert_gt(fcntl(channel.input_fd, F_SETPIPE_SZ, 4096), 0);
    for (size_t i = 0; i < sizeof channel.request; i++)
        channel.request[i] = (uint8_t)(i % 251);
    channel_begin(&channel, sizeof channel.request);
    do {
        waiting = channel_write(&channel);
        cr_assert_geq(waiting, 0);
        taken_bytes += (size_t)read(input_fd, taken + taken_bytes, sizeof taken - taken_bytes);
    } while (waiting > 0);
    cr_expect_eq(taken_bytes, sizeof taken);
    cr_expect_arr_eq(taken, channel.request, sizeof taken);
}

Test(channel, nobody_reads_a_request)
{
    close(input_fd);
    channel_begin(&channel, 1);
    cr_expect_eq(channel_write(&channel), -EPIPE);
}

Test(channel, standard_error_is_kept)
{
    char bytes[16], kept[16] = "";

    cr_expect_eq(channel_read_errors(&channel, bytes, sizeof bytes), -EAGAIN);
    cr_assert_eq(write(errors_fd, "words\n", 6), 6);
    cr_expect_eq(channel_read_errors(&channel, bytes, sizeof bytes), 6);
    cr_expect_arr_eq(bytes, "words\n", 6);
    close(errors_fd);
    cr_expect_eq(channel_read_errors(&channel, bytes, sizeof bytes), 0);
    cr_expect_eq(tail_last(&channel.errors_kept, kept, sizeof kept), 6);
    cr_expect_arr_eq(kept, "words\n", 6);
}
