/* arena season: the subcommands with which an operator changes a season during or between runs. */
#include "arena/commands/season.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/commands/commands.h"
#include "arena/replay/plain_text.h"
#include "arena/season/season.h"
#include "arena/store/leases.h"

enum {
    ROSTER_NAMES_MAX = 2048,
    GIVING_UP_US = 5000000, /* for a run to stop its bots */
    LOOK_NS = 200000000,    /* between looks at who plays */
    WHO_BYTES = 1024,
};

/* Opens the store and finds the season to be changed. */
static int open_to_change(const struct season_request *request, struct store **store,
                          struct store_season *season)
{
    int status = store_option_open(request->home, STORE_WRITE, store);

    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(*store, store_season_find(*store, request->name, season));
    if (status != COMMAND_DONE)
        store_close(*store);
    return status;
}

/* ---- close and reopen ---- */

/* 0 once nobody plays the season, here or on other machines; -EBUSY, or another -errno. */
static int look_who_plays(struct store *store, const struct store_season *season, bool *is_claimed,
                          char who[static WHO_BYTES])
{
    int held, error = *is_claimed ? 0 : store_season_claim(store, season->name);

    if (error) {
        snprintf(who, WHO_BYTES, "%s", store_failure(store));
        return error;
    }
    *is_claimed = true;
    held = store_leases_count(store, season->id);
    if (held > 0)
        snprintf(who, WHO_BYTES, "workers hold %d group%s of season %s", held, held == 1 ? "" : "s",
                 season->name);
    return held > 0 ? -EBUSY : held;
}

/*
 * Waits until nobody plays the season: until its running games have ended or, from until_us on, are
 * given up. Returns 0, -EBUSY if somebody still plays it, or another -errno.
 */
static int wait_for_games(const struct season_request *request, struct store *store,
                          const struct store_season *season, int64_t until_us)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    bool is_claimed = false;
    char who[WHO_BYTES];
    int error = look_who_plays(store, season, &is_claimed, who);

    if (error == -EBUSY && request->wait_s > 0)
        plain_text_printf(stderr,
                          "arena: %s: waiting %lld s at most for its games under way to end\n", who,
                          (long long)request->wait_s);
    while (error == -EBUSY && store_option_now_us() < until_us + GIVING_UP_US) {
        nanosleep(&pause, NULL);
        error = look_who_plays(store, season, &is_claimed, who);
    }
    return error;
}

/*
 * Closes in two steps: no more games begin; then, once running games have ended or were given up,
 * the seed is published. A game that ends even later finds its opening closed.
 */
static int close_season(const struct season_request *request, struct store *store,
                        const struct store_season *season)
{
    int64_t until_us = store_option_now_us() + 1000000 * request->wait_s;
    int waited;
    int status = store_option_status(store, store_season_begin_close(store, season->id, until_us));

    if (status != COMMAND_DONE)
        return status;
    waited = wait_for_games(request, store, season, until_us);
    if (waited && waited != -EBUSY)
        return store_option_status(store, waited);
    status =
        store_option_status(store, store_season_close(store, season->id, store_option_now_us()));
    if (status == COMMAND_DONE && waited == -EBUSY)
        plain_text_printf(stderr,
                          "arena: the process that plays season %s did not react; games that it "
                          "still plays are void\n",
                          season->name);
    return status;
}

int season_command_close(struct season_request *request)
{
    struct store_season season;
    struct store *store;
    int status = open_to_change(request, &store, &season);

    if (status != COMMAND_DONE)
        return status;
    status = close_season(request, store, &season);
    if (status == COMMAND_DONE) {
        plain_text_printf(stdout, "season %s is closed: `arena ladder %s`\n", season.name,
                          season.name);
        store_openings_each(store, season.id, season_print_opening, NULL);
    }
    store_close(store);
    return status;
}

int season_command_reopen(struct season_request *request)
{
    struct store_season season;
    struct store *store;
    int64_t budget;
    int status = open_to_change(request, &store, &season);

    if (status != COMMAND_DONE)
        return status;
    budget = season.budget_games + (request->budget_given ? request->terms.budget_games : 0);
    status = store_option_status(store, season_reopen(store, &season, budget,
                                                      request->seeded ? request->seed : NULL,
                                                      store_option_now_us()));
    if (status == COMMAND_DONE)
        plain_text_printf(
            stdout, "season %s is open again, budget %lld games: `arena season run %s` plays on\n",
            season.name, (long long)budget, season.name);
    store_close(store);
    return status;
}

