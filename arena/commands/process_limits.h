/*
 * The limits that the arena itself was started under (ulimit): looked at before anything is
 * begun, since what runs into one later is hard to understand.
 */
#ifndef ARENA_COMMANDS_PROCESS_LIMITS_H
#define ARENA_COMMANDS_PROCESS_LIMITS_H

#include <stdint.h>

/*
 * Stack, address space and data, for every command; a file that grows beyond ulimit -f is an error
 * from here on and no signal. Returns COMMAND_DONE, or COMMAND_FAILED after naming the limit in
 * one line.
 */
int process_limits_check(void);

/*
 * For a command that plays: files, and descriptors and processes for *job_count games of
 * bot_count bots at a time. Lowers *job_count to what there is room for, and says so. Returns
 * COMMAND_DONE, or COMMAND_FAILED after naming the limit that not even one game fits in.
 */
int process_limits_fit(int *job_count, int bot_count);

#endif
