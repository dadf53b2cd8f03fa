/* Where the hostile tests put their programs, and what they look for when all is over. */
#ifndef TESTS_HOSTILE_STAGE_H
#define TESTS_HOSTILE_STAGE_H

#include <stdbool.h>

#include "sandbox/sandbox.h"

extern char stage_folder[80];  /* of the bot, in a folder where only the arena writes */
extern char stage_program[32]; /* "./atkPID": its name tells ours from others' */

/* Lays the folder out; with ordinary, root becomes an ordinary user first. */
void stage_lay(bool ordinary);

void stage_remove(void);

struct sandbox *stage_open_sandbox(enum sandbox_tier at_most);

/* Processes that run the program, below whomever they are. */
int stage_count_left(void);

/* The processor time of them all so far. */
double stage_ran_ms(void);

/* Descriptors, and mounts, of this process. */
int stage_count_descriptors(void);
int stage_count_mounts(void);

/* Control groups that an arena made. */
int stage_count_groups(pid_t arena);

#endif
