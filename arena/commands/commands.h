/*
 * The subcommands of `arena`, a file each, and how all of them speak to whoever
 * typed them: results on standard output, one clear line of trouble on standard
 * error, and an exit status that tells whose trouble it is.
 */
#ifndef ARENA_COMMANDS_COMMANDS_H
#define ARENA_COMMANDS_COMMANDS_H

#include <stdbool.h>
#include <sys/types.h>

#include "arena/report/columns.h"

enum command_status {
    COMMAND_DONE = 0,   /* what was asked was done, whatever the bots did */
    COMMAND_FAILED = 1, /* the arena failed, or a check did not hold */
    COMMAND_USAGE = 2,  /* input or usage: the line on standard error says what to do */
};

/* Prints "arena: ..." as one line on standard error. Returns COMMAND_USAGE. */
int command_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same; returns COMMAND_FAILED. */
int command_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * At the end of every command: what it printed goes out. Returns its status, or
 * COMMAND_FAILED, and says so, where a command that was done could not tell (a full disk).
 */
int command_finish_output(int status);

/* Says that a bot's process was killed and lives on: for the sandbox's lost_fn. */
void command_tell_lost(const char *name, pid_t pid);

struct sandbox_failure;

/* Says that the machine has no room for more games at a time: for a runner's fewer_fn. */
void command_tell_fewer(int job_count, const struct sandbox_failure *failure);

/* How tables on standard output are laid out: `wide` as wide as they are, else as the terminal
   has room, or 80 columns; in color on a terminal, unless NO_COLOR is set. */
struct columns_layout command_layout(bool wide);

struct progress;

/* Shows how a run goes on, in one line of the terminal on standard error, over what stood there. */
void command_show_progress(const struct progress *progress);

/* Takes that line away. */
void command_clear_progress(void);

/*
 * A subcommand: argv[0] is its own name, options follow. Returns the exit status
 * (enum command_status). Each lives in arena/commands/NAME.c as command_NAME.
 */
typedef int command_fn(int argc, char **argv);

command_fn command_backup;
command_fn command_ban;
command_fn command_admit;
command_fn command_bots;
command_fn command_build;
command_fn command_doctor;
command_fn command_export;
command_fn command_games;
command_fn command_ladder;
command_fn command_check;
command_fn command_live;
command_fn command_match;
command_fn command_new;
command_fn command_play;
command_fn command_prune;
command_fn command_publish;
command_fn command_rate;
command_fn command_replay;
command_fn command_retire;
command_fn command_season;
command_fn command_serve;
command_fn command_sprt;
command_fn command_status;
command_fn command_store;
command_fn command_submissions;
command_fn command_submit;
command_fn command_trace;
command_fn command_unpack;
command_fn command_unretire;
command_fn command_worker;
command_fn command_workers;

#endif
