/* SPDX-License-Identifier: MIT */
#include "arena/site/season_data.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/base/array.h"
#include "arena/rating/past.h"
#include "arena/report/bot.h"
#include "arena/base/mix.h"
#include "arena/site/folder.h"
#include "engine/notation.h"

struct loading {
    struct season_data *data;
    int error;
};

static int add_game(void *context, const struct store_game *stored)
{
    struct loading *loading = context;
    struct season_data *data = loading->data;
    struct data_game game = {.group = stored->group,
                             .rotation = (uint8_t)stored->rotation,
                             .player_count = (uint8_t)stored->player_count,
                             .started_us = stored->started_us,
                             .is_pruned = stored->is_pruned,
                             .is_void = !roster_counts(&data->standings.roster, stored)};

    memcpy(&game.mark, stored->checksum, sizeof game.mark);
    for (int seat = 0; seat < stored->player_count; seat++) {
        game.entries[seat] = stored->seats[seat].entry;
        game.scores[seat] = stored->seats[seat].score;
        game.ranks[seat] = (uint8_t)stored->seats[seat].rank;
        game.reasons[seat] = (uint8_t)stored->seats[seat].reason;
    }
    if (stored->forfeits && !(game.forfeits = strdup(stored->forfeits)))
        return loading->error = -ENOMEM;
    return loading->error = array_add(&data->games, &data->count, &game, sizeof game);
}

