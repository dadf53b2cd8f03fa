/* SPDX-License-Identifier: MIT */
#include "arena/site/publish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/base/array.h"
#include "arena/base/blocks.h"
#include "arena/base/clock.h"
#include "arena/base/memory.h"
#include "arena/base/mix.h"
#include "arena/report/columns.h"
#include "arena/report/ladder.h"
#include "arena/report/league.h"
#include "arena/site/card.h"
#include "arena/site/documents.h"
#include "arena/site/home_page.h"
#include "arena/site/page.h"
#include "arena/site/parts.h"
#include "arena/site/play_page.h"
#include "arena/site/viewer.h"
#include "arena/site/wishes.h"

struct publication {
    struct store *store;
    const struct publish_request *request;
    struct pages *pages;
    struct folder folder;
    struct home home;
    struct wishes wishes;
    struct publish_damage damage;
    struct season_data *data; /* the season whose pages are being written; else NULL */
    const char *cards;        /* address of the site if its pages name cards; else NULL */
};

static const char *season_name(const struct publication *publication)
{
    return publication->data->standings.season.name;
}

/* Like folder_page; name is a path in the season's folder. */
static FILE *begin_page(struct publication *publication, const char *name, uint64_t key)
{
    char path[FOLDER_NAME_BYTES];

    snprintf(path, sizeof path, "%s/%s", season_name(publication), name);
    return folder_page(&publication->folder, path, key);
}

static void end_page(struct publication *publication, uint64_t key)
{
    folder_put_page(&publication->folder, key);
}

/* Writes a page. The publication fails if that fails. */
static void write_page(struct publication *publication, FILE *page, const char *template,
                       json_t *data)
{
    char error[TEMPLATE_ERROR_BYTES];
    const int result = page_write(publication->pages, page, template, data, error);

    if (result < 0)
        folder_fail(&publication->folder, result, "%s", error);
}

/* ---- games ---- */

/*
 * Selects the games that get a page: the newest games of each name, its newest lost game, and all
 * games with forfeits.
 */
static int choose_games(struct season_data *data, int64_t newest)
{
    struct {
        int64_t games, lost;
    } *counts = calloc((size_t)data->standings.roster.count + 1, sizeof *counts);

    if (!counts)
        return -ENOMEM;
    for (int i = data->count; i-- > 0;) {
        struct data_game *game = &data->games[i];

        for (int seat = 0; seat < game->player_count; seat++) {
            int name = data_name(data, game->entries[seat]);
            bool is_lost = !game->is_void && game->ranks[seat] > 1;

            game->page =
                game->page ||
                (!game->is_pruned && (newest == PUBLISH_ALL_GAMES || data_forfeited(game, seat) ||
                                      (newest > 0 && is_lost && counts[name].lost == 0) ||
                                      counts[name].games < newest));
            counts[name].lost += is_lost;
        }
        for (int seat = 0; seat < game->player_count; seat++)
            counts[data_name(data, game->entries[seat])].games++;
    }
    free(counts);
    return 0;
}

/*
 * Writes the page that shows a match. Returns 0 or -errno after writing one line to error: -EBADMSG
 * if the replay is damaged.
 */
static int write_viewer(FILE *page, const struct publication *publication, struct replay *replay,
                        const char *id, const struct data_game *game,
                        char error[static REPLAY_ERROR_BYTES])
{
    const char *bots[GAME_PLAYERS_MAX];
    struct parts_links links;
    char *card = NULL;
    struct viewer_page viewer = {.pages = publication->pages,
                                 .replay = replay,
                                 .path = links.saved,
                                 .ratings = game->ratings,
                                 .rules_link = links.rules,
                                 .home_link = links.season,
                                 .play_link = play_page_exists() ? "../../" PLAY_PAGE_PATH : NULL,
                                 .bot_links = links.bots};
    json_t *analysis;
    uint8_t *bytes;
    int result;

    for (int seat = 0; seat < game->player_count; seat++)
        bots[seat] = data_bot(publication->data, game->entries[seat])->name;
    parts_match_links(&links, "../", id, bots, game->player_count);
    if (publication->cards && (publication->request->links_live
                                   ? asprintf(&card, "%s/game/%s.png", publication->cards, id)
                                   : asprintf(&card, "%s/%s/" PAGE_CARD, publication->cards,
                                              season_name(publication))) >= 0)
        viewer.card_link = card;
    if (!publication->data->standings.season.publishes_errors)
        replay_drop_errors(replay);
    viewer.size = replay_pack(replay, &bytes);
    if (viewer.size == 0) {
        snprintf(error, REPLAY_ERROR_BYTES, "out of memory");
        free(card);
        return -ENOMEM;
    }
    viewer.bytes = bytes;
    viewer.analysis = analysis = data_analysis(publication->data, game);
    result = viewer_write(page, &viewer, error);
    json_decref(analysis);
    free(bytes);
    free(card);
    return result;
}

