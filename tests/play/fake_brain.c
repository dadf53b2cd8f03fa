/* SPDX-License-Identifier: MIT */
#include "tests/play/fake_brain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sdk/wire.h"
#include "tests/play/fake_child.h"

struct brain {
    ev_io input;
    uint8_t bytes[2 * WIRE_MESSAGE_BYTES_MAX];
    size_t size;
};

static struct ev_loop *loop;
static struct brain *brains[FAKE_CHILDREN_MAX];

static void answer(struct fake_child *fake, const uint8_t *message, size_t size)
{
    static struct action actions[GAME_ACTIONS_MAX];
    static struct wire_event events[WIRE_EVENTS_MAX];
    static struct wire_turn turn;
    uint8_t reply[256];
    enum wire_type type;
    size_t reply_bytes = 0;

    assert(!wire_unpack_type(message, size, &type));
    if (type == WIRE_HELLO)
        reply_bytes = wire_pack_ready(reply, sizeof reply, &(struct wire_ready){.actions = true});
    if (type == WIRE_TURN) {
        assert(!wire_unpack_turn(message, size, &turn, actions, events));
        reply_bytes = wire_pack_act(reply, sizeof reply,
                                    &(struct wire_act){.kind = WIRE_ACT_INDEX, .turn = turn.turn});
    }
    assert(write(fake->output_fd, reply, reply_bytes) == (ssize_t)reply_bytes);
}

static void input_ready(struct ev_loop *on, ev_io *watch, int events)
{
    struct fake_child *fake = watch->data;
    struct brain *brain = brains[fake - fake_children];
    struct wire_scan scan = {0};
    ssize_t got = recv(fake->input_fd, brain->bytes + brain->size,
                       sizeof brain->bytes - brain->size, MSG_DONTWAIT);
    if (got <= 0) { /* the end of its input: it leaves */
        fake_child_die(fake, SANDBOX_END_EXITED);
        return;
    }
    brain->size += (size_t)got;
    while (brain->size > 0 && wire_scan(&scan, brain->bytes, brain->size) == WIRE_SCAN_COMPLETE) {
        answer(fake, brain->bytes, scan.offset);
        brain->size -= scan.offset;
        memmove(brain->bytes, brain->bytes + scan.offset, brain->size);
        scan = (struct wire_scan){0};
    }
}

static void born(struct fake_child *fake)
{
    struct brain *brain = calloc(1, sizeof *brain);

    brains[fake - fake_children] = brain;
    ev_io_init(&brain->input, input_ready, fake->input_fd, EV_READ);
    brain->input.data = fake;
    ev_io_start(loop, &brain->input);
}

static void dying(struct fake_child *fake)
{
    struct brain **brain = &brains[fake - fake_children];

    if (!*brain) /* it never lived on the loop */
        return;
    ev_io_stop(loop, &(*brain)->input);
    free(*brain);
    *brain = NULL;
}

void fake_brain_start(struct ev_loop *on)
{
    loop = on;
    fake_child_born_fn = born;
    fake_child_dying_fn = dying;
}
