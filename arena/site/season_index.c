#include "arena/site/season_index.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/mix.h"

static size_t pair_place(const struct season_data *data, int a, int b)
{
    size_t count = (size_t)data->standings.roster.count;

    return a < b ? (size_t)a * count + (size_t)b : (size_t)b * count + (size_t)a;
}

/* Returns a number for what pages show of a game. */
static uint64_t game_mark(const struct data_game *game)
{
    return mix(game->mark, (uint64_t)game->is_void << 2 | (uint64_t)game->is_pruned << 1 |
                               (uint64_t)game->page);
}

/* True if no lower seat in the game has the same name. */
static bool is_first(const struct season_data *data, const struct data_game *game, int seat)
{
    for (int before = 0; before < seat; before++)
        if (data_name(data, game->entries[before]) == data_name(data, game->entries[seat]))
            return false;
    return true;
}

/*
 * Turns the counts in starts[name + 1] into offsets: starts[name] is where its next game is stored.
 */
static void sum_up(size_t *starts, int count)
{
    for (int i = 0; i < count; i++)
        starts[i + 1] += starts[i];
}

static int index_games(struct season_data *data)
{
    struct season_index *index = &data->index;
    int count = data->standings.roster.count;
    size_t *next = calloc((size_t)count + 1, sizeof *next);

    if (!next)
        return -ENOMEM;
    for (size_t i = 0; i < data->count; i++)
        for (int seat = 0; seat < data->games[i].player_count; seat++)
            if (is_first(data, &data->games[i], seat))
                index->game_starts[data_name(data, data->games[i].entries[seat]) + 1]++;
    sum_up(index->game_starts, count);
    index->games = calloc(index->game_starts[count] + 1, sizeof *index->games);
    for (size_t i = 0; i < data->count && index->games; i++)
        for (int seat = 0; seat < data->games[i].player_count; seat++) {
            int name = data_name(data, data->games[i].entries[seat]);

            if (is_first(data, &data->games[i], seat))
                index->games[index->game_starts[name] + next[name]++] = i;
        }
    free(next);
    return index->games ? 0 : -ENOMEM;
}

static int index_points(struct season_data *data)
{
    struct season_index *index = &data->index;
    int count = data->standings.roster.count;
    size_t *next = calloc((size_t)count + 1, sizeof *next);

    if (!next)
        return -ENOMEM;
    for (size_t i = 0; i < data->point_count; i++)
        index->point_starts[data_name(data, data->points[i].entry) + 1]++;
    sum_up(index->point_starts, count);
    index->points = calloc(data->point_count + 1, sizeof *index->points);
    for (size_t i = 0; i < data->point_count && index->points; i++) {
        int name = data_name(data, data->points[i].entry);

        index->points[index->point_starts[name] + next[name]++] = data->points[i];
    }
    free(next);
    return index->points ? 0 : -ENOMEM;
}

static void index_forfeits(struct season_data *data)
{
    for (int entry = 0; entry < data->standings.roster.count; entry++)
        data->index.first_forfeits[entry] = SIZE_MAX;
    for (size_t i = data->count; i-- > 0;)
        for (int seat = 0; seat < data->games[i].player_count; seat++)
            if (data_forfeited(&data->games[i], seat))
                data->index.first_forfeits[data->games[i].entries[seat]] = i;
}

static void index_pairs(struct season_data *data)
{
    for (size_t i = 0; i < data->count; i++) {
        const struct data_game *game = &data->games[i];

        for (int a = 0; a < game->player_count; a++)
            for (int b = a + 1; b < game->player_count; b++) {
                uint64_t *key = &data->index.pair_keys[pair_place(
                    data, data_name(data, game->entries[a]), data_name(data, game->entries[b]))];

                *key = mix(*key, game_mark(game)) | 1;
            }
    }
}

/*
 * Returns numbers for what all pages of a season depend on. Another season of the same name, in
 * another store or of a time given up, has other seeds; void games change everybody's ratings.
 */
static uint64_t identity_mark(const struct season_data *data)
{
    uint64_t mark = (uint64_t)data->standings.season.created_us;

    for (size_t i = 0; i < data->opening_count; i++)
        for (const char *digit = data->openings[i].commitment; *digit; digit++)
            mark = mix(mark, (uint64_t)*digit);
    return mark;
}