/*
 * Writes the page of a game. A damaged replay is counted, and the page says so: it must not stop
 * the publication of the rest of the site. Returns true if the page shows the match.
 */
static bool write_game(FILE *page, struct publication *publication, const struct data_game *game,
                       const char *id)
{
    struct publish_damage *damage = &publication->damage;
    char error[REPLAY_ERROR_BYTES] = "";
    struct replay replay;
    uint8_t *bytes;
    int result = season_replay(publication->data, game, &replay, &bytes, error);

    if (result == 0) {
        result = write_viewer(page, publication, &replay, id, game, error);
        replay_finish(&replay);
        free(bytes);
    }
    if (result == -EBADMSG && damage->count++ == 0)
        snprintf(damage->words, sizeof damage->words, "game %s: %s", id, error);
    if (result == -ENODATA || result == -EBADMSG) /* -ENODATA: pruned after we read the season */
        write_page(publication, page, "unshown",
                   parts_unshown_json("../../index.html", "../", season_name(publication), id,
                                      result == -ENODATA));
    else if (result < 0)
        folder_fail(&publication->folder, result, "%s", error);
    return result == 0;
}

static void put_game(struct publication *publication, const struct data_game *game)
{
    uint64_t key = season_index_game_key(publication->data, game);
    char id[STORE_GAME_ID_BYTES], name[PARTS_PATH_BYTES];
    FILE *page;

    store_game_id(id, season_name(publication), game->group, game->rotation);
    parts_game_path(publication->data, game, "html", name);
    page = begin_page(publication, name, key);
    if (page)
        end_page(publication, write_game(page, publication, game, id) ? key : 0);
}

/* ---- bots and pairs ---- */

/* Writes a page of these data, unless the older site's page of the same key, not 0, is kept. */
static void put_page(struct publication *publication, const char *path, uint64_t key,
                     const char *template, page_data_fn *data_fn, int subject)
{
    FILE *page = begin_page(publication, path, key);

    if (!page)
        return;
    write_page(publication, page, template, data_fn(publication->data, subject));
    end_page(publication, key);
}

static void put_pairs(struct publication *publication, int name)
{
    const struct season_data *data = publication->data;

    for (int other = name + 1; other < data->standings.roster.count; other++) {
        char path[PARTS_PATH_BYTES];
        uint64_t key;
        FILE *page;

        if (data_name(data, other) != other || !season_index_met(data, name, other))
            continue;
        parts_pair_path(data, name, other, path);
        key = season_index_pair_key(data, name, other);
        page = begin_page(publication, path, key);
        if (!page)
            continue;
        write_page(publication, page, "pair", pair_page(data, name, other));
        end_page(publication, key);
    }
}

static void put_bots(struct publication *publication)
{
    const struct season_data *data = publication->data;

    for (int name = 0; name < data->standings.roster.count; name++) {
        char path[PARTS_PATH_BYTES];

        if (data_name(data, name) != name)
            continue;
        parts_bot_path(data, name, path);
        put_page(publication, path, season_index_bot_key(data, name), "bot", bot_page, name);
        snprintf(path, sizeof path, "bot/%s.xml", data_bot(data, name)->name);
        put_page(publication, path, season_index_bot_key(data, name), "feed", season_feed, name);
        put_pairs(publication, name);
    }
}

