/*
 * A bot whose calls of its transport and of its owner are noted in a line of text. Shared by the
 * files that bring it into its states, let events happen and compare what came of them.
 */
#ifndef TESTS_PLAY_BOT_STATES_H
#define TESTS_PLAY_BOT_STATES_H

#include "arena/play/bot.h"
#include "tests/play/fake_child.h"

enum {
    MS = 1000,
    LIMIT_US = 50 * MS,
};

extern struct bot noted_bot;
extern struct fake_child *noted_child;
extern struct transport noted_transport;
extern enum sandbox_setup noted_setup; /* the result of its set-up */
extern bool noted_lives_on;            /* whatever is done to it */
extern int noted_zero;                 /* which descriptor of it is 0, from 0 on; -1: none */
extern char noted_line[2048];

/* Adds to the line. */
void noted_add(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sets the transport and the owner's functions, and clears everything else. */
void noted_begin(void);

/* Lets the loop see what happened. */
void noted_run(void);

/* Asks with a request of so many bytes. */
void noted_ask(size_t size);

/* Sends the bot away, with so many bytes. */
void noted_leave(size_t size);

/* Ends its set-up. */
void noted_setup_ends(enum sandbox_setup result);

/* Closes the bot's end of a descriptor; false if it was closed. */
bool noted_close(int *fd);

struct bot_event {
    const char *name;
    bool (*happens_fn)(void); /* false: it cannot happen now */
};

extern const struct bot_event bot_events[]; /* the last without a name */

#endif
