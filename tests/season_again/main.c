/* SPDX-License-Identifier: MIT */
/*
 * Repeats the history of one store in another, undisturbed: nothing is killed, nothing changes
 * during a game, one game at a time. Every event is repeated at the point of the schedule where it
 * occurred: after the batches that were chosen before it, and after the games that were played in
 * the opening that it ended. So whatever happened to the first store, both end with the same
 * schedule, games and lists.
 *
 *   usage: season_again STORE NEW-STORE ARENA
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/bot.h"
#include "arena/season/player.h"

/* ---- the history of a store ---- */

enum history_limits {
    HISTORY_SEASONS_MAX = 16,
    HISTORY_NOT_PLAYED = -1,
};

struct history_season {
    struct store_season terms;
    struct store_batch *batches;
    int batch_count;
    int (*openings)[GAME_PLAYERS_MAX]; /* by group and rotation: HISTORY_NOT_PLAYED, or an opening's
                                          number */
    int group_count;
};

struct history {
    struct store *store; /* borrowed */
    struct store_event *events;
    int event_count;
    struct history_season seasons[HISTORY_SEASONS_MAX];
    int season_count;
};

/* Prints an error and exits. */
__attribute__((format(printf, 1, 2))) static _Noreturn void fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fputs("season_again: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* Appends an element of size bytes to an array. */
static void *grow(void *array, int *count, size_t size, const void *added)
{
    char *larger = realloc(array, (size_t)(*count + 1) * size);

    if (!larger)
        fail("out of memory");
    memcpy(larger + (size_t)(*count)++ * size, added, size);
    return larger;
}

static void check(struct store *store, int error)
{
    if (error)
        fail("%s", store_failure(store));
}

static int keep_season(void *context, const struct store_season *season)
{
    struct history *history = context;

    if (history->season_count == HISTORY_SEASONS_MAX)
        fail("too many seasons");
    history->seasons[history->season_count++] = (struct history_season){.terms = *season};
    return 0;
}

/* Events of all seasons are listed with each season; each is kept once. */
static int keep_event(void *context, const struct store_event *event)
{
    struct history *history = context;

    for (int i = 0; i < history->event_count; i++)
        if (history->events[i].id == event->id)
            return 0;
    history->events = grow(history->events, &history->event_count, sizeof *event, event);
    return 0;
}

static int keep_batch(void *context, const struct store_batch *batch)
{
    struct history_season *season = context;

    season->batches = grow(season->batches, &season->batch_count, sizeof *batch, batch);
    return 0;
}

static int keep_group(void *context, const struct store_group *group)
{
    struct history_season *season = context;
    int openings[GAME_PLAYERS_MAX];

    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        openings[i] = HISTORY_NOT_PLAYED;
    if (group->number != season->group_count)
        fail("group %d is missing", season->group_count);
    season->openings = grow(season->openings, &season->group_count, sizeof openings, openings);
    return 0;
}

static int keep_game(void *context, const struct store_game *game)
{
    struct history_season *season = context;

    season->openings[game->group][game->rotation] = game->opening;
    return 0;
}

static int compare_events(const void *a, const void *b)
{
    int64_t first = ((const struct store_event *)a)->id,
            second = ((const struct store_event *)b)->id;

    return (first > second) - (first < second);
}

static void history_read(struct history *history, struct store *store)
{
    *history = (struct history){.store = store};
    check(store, store_seasons_each(store, keep_season, history));
    for (int i = 0; i < history->season_count; i++) {
        struct history_season *season = &history->seasons[i];
        int64_t id = season->terms.id;

        check(store, store_events_each(store, id, keep_event, history));
        check(store, store_batches_each(store, id, keep_batch, season));
        check(store, store_groups_each(store, id, keep_group, season));
        check(store, store_games_verify(store, id, 0, STORE_ALL_GROUPS, NULL, keep_game, season));
    }
    qsort(history->events, (size_t)history->event_count, sizeof *history->events, compare_events);
}

static void history_finish(struct history *history)
{
    for (int i = 0; i < history->season_count; i++) {
        free(history->seasons[i].batches);
        free(history->seasons[i].openings);
    }
    free(history->events);
}

static const struct history_season *history_season(const struct history *history, int64_t season_id)
{
    for (int i = 0; i < history->season_count; i++)
        if (history->seasons[i].terms.id == season_id)
            return &history->seasons[i];
    fail("there is no season %lld", (long long)season_id);
}

/* ---- repeating an event ---- */

/* One event, and the stores that it is read from and repeated in. */
struct act {
    struct store *store;
    const struct history *history;
    const struct store_event *event;
    int *number;
};

typedef int repeat_fn(const struct act *act);

/* ---- bots ---- */

static struct store_package read_package(struct store *store, const char *sha256)
{
    struct store_package package = {NULL, 0};
    uint8_t *bytes;

    if (store_package_read(store, sha256, &bytes, &package.size) < 0)
        fail("%s", store_failure(store));
    package.bytes = bytes;
    return package;
}

static int submit(const struct act *act)
{
    struct store *from = act->history->store;
    struct store_package given, built;
    char name[sizeof act->event->about], *version;
    struct store_bot bot;
    char *manifest;
    int error;

    strcpy(name, act->event->about);
    version = strchr(name, '@');
    *version++ = '\0';
    if (store_bot_find(from, name, version, &bot) < 0 ||
        store_manifest_read(from, bot.id, &manifest) < 0)
        fail("%s", store_failure(from));
    given = read_package(from, bot.sha256);
    built = read_package(from, bot.built_sha256);
    bot.manifest = manifest;
    error = store_bot_add(act->store, &bot, given, built);
    free(manifest);
    free((void *)given.bytes);
    free((void *)built.bytes);
    return error;
}

static int retire(const struct act *act)
{
    return store_bot_retire(act->store, act->event->about, act->event->time_us);
}

static int unretire(const struct act *act)
{
    return store_bot_unretire(act->store, act->event->about);
}

static int set_ban(const struct act *act, bool void_games, bool lift)
{
    const char *about = act->event->about, *author = NULL;

    if (strncmp(about, "author ", 7) == 0) {
        author = about + 7;
        about = NULL;
    }
    if (lift)
        return store_ban_lift(act->store, about, author, act->event->time_us);
    return store_ban_add(act->store, about, author, void_games, act->event->time_us);
}

static int ban(const struct act *act)
{
    return set_ban(act, false, false);
}

static int ban_void(const struct act *act)
{
    return set_ban(act, true, false);
}

static int unban(const struct act *act)
{
    return set_ban(act, false, true);
}

/* ---- seasons ---- */

static const struct history_season *season_of(const struct act *act)
{
    return history_season(act->history, act->event->season_id);
}

/* Parses "budget 60 games", "60 games". */
static int64_t number_in(const char *about)
{
    return atoll(about + strcspn(about, "0123456789"));
}

struct seeking {
    int number;
    struct store_opening opening;
    int count;
};

static int seek_opening(void *context, const struct store_opening *opening)
{
    struct seeking *seeking = context;

    if (opening->number == seeking->number)
        seeking->opening = *opening;
    seeking->count++;
    return 0;
}

/* Finds the seed of one opening. */
static void find_seed(const struct act *act, int number, uint8_t seed[static GAME_SEED_BYTES])
{
    struct seeking seeking = {.number = number};

    store_openings_each(act->history->store, act->event->season_id, seek_opening, &seeking);
    memcpy(seed, seeking.opening.seed, GAME_SEED_BYTES);
}

static int begin_season(const struct act *act)
{
    struct store_season season = season_of(act)->terms;
    uint8_t seed[GAME_SEED_BYTES];

    find_seed(act, 0, seed);
    season.budget_games = number_in(act->event->about);
    season.closing_us = season.closed_us = 0;
    return season_create(act->store, &season, seed, season.created_us);
}

static int extend(const struct act *act)
{
    return store_season_extend(act->store, act->event->season_id, number_in(act->event->about));
}

static int begin_close(const struct act *act)
{
    return store_season_begin_close(act->store, act->event->season_id, act->event->time_us);
}

static int end_close(const struct act *act)
{
    return store_season_close(act->store, act->event->season_id, act->event->time_us);
}

static int reopen(const struct act *act)
{
    struct seeking seeking = {.number = -1};
    uint8_t seed[GAME_SEED_BYTES];
    struct store_season season;

    store_openings_each(act->store, act->event->season_id, seek_opening, &seeking);
    find_seed(act, seeking.count, seed);
    if (store_season_find(act->store, season_of(act)->terms.name, &season) < 0)
        return -1;
    return season_reopen(act->store, &season, *act->event->about ? number_in(act->event->about) : 0,
                         seed, act->event->time_us);
}

/* Sets the roster from "all", or from "only a,b" followed by events "and c,d". */
static int set_roster(const struct act *act)
{
    const char *names[256];
    char *texts[256];
    size_t count = 0, text_count = 0;
    int error;

    for (const struct store_event *event = act->event;; event++) {
        char *text = texts[text_count++] = strdup(strchr(event->about, ' ') ?: "");

        for (char *name; (name = strsep(&text, " ,"));)
            if (*name)
                names[count++] = name;
        if (event == &act->history->events[act->history->event_count - 1] ||
            strncmp(event[1].about, "and ", 4) != 0 || strcmp(event[1].what, "roster") != 0)
            break;
        ++*act->number;
    }
    error = store_roster_set(act->store, act->event->season_id, names, count);
    while (text_count > 0)
        free(texts[--text_count]);
    return error;
}

static const struct {
    const char *what;
    repeat_fn *repeat_fn;
} acts[] = {
    {"submit", submit},     {"retire", retire},       {"unretire", unretire}, {"ban", ban},
    {"void", ban_void},     {"unban", unban},         {"new", begin_season},  {"extend", extend},
    {"roster", set_roster}, {"closing", begin_close}, {"close", end_close},   {"reopen", reopen},
};

static void act_again(struct store *store, const struct history *history, int *number)
{
    const struct store_event *event = &history->events[*number];
    const struct act act = {store, history, event, number};
    repeat_fn *repeat = NULL;
    int64_t latest;

    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strcmp(acts[i].what, event->what) == 0)
            repeat = acts[i].repeat_fn;
    if (!repeat)
        fail("event %lld: %s: unknown", (long long)event->id, event->what);
    if (repeat(&act) < 0)
        fail("event %lld: %s %s: %s", (long long)event->id, event->what, event->about,
             store_failure(store));
    if (store_event_latest(store, &latest) < 0 || latest != history->events[*number].id)
        fail("event %lld: %s %s: became %lld", (long long)event->id, event->what, event->about,
             (long long)latest);
}

