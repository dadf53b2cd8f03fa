/* Seasons with leased groups: selects the next game, and handles its result. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/worker/host_state.h"

static int count_bits(unsigned bits)
{
    return __builtin_popcount(bits);
}

int host_unbegun_count(const struct host *host)
{
    int count = 0;

    for (const struct field *field = host->fields; field; field = field->next)
        for (const struct held *held = field->held; held; held = held->next)
            count += count_bits(held->unbegun);
    return count;
}

int host_playing_count(const struct host *host)
{
    int count = 0;

    for (const struct field *field = host->fields; field; field = field->next)
        for (const struct held *held = field->held; held; held = held->next)
            count += count_bits(held->playing);
    return count;
}

void host_release(struct field *field, struct held *held, bool back)
{
    struct held **at = &field->held;

    while (*at != held)
        at = &(*at)->next;
    *at = held->next;
    /* The end gives all of them back. */
    if (!field->host->has_ended && lessee_release(field->host->lessee, &held->lease, back) < 0)
        host_fail(field->host, "out of memory");
    free(held);
}

void host_settle(struct field *field, struct held *held)
{
    if (!held->unbegun && !held->playing && !held->unstored)
        host_release(field, held, held->is_lost);
    if (!field->held && !field->runner)
        ev_timer_start(field->host->foreground.loop, &field->over);
}

void host_drop(struct field *field, struct held *held)
{
    bool has_left = held->unbegun != 0;

    held->unbegun = 0;
    if (!held->playing && !held->unstored)
        host_release(field, held, has_left && !held->is_lost);
    else
        /* Given back when the running games are stored. */
        held->is_lost = held->is_lost || has_left;
}

void host_give_up(struct field *field, struct held *held)
{
    unsigned given_up = 0;

    for (int slot = 0; slot < field->host->jobs.count && field->runner && !field->is_over; slot++) {
        const struct host_game *played = &field->games[slot];
        unsigned bit = 1u << played->game.rotation;

        if (played->held != held || !(held->playing & bit))
            continue;
        held->playing &= ~bit; /* the runner may end with this game */
        given_up |= bit;
        if (!runner_give_up(field->runner, slot)) {
            held->playing |= bit;
            given_up &= ~bit;
        }
    }
    held->unbegun |= given_up;
    host_drop(field, held);
}

/* ---- the next game ---- */

static bool is_ready(const struct field *field, const struct held *held)
{
    const struct host *host = field->host;

    if (!held->unbegun || (host->is_down && !held->is_begun) ||
        (host->state != HOST_RUNNING && !held->is_begun))
        return false;
    for (int i = 0; i < held->lease.group.player_count; i++)
        if (held->bots[i]->state != HOST_BOT_READY)
            return false;
    return true;
}

static void fill_season_game(const struct field *field, const struct held *held, int rotation,
                             struct season_game *game)
{
    const struct store_group *group = &held->lease.group;

    *game = (struct season_game){.group = group->number,
                                 .rotation = rotation,
                                 .player_count = group->player_count,
                                 .board = group->board,
                                 .opening = held->lease.opening};
    store_game_id(game->id, field->season.name, group->number, rotation);
    memcpy(game->seed, held->lease.seeds[rotation], sizeof game->seed);
    for (int seat = 0; seat < group->player_count; seat++)
        game->entries[seat] = group->base[(seat + rotation) % group->player_count];
}

static void begin(struct field *field, struct held *held, int slot, struct runner_game *begun)
{
    struct host_game *played = &field->games[slot];
    const struct season_game *game = &played->game;
    int rotation = __builtin_ctz(held->unbegun);

    played->held = held;
    fill_season_game(field, held, rotation, &played->game);
    *begun = (struct runner_game){.last = true, .number = (uint64_t)slot};
    snprintf(begun->terms.id, sizeof begun->terms.id, "%s", game->id);
    memcpy(begun->terms.seed, game->seed, sizeof begun->terms.seed);
    begun->terms.player_count = game->player_count;
    begun->terms.board = game->board;
    begun->terms.clock = field->season.clock;
    for (int seat = 0; seat < game->player_count; seat++) {
        const struct host_bot *bot = held->bots[(seat + rotation) % game->player_count];

        begun->sources[seat] = staging_source(field->host->staging, bot->entry);
        if (field->season.is_practice)
            memcpy(begun->terms.names[seat], bot->bot.name, sizeof bot->bot.name);
    }
    held->unbegun &= ~(1u << rotation);
    held->playing |= 1u << rotation;
    held->is_begun = true;
}

