#include "arena/site/publish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/report/ladder.h"
#include "arena/site/html.h"
#include "arena/site/page.h"
#include "arena/site/parts.h"
#include "arena/site/season_index.h"
#include "arena/site/season_page.h"
#include "arena/site/viewer.h"

/* What the index shows of a season. */
struct index_row {
    struct store_season season;
    char leader[STORE_NAME_BYTES_MAX + 1];
    int64_t game_count;
};

struct publication {
    struct store *store;
    const struct publish_request *request;
    struct folder folder;
    struct index_row *rows;
    int row_count;
};

/* ---- files ---- */

/* A file being written: its bytes are added to the folder when it is complete. */
struct draft {
    char *bytes;
    size_t size;
    FILE *stream;
};

static int draft_begin(struct draft *draft, struct folder *folder)
{
    *draft = (struct draft){0};
    draft->stream = open_memstream(&draft->bytes, &draft->size);
    if (draft->stream)
        return 0;
    snprintf(folder->error, sizeof folder->error, "out of memory");
    return -ENOMEM;
}

static int draft_put(struct draft *draft, struct folder *folder, const char *season,
                     const char *name)
{
    char path[STORE_NAME_BYTES_MAX + PARTS_PATH_BYTES + 2];
    int error = fclose(draft->stream) == 0 ? 0 : -ENOMEM;

    snprintf(path, sizeof path, "%s%s%s", season, *season ? "/" : "", name);
    if (!error)
        error = folder_put(folder, path, draft->bytes, draft->size);
    else
        snprintf(folder->error, sizeof folder->error, "out of memory");
    free(draft->bytes);
    return error;
}

