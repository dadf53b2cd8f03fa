/* Shared by the files of `arena season`: the request, and a function per subcommand. */
#ifndef ARENA_COMMANDS_SEASON_H
#define ARENA_COMMANDS_SEASON_H

#include <jansson.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"

struct season_request {
    const char *name; /* of the season; NULL for `list` */
    const char *home;
    const char *only;         /* names, or NULL */
    struct play_options play; /* the clock, and how bots are run */
    struct store_season terms;
    int64_t wait_s; /* how long to wait for running games */
    bool budget_given;
    bool everybody;
    bool seeded;
    uint8_t seed[GAME_SEED_BYTES];
    bool json;
};

/* Each returns an exit status (enum command_status). */
int season_command_run(int argc, char **argv);           /* season_run.c; parses its own options */
int season_command_list(struct season_request *request); /* season_show.c */
int season_command_show(struct season_request *request);
int season_command_close(struct season_request *request);
int season_command_reopen(struct season_request *request);
int season_command_extend(struct season_request *request);
int season_command_roster(struct season_request *request);
int season_command_events(struct season_request *request);

/* Returns a season's terms as a new object. */
json_t *season_json(const struct store_season *season);

/* Returns the name of an enum sandbox_tier as --require accepts it, "full", .... */
const char *season_tier_name(int tier);

/* Prints an opening's commitment, and its seed if that may be published; a store_opening_fn. */
int season_print_opening(void *context, const struct store_opening *opening);

#endif