int season_command_extend(struct season_request *request)
{
    struct store_season season;
    struct store *store;
    int status;

    if (!request->budget_given)
        return command_refuse("season extend: --budget GAMES says how many more");
    status = open_to_change(request, &store, &season);
    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(
        store, store_season_extend(store, season.id, request->terms.budget_games));
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "season %s: budget %lld games\n", season.name,
                          (long long)(season.budget_games + request->terms.budget_games));
    store_close(store);
    return status;
}

/* ---- who may take part ---- */

/* Splits "a,b,c" in place. Returns the number of names, or -1 for an empty name. */
static int cut_names(char *text, const char *names[static ROSTER_NAMES_MAX])
{
    int count = 0;

    for (char *name; count < ROSTER_NAMES_MAX && (name = strsep(&text, ","));) {
        if (!*name)
            return -1;
        names[count++] = name;
    }
    return count;
}

static int print_name(void *context, const char *name)
{
    int *count = context;

    plain_text_printf(stdout, "%s%s", (*count)++ ? ", " : "", name);
    return 0;
}

static int print_roster(struct store *store, const struct store_season *season)
{
    int count = 0;
    int status;

    plain_text_printf(stdout, "season %s: ", season->name);
    status = store_option_status(store, store_roster_each(store, season->id, print_name, &count));
    if (status == COMMAND_DONE)
        puts(count == 0 ? "every bot takes part" : count == 1 ? " takes part" : " take part");
    return status;
}

int season_command_roster(struct season_request *request)
{
    static const char *names[ROSTER_NAMES_MAX];
    char *text = request->only ? strdup(request->only) : NULL;
    struct store_season season;
    struct store *store;
    int count = text ? cut_names(text, names) : 0;
    int status;

    if (count < 0 || (request->only && request->everybody))
        status = command_refuse(count < 0 ? "--only %s: is not a list of names, such as ant,bee"
                                          : "--only %s: excludes --all",
                                request->only);
    else
        status = open_to_change(request, &store, &season);
    if (status == COMMAND_DONE) {
        if (request->only || request->everybody)
            status = store_option_status(store,
                                         store_roster_set(store, season.id, names, (size_t)count));
        if (status == COMMAND_DONE)
            status = print_roster(store, &season);
        store_close(store);
    }
    free(text);
    return status;
}

/* ---- what was changed ---- */

struct listing {
    struct store *store;
    json_t *events; /* NULL: text */
};

static int tell_event(void *context, const struct store_event *event)
{
    const struct listing *listing = context;
    json_t *time = store_option_time(event->time_us);

    if (listing->events)
        return json_array_append_new(
            listing->events, json_pack("{s:I, s:o, s:s, s:s, s:b}", "event", (json_int_t)event->id,
                                       "time", time, "what", event->what, "about", event->about,
                                       "all_seasons", event->season_id == 0));
    plain_text_printf(stdout, "%6lld  %s  %-8s  %s\n", (long long)event->id,
                      json_string_value(time), event->what, event->about);
    json_decref(time);
    return 0;
}

static int tell_batch(void *context, const struct store_batch *batch)
{
    return json_array_append_new(context,
                                 json_pack("{s:i, s:i, s:I}", "batch", batch->number, "opening",
                                           batch->opening, "event", (json_int_t)batch->event));
}

int season_command_events(struct season_request *request)
{
    struct listing listing = {.events = request->json ? json_array() : NULL};
    json_t *batches = request->json ? json_array() : NULL;
    struct store_season season;
    int status = store_option_open_season(request->home, request->name, &listing.store, &season);

    if (status == COMMAND_DONE) {
        status = store_option_status(
            listing.store, store_events_each(listing.store, season.id, tell_event, &listing));
        if (status == COMMAND_DONE && request->json)
            status = store_option_status(
                listing.store, store_batches_each(listing.store, season.id, tell_batch, batches));
        store_close(listing.store);
    }
    if (status == COMMAND_DONE && request->json)
        return store_option_print(
            json_pack("{s:o, s:o}", "events", listing.events, "batches", batches));
    json_decref(listing.events);
    json_decref(batches);
    return status;
}
