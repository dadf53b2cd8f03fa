/*
 * Messages between the web process and the desk, over a Unix socket: a length of 4 bytes (little
 * endian), then so many bytes. The first byte may carry an open file. One connection is one
 * question and one answer:
 *
 *     web -> desk   a JSON object (api.h); with an upload, the file
 *     desk -> web   a JSON object {"status", "type", "retry_after"}, then a message with the body
 *
 * Functions block, but no longer than the time limit of the socket. They return 0 or -errno.
 */
#ifndef ARENA_WEB_MESSAGE_H
#define ARENA_WEB_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

enum message_limits {
    MESSAGE_QUESTION_BYTES_MAX = 16 << 10,
    MESSAGE_HEAD_BYTES_MAX = 4 << 10,
    MESSAGE_BODY_BYTES_MAX = 64 << 20,
    MESSAGE_DESK_S = 10, /* the desk waits this long for a question, and to be rid of its answer */
    MESSAGE_WEB_S = 120, /* the web process waits this long for an answer */
};

/* Connects to the desk's socket. Returns a socket, which the caller closes, or -errno. */
int message_connect(const char *path);

/*
 * Listens on a socket at a path, where every user may connect, in place of a socket that an earlier
 * process left. Returns the socket, or -errno: -EEXIST if the path is a file and not a socket,
 * -EADDRINUSE if a process listens there.
 */
int message_listen(const char *path);

/* Limits how long each later call on a socket may wait. */
int message_limit(int socket, int seconds);

/* Sends a message. fd is an open file to go with it, or -1. */
int message_send(int socket, const void *bytes, size_t size, int fd);

/*
 * Receives a message of at most `most` bytes, and adds a NUL. The caller frees *bytes. *fd is the
 * file that came with it, which the caller closes, or -1; with fd NULL, a file is closed.
 */
int message_receive(int socket, size_t most, char **bytes, size_t *size, int *fd);

#endif
