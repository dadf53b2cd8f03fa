/*
 * The bytes between the arena and one bot: requests, which may not fit into a pipe at once;
 * replies, which may arrive in any number of pieces; and the first and last parts of its standard
 * error. Knows where a message ends; knows no process, clock or event loop. Never blocks.
 */
#ifndef ARENA_PLAY_CHANNEL_H
#define ARENA_PLAY_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sdk/wire.h"

enum tail_limits {
    TAIL_HEAD_BYTES = 16384, /* kept from the beginning */
    TAIL_RING_BYTES = 49152, /* kept from the end */
};

/* Zeroed: empty. */
struct tail {
    uint64_t total_bytes; /* bytes added */
    char head[TAIL_HEAD_BYTES];
    char ring[TAIL_RING_BYTES];
};

void tail_add(struct tail *tail, const char *bytes, size_t size);

/*
 * Copies the last bytes added, at most size. Returns how many: fewer than size if bytes between
 * head and ring are gone.
 */
size_t tail_last(const struct tail *tail, char *bytes, size_t size);

/*
 * Copies everything if it is at most 2 * part bytes, else the first part bytes and the last part
 * bytes; part is at most TAIL_HEAD_BYTES. Returns the number of bytes.
 */
size_t tail_parts(const struct tail *tail, char *bytes, size_t part);

/*
 * The bytes between the arena and one bot: requests, which may not fit into a pipe at once;
 * replies, which may arrive in any number of pieces; and the first and last parts of its standard
 * error. Knows where a message ends; knows no process, clock or event loop. Never blocks.
 */

enum {
    CHANNEL_REPLY_BYTES = WIRE_MESSAGE_BYTES_MAX + 1,
};

/* The result of trying to receive a reply. */
enum channel_reply {
    CHANNEL_NOTHING = 0, /* nothing new */
    CHANNEL_PART = 1,
    CHANNEL_WHOLE = 2, /* reply[0..scan.offset) is one message */
    CHANNEL_BAD = 3,   /* an invalid message, or bytes after one: scan.fault says why */
    CHANNEL_ENDED = 4, /* the output has ended */
};

struct channel {
    int input_fd, output_fd, errors_fd; /* the bot's ends of them; borrowed, non-blocking */
    size_t request_bytes, written_bytes;
    size_t reply_bytes;
    struct wire_scan scan;
    struct tail errors_kept;
    uint8_t request[WIRE_MESSAGE_BYTES_MAX]; /* the last request; kept for the forfeit record */
    uint8_t reply[CHANNEL_REPLY_BYTES]; /* the last bytes received; kept for the same purpose */
};

/* Starts a new conversation over these descriptors. */
void channel_init(struct channel *channel, int input_fd, int output_fd, int errors_fd);

/* Prepares to send request[0..size) and to receive the reply to it. */
void channel_begin(struct channel *channel, size_t size);

/*
 * Writes what fits. Returns the number of bytes still to be written, or -errno if the reader is
 * gone.
 */
ssize_t channel_write(struct channel *channel);

/* True if the whole request has been written. */
bool channel_is_written(const struct channel *channel);

/*
 * Reads once, without checking the bytes. Returns their number, 0 at the end of the output, -EAGAIN
 * if there are none now.
 */
ssize_t channel_read(struct channel *channel);

/* Returns why the reply is CHANNEL_BAD. */
const char *channel_fault(const struct channel *channel);

/* Reads once and checks whether the reply is complete. */
enum channel_reply channel_receive(struct channel *channel);

/*
 * Reads once from standard error, and copies what it read to bytes[0..room). Returns the number of
 * bytes, 0 at its end, -EAGAIN if there are none now.
 */
ssize_t channel_read_errors(struct channel *channel, char *bytes, size_t room);

/* Decodes a bot's message of the expected type and refuses any other. Pure. */

/*
 * Each decodes one complete, scanned message. Returns NULL, or one static line that says why the
 * message is a protocol fault.
 */
const char *answer_read_ready(const uint8_t *bytes, size_t size, struct wire_ready *ready);
const char *answer_read_act(const uint8_t *bytes, size_t size, struct wire_act *act);

#endif
