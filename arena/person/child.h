/*
 * A person in the place of a bot's process: a transport over a socketpair, whose other end stays
 * in this program, on the same loop. Requests of the wire come in, and answers of the wire go out,
 * so that referee, clock and replay take the person for one more bot. Other bots of the table are
 * in the sandbox as ever.
 */
#ifndef ARENA_PERSON_CHILD_H
#define ARENA_PERSON_CHILD_H

#include <ev.h>

#include "arena/play/transport.h"
#include "sdk/wire.h"

/* A message of the wire as it came. */
struct person_message {
    size_t size;
    uint8_t bytes[WIRE_MESSAGE_BYTES_MAX];
};

/* One person; fields up to the line are set by the owner before the table plays. */
struct person_child {
    struct ev_loop *loop;
    struct sandbox *sandbox; /* of the bots */
    void *owner;
    void (*asked_fn)(void *owner); /* a decision is due: told */
    /* ---- */
    struct person_message hello, turn; /* the last of each */
    struct wire_turn told;             /* what the last turn said; its arrays are the next two */
    struct action actions[GAME_ACTIONS_MAX];
    struct wire_event events[WIRE_EVENTS_MAX];
    int request_fd, answer_fd; /* this end */
    int death_fd, setup_fd, errors_fd;
    bool lives;
    enum sandbox_end end;
    ev_io input;
    struct wire_scan scan;
    struct person_message coming;
};

/* How the table starts its seats: a command without argv is the person. Borrows person. */
struct transport person_transport(struct person_child *person);

/* Sends the answer to the turn that is due. */
void person_child_answer(struct person_child *person, struct action action);

#endif
