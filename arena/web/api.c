/* SPDX-License-Identifier: MIT */
#include "arena/web/api.h"

#include <dirent.h>
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <nettle/memops.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/array.h"
#include "arena/base/file.h"
#include "arena/base/memory.h"
#include "arena/play/source.h"
#include "arena/replay/json.h"
#include "arena/replay/replay.h"
#include "arena/report/game.h"
#include "arena/report/bot.h"
#include "arena/report/challenge.h"
#include "arena/report/model.h"
#include "arena/report/season.h"
#include "arena/season/season.h"
#include "arena/season/status.h"
#include "arena/site/card.h"
#include "arena/site/parts.h"
#include "arena/site/play_page.h"
#include "arena/site/publish.h"
#include "arena/site/viewer.h"
#include "arena/store/archive.h"
#include "arena/store/authors.h"
#include "arena/store/games.h"
#include "arena/store/quotas.h"
#include "arena/base/clock.h"
#include "arena/base/json.h"
#include "arena/web/order.h"

/* How long a question of each kind may take, waits included. */
static const int limits_s[CLERK_KINDS] = {
    [CLERK_LIGHT] = 10, [CLERK_HEAVY] = 20, [CLERK_UPLOAD] = 120, [CLERK_ORDER] = ORDER_S};

enum {
    PARTS_MAX = 8,
    QUEUE_IS_LONG = 100, /* open submissions above which the arena counts as overloaded */
    ADMITS_AT_ONCE = 2,  /* number of submissions that the daemon admits at a time */
    DETAIL_BYTES = 2 * SOURCE_ERROR_BYTES,
    UPLOADS_A_PACKAGE = 10, /* uploads in a day, whatever comes of them, for each package */
    ANALYST_S = 5,
    RETRY_S = 60, /* Retry-After in seconds after a failure of the arena, such as a full disk */
};

/* ---- answers ---- */

static const char *title_of(int status)
{
    static const struct {
        int status;
        const char *title;
    } titles[] = {
        {400, "Bad request"},
        {401, "No valid token"},
        {403, "Not allowed"},
        {404, "Not found"},
        {405, "Method not allowed"},
        {409, "Conflict"},
        {410, "Gone"},
        {413, "Too large"},
        {422, "Not a bot that can be taken"},
        {429, "Too often"},
        {503, "Busy"},
    };

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (titles[i].status == status)
            return titles[i].title;
    return "The arena failed";
}

/* Takes ownership of the reference to value. */
static void give_json(struct api_answer *answer, int status, const char *type, json_t *value)
{
    answer->status = status;
    answer->type = type;
    answer->body = value ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    answer->size = answer->body ? strlen(answer->body) : 0;
    if (!answer->body)
        answer->status = 500;
    json_decref(value);
}

/* Answers with JSON. Takes ownership of the reference to value. */
static void give(struct api_answer *answer, json_t *value)
{
    give_json(answer, 200, "application/json", value);
}

