#include "arena/season/standings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/game_cache.h"

struct counting {
    struct standings *standings;
    int error;
    char row[48]; /* key of the invalid game */
    store_game_fn *each_fn;
    void *context;
};

static int count_game(void *context, const struct store_game *game)
{
    struct counting *counting = context;
    struct ladder *all = &counting->standings->ladders[0];
    struct ladder *sized = NULL;

    if (!roster_counts(&counting->standings->roster, game))
        return 0;
    if (counting->standings->season.player_count_count > 1 && game->player_count >= 0 &&
        game->player_count <= GAME_PLAYERS_MAX)
        sized = &counting->standings->ladders[game->player_count];
    counting->error = ladder_add(all, game);
    if (!counting->error && sized && sized->entries)
        counting->error = ladder_add(sized, game);
    if (counting->error)
        snprintf(counting->row, sizeof counting->row, "game_group %d, rotation %d", game->group,
                 game->rotation);
    return counting->error;
}

static int init_ladders(struct standings *standings)
{
    const struct store_season *season = &standings->season;
    struct ladder_entry *entries = roster_ladder_entries(&standings->roster, season->closed_us);
    int error =
        entries ? ladder_init(&standings->ladders[0], entries, standings->roster.count) : -ENOMEM;

    for (int i = 0; i < season->player_count_count && season->player_count_count > 1 && !error; i++)
        error = ladder_init(&standings->ladders[season->player_counts[i]], entries,
                            standings->roster.count);
    free(entries);
    return error;
}

static int tell_and_count(void *context, const struct store_game *game)
{
    struct counting *counting = context;

    if (!roster_has_players(&counting->standings->roster, game))
        return 0;
    return counting->each_fn(counting->context, game) != 0 ? 1 : count_game(context, game);
}

int standings_load(struct standings *standings, struct store *store,
                   const struct store_season *season, unsigned list)
{
    return standings_load_games(standings, store, season, list, NULL, NULL, NULL);
}

/* Returns -EAGAIN if bots may have entered while the games were read. */
static int load(struct standings *standings, struct store *store, const struct store_season *season,
                unsigned list, const char *cache, store_game_fn *each_fn, void *context,
                int64_t *rows)
{
    struct counting counting = {.standings = standings, .each_fn = each_fn, .context = context};
    int error;

    memset(standings, 0, sizeof *standings);
    standings->season = *season;
    error = roster_load(&standings->roster, store, season->id);
    if (!error)
        error = init_ladders(standings);
    if (!error)
        error = each_fn ? game_cache_each(cache, store, season, tell_and_count, &counting)
                        : store_results_each(store, season->id, count_game, &counting);
    if (counting.error == -EBADMSG && roster_has_grown(store, season->id, rows))
        error = -EAGAIN;
    else if (counting.error)
        error = counting.error == -EBADMSG
                    ? store_damaged(store, "seat", counting.row, "entry",
                                    "its entry, or the times of it, cannot be")
                    : counting.error;
    for (int i = 0; i <= GAME_PLAYERS_MAX && !error; i++)
        if (standings->ladders[i].entries)
            error = ladder_settle(&standings->ladders[i], list, &standings->row_counts[i]);
    if (error)
        standings_finish(standings);
    return error;
}

int standings_load_games(struct standings *standings, struct store *store,
                         const struct store_season *season, unsigned list, const char *cache,
                         store_game_fn *each_fn, void *context)
{
    int64_t rows = 0;
    int error;

    do
        error = load(standings, store, season, list, cache, each_fn, context, &rows);
    while (error == -EAGAIN);
    return error;
}

void standings_finish(struct standings *standings)
{
    for (int i = 0; i <= GAME_PLAYERS_MAX; i++)
        ladder_finish(&standings->ladders[i]);
    roster_finish(&standings->roster);
    memset(standings, 0, sizeof *standings);
}

void standings_label(const struct roster *roster, int entry,
                     char label[static STANDINGS_LABEL_BYTES])
{
    const struct store_bot *bot = &roster->members[entry].bot;
    int count = 0;

    for (int i = 0; i < roster->count; i++)
        count += roster->members[i].name_entry == roster->members[entry].name_entry;
    if (count > 1)
        snprintf(label, STANDINGS_LABEL_BYTES, "%s@%s", bot->name, bot->version);
    else
        snprintf(label, STANDINGS_LABEL_BYTES, "%s", bot->name);
}
