/*
 * The limits that the arena itself was started under (ulimit), checked in advance, because
 * exceeding one later causes errors that are hard to understand.
 */
#ifndef ARENA_COMMANDS_PROCESS_LIMITS_H
#define ARENA_COMMANDS_PROCESS_LIMITS_H

#include <stdint.h>

/*
 * Checks stack, address space and data, for every command. From here on, exceeding ulimit -f is an
 * error and not a signal. Returns COMMAND_DONE, or COMMAND_FAILED after printing the limit in one
 * line.
 */
int process_limits_check(void);

/*
 * For a command that plays: checks the file size limit, and the limits of descriptors and processes
 * for *job_count games of bot_count bots at a time. Lowers *job_count to what they allow, and says
 * so. Returns COMMAND_DONE, or COMMAND_FAILED after printing the limit that does not allow even one
 * game.
 */
int process_limits_fit(int *job_count, int bot_count);

#endif
