/* SPDX-License-Identifier: MIT */
/*
 * The bot of the benches: answers every turn with the first legal action, without thinking or after
 * sleeping for as many microseconds as its argument says. Each answer's note has the microseconds
 * from the end of the read to the write, as measured by the bot. At the end, writes its figures to
 * standard error: decisions, nanoseconds as in the notes, and bytes of requests and replies.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sdk/wire.h"

struct cost {
    long long decisions;
    long long own_ns;
    long long request_bytes;
    long long reply_bytes;
};

static uint8_t request[2 * WIRE_MESSAGE_BYTES_MAX];
static uint8_t reply[WIRE_MESSAGE_BYTES_MAX];
static struct action actions[GAME_ACTIONS_MAX];
static struct wire_event events[WIRE_EVENTS_MAX];
static struct wire_turn turn;

static long long now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/*
 * Reads one complete message to the start of request. Returns its size, 0 at the end of the input.
 * Messages may follow each other directly, such as an end and the hello of the next game.
 */
static size_t read_message(long long *read_ns)
{
    static size_t size, taken; /* bytes in request; of them, the last message's */
    struct wire_scan scan = {0};

    memmove(request, request + taken, size - taken);
    size -= taken;
    while (wire_scan(&scan, request, size) != WIRE_SCAN_COMPLETE) {
        ssize_t got = read(0, request + size, sizeof request - size);

        if (got <= 0)
            return 0;
        size += (size_t)got;
        *read_ns = now_ns();
    }
    return taken = scan.offset;
}

static void think(long us)
{
    struct timespec rest = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};

    if (us > 0)
        nanosleep(&rest, NULL);
}

static size_t answer(size_t size, long think_us, long long read_ns)
{
    struct wire_act act = {.kind = WIRE_ACT_INDEX};
    enum wire_type type;

    if (wire_unpack_type(request, size, &type))
        return 0;
    if (type == WIRE_HELLO)
        return wire_pack_ready(reply, sizeof reply, &(struct wire_ready){.actions = true});
    if (type != WIRE_TURN || wire_unpack_turn(request, size, &turn, actions, events))
        return 0;
    think(think_us);
    act.turn = turn.turn;
    act.has_note = true;
    act.note_bytes =
        (size_t)snprintf(act.note, sizeof act.note, "%lld", (now_ns() - read_ns) / 1000);
    return wire_pack_act(reply, sizeof reply, &act);
}

int main(int argc, char **argv)
{
    long think_us = argc > 1 ? atol(argv[1]) : 0;
    struct cost cost = {0};
    long long read_ns = 0;
    size_t size;

    while ((size = read_message(&read_ns)) > 0) {
        size_t reply_bytes = answer(size, think_us, read_ns);

        if (reply_bytes == 0)
            continue;
        cost.decisions++;
        cost.request_bytes += (long long)size;
        cost.reply_bytes += (long long)reply_bytes;
        cost.own_ns += now_ns() - read_ns;
        if (write(1, reply, reply_bytes) != (ssize_t)reply_bytes)
            return 1;
    }
    fprintf(stderr, "%lld %lld %lld %lld\n", cost.decisions, cost.own_ns, cost.request_bytes,
            cost.reply_bytes);
    return 0;
}
