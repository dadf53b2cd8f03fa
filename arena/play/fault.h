/*
 * A bot's fault: why it is out, as a value. Also what the end of its process says about
 * that. Pure.
 */
#ifndef ARENA_PLAY_FAULT_H
#define ARENA_PLAY_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/sandbox.h"
#include "sdk/wire.h"

/* Why a bot is out, and what was measured of the request that it failed. */
struct bot_fault {
    enum wire_reason reason;
    const char *words; /* one static line */
    int64_t limit_us;  /* that the request had */
    int64_t wall_us;   /* from the request to the fault */
    int64_t cpu_us;    /* processor time in it, -1: not known */
    int64_t delay_us;  /* the arena's own */
    bool ended;        /* it died by itself: *verdict* of the bot tells how */
};

/* The reason and its words for a process that ended by itself. */
enum wire_reason fault_reason(const struct sandbox_verdict *verdict);
const char *fault_words(const struct sandbox_verdict *verdict);

/* A death for want of memory in one line: the limit, the peak and what to do. */
void fault_tell_memory(const struct sandbox_verdict *verdict, char *words, size_t room);

#endif
