/* SPDX-License-Identifier: MIT */
/* The folder of the hostile tests' programs, and what the tests check at the end. */
#ifndef TESTS_HOSTILE_STAGE_H
#define TESTS_HOSTILE_STAGE_H

#include <stdbool.h>

#include "sandbox/sandbox.h"

extern char stage_folder[80];  /* the bot's, inside a folder that only the arena can write to */
extern char stage_program[32]; /* "./atkPID": the name distinguishes this test's processes */

/* Creates the folder; with ordinary, root first becomes an ordinary user. */
void stage_lay(bool ordinary);

void stage_remove(void);

/* Starts the program with the name of an attack. */
struct sandbox_child stage_start(struct sandbox *sandbox, const char *attack,
                                 struct sandbox_limits limits);

/* Waits up to limit_ms for a byte of the child's output. Returns false if none comes. */
bool stage_speaks(const struct sandbox_child *child, int limit_ms);

/* Returns how many processes run the program, whoever their parent is. */
int stage_count_left(void);

/* Waits up to limit_ms until there are none. Returns how many are left. */
int stage_await_none(int limit_ms);

/* Returns the total processor time of these processes so far. */
double stage_ran_ms(void);

/* Returns the number of mounts of this process. */
int stage_count_mounts(void);

/* Returns the number of control groups that an arena created. */
int stage_count_groups(pid_t arena);

#endif
