#include "tests/season_again/acts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/season.h"

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
        history_fail("%s", store_failure(store));
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
        history_fail("%s", store_failure(from));
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

void act_again(struct store *store, const struct history *history, int *number)
{
    const struct store_event *event = &history->events[*number];
    const struct act act = {store, history, event, number};
    repeat_fn *repeat = NULL;
    int64_t latest;

    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strcmp(acts[i].what, event->what) == 0)
            repeat = acts[i].repeat_fn;
    if (!repeat)
        history_fail("event %lld: %s: unknown", (long long)event->id, event->what);
    if (repeat(&act) < 0)
        history_fail("event %lld: %s %s: %s", (long long)event->id, event->what, event->about,
                     store_failure(store));
    if (store_event_latest(store, &latest) < 0 || latest != history->events[*number].id)
        history_fail("event %lld: %s %s: became %lld", (long long)event->id, event->what,
                     event->about, (long long)latest);
}