/* ---- playing ---- */

struct again {
    const char *program;
    struct sandbox *sandbox;
    struct store *store;
    struct history history;
    struct season season; /* while it is loaded */
    const struct history_season *torn;
};

static bool is_to_play(const struct again *again, int group, int rotation)
{
    const struct history_season *torn = again->torn;

    return group < torn->group_count &&
           torn->openings[group][rotation] == again->season.opening.number;
}

/* Leaves only the games to play that were played in this opening. Returns how many. */
static int hold_others(struct again *again)
{
    struct schedule *schedule = &again->season.schedule;
    int count = 0;

    for (int i = 0; i < schedule->group_count; i++) {
        struct schedule_group *group = &schedule->groups[i];

        for (int r = 0; r < group->player_count; r++) {
            if (group->states[r] != SCHEDULE_TO_PLAY)
                continue;
            if (!is_to_play(again, i, r))
                group->states[r] = SCHEDULE_STARTED;
            else
                count += !schedule_is_void(schedule, group);
        }
    }
    return count;
}

/* Plays the games that are left, and no others. */
static void play(struct again *again, int count)
{
    const struct transport transport = transport_of_sandbox(again->sandbox);
    const struct store_play *terms = &again->season.terms.play;
    const struct player_options options = {
        .season = &again->season,
        .transport = &transport,
        .sandbox = again->sandbox,
        .program = again->program,
        .job_count = 1,
        .rules = {.memory_bytes = terms->memory_bytes, .freeze = terms->freeze},
    };
    struct player_report report;

    again->season.schedule.terms.budget_games = again->season.schedule.game_count;
    if (player_run(&options, &report) < 0)
        fail("%s", report.error);
    if (report.played_count != count)
        fail("%s: %lld games played, not %d", again->season.terms.name,
             (long long)report.played_count, count);
}

