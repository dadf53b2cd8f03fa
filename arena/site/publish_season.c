/* The pages of a season: publish_season. */
#include "arena/site/publish_season.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/report/ladder.h"
#include "arena/site/draft.h"
#include "arena/site/page.h"
#include "arena/site/parts.h"
#include "arena/site/season_index.h"
#include "arena/site/season_page.h"
#include "arena/site/viewer.h"

enum {
    PATH_BYTES = STORE_NAME_BYTES_MAX + PARTS_PATH_BYTES + 2,
};

/* A season being published. */
struct publication {
    struct folder *folder;
    struct season_data *data;
    struct publish_damage *damage;
};

static const char *name_of(const struct season_data *data)
{
    return data->standings.season.name;
}

/* Puts a file of the season, by its path in the season's folder. */
static int put(const struct publication *publication, struct draft *draft, const char *name,
               uint64_t key)
{
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/%s", name_of(publication->data), name);
    return draft_put(draft, publication->folder, path, key);
}

/* Keeps the older site's page if it was written with this key. */
static bool keep(const struct publication *publication, const char *name, uint64_t key)
{
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/%s", name_of(publication->data), name);
    return folder_keep(publication->folder, path, key);
}

/* ---- games ---- */

/* Selects the games with pages: the newest of each name, and all with forfeits. */
static int choose_games(struct season_data *data, int64_t newest)
{
    int64_t *counts = calloc((size_t)data->standings.roster.count + 1, sizeof *counts);

    if (!counts)
        return -ENOMEM;
    for (size_t i = data->count; i-- > 0;) {
        struct data_game *game = &data->games[i];

        for (int seat = 0; seat < game->player_count; seat++)
            game->page =
                game->page ||
                (!game->is_pruned && (newest == PUBLISH_ALL_GAMES || data_forfeited(game, seat) ||
                                      counts[data_name(data, game->entries[seat])] < newest));
        for (int seat = 0; seat < game->player_count; seat++)
            counts[data_name(data, game->entries[seat])]++;
    }
    free(counts);
    return 0;
}

/* Removes standard error, which is private to a bot's author unless the terms publish it. */
static void drop_errors(struct replay *replay)
{
    for (int seat = 0; seat < replay->terms.player_count; seat++)
        if (replay->forfeits[seat])
            replay->forfeits[seat]->errors_bytes = 0;
}

/* Returns 0, -ENOMEM, or -EBADMSG after writing one line to error. */
static int write_viewer(FILE *page, const struct season_data *data, struct replay *replay,
                        const char *id, const struct data_game *game,
                        char error[static REPLAY_ERROR_BYTES])
{
    struct viewer_page viewer = {
        .replay = replay, .path = id, .ratings = game->ratings, .home_link = "../index.html"};
    uint8_t *bytes;
    int result;

    if (!data->standings.season.publishes_errors)
        drop_errors(replay);
    viewer.size = replay_pack(replay, &bytes);
    if (viewer.size == 0)
        return -ENOMEM;
    viewer.bytes = bytes;
    result = viewer_write(page, &viewer, error);
    free(bytes);
    return result < 0 ? -EBADMSG : 0;
}

/* A page that other pages link to, of a game that cannot be shown. */
static int put_words(const struct publication *publication, const char *id, const char *name,
                     const char *words)
{
    static const struct page_link links[] = {{"../index.html", "Season"}, {NULL, NULL}};
    struct draft draft;
    int error = draft_begin(&draft, publication->folder);

    if (error)
        return error;
    page_begin(draft.stream, id, links, NULL);
    fprintf(draft.stream, "<p>%s</p>\n", words);
    page_end(draft.stream);
    return put(publication, &draft, name, 0);
}

/* One damaged replay does not keep the rest of the site from its readers. */
static int put_damaged(const struct publication *publication, const char *id, const char *name,
                       const char *fault)
{
    if (publication->damage->count++ == 0)
        snprintf(publication->damage->words, sizeof publication->damage->words, "game %s: %s", id,
                 fault);
    return put_words(publication, id, name,
                     "The record of this game is damaged. Its result is kept.");
}

static int put_replay(const struct publication *publication, const struct data_game *game,
                      struct replay *replay, const char *id, const char *name)
{
    char error[REPLAY_ERROR_BYTES];
    struct draft draft;
    int result = draft_begin(&draft, publication->folder);

    if (result)
        return result;
    result = write_viewer(draft.stream, publication->data, replay, id, game, error);
    if (result == 0)
        return put(publication, &draft, name, season_index_game_key(publication->data, game));
    draft_drop(&draft);
    if (result == -EBADMSG)
        return put_damaged(publication, id, name, error);
    snprintf(publication->folder->error, sizeof publication->folder->error, "out of memory");
    return result;
}

static int put_game(const struct publication *publication, const struct data_game *game,
                    const char *name)
{
    const struct season_data *data = publication->data;
    char id[STORE_GAME_ID_BYTES], error[REPLAY_ERROR_BYTES];
    struct replay replay;
    uint8_t *bytes;
    size_t size;
    int result = store_replay_read(data->store, data->standings.season.id, game->group,
                                   game->rotation, &bytes, &size);

    store_game_id(id, name_of(data), game->group, game->rotation);
    if (result == -ENODATA) /* pruned since the season was read */
        return put_words(publication, id, name,
                         "The replay of this game is not kept any more. Its result is.");
    if (result == -EBADMSG)
        return put_damaged(publication, id, name, store_failure(data->store));
    if (result < 0) {
        snprintf(publication->folder->error, sizeof publication->folder->error, "%s",
                 store_failure(data->store));
        return result;
    }
    if (replay_unpack(&replay, bytes, size, error) < 0) {
        free(bytes);
        return put_damaged(publication, id, name, error);
    }
    result = put_replay(publication, game, &replay, id, name);
    replay_finish(&replay);
    free(bytes);
    return result;
}

