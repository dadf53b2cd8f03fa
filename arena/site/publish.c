#include "arena/site/publish.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/report/ladder.h"
#include "arena/site/home_page.h"
#include "arena/site/html.h"
#include "arena/site/parts.h"
#include "arena/site/play_page.h"
#include "arena/site/viewer.h"

enum {
    PATH_BYTES = STORE_NAME_BYTES_MAX + PARTS_PATH_BYTES + 2,
};

/* The publication of one season. */
struct season_publication {
    struct folder *folder;
    struct season_data *data;
    struct publish_damage *damage;
    const char *analyses;
};

static const char *name_of(const struct season_data *data)
{
    return data->standings.season.name;
}

/*
 * Adds the page that the caller wrote to folder_page. name is the page's path in the season's
 * folder.
 */
static int put(const struct season_publication *publication, const char *name, uint64_t key)
{
    char path[PATH_BYTES];

    if (snprintf(path, sizeof path, "%s/%s", name_of(publication->data), name) >= PATH_BYTES)
        return -ENAMETOOLONG;
    return folder_put_page(publication->folder, path, key);
}

/*
 * Keeps the older site's page if that page was added with this key. Returns false if the page must
 * be written.
 */
static bool keep(const struct season_publication *publication, const char *name, uint64_t key)
{
    char path[PATH_BYTES];

    return snprintf(path, sizeof path, "%s/%s", name_of(publication->data), name) < PATH_BYTES &&
           folder_keep(publication->folder, path, key);
}

/* ---- games ---- */

/* Selects the games that get a page: the newest games of each name, and all games with forfeits. */
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

/*
 * Marks the games of which the folder has an analysis; each gets a page. The mark is the file's
 * time: a new analysis makes a new page.
 */
static void mark_analysed(struct season_data *data, const char *folder)
{
    DIR *directory = folder ? opendir(folder) : NULL;
    struct dirent *entry;

    while (directory && (entry = readdir(directory))) {
        char id[STORE_GAME_ID_BYTES], season[STORE_NAME_BYTES_MAX + 1];
        int group, rotation;
        struct stat found;

        if (snprintf(id, sizeof id, "%.*s", (int)strcspn(entry->d_name, "."), entry->d_name) >=
                (int)sizeof id ||
            !store_game_id_parse(id, season, &group, &rotation) ||
            strcmp(season, data->standings.season.name) != 0 ||
            fstatat(dirfd(directory), entry->d_name, &found, 0) < 0)
            continue;
        for (size_t i = 0; i < data->count; i++) {
            struct data_game *game = &data->games[i];

            if (game->group == group && game->rotation == rotation && !game->is_pruned) {
                game->analysed =
                    (uint64_t)found.st_mtim.tv_sec * 1000000000 + (uint64_t)found.st_mtim.tv_nsec;
                game->page = true;
            }
        }
    }
    if (directory)
        closedir(directory);
}

/* Reads the analysis of a game, a new reference. NULL: there is none, or it is no JSON. */
static json_t *read_analysis(const struct season_publication *publication,
                             const struct data_game *game, const char *id)
{
    json_t *analysis = NULL;
    char *path;

    if (game->analysed && asprintf(&path, "%s/%s.json", publication->analyses, id) >= 0) {
        analysis = json_load_file(path, 0, NULL);
        free(path);
    }
    return analysis;
}

/*
 * Writes the page that shows a match, and the picture of its final position. Returns 0, -ENOMEM, or
 * -EBADMSG after writing one line to error.
 */
static int write_viewer(FILE *page, FILE *picture, const struct season_publication *publication,
                        struct replay *replay, const char *id, const struct data_game *game,
                        char error[static REPLAY_ERROR_BYTES])
{
    /* Name of the file to which the page's button saves the replay. */
    char saved[STORE_GAME_ID_BYTES + 8];
    char drawn[STORE_GAME_ID_BYTES + 8];
    struct viewer_page viewer = {.replay = replay,
                                 .path = saved,
                                 .ratings = game->ratings,
                                 .home_link = "../index.html",
                                 .picture_link = drawn,
                                 .picture = picture};
    json_t *analysis;
    uint8_t *bytes;
    int result;

    snprintf(saved, sizeof saved, "%s.replay", id);
    snprintf(drawn, sizeof drawn, "%s.svg", id);
    if (!publication->data->standings.season.publishes_errors)
        replay_drop_errors(replay);
    viewer.size = replay_pack(replay, &bytes);
    if (viewer.size == 0)
        return -ENOMEM;
    viewer.bytes = bytes;
    viewer.analysis = analysis = read_analysis(publication, game, id);
    result = viewer_write(page, &viewer, error);
    json_decref(analysis);
    free(bytes);
    return result < 0 ? -EBADMSG : 0;
}

