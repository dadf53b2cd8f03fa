/*
 * What the files of `arena season` share: what was asked for, and a function a subcommand.
 */
#ifndef ARENA_COMMANDS_SEASON_H
#define ARENA_COMMANDS_SEASON_H

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"

struct season_request {
    const char *name; /* of the season; NULL for list */
    const char *home;
    const char *only;         /* names, or NULL */
    struct play_options play; /* clock and how bots are run */
    struct store_season terms;
    int64_t wait_s; /* for games under way */
    bool budget_given;
    bool everybody;
    bool seeded;
    uint8_t seed[GAME_SEED_BYTES];
    bool json;
};

/* Each returns an exit status (enum command_status). */
int season_command_run(int argc, char **argv); /* season_run.c; its own options */
int season_command_close(struct season_request *request);
int season_command_reopen(struct season_request *request);
int season_command_extend(struct season_request *request);
int season_command_roster(struct season_request *request);
int season_command_events(struct season_request *request);

/* "full", ...: an enum sandbox_tier as --require takes it. */
const char *season_tier_name(int tier);

/* Prints commitment and seed as far as it may be known; a store_opening_fn. */
int season_print_opening(void *context, const struct store_opening *opening);

#endif
