/* SPDX-License-Identifier: MIT */
/*
 * The commands of `arena` and the conventions that they share: results on standard output, one
 * clear line per error on standard error, and an exit status that says whether the user or the
 * arena is at fault.
 */
#ifndef ARENA_COMMANDS_COMMANDS_H
#define ARENA_COMMANDS_COMMANDS_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "arena/report/columns.h"

enum command_status {
    COMMAND_DONE = 0,   /* the command did its work, whatever the bots did */
    COMMAND_FAILED = 1, /* the arena failed, or a check was negative */
    COMMAND_USAGE = 2,  /* wrong input or usage: a line on standard error says how to correct it */
    COMMAND_UNDECIDED = 3, /* a check has no verdict, because the machine was too busy */
};

/* True in a process of the daemon: messages go to standard output, which the daemon reads. */
extern bool command_is_aside;

/*
 * Prints "arena: ..." as one line on standard error; once a command logs (command_log), adds an
 * event "error" to the log instead. Returns COMMAND_USAGE.
 */
int command_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As command_refuse, but returns COMMAND_FAILED. */
int command_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * As command_refuse, for an errno (also negative) of a file that the user named; but if the errno
 * says that the machine lacks something, as command_fail.
 */
int command_refuse_errno(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a line of news, which is no error, on standard error. */
void command_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Flushes standard output at the end of a command. Returns status; but if status is COMMAND_DONE
 * and output failed (disk full, for example), prints an error and returns COMMAND_FAILED.
 */
int command_finish_output(int status);

struct check;

/* Prints why the arena could not run a check. Returns COMMAND_FAILED. */
int command_check_failed(const struct check *check);

/* Prints that a bot's process was killed but does not end; for struct sandbox_options.lost_fn. */
void command_tell_lost(const char *name, pid_t pid);

/*
 * Makes the kernel kill this process's bots and builds first if the memory of the machine, or of
 * the arena's control group, runs out. The process does not know how much memory the daemon has
 * promised to the bots of its seasons; their score is 300. A child gets a score 300 above this
 * process's, so the highest one, 1000.
 */
void command_yield_memory(void);

/* Prints a warning; for the warn_fn of a runner and of a player. */
void command_warn(void *owner, const char *words);

/*
 * Returns the layout of tables on standard output. The width is unlimited with --wide, else that of
 * the terminal, or 80 columns. Tables are colored on a terminal, unless NO_COLOR is set.
 */
struct columns_layout command_layout(void);

/*
 * Prints rows as a table; with --json as {"key": [...]}. Without rows prints `nothing` instead of
 * an empty table. Returns a command's status.
 */
int command_print_table(const char *key, const struct columns *columns,
                        const struct columns_rows *rows, const char *nothing);

struct progress;

/*
 * Shows the progress of a run as one line on the terminal of standard error, in place of the
 * previous progress line.
 */
void command_show_progress(const struct progress *progress);

/* Removes the progress line. */
void command_clear_progress(void);

/*
 * Prints a JSON value and a newline, and releases the caller's reference. Returns COMMAND_DONE, or
 * COMMAND_FAILED after printing why.
 */
int command_print_json(json_t *value);

/*
 * Prints an event of a daemon or worker: its time, kind, name and words; with --json as a JSON
 * object. Never waits for the reader of the log: drops a line for which the log has no room. Any
 * thread may call this.
 */
void command_log(const char *event, const char *name, const char *words);

enum {
    COMMAND_TRACE_TURNS_MAX = 100, /* more turns than a seat has in a game of two players */
};

struct play_options;

/*
 * For `arena check --trace`: runs the bot that the path names up to its turn number `turns`, prints
 * the system calls that the sandbox refused, and returns a command's status.
 */
int command_trace(const char *bot, struct play_options *play, int turns);

struct command_line;

/* The commands. Each is defined in the file of its name: author.c, build.c, ... */
extern const struct command_line command_author, command_build, command_check, command_doctor,
    command_match, command_new, command_play, command_analyse, command_rate, command_replay,
    command_sprt;
/* in bots.c */
extern const struct command_line command_bots, command_retire, command_ban;
/* in challenge.c */
extern const struct command_line command_challenge, command_contest;
/* in results.c */
extern const struct command_line command_explain, command_export, command_games, command_ladder,
    command_publish;
/* in season.c */
extern const struct command_line command_events, command_season;
extern const struct command_line command_league;
/* in serve.c */
extern const struct command_line command_serve, command_status;
/* in store.c */
extern const struct command_line command_store;
/* in submit.c */
extern const struct command_line command_admit, command_submissions, command_submit;
/* in web.c and tell.c */
extern const struct command_line command_desk, command_web, command_tell;
/* in worker.c */
extern const struct command_line command_worker, command_workers;

/* True for a name that a role of the database may have: 1 to 32 characters from a-z, 0-9 and _. */
bool command_is_role(const char *name);

#endif
