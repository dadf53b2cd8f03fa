#include "arena/site/season_data.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/mix.h"

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

static uint64_t mark_of(const struct store_game *stored)
{
    uint64_t mark;

    memcpy(&mark, stored->checksum, sizeof mark);
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

/* Drops the games of groups that are not completely played. data->games must be sorted by group. */
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

/*
 * A pass over the rating history, which gives each game the ratings that its bots had before the
 * game's group.
 */
struct rating_pass {
    struct season_data *data;
    double *current; /* Elo by entry; NAN before the bot's first group */
    size_t next;     /* index of the first game that has no ratings yet */
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
                     const struct store_season *season)
{
    struct loading loading = {.data = data};
    int error;

    *data = (struct season_data){.store = store};
    error = standings_load_games(&data->standings, store, season, LADDER_FINAL, add_game, &loading);
    if (!error)
        error = store_openings_each(store, season->id, add_opening, &loading);
    if (loading.error)
        error = loading.error;
    drop_unfinished(data);
    for (size_t i = 0; i < data->count; i++)
        if (data->games[i].started_us > data->newest_us)
            data->newest_us = data->games[i].started_us;
    return error ? error : add_ratings(data);
}

void season_data_finish(struct season_data *data)
{
    for (size_t i = 0; i < data->count; i++) {
        free(data->games[i].forfeits);
        if (data->stories)
            free(data->stories[i]);
    }
    free(data->stories);
    free(data->games);
    free(data->points);
    free(data->openings);
    free(data->index.game_starts);
    free(data->index.games);
    free(data->index.point_starts);
    free(data->index.points);
    free(data->index.first_forfeits);
    free(data->index.pair_keys);
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

/* ---- the index ---- */

static size_t pair_place(const struct season_data *data, int a, int b)
{
    size_t count = (size_t)data->standings.roster.count;

    return a < b ? (size_t)a * count + (size_t)b : (size_t)b * count + (size_t)a;
}

/* Returns a number that changes when anything changes that pages show of the game. */
static uint64_t game_mark(const struct data_game *game)
{
    return mix(game->mark, (uint64_t)game->is_void << 2 | (uint64_t)game->is_pruned << 1 |
                               (uint64_t)game->page);
}

/* True if no lower seat of the game was held by a bot of the same name. */
static bool is_first(const struct season_data *data, const struct data_game *game, int seat)
{
    for (int before = 0; before < seat; before++)
        if (data_name(data, game->entries[before]) == data_name(data, game->entries[seat]))
            return false;
    return true;
}

/*
 * Turns counts into offsets. Before: starts[name + 1] is the number of a name's items. After:
 * starts[name] is the index of a name's first item.
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
 * Returns a number that differs between seasons of the same name, in two stores or after a season
 * was deleted: each season has other seeds, so other commitments to them.
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
    data->stories = calloc(data->count + 1, sizeof(struct game_story *));
    if (!data->stories || !index->game_starts || !index->point_starts || !index->first_forfeits ||
        !index->pair_keys)
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

/*
 * Returns a number that changes when all pages of the season must be written again: for another
 * season, for games that became void (they change every rating), for other terms.
 */
static uint64_t season_mark(const struct season_data *data)
{
    const struct store_season *season = &data->standings.season;

    return mix(mix(data->index.identity, data->index.voided),
               (uint64_t)(season->closed_us > 0) << 8 | (uint64_t)season->prunes << 2 |
                   (uint64_t)season->publishes_errors);
}

/*
 * Returns a number that changes when pages must show new ratings: with every game, or more rarely
 * in a large season (see INDEX_GROWTH).
 */
static uint64_t ratings_mark(const struct season_data *data)
{
    int names = 0;

    for (int entry = 0; entry < data->standings.roster.count; entry++)
        names += data_name(data, entry) == entry;
    if (names <= INDEX_EXACT_NAMES || (int64_t)data->count >= data->standings.season.budget_games)
        return data->count;
    return (uint64_t)(log((double)data->count + 1) / log(1 + 1.0 / INDEX_GROWTH));
}

/* Returns key combined with all versions of a name. */
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
    key = mix(key, game->analysed);
    return mix(key, (uint64_t)data->standings.season.publishes_errors) | 1;
}
