/* SPDX-License-Identifier: MIT */
/*
 * The bytes between the arena and one bot: requests, which may not fit into a pipe at once;
 * replies, which may arrive in pieces; the first and last parts of the bot's standard error. Knows
 * where a message ends; knows no process, clock or event loop. Never blocks.
 */
#ifndef ARENA_PLAY_CHANNEL_H
#define ARENA_PLAY_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sdk/wire.h"

enum tail_limits {
    TAIL_HEAD_BYTES = 16384, /* bytes kept of the beginning of what a bot wrote to standard error */
    TAIL_RING_BYTES = 49152, /* bytes kept of its end */
};

/* The first and the last part of a text of any length. A zeroed tail is empty. */
struct tail {
    uint64_t total_bytes; /* length of the whole text so far */
    char head[TAIL_HEAD_BYTES];
    char ring[TAIL_RING_BYTES];
};

void tail_add(struct tail *tail, const char *bytes, size_t size);

/*
 * Copies the last `size` bytes of the text, or fewer if fewer were kept. Returns the number of
 * bytes copied.
 */
size_t tail_last(const struct tail *tail, char *bytes, size_t size);

/*
 * Copies the whole text if it has at most 2 * part bytes, else its first `part` and its last `part`
 * bytes. part is at most TAIL_HEAD_BYTES. Returns the number of bytes copied.
 */
size_t tail_parts(const struct tail *tail, char *bytes, size_t part);

/*
 * Writes the bot's standard error to folder/MATCH-SEAT-NAME.log, and replaces an existing file.
 * Writes no file if the bot wrote nothing; leaves NAME out if it cannot be part of a file's name.
 * Between the kept beginning and end, a line says how many bytes are missing. Returns 0 or -errno.
 */
int error_file_write(const char *folder, const char *match, int seat, const char *name,
                     const struct tail *errors);

enum {
    CHANNEL_REPLY_BYTES = WIRE_MESSAGE_BYTES_MAX + 1,
};

/* What channel_receive found. */
enum channel_reply {
    CHANNEL_NOTHING = 0, /* no new bytes */
    CHANNEL_PART = 1,
    CHANNEL_WHOLE = 2, /* reply[0..scan.offset) is one message */
    CHANNEL_BAD = 3,   /* invalid message, or bytes after a message; scan.fault says which */
    CHANNEL_ENDED = 4, /* the bot closed its output */
};

struct channel {
    int input_fd, output_fd, errors_fd; /* pipes to the bot; borrowed, non-blocking */
    size_t request_bytes, written_bytes;
    size_t reply_bytes;
    struct wire_scan scan;
    struct tail errors_kept;
    uint8_t request[WIRE_MESSAGE_BYTES_MAX]; /* the last request; a forfeit's record shows it */
    uint8_t reply[CHANNEL_REPLY_BYTES]; /* the last bytes received; a forfeit's record shows them */
};

/* Begins to use these descriptors, and forgets all earlier bytes. */
void channel_init(struct channel *channel, int input_fd, int output_fd, int errors_fd);

/* Prepares to send request[0..size) and to receive the reply to it. */
void channel_begin(struct channel *channel, size_t size);

/*
 * Writes as much of the request as fits. Returns the number of bytes still to be written, or -errno
 * if nobody can read the request any more.
 */
ssize_t channel_write(struct channel *channel);

/* True if the whole request has been written. */
bool channel_is_written(const struct channel *channel);

/*
 * Reads from the output once, without checking the bytes. Returns their number, 0 at the end of the
 * output, or -EAGAIN if there are no bytes now.
 */
ssize_t channel_read(struct channel *channel);

/* Returns what is wrong with a message for which channel_receive returned CHANNEL_BAD. */
const char *channel_fault(const struct channel *channel);

/* Reads from the output once, and checks whether the reply is complete. */
enum channel_reply channel_receive(struct channel *channel);

/*
 * Reads from standard error once, adds the new bytes to errors_kept and copies them to
 * bytes[0..room). Returns their number, 0 at the end of standard error, or -EAGAIN if there are no
 * bytes now.
 */
ssize_t channel_read_errors(struct channel *channel, char *bytes, size_t room);

/*
 * Each function decodes a complete message of one type. Returns NULL, or one static line that says
 * why the message breaks the protocol.
 */
const char *answer_read_ready(const uint8_t *bytes, size_t size, struct wire_ready *ready);
const char *answer_read_act(const uint8_t *bytes, size_t size, struct wire_act *act);

#endif