/* True if the next batch was chosen in the current state. */
static bool is_batch_due(const struct again *again)
{
    const struct history_season *torn = again->torn;
    int number = again->season.schedule.batch_count;

    return number < torn->batch_count && torn->batches[number].event == again->season.event &&
           torn->batches[number].opening == again->season.opening.number;
}

static void choose_batch(struct again *again)
{
    int before = again->season.schedule.batch_count;
    struct season_game game;
    int step = season_next(&again->season, &game);

    if (step < 0)
        fail("batch %d: %s", before, store_failure(again->store));
    if (step != SEASON_GAME || again->season.schedule.batch_count != before + 1)
        fail("%s: batch %d is not chosen (%d)", again->season.terms.name, before, step);
}

/* Plays and chooses everything that was played and chosen before the next event. */
static void advance(struct again *again, const char *name)
{
    for (;;) {
        int count;
        bool due;

        check(again->store, season_load(&again->season, again->store, name));
        count = hold_others(again);
        due = is_batch_due(again);
        if (!season_is_open(&again->season) && (count > 0 || due) && again->season.terms.closed_us)
            fail("%s: something happened while it was closed", name);
        if (count > 0)
            play(again, count);
        else if (due)
            choose_batch(again);
        season_finish(&again->season);
        if (count == 0 && !due)
            return;
    }
}

static void advance_all(struct again *again)
{
    for (int i = 0; i < again->history.season_count; i++) {
        const char *name = again->history.seasons[i].terms.name;
        struct store_season season;

        if (store_season_find(again->store, name, &season) < 0)
            continue; /* not begun yet */
        again->torn = &again->history.seasons[i];
        advance(again, name);
    }
}

static void open_store(struct store **store, const char *url, enum store_mode mode)
{
    int error = store_open(store, url, mode);

    check(*store, error);
}

int main(int argc, char **argv)
{
    struct again again = {.program = argc == 4 ? argv[3] : NULL};
    struct sandbox_failure failure;
    struct store *torn = NULL;

    if (argc != 4)
        fail("usage: season_again STORE NEW-STORE ARENA");
    if (sandbox_create(&again.sandbox, NULL, &failure) < 0)
        fail("%s: %s", failure.step, strerror(failure.error));
    open_store(&torn, argv[1], STORE_READ);
    open_store(&again.store, argv[2], STORE_CREATE);
    history_read(&again.history, torn);
    for (int i = 0; i < again.history.event_count; i++) {
        act_again(again.store, &again.history, &i);
        advance_all(&again);
    }
    printf("%d events\n", again.history.event_count);
    history_finish(&again.history);
    store_close(again.store);
    store_close(torn);
    sandbox_destroy(again.sandbox);
    return 0;
}