/* Returns a game of a group that has begun if there is one, else of the oldest group. */
static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct field *field = owner;
    struct held *chosen = NULL;

    for (struct held *held = field->held; held; held = held->next)
        if (is_ready(field, held) && (!chosen || (held->is_begun && !chosen->is_begun)))
            chosen = held;
    if (chosen)
        begin(field, chosen, slot, game);
    return chosen != NULL;
}

/* Keeps the runner while it may still get games of a group. */
static bool waits(void *owner, bool begins)
{
    const struct field *field = owner;

    if (!begins)
        return false;
    for (const struct held *held = field->held; held; held = held->next)
        if (held->unbegun)
            return true;
    return false;
}

static void game_done(void *owner, const struct runner_game *ended, const struct table *table)
{
    struct field *field = owner;
    struct host *host = field->host;
    const struct host_game *played = &field->games[ended->number];
    struct held *held = played->held;
    unsigned bit = 1u << played->game.rotation;
    struct game_result *result = result_of_table(&played->game, table);

    host->game_us = table->wall_us;
    held->playing &= ~bit;
    if (result && lessee_store(host->lessee, result, &held->lease) == 0)
        held->unstored |= bit;
    else
        host_fail(host, "out of memory");
    host_go_on(host);
}

/* ---- the runner of a season ---- */

/* Handles games that the runner gave up: they are not played. */
static void give_up_playing(struct field *field)
{
    for (struct held *held = field->held, *next; held; held = next) {
        next = held->next;
        if (!held->playing)
            continue;
        held->unbegun |= held->playing;
        held->playing = 0;
        host_drop(field, held);
    }
}

/* The runner has ended: it had no more groups, was stopped, or failed. */
static void runner_ended(void *owner)
{
    struct field *field = owner;
    struct sandbox_failure failure;
    char line[256];

    field->is_over = true;
    if (runner_failed(field->runner, &failure)) {
        snprintf(line, sizeof line, "a game failed %d times: %s: %s", RUNNER_ATTEMPTS, failure.step,
                 strerror(failure.error));
        host_fail(field->host, line);
    }
    give_up_playing(field);
    ev_timer_start(field->host->foreground.loop, &field->over);
}

static void crowded(void *owner, const char *words)
{
    const struct field *field = owner;

    field->host->options.log_fn(HOST_ERROR, field->season.name, words);
}

static int start_runner(struct field *field)
{
    struct host *host = field->host;
    const struct runner_options options = {
        .job_count = host->options.worker.job_count,
        .jobs = &host->jobs,
        .pin = field->season.play.pin,
        .rules = {.memory_bytes = field->season.play.memory_bytes,
                  .freeze = field->season.play.freeze},
        .owner = field,
        .next_fn = next_game,
        .waits_fn = waits,
        .done_fn = game_done,
        .crowded_fn = crowded,
    };

    field->runner = runner_create(&options, host->options.transport);
    return field->runner ? runner_start(field->runner, host->foreground.loop, runner_ended, field)
                         : -errno;
}

void host_field_destroy(struct field *field)
{
    ev_timer_stop(field->host->foreground.loop, &field->over);
    runner_destroy(field->runner);
    for (struct held *held = field->held, *next; held; held = next) {
        next = held->next;
        free(held);
    }
    free(field);
}

/* Frees a season once its results are stored; or continues if groups were added meanwhile. */
static void take_apart(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct field *field = timer->data;
    struct host *host = field->host;
    struct field **at = &host->fields;

    (void)loop;
    (void)events;
    runner_destroy(field->runner);
    field->runner = NULL;
    field->is_over = false;
    if (field->held) {
        if (waits(field, host->state != HOST_ENDING) && start_runner(field) < 0)
            host_fail(host, "out of memory");
    } else {
        while (*at != field)
            at = &(*at)->next;
        *at = field->next;
        host_field_destroy(field);
    }
    host_go_on(host);
}

struct field *host_field(struct host *host, const struct store_season *season)
{
    struct field *field = host->fields;

    while (field && field->season.id != season->id)
        field = field->next;
    if (!field) {
        field = calloc(1, sizeof *field);
        if (!field)
            return NULL;
        field->host = host;
        field->season = *season;
        ev_timer_init(&field->over, take_apart, 0., 0.);
        field->over.data = field;
        field->next = host->fields;
        host->fields = field;
    }
    if (!field->runner && start_runner(field) < 0)
        return NULL;
    return field;
}
