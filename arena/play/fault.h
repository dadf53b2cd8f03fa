/* A bot's fault: why it is out, as a value; and what a process's verdict means as a fault. Pure. */
#ifndef ARENA_PLAY_FAULT_H
#define ARENA_PLAY_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/sandbox.h"
#include "sdk/wire.h"

/* Why a bot is out, and the measurements of the request that it failed. */
struct bot_fault {
    enum wire_reason reason;
    const char *words; /* one static line that explains the reason */
    int64_t limit_us;  /* limit of the request */
    int64_t wall_us;   /* from the request to the fault */
    int64_t cpu_us;    /* processor time spent on it, -1: unknown */
    int64_t delay_us;  /* the arena's own delay */
    bool late;         /* the deadline passed without a whole answer; the process lived */
    bool ended;        /* the process died by itself; the bot's verdict says how */
};

/* Return the reason, and a line of text for it, for a process that ended by itself. */
enum wire_reason fault_reason(const struct sandbox_verdict *verdict);
const char *fault_words(const struct sandbox_verdict *verdict);

/* Describes a death for lack of memory in one line: the limit, the peak and the remedy. */
void fault_tell_memory(const struct sandbox_verdict *verdict, char *words, size_t room);

/*
 * A deadline that passed, in one line: how much of its time it computed, and what that may mean.
 * reply_bytes came of an answer.
 */
void fault_tell_late(const struct bot_fault *fault, size_t reply_bytes, char *words, size_t room);

#endif