/* A version that waits beside an older one is told of on the older one's page. */
static void put_waiting(struct publication *publication)
{
    const struct season_data *data = publication->data;

    for (int i = 0; i < data->waiting_count; i++) {
        const char *name = data->waiting[i].name;
        char path[PARTS_PATH_BYTES];
        bool is_known = false;

        for (int entry = 0; entry < data->standings.roster.count; entry++)
            is_known = is_known || strcmp(data_bot(data, entry)->name, name) == 0;
        snprintf(path, sizeof path, "bot/%s.html", name);
        if (!is_known)
            put_page(publication, path, 0, "waiting_bot", parts_waiting_bot, i);
    }
}

/* ---- cards ---- */

/*
 * Draws a card, unless the older site has it; takes over the reference. Only where pages name cards
 * that no `arena web` draws. One that cannot be drawn is left out.
 */
static void put_card(struct publication *publication, const char *path, json_t *card)
{
    char error[TEMPLATE_ERROR_BYTES], *png = NULL;
    size_t svg_size, size;
    char *svg = card_write(publication->pages, card, &svg_size, error);
    uint64_t key;
    FILE *page;

    if (!svg) {
        folder_fail(&publication->folder, -EINVAL, "%s", error);
        return;
    }
    key = mix_bytes(0, svg, svg_size) | 1;
    if (!folder_keep(&publication->folder, path, key) &&
        card_draw(svg, svg_size, &png, &size) == 0 &&
        (page = folder_page(&publication->folder, path, key))) {
        fwrite(png, 1, size, page);
        folder_put_page(&publication->folder, key);
    }
    free(png);
    free(svg);
}

static bool draws(const struct publication *publication)
{
    return publication->cards && !publication->request->links_live;
}

/* ---- a season ---- */

/* Writes a file of JSON. Takes over the caller's reference. */
static void put_json(struct publication *publication, const char *path, json_t *json)
{
    FILE *page = begin_page(publication, path, 0);

    if (page) {
        json_dumpf(json, page, JSON_COMPACT);
        fputc('\n', page);
        end_page(publication, 0);
    }
    json_decref(json);
}

/* Writes the files that every publication writes anew. */
static void put_lists(struct publication *publication)
{
    const struct season_data *data = publication->data;
    const struct report_ladder report = {&data->standings, 0};
    FILE *csv = begin_page(publication, "ladder.csv", 0);

    if (csv) {
        report_ladder_print_csv(csv, &report);
        end_page(publication, 0);
    }
    put_json(publication, "ladder.json", report_ladder_json(&report));
    put_json(publication, "standings.json", season_standings_json(data));
    put_page(publication, "feed.xml", 0, "feed", season_feed, LADDER_NOBODY);
    put_page(publication, "index.html", 0, "season", season_page, 0);
    for (int players = GAME_PLAYERS_MIN; players <= GAME_PLAYERS_MAX; players++) {
        char path[PARTS_PATH_BYTES];

        parts_ladder_path(players, path);
        if (data->standings.ladders[players].entries)
            put_page(publication, path, 0, "ladder_page", ladder_page, players);
    }
}

static int see_league(void *context, const struct store_league *league)
{
    struct season_data *data = context;

    if (league->id == data->standings.season.league_id)
        snprintf(data->league, sizeof data->league, "%s", league->name);
    return 0;
}

/*
 * Keeps the pages of games that the older site has, for as long as there is a replay: of a folder
 * that is served as files, links to a match last so. `arena web` makes such pages on request.
 */
static void keep_games(struct publication *publication, struct season_data *data)
{
    char path[FOLDER_NAME_BYTES];
    json_t *names;

    snprintf(path, sizeof path, "%s/game", season_name(publication));
    names = folder_names(&publication->folder, path);
    for (int i = 0; i < data->count; i++) {
        struct data_game *game = &data->games[i];
        char name[PARTS_PATH_BYTES];

        if (game->page || game->is_pruned)
            continue;
        parts_game_path(data, game, "html", name);
        game->page = json_object_get(names, strchr(name, '/') + 1);
    }
    json_decref(names);
}

