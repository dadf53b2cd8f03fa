/*
 * The subcommands of `arena`, one file each, and their common conventions: results on standard
 * output, one clear line per error on standard error, and an exit status that says who is at fault.
 */
#ifndef ARENA_COMMANDS_COMMANDS_H
#define ARENA_COMMANDS_COMMANDS_H

#include <stdbool.h>
#include <sys/types.h>

#include "arena/report/columns.h"

enum command_status {
    COMMAND_DONE = 0,   /* the command succeeded, whatever the bots did */
    COMMAND_FAILED = 1, /* the arena failed, or a check was negative */
    COMMAND_USAGE = 2,  /* wrong input or usage: the line on standard error says what to do */
};

/* Prints "arena: ..." as one line on standard error. Returns COMMAND_USAGE. */
int command_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same; returns COMMAND_FAILED. */
int command_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Flushes standard output at the end of a command. Returns status; if output failed (disk full) and
 * status is COMMAND_DONE, prints an error and returns COMMAND_FAILED.
 */
int command_finish_output(int status);

/* Prints that a bot's process was killed but does not end: for the sandbox's lost_fn. */
void command_tell_lost(const char *name, pid_t pid);

struct sandbox_failure;

/* Prints that the machine has no room: for the crowded_fn of a runner or player. */
void command_tell_crowded(void *owner, const char *words);

/*
 * Returns the layout of tables on standard output: unlimited if `wide`, else as wide as the
 * terminal, or 80 columns; in color on a terminal, unless NO_COLOR is set.
 */
struct columns_layout command_layout(bool wide);

struct progress;

/*
 * Shows the progress of a run in one line of the terminal on standard error, and replaces the
 * previous line.
 */
void command_show_progress(const struct progress *progress);

/* Removes that line. */
void command_clear_progress(void);

/*
 * A subcommand: argv[0] is its name, options follow. Returns the exit status (enum command_status).
 * command_NAME is in arena/commands/NAME.c.
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
