/* SPDX-License-Identifier: MIT */
#include "arena/serve/live.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/clock.h"
#include "arena/base/file.h"
#include "arena/base/memory.h"
#include "arena/base/place.h"
#include "arena/play/mailbox.h"
#include "arena/report/model.h"
#include "arena/site/page.h"
#include "arena/site/parts.h"
#include "arena/site/play_page.h"
#include "arena/site/viewer.h"
#include "engine/notation.h"

extern const char site_live_js[], site_pages_css[];

enum {
    NAME_BYTES = WIRE_MATCH_BYTES_MAX + 16,
    FOLDER_BYTES = NAME_MAX + 16,
    ERROR_BYTES = 512,
    /* In one look, a place can lose a game and get another one. */
    PARTS_MAX = 2 * LIVE_GAMES_MAX,
    FOLDER_MODE = 0755,
    FILE_MODE = 0644,
    BEAT_S = 20, /* age at which the list of games is written again */
};

enum place_state {
    FREE = 0,
    WATCHED = 1,
    OVER = 2,
};

/* The loop's view of a place for a game that can be watched. */
struct place_of_game {
    enum place_state state;
    char id[WIRE_MATCH_BYTES_MAX];
    char season[STORE_NAME_BYTES_MAX + 1];
    int64_t begun_us; /* with the id, tells a game from one that is played again */
    int64_t until_us; /* OVER: when the files are removed */
    bool is_seen;     /* in this look */
};

enum part_kind {
    PART_BEGINS = 0,
    PART_GROWS = 1,
    PART_OVER = 2,
    PART_GONE = 3,
};

/* News of a game for the thread. */
struct part {
    enum part_kind kind;
    int place;
    int delay_s;
    char season[STORE_NAME_BYTES_MAX + 1];
    int64_t seen_us;
    struct replay replay; /* owned; all decisions so far, without notes */
};

struct parts {
    struct errand errand; /* must be the first field */
    struct live *live;
    int count;
    struct part parts[PARTS_MAX];
};

/* The thread's view of a game. */
struct shown {
    bool is_used, is_over;
    bool is_told; /* the last line is written */
    char season[STORE_NAME_BYTES_MAX + 1];
    int64_t delay_us;
    int64_t begun_us; /* when the loop first saw the game */
    int64_t seen_us[GAME_DECISIONS_MAX];
    size_t known_count;
    struct replay replay; /* its decision_count is what may be shown */
    struct viewer_live *viewer;
    int fd; /* of the file that grows */
};

struct live {
    struct live_options options;
    struct mailbox *mailbox;

    /* Only the loop uses these. */
    struct place_of_game places[LIVE_GAMES_MAX];
    struct parts *parts; /* of this look; NULL: nothing is new */
    const struct table *candidate;
    const char *candidate_season;
    int candidate_delay_s;

    /* Only the thread uses these. */
    int folder_fd; /* -1: not open yet */
    struct pages *pages;
    struct shown shown[LIVE_GAMES_MAX];
    char *list; /* text of games.json */
    int64_t listed_us;
    char failure[ERROR_BYTES]; /* told to the loop; "": the last try succeeded */
};

static int64_t now(const struct live *live)
{
    return live->options.now_fn ? live->options.now_fn() : clock_now_us();
}

/* ---- in the thread: failures ---- */

struct failure {
    struct errand news; /* must be the first field */
    const struct live *live;
    char words[ERROR_BYTES];
};

static void failure_told(struct errand *news)
{
    struct failure *failure = (struct failure *)news;

    failure->live->options.failed_fn(failure->live->options.owner, failure->words);
    free(failure);
}

static void fail(struct live *live, const char *name, const char *words)
{
    struct failure *failure = calloc(1, sizeof *failure);

    if (failure)
        snprintf(failure->words, sizeof failure->words, "live games beside %s: %s: %s",
                 live->options.site, name, words);
    if (!failure || strcmp(failure->words, live->failure) == 0) {
        free(failure);
        return;
    }
    memcpy(live->failure, failure->words, sizeof live->failure);
    failure->live = live;
    failure->news.done_fn = failure_told;
    mailbox_tell(live->mailbox, &failure->news);
}

/* ---- in the thread: files ---- */

/* Creates a file that the web process, another user's, may read, whatever the umask. */
static int create(const struct live *live, const char *name, int flags)
{
    const int fd = openat(live->folder_fd, name,
                          O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, FILE_MODE);

    if (fd >= 0)
        fchmod(fd, FILE_MODE);
    return fd < 0 ? -errno : fd;
}