/*
 * Writes a page with words in place of a game that cannot be shown, because other pages link to the
 * game. name is NULL if the older site's page of the game is kept.
 */
static int put_words(const struct season_publication *publication, const char *id, const char *name,
                     const char *words)
{
    static const struct page_link links[] = {{"../index.html", "Season"}, {NULL, NULL}};
    FILE *page = folder_page(publication->folder);

    if (!page)
        return -ENOMEM;
    if (!name)
        return 0;
    page_begin(page, id, links, NULL);
    fprintf(page, "<p>%s</p>\n", words);
    page_end(page);
    return put(publication, name, 0);
}

/*
 * Counts the damaged replay and puts a page that says so: a damaged replay must not stop the
 * publication of the rest of the site.
 */
static int put_damaged(const struct season_publication *publication, const char *id,
                       const char *name, const char *fault)
{
    if (publication->damage->count++ == 0)
        snprintf(publication->damage->words, sizeof publication->damage->words, "game %s: %s", id,
                 fault);
    return put_words(publication, id, name,
                     "The replay of this game is damaged. The game's result is kept.");
}

/*
 * Adds the page of a match and the picture of its final position. name and drawn are the paths of
 * page and picture in the season's folder; NULL for one that is kept from the older site.
 */
static int put_replay(const struct season_publication *publication, const struct data_game *game,
                      struct replay *replay, const char *id, const char *name, const char *drawn)
{
    uint64_t key = season_index_game_key(publication->data, game);
    char error[REPLAY_ERROR_BYTES], *picture = NULL;
    size_t size;
    FILE *svg = open_memstream(&picture, &size), *page = folder_page(publication->folder);
    int result = -ENOMEM;

    if (svg && page)
        result = write_viewer(page, svg, publication, replay, id, game, error);
    if (svg && fclose(svg) != 0)
        result = -ENOMEM;
    if (result == -EBADMSG)
        result = put_damaged(publication, id, name, error);
    else if (result == 0 && name)
        result = put(publication, name, key);
    if (result == 0 && drawn && size > 0) {
        page = folder_page(publication->folder);
        if (page)
            fwrite(picture, 1, size, page);
        result = page ? put(publication, drawn, key) : -ENOMEM;
    }
    free(picture);
    if (result == -ENOMEM)
        snprintf(publication->folder->error, sizeof publication->folder->error, "out of memory");
    return result;
}

static int put_game(const struct season_publication *publication, const struct data_game *game,
                    const char *name, const char *drawn)
{
    const struct season_data *data = publication->data;
    char id[STORE_GAME_ID_BYTES], error[REPLAY_ERROR_BYTES];
    struct replay replay;
    uint8_t *bytes;
    size_t size;
    int result = store_replay_read(data->store, data->standings.season.id, game->group,
                                   game->rotation, &bytes, &size);

    store_game_id(id, name_of(data), game->group, game->rotation);
    if (result == -ENODATA) /* the replay was pruned after we read the season */
        return put_words(
            publication, id, name,
            "The replay of this game is not kept any more. The game's result is kept.");
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
    result = put_replay(publication, game, &replay, id, name, drawn);
    replay_finish(&replay);
    free(bytes);
    return result;
}

static int put_games(const struct season_publication *publication)
{
    const struct season_data *data = publication->data;
    int error = 0;

    for (size_t i = 0; i < data->count && !error; i++) {
        uint64_t key = season_index_game_key(data, &data->games[i]);
        char name[PARTS_PATH_BYTES], drawn[PARTS_PATH_BYTES];
        bool has_page, has_picture;

        if (!data->games[i].page)
            continue;
        parts_game_path(data, &data->games[i], "html", name);
        parts_game_path(data, &data->games[i], "svg", drawn);
        has_page = keep(publication, name, key);
        has_picture = keep(publication, drawn, key);
        if (!has_page || !has_picture)
            error = put_game(publication, &data->games[i], has_page ? NULL : name,
                             has_picture ? NULL : drawn);
    }
    return error;
}

/* ---- bots and pairs ---- */

/* Writes a page or a feed about a subject: a name, a table size, or nothing (0). */
typedef void write_fn(FILE *page, const struct season_data *data, int subject);

/*
 * Keeps the older site's file if its key is unchanged; else writes and adds the file. A file with
 * key 0 is always written.
 */
