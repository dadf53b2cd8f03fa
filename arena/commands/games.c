/* arena games: lists the games of a season. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/replay/rerun_command.h"
#include "arena/season/season.h"
#include "arena/season/standings.h"
#include "engine/notation.h"

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

static void print_text(const struct listing *listing, const struct store_game *game)
{
    char id[STORE_GAME_ID_BYTES], label[STANDINGS_LABEL_BYTES];

    store_game_id(id, listing->season.terms.name, game->group, game->rotation);
    plain_text_printf(stdout, "%s ", id);
    for (int seat = 0; seat < game->player_count; seat++) {
        const struct store_seat *at = &game->seats[seat];

        standings_label(&listing->season.roster, at->entry, label);
        plain_text_printf(stdout, "  %d. %s %d", at->rank, label, at->score);
        if (at->reason != WIRE_PLAYED)
            plain_text_printf(stdout, " (%s)", wire_reason_name(at->reason));
    }
    if (game->is_pruned)
        fputs("  (replay pruned)", stdout);
    puts(roster_counts(&listing->season.roster, game) ? "" : "  (void)");
}

/* Returns the seed of a game stored by an older arena: only its replay has it. */
static json_t *replay_seed_json(const struct listing *listing, const struct store_game *game)
{
    uint8_t *replay;
    size_t size;
    struct replay read;
    char error[REPLAY_ERROR_BYTES];
    json_t *seed = json_null();

    if (store_replay_read(listing->season.store, listing->season.terms.id, game->group,
                          game->rotation, &replay, &size) < 0)
        return seed;
    if (replay_unpack(&read, replay, size, error) == 0) {
        seed = replay_json_hex(read.terms.seed, sizeof read.terms.seed);
        replay_finish(&read);
    }
    free(replay);
    return seed;
}

static json_t *seed_json(const struct listing *listing, const struct store_game *game)
{
    return game->seed_known ? replay_json_hex(game->seed, sizeof game->seed)
                            : replay_seed_json(listing, game);
}

/* Adds to a forfeit the command that repeats its decision. */
static void add_command(const struct listing *listing, const struct store_game *game, int seat,
                        json_t *forfeit)
{
    const json_t *turn = json_object_get(forfeit, "turn");
    const struct store_bot *bot = &listing->season.roster.members[game->seats[seat].entry].bot;
    char id[STORE_GAME_ID_BYTES], versioned[STANDINGS_LABEL_BYTES];
    struct rerun_command command = {.program = program_invocation_name,
                                    .replay = id,
                                    .turn = json_is_integer(turn) ? json_integer_value(turn)
                                                                  : FORFEIT_NOT_KNOWN,
                                    .seat = seat,
                                    .bot = versioned};
    char *text;

    store_game_id(id, listing->season.terms.name, game->group, game->rotation);
    snprintf(versioned, sizeof versioned, "%s@%s", bot->name, bot->version);
    text = rerun_command_text(&command);
    if (text)
        json_object_set_new(forfeit, "command", json_string(text));
    free(text);
}

static json_t *forfeits_json(const struct listing *listing, const struct store_game *game)
{
    json_t *forfeits = game->forfeits ? json_loads(game->forfeits, JSON_ALLOW_NUL, NULL) : NULL;

    for (size_t seat = 0; seat < json_array_size(forfeits); seat++)
        if (json_is_object(json_array_get(forfeits, seat)))
            add_command(listing, game, (int)seat, json_array_get(forfeits, seat));
    return forfeits ? forfeits : json_null();
}

static int print_json(const struct listing *listing, const struct store_game *game)
{
    const struct schedule_group *group = &listing->season.schedule.groups[game->group];
    json_t *bots = json_array(), *scores = json_array(), *ranks = json_array();
    json_t *reasons = json_array(), *us = json_array();
    char id[STORE_GAME_ID_BYTES], label[STANDINGS_LABEL_BYTES];

    store_game_id(id, listing->season.terms.name, game->group, game->rotation);
    for (int seat = 0; seat < game->player_count; seat++) {
        const struct store_seat *at = &game->seats[seat];

        standings_label(&listing->season.roster, at->entry, label);
        json_array_append_new(bots, json_string(label));
        json_array_append_new(scores, json_integer(at->score));
        json_array_append_new(ranks, json_integer(at->rank));
        json_array_append_new(reasons, json_string(wire_reason_name(at->reason)));
        json_array_append_new(us, json_integer(at->us));
    }
    return store_option_print(json_pack(
        "{s:s, s:i, s:i, s:b, s:b, s:o, s:s, s:o, s:o, s:o, s:o, s:i, s:o, s:I, s:I, s:o, s:o, "
        "s:o}",
        "match", id, "group", game->group, "opening", game->opening, "void",
        !roster_counts(&listing->season.roster, game), "pruned", game->is_pruned, "seed",
        seed_json(listing, game), "board", notation_boards[group->board], "bots", bots, "scores",
        scores, "ranks", ranks, "reason", reasons, "decisions", game->decision_count, "us", us,
        "wall_us", (json_int_t)game->wall_us, "delay_us", (json_int_t)game->delay_us, "worker",
        game->worker_id ? json_integer(game->worker_id) : json_null(), "started",
        store_option_time(game->started_us), "forfeits", forfeits_json(listing, game)));
}

static int list_game(void *context, const struct store_game *game)
{
    const struct listing *listing = context;

    if (!is_wanted(listing, game))
        return 0;
    if (listing->json)
        return print_json(listing, game);
    print_text(listing, game);
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