/* Writes a file so that readers see the older file or the whole new one. */
static bool write_whole(struct live *live, const char *name, const char *text, size_t size)
{
    static const char draft[] = ".draft";
    const int fd = create(live, draft, O_TRUNC);
    int error = fd < 0 ? fd : text ? file_write_all(fd, text, size) : -ENOMEM;

    if (fd >= 0 && close(fd) < 0 && !error)
        error = -errno;
    if (!error && renameat(live->folder_fd, draft, live->folder_fd, name) < 0)
        error = -errno;
    if (error)
        fail(live, name, strerror(-error));
    return error == 0;
}

/*
 * Writes a line to the file that grows. The kernel shows it page by page: whoever reads meanwhile
 * drops what follows the last end of a line (live/watch.js). Releases the line; NULL: memory ran
 * out.
 */
static bool add_line(struct live *live, const struct shown *shown, json_t *line)
{
    char *text = line ? json_dumps(line, JSON_COMPACT) : NULL, *whole = NULL;
    int error = -ENOMEM, size = text ? asprintf(&whole, "%s\n", text) : -1;

    if (size >= 0)
        error = file_write_all(shown->fd, whole, (size_t)size);
    if (error)
        fail(live, shown->replay.terms.id, strerror(-error));
    if (size >= 0)
        free(whole);
    free(text);
    json_decref(line);
    return error == 0;
}

/* Removes the files of a game, whose place is then free. */
static void remove_game(struct live *live, struct shown *shown)
{
    static const char *const endings[] = {"html", "jsonl"};
    char name[NAME_BYTES];

    for (size_t i = 0; shown->viewer && i < sizeof endings / sizeof *endings; i++) {
        snprintf(name, sizeof name, "%s.%s", shown->replay.terms.id, endings[i]);
        unlinkat(live->folder_fd, name, 0);
    }
    viewer_live_end(shown->viewer);
    replay_finish(&shown->replay);
    if (shown->fd >= 0)
        close(shown->fd);
    *shown = (struct shown){.fd = -1};
}

