#include "arena/site/season_data.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/mix.h"
#include "arena/site/season_index.h"

struct loading {
    struct season_data *data;
    int error;
};

static int grow(struct season_data *data)
{
    size_t room = data->room ? data->room * 2 : 256;
    struct data_game *games;

    if (data->count < data->room)
        return 0;
    games = realloc(data->games, room * sizeof *games);
    if (!games)
        return -ENOMEM;
    data->games = games;
    data->room = room;
    return 0;
}

/* Rows of older arenas have no checksum. */
static uint64_t mark_of(const struct store_game *stored)
{
    uint64_t mark = (uint64_t)stored->started_us;

    if (stored->checksum_known) {
        memcpy(&mark, stored->checksum, sizeof mark);
        return mark;
    }
    for (int seat = 0; seat < stored->player_count; seat++)
        mark = mix(mark, (uint64_t)stored->seats[seat].entry << 32 ^
                             (uint64_t)stored->seats[seat].reason << 24 ^
                             (uint64_t)stored->seats[seat].rank << 20 ^
                             (uint64_t)stored->seats[seat].score);
    return mark;
}

static int add_game(void *context, const struct store_game *stored)
{
    struct loading *loading = context;
    struct season_data *data = loading->data;
    struct data_game *game;

    loading->error = grow(data);
    if (loading->error)
        return loading->error;
    game = &data->games[data->count++];
    *game = (struct data_game){.group = stored->group,
                               .rotation = stored->rotation,
                               .player_count = stored->player_count,
                               .started_us = stored->started_us,
                               .is_pruned = stored->is_pruned,
                               .mark = mark_of(stored),
                               .is_void = !roster_counts(&data->standings.roster, stored)};
    for (int seat = 0; seat < stored->player_count; seat++) {
        game->entries[seat] = stored->seats[seat].entry;
        game->scores[seat] = stored->seats[seat].score;
        game->ranks[seat] = stored->seats[seat].rank;
        game->reasons[seat] = stored->seats[seat].reason;
    }
    data->played_counts[stored->player_count]++;
    if (stored->forfeits) {
        game->forfeits = strdup(stored->forfeits);
        loading->error = game->forfeits ? 0 : -ENOMEM;
    }
    return loading->error;
}

/* Drops the games of incomplete groups. Games are in order of groups. */
static void drop_unfinished(struct season_data *data)
{
    size_t kept = 0;

    for (size_t first = 0, next; first < data->count; first = next) {
        for (next = first;
             next < data->count && data->games[next].group == data->games[first].group; next++)
            ;
        if (next - first == (size_t)data->games[first].player_count) {
            memmove(&data->games[kept], &data->games[first], (next - first) * sizeof *data->games);
            kept += next - first;
            continue;
        }
        for (size_t i = first; i < next; i++)
            free(data->games[i].forfeits);
    }
    data->count = kept;
}

/* The pass over the rating history that gives each game the ratings before its group. */
struct rating_pass {
    struct season_data *data;
    double *current; /* by entry, NAN before its first group */
    size_t next;     /* index of the first game without ratings */
};

static void rate_games(struct rating_pass *pass, int64_t last_group)
{
    struct season_data *data = pass->data;

    for (; pass->next < data->count && data->games[pass->next].group <= last_group; pass->next++) {
        struct data_game *game = &data->games[pass->next];

        for (int seat = 0; seat < game->player_count; seat++)
            game->ratings[seat] = pass->current[game->entries[seat]];
    }
}

static int add_point(struct season_data *data, int64_t group, int entry, double elo)
{
    if (data->point_count == data->point_room) {
        size_t room = data->point_room ? 2 * data->point_room : 1024;
        struct data_point *points = realloc(data->points, room * sizeof *points);

        if (!points)
            return -ENOMEM;
        data->points = points;
        data->point_room = room;
    }
    data->points[data->point_count++] = (struct data_point){group, entry, elo};
    return 0;
}

static int take_rating(void *context, int64_t group, int entry, double elo)
{
    struct rating_pass *pass = context;

    rate_games(pass, group);
    pass->current[entry] = elo;
    return add_point(pass->data, group, entry, elo);
}

static int add_ratings(struct season_data *data)
{
    int count = data->standings.roster.count;
    struct rating_pass pass = {.data = data,
                               .current = malloc((size_t)(count + 1) * sizeof(double))};
    int error = pass.current ? 0 : -ENOMEM;

    for (int entry = 0; entry < count && !error; entry++)
        pass.current[entry] = NAN;
    if (!error)
        error = ladder_history(&data->standings.ladders[0], take_rating, &pass);
    if (!error)
        rate_games(&pass, INT64_MAX);
    free(pass.current);
    return error;
}

static int add_opening(void *context, const struct store_opening *opening)
{
    struct loading *loading = context;
    struct season_data *data = loading->data;
    struct store_opening *openings =
        realloc(data->openings, (data->opening_count + 1) * sizeof *openings);

    if (!openings)
        return loading->error = -ENOMEM;
    data->openings = openings;
    data->openings[data->opening_count++] = *opening;
    return 0;
}

int season_data_load(struct season_data *data, struct store *store,
                     const struct store_season *season, const char *cache)
{
    struct loading loading = {.data = data};
    int error;

    *data = (struct season_data){.store = store};
    error = standings_load_games(&data->standings, store, season, LADDER_FINAL, cache, add_game,
                                 &loading);
    if (!error)
        error = store_openings_each(store, season->id, add_opening, &loading);
    if (loading.error)
        error = loading.error;
    drop_unfinished(data);
    return error ? error : add_ratings(data);
}

void season_data_finish(struct season_data *data)
{
    for (size_t i = 0; i < data->count; i++)
        free(data->games[i].forfeits);
    free(data->games);
    free(data->points);
    free(data->openings);
    season_index_finish(&data->index);
    standings_finish(&data->standings);
    memset(data, 0, sizeof *data);
}

const struct store_bot *data_bot(const struct season_data *data, int entry)
{
    return &data->standings.roster.members[entry].bot;
}

int data_name(const struct season_data *data, int entry)
{
    return data->standings.roster.members[entry].name_entry;
}

bool data_forfeited(const struct data_game *game, int seat)
{
    return game->reasons[seat] != WIRE_PLAYED;
}