static int put_made(const struct season_publication *publication, const char *path, uint64_t key,
                    write_fn *write, int subject)
{
    FILE *page;

    if (keep(publication, path, key))
        return 0;
    page = folder_page(publication->folder);
    if (!page)
        return -ENOMEM;
    write(page, publication->data, subject);
    return put(publication, path, key);
}

static int put_pairs(const struct season_publication *publication, int name)
{
    const struct season_data *data = publication->data;
    int error = 0;

    for (int other = name + 1; other < data->standings.roster.count && !error; other++) {
        char path[PARTS_PATH_BYTES];
        uint64_t key;
        FILE *page;

        if (data_name(data, other) != other || !season_index_met(data, name, other))
            continue;
        parts_pair_path(data, name, other, path);
        key = season_index_pair_key(data, name, other);
        if (keep(publication, path, key))
            continue;
        page = folder_page(publication->folder);
        if (!page)
            return -ENOMEM;
        pair_page_write(page, data, name, other);
        error = put(publication, path, key);
    }
    return error;
}

static int put_bots(const struct season_publication *publication)
{
    const struct season_data *data = publication->data;
    int error = 0;

    for (int name = 0; name < data->standings.roster.count && !error; name++) {
        char path[PARTS_PATH_BYTES];

        if (data_name(data, name) != name)
            continue;
        parts_bot_path(data, name, path);
        error = put_made(publication, path, season_index_bot_key(data, name), bot_page_write, name);
        snprintf(path, sizeof path, "bot/%s.xml", data_bot(data, name)->name);
        if (!error)
            error = put_made(publication, path, 0, season_feed_write, name);
        if (!error)
            error = put_pairs(publication, name);
    }
    return error;
}

/* ---- a season ---- */

/* Writes JSON and a line end. Takes over the caller's reference. */
static void write_json(FILE *page, json_t *json)
{
    json_dumpf(json, page, JSON_COMPACT);
    fputc('\n', page);
    json_decref(json);
}

static void write_ladder_json(FILE *page, const struct season_data *data, int player_count)
{
    struct report_ladder report = {&data->standings, player_count};

    write_json(page, report_ladder_json(&report));
}

static void write_ladder_csv(FILE *page, const struct season_data *data, int player_count)
{
    report_ladder_print_csv(page, &(struct report_ladder){&data->standings, player_count});
}

static void write_standings(FILE *page, const struct season_data *data, int player_count)
{
    (void)player_count;
    write_json(page, season_standings_json(data));
}

/* Writes the files that every publication writes anew. */
static int put_lists(const struct season_publication *publication)
{
    static const struct {
        const char *name;
        write_fn *write;
        int subject;
    } files[] = {
        {"ladder.json", write_ladder_json, 0}, {"standings.json", write_standings, 0},
        {"ladder.csv", write_ladder_csv, 0},   {"feed.xml", season_feed_write, LADDER_NOBODY},
        {"index.html", season_page_write, 0},
    };
    const struct standings *standings = &publication->data->standings;
    int error = 0;

    for (size_t i = 0; i < sizeof files / sizeof *files && !error; i++)
        error = put_made(publication, files[i].name, 0, files[i].write, files[i].subject);
    for (int players = GAME_PLAYERS_MIN; players <= GAME_PLAYERS_MAX && !error; players++) {
        char path[PARTS_PATH_BYTES];

        parts_ladder_path(players, path);
        if (standings->ladders[players].entries)
            error = put_made(publication, path, 0, ladder_page_write, players);
    }
    return error;
}

/*
 * Writes all pages of a season. A damaged replay is counted, and its page says that it is damaged.
 * Returns 0, or -errno with folder->error set.
 */
static int publish_season(struct folder *folder, struct season_data *data,
                          const struct publish_request *request, struct publish_damage *damage)
{
    const struct season_publication publication = {folder, data, damage, request->analyses};
    int error = choose_games(data, request->games);

    mark_analysed(data, request->analyses);
    if (!error)
        error = season_index_make(data);
    if (error)
        snprintf(folder->error, sizeof folder->error, "out of memory");
    if (!error)
        error = put_lists(&publication);
    if (!error)
        error = put_bots(&publication);
    if (!error)
        error = put_games(&publication);
    return error;
}

/* ---- all seasons ---- */

struct publication {
    struct store *store;
    const struct publish_request *request;
    struct folder folder;
    struct home home;
    struct publish_damage damage;
};

