/* SPDX-License-Identifier: MIT */
/*
 * Messages between the web process and the desk, a process of the daemon, over a Unix socket. A
 * message is its length in 4 bytes (little endian), then its bytes; an open file may come with the
 * first byte. Each connection carries one question and one answer:
 *
 *     web -> desk   a JSON object (api.h); with an upload, the file
 *     desk -> web   a JSON object {"status", "type", "retry_after"}, then a message with the body
 *
 * Functions wait until the whole message has gone or come, but not beyond deadline_us, a moment of
 * the monotonic clock. They return 0 or -errno.
 */
#ifndef ARENA_WEB_MESSAGE_H
#define ARENA_WEB_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum message_limits {
    MESSAGE_QUESTION_BYTES_MAX = 16 << 10,
    MESSAGE_HEAD_BYTES_MAX = 4 << 10,
    MESSAGE_BODY_BYTES_MAX = 64 << 20,
    MESSAGE_S = 10, /* time limit for a message that has begun */
};

/*
 * Connects to the desk's socket without waiting. Returns a socket, which the caller closes, or
 * -errno.
 */
int message_connect(const char *path);

/*
 * Listens on a socket at a path, to which every user may connect if the socket is public; else this
 * user, and the users of its group. Replaces the file of a socket on which no process listens any
 * more. Returns the socket, or -errno: -EEXIST if the path is a file
 * and not a socket, -EADDRINUSE if a process listens on the socket.
 */
int message_listen(const char *path, bool is_public);

/* Sends a message, together with the open file fd unless fd is -1. */
int message_send(int socket, int64_t deadline_us, const void *bytes, size_t size, int fd);

/* A message that is being received. */
struct message {
    uint8_t length[4];
    size_t got; /* bytes that have come, with those of the length */
    char *text; /* NULL until the length has come */
    size_t size;
    int fd; /* the file sent with the message; -1: none */
};

#define MESSAGE_EMPTY ((struct message){.fd = -1})

/*
 * Takes what has come of a message of at most `most` bytes, without waiting. Returns 1 once the
 * message is whole: the text, with a NUL after it, and the file are then the caller's. Returns 0 if
 * more is to come, or -errno; the caller then keeps the message, or passes it to message_drop.
 */
int message_take(int socket, size_t most, struct message *message);

/* Frees what has come. */
void message_drop(struct message *message);

/*
 * Receives a message of at most `most` bytes, and appends a NUL. The caller frees *bytes. *fd is
 * the file sent with the message, which the caller closes, or -1. If fd is NULL, closes a received
 * file.
 */
int message_receive(int socket, int64_t deadline_us, size_t most, char **bytes, size_t *size,
                    int *fd);

#endif
