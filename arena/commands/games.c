/* arena games: lists the games of a season. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/report/game.h"

static const char usage[] =
    "usage: arena games SEASON [--bot NAME] [--reason REASON] [--json] [--home DIR]\n"
    "\n"
    "Lists the games that were played, in the schedule's order.\n"
    "\n"
    "  --bot NAME       only games in which any version of that bot sat\n"
    "  --reason REASON  only games in which some bot ended that way: timeout, crash, ...\n"
    "  --json           one JSON object per game\n";

struct listing {
    struct season season;
    const char *bot; /* only its games; or NULL */
    int reason;      /* enum wire_reason, or -1 */
    bool json;
};

static bool is_wanted(const struct listing *listing, const struct store_game *game)
{
    bool bot = !listing->bot, reason = listing->reason < 0;

    for (int seat = 0; seat < game->player_count; seat++) {
        int entry = game->seats[seat].entry;

        bot = bot || strcmp(listing->season.roster.members[entry].bot.name, listing->bot) == 0;
        reason = reason || (int)game->seats[seat].reason == listing->reason;
    }
    return bot && reason;
}

static int list_game(void *context, const struct store_game *game)
{
    const struct listing *listing = context;

    if (!roster_has_players(&listing->season.roster, game) || !is_wanted(listing, game))
        return 0;
    if (listing->json)
        return store_option_print(report_game_json(&listing->season, game));
    report_game_print(stdout, &listing->season, game);
    return 0;
}

static int list_games(struct listing *listing, const char *home, const char *name)
{
    struct store *store;
    int status = store_option_open(home, STORE_READ, &store);

    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(store, season_load(&listing->season, store, name));
    if (status == COMMAND_DONE) {
        int error = store_games_each(store, listing->season.terms.id, list_game, listing);

        /* Stopped by list_game, which has printed why. */
        status = error == -EINTR ? COMMAND_FAILED : store_option_status(store, error);
        season_finish(&listing->season);
    }
    store_close(store);
    return status;
}

int command_games(int argc, char **argv)
{
    struct listing listing = {.reason = -1};
    const char *home = NULL, *reason = NULL;
    const struct plain_option options[] = {{"bot", .text = &listing.bot},
                                           {"reason", .text = &reason},
                                           {"json", .flag = &listing.json},
                                           {"home", .text = &home},
                                           {.name = NULL}};
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (reason)
        listing.reason = wire_reason_from_name(reason);
    if (reason && listing.reason < 0)
        return command_refuse("--reason %s: unknown reason: docs/protocol.md lists them", reason);
    if (argc - optind != 1)
        return command_refuse("games: name one season: see `arena games --help`");
    return list_games(&listing, home, argv[optind]);
}
