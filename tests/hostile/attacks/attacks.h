/*
 * Hostile programs, all in one: `attack NAME` does what its name says and prints what
 * came back, an errno's name or a word. Runs inside the sandbox only; observe.c knows
 * what must be observed.
 */
#ifndef TESTS_HOSTILE_ATTACKS_H
#define TESTS_HOSTILE_ATTACKS_H

typedef void attack_fn(void);

struct attack {
    const char *name;
    attack_fn *run_fn;
};

/* A list each, ended by a name NULL. */
extern const struct attack attacks_on_processes[];
extern const struct attack attacks_on_memory[];
extern const struct attack attacks_on_files[];
extern const struct attack attacks_on_signals[];
extern const struct attack attacks_on_kernel[];
extern const struct attack attacks_by_channel[];
extern const struct attack attacks_on_freezing[];
extern const struct attack attacks_on_neighbors[];

/* Prints "done", or the name of errno for a result below 0. */
void attack_tell(long result);

/* Prints a word. */
void attack_say(const char *word);

/* Prints a word for a truth, another for its contrary. */
void attack_judge(int truth, const char *word, const char *contrary);

#endif