static int put_season(struct publication *publication, const struct store_season *season)
{
    struct folder *folder = &publication->folder;
    struct season_data data;
    int error = season_data_load(&data, publication->store, season);

    if (error)
        snprintf(folder->error, sizeof folder->error, "%s",
                 error == -ENOMEM ? "out of memory" : store_failure(publication->store));
    if (!error)
        error = publish_season(folder, &data, publication->request, &publication->damage);
    if (!error && (error = home_add(&publication->home, &data)))
        snprintf(folder->error, sizeof folder->error, "out of memory");
    season_data_finish(&data);
    return error;
}

static int put_home(struct publication *publication)
{
    FILE *page = folder_page(&publication->folder);

    if (!page)
        return -ENOMEM;
    home_page_write(page, &publication->home);
    return folder_put_page(&publication->folder, "index.html", 0);
}

static int put_play_page(struct publication *publication)
{
    FILE *page;

    if (!play_page_exists())
        return 0;
    page = folder_page(&publication->folder);
    if (!page)
        return -ENOMEM;
    play_page_write(page);
    return folder_put_page(&publication->folder, PLAY_PAGE_PATH, 0);
}

static int put_authors(struct publication *publication)
{
    const struct home *home = &publication->home;
    int error = 0;

    for (int first = 0, count; first < home->bot_count && !error; first += count) {
        char path[PARTS_PATH_BYTES];
        uint64_t key = home_author_key(home, first, &count);
        FILE *page;

        parts_author_path(home->bots[first].author, path);
        if (folder_keep(&publication->folder, path, key))
            continue;
        page = folder_page(&publication->folder);
        if (!page)
            return -ENOMEM;
        author_page_write(page, home, first, count);
        error = folder_put_page(&publication->folder, path, key);
    }
    return error;
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

/*
 * Lists each season that the request names once; all seasons of the store if the request names
 * none.
 */
static int list_seasons(struct publication *publication, struct listing *listing)
{
    const struct publish_request *request = publication->request;
    int error = 0;

    if (request->season_count == 0)
        error = store_seasons_each(publication->store, list_season, listing);
    for (int i = 0; i < request->season_count && !error; i++) {
        struct store_season season;
        bool listed = false;

        for (int j = 0; j < i; j++)
            listed = listed || strcmp(request->seasons[j], request->seasons[i]) == 0;
        if (!listed)
            error = store_season_find(publication->store, request->seasons[i], &season);
        if (!listed && !error)
            error = list_season(listing, &season);
    }
    if (error)
        snprintf(publication->folder.error, sizeof publication->folder.error, "%s",
                 store_failure(publication->store));
    return error;
}

/*
 * Returns the id of the season that the home page shows: the newest open season, rated seasons
 * before practice; the newest closed season if none is open.
 */
static int64_t find_shown(const struct listing *listing)
{
    const struct store_season *shown = NULL;

    for (int i = 0; i < listing->count; i++) {
        const struct store_season *season = &listing->seasons[i];

        if (!shown || (season->closed_us == 0 && !season->is_practice) ||
            (shown->closed_us > 0 && (season->closed_us == 0 || !season->is_practice)))
            shown = season;
    }
    return shown ? shown->id : 0;
}

int publish(struct store *store, const struct publish_request *request,
            struct publish_result *result)
{
    struct publication publication = {.store = store, .request = request};
    struct listing listing = {0};
    int error = list_seasons(&publication, &listing);
    bool begun = false;

    *result = (struct publish_result){0};
    page_link_live(request->links_live);
    if (!error) {
        error = folder_begin(&publication.folder, request->folder, page_form() ^ viewer_form());
        begun = !error;
        if (error) {
            char line[FOLDER_ERROR_BYTES];

            snprintf(line, sizeof line, "%.200s: %.300s", request->folder,
                     publication.folder.error);
            memcpy(publication.folder.error, line, sizeof line);
        }
    }
    publication.home.shown_id = find_shown(&listing);
    for (int i = 0; i < listing.count && !error; i++)
        error = put_season(&publication, &listing.seasons[i]);
    home_sort(&publication.home);
    if (!error)
        error = put_home(&publication);
    if (!error)
        error = put_play_page(&publication);
    if (!error)
        error = put_authors(&publication);
    if (!error)
        error = folder_commit(&publication.folder);
    else if (begun)
        folder_abandon(&publication.folder);
    result->season_count = listing.count;
    result->written_count = publication.folder.written_count;
    result->kept_count = publication.folder.kept_count;
    result->damage = publication.damage;
    memcpy(result->error, publication.folder.error, sizeof result->error);
    free(listing.seasons);
    home_finish(&publication.home);
    return error;
}
