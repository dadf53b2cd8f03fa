/* SPDX-License-Identifier: MIT */
#include "arena/play/channel.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/base/memory.h"
#include "arena/base/place.h"

/* ---- standard error ---- */

void tail_add(struct tail *tail, const char *bytes, size_t size)
{
    if (tail->total_bytes < TAIL_HEAD_BYTES) {
        size_t room = (size_t)(TAIL_HEAD_BYTES - tail->total_bytes);
        size_t part = size < room ? size : room;

        memcpy(tail->head + tail->total_bytes, bytes, part);
        tail->total_bytes += part;
        bytes += part;
        size -= part;
    }
    while (size > 0) {
        size_t at = (size_t)((tail->total_bytes - TAIL_HEAD_BYTES) % TAIL_RING_BYTES);
        size_t part = size < TAIL_RING_BYTES - at ? size : TAIL_RING_BYTES - at;

        memcpy(tail->ring + at, bytes, part);
        tail->total_bytes += part;
        bytes += part;
        size -= part;
    }
}

/* Returns the byte at an index of the whole text, which must be in the kept first or last part. */
static char byte_at(const struct tail *tail, uint64_t index)
{
    if (index < TAIL_HEAD_BYTES)
        return tail->head[index];
    return tail->ring[(index - TAIL_HEAD_BYTES) % TAIL_RING_BYTES];
}

size_t tail_last(const struct tail *tail, char *bytes, size_t size)
{
    uint64_t lost_until = 0; /* all bytes from this index on were kept */
    size_t count;

    if (tail->total_bytes > TAIL_HEAD_BYTES + TAIL_RING_BYTES)
        lost_until = tail->total_bytes - TAIL_RING_BYTES;
    count = tail->total_bytes - lost_until < size ? (size_t)(tail->total_bytes - lost_until) : size;
    for (size_t i = 0; i < count; i++)
        bytes[i] = byte_at(tail, tail->total_bytes - count + i);
    return count;
}

size_t tail_parts(const struct tail *tail, char *bytes, size_t part)
{
    if (tail->total_bytes <= 2 * part)
        return tail_last(tail, bytes, 2 * part);
    memcpy(bytes, tail->head, part);
    return part + tail_last(tail, bytes + part, part);
}

/*
 * True if a bot's name, which the bot's author chose, has only characters that are harmless in a
 * path.
 */
static bool is_plain(const char *name)
{
    return *name && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789-_")] == '\0';
}

static void write_tail(FILE *file, const struct tail *errors)
{
    static char last[TAIL_HEAD_BYTES + TAIL_RING_BYTES];
    size_t size = tail_last(errors, last, sizeof last);

    if (size < errors->total_bytes) {
        size_t head = sizeof errors->head;

        fwrite(errors->head, 1, head, file);
        fprintf(file, "\n[%" PRIu64 " bytes are missing here]\n",
                errors->total_bytes - head - size);
    }
    fwrite(last, 1, size, file);
}

int error_file_write(const char *folder, const char *match, int seat, const char *name,
                     const struct tail *errors)
{
    const bool plain = is_plain(name);
    char *path = NULL, *text = NULL;
    size_t size;
    FILE *file;
    int result;

    if (errors->total_bytes == 0)
        return 0;
    file = memory_stream(&text, &size);
    write_tail(file, errors);
    memory_stream_end(file);
    result = asprintf(&path, "%s/%s-%d%s%s.log", folder, match, seat, plain ? "-" : "",
                      plain ? name : "") >= 0
                 ? place_write_over(path, text, size, NULL)
                 : -ENOMEM;
    free(path);
    free(text);
    return result;
}

/* ---- messages ---- */

/* Returns -EAGAIN if a failed read found no bytes yet, or 0 if it found the end of the output. */
static ssize_t without_bytes(void)
{
    return errno == EAGAIN || errno == EINTR ? -EAGAIN : 0;
}

void channel_init(struct channel *channel, int input_fd, int output_fd, int errors_fd)
{
    channel->input_fd = input_fd;
    channel->output_fd = output_fd;
    channel->errors_fd = errors_fd;
    channel->errors_kept.total_bytes = 0;
    channel_begin(channel, 0);
}

void channel_begin(struct channel *channel, size_t size)
{
    channel->request_bytes = size;
    channel->written_bytes = channel->reply_bytes = 0;
    channel->scan = (struct wire_scan){0};
}

ssize_t channel_write(struct channel *channel)
{
    ssize_t put = write(channel->input_fd, channel->request + channel->written_bytes,
                        channel->request_bytes - channel->written_bytes);

    if (put < 0 && errno != EAGAIN && errno != EINTR)
        return -errno;
    if (put > 0)
        channel->written_bytes += (size_t)put;
    return (ssize_t)(channel->request_bytes - channel->written_bytes);
}

bool channel_is_written(const struct channel *channel)
{
    return channel->written_bytes == channel->request_bytes;
}

ssize_t channel_read(struct channel *channel)
{
    ssize_t got = read(channel->output_fd, channel->reply + channel->reply_bytes,
                       sizeof channel->reply - channel->reply_bytes);

    if (got < 0)
        return without_bytes();
    channel->reply_bytes += (size_t)got;
    return got;
}

enum channel_reply channel_receive(struct channel *channel)
{
    ssize_t got = channel_read(channel);

    if (got == 0)
        return CHANNEL_ENDED;
    if (got < 0)
        return CHANNEL_NOTHING;
    switch (wire_scan(&channel->scan, channel->reply, channel->reply_bytes)) {
    case WIRE_SCAN_PARTIAL:
        return CHANNEL_PART;
    case WIRE_SCAN_BAD:
        return CHANNEL_BAD;
    case WIRE_SCAN_COMPLETE:
        break;
    }
    if (channel->reply_bytes == channel->scan.offset)
        return CHANNEL_WHOLE;
    channel->scan.fault = "the bot wrote bytes after its answer";
    return CHANNEL_BAD;
}

ssize_t channel_read_errors(struct channel *channel, char *bytes, size_t room)
{
    ssize_t got = read(channel->errors_fd, bytes, room);

    if (got < 0)
        return without_bytes();
    tail_add(&channel->errors_kept, bytes, (size_t)got);
    return got;
}

const char *channel_fault(const struct channel *channel)
{
    uint8_t first = channel->reply_bytes > 0 ? channel->reply[0] : 0;

    /* Messages are maps, which begin with a byte of 0x80 or above; a line of text does not. */
    if (channel->scan.offset == 0 && (isprint(first) || isspace(first)))
        return "the bot printed text to standard output, which takes messages in MessagePack only, "
               "not JSON: print to standard error";
    return channel->scan.fault;
}

/* ---- what a message says ---- */

const char *answer_read_ready(const uint8_t *bytes, size_t size, struct wire_ready *ready)
{
    enum wire_type type;
    const char *fault = wire_unpack_type(bytes, size, &type);

    if (!fault && type != WIRE_READY)
        fault = "the bot answered the hello message with a message other than ready";
    return fault ? fault : wire_unpack_ready(bytes, size, ready);
}

const char *answer_read_act(const uint8_t *bytes, size_t size, struct wire_act *act)
{
    enum wire_type type;
    const char *fault = wire_unpack_type(bytes, size, &type);

    if (!fault && type != WIRE_ACT)
        fault = "the bot answered a turn message with a message other than act";
    return fault ? fault : wire_unpack_act(bytes, size, act);
}
