/* arena prune: removes replays that a season does not keep. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/keep_option.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"
#include "arena/store/games.h"

static const char usage[] =
    "usage: arena prune [--keep all|forfeits+N] [--yes] [--json] [--home DIR] [SEASON ...]\n"
    "\n"
    "Shows which replays of these seasons (of all, if none is named) would be deleted; with --yes\n"
    "deletes them. Results, ratings and forfeits stay. Seasons may be played meanwhile.\n"
    "\n"
    "  --keep all         nothing is removed\n"
    "  --keep forfeits+N  keep the replays of every forfeit and of the newest N other games; "
    "without\n"
    "                     --keep, as each season's terms say (`arena season new --keep`)\n"
    "  --yes              remove them\n"
    "  --json             one JSON object per season: {\"season\", \"keep\",\n"
    "                     \"games\", \"bytes\", \"pruned\"}\n";

enum {
    ROUND_GAMES = 256, /* per transaction, so that a running season waits only briefly */
};

struct request {
    const char *keep; /* NULL: the seasons' terms decide */
    bool yes, json;
    struct store_season terms; /* the parsed value of keep */
};

struct listing {
    struct store_season *seasons;
    int count;
};

static int add_season(void *context, const struct store_season *season)
{
    struct listing *listing = context;
    struct store_season *seasons =
        realloc(listing->seasons, (size_t)(listing->count + 1) * sizeof *seasons);

    if (!seasons)
        return -1;
    listing->seasons = seasons;
    listing->seasons[listing->count++] = *season;
    return 0;
}

static int list_seasons(struct store *store, char **names, int count, struct listing *listing)
{
    int status = COMMAND_DONE;

    if (count == 0)
        return store_option_status(store, store_seasons_each(store, add_season, listing));
    for (int i = 0; i < count && status == COMMAND_DONE; i++) {
        struct store_season season;

        status = store_option_status(store, store_season_find(store, names[i], &season));
        if (status == COMMAND_DONE && add_season(listing, &season) < 0)
            status = command_fail("out of memory");
    }
    return status;
}

/* Removes all of them, ROUND_GAMES at a time. */
static int remove_all(struct store *store, const struct store_season *season, bool quiet,
                      struct store_pruned *pruned)
{
    struct store_pruned round;
    int error;

    *pruned = (struct store_pruned){0};
    do {
        error = store_replays_prune(store, season->id, season->keep_games, ROUND_GAMES, &round);
        pruned->count += round.count;
        pruned->bytes += round.bytes;
        if (!quiet)
            fprintf(stderr, "\r%lld replays removed", (long long)pruned->count);
    } while (!error && round.count == ROUND_GAMES);
    if (!quiet)
        fputc('\n', stderr);
    return error;
}

static void print_text(const struct request *request, const struct store_season *season,
                       const char *keep, const struct store_pruned *pruned)
{
    plain_text_printf(stdout, "%s: keeps %s: %lld replay%s, %.1f MB, %s\n", season->name, keep,
                      (long long)pruned->count, pruned->count == 1 ? "" : "s",
                      (double)pruned->bytes / 1e6, request->yes ? "removed" : "to be removed");
}

static int prune_season(const struct request *request, struct store *store,
                        struct store_season *season, int64_t *count)
{
    struct store_pruned pruned = {0};
    char keep[KEEP_OPTION_BYTES];
    int error = 0;

    if (request->keep) {
        season->prunes = request->terms.prunes;
        season->keep_games = request->terms.keep_games;
    }
    keep_option_write(season, keep);
    if (season->prunes && request->yes)
        error = remove_all(store, season, !isatty(STDERR_FILENO), &pruned);
    else if (season->prunes)
        error = store_replays_prunable(store, season->id, season->keep_games, &pruned);
    if (error)
        return store_option_status(store, error);
    *count += pruned.count;
    if (request->json)
        return store_option_print(json_pack("{s:s, s:s, s:I, s:I, s:b}", "season", season->name,
                                            "keep", keep, "games", (json_int_t)pruned.count,
                                            "bytes", (json_int_t)pruned.bytes, "pruned",
                                            request->yes && pruned.count > 0));
    print_text(request, season, keep, &pruned);
    return COMMAND_DONE;
}

static int run(const struct request *request, const char *home, char **names, int count)
{
    struct listing listing = {0};
    struct store *store;
    int64_t pruned_count = 0;
    int status = store_option_open(home, request->yes ? STORE_WRITE : STORE_READ, &store);

    if (status != COMMAND_DONE)
        return status;
    status = list_seasons(store, names, count, &listing);
    for (int i = 0; i < listing.count && status == COMMAND_DONE; i++)
        status = prune_season(request, store, &listing.seasons[i], &pruned_count);
    if (status == COMMAND_DONE && !request->json && !request->yes && pruned_count > 0)
        puts("nothing is removed yet: --yes does it; results stay in any case");
    free(listing.seasons);
    store_close(store);
    return status;
}

int command_prune(int argc, char **argv)
{
    struct request request = {0};
    const char *home = NULL;
    const struct plain_option options[] = {{"keep", .text = &request.keep},
                                           {"yes", .flag = &request.yes},
                                           {"json", .flag = &request.json},
                                           {"home", .text = &home},
                                           {.name = NULL}};
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (request.keep && keep_option_take(&request.terms, request.keep) != COMMAND_DONE)
        return COMMAND_USAGE;
    return run(&request, home, argv + optind, argc - optind);
}