/* Removes all files in the folder. */
static void empty_folder(const struct live *live)
{
    DIR *folder = fdopendir(openat(live->folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct dirent *entry;

    while (folder && (entry = readdir(folder)))
        unlinkat(live->folder_fd, entry->d_name, 0); /* fails for "." and ".." */
    if (folder)
        closedir(folder);
}

/*
 * Opens the folder beside the site, or creates it. Returns 0 or -errno; -EPERM if the folder is
 * another user's.
 */
static int open_folder(struct live *live)
{
    struct place site;
    struct stat found;
    char name[FOLDER_BYTES];
    int error = place_open(&site, live->options.site);

    if (error)
        return error;
    snprintf(name, sizeof name, ".%s.live", site.name);
    if (mkdirat(site.folder_fd, name, FOLDER_MODE) < 0 && errno != EEXIST)
        error = -errno;
    if (!error)
        live->folder_fd =
            openat(site.folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (!error && (live->folder_fd < 0 || fstat(live->folder_fd, &found) < 0))
        error = -errno;
    else if (!error && (found.st_uid != geteuid() || found.st_mode & 022))
        error = -EPERM;
    else if (!error && fchmod(live->folder_fd, FOLDER_MODE) < 0)
        error = -errno;
    place_close(&site);
    if (error && live->folder_fd >= 0) {
        close(live->folder_fd);
        live->folder_fd = -1;
    }
    return error;
}

/* Writes the page of the list. */
static void write_index(struct live *live)
{
    char error[TEMPLATE_ERROR_BYTES], *text = NULL;
    size_t size = 0;
    FILE *page = memory_stream(&text, &size);
    const int result =
        page_write(live->pages, page, "live",
                   json_pack("{s:s, s:s, s:b, s:o}", "title", "Live games", "home", "/", "live", 1,
                             "code", page_code(live->pages, site_live_js, site_pages_css, false)),
                   error);

    memory_stream_end(page);
    if (result < 0)
        fail(live, "index.html", error);
    else
        write_whole(live, "index.html", text, size);
    free(text);
}

/* Begins with an empty folder: a daemon that was killed has left its files. */
static void begin(struct live *live)
{
    const struct page_terms terms = {
        .links_live = true, .links_play = play_page_exists(), .contact = live->options.contact};
    char words[TEMPLATE_ERROR_BYTES];
    const int error = open_folder(live);

    if (error) {
        fail(live, "folder",
             error == -EPERM ? "belongs to another user: remove it" : strerror(-error));
        return;
    }
    live->pages = pages_create(&terms, words);
    if (!live->pages) {
        fail(live, "pages", words);
        return;
    }
    empty_folder(live);
    write_index(live);
}

/* ---- in the thread: games ---- */

/* Begins the files of a game. */
static bool begin_game(struct live *live, struct shown *shown)
{
    char name[NAME_BYTES], page_name[NAME_BYTES], error[REPLAY_ERROR_BYTES], *text = NULL;
    char up[STORE_NAME_BYTES_MAX + 4];
    struct parts_links links;
    const struct viewer_page viewer = {.pages = live->pages,
                                       .replay = &shown->replay,
                                       .path = name,
                                       .rules_link = links.rules,
                                       .home_link = links.season,
                                       .live = name};
    size_t size = 0;
    json_t *head = NULL;
    FILE *page = memory_stream(&text, &size);
    bool is_good = false;

    snprintf(up, sizeof up, "/%s/", shown->season);
    parts_match_links(&links, up, shown->replay.terms.id, NULL, 0);
    snprintf(name, sizeof name, "%s.jsonl", shown->replay.terms.id);
    snprintf(page_name, sizeof page_name, "%s.html", shown->replay.terms.id);
    snprintf(error, sizeof error, "out of memory");
    shown->viewer = viewer_live_begin(page, &viewer, &head, error);
    memory_stream_end(page);
    if (!shown->viewer) {
        fail(live, page_name, error);
        free(text);
        return false;
    }
    unlinkat(live->folder_fd, name, 0);
    shown->fd = create(live, name, O_EXCL | O_APPEND);
    if (shown->fd < 0)
        fail(live, name, strerror(-shown->fd));
    else
        is_good =
            add_line(live, shown, json_incref(head)) && write_whole(live, page_name, text, size);
    json_decref(head);
    free(text);
    return is_good;
}

/* Adds what may be shown now. Returns false if the game cannot be shown. */
static bool show_due(struct live *live, struct shown *shown, int64_t now_us)
{
    const size_t before = shown->replay.decision_count;
    size_t count = before;
    char error[REPLAY_ERROR_BYTES];
    json_t *line;

    if (!shown->is_over && shown->begun_us + shown->delay_us > now_us)
        return true;
    if (!shown->viewer && !begin_game(live, shown))
        return false;
    while (count < shown->known_count &&
           (shown->is_over || shown->seen_us[count] + shown->delay_us <= now_us))
        count++;
    if (shown->is_told || (count == before && !shown->is_over))
        return true;
    shown->replay.decision_count = count;
    shown->is_told = shown->is_over;
    line = viewer_live_take(shown->viewer, shown->is_over, error);
    if (line)
        return add_line(live, shown, line);
    fail(live, shown->replay.terms.id, error);
    return false;
}

/* Returns when more of a game may be shown. */
static int64_t due_of(const struct shown *shown)
{
    if (!shown->is_used || shown->is_told)
        return INT64_MAX;
    if (!shown->viewer)
        return shown->begun_us + shown->delay_us;
    return shown->replay.decision_count < shown->known_count
               ? shown->seen_us[shown->replay.decision_count] + shown->delay_us
               : INT64_MAX;
}

static json_t *game_json(const struct shown *shown)
{
    const struct replay *replay = &shown->replay;
    const struct game *game = viewer_live_game(shown->viewer);
    json_t *bots = json_array(), *scores = json_array(), *json, *told;

    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        json_array_append_new(bots, json_string(replay->terms.names[seat]));
        json_array_append_new(scores, json_integer(game_score(game, seat)));
    }
    json = json_pack("{s:s, s:s, s:s, s:o, s:o, s:i, s:I, s:b}", "match", replay->terms.id,
                     "season", shown->season, "board", notation_boards[replay->terms.board], "bots",
                     bots, "scores", scores, "round", game->round, "decisions",
                     (json_int_t)replay->decision_count, "over", shown->is_told);
    told = columns_row_json(&live_columns, json, NULL, READER_PUBLIC);
    json_decref(json);
    return told;
}

/* Writes the list of games, if it has changed or is so old that it could be a killed daemon's. */
static void write_list(struct live *live, int64_t now_us)
{
    json_t *games = json_array(), *list = json_pack("{s:o}", "games", games);
    char *text;

    for (int over = 0; over < 2; over++) /* the games under way come first */
        for (const struct shown *shown = live->shown; shown < live->shown + LIVE_GAMES_MAX; shown++)
            if (shown->viewer && shown->is_told == over)
                json_array_append_new(games, game_json(shown));
    text = json_dumps(list, JSON_COMPACT);
    json_decref(list);
    if (text && live->list && strcmp(text, live->list) == 0 &&
        now_us - live->listed_us < BEAT_S * INT64_C(1000000)) {
        free(text);
        return;
    }
    if (write_whole(live, "games.json", text, text ? strlen(text) : 0))
        live->failure[0] = '\0';
    live->listed_us = now_us;
    free(live->list);
    live->list = text;
}

/* Writes what is due. Returns when more is due. */
static int64_t write_due(void *owner)
{
    struct live *live = owner;
    const int64_t now_us = now(live);
    int64_t due_us;

    if (live->folder_fd < 0)
        return INT64_MAX;
    for (struct shown *shown = live->shown; shown < live->shown + LIVE_GAMES_MAX; shown++)
        if (shown->is_used && !show_due(live, shown, now_us))
            remove_game(live, shown);
    write_list(live, now_us);
    due_us = live->listed_us + BEAT_S * INT64_C(1000000);
    for (const struct shown *shown = live->shown; shown < live->shown + LIVE_GAMES_MAX; shown++)
        if (due_of(shown) < due_us)
            due_us = due_of(shown);
    return due_us;
}

/* Takes over the replay of a part. */
static void take_part(struct live *live, struct part *part)
{
    struct shown *shown = &live->shown[part->place];
    size_t shown_count;

    if (part->kind == PART_GONE) {
        remove_game(live, shown);
        return;
    }
    if (part->kind == PART_BEGINS) {
        remove_game(live, shown);
        *shown = (struct shown){.is_used = true,
                                .fd = -1,
                                .delay_us = part->delay_s * INT64_C(1000000),
                                .begun_us = part->seen_us};
        memcpy(shown->season, part->season, sizeof shown->season);
    }
    if (!shown->is_used) /* the game could not be shown */
        return;
    shown_count = shown->replay.decision_count;
    replay_finish(&shown->replay);
    shown->replay = part->replay;
    part->replay = (struct replay){0};
    for (; shown->known_count < shown->replay.decision_count; shown->known_count++)
        shown->seen_us[shown->known_count] = part->seen_us;
    shown->replay.decision_count = shown_count;
    shown->is_over = part->kind == PART_OVER;
}

static void run_parts(struct errand *errand)
{
    struct parts *parts = (struct parts *)errand;

    if (parts->live->folder_fd < 0)
        begin(parts->live);
    for (int i = 0; i < parts->count; i++)
        take_part(parts->live, &parts->parts[i]);
}

static void parts_done(struct errand *errand)
{
    struct parts *parts = (struct parts *)errand;

    for (int i = 0; i < parts->count; i++)
        replay_finish(&parts->parts[i].replay);
    free(parts);
}

/* ---- on the loop ---- */

/* Makes sure that there are parts to be sent. Returns false if memory runs out. */
static bool have_parts(struct live *live)
{
    if (live->parts)
        return true;
    live->parts = calloc(1, sizeof *live->parts);
    if (!live->parts)
        return false;
    live->parts->live = live;
    live->parts->errand = (struct errand){.run_fn = run_parts, .done_fn = parts_done};
    return true;
}

/* Returns a new part of this look; NULL if memory runs out. */
static struct part *add_part(struct live *live, int place, enum part_kind kind)
{
    struct part *part;

    if (!have_parts(live))
        return NULL;
    assert(live->parts->count < PARTS_MAX);
    part = &live->parts->parts[live->parts->count++];
    part->place = place;
    part->kind = kind;
    return part;
}

static void send_parts(struct live *live)
{
    if (live->parts)
        mailbox_add(live->mailbox, &live->parts->errand);
    live->parts = NULL;
}

/* Copies the match at a table, without the bots' notes, for the thread. */
static void pass_on(struct live *live, int number, enum part_kind kind, int delay_s,
                    const struct table *table)
{
    struct part *part = add_part(live, number, kind);

    if (!part)
        return;
    part->delay_s = delay_s;
    part->seen_us = now(live);
    memcpy(part->season, live->places[number].season, sizeof part->season);
    if (replay_from_table(&part->replay, table) < 0)
        part->kind = PART_GONE;
    for (size_t i = 0; i < part->replay.decision_count; i++) {
        part->replay.decisions[i].note = NULL;
        part->replay.decisions[i].note_bytes = 0;
    }
}

static void end_place(struct live *live, int number)
{
    add_part(live, number, PART_GONE);
    live->places[number] = (struct place_of_game){.state = FREE};
}

/* Returns the number of the place of the game at a table; -1: it has none. */
static int find_place(struct live *live, const struct table *table)
{
    for (int i = 0; i < LIVE_GAMES_MAX; i++) {
        const struct place_of_game *place = &live->places[i];

        if (place->state == FREE || strcmp(place->id, table->match.terms.id) != 0)
            continue;
        if (place->begun_us == table->begun_us)
            return i;
        end_place(live, i); /* the game was void, and is played again */
    }
    return -1;
}

static int count_of_season(const struct live *live, const char *season)
{
    int count = 0;

    for (int i = 0; i < LIVE_GAMES_MAX; i++)
        count += live->places[i].state != FREE && strcmp(live->places[i].season, season) == 0;
    return count;
}

void live_see(struct live *live, const char *season, int delay_s, const struct table *table)
{
    const int number = find_place(live, table);

    if (number >= 0) {
        live->places[number].is_seen = true;
        if (live->places[number].state == WATCHED && table->state == TABLE_PLAYING)
            pass_on(live, number, PART_GROWS, delay_s, table);
    } else if (table->state == TABLE_PLAYING && table->match.phase == MATCH_PLAYING &&
               (!live->candidate ||
                count_of_season(live, season) < count_of_season(live, live->candidate_season))) {
        live->candidate = table;
        live->candidate_season = season;
        live->candidate_delay_s = delay_s;
    }
}

/* Returns the number of a free place, or of that which has been over for the longest; -1: none. */
static int find_room(const struct live *live)
{
    const int64_t least_us = (LIVE_KEPT_S - LIVE_LEAST_S) * INT64_C(1000000);
    int found = -1;

    for (int i = 0; i < LIVE_GAMES_MAX; i++) {
        const struct place_of_game *place = &live->places[i];

        if (place->state == FREE)
            return i;
        if (place->state == OVER && place->until_us - now(live) <= least_us &&
            (found < 0 || place->until_us < live->places[found].until_us))
            found = i;
    }
    return found;
}

/* Gives the candidate of this look a place, if there is one. */
static void choose(struct live *live)
{
    const int number = find_room(live);
    struct place_of_game *place;

    if (number < 0)
        return;
    place = &live->places[number];
    *place = (struct place_of_game){.state = WATCHED, .begun_us = live->candidate->begun_us};
    snprintf(place->season, sizeof place->season, "%s", live->candidate_season);
    memcpy(place->id, live->candidate->match.terms.id, sizeof place->id);
    pass_on(live, number, PART_BEGINS, live->candidate_delay_s, live->candidate);
}

void live_look(struct live *live)
{
    for (int i = 0; i < LIVE_GAMES_MAX; i++) {
        struct place_of_game *place = &live->places[i];

        if ((place->state == WATCHED && !place->is_seen) ||
            (place->state == OVER && place->until_us <= now(live)))
            end_place(live, i);
        place->is_seen = false;
    }
    if (live->candidate)
        choose(live);
    live->candidate = NULL;
    send_parts(live);
}

void live_over(struct live *live, const struct table *table)
{
    const int number = find_place(live, table);

    if (number >= 0) {
        pass_on(live, number, PART_OVER, 0, table);
        live->places[number].state = OVER;
        live->places[number].until_us = now(live) + LIVE_KEPT_S * INT64_C(1000000);
    }
    send_parts(live);
}

struct live *live_create(struct ev_loop *loop, const struct live_options *options)
{
    struct live *live = calloc(1, sizeof *live);
    const struct mailbox_options of_mailbox = {.owner = live, .due_fn = write_due};
    int error;

    if (!live)
        return NULL;
    live->options = *options;
    live->folder_fd = -1;
    for (int i = 0; i < LIVE_GAMES_MAX; i++)
        live->shown[i].fd = -1;
    error = mailbox_create(&live->mailbox, loop, &of_mailbox);
    if (error) {
        free(live);
        errno = -error;
        return NULL;
    }
    if (have_parts(live))
        send_parts(live); /* the thread begins */
    return live;
}

void live_destroy(struct live *live)
{
    if (!live)
        return;
    mailbox_destroy(live->mailbox);
    for (struct shown *shown = live->shown; shown < live->shown + LIVE_GAMES_MAX; shown++)
        remove_game(live, shown);
    if (live->folder_fd >= 0) {
        empty_folder(live);
        close(live->folder_fd);
    }
    pages_destroy(live->pages);
    free(live->list);
    free(live);
}