static int put_games(const struct publication *publication)
{
    const struct season_data *data = publication->data;
    int error = 0;

    for (size_t i = 0; i < data->count && !error; i++) {
        char name[PARTS_PATH_BYTES];

        if (!data->games[i].page)
            continue;
        parts_game_path(data, &data->games[i], name);
        if (!keep(publication, name, season_index_game_key(data, &data->games[i])))
            error = put_game(publication, &data->games[i], name);
    }
    return error;
}

/* ---- bots and pairs ---- */

static int put_pairs(const struct publication *publication, int name)
{
    const struct season_data *data = publication->data;
    int error = 0;

    for (int other = name + 1; other < data->standings.roster.count && !error; other++) {
        char path[PARTS_PATH_BYTES];
        struct draft draft;
        uint64_t key;

        if (data_name(data, other) != other || !season_index_met(data, name, other))
            continue;
        parts_pair_path(data, name, other, path);
        key = season_index_pair_key(data, name, other);
        if (keep(publication, path, key))
            continue;
        error = draft_begin(&draft, publication->folder);
        if (error)
            break;
        pair_page_write(draft.stream, data, name, other);
        error = put(publication, &draft, path, key);
    }
    return error;
}

static int put_bot_page(const struct publication *publication, int name)
{
    const struct season_data *data = publication->data;
    uint64_t key = season_index_bot_key(data, name);
    char path[PARTS_PATH_BYTES];
    struct draft draft;
    int error;

    parts_bot_path(data, name, path);
    if (keep(publication, path, key))
        return 0;
    error = draft_begin(&draft, publication->folder);
    if (error)
        return error;
    bot_page_write(draft.stream, data, name);
    return put(publication, &draft, path, key);
}

static int put_bot_feed(const struct publication *publication, int name)
{
    const struct season_data *data = publication->data;
    char path[PARTS_PATH_BYTES];
    struct draft draft;
    int error = draft_begin(&draft, publication->folder);

    if (error)
        return error;
    season_feed_write(draft.stream, data, name);
    snprintf(path, sizeof path, "bot/%s.xml", data_bot(data, name)->name);
    return put(publication, &draft, path, 0);
}

static int put_bots(const struct publication *publication)
{
    const struct season_data *data = publication->data;
    int error = 0;

    for (int name = 0; name < data->standings.roster.count && !error; name++) {
        if (data_name(data, name) != name)
            continue;
        error = put_bot_page(publication, name);
        if (!error)
            error = put_bot_feed(publication, name);
        if (!error)
            error = put_pairs(publication, name);
    }
    return error;
}

/* ---- a season ---- */

static int put_json(const struct publication *publication, const char *name, json_t *json)
{
    struct draft draft;
    int error = draft_begin(&draft, publication->folder);

    if (!error) {
        json_dumpf(json, draft.stream, JSON_COMPACT);
        fputc('\n', draft.stream);
        error = put(publication, &draft, name, 0);
    }
    json_decref(json);
    return error;
}

/* Writes the ladders that are not on the season's page. */
static int put_ladders(const struct publication *publication)
{
    const struct season_data *data = publication->data;
    int error = 0;

    for (int players = GAME_PLAYERS_MIN; players <= GAME_PLAYERS_MAX && !error; players++) {
        char path[PARTS_PATH_BYTES];
        struct draft draft;

        if (!data->standings.ladders[players].entries || parts_has_room(data))
            continue;
        parts_ladder_path(players, path);
        error = draft_begin(&draft, publication->folder);
        if (error)
            break;
        ladder_page_write(draft.stream, data, players);
        error = put(publication, &draft, path, 0);
    }
    return error;
}

static int put_lists(const struct publication *publication)
{
    const struct season_data *data = publication->data;
    struct report_ladder report = {&data->standings, 0};
    struct draft draft;
    int error = put_json(publication, "ladder.json", report_ladder_json(&report));

    if (!error)
        error = put_json(publication, "standings.json", season_standings_json(data));
    if (!error)
        error = draft_begin(&draft, publication->folder);
    if (!error) {
        report_ladder_print_csv(draft.stream, &report);
        error = put(publication, &draft, "ladder.csv", 0);
    }
    if (!error)
        error = draft_begin(&draft, publication->folder);
    if (!error) {
        season_feed_write(draft.stream, data, LADDER_NOBODY);
        error = put(publication, &draft, "feed.xml", 0);
    }
    if (!error)
        error = draft_begin(&draft, publication->folder);
    if (!error) {
        season_page_write(draft.stream, data);
        error = put(publication, &draft, "index.html", 0);
    }
    return error;
}

int publish_season(struct folder *folder, struct season_data *data, int64_t newest,
                   struct publish_damage *damage)
{
    const struct publication publication = {folder, data, damage};
    int error = choose_games(data, newest);

    if (!error)
        error = season_index_make(data);
    if (error)
        snprintf(folder->error, sizeof folder->error, "out of memory");
    if (!error)
        error = put_lists(&publication);
    if (!error)
        error = put_ladders(&publication);
    if (!error)
        error = put_bots(&publication);
    if (!error)
        error = put_games(&publication);
    return error;
}