void api_refuse(struct api_answer *answer, int status, const char *format, ...)
{
    char detail[DETAIL_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    free(answer->body);
    give_json(answer, status, "application/problem+json",
              json_pack("{s:s, s:s, s:i, s:o}", "type", "about:blank", "title", title_of(status),
                        "status", status, "detail", json_text(detail, strlen(detail))));
}

/*
 * Answers with the store's message, but without the cure that the message names: a command that the
 * client cannot run.
 */
static void refuse_in_words(struct api *api, int status, const char *cure,
                            struct api_answer *answer)
{
    char words[DETAIL_BYTES], *command;

    snprintf(words, sizeof words, "%s", store_failure(api->store));
    command = strchr(words, '`');
    while (command && command > words && *command != ':' && *command != ';')
        command--;
    if (command)
        *command = '\0';
    api_refuse(answer, status, "%s%s", words, cure);
}

/*
 * Answers a request for which the store failed. The client sees the store's message only if the
 * request was at fault; else the organizer gets the message.
 */
static void refuse_by_store(struct api *api, int error, struct api_answer *answer)
{
    if (error == -ENOENT) {
        refuse_in_words(api, 404,
                        ": GET /api/v1/me lists your bots and what became of your uploads, "
                        "/api/v1/seasons the seasons",
                        answer);
    } else if (error == -ENODATA) {
        refuse_in_words(api, 410, "", answer);
    } else if (error == -EEXIST || error == -EPERM || error == -ECANCELED || error == -EDQUOT) {
        refuse_in_words(api, 409, "", answer);
    } else if (error == -ETIMEDOUT) {
        api_refuse(answer, 503, "the answer takes too long: ask for less, or try again later");
        answer->retry_after_s = RETRY_S;
    } else {
        if (api->failed_fn)
            api->failed_fn(store_failure(api->store));
        api_refuse(answer, 503, "the arena's store failed: try again later");
        answer->retry_after_s = RETRY_S;
    }
}

/*
 * Reads a number of the query string; sets `missing` if text is NULL. Refuses the request if the
 * text is not a number from least to most.
 */
static bool read_number(const char *text, const char *name, int64_t missing, int64_t least,
                        int64_t most, int64_t *number, struct api_answer *answer)
{
    char *end;

    *number = missing;
    if (!text)
        return true;
    errno = 0;
    *number = strtoll(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && *number >= least && *number <= most)
        return true;
    api_refuse(answer, 400, "%s must be a number from %lld to %lld", name, (long long)least,
               (long long)most);
    return false;
}

struct caller {
    struct store_author author; /* the author whom the token names */
    enum store_scope scope;
    char who[STORE_WHO_BYTES]; /* the author in events */
};

/*
 * Finds the caller by the request's token. Refuses the request if the token is invalid or may not
 * make such a request.
 */
static bool find_caller(struct api *api, const struct api_request *request, struct caller *caller,
                        struct api_answer *answer)
{
    int error = -ENOENT;

    if (request->token_sha256)
        error = store_token_find(api->store, request->token_sha256, clock_time_us(),
                                 &caller->author, &caller->scope);
    if (error == -ENOENT)
        api_refuse(answer, 401, "%s",
                   request->token_sha256
                       ? store_failure(api->store)
                       : "send the header Authorization: Bearer TOKEN; the organizer makes tokens");
    else if (error)
        refuse_by_store(api, error, answer);
    else if (caller->scope == STORE_SCOPE_READ && strcmp(request->method, "GET") != 0)
        api_refuse(answer, 403,
                   "this token may only read: ask the organizer for a token that may submit");
    else {
        snprintf(caller->who, sizeof caller->who, "author-%lld", (long long)caller->author.id);
        store_act_as(api->store,
                     caller->who); /* what this question changes is an event of the caller */
        return true;
    }
    return false;
}

/* True if the caller may see and end the submissions of the author with this name. */
static bool may_manage(const struct caller *caller, const char *author)
{
    return caller->scope == STORE_SCOPE_ORGANIZER || strcmp(caller->author.name, author) == 0;
}

/* ---- status ---- */

static int count_open(void *context, const struct store_submission *submission)
{
    ++*(int *)context;
    return 0;
}

struct season_list {
    struct api *api;
    bool only_open;
    json_t *seasons;
};

static int list_season(void *context, const struct store_season *terms)
{
    struct season_list *list = context;
    struct report_season season;
    int error;

    if (terms->voided_us || (list->only_open && terms->closed_us))
        return 0;
    error = report_season_read(&season, list->api->store, terms, false);
    if (!error)
        json_array_append_new(list->seasons, report_season_json(&season, READER_PUBLIC));
    report_season_finish(&season);
    return error;
}

/* Returns the open seasons as the daemon last told them: to count games takes long. */
static json_t *seasons_of(const json_t *daemon)
{
    json_t *seasons = json_array();
    const json_t *season;
    size_t i;

    json_array_foreach(json_object_get(daemon, "seasons"), i, season)
        json_array_append_new(seasons, columns_cut(&season_columns, season, READER_PUBLIC));
    return seasons;
}

static void answer_status(struct api *api, const struct api_request *request,
                          const char *const *parts, struct api_answer *answer)
{
    json_t *daemon = api->status_path ? json_load_file(api->status_path, 0, NULL) : NULL;
    json_t *told = daemon ? daemon : json_object();
    struct season_list list = {api, true, daemon ? seasons_of(daemon) : json_array()};
    int queue = 0, error = store_submissions_open_each(api->store, count_open, &queue);
    double load = 0;

    if (!error && !daemon)
        error = store_seasons_each(api->store, list_season, &list);
    getloadavg(&load, 1);
    json_object_set_new(told, "version", json_string(api->version));
    json_object_set_new(told, "running", json_boolean(daemon));
    json_object_set_new(told, "queue", json_integer(queue));
    json_object_set_new(
        told, "overloaded",
        json_boolean(queue > QUEUE_IS_LONG || load > 4. * (double)sysconf(_SC_NPROCESSORS_ONLN)));
    json_object_set_new(told, "seasons", list.seasons);
    if (error)
        refuse_by_store(api, error, answer);
    else
        give(answer, columns_row_json(&status_columns, told, NULL, READER_PUBLIC));
    json_decref(told);
}

/* ---- seasons, ladders, games ---- */

static void answer_seasons(struct api *api, const struct api_request *request,
                           const char *const *parts, struct api_answer *answer)
{
    struct season_list list = {.api = api, .seasons = json_array()};
    int error = store_seasons_each(api->store, list_season, &list);

    if (!error)
        give(answer, json_pack("{s:O}", "seasons", list.seasons));
    else
        refuse_by_store(api, error, answer);
    json_decref(list.seasons);
}

static bool find_season(struct api *api, const char *name, struct store_season *season,
                        struct api_answer *answer)
{
    int error = store_season_find(api->store, name, season);

    if (error)
        refuse_by_store(api, error, answer);
    else if (season->voided_us)
        api_refuse(answer, 404,
                   "season %s is void: the organizer withdrew it, and its games count "
                   "for nobody",
                   name);
    return error == 0 && !season->voided_us;
}

static void answer_season(struct api *api, const struct api_request *request,
                          const char *const *parts, struct api_answer *answer)
{
    struct report_season season;
    struct store_season terms;
    int error;

    if (!find_season(api, parts[0], &terms, answer))
        return;
    error = report_season_read(&season, api->store, &terms, true);
    if (error)
        refuse_by_store(api, error, answer);
    else
        give(answer, report_season_json(&season, READER_PUBLIC));
    report_season_finish(&season);
}

static void answer_ladder(struct api *api, const struct api_request *request,
                          const char *const *parts, struct api_answer *answer)
{
    struct store_season season;
    struct standings standings;
    int64_t players;
    int error;

    if (!read_number(request->query[API_PLAYERS], "players", 0, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX,
                     &players, answer) ||
        !find_season(api, parts[0], &season, answer))
        return;
    error = standings_load(&standings, api->store, &season, LADDER_FINAL);
    if (error) {
        refuse_by_store(api, error, answer);
        return;
    }
    /* The season has only this table size, so the ladder over all sizes is the same. */
    if (season.player_count_count == 1 && players == season.player_counts[0])
        players = 0;
    if (standings.ladders[players].entries || players == 0)
        give(answer, report_ladder_json(&(struct report_ladder){&standings, (int)players}));
    else
        api_refuse(answer, 404, "season %s has no tables of %d", season.name, (int)players);
    standings_finish(&standings);
}

struct listing {
    struct season season;
    const char *bot;
    int group, rotation; /* list games after this game; or, if `only` is set, only this game */
    bool only;
    int64_t limit;
    json_t *games;
};

static int list_game(void *context, const struct store_game *game)
{
    struct listing *listing = context;

    if (listing->only ? game->rotation != listing->rotation
                      : game->group == listing->group && game->rotation <= listing->rotation)
        return 0;
    if (!roster_has_players(&listing->season.roster, game))
        return 0;
    json_array_append_new(listing->games, report_game_json(&listing->season, game, READER_PUBLIC));
    return (int64_t)json_array_size(listing->games) >= listing->limit;
}

static bool list_games(struct api *api, const char *season, struct listing *listing,
                       struct api_answer *answer)
{
    int error = season_load_roster(&listing->season, api->store, season);

    if (!error) {
        listing->games = json_array();
        error = store_games_verify(api->store, listing->season.terms.id,
                                   listing->group < 0 ? 0 : listing->group,
                                   listing->only ? listing->group + 1 : STORE_ALL_GROUPS,
                                   listing->bot, list_game, listing);
        season_finish(&listing->season);
    }
    if (!error || error == -EINTR)
        return true;
    json_decref(listing->games);
    refuse_by_store(api, error, answer);
    return false;
}

static void answer_games(struct api *api, const struct api_request *request,
                         const char *const *parts, struct api_answer *answer)
{
    struct listing listing = {.bot = request->query[API_BOT], .group = -1, .rotation = -1};
    char season[STORE_NAME_BYTES_MAX + 1];

    if (!read_number(request->query[API_LIMIT], "limit", API_GAMES_MAX, 1, API_GAMES_MAX,
                     &listing.limit, answer))
        return;
    if (request->query[API_AFTER] && (!store_game_id_parse(request->query[API_AFTER], season,
                                                           &listing.group, &listing.rotation) ||
                                      strcmp(season, parts[0]) != 0)) {
        api_refuse(answer, 400, "the parameter after must be the id of a game of season %s",
                   parts[0]);
        return;
    }
    if (list_games(api, parts[0], &listing, answer))
        give(answer, json_pack("{s:o}", "games", listing.games));
}

static bool read_game_id(const char *id, char season[static STORE_NAME_BYTES_MAX + 1], int *group,
                         int *rotation, struct api_answer *answer)
{
    if (store_game_id_parse(id, season, group, rotation))
        return true;
    api_refuse(answer, 404, "there is no game %s", id);
    return false;
}

static void answer_game(struct api *api, const struct api_request *request,
                        const char *const *parts, struct api_answer *answer)
{
    struct listing listing = {.only = true, .limit = 1};
    char season[STORE_NAME_BYTES_MAX + 1];

    if (!read_game_id(parts[0], season, &listing.group, &listing.rotation, answer) ||
        !list_games(api, season, &listing, answer))
        return;
    if (json_array_size(listing.games) > 0)
        give(answer, json_incref(json_array_get(listing.games, 0)));
    else
        api_refuse(answer, 404, "there is no game %s", parts[0]);
    json_decref(listing.games);
}

/* A replay as strangers may have it: without standard error unless the season publishes it. */
struct shown_replay {
    struct store_season season;
    int group, rotation;
    struct replay replay;
    uint8_t *stored; /* what the store has, from which the replay borrows notes; owned */
    uint8_t *bytes;  /* the replay, packed; owned */
    size_t size;
};

static void finish_replay(struct shown_replay *shown)
{
    replay_finish(&shown->replay);
    free(shown->bytes);
    free(shown->stored);
}

/*
 * Reads the replay of a game, which the caller ends with finish_replay. Returns 0 or -errno; error
 * is a line if the replay is damaged (-EBADMSG).
 */
static int read_replay(struct api *api, struct shown_replay *shown,
                       char error[static REPLAY_ERROR_BYTES])
{
    size_t size;
    int result = store_replay_read(api->store, shown->season.id, shown->group, shown->rotation,
                                   &shown->stored, &size);

    if (result)
        return result;
    result = replay_unpack(&shown->replay, shown->stored, size, error) < 0 ? -EBADMSG : 0;
    if (result)
        return result;
    if (!shown->season.publishes_errors)
        replay_drop_errors(&shown->replay);
    shown->size = replay_pack(&shown->replay, &shown->bytes);
    if (shown->size > 0)
        return 0;
    replay_finish(&shown->replay);
    return -ENOMEM;
}

/* Finds the season of the game that the path names. Refuses the request if there is none. */
static bool find_game(struct api *api, const char *id, struct shown_replay *shown,
                      struct api_answer *answer)
{
    char name[STORE_NAME_BYTES_MAX + 1];

    return read_game_id(id, name, &shown->group, &shown->rotation, answer) &&
           find_season(api, name, &shown->season, answer);
}

/*
 * Refuses a question about a replay. words say what is wrong with the replay (-EBADMSG), or why its
 * page cannot be made; "": the store refused.
 */
static void refuse_replay(struct api *api, const char *id, int error, const char *words,
                          struct api_answer *answer)
{
    if (!*words) {
        refuse_by_store(api, error, answer);
        return;
    }
    api_refuse(answer, 500,
               error == -EBADMSG ? "the replay of game %s is damaged"
                                 : "the arena cannot make the page of game %s: tell the organizer",
               id);
    if (api->failed_fn)
        api->failed_fn(words);
}

/* Reads whether the answer is to be the lines of JSON. Refuses the request if it is neither. */
static bool read_as(const struct api_request *request, bool *as_json, struct api_answer *answer)
{
    const char *as = request->query[API_AS] ? request->query[API_AS] : "replay";

    *as_json = strcmp(as, "json") == 0;
    if (*as_json || strcmp(as, "replay") == 0)
        return true;
    api_refuse(answer, 400, "as must be replay or json");
    return false;
}

/* Answers with a replay, or its lines of JSON. Returns 0 or -EBADMSG with a line in error. */
static int give_replay(struct shown_replay *shown, bool as_json, struct api_answer *answer,
                       char error[static REPLAY_ERROR_BYTES])
{
    int result = 0;

    answer->status = 200;
    if (as_json) {
        FILE *lines = memory_stream(&answer->body, &answer->size);

        answer->type = "application/x-ndjson";
        result = replay_json_write(lines, &shown->replay, false, error) < 0 ? -EBADMSG : 0;
        memory_stream_end(lines);
    } else {
        answer->type = "application/octet-stream";
        answer->body = (char *)shown->bytes;
        answer->size = shown->size;
        shown->bytes = NULL;
    }
    return result;
}

static void answer_replay(struct api *api, const struct api_request *request,
                          const char *const *parts, struct api_answer *answer)
{
    char error[REPLAY_ERROR_BYTES] = "";
    struct shown_replay shown = {.size = 0};
    bool as_json;
    int result;

    if (!read_as(request, &as_json, answer) || !find_game(api, parts[0], &shown, answer))
        return;
    result = read_replay(api, &shown, error);
    if (result == 0)
        result = give_replay(&shown, as_json, answer, error);
    if (result)
        refuse_replay(api, parts[0], result, error, answer);
    finish_replay(&shown);
}

/* ---- what an analyst says about a game ---- */

/* Returns the analysis that the home folder has, a new reference; NULL: none. */
static json_t *read_analysis(const struct api *api, const char *id)
{
    char path[PATH_MAX];

    if (!api->analyses ||
        snprintf(path, sizeof path, "%s/%s.json", api->analyses, id) >= (int)sizeof path)
        return NULL;
    return json_load_file(path, 0, NULL);
}

/* True if the daemon says that analysis takes no processor from those who play. */
static bool may_analyse(const struct api *api)
{
    json_t *daemon = api->status_path ? json_load_file(api->status_path, 0, NULL) : NULL;
    const bool may = json_is_true(json_object_get(daemon, "analyses"));

    json_decref(daemon);
    return may;
}

/* Has a game analysed that nobody has analysed yet. */
static void analyse(struct api *api, const char *id, struct api_answer *answer)
{
    char words[ORDER_WORD_BYTES] = "";
    const bool in_browser = play_page_exists();
    enum order_analysis result;
    json_t *analysis;

    if (!may_analyse(api)) {
        api_refuse(answer, 503,
                   "game %s has no analysis yet, and the arena makes one while no rated game is "
                   "under way: try again later%s%s",
                   id,
                   in_browser ? ", or have your browser make one: Analyse this game at /game/" : "",
                   in_browser ? id : "");
        answer->retry_after_s = RETRY_S;
        return;
    }
    result = order_analyse(id, words);
    analysis = result == ANALYSIS_ENDED ? read_analysis(api, id) : NULL;
    if (analysis) {
        give(answer, analysis);
        return;
    }
    if (result == ANALYSIS_FAILED && api->failed_fn)
        api->failed_fn(words);
    api_refuse(answer, 503, "game %s %s: try again later", id,
               result == ANALYSIS_RUNS   ? "is being analysed"
               : result == ANALYSIS_BUSY ? "has no analysis yet, and another game is the first"
                                         : "could not be analysed");
    answer->retry_after_s =
        result == ANALYSIS_RUNS || result == ANALYSIS_BUSY ? ANALYST_S : RETRY_S;
}

static void answer_analysis(struct api *api, const struct api_request *request,
                            const char *const *parts, struct api_answer *answer)
{
    char error[REPLAY_ERROR_BYTES] = "";
    struct shown_replay shown = {.size = 0};
    json_t *analysis;
    int result;

    if (!find_game(api, parts[0], &shown, answer))
        return;
    result = read_replay(api, &shown, error);
    finish_replay(&shown);
    analysis = result == 0 ? read_analysis(api, parts[0]) : NULL;
    if (result)
        refuse_replay(api, parts[0], result, error, answer);
    else if (analysis)
        give(answer, analysis);
    else
        analyse(api, parts[0], answer);
}

/* ---- the page of a match, and cards ---- */

/*
 * Writes the page of a match, or its card, the other being NULL. Returns 0 or -errno after writing
 * one line to error, as viewer_write.
 */
static int write_match(FILE *page, FILE *card, const struct api *api, const char *id,
                       const char *up, const struct shown_replay *shown, const json_t *analysis,
                       char error[static REPLAY_ERROR_BYTES])
{
    const bool names_card = api->address && card_can_draw();
    char link[PATH_MAX];
    const char *bots[GAME_PLAYERS_MAX];
    struct parts_links links;
    const struct viewer_page viewer = {.pages = api->pages,
                                       .replay = &shown->replay,
                                       .bytes = shown->bytes,
                                       .size = shown->size,
                                       .path = links.saved,
                                       .analysis = analysis,
                                       .play_link = play_page_exists() ? "/" PLAY_PAGE_PATH : NULL,
                                       .rules_link = links.rules,
                                       .home_link = links.season,
                                       .bot_links = links.bots,
                                       .card_link = names_card ? link : NULL,
                                       .card = card};

    if (names_card)
        snprintf(link, sizeof link, "%s/game/%s.png", api->address, id);

    for (int seat = 0; seat < shown->replay.terms.player_count; seat++)
        bots[seat] = shown->replay.bots[seat].name;
    parts_match_links(&links, up, id, bots, shown->replay.terms.player_count);
    return viewer_write(page, &viewer, error);
}

/*
 * Answers with the page of a match whose page the site does not have, or has no more: a link to a
 * decision lasts as long as the replay.
 */
static void answer_match(struct api *api, const struct api_request *request,
                         const char *const *parts, struct api_answer *answer)
{
    char error[REPLAY_ERROR_BYTES] = "", up[STORE_NAME_BYTES_MAX + 4];
    struct shown_replay shown = {.size = 0};
    json_t *analysis;
    FILE *page;
    int result, status = 200;

    if (!find_game(api, parts[0], &shown, answer))
        return;
    result = read_replay(api, &shown, error);
    analysis = read_analysis(api, parts[0]);
    page = memory_stream(&answer->body, &answer->size);
    snprintf(up, sizeof up, "/%s/", shown.season.name);
    if (result == 0)
        result = write_match(page, NULL, api, parts[0], up, &shown, analysis, error);
    else if (result == -ENODATA) {
        status = 410;
        result = page_write(
            api->pages, page, "unshown",
            parts_unshown_json("/index.html", up, shown.season.name, parts[0], true), error);
    }
    memory_stream_end(page);
    json_decref(analysis);
    answer->status = status;
    answer->type = "text/html; charset=utf-8";
    if (result)
        refuse_replay(api, parts[0], result, error, answer);
    finish_replay(&shown);
}

/* Answers with a card, drawn as PNG. Frees the SVG. */
static void give_picture(char *svg, size_t size, struct api_answer *answer)
{
    const int error = card_draw(svg, size, &answer->body, &answer->size);

    free(svg);
    if (error == -ENOENT) {
        api_refuse(answer, 404, "this arena draws no pictures: librsvg2-2 is not installed");
    } else if (error) {
        api_refuse(answer, 500, "the picture cannot be drawn");
    } else {
        answer->status = 200;
        answer->type = "image/png";
    }
}

/* Answers with a card. Takes over the reference to what it shows. */
static void give_card(struct api *api, json_t *card, struct api_answer *answer)
{
    char error[TEMPLATE_ERROR_BYTES];
    size_t size;
    char *svg = card_write(api->pages, card, &size, error);

    if (svg) {
        give_picture(svg, size, answer);
        return;
    }
    api_refuse(answer, 500, "the arena cannot make this picture: tell the organizer");
    if (api->failed_fn)
        api->failed_fn(error);
}

static void answer_match_card(struct api *api, const struct api_request *request,
                              const char *const *parts, struct api_answer *answer)
{
    char error[REPLAY_ERROR_BYTES] = "", *svg = NULL;
    struct shown_replay shown = {.size = 0};
    size_t size;
    FILE *card;
    int result;

    if (!find_game(api, parts[0], &shown, answer))
        return;
    result = read_replay(api, &shown, error);
    card = memory_stream(&svg, &size);
    if (result == 0)
        result = write_match(NULL, card, api, parts[0], "", &shown, NULL, error);
    memory_stream_end(card);
    if (result == 0) {
        give_picture(svg, size, answer);
    } else {
        free(svg);
        refuse_replay(api, parts[0], result, error, answer);
    }
    finish_replay(&shown);
}

/* Answers with the card of a season, or of its bot unless that is NULL; if is_home, of home. */
static void answer_standings_card(struct api *api, const struct store_season *season,
                                  const char *bot, bool is_home, struct api_answer *answer)
{
    struct standings standings;
    json_t *card;
    const int error = standings_load(&standings, api->store, season, LADDER_FINAL);

    if (error) {
        refuse_by_store(api, error, answer);
        return;
    }
    card = bot       ? card_of_bot(&standings, bot)
           : is_home ? card_of_home(&standings)
                     : card_of_season(&standings);
    if (card)
        give_card(api, card, answer);
    else
        api_refuse(answer, 404, "season %s has no bot %s", season->name, bot);
    standings_finish(&standings);
}

/* Returns the first entry of a bot's name; -1 if the season has no bot of that name. */
static int find_name(const struct season_data *data, const char *bot)
{
    for (int entry = 0; entry < data->standings.roster.count; entry++)
        if (strcmp(data_bot(data, entry)->name, bot) == 0)
            return entry;
    return -1;
}

static void answer_day(struct api *api, const struct api_request *request, const char *const *parts,
                       struct api_answer *answer)
{
    struct store_season season;
    struct season_data data;
    json_t *day;
    int error, name;

    if (!find_season(api, parts[0], &season, answer))
        return;
    error = season_data_load(&data, api->store, &season);
    season_data_mark_analysed(&data, api->analyses);
    if (!error)
        error = season_index_make(&data);
    name = error ? -1 : find_name(&data, parts[1]);
    if (error) {
        refuse_by_store(api, error, answer);
    } else if (name < 0) {
        api_refuse(answer, 404, "season %s has no bot %s", season.name, parts[1]);
    } else {
        day = bot_day_told(&data, name);
        give(answer, columns_row_json(&day_columns, day, NULL, READER_PUBLIC));
        json_decref(day);
    }
    season_data_finish(&data);
}

static void answer_home_card(struct api *api, const struct api_request *request,
                             const char *const *parts, struct api_answer *answer)
{
    struct store_season season;
    const int error = publish_find_shown(api->store, &season);

    if (error && error != -ENOENT)
        refuse_by_store(api, error, answer);
    else if (!error)
        answer_standings_card(api, &season, NULL, true, answer);
    else
        give_card(api, card_of_home(NULL), answer);
}

static void answer_card(struct api *api, const struct api_request *request,
                        const char *const *parts, struct api_answer *answer)
{
    struct store_season season;

    if (find_season(api, parts[0], &season, answer))
        answer_standings_card(api, &season, parts[1], false, answer);
}

/* ---- an author's bots and submissions ---- */

struct queue_place {
    int64_t id;
    int place,
        count; /* the submission's place in the queue, from 1; 0: the submission does not wait */
};

static int find_place(void *context, const struct store_submission *submission)
{
    struct queue_place *place = context;

    place->count += submission->state == STORE_RECEIVED;
    if (submission->id == place->id && submission->state == STORE_RECEIVED)
        place->place = place->count;
    return 0;
}

static int copy_submission(void *context, const struct store_submission *submission)
{
    struct store_submission *copy = context;

    *copy = *submission;
    copy->report = NULL;
    return 0;
}

struct shown_submission {
    const struct caller *caller;
    const struct queue_place *place;
    int64_t estimate_s;
    json_t *entrances;
    json_t *json;
};

static int show_submission(void *context, const struct store_submission *submission)
{
    struct shown_submission *shown = context;
    const bool waits = submission->state == STORE_RECEIVED;

    shown->json = report_submission_json(
        submission, waits ? shown->place->place : 0, waits ? shown->estimate_s : 0,
        shown->entrances,
        may_manage(shown->caller, submission->author) ? READER_AUTHOR : READER_PUBLIC);
    return 0;
}

/* Finds the place of a submission that waits, and about how long it takes to end; 0: unknown. */
static int find_turn(struct api *api, const struct store_submission *submission,
                     struct queue_place *place, int64_t *estimate_s)
{
    int64_t mean_us = 0;
    int error = 0;

    if (submission->state == STORE_RECEIVED)
        error = store_submissions_open_each(api->store, find_place, place)
                    ?: store_submissions_pace(api->store, clock_time_us(), &mean_us);
    if (place->place && mean_us)
        *estimate_s = (place->place * mean_us / ADMITS_AT_ONCE + mean_us) / 1000000 + 1;
    return error;
}

static void answer_submission(struct api *api, const struct api_request *request,
                              const char *const *parts, struct api_answer *answer)
{
    struct caller caller;
    struct queue_place place = {0};
    struct shown_submission shown = {.caller = &caller, .place = &place};
    struct store_submission submission;
    int64_t wait_s;
    int error;

    if (!find_caller(api, request, &caller, answer) ||
        !read_number(request->query[API_WAIT], "wait", 0, 1, API_WAIT_S_MAX, &wait_s, answer))
        return;
    if (!read_number(parts[0], "a submission's number", 0, 1, INT64_MAX, &place.id, answer)) {
        api_refuse(answer, 404, "there is no submission %s", parts[0]);
        return;
    }
    /* Reads the submission again at the end: meanwhile the daemon may have taken it. */
    error = store_submission_find(api->store, place.id, copy_submission, &submission)
                ?: find_turn(api, &submission, &place, &shown.estimate_s);
    if (!error && may_manage(&caller, submission.author))
        error = report_entrances_read(api->store, submission.bot_id, &shown.entrances);
    error = error ?: store_submission_find(api->store, place.id, show_submission, &shown);
    if (error)
        refuse_by_store(api, error, answer);
    else
        give(answer, shown.json);
    json_decref(shown.entrances);
}

static void answer_cancel(struct api *api, const struct api_request *request,
                          const char *const *parts, struct api_answer *answer)
{
    struct store_submission submission;
    struct caller caller;
    int64_t id = 0;
    int error = -ENOENT;

    if (!find_caller(api, request, &caller, answer))
        return;
    if (read_number(parts[0], "a submission's number", 0, 1, INT64_MAX, &id, answer))
        error = store_submission_find(api->store, id, copy_submission, &submission);
    if (error == -ENOENT || (!error && !may_manage(&caller, submission.author))) {
        api_refuse(answer, 404, "%s has no submission %s", caller.author.name, parts[0]);
        return;
    }
    if (!error)
        error = store_submission_cancel(api->store, id, caller.scope != STORE_SCOPE_ORGANIZER,
                                        clock_time_us());
    if (error)
        refuse_by_store(api, error, answer);
    else
        answer_submission(api, request, parts, answer);
}

static int list_submission(void *context, const struct store_submission *submission)
{
    json_t *json = report_submission_json(submission, 0, 0, NULL, READER_AUTHOR);

    /* A list has the reasons without the reports, which may be long. */
    json_object_set_new(json, "report", json_null());
    json_object_set_new(json, "build_output", json_null());
    json_object_set_new(json, "stderr", json_null());
    return json_array_append_new(context, json);
}

/* Reads what an author may still ask for, as a new reference. Returns 0 or an error of the store.
 */
static int read_quotas(struct api *api, const char *author, json_t **quotas)
{
    struct store_quota all[STORE_QUOTAS] = {
        {STORE_QUOTA_PACKAGES, api->bounds.packages_a_day},
        {STORE_QUOTA_UPLOADS, UPLOADS_A_PACKAGE * api->bounds.packages_a_day},
        {STORE_QUOTA_GAMES, api->bounds.challenge_games},
    };
    int error = 0;

    *quotas = json_array();
    for (int i = 0; i < STORE_QUOTAS && !error; i++) {
        error = store_quota_read(api->store, author, clock_time_us(), 0, &all[i]);
        json_array_append_new(*quotas,
                              columns_row_json(&quota_columns, &all[i], NULL, READER_AUTHOR));
    }
    return error;
}

struct bot_listing {
    const char *author;
    json_t *bots;
};

static int list_bot(void *context, const struct store_bot *bot)
{
    struct bot_listing *listing = context;

    if (bot->newest && strcmp(bot->author, listing->author) == 0)
        json_array_append_new(listing->bots,
                              columns_row_json(&bot_columns, bot, NULL, READER_AUTHOR));
    return 0;
}

static int list_forfeit(void *context, const struct store_forfeit *forfeit)
{
    return json_array_append_new(
        context, columns_row_json(&forfeited_columns, forfeit, NULL, READER_AUTHOR));
}

/* Names the seasons that the organizer withdrew, so that their authors know where they are. */
static int list_void(void *context, const struct store_season *season)
{
    if (season->voided_us)
        json_array_append_new(context, json_string(season->name));
    return 0;
}

static void answer_me(struct api *api, const struct api_request *request, const char *const *parts,
                      struct api_answer *answer)
{
    json_t *bots = json_array(), *submissions = json_array(), *forfeits = json_array();
    struct caller caller;
    struct bot_listing listing = {caller.author.name, bots};
    json_t *voided = json_array(), *quotas = NULL;
    int error;

    if (find_caller(api, request, &caller, answer)) {
        error = store_bots_each(api->store, list_bot, &listing);
        if (!error)
            error = store_submissions_of(api->store, caller.author.name, API_LISTED_MAX,
                                         list_submission, submissions);
        if (!error)
            error = store_forfeits_of(api->store, caller.author.name, API_FORFEITS_MAX,
                                      list_forfeit, forfeits);
        if (!error)
            error = store_seasons_each(api->store, list_void, voided);
        if (!error)
            error = read_quotas(api, caller.author.name, &quotas);
        if (error)
            refuse_by_store(api, error, answer);
        else
            give(answer, json_pack("{s:s, s:O, s:O, s:O, s:O, s:O, s:b}", "author",
                                   caller.author.name, "bots", bots, "submissions", submissions,
                                   "forfeits", forfeits, "void_seasons", voided, "quotas", quotas,
                                   "challenged", (int)caller.author.is_challenged));
    }
    json_decref(quotas);
    json_decref(voided);
    json_decref(bots);
    json_decref(submissions);
    json_decref(forfeits);
}

static void answer_retire(struct api *api, const struct api_request *request,
                          const char *const *parts, struct api_answer *answer)
{
    struct caller caller;
    struct store_bot bot;
    int error;

    if (!find_caller(api, request, &caller, answer))
        return;
    error = store_bot_find(api->store, parts[0], NULL, &bot);
    if (error == -ENOENT || (!error && !may_manage(&caller, bot.author))) {
        api_refuse(answer, 404, "%s has no bot %s", caller.author.name, parts[0]);
        return;
    }
    if (!error)
        error = store_bot_retire(api->store, parts[0], clock_time_us())
                    ?: store_bot_find(api->store, parts[0], NULL, &bot);
    if (error)
        refuse_by_store(api, error, answer);
    else
        give(answer, columns_row_json(&bot_columns, &bot, NULL, READER_AUTHOR));
}

/* ---- challenges ---- */

/* An upload's answer, or a new challenge's, says what the author may still ask for. */
static void add_quotas(struct api *api, const char *author, json_t *json)
{
    json_t *quotas = NULL;

    if (read_quotas(api, author, &quotas) == 0)
        json_object_set(json, "quotas", quotas);
    json_decref(quotas);
}

static void answer_challenge(struct api *api, const struct api_request *request,
                             const char *const *parts, struct api_answer *answer)
{
    struct store_challenge challenge = {.created_us = clock_time_us()};
    struct caller caller;
    json_t *json;
    int64_t wanted;
    int error;

    if (!find_caller(api, request, &caller, answer) ||
        !read_number(request->query[API_GAMES], "games", 4, 1, STORE_CHALLENGE_GAMES_MAX, &wanted,
                     answer))
        return;
    if (!request->query[API_BOT] || !request->query[API_OPPONENT] ||
        !store_name_is_valid(request->query[API_BOT]) ||
        !store_name_is_valid(request->query[API_OPPONENT])) {
        api_refuse(answer, 400, "bot and opponent must name two bots");
        return;
    }
    strcpy(challenge.name, request->query[API_BOT]);
    strcpy(challenge.opponent, request->query[API_OPPONENT]);
    challenge.wanted_count = (int)wanted;
    challenge.by_organizer = caller.scope == STORE_SCOPE_ORGANIZER;
    error = store_challenge_add(api->store, challenge.by_organizer ? NULL : &caller.author,
                                api->bounds.challenge_games, &challenge);
    if (error) {
        refuse_by_store(api, error, answer);
        return;
    }
    json = report_challenge_json(&challenge, NULL);
    if (!challenge.by_organizer)
        add_quotas(api, caller.author.name, json);
    give(answer, json);
}

static int list_challenge(void *context, const struct store_challenge *challenge)
{
    return json_array_append_new(context, report_challenge_json(challenge, NULL));
}

static void answer_challenges(struct api *api, const struct api_request *request,
                              const char *const *parts, struct api_answer *answer)
{
    json_t *list = json_array();
    struct caller caller;
    int error;

    if (find_caller(api, request, &caller, answer)) {
        error = store_challenges_each(
            api->store, caller.scope == STORE_SCOPE_ORGANIZER ? NULL : caller.author.name,
            list_challenge, list);
        if (error)
            refuse_by_store(api, error, answer);
        else
            give(answer, json_pack("{s:O}", "challenges", list));
    }
    json_decref(list);
}

/* Finds the challenge whose number is in the path, if the caller may see it. */
static bool find_challenge(struct api *api, const struct api_request *request, const char *part,
                           struct store_challenge *challenge, struct api_answer *answer)
{
    struct caller caller;
    int64_t id;
    int error = -ENOENT;

    if (!find_caller(api, request, &caller, answer))
        return false;
    if (read_number(part, "a challenge's number", 0, 1, INT64_MAX, &id, answer))
        error = store_challenge_find(api->store, id, challenge);
    if (error && error != -ENOENT)
        refuse_by_store(api, error, answer);
    else if (error || !may_manage(&caller, challenge->author))
        api_refuse(answer, 404, "%s has no challenge %s", caller.author.name, part);
    else
        return true;
    return false;
}

static void answer_challenge_read(struct api *api, const struct api_request *request,
                                  const char *const *parts, struct api_answer *answer)
{
    struct store_challenge challenge;
    json_t *bouts = NULL;
    int64_t wait_s;
    int error;

    if (!read_number(request->query[API_WAIT], "wait", 0, 1, API_WAIT_S_MAX, &wait_s, answer) ||
        !find_challenge(api, request, parts[0], &challenge, answer))
        return;
    error = report_bouts_read(api->store, &challenge, &bouts);
    if (error)
        refuse_by_store(api, error, answer);
    else
        give(answer, report_challenge_json(&challenge, bouts));
    json_decref(bouts);
}

/*
 * Reads the game that the path names, as it is stored: without the standard error of bots of other
 * authors. The caller ends it with finish_replay. Returns as read_replay; -ENOENT: no such game.
 */
static int read_bout(struct api *api, const char *const *parts, struct shown_replay *shown,
                     struct api_answer *answer, char error[static REPLAY_ERROR_BYTES])
{
    int64_t id, number;
    int result = -ENOENT;

    if (read_number(parts[0], "a challenge's number", 0, 1, INT64_MAX, &id, answer) &&
        read_number(parts[1], "a game's number", 0, 0, STORE_CHALLENGE_GAMES_MAX, &number, answer))
        result = store_bout_read(api->store, id, number, &shown->bytes, &shown->size);
    if (!result && replay_unpack(&shown->replay, shown->bytes, shown->size, error) < 0)
        result = -EBADMSG;
    return result;
}

static void refuse_bout(struct api *api, const char *const *parts, int error, const char *words,
                        struct api_answer *answer)
{
    char id[2 * API_PATH_BYTES_MAX];

    snprintf(id, sizeof id, "challenge-%s-%s", parts[0], parts[1]);
    refuse_replay(api, id, error, words, answer);
}

static void answer_bout_replay(struct api *api, const struct api_request *request,
                               const char *const *parts, struct api_answer *answer)
{
    char error[REPLAY_ERROR_BYTES] = "";
    struct shown_replay shown = {.size = 0};
    struct store_challenge challenge;
    bool as_json;
    int result;

    if (!read_as(request, &as_json, answer) ||
        !find_challenge(api, request, parts[0], &challenge, answer))
        return;
    result = read_bout(api, parts, &shown, answer, error);
    if (result == 0)
        result = give_replay(&shown, as_json, answer, error);
    if (result == -ENOENT)
        api_refuse(answer, 404, "challenge %lld has no game %s", (long long)challenge.id, parts[1]);
    else if (result)
        refuse_bout(api, parts, result, error, answer);
    finish_replay(&shown);
}

/* Writes the page of a challenge's game. Returns as viewer_write. */
static int write_bout(FILE *page, const struct api *api, const struct shown_replay *shown,
                      char error[static REPLAY_ERROR_BYTES])
{
    char saved[sizeof shown->replay.terms.id + sizeof ".replay"];
    const struct viewer_page viewer = {.pages = api->pages,
                                       .replay = &shown->replay,
                                       .bytes = shown->bytes,
                                       .size = shown->size,
                                       .path = saved,
                                       .play_link = play_page_exists() ? "/" PLAY_PAGE_PATH : NULL,
                                       .rules_link = "/docs/learn.html",
                                       .home_link = "/index.html",
                                       .is_unlisted = true};

    snprintf(saved, sizeof saved, "%s.replay", shown->replay.terms.id);
    return viewer_write(page, &viewer, error);
}

/*
 * Answers with the page of a challenge's game. A browser sends no token: whoever knows the address,
 * which the challenge's author and the organizer are told, sees the page.
 */
static void answer_bout(struct api *api, const struct api_request *request,
                        const char *const *parts, struct api_answer *answer)
{
    char error[REPLAY_ERROR_BYTES] = "", key[REPORT_BOUT_KEY_CHARS + 1] = "";
    struct shown_replay shown = {.size = 0};
    int result = read_bout(api, parts, &shown, answer, error);
    FILE *page;

    if (shown.bytes)
        report_bout_key(shown.bytes, shown.size, key);
    if (result == -ENOENT || strlen(parts[2]) != REPORT_BOUT_KEY_CHARS ||
        (*key && !memeql_sec(key, parts[2], REPORT_BOUT_KEY_CHARS))) {
        api_refuse(answer, 404, "no game of a challenge has this address: the challenge names it");
        finish_replay(&shown);
        return;
    }
    page = memory_stream(&answer->body, &answer->size);
    if (result == 0)
        result = write_bout(page, api, &shown, error);
    memory_stream_end(page);
    answer->status = 200;
    answer->type = "text/html; charset=utf-8";
    if (result)
        refuse_bout(api, parts, result, error, answer);
    finish_replay(&shown);
}

static void answer_allow(struct api *api, const struct api_request *request,
                         const char *const *parts, struct api_answer *answer)
{
    const char *allow = request->query[API_CHALLENGES] ? request->query[API_CHALLENGES] : "";
    struct caller caller;
    int error;

    if (!find_caller(api, request, &caller, answer))
        return;
    if (strcmp(allow, "yes") != 0 && strcmp(allow, "no") != 0) {
        api_refuse(answer, 400, "challenges must be yes or no");
        return;
    }
    error = store_author_allow(api->store, caller.author.id, strcmp(allow, "yes") == 0);
    if (error)
        refuse_by_store(api, error, answer);
    else
        answer_me(api, request, parts, answer);
}

/* ---- uploads ---- */

/*
 * Reads an uploaded package into memory, because the web process could change the file during the
 * checks. Returns NULL if the package has more than `most` bytes or cannot be read.
 */
static uint8_t *read_upload(int fd, int64_t most, size_t *size)
{
    uint8_t *bytes;

    if (fd < 0 || file_read_open(fd, (size_t)most, &bytes, size) < 0)
        return NULL;
    return bytes;
}

/* Answers that the arena could not take an upload, for example because its disk is full. */
static void fail_upload(struct api *api, const char *words, struct api_answer *answer)
{
    if (api->failed_fn)
        api->failed_fn(words);
    api_refuse(answer, 503, "the arena has no room for uploads: try again later");
    answer->retry_after_s = RETRY_S;
}

static void refuse_until(const char *words, int64_t retry_us, struct api_answer *answer)
{
    json_t *until = json_time_or_null(retry_us + 999999);

    api_refuse(answer, 429, "%s until %s", words, json_string_value(until));
    json_decref(until);
    answer->retry_after_s = (int)((retry_us - clock_time_us()) / 1000000 + 1);
}

static void refuse_offer(struct api *api, const struct queue_offer *offer, int result,
                         const char *words, struct api_answer *answer)
{
    if (offer->error == -EDQUOT) {
        refuse_until(words, offer->retry_us, answer);
    } else if (offer->error == -EKEYREVOKED) {
        api_refuse(answer, 401, "%s", words);
    } else if (offer->error == -EEXIST || offer->error == -EPERM) {
        api_refuse(answer, 409, "%s", words);
    } else if (result == PACKAGE_REFUSED) {
        api_refuse(answer, 422, "%s", words);
    } else {
        fail_upload(api, words, answer);
    }
}

static void take_upload(struct api *api, const char *folder, struct store_submission *submission,
                        struct queue_offer *offer, struct api_answer *answer)
{
    char error[SOURCE_ERROR_BYTES];
    int result = queue_submission(api->store, folder, offer, submission, error);
    json_t *json;
    const size_t prefix = strlen(folder);

    if (result < 0) {
        const bool has_path = strncmp(error, folder, prefix) == 0;
        char words[DETAIL_BYTES];

        snprintf(words, sizeof words, "%s%s", has_path ? offer->name : "",
                 error + (has_path ? prefix : 0));
        refuse_offer(api, offer, result, words, answer);
        return;
    }
    submission->report = NULL;
    json = report_submission_json(submission, 0, 0, NULL, READER_AUTHOR);
    add_quotas(api, submission->author, json);
    give_json(answer, offer->existed ? 200 : 201, "application/json", json);
}

static int is_named(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/*
 * Returns the bot's folder in an unpacked archive, which the caller frees: the archive's only
 * folder if nothing is beside it, as in archives of a whole folder; else the top of the archive.
 * Returns NULL if the arena cannot list it.
 */
static char *find_folder(const char *unpacked)
{
    struct dirent **entries = NULL;
    int count = scandir(unpacked, &entries, is_named, NULL);
    struct stat status;
    char *folder = NULL;

    if (count >= 0 &&
        asprintf(&folder, "%s/%s", unpacked, count == 1 ? entries[0]->d_name : "") < 0)
        folder = NULL;
    if (folder && (count != 1 || lstat(folder, &status) < 0 || !S_ISDIR(status.st_mode)))
        folder[strlen(unpacked)] = '\0';
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return folder;
}

static void unpack_upload(struct api *api, const uint8_t *bytes, size_t size,
                          struct store_submission *submission, struct queue_offer *offer,
                          struct api_answer *answer)
{
    const struct archive_bounds bounds = {PACKAGE_FILES_MAX, api->is_over_fn, api->owner};
    char error[ARCHIVE_ERROR_BYTES], *unpacked = NULL, *folder = NULL;
    int result = ARCHIVE_UNWRITTEN;

    strcpy(error, "the arena cannot make a folder for an upload");
    /* A bot without "name" in its bot.json has the name of its folder: the one it was sent as. */
    if (api->room && asprintf(&unpacked, "%s/%s", api->room, offer->name) < 0)
        unpacked = NULL;
    if (unpacked && mkdir(api->room, 0700) == 0)
        result = archive_unpack(bytes, size, unpacked, &bounds, error);
    if (result == 0 && !(folder = find_folder(unpacked))) {
        strcpy(error, "the arena cannot read the folder of an upload");
        result = ARCHIVE_UNWRITTEN;
    }
    if (result == 0)
        take_upload(api, folder, submission, offer, answer);
    else if (result == ARCHIVE_UNWRITTEN)
        fail_upload(api, error, answer);
    else if (result == ARCHIVE_STOPPED)
        api_refuse(answer, 503, "the upload takes too long: try again later");
    else
        api_refuse(answer, 422, "the archive cannot be unpacked");
    free(unpacked);
    free(folder);
}

/*
 * Answers the head of a command: says whether the client may send the body, and that an organizer's
 * commands run one after the other. Answers the body with the command's outcome.
 */
static void answer_command(struct api *api, const struct api_request *request,
                           const char *const *parts, struct api_answer *answer)
{
    const struct order_place place = {api->room, api->is_over_fn, api->owner};
    struct caller caller;
    json_t *outcome;
    const char *words;
    int status;

    if (!find_caller(api, request, &caller, answer))
        return;
    if (caller.scope != STORE_SCOPE_ORGANIZER)
        api_refuse(answer, 403,
                   "only an organizer's token may run commands: the organizer makes one with "
                   "--scope organizer");
    else if (request->is_head)
        give(answer, json_pack("{s:I}", "author", (json_int_t)caller.author.id));
    else if ((outcome = order_answer(&place, request->upload_fd, caller.who, &status, &words)))
        give(answer, outcome);
    else
        api_refuse(answer, status, "%s", words);
}

/*
 * Answers the head of an upload: counts the upload, whatever comes of it, and says whether the
 * client may send the body, and whose turn the upload takes.
 */
static void answer_head(struct api *api, const struct caller *caller, struct api_answer *answer)
{
    int64_t retry_us;
    int error = store_author_upload(api->store, caller->author.id, clock_time_us(),
                                    UPLOADS_A_PACKAGE * api->bounds.packages_a_day, &retry_us);

    if (error == -EDQUOT)
        refuse_until(store_failure(api->store), retry_us, answer);
    else if (error)
        refuse_by_store(api, error, answer);
    else
        give(answer, json_pack("{s:I}", "author", (json_int_t)caller->author.id));
}

static void answer_upload(struct api *api, const struct api_request *request,
                          const char *const *parts, struct api_answer *answer)
{
    struct caller caller;
    struct queue_offer offer = {.author = caller.author.name,
                                .name = parts[0],
                                .packages_a_day = api->bounds.packages_a_day};
    struct store_submission submission = {.received_us = clock_time_us() -
                                                         (clock_now_us() - request->asked_us)};
    uint8_t *bytes;
    int64_t check, reference;
    size_t size;

    if (!find_caller(api, request, &caller, answer) ||
        !read_number(request->query[API_CHECK], "check", 0, 1, 1, &check, answer) ||
        !read_number(request->query[API_REFERENCE], "reference", 0, 1, 1, &reference, answer))
        return;
    offer.author_id = caller.author.id;
    offer.is_check = check == 1;
    submission.reference = reference == 1;
    if (submission.reference && caller.scope != STORE_SCOPE_ORGANIZER) {
        api_refuse(
            answer, 403,
            "only an organizer may submit a reference bot, and a bundled bot is one unless you add "
            "--ranked: then it is one of yours (by the API: leave out reference=1)");
        return;
    }
    if (!store_name_is_valid(parts[0])) {
        api_refuse(answer, 422, "a bot's name is " STORE_NAME_RULE);
        return;
    }
    if (request->is_head) {
        answer_head(api, &caller, answer);
        return;
    }
    bytes = read_upload(request->upload_fd, api->bounds.package_bytes, &size);
    if (bytes)
        unpack_upload(api, bytes, size, &submission, &offer, answer);
    else
        api_refuse(answer, 413, "a package may have %lld bytes",
                   (long long)api->bounds.package_bytes);
    free(bytes);
}

/* ---- routes ---- */

const struct api_route api_routes[] = {
    {"GET", "status", 0, answer_status, "state of the arena", "status"},
    {"GET", "seasons", 0, answer_seasons, "all seasons", "season", .list = "seasons"},
    {"GET", "seasons/{season}", 0, answer_season, "a season", "season", .refusals = "404"},
    {"GET", "seasons/{season}/ladder", API_IS_HEAVY, answer_ladder, "the ladder of a season",
     "ladder", .query = "players=2..4", .refusals = "404"},
    {"GET", "seasons/{season}/games", API_IS_HEAVY, answer_games,
     "games in the schedule's order, at most 100", "game", .list = "games",
     .query = "bot after limit=1..100", .refusals = "404"},
    {"GET", "seasons/{season}/bots/{bot}/day", API_IS_HEAVY, answer_day,
     "since yesterday: a bot's place, Elo, results, lost games and costliest decision", "day",
     .refusals = "404"},
    {"GET", "games/{match}", API_IS_HEAVY, answer_game, "a game", "game", .refusals = "404"},
    {"GET", "games/{match}/replay", API_IS_HEAVY, answer_replay,
     "the replay of a game, for arena replay FILE; with as=json, as its lines of JSON", NULL,
     .media = "application/octet-stream application/x-ndjson", .query = "as",
     .refusals = "404 410"},
    {"GET", "games/{match}/analysis", API_IS_HEAVY, answer_analysis,
     "what each decision of a game cost by a strong bot's estimate; made now if it is not known",
     "analysis", .refusals = "404 410"},
    {"GET", "games/{match}/page", API_IS_HEAVY, answer_match,
     "the page that shows a game, whose short address is /game/{match}", NULL, .media = "text/html",
     .media_refusals = "410", .refusals = "404"},
    {"GET", "games/{match}/picture", API_IS_HEAVY, answer_match_card,
     "a picture of the end of a game for links to it", NULL, .media = "image/png",
     .refusals = "404 410", .shorter = "/game/{match}.png"},
    {"GET", "picture", API_IS_HEAVY, answer_home_card, "a picture for links to the home page", NULL,
     .media = "image/png", .refusals = "404", .shorter = "/picture.png"},
    {"GET", "seasons/{season}/picture", API_IS_HEAVY, answer_card,
     "a picture for links to a season", NULL, .media = "image/png", .refusals = "404",
     .shorter = "/{season}/picture.png"},
    {"GET", "seasons/{season}/bots/{bot}/picture", API_IS_HEAVY, answer_card,
     "a picture for links to a bot", NULL, .media = "image/png", .refusals = "404",
     .shorter = "/{season}/bot/{bot}.png"},
    {"POST", "bots/{bot}", API_NEEDS_TOKEN | API_IS_UPLOAD, answer_upload,
     "submits a bot: its folder as tar, tar.gz or zip; with check=1, has it built and checked, and "
     "admits nothing; with reference=1, an organizer submits a bot that holds no rank",
     "submission", .query = "check=1..1 reference=1..1", .refusals = "401 403 409 413 422"},
    {"POST", "bots/{bot}/retire", API_NEEDS_TOKEN, answer_retire, "retires a bot", "bot",
     .refusals = "401 403 404 409"},
    {"POST", "commands", API_NEEDS_TOKEN | API_IS_ORDER, answer_command,
     "runs a command of an organizer", "outcome", .body = "order", .refusals = "401 403 413 422"},
    {"GET", "submissions/{submission}", API_NEEDS_TOKEN | API_MAY_WAIT, answer_submission,
     "a submission; of another author, the number and the state alone; with wait, once its state "
     "changes, or after that many seconds",
     "submission", .query = "wait=1..60", .refusals = "401 404"},
    {"DELETE", "submissions/{submission}", API_NEEDS_TOKEN, answer_cancel, "cancels a submission",
     "submission", .refusals = "401 403 404 409"},
    {"GET", "me", API_NEEDS_TOKEN | API_IS_HEAVY, answer_me,
     "an author's bots, newest submissions and newest forfeits, and what is left of the quotas",
     "me", .refusals = "401"},
    {"POST", "me", API_NEEDS_TOKEN | API_IS_HEAVY, answer_allow,
     "sets whether authors who allow it too may challenge the author's bots: challenges=yes or no",
     "me", .query = "challenges", .refusals = "401 403"},
    {"GET", "challenges", API_NEEDS_TOKEN, answer_challenges,
     "the newest challenges of an author, at most 100; an organizer's token: of all authors",
     "challenge", .list = "challenges", .refusals = "401"},
    {"POST", "challenges", API_NEEDS_TOKEN, answer_challenge,
     "asks for unrated games of a bot of the author against another bot", "challenge",
     .query = "bot opponent games=1..20", .refusals = "401 403 404 409"},
    {"GET", "challenges/{challenge}", API_NEEDS_TOKEN | API_MAY_WAIT, answer_challenge_read,
     "a challenge, to its author; with wait, once its state changes, or after that many seconds",
     "challenge", .query = "wait=1..60", .refusals = "401 404"},
    {"GET", "challenges/{challenge}/games/{number}/replay", API_NEEDS_TOKEN | API_IS_HEAVY,
     answer_bout_replay,
     "the replay of a game of a challenge, to its author; with as=json, as its lines of JSON", NULL,
     .media = "application/octet-stream application/x-ndjson", .query = "as",
     .refusals = "401 404"},
    {"GET", "challenges/{challenge}/games/{number}/page/{key}", API_IS_HEAVY, answer_bout,
     "the page that shows a game of a challenge, to whoever knows this address", NULL,
     .media = "text/html", .refusals = "404", .shorter = "/challenge/{challenge}/{number}/{key}"},
};

const int api_route_count = sizeof api_routes / sizeof *api_routes;

/* Compares a path with a pattern. Copies the parts in braces, if parts is not NULL. */
static bool path_fits(const char *path, const char *pattern, char *copy, const char **parts)
{
    int count = 0;

    for (; *pattern; pattern++) {
        size_t size = strcspn(path, "/");

        if (*pattern != '{') {
            if (*path++ != *pattern)
                return false;
            continue;
        }
        if (size == 0)
            return false;
        if (parts) {
            parts[count++] = copy;
            memcpy(copy, path, size);
            copy[size] = '\0';
            copy += size + 1;
        }
        path += size;
        pattern = strchr(pattern, '}');
    }
    return !*path;
}

const struct api_route *api_route_find(const char *method, const char *path,
                                       char allowed[static API_METHODS_BYTES])
{
    static const char prefix[] = "/api/v1/";
    size_t size = 0;

    *allowed = '\0';
    if (strncmp(path, prefix, strlen(prefix)) != 0 || strlen(path) > API_PATH_BYTES_MAX)
        return NULL;
    for (const struct api_route *route = api_routes; route < api_routes + api_route_count;
         route++) {
        if (!path_fits(path + strlen(prefix), route->path, NULL, NULL))
            continue;
        if (strcmp(route->method, method) == 0)
            return route;
        size += (size_t)snprintf(allowed + size, API_METHODS_BYTES - size, "%s%s", size ? ", " : "",
                                 strcmp(route->method, "GET") == 0 ? "GET, HEAD" : route->method);
        assert(size < API_METHODS_BYTES);
    }
    return NULL;
}

/* Copies a path that fits a pattern into another, which has the same parts. */
static bool copy_parts(const char *path, const char *pattern, const char *form, char *copy,
                       size_t capacity)
{
    size_t size = (size_t)snprintf(copy, capacity, "/api/v1/");

    while (*pattern) {
        const size_t plain = strcspn(pattern, "{"), before = strcspn(form, "{");
        size_t part, tail;

        if (strncmp(path, pattern, plain) != 0)
            return false;
        path += plain;
        pattern += plain;
        if (!*pattern)
            break;
        pattern = strchr(pattern, '}') + 1;
        tail = strcspn(pattern, "/");
        part = strcspn(path, "/");
        if (part <= tail)
            return false;
        part -= tail;
        size += (size_t)snprintf(copy + size, capacity - size, "%.*s%.*s", (int)before, form,
                                 (int)part, path);
        if (size >= capacity)
            return false;
        path += part;
        form = strchr(form, '}') + 1;
    }
    size += (size_t)snprintf(copy + size, capacity - size, "%s", form);
    return !*path && size < capacity;
}

bool api_route_long(const char *path, char in_api[static API_PATH_BYTES_MAX + 1])
{
    for (int i = 0; i < api_route_count; i++)
        if (api_routes[i].shorter && copy_parts(path, api_routes[i].shorter, api_routes[i].path,
                                                in_api, API_PATH_BYTES_MAX + 1))
            return true;
    return false;
}

enum clerk_kind api_kind(const struct api_route *route, bool is_head)
{
    return !route || is_head              ? CLERK_LIGHT
           : route->flags & API_IS_UPLOAD ? CLERK_UPLOAD
           : route->flags & API_IS_ORDER  ? CLERK_ORDER
           : route->flags & API_IS_HEAVY  ? CLERK_HEAVY
                                          : CLERK_LIGHT;
}

int64_t api_deadline_us(enum clerk_kind kind, int64_t asked_us)
{
    return asked_us + limits_s[kind] * INT64_C(1000000);
}

void api_answer(struct api *api, const struct api_request *request, struct api_answer *answer)
{
    char copy[2 * API_PATH_BYTES_MAX];
    char allowed[API_METHODS_BYTES];
    const char *parts[PARTS_MAX] = {NULL};
    const struct api_route *route = api_route_find(request->method, request->path, allowed);

    *answer = (struct api_answer){.status = 0};
    if (!route) {
        if (*allowed)
            api_refuse(answer, 405, "this address takes %s", allowed);
        else
            api_refuse(answer, 404,
                       "there is nothing at %.100s: /docs/api.html lists the addresses",
                       request->path);
        return;
    }
    path_fits(request->path + strlen("/api/v1/"), route->path, copy, parts);
    route->answer_fn(api, request, parts, answer);
}

/* ---- requests as JSON ---- */

const char *const api_parameters[API_PARAMETERS] = {
    [API_AFTER] = "after",     [API_AS] = "as",
    [API_BOT] = "bot",         [API_CHALLENGES] = "challenges",
    [API_CHECK] = "check",     [API_GAMES] = "games",
    [API_LIMIT] = "limit",     [API_OPPONENT] = "opponent",
    [API_PLAYERS] = "players", [API_REFERENCE] = "reference",
    [API_WAIT] = "wait",
};

json_t *api_request_json(const struct api_request *request)
{
    json_t *json = json_pack("{s:s, s:s, s:s*, s:b, s:I}", "method", request->method, "path",
                             request->path, "token", request->token_sha256, "head",
                             request->is_head, "asked", (json_int_t)request->asked_us);

    for (int i = 0; json && i < API_PARAMETERS; i++)
        if (request->query[i] &&
            json_object_set_new(json, api_parameters[i], json_string(request->query[i])) < 0) {
            json_decref(json); /* no text in UTF-8 */
            return NULL;
        }
    return json;
}

void api_request_read(const json_t *json, struct api_request *request)
{
    const char *method = json_string_value(json_object_get(json, "method"));
    const char *path = json_string_value(json_object_get(json, "path"));

    *request = (struct api_request){
        .method = method ? method : "",
        .path = path ? path : "",
        .token_sha256 = json_string_value(json_object_get(json, "token")),
        .is_head = json_is_true(json_object_get(json, "head")),
        .upload_fd = -1,
        .asked_us = json_integer_value(json_object_get(json, "asked")),
    };
    for (int i = 0; i < API_PARAMETERS; i++)
        request->query[i] = json_string_value(json_object_get(json, api_parameters[i]));
}
