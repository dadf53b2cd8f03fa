/* SPDX-License-Identifier: MIT */
/*
 * A bot that misbehaves in one way at one moment, and else plays the first legal action at
 * once. It writes its bytes itself: no SDK would let it say such things.
 *
 *     hostile MOMENT BEHAVIOUR[=ARGUMENT] [ANYTHING]
 *
 * MOMENT: start (before it reads), hello (in place of its ready), ready (right behind it),
 * turn:N (in place of its answer number N, from 0; without N of each), until:N (of each
 * before that), answer:N (right behind it), end.
 * BEHAVIOUR: the table in behaviour.c. ARGUMENT: a number, or bytes in hex.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sdk/wire.h"
#include "tests/hostile/behaviour.h"

static uint8_t message[BEHAVIOUR_BYTES_MAX]; /* the last one that was read */
static size_t message_bytes, read_bytes;

/* Reads the next complete message; exits at the end of the input. */
static enum wire_type read_message(void)
{
    struct wire_scan scan = {0};
    enum wire_type type;

    memmove(message, message + message_bytes, read_bytes - message_bytes);
    read_bytes -= message_bytes;
    while (wire_scan(&scan, message, read_bytes) != WIRE_SCAN_COMPLETE) {
        ssize_t got = read(STDIN_FILENO, message + read_bytes, sizeof message - read_bytes);

        if (got <= 0)
            _exit(0);
        read_bytes += (size_t)got;
    }
    message_bytes = scan.offset;
    if (wire_unpack_type(message, message_bytes, &type))
        _exit(98);
    return type;
}

static void read_turn(void)
{
    static struct action actions[GAME_ACTIONS_MAX];
    static struct wire_event events[WIRE_EVENTS_MAX];
    struct wire_turn request;

    if (wire_unpack_turn(message, message_bytes, &request, actions, events))
        _exit(97);
    behaviour_set_turn(request.turn, request.action_count);
}

/* True if the current moment matches; count is the number of the turn, if any. */
static bool is_moment(const char *moment, const char *now, int count)
{
    char numbered[32];

    if (strncmp(moment, "until:", 6) == 0)
        return strcmp(now, "turn") == 0 && count < atoi(moment + 6);
    snprintf(numbered, sizeof numbered, "%s:%d", now, count);
    return strcmp(moment, now) == 0 || strcmp(moment, numbered) == 0;
}

/* Misbehaves if this is the moment. */
static enum behaviour_left at(const char *moment, const char *now, int count, const char *behaviour)
{
    return is_moment(moment, now, count) ? behaviour_play(behaviour) : BEHAVIOUR_LEAVES_ANSWER;
}

int main(int argc, char **argv)
{
    int count = 0;

    if (argc < 3)
        return 95;
    at(argv[1], "start", 0, argv[2]);
    for (;;)
        switch (read_message()) {
        case WIRE_HELLO:
            if (at(argv[1], "hello", 0, argv[2]) == BEHAVIOUR_LEAVES_ANSWER)
                behaviour_write(STDOUT_FILENO, "\x81\xa4type\xa5ready", 12);
            at(argv[1], "ready", 0, argv[2]);
            break;
        case WIRE_TURN:
            read_turn();
            if (at(argv[1], "turn", count, argv[2]) == BEHAVIOUR_LEAVES_ANSWER)
                behaviour_answer();
            at(argv[1], "answer", count++, argv[2]);
            break;
        case WIRE_END:
            at(argv[1], "end", 0, argv[2]);
            break;
        case WIRE_READY:
        case WIRE_ACT:
            return 94;
        }
}