static const char *name_of(const struct season_data *data)
{
    return data->standings.season.name;
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

static int write_viewer(FILE *page, const struct season_data *data, struct replay *replay,
                        const char *id, const struct data_game *game,
                        char error[static REPLAY_ERROR_BYTES])
{
    struct viewer_page viewer = {.replay = replay,
                                 .path = id,
                                 .ratings = game->ratings,
                                 .key = season_index_game_key(data, game),
                                 .home_link = "../index.html"};
    uint8_t *bytes;
    int result;

    if (!data->standings.season.publishes_errors)
        drop_errors(replay);
    viewer.size = replay_pack(replay, &bytes);
    if (viewer.size == 0) {
        snprintf(error, REPLAY_ERROR_BYTES, "out of memory");
        return -1;
    }
    viewer.bytes = bytes;
    result = viewer_write(page, &viewer, error);
    free(bytes);
    return result;
}

/* For a replay pruned since the season was read: other pages link to its page. */
static int put_pruned(struct publication *publication, const struct season_data *data,
                      const char *id, const char *name)
{
    static const struct page_link links[] = {{"../index.html", "Season"}, {NULL, NULL}};
    struct draft draft;
    int error = draft_begin(&draft, &publication->folder);

    if (error)
        return error;
    page_begin(draft.stream, 0, id, links, NULL);
    fputs("<p>The replay of this game is not kept any more. Its result is.</p>\n", draft.stream);
    page_end(draft.stream);
    return draft_put(&draft, &publication->folder, name_of(data), name);
}

static int put_game(struct publication *publication, const struct season_data *data,
                    const struct data_game *game, const char *name)
{
    struct folder *folder = &publication->folder;
    char id[STORE_GAME_ID_BYTES], error[REPLAY_ERROR_BYTES];
    struct replay replay;
    struct draft draft;
    uint8_t *bytes;
    size_t size;
    int result = store_replay_read(publication->store, data->standings.season.id, game->group,
                                   game->rotation, &bytes, &size);

    store_game_id(id, name_of(data), game->group, game->rotation);
    if (result == -ENODATA)
        return put_pruned(publication, data, id, name);
    if (result < 0) {
        snprintf(folder->error, sizeof folder->error, "%s", store_failure(publication->store));
        return result;
    }
    if (replay_unpack(&replay, bytes, size, error) < 0) {
        snprintf(folder->error, sizeof folder->error, "game %s: %s", id, error);
        free(bytes);
        return -EBADMSG;
    }
    result = draft_begin(&draft, folder);
    if (!result && write_viewer(draft.stream, data, &replay, id, game, error) < 0) {
        snprintf(folder->error, sizeof folder->error, "game %s: %s", id, error);
        fclose(draft.stream);
        free(draft.bytes);
        result = -EBADMSG;
    } else if (!result) {
        result = draft_put(&draft, folder, name_of(data), name);
    }
    replay_finish(&replay);
    free(bytes);
    return result;
}

/* A page that was written with the same key is kept. */
static int put_games(struct publication *publication, const struct season_data *data)
{
    struct folder *folder = &publication->folder;
    struct draft start;
    long key_at;
    int error = draft_begin(&start, folder);

    if (error)
        return error;
    viewer_write_start(start.stream);
    key_at = ftell(start.stream);
    for (size_t i = 0; i < data->count && !error; i++) {
        char name[PARTS_PATH_BYTES], path[STORE_NAME_BYTES_MAX + PARTS_PATH_BYTES + 2];

        if (!data->games[i].page)
            continue;
        parts_game_path(data, &data->games[i], name);
        snprintf(path, sizeof path, "%s/%s", name_of(data), name);
        fseek(start.stream, key_at, SEEK_SET);
        viewer_write_key(start.stream, season_index_game_key(data, &data->games[i]));
        fflush(start.stream);
        if (!folder_keep(folder, path, start.bytes))
            error = put_game(publication, data, &data->games[i], name);
    }
    fclose(start.stream);
    free(start.bytes);
    return error;
}

/* ---- bots and pairs ---- */

/* Keeps the older site's page if it was written with this key. */
static bool keep_page(struct publication *publication, const struct season_data *data,
                      const char *name, uint64_t key)
{
    char start[PAGE_START_BYTES], path[STORE_NAME_BYTES_MAX + PARTS_PATH_BYTES + 2];

    page_start(key, start);
    snprintf(path, sizeof path, "%s/%s", name_of(data), name);
    return folder_keep(&publication->folder, path, start);
}

static int put_pairs(struct publication *publication, const struct season_data *data, int name)
{
    int error = 0;

    for (int other = name + 1; other < data->standings.roster.count && !error; other++) {
        char path[PARTS_PATH_BYTES];
        struct draft draft;

        if (data_name(data, other) != other || !season_index_met(data, name, other))
            continue;
        parts_pair_path(data, name, other, path);
        if (keep_page(publication, data, path, season_index_pair_key(data, name, other)))
            continue;
        error = draft_begin(&draft, &publication->folder);
        if (error)
            break;
        pair_page_write(draft.stream, data, name, other);
        error = draft_put(&draft, &publication->folder, name_of(data), path);
    }
    return error;
}

static int put_bot_page(struct publication *publication, const struct season_data *data, int name)
{
    char path[PARTS_PATH_BYTES];
    struct draft draft;
    int error;

    parts_bot_path(data, name, path);
    if (keep_page(publication, data, path, season_index_bot_key(data, name)))
        return 0;
    error = draft_begin(&draft, &publication->folder);
    if (error)
        return error;
    bot_page_write(draft.stream, data, name);
    return draft_put(&draft, &publication->folder, name_of(data), path);
}

static int put_bot_feed(struct publication *publication, const struct season_data *data, int name)
{
    char path[PARTS_PATH_BYTES];
    struct draft draft;
    int error = draft_begin(&draft, &publication->folder);

    if (error)
        return error;
    season_feed_write(draft.stream, data, name);
    snprintf(path, sizeof path, "bot/%s.xml", data_bot(data, name)->name);
    return draft_put(&draft, &publication->folder, name_of(data), path);
}

static int put_bots(struct publication *publication, const struct season_data *data)
{
    int error = 0;

    for (int name = 0; name < data->standings.roster.count && !error; name++) {
        if (data_name(data, name) != name)
            continue;
        error = put_bot_page(publication, data, name);
        if (!error)
            error = put_bot_feed(publication, data, name);
        if (!error)
            error = put_pairs(publication, data, name);
    }
    return error;
}

/* ---- a season ---- */

static int put_json(struct publication *publication, const struct season_data *data,
                    const char *name, json_t *json)
{
    struct draft draft;
    int error = draft_begin(&draft, &publication->folder);

    if (!error) {
        json_dumpf(json, draft.stream, JSON_COMPACT);
        fputc('\n', draft.stream);
        error = draft_put(&draft, &publication->folder, name_of(data), name);
    }
    json_decref(json);
    return error;
}

/* Writes the ladders that are not on the season's page. */
static int put_ladders(struct publication *publication, const struct season_data *data)
{
    int error = 0;

    for (int players = GAME_PLAYERS_MIN; players <= GAME_PLAYERS_MAX && !error; players++) {
        char path[PARTS_PATH_BYTES];
        struct draft draft;

        if (!data->standings.ladders[players].entries || parts_has_room(data))
            continue;
        parts_ladder_path(players, path);
        error = draft_begin(&draft, &publication->folder);
        if (error)
            break;
        ladder_page_write(draft.stream, data, players);
        error = draft_put(&draft, &publication->folder, name_of(data), path);
    }
    return error;
}

static int put_lists(struct publication *publication, const struct season_data *data)
{
    struct report_ladder report = {&data->standings, 0};
    struct draft draft;
    int error = put_json(publication, data, "ladder.json", report_ladder_json(&report));

    if (!error)
        error = put_json(publication, data, "standings.json", season_standings_json(data));
    if (!error)
        error = draft_begin(&draft, &publication->folder);
    if (!error) {
        report_ladder_print_csv(draft.stream, &report);
        error = draft_put(&draft, &publication->folder, name_of(data), "ladder.csv");
    }
    if (!error)
        error = draft_begin(&draft, &publication->folder);
    if (!error) {
        season_feed_write(draft.stream, data, LADDER_NOBODY);
        error = draft_put(&draft, &publication->folder, name_of(data), "feed.xml");
    }
    if (!error)
        error = draft_begin(&draft, &publication->folder);
    if (!error) {
        season_page_write(draft.stream, data);
        error = draft_put(&draft, &publication->folder, name_of(data), "index.html");
    }
    return error;
}

static int add_row(struct publication *publication, const struct season_data *data)
{
    struct index_row *rows =
        realloc(publication->rows, (size_t)(publication->row_count + 1) * sizeof *rows);
    const struct ladder *ladder = &data->standings.ladders[0];
    struct index_row *row;

    if (!rows)
        return -ENOMEM;
    publication->rows = rows;
    row = &rows[publication->row_count++];
    *row = (struct index_row){.season = data->standings.season,
                              .game_count = ladder->games.game_count};
    if (data->standings.row_counts[0] > 0 && row->game_count > 0)
        memcpy(row->leader, data_bot(data, ladder->rows[0].entry)->name, sizeof row->leader);
    return 0;
}

static int put_season(struct publication *publication, const struct store_season *season)
{
    struct season_data data;
    int error = season_data_load(&data, publication->store, season);

    if (error)
        snprintf(publication->folder.error, sizeof publication->folder.error, "%s",
                 error == -ENOMEM ? "out of memory" : store_failure(publication->store));
    if (!error)
        error = choose_games(&data, publication->request->games);
    if (!error)
        error = season_index_make(&data);
    if (!error)
        error = add_row(publication, &data);
    if (!error)
        error = put_lists(publication, &data);
    if (!error)
        error = put_ladders(publication, &data);
    if (!error)
        error = put_bots(publication, &data);
    if (!error)
        error = put_games(publication, &data);
    season_data_finish(&data);
    return error;
}

/* ---- the index ---- */

static void write_index(FILE *page, const struct publication *publication)
{
    static const struct page_link links[] = {{NULL, NULL}};

    page_begin(page, 0, "Seasons", links, NULL);
    fputs(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Seasons\">"
        "<table class=\"sorts\"><thead><tr><th scope=\"col\" class=\"left\">season</th>"
        "<th scope=\"col\" class=\"left\">state</th><th scope=\"col\" class=\"left\">leader</th>"
        "<th scope=\"col\" data-down=\"1\">games</th><th scope=\"col\" data-down=\"1\">budget</th>"
        "<th scope=\"col\" data-down=\"1\">created</th></tr></thead><tbody>\n",
        page);
    for (int i = publication->row_count; i-- > 0;) {
        const struct index_row *row = &publication->rows[i];

        fprintf(page,
                "<tr><th scope=\"row\"><a href=\"%s/index.html\">%s</a></th>"
                "<td class=\"left\">%s%s</td><td class=\"left\">",
                row->season.name, row->season.name, row->season.closed_us > 0 ? "closed" : "open",
                row->season.is_practice ? ", practice" : "");
        if (*row->leader)
            fprintf(page, "<a href=\"%s/bot/%s.html\">%s</a>", row->season.name, row->leader,
                    row->leader);
        fprintf(page, "</td><td>%lld</td><td>%lld</td><td>", (long long)row->game_count,
                (long long)row->season.budget_games);
        parts_time(page, row->season.created_us);
        fputs("</td></tr>\n", page);
    }
    fputs("</tbody></table></div>\n", page);
    if (publication->row_count == 0)
        fputs("<p>No season has begun: <code>arena season new NAME</code>.</p>\n", page);
    page_end(page);
}

static int put_index(struct publication *publication)
{
    struct draft draft;
    int error = draft_begin(&draft, &publication->folder);

    if (error)
        return error;
    write_index(draft.stream, publication);
    return draft_put(&draft, &publication->folder, "", "index.html");
}

/* ---- the whole site ---- */

struct listing {
    struct store_season *seasons;
    int count;
};

static int list_season(void *context, const struct store_season *season)
{
    struct listing *listing = context;
    struct store_season *seasons =
        realloc(listing->seasons, (size_t)(listing->count + 1) * sizeof *seasons);

    if (!seasons)
        return -ENOMEM;
    listing->seasons = seasons;
    listing->seasons[listing->count++] = *season;
    return 0;
}

/* Lists the requested seasons, or all. */
static int list_seasons(struct publication *publication, struct listing *listing)
{
    const struct publish_request *request = publication->request;
    int error = 0;

    if (request->season_count == 0)
        error = store_seasons_each(publication->store, list_season, listing);
    for (int i = 0; i < request->season_count && !error; i++) {
        struct store_season season;

        error = store_season_find(publication->store, request->seasons[i], &season);
        for (int j = 0; j < i && !error; j++)
            if (strcmp(request->seasons[j], request->seasons[i]) == 0)
                goto next;
        if (!error)
            error = list_season(listing, &season);
    next:;
    }
    if (error)
        snprintf(publication->folder.error, sizeof publication->folder.error, "%s",
                 store_failure(publication->store));
    return error;
}

int publish(struct store *store, const struct publish_request *request,
            struct publish_result *result)
{
    struct publication publication = {.store = store, .request = request};
    struct listing listing = {0};
    int error = list_seasons(&publication, &listing);
    bool begun = false;

    *result = (struct publish_result){0};
    if (!error) {
        error = folder_begin(&publication.folder, request->folder);
        begun = !error;
        if (error) {
            char line[FOLDER_ERROR_BYTES];

            snprintf(line, sizeof line, "%.200s: %.300s", request->folder,
                     publication.folder.error);
            memcpy(publication.folder.error, line, sizeof line);
        }
    }
    for (int i = 0; i < listing.count && !error; i++)
        error = put_season(&publication, &listing.seasons[i]);
    if (!error)
        error = put_index(&publication);
    if (!error)
        error = folder_commit(&publication.folder);
    else if (begun)
        folder_abandon(&publication.folder);
    result->season_count = listing.count;
    result->written_count = publication.folder.written_count;
    result->kept_count = publication.folder.kept_count;
    memcpy(result->error, publication.folder.error, sizeof result->error);
    free(listing.seasons);
    free(publication.rows);
    return error;
}