/* Drops the games of groups that are not completely played. data->games must be sorted by group. */
static void drop_unfinished(struct season_data *data)
{
    int kept = 0;

    for (int first = 0, next; first < data->count; first = next) {
        for (next = first;
             next < data->count && data->games[next].group == data->games[first].group; next++)
            ;
        if (next - first == data->games[first].player_count) {
            memmove(&data->games[kept], &data->games[first],
                    (size_t)(next - first) * sizeof *data->games);
            kept += next - first;
            continue;
        }
        for (int i = first; i < next; i++)
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
    int next;        /* index of the first game that has no ratings yet */
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

static int take_rating(void *context, int64_t group, int entry, double elo)
{
    struct rating_pass *pass = context;

    rate_games(pass, group);
    pass->current[entry] = elo;
    return 0;
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

/* Reads what is told of the season. The games are those of the ladder: the pages are of one moment.
 */
static int add_told(struct season_data *data)
{
    struct season_facts *facts = &data->told.facts;
    int error = report_season_read(&data->told, data->store, &data->standings.season, true);

    facts->counts.played = data->standings.ladders[0].games.game_count + facts->counts.void_played;
    season_status_of(facts, &data->told.status);
    return error;
}

static int add_waiting(void *context, const struct store_bot *bot)
{
    struct season_data *data = context;

    return array_add(&data->waiting, &data->waiting_count, bot, sizeof *bot);
}

/* Reads which bots wait for a first game, and until when, unless no further game begins. */
static int find_waiting(struct season_data *data)
{
    int error;

    if (!season_status_goes_on(&data->told.status))
        return 0;
    error = roster_each_waiting(&data->standings.roster, data->store, add_waiting, data);
    if (error == -EINTR)
        return -ENOMEM;
    if (!error && data->waiting_count > 0)
        error = season_read_next(data->store, data->standings.season.name, &data->next_us);
    return error;
}

int season_data_load(struct season_data *data, struct store *store,
                     const struct store_season *season)
{
    struct loading loading = {.data = data};
    int error;

    *data = (struct season_data){.store = store};
    error = standings_load_games(&data->standings, store, season, LADDER_FINAL, add_game, &loading);
    if (loading.error)
        error = loading.error;
    drop_unfinished(data);
    array_trim(&data->games, data->count, sizeof *data->games);
    for (int i = 0; i < data->count; i++)
        if (data->games[i].started_us > data->newest_us)
            data->newest_us = data->games[i].started_us;
    return error ?: add_ratings(data) ?: add_told(data) ?: find_waiting(data);
}

struct pointing {
    struct season_data *data;
    struct data_point points[POINTS_MAX]; /* the groups and times of a line's points */
    int *last;                            /* by name: 1 + the last point that it has */
};

/* Adds a point for each name that had played, a past_fn. */
static int take_points(void *context, int at, const double *elo, const bool *played)
{
    struct pointing *pointing = context;
    struct season_data *data = pointing->data;

    for (int entry = data->standings.roster.count; entry-- > 0;) { /* newer versions first */
        struct data_point point = pointing->points[at];

        point.name = data_name(data, entry);
        if (!played[entry] || pointing->last[point.name] == at + 1)
            continue;
        pointing->last[point.name] = at + 1;
        point.elo = LADDER_ANCHOR_ELO + elo[entry];
        if (array_add(&data->points, &data->point_count, &point, sizeof point) < 0)
            return -ENOMEM;
    }
    return 0;
}

int season_data_add_history(struct season_data *data)
{
    const int64_t groups = data->count > 0 ? data->games[data->count - 1].group + 1 : 0;
    const int count = groups < POINTS_MAX ? (int)groups : POINTS_MAX;
    struct pointing pointing = {
        .data = data, .last = calloc((size_t)data->standings.roster.count + 1, sizeof(int))};
    int64_t until[POINTS_MAX];
    int error = pointing.last ? 0 : -ENOMEM;

    for (int at = 0, next = 0; at < count; at++) {
        struct data_point *point = &pointing.points[at];

        until[at] = point->group = groups * (at + 1) / count - 1;
        while (next < data->count && data->games[next].group <= point->group)
            next++;
        if (next > 0)
            point->played_us = data->games[next - 1].started_us;
    }
    if (count > 0)
        until[count - 1] =
            INT64_MAX; /* with groups that are being played, as the ladder has them */
    if (!error)
        error = past_rate(&data->standings.ladders[0].games, until, count, take_points, &pointing);
    array_trim(&data->points, data->point_count, sizeof *data->points);
    free(pointing.last);
    return error;
}

/* A bsearch comparison: key points to {group, rotation}, element to a game. */
static int compare_game(const void *key, const void *element)
{
    const int *wanted = key;
    const struct data_game *game = element;

    return wanted[0] != game->group ? (wanted[0] > game->group) - (wanted[0] < game->group)
                                    : wanted[1] - game->rotation;
}

void season_data_mark_analysed(struct season_data *data, const char *folder)
{
    DIR *directory = folder ? opendir(folder) : NULL;
    struct dirent *entry;

    data->analyses = folder;
    while (directory && (entry = readdir(directory))) {
        char id[STORE_GAME_ID_BYTES], season[STORE_NAME_BYTES_MAX + 1];
        int wanted[2];
        struct data_game *game;
        struct stat found;

        if (snprintf(id, sizeof id, "%.*s", (int)strcspn(entry->d_name, "."), entry->d_name) >=
                (int)sizeof id ||
            !store_game_id_parse(id, season, &wanted[0], &wanted[1]) ||
            strcmp(season, data->standings.season.name) != 0 || data->count == 0 ||
            fstatat(dirfd(directory), entry->d_name, &found, 0) < 0)
            continue;
        game = bsearch(wanted, data->games, (size_t)data->count, sizeof *game, compare_game);
        if (game && !game->is_pruned) {
            game->analysed =
                (uint64_t)found.st_mtim.tv_sec * 1000000000 + (uint64_t)found.st_mtim.tv_nsec;
            game->page = true;
        }
    }
    if (directory)
        closedir(directory);
}

void season_data_finish(struct season_data *data)
{
    for (int i = 0; i < data->count; i++) {
        free(data->games[i].forfeits);
        if (data->stories)
            free(data->stories[i]);
    }
    free(data->stories);
    free(data->games);
    free(data->waiting);
    free(data->points);
    report_season_finish(&data->told);
    free(data->index.game_starts);
    free(data->index.games);
    free(data->index.point_starts);
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

const struct store_bot *data_waiting(const struct season_data *data, int name)
{
    for (int i = data->waiting_count; i-- > 0;)
        if (strcmp(data->waiting[i].name, data_bot(data, name)->name) == 0)
            return &data->waiting[i];
    return NULL;
}

bool data_forfeited(const struct data_game *game, int seat)
{
    return game->reasons[seat] != WIRE_PLAYED;
}

bool data_has_forfeit(const struct data_game *game)
{
    for (int seat = 0; seat < game->player_count; seat++)
        if (data_forfeited(game, seat))
            return true;
    return false;
}

bool data_has_page(const struct season_data *data, const struct data_game *game)
{
    return game->page || (data->is_served && !game->is_pruned);
}

int data_forfeit_turn(const struct data_game *game, int seat)
{
    json_t *forfeits = json_loads(game->forfeits ? game->forfeits : "[]", JSON_ALLOW_NUL, NULL);
    /* a borrowed reference */
    const json_t *turn = json_object_get(json_array_get(forfeits, (size_t)seat), "turn");
    int found = json_is_integer(turn) ? (int)json_integer_value(turn) : -1;

    json_decref(forfeits);
    return found;
}

json_t *data_analysis(const struct season_data *data, const struct data_game *game)
{
    char id[STORE_GAME_ID_BYTES];
    json_t *analysis = NULL;
    char *path;

    store_game_id(id, data->standings.season.name, game->group, game->rotation);
    if (game->analysed && asprintf(&path, "%s/%s.json", data->analyses, id) >= 0) {
        analysis = json_load_file(path, 0, NULL);
        free(path);
    }
    return analysis;
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

static int index_games(struct season_data *data)
{
    struct season_index *index = &data->index;
    int count = data->standings.roster.count;

    for (int i = 0; i < data->count; i++)
        for (int seat = 0; seat < data->games[i].player_count; seat++)
            if (is_first(data, &data->games[i], seat))
                index->game_starts[data_name(data, data->games[i].entries[seat])]++;
    /*
     * A counting sort by name. So far, game_starts[name] is the number of the name's games. The sum
     * makes it the end of the name's part of index->games; counted down for each game that is put
     * there, it becomes the start.
     */
    for (int name = 0; name < count; name++)
        index->game_starts[name + 1] += index->game_starts[name];
    index->games = calloc((size_t)index->game_starts[count] + 1, sizeof *index->games);
    if (!index->games)
        return -ENOMEM;
    for (int i = data->count; i-- > 0;)
        for (int seat = 0; seat < data->games[i].player_count; seat++)
            if (is_first(data, &data->games[i], seat))
                index->games[--index->game_starts[data_name(data, data->games[i].entries[seat])]] =
                    i;
    return 0;
}

static int compare_points(const void *a, const void *b)
{
    const struct data_point *first = a, *second = b;

    return first->name != second->name
               ? first->name - second->name
               : (first->group > second->group) - (first->group < second->group);
}

static void index_points(struct season_data *data)
{
    int *starts = data->index.point_starts;

    if (data->point_count > 0)
        qsort(data->points, (size_t)data->point_count, sizeof *data->points, compare_points);
    for (int i = 0; i < data->point_count; i++)
        starts[data->points[i].name + 1]++;
    for (int name = 0; name < data->standings.roster.count; name++)
        starts[name + 1] += starts[name];
}

static void index_forfeits(struct season_data *data)
{
    for (int entry = 0; entry < data->standings.roster.count; entry++)
        data->index.first_forfeits[entry] = -1;
    for (int i = data->count; i-- > 0;)
        for (int seat = 0; seat < data->games[i].player_count; seat++)
            if (data_forfeited(&data->games[i], seat))
                data->index.first_forfeits[data->games[i].entries[seat]] = i;
}

static void index_pairs(struct season_data *data)
{
    for (int i = 0; i < data->count; i++) {
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

    for (int i = 0; i < data->told.opening_count; i++)
        for (const char *digit = data->told.openings[i].commitment; *digit; digit++)
            mark = mix(mark, (uint64_t)*digit);
    return mark;
}

static uint64_t void_mark(const struct season_data *data)
{
    uint64_t mark = 0;

    for (int i = 0; i < data->count; i++)
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
    data->stories = calloc((size_t)data->count + 1, sizeof(struct game_story *));
    if (!data->stories || !index->game_starts || !index->point_starts || !index->first_forfeits ||
        !index->pair_keys)
        return -ENOMEM;
    error = index_games(data);
    index_points(data);
    index_forfeits(data);
    index_pairs(data);
    index->identity = identity_mark(data);
    index->voided = void_mark(data);
    return error;
}

const int *season_index_games(const struct season_data *data, int name, int *count)
{
    const struct season_index *index = &data->index;

    *count = index->game_starts[name + 1] - index->game_starts[name];
    return index->games + index->game_starts[name];
}

const struct data_point *season_index_points(const struct season_data *data, int name, int *count)
{
    const int *starts = data->index.point_starts;

    *count = starts[name + 1] - starts[name];
    return data->points + starts[name];
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
 * Returns a number that changes when pages must show new ratings: with every game, and with every
 * bot that comes or goes and so changes ranks; or more rarely in a large season (see INDEX_GROWTH).
 */
static uint64_t ratings_mark(const struct season_data *data)
{
    uint64_t mark = (uint64_t)data->count;
    int names = 0;

    for (int entry = 0; entry < data->standings.roster.count; entry++)
        names += data_name(data, entry) == entry;
    if (names > INDEX_EXACT_NAMES && data->count < data->standings.season.budget_games)
        return (uint64_t)(log((double)data->count + 1) / log(1 + 1.0 / INDEX_GROWTH));
    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        const struct ladder_row *row = &data->standings.ladders[0].rows[i];

        mark = mix(mix(mark, (uint64_t)row->entry),
                   (uint64_t)row->rank_best << 32 | (uint64_t)row->rank_worst);
    }
    return mark;
}

/* Returns key combined with all versions of a name. */
static uint64_t add_versions(const struct season_data *data, int name, uint64_t key)
{
    for (int entry = name; entry < data->standings.roster.count; entry++)
        if (data_name(data, entry) == name)
            key = mix(key, (uint64_t)data_bot(data, entry)->id);
    return key;
}

/*
 * Returns key combined with all that the arena tells of the versions of a name, some of which can
 * change after a season was closed: an author is renamed or erased, a bot is retired or banned.
 */
static uint64_t add_bots(const struct season_data *data, int name, uint64_t key)
{
    for (int entry = name; entry < data->standings.roster.count; entry++) {
        json_t *bot;
        char *text;

        if (data_name(data, entry) != name)
            continue;
        bot = columns_row_json(&bot_columns, data_bot(data, entry), NULL, READER_PUBLIC);
        text = json_dumps(bot, JSON_COMPACT);
        key = text ? mix_bytes(key, text, strlen(text)) : 0;
        free(text);
        json_decref(bot);
    }
    return key;
}

uint64_t season_index_bot_key(const struct season_data *data, int name)
{
    int count;
    const int *games = season_index_games(data, name, &count);
    const struct store_bot *waiting = data_waiting(data, name);
    uint64_t key = mix(season_mark(data), ratings_mark(data));

    if (waiting)
        key = mix(mix(key, (uint64_t)waiting->id), (uint64_t)data->next_us);
    for (int i = 0; i < count; i++)
        key = mix(mix(key, game_mark(&data->games[games[i]])), data->games[games[i]].analysed);
    return add_bots(data, name, add_versions(data, name, key));
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

/* ---- games, read from their replays ---- */

int season_replay(const struct season_data *data, const struct data_game *game,
                  struct replay *replay, uint8_t **bytes, char error[static REPLAY_ERROR_BYTES])
{
    size_t size;
    int result = store_replay_read(data->store, data->standings.season.id, game->group,
                                   game->rotation, bytes, &size);

    if (result < 0)
        snprintf(error, REPLAY_ERROR_BYTES, "%s", store_failure(data->store));
    if (result < 0 || replay_unpack(replay, *bytes, size, error) == 0)
        return result;
    free(*bytes);
    return -EBADMSG;
}

/*
 * Plays a game again; calls step_fn as replay_verify does. Returns the bytes of the replay, which
 * the caller frees after replay_finish; NULL if the replay was pruned or is damaged.
 */
static uint8_t *play_again(const struct season_data *data, const struct data_game *game,
                           struct replay *replay, replay_step_fn *step_fn, void *context)
{
    char error[REPLAY_ERROR_BYTES];
    uint8_t *bytes;

    if (game->is_pruned || season_replay(data, game, replay, &bytes, error) < 0)
        return NULL;
    if (replay->terms.player_count == game->player_count &&
        replay_verify(replay, step_fn, context, error) == 0)
        return bytes;
    replay_finish(replay);
    free(bytes);
    return NULL;
}

const struct game_story *season_story(const struct season_data *data, int at)
{
    struct game_story *story = data->stories[at];
    struct replay replay;
    uint8_t *bytes;

    if (story || !(story = data->stories[at] = calloc(1, sizeof *story)))
        return story;
    bytes = play_again(data, &data->games[at], &replay, story_step, story);
    if (!bytes) {
        *story = (struct game_story){0};
        return story;
    }
    story->board = replay.terms.board;
    replay_finish(&replay);
    free(bytes);
    return story;
}

/* A game that is played again for the decisions of a name that its analysis calls mistakes. */
struct mistakes_context {
    const struct season_data *data;
    const struct data_game *game;
    const json_t *decisions; /* of the analysis */
    int name;
    struct mistake **mistakes;
    int *count;
};

static int64_t centipoints(const json_t *judged, const char *key)
{
    return llround(json_number_value(json_object_get(judged, key)) * 100);
}

/* A replay_step_fn. */
static void add_mistake(void *self, struct match *match, const struct replay_decision *decision)
{
    struct mistakes_context *context = self;
    struct mistake mistake = {.game = context->game,
                              .judgement.turn = (int64_t)match->decision_count};
    struct judgement *judgement = &mistake.judgement;
    struct action better;
    const json_t *judged;
    size_t at;

    json_array_foreach(context->decisions, at, judged)
    {
        const char *best = json_string_value(json_object_get(judged, "best"));

        if (!decision || json_integer_value(json_object_get(judged, "turn")) != judgement->turn ||
            !best || notation_read_action(&better, best) ||
            !effect_of(&match->game, decision->action, &judgement->done) ||
            !effect_of(&match->game, better, &judgement->better) ||
            data_name(context->data, context->game->entries[judgement->done.seat]) != context->name)
            continue;
        judgement->expected = centipoints(judged, "expected");
        judgement->best_expected = centipoints(judged, "best_expected");
        if (judgement_lost(judgement) > 0)
            array_add(context->mistakes, context->count, &mistake, sizeof mistake);
    }
}

bool season_mistakes(const struct season_data *data, const struct data_game *game, int name,
                     struct mistake **mistakes, int *count,
                     char analyst[static STORE_NAME_BYTES_MAX + 1])
{
    json_t *analysis = data_analysis(data, game);
    const char *said = json_string_value(json_object_get(analysis, "analyst"));
    struct mistakes_context context = {data, game,     json_object_get(analysis, "decisions"),
                                       name, mistakes, count};
    struct replay replay;
    uint8_t *bytes = said ? play_again(data, game, &replay, add_mistake, &context) : NULL;
    bool is_read = bytes != NULL;

    if (is_read) {
        snprintf(analyst, STORE_NAME_BYTES_MAX + 1, "%s", said);
        replay_finish(&replay);
    }
    free(bytes);
    json_decref(analysis);
    return is_read;
}

json_t *season_why_lost(const struct season_data *data, const struct data_game *game, int seat)
{
    const struct game_story *story = season_story(data, (int)(game - data->games));
    const char *names[GAME_PLAYERS_MAX];
    int winner = 0;

    if (!story)
        return json_string("");
    for (int i = 0; i < game->player_count; i++)
        names[i] = data_bot(data, game->entries[i])->name;
    while (game->ranks[winner] != 1)
        winner++;
    return story_why_lost(story, names, winner, seat);
}

/*
 * Adds a seat's numbers. Counts which stars were full and which star came first on the colored side
 * only, because stars have no color of their own on the gray side.
 */
static void add_seat(struct habits *habits, const struct game_story *story, int seat)
{
    bool is_colored = story->board == BOARD_COLORED;

    habits->seat_count++;
    habits->colored_count += is_colored;
    for (int i = 0; i < (is_colored ? STORY_NUMBERS : STORY_FULL); i++)
        habits->means[i] += story->seats[seat][i];
}

static void divide(struct habits *habits)
{
    for (int i = 0; i < STORY_NUMBERS; i++)
        habits->means[i] /= fmax(1, i < STORY_FULL ? habits->seat_count : habits->colored_count);
}

/*
 * True if the game counts, nobody forfeited, and the name `other` played (LADDER_NOBODY: any name).
 */
static bool is_usual(const struct season_data *data, const struct data_game *game, int other)
{
    bool plays = other == LADDER_NOBODY;

    for (int seat = 0; seat < game->player_count; seat++)
        plays = plays || data_name(data, game->entries[seat]) == other;
    return plays && !game->is_void && !data_has_forfeit(game);
}

int season_habits(const struct season_data *data, int name, int other, int most,
                  struct habits *mine, struct habits *theirs)
{
    int count;
    const int *games = season_index_games(data, name, &count);
    int read = 0;

    *mine = *theirs = (struct habits){0};
    for (int i = count; i-- > 0 && read < most;) {
        const struct data_game *game = &data->games[games[i]];
        const struct game_story *story;

        if (!is_usual(data, game, other) || !(story = season_story(data, games[i])) ||
            !story->is_whole)
            continue;
        read++;
        for (int seat = 0; seat < game->player_count; seat++) {
            int of = data_name(data, game->entries[seat]);

            if (of == name)
                add_seat(mine, story, seat);
            else if (other == LADDER_NOBODY || of == other)
                add_seat(theirs, story, seat);
        }
    }
    divide(mine);
    divide(theirs);
    return read;
}
