/*
 * What passes between the arena and one bot: requests that need not fit into a pipe at once,
 * replies that come in any number of pieces, and the last part of its standard error. Knows
 * bytes and where a message ends; no process, no clock and no event loop. Never blocks.
 */
#ifndef ARENA_PLAY_CHANNEL_H
#define ARENA_PLAY_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "arena/play/tail.h"
#include "sdk/wire.h"

enum {
    CHANNEL_REPLY_BYTES = WIRE_MESSAGE_BYTES_MAX + 1,
};

/* What came of looking for a reply. */
enum channel_reply {
    CHANNEL_NOTHING = 0, /* new */
    CHANNEL_PART = 1,
    CHANNEL_WHOLE = 2, /* reply[0..scan.offset) is one message */
    CHANNEL_BAD = 3,   /* no message, or bytes behind one: scan.fault says why */
    CHANNEL_ENDED = 4, /* nothing will come any more */
};

struct channel {
    int input_fd, output_fd, errors_fd; /* as the bot calls them; borrowed, non-blocking */
    size_t request_bytes, written_bytes;
    size_t reply_bytes;
    struct wire_scan scan;
    struct tail errors_kept;
    uint8_t request[WIRE_MESSAGE_BYTES_MAX]; /* the last request; kept for the forfeit record */
    uint8_t reply[CHANNEL_REPLY_BYTES];      /* the last bytes received; kept likewise */
};

/* Begins to talk over these descriptors: nothing was said yet. */
void channel_init(struct channel *channel, int input_fd, int output_fd, int errors_fd);

/* request[0..size) is to be sent, and the reply to it is to come. */
void channel_begin(struct channel *channel, size_t size);

/* Writes what fits. Returns how many bytes still wait, or -errno: nobody will ever read it. */
ssize_t channel_write(struct channel *channel);

/* True if no byte of the request waits. */
bool channel_is_written(const struct channel *channel);

/* Reads once, whatever it is. Returns the bytes, 0 at the end of the output, -EAGAIN for none now.
 */
ssize_t channel_read(struct channel *channel);

/* What is wrong with what came: CHANNEL_BAD. */
const char *channel_fault(const struct channel *channel);

/* Reads once, and looks whether the reply is whole. */
enum channel_reply channel_receive(struct channel *channel);

/*
 * Reads once from standard error, to bytes[0..room) as well. Returns the bytes, 0 if there will
 * never be more, -EAGAIN for none now.
 */
ssize_t channel_read_errors(struct channel *channel, char *bytes, size_t room);

#endif