/* Writes all pages of a season, and adds what the home page and the authors' pages show of it. */
static void put_season(struct publication *publication, const struct store_season *season)
{
    struct season_data data;
    int error = season_data_load(&data, publication->store, season);

    publication->data = &data;
    data.is_served = publication->request->links_live;
    if (!error && season->league_id && !publication->request->season_count)
        error = store_leagues_each(publication->store, see_league, &data);
    if (error && error != -ENOMEM)
        folder_fail(&publication->folder, error, "%s", store_failure(publication->store));
    if (!error)
        error = choose_games(&data, publication->request->games);
    if (!publication->request->links_live)
        keep_games(publication, &data);
    season_data_mark_analysed(&data, publication->request->analyses);
    if (!error)
        error = season_data_add_history(&data);
    if (!error)
        error = season_index_make(&data);
    if (!error)
        error = home_add(&publication->home, &data);
    if (!error && publication->request->wishes)
        error = wishes_add(&publication->wishes, &data);
    if (error)
        folder_fail(&publication->folder, error, "out of memory");
    if (!error && draws(publication)) {
        char path[PARTS_PATH_BYTES];

        snprintf(path, sizeof path, "%s/" PAGE_CARD, season_name(publication));
        put_card(publication, path, card_of_season(&data.standings));
        if (season->id == publication->home.shown_id)
            put_card(publication, PAGE_CARD, card_of_home(&data.standings));
    }
    if (!error) {
        put_lists(publication);
        put_bots(publication);
        put_waiting(publication);
        for (int i = 0; i < data.count; i++)
            if (data.games[i].page)
                put_game(publication, &data.games[i]);
    }
    publication->data = NULL;
    season_data_finish(&data);
}

/* ---- the whole site ---- */

/* Writes a page in the place of each void season, to which others may have a link. */
static void put_voided(struct publication *publication)
{
    json_t *name;
    size_t i;

    json_array_foreach(publication->home.voided, i, name)
    {
        char path[PARTS_PATH_BYTES];
        FILE *page;

        snprintf(path, sizeof path, "%s/index.html", json_string_value(name));
        if (!(page = folder_page(&publication->folder, path, 0)))
            continue;
        write_page(publication, page, "withdrawn",
                   json_pack("{s:o, s:s}", "title",
                             json_sprintf("Season %s is void", json_string_value(name)), "home",
                             "../index.html"));
        folder_put_page(&publication->folder, 0);
    }
}

/* Writes the pages of no season. */
static void put_home(struct publication *publication)
{
    struct folder *folder = &publication->folder;
    FILE *page;

    if ((page = folder_page(folder, "index.html", 0))) {
        write_page(publication, page, "home", home_page(&publication->home));
        folder_put_page(folder, 0);
    }
    if (draws(publication) && !publication->home.shown_id)
        put_card(publication, PAGE_CARD, card_of_home(NULL));
    if ((page = folder_page(folder, "404.html", 0))) {
        /* Web servers send this page for an address without a page. */
        write_page(
            publication, page, "missing",
            json_pack("{s:s, s:s}", "title", "There is no page at this address", "home", "/"));
        folder_put_page(folder, 0);
    }
    if (play_page_exists() && (page = folder_page(folder, PLAY_PAGE_PATH, 0))) {
        write_page(publication, page, "play", play_page(publication->pages));
        folder_put_page(folder, 0);
    }
}

/*
 * Returns what the page of a league shows: the JSON of its round, with ranks as text, the dates of
 * the divisions, and which of them have no game yet.
 */
static json_t *league_page(const struct league_round *round)
{
    json_t *data = columns_row_json(&league_columns, round, NULL, READER_PUBLIC);
    json_t *divisions = json_object_get(data, "divisions");

    for (size_t i = 0; i < json_array_size(divisions); i++) {
        json_t *members = json_object_get(json_array_get(divisions, i), "members");
        bool is_begun = false;

        for (size_t j = 0; j < json_array_size(members); j++) {
            const struct league_place *place = &round->divisions[i].places[j];

            json_object_set_new(json_array_get(members, j), "rank",
                                parts_rank_json(place->rank_best, place->rank_worst));
            is_begun |= place->rank_best > 0;
        }
        json_object_update_new(json_array_get(divisions, i),
                               json_pack("{s:b, s:I, s:I}", "is_begun", is_begun, "from_us",
                                         (json_int_t)round->divisions[i].season.from_us, "until_us",
                                         (json_int_t)round->divisions[i].season.until_us));
    }
    json_object_set_new(data, "title", json_sprintf("League %s", round->league.name));
    json_object_set_new(data, "home", json_string("../index.html"));
    return data;
}

