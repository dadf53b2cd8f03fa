/* SPDX-License-Identifier: MIT */
/*
 * Bots without processes: the test holds the other ends of their descriptors and decides when they
 * die. They implement struct transport, so that bot, table and runner run without a sandbox; with
 * fake_now_us as a clock, which only the test advances, they need no real time either.
 */
#ifndef TESTS_PLAY_FAKE_CHILD_H
#define TESTS_PLAY_FAKE_CHILD_H

#include "arena/play/bot.h"

enum fake_child_limits {
    FAKE_CHILDREN_MAX = 512, /* maximum ever started */
};

/* One bot, seen from the other side. */
struct fake_child {
    int input_fd;  /* requests are read here; blocking */
    int output_fd; /* answers are written here */
    int errors_fd;
    int death_fd, setup_fd, notify_fd; /* eventfds */
    int cpu;                           /* the core it was pinned to */
    bool ended;
    enum sandbox_end end;
    int64_t cpu_us;
    int watch_count;
    int freeze_result; /* of each stop and go */
};

extern struct fake_child fake_children[FAKE_CHILDREN_MAX];
extern int fake_child_count;
extern int64_t fake_now_us; /* far enough in the future that no real timer fires */

/* Called for each child when it is started, and before its descriptors are closed. May be NULL. */
extern void (*fake_child_born_fn)(struct fake_child *fake);
extern void (*fake_child_dying_fn)(struct fake_child *fake);

/* Removes all children and sets the clock. */
void fake_child_reset(void);

struct transport fake_child_transport(void);

/* Returns fake_now_us. */
int64_t fake_child_now_us(void);

/* The child dies by itself. */
void fake_child_die(struct fake_child *fake, enum sandbox_end end);

#endif
