/* The seasons that the scout sees, claims, loads and hands over. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/play/processor.h"
#include "arena/season/mix.h"
#include "arena/serve/scout_state.h"
#include "arena/store/leases.h"

enum {
    RETRY_S = 20,     /* after the arena failed a season */
    BUSY_RETRY_S = 2, /* while somebody else plays it */
};

static int64_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static struct known *find_known(struct scout *scout, const char *name)
{
    struct known *known;

    for (int i = 0; i < scout->known_count; i++)
        if (strcmp(scout->known[i].name, name) == 0)
            return &scout->known[i];
    if (scout->known_count == SCOUT_SEASONS_MAX)
        return NULL;
    known = &scout->known[scout->known_count++];
    *known = (struct known){.event = -1, .game_count = -1};
    snprintf(known->name, sizeof known->name, "%s", name);
    return known;
}

void scout_free_ready(struct scout_ready *ready)
{
    season_finish(&ready->season);
    store_close(ready->store); /* closing the store releases the claim, too */
    free(ready);
}

/* Tells why a season is not played, once. */
static void tell_trouble(struct scout *scout, struct known *known, const char *words)
{
    struct trouble *trouble;
    uint64_t told = 1;

    for (const char *at = words; *at; at++)
        told = mix(told, (uint8_t)*at);
    if (told == known->told || !(trouble = calloc(1, sizeof *trouble)))
        return;
    known->told = told;
    trouble->is_busy = known->is_busy;
    snprintf(trouble->season, sizeof trouble->season, "%s", known->name);
    snprintf(trouble->words, sizeof trouble->words, "%s", words);
    pthread_mutex_lock(&scout->mutex);
    trouble->next = scout->troubles;
    scout->troubles = trouble;
    pthread_mutex_unlock(&scout->mutex);
    ev_async_send(scout->loop, &scout->told);
}

static void give(struct scout *scout, struct known *known, struct scout_ready *ready)
{
    struct ready_list *link = malloc(sizeof *link);

    if (!link) {
        scout_free_ready(ready);
        return;
    }
    known->is_given = true;
    *link = (struct ready_list){.ready = ready};
    pthread_mutex_lock(&scout->mutex);
    link->next = scout->given;
    scout->given = link;
    pthread_mutex_unlock(&scout->mutex);
    ev_async_send(scout->loop, &scout->told);
}

/* Claims and loads a season, and passes it to the loop. */
static void load(struct scout *scout, struct known *known, int64_t event, int64_t budget)
{
    struct scout_ready *ready = calloc(1, sizeof *ready);
    int error;

    if (!ready)
        return;
    error = store_open(&ready->store, scout->options.url, STORE_WRITE);
    if (!error)
        error = store_season_try_claim(ready->store, known->name);
    known->is_busy = error == -EBUSY;
    if (!error)
        error = season_load(&ready->season, ready->store, known->name);
    if (!error && !scout->options.deals) {
        char processor[STORE_TEXT_BYTES_MAX + 1];

        processor_model(processor, sizeof processor);
        error = store_season_take_processor(ready->store, ready->season.terms.id, processor);
        if (error)
            season_finish(&ready->season);
    }
    if (!error) {
        error = store_season_deal(ready->store, ready->season.terms.id, scout->options.deals);
        ready->is_dealt = scout->options.deals && !error;
        error = error == -ENOTSUP ? 0 : error;
        if (error)
            season_finish(&ready->season);
    }
    if (error) {
        tell_trouble(scout, known, store_failure(ready->store));
        known->retry_s = now_s() + (known->is_busy ? BUSY_RETRY_S : RETRY_S);
        store_close(ready->store);
        free(ready);
        return;
    }
    known->event = event;
    known->budget = budget;
    known->game_count = ready->season.schedule.played_count;
    known->retry_s = 0;
    known->told = 0;
    give(scout, known, ready);
}

int scout_see_season(void *context, const struct store_season *season)
{
    struct scout *scout = context;
    struct scout_view *view = &scout->view;
    struct known *known;

    view->mark = mix(mix(mix(view->mark, (uint64_t)season->id), (uint64_t)season->closed_us),
                     (uint64_t)season->budget_games);
    if (season->closed_us || view->season_count == SCOUT_SEASONS_MAX ||
        !(known = find_known(scout, season->name)))
        return 0;
    known->is_seen = true;
    known->misses_tier = season->play.tier > scout->options.tier && !scout->options.deals;
    view->seasons[view->season_count] = (struct scout_season){.budget_games = season->budget_games,
                                                              .game_count = known->game_count};
    memcpy(view->seasons[view->season_count++].name, season->name, sizeof season->name);
    return 0;
}

/* Forgets seasons that were closed, so that there is room for others. */
void scout_forget_closed(struct scout *scout)
{
    int kept = 0;

    for (int i = 0; i < scout->known_count; i++)
        if (scout->known[i].is_seen || scout->known[i].is_given)
            scout->known[kept++] = scout->known[i];
    scout->known_count = kept;
}

/* Loads the seasons that have changed since they were last played. */
void scout_load_changed(struct scout *scout, int64_t event)
{
    for (int i = 0; i < scout->view.season_count && !scout_is_ending(scout); i++) {
        const struct scout_season *season = &scout->view.seasons[i];
        struct known *known = find_known(scout, season->name);

        if (!known || known->is_given || now_s() < known->retry_s ||
            (known->event == event && known->budget == season->budget_games))
            continue;
        if (known->misses_tier)
            tell_trouble(scout, known,
                         "its terms require a stronger sandbox than this machine has: `arena "
                         "doctor` says why");
        else
            load(scout, known, event, season->budget_games);
    }
    for (int i = 0; i < scout->known_count; i++) {
        const struct known *known = &scout->known[i];

        scout->view.is_played_elsewhere |= known->is_busy;
        if (!known->is_given) /* the loop tells of those that it has */
            scout->view.mark = mix(scout->view.mark, (uint64_t)known->game_count);
    }
}

/* Frees the seasons that the loop gave back. */
void scout_take_returned(struct scout *scout)
{
    struct ready_list *list;

    pthread_mutex_lock(&scout->mutex);
    list = scout->returned;
    scout->returned = NULL;
    pthread_mutex_unlock(&scout->mutex);
    while (list) {
        struct ready_list *next = list->next;
        struct known *known = find_known(scout, list->ready->season.terms.name);

        if (known) {
            known->is_given = false;
            known->game_count = list->ready->season.schedule.played_count;
            if (list->failed) {
                known->event = -1;
                known->retry_s = now_s() + RETRY_S;
            }
        }
        scout_free_ready(list->ready);
        free(list);
        list = next;
    }
}