static int put_league(void *context, const struct store_league *league)
{
    struct publication *publication = context;
    struct league_round *round = calloc(1, sizeof *round); /* too large for the stack */
    char path[PARTS_PATH_BYTES];
    FILE *page;
    int error = round ? league_read(round, publication->store, league->name) : -ENOMEM;

    snprintf(path, sizeof path, "league/%s.html", league->name);
    if (!error && (page = folder_page(&publication->folder, path, 0))) {
        write_page(publication, page, "league", league_page(round));
        folder_put_page(&publication->folder, 0);
    }
    if (!error)
        json_array_append_new(publication->home.leagues, json_string(league->name));
    if (round)
        league_finish(round);
    free(round);
    return error;
}

/* Writes a page for each league, unless only some seasons have pages. */
static void put_leagues(struct publication *publication)
{
    const int error = publication->request->season_count
                          ? 0
                          : store_leagues_each(publication->store, put_league, publication);

    if (error)
        folder_fail(&publication->folder, error, "%s",
                    error == -ENOMEM ? "out of memory" : store_failure(publication->store));
}

static void put_authors(struct publication *publication)
{
    const struct home *home = &publication->home;

    for (int first = 0, count; first < home->bot_count; first += count) {
        char path[PARTS_PATH_BYTES];
        uint64_t key = home_author_key(home, first, &count);
        FILE *page;

        parts_author_path(home->bots[first].author, path);
        page = folder_page(&publication->folder, path, key);
        if (!page)
            continue;
        write_page(publication, page, "author", author_page(home, first, count));
        end_page(publication, key);
    }
}

struct listing {
    struct store_season *seasons;
    int count;
    json_t *voided; /* names of void seasons, which have no page but one that says so */
};

static int list_season(void *context, const struct store_season *season)
{
    struct listing *listing = context;

    if (season->voided_us) {
        json_array_append_new(listing->voided, json_string(season->name));
        return 0;
    }
    return array_add(&listing->seasons, &listing->count, season, sizeof *season);
}

/*
 * Lists each season that the request names once; all seasons of the store if the request names
 * none.
 */
static int list_seasons(struct store *store, const struct publish_request *request,
                        struct listing *listing)
{
    int error = 0;

    if (request->season_count == 0)
        error = store_seasons_each(store, list_season, listing);
    for (int i = 0; i < request->season_count && !error; i++) {
        struct store_season season;
        bool listed = false;

        for (int j = 0; j < i; j++)
            listed = listed || strcmp(request->seasons[j], request->seasons[i]) == 0;
        if (!listed)
            error = store_season_find(store, request->seasons[i], &season);
        if (!listed && !error)
            error = list_season(listing, &season);
    }
    return error;
}

/*
 * Returns how much a season belongs at the top of the home page: most if it is open, is
 * played and has games left. Returns -errno (see store_failure) if that cannot be read.
 */
static int weight_of(struct store *store, const struct store_season *season)
{
    struct season_facts facts;
    struct season_status status;
    int error;

    if (season->closed_us)
        return !season->is_practice;
    error = season_facts_read(&facts, store, season, false);
    if (error)
        return error;
    season_status_of(&facts, &status);
    if (status.state == STATE_EARLY)
        return 8 + !season->is_practice;
    return 10 + 2 * (season_status_goes_on(&status) && status.game_count > 0) +
           !season->is_practice;
}

/*
 * Finds the season that the home page shows at its top: of those with the same weight the newest,
 * but of a league's round the first division. *shown becomes NULL if there is no season. Returns 0
 * or -errno (see store_failure).
 */