static uint64_t void_mark(const struct season_data *data)
{
    uint64_t mark = 0;

    for (size_t i = 0; i < data->count; i++)
        if (data->games[i].is_void)
            mark = mix(mark, data->games[i].mark);
    return mark;
}

int season_index_make(struct season_data *data)
{
    size_t count = (size_t)data->standings.roster.count;
    struct season_index *index = &data->index;
    int error;

    index->game_starts = calloc(count + 2, sizeof *index->game_starts);
    index->point_starts = calloc(count + 2, sizeof *index->point_starts);
    index->first_forfeits = calloc(count + 1, sizeof *index->first_forfeits);
    index->pair_keys = calloc(count * count + 1, sizeof *index->pair_keys);
    if (!index->game_starts || !index->point_starts || !index->first_forfeits || !index->pair_keys)
        return -ENOMEM;
    error = index_games(data);
    if (!error)
        error = index_points(data);
    index_forfeits(data);
    index_pairs(data);
    index->identity = identity_mark(data);
    index->voided = void_mark(data);
    return error;
}

void season_index_finish(struct season_index *index)
{
    free(index->game_starts);
    free(index->games);
    free(index->point_starts);
    free(index->points);
    free(index->first_forfeits);
    free(index->pair_keys);
    memset(index, 0, sizeof *index);
}

const size_t *season_index_games(const struct season_data *data, int name, size_t *count)
{
    const struct season_index *index = &data->index;

    *count = index->game_starts[name + 1] - index->game_starts[name];
    return index->games + index->game_starts[name];
}

const struct data_point *season_index_points(const struct season_data *data, int name,
                                             size_t *count)
{
    const struct season_index *index = &data->index;

    *count = index->point_starts[name + 1] - index->point_starts[name];
    return index->points + index->point_starts[name];
}

size_t season_index_first_forfeit(const struct season_data *data, int entry)
{
    return data->index.first_forfeits[entry];
}

bool season_index_met(const struct season_data *data, int name, int other)
{
    return data->index.pair_keys[pair_place(data, name, other)] != 0;
}

/* Returns a number for what all pages of a season depend on. */
static uint64_t season_mark(const struct season_data *data)
{
    const struct store_season *season = &data->standings.season;

    return mix(mix(data->index.identity, data->index.voided),
               (uint64_t)(season->closed_us > 0) << 8 | (uint64_t)season->prunes << 2 |
                   (uint64_t)season->publishes_errors);
}

/* Returns a number for the ratings, which change with every game. */
static uint64_t ratings_mark(const struct season_data *data)
{
    int names = 0;

    for (int entry = 0; entry < data->standings.roster.count; entry++)
        names += data_name(data, entry) == entry;
    if (names <= INDEX_EXACT_NAMES || (int64_t)data->count >= data->standings.season.budget_games)
        return data->count;
    return (uint64_t)(log((double)data->count + 1) / log(1 + 1.0 / INDEX_GROWTH));
}

/* Adds the versions of a name to a key. */
static uint64_t add_versions(const struct season_data *data, int name, uint64_t key)
{
    for (int entry = name; entry < data->standings.roster.count; entry++)
        if (data_name(data, entry) == name)
            key = mix(key, (uint64_t)data_bot(data, entry)->id);
    return key;
}

uint64_t season_index_bot_key(const struct season_data *data, int name)
{
    size_t count;
    const size_t *games = season_index_games(data, name, &count);
    uint64_t key = mix(season_mark(data), ratings_mark(data));

    for (size_t i = 0; i < count; i++)
        key = mix(key, game_mark(&data->games[games[i]]));
    return add_versions(data, name, key);
}

uint64_t season_index_pair_key(const struct season_data *data, int name, int other)
{
    uint64_t key = mix(season_mark(data), data->index.pair_keys[pair_place(data, name, other)]);

    return add_versions(data, other, add_versions(data, name, key));
}

uint64_t season_index_game_key(const struct season_data *data, const struct data_game *game)
{
    uint64_t key = mix(data->index.identity, game->mark);

    for (int seat = 0; seat < game->player_count; seat++) {
        uint64_t rating;

        memcpy(&rating, &game->ratings[seat], sizeof rating);
        key = mix(mix(key, (uint64_t)data_bot(data, game->entries[seat])->id), rating);
    }
    return mix(key, (uint64_t)data->standings.season.publishes_errors) | 1;
}
