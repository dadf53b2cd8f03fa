/* SPDX-License-Identifier: MIT */
/*
 * All hostile programs in one: `attack NAME` performs an attack and prints the result, an errno
 * name or a word. Runs only inside the sandbox; observe.c has the expected results, or a test of
 * its own beside it (freeze.c, life.c, loopback.c, stall.c). `attack names` lists all.
 */
#ifndef TESTS_HOSTILE_ATTACKS_H
#define TESTS_HOSTILE_ATTACKS_H

typedef void attack_fn(void);

struct attack {
    const char *name;
    attack_fn *run_fn;
};

/* Each list ends with name NULL. */
extern const struct attack attacks_on_processes[];
extern const struct attack attacks_on_memory[];
extern const struct attack attacks_on_files[];
extern const struct attack attacks_on_signals[];
extern const struct attack attacks_on_kernel[];
extern const struct attack attacks_by_channel[];
extern const struct attack attacks_on_freezing[];
extern const struct attack attacks_on_neighbors[];
extern const struct attack attacks_by_loopback[];

/* Prints "done", or the errno name of a negative result. */
void attack_tell(long result);

/* Prints a word. */
void attack_say(const char *word);

/* Prints word if truth is nonzero, else contrary. */
void attack_judge(int truth, const char *word, const char *contrary);

#endif