static int find_shown(struct store *store, const struct listing *listing,
                      const struct store_season **shown)
{
    int most = 0;

    *shown = NULL;
    for (int i = 0; i < listing->count; i++) {
        const struct store_season *season = &listing->seasons[i], *other = *shown;
        const int weight = weight_of(store, season);
        const bool is_lower = other && season->league_id && season->league_id == other->league_id &&
                              season->round == other->round;

        if (weight < 0)
            return weight;
        if (!other || weight > most || (weight == most && !is_lower)) {
            *shown = season;
            most = weight;
        }
    }
    return 0;
}

int publish_find_shown(struct store *store, struct store_season *season)
{
    struct listing listing = {.voided = json_array()};
    const struct store_season *shown = NULL;
    int error = list_seasons(store, &(struct publish_request){0}, &listing)
                    ?: find_shown(store, &listing, &shown);

    if (!error && shown)
        *season = *shown;
    free(listing.seasons);
    json_decref(listing.voided);
    return error ? error : shown ? 0 : -ENOENT;
}

/* A store_name_fn. */
static int add_name(void *context, const char *name)
{
    return json_array_append_new(context, json_string(name));
}

int publish(struct store *store, const struct publish_request *request,
            struct publish_result *result)
{
    struct publication publication = {
        .store = store,
        .request = request,
        .cards = request->address && card_can_draw() ? request->address : NULL,
        .home = {.address = request->links_live ? request->address : NULL,
                 .has_program = request->program}};
    struct folder *folder = &publication.folder;
    struct listing listing = {.voided = json_array()};
    const char *address = request->address ? request->address : "";
    const struct page_terms terms = {.links_live = request->links_live,
                                     .links_play = play_page_exists(),
                                     .cards = publication.cards,
                                     .contact = request->contact,
                                     .templates = request->templates};
    json_t *leagues = json_array(), *references = json_array();
    char words[TEMPLATE_ERROR_BYTES];
    const struct store_season *shown = NULL;
    int error = list_seasons(store, request, &listing)
                    ?: find_shown(store, &listing, &shown)
                    ?: store_references_each(store, add_name, references);

    const bool store_failed = error != 0;

    blocks_begin();
    *result = (struct publish_result){.season_count = listing.count};
    publication.home.shown_id = shown ? shown->id : 0;
    publication.home.voided = listing.voided;
    publication.home.leagues = leagues;
    if (error) {
        snprintf(result->error, sizeof result->error, "%s", store_failure(store));
    } else if (!(publication.pages = pages_create(&terms, words))) {
        error = -EINVAL;
        snprintf(result->error, sizeof result->error, "%s", words);
    } else if ((error = folder_begin(folder, request->folder,
                                     pages_form(publication.pages) ^
                                         mix_bytes(0, address, strlen(address)),
                                     page_common))) {
        snprintf(result->error, sizeof result->error, "%.200s: %.300s", request->folder,
                 folder->error);
    } else {
        for (int i = 0; i < listing.count && !folder->failed; i++)
            put_season(&publication, &listing.seasons[i]);
        home_sort(&publication.home);
        put_leagues(&publication);
        put_voided(&publication);
        put_home(&publication);
        documents_put(folder, publication.pages, publication.home.address, request->program,
                      references);
        put_authors(&publication);
        error = folder_commit(folder);
        if (!error && request->wishes && request->analyses)
            wishes_write(&publication.wishes, request->analyses); /* the next one may succeed */
        result->written_count = folder->written_count;
        result->kept_count = folder->kept_count;
        result->damage = publication.damage;
        memcpy(result->error, folder->error, sizeof result->error);
    }
    if (!store_failed && (error == -ENOSPC || error == -EDQUOT))
        snprintf(result->error, sizeof result->error,
                 "%.200s: the disk that holds this site is full: free space on it and publish "
                 "again; the site stays as it was",
                 request->folder);
    pages_destroy(publication.pages);
    free(listing.seasons);
    json_decref(listing.voided);
    json_decref(leagues);
    json_decref(references);
    home_finish(&publication.home);
    wishes_finish(&publication.wishes);
    blocks_end();
    return error;
}
