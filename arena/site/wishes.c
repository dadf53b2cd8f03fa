/* SPDX-License-Identifier: MIT */
#include "arena/site/wishes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/base/array.h"
#include "arena/base/memory.h"
#include "arena/base/place.h"

static bool is_shown(const struct data_game *game)
{
    return !game->is_void && !game->is_pruned && !data_has_forfeit(game);
}

static int add(struct wishes *wishes, const struct season_data *data, const struct data_game *game)
{
    struct wish wish = {.started_us = game->started_us};

    store_game_id(wish.id, data->standings.season.name, game->group, game->rotation);
    for (int i = 0; i < wishes->count; i++)
        if (wishes->wishes[i].started_us == wish.started_us &&
            strcmp(wishes->wishes[i].id, wish.id) == 0)
            return 0;
    return array_add(&wishes->wishes, &wishes->count, &wish, sizeof wish);
}

static bool has_lost(const struct season_data *data, const struct data_game *game, int name)
{
    for (int seat = 0; seat < game->player_count; seat++)
        if (data_name(data, game->entries[seat]) == name && game->ranks[seat] > 1)
            return true;
    return false;
}

/* Adds those of a name's newest lost games that have no analysis. */
static int add_lost(struct wishes *wishes, const struct season_data *data, int name)
{
    int count, found = 0, error = 0;
    const int *games = season_index_games(data, name, &count);

    for (int i = count - 1; i >= 0 && found < WISHES_LOST && !error; i--) {
        const struct data_game *game = &data->games[games[i]];

        if (!is_shown(game) || !has_lost(data, game, name))
            continue;
        found++;
        if (!game->analysed)
            error = add(wishes, data, game);
    }
    return error;
}

/* How good a game is: the rating of its weakest player. */
static double level_of(const struct data_game *game)
{
    double level = INFINITY;

    for (int seat = 0; seat < game->player_count; seat++)
        level = fmin(level, isnan(game->ratings[seat]) ? -INFINITY : game->ratings[seat]);
    return is_shown(game) ? level : -INFINITY;
}

/* Adds those of the season's best games that have no analysis. */
static int add_best(struct wishes *wishes, const struct season_data *data)
{
    const struct data_game *best[WISHES_BEST];
    int count = 0, error = 0;

    for (int i = data->count - 1; i >= 0 && i >= data->count - WISHES_NEWEST; i--) {
        const struct data_game *game = &data->games[i];
        int place = count;

        if (isinf(level_of(game)))
            continue;
        while (place > 0 && level_of(best[place - 1]) < level_of(game))
            place--;
        if (place == WISHES_BEST)
            continue;
        count += count < WISHES_BEST;
        memmove(&best[place + 1], &best[place], (size_t)(count - place - 1) * sizeof *best);
        best[place] = game;
    }
    for (int i = 0; i < count && !error; i++)
        if (!best[i]->analysed)
            error = add(wishes, data, best[i]);
    return error;
}

int wishes_add(struct wishes *wishes, const struct season_data *data)
{
    int error = 0;

    for (int name = 0; name < data->standings.roster.count && !error; name++)
        if (data_name(data, name) == name)
            error = add_lost(wishes, data, name);
    return error ? error : add_best(wishes, data);
}

/* A qsort comparison: newest game first. */
static int compare_wish(const void *a, const void *b)
{
    const struct wish *left = a, *right = b;

    return left->started_us != right->started_us
               ? (left->started_us < right->started_us) - (left->started_us > right->started_us)
               : strcmp(left->id, right->id);
}

int wishes_write(struct wishes *wishes, const char *folder)
{
    char *text = NULL, *path = NULL;
    size_t size;
    FILE *stream = memory_stream(&text, &size);
    int error = -ENOMEM;

    if (wishes->count > 0) /* qsort takes no null */
        qsort(wishes->wishes, (size_t)wishes->count, sizeof *wishes->wishes, compare_wish);
    for (int i = 0; i < wishes->count && i < WISHES_MAX; i++)
        fprintf(stream, "%s\n", wishes->wishes[i].id);
    memory_stream_end(stream);
    if (mkdir(folder, 0700) < 0 && errno != EEXIST)
        error = -errno;
    else if (asprintf(&path, "%s/" WISHES_FILE, folder) >= 0)
        error = place_write_over(path, text, size, NULL);
    free(path);
    free(text);
    return error;
}

void wishes_finish(struct wishes *wishes)
{
    free(wishes->wishes);
    *wishes = (struct wishes){.count = 0};
}
