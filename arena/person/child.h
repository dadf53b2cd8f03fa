/*
 * A person in the place of a bot's process: a transport over a socketpair whose other end is in
 * this program, on the same loop. It receives wire requests and sends wire answers, so that
 * referee, clock and replay treat the person like a bot. The other bots of the table run in the
 * sandbox as usual.
 */
#ifndef ARENA_PERSON_CHILD_H
#define ARENA_PERSON_CHILD_H

#include <ev.h>

#include "arena/play/transport.h"
#include "sdk/wire.h"

/* A wire message as received. */
struct person_message {
    size_t size;
    uint8_t bytes[WIRE_MESSAGE_BYTES_MAX];
};

/* One person. The owner sets the fields above the '----' line before the game starts. */
struct person_child {
    struct ev_loop *loop;
    struct sandbox *sandbox; /* the sandbox for the other bots */
    void *owner;
    void (*asked_fn)(void *owner); /* a decision is due: see told */
    /* ---- */
    struct person_message hello, turn; /* the last one of each kind */
    struct wire_turn told;             /* the decoded last turn; its arrays are the next two */
    struct action actions[GAME_ACTIONS_MAX];
    struct wire_event events[WIRE_EVENTS_MAX];
    int request_fd, answer_fd; /* the person's ends */
    int death_fd, setup_fd, errors_fd;
    bool lives;
    enum sandbox_end end;
    ev_io input;
    struct wire_scan scan;
    struct person_message coming;
};

/*
 * Returns a transport in which a command without argv starts the person, and others start bots.
 * Borrows person.
 */
struct transport person_transport(struct person_child *person);

/* Sends the answer to the current turn. */
void person_child_answer(struct person_child *person, struct action action);

#endif
