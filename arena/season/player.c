#include "arena/season/player.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/alarm.h"
#include "arena/play/foreground.h"
#include "arena/play/stop.h"
#include "arena/season/staging.h"

enum {
    UNBEGUN_MAX = 64, /* maximum number of games that wait for their bots to be unpacked */
    /* Results being stored; from this number on, the player requests no new game. */
    UNSTORED_MAX = 64,
    LOOK_MS = 500, /* pause between two looks for changes made by other processes */
};

struct player {
    struct player_options options;
    struct player_report report;
    struct season_thread *thread;
    struct staging *staging;
    struct runner *runner;
    struct ev_loop *loop;
    struct wire_clock clock; /* copy of the season's clock */
    bool tells_names;        /* bots learn the names of their opponents */
    ev_timer over;     /* calls ended_fn from the loop, where ended_fn may destroy the player */
    struct alarm look; /* rings when the player looks for changes again */
    struct season_game games[RUNNER_JOBS_MAX]; /* by slot: the game that the slot plays */
    bool is_playing[RUNNER_JOBS_MAX];          /* by slot: whether the slot plays a game */
    struct season_pick unbegun[UNBEGUN_MAX];
    int unbegun_count;
    int unstored_count;
    bool asking;        /* a request for a game is pending at the season's thread */
    bool rests;         /* no game can begin until a result is stored or something changes */
    bool has_told_all;  /* no game will begin any more in this run */
    int64_t told_count; /* number of games received from the season */
};

/* Lets no more games begin, and records the first failure as the reason. */
static void fail(struct player *player, const char *what)
{
    struct player_report *report = &player->report;

    if (!report->failed)
        snprintf(report->error, sizeof report->error, "%s", what);
    report->failed = true;
    runner_drain(player->runner);
}

/* ---- beginning games ---- */

static void ask(struct player *player)
{
    if (player->asking || player->rests || player->has_told_all || player->report.failed ||
        player->unbegun_count == UNBEGUN_MAX || player->unstored_count >= UNSTORED_MAX)
        return;
    player->asking = season_thread_ask(player->thread) == 0;
    if (!player->asking)
        fail(player, "out of memory");
}

/* True if all bots of a game are unpacked. */
static bool is_staged(struct player *player, const struct season_pick *told)
{
    for (int seat = 0; seat < told->game.player_count; seat++)
        if (staging_want(player->staging, told->game.entries[seat], &told->bots[seat], NULL) !=
            STAGING_READY)
            return false;
    return true;
}

static void fill_game(const struct player *player, const struct season_pick *told,
                      struct runner_game *filled)
{
    const struct season_game *game = &told->game;

    *filled = (struct runner_game){.last = true};
    snprintf(filled->terms.id, sizeof filled->terms.id, "%s", game->id);
    memcpy(filled->terms.seed, game->seed, sizeof filled->terms.seed);
    filled->terms.player_count = game->player_count;
    filled->terms.board = game->board;
    filled->terms.clock = player->clock;
    for (int seat = 0; seat < game->player_count; seat++) {
        filled->sources[seat] = staging_source(player->staging, game->entries[seat]);
        if (player->tells_names)
            memcpy(filled->terms.names[seat], told->bots[seat].name, sizeof told->bots[seat].name);
    }
}

static void remove_unbegun(struct player *player, int which)
{
    struct season_pick *at = &player->unbegun[which];

    memmove(at, at + 1, (size_t)(--player->unbegun_count - which) * sizeof *at);
}

/*
 * Fills *game with the oldest game whose bots are unpacked. If there is none, requests a game from
 * the season and returns false.
 */
static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct player *player = owner;

    for (int i = 0; i < player->unbegun_count; i++) {
        struct season_pick *told = &player->unbegun[i];

        if (!is_staged(player, told))
            continue;
        player->games[slot] = told->game;
        player->is_playing[slot] = true;
        fill_game(player, told, game);
        game->number = (uint64_t)slot;
        remove_unbegun(player, i);
        return true;
    }
    ask(player);
    return false;
}

static bool limit_is_reached(const struct player *player, const struct season_game *game)
{
    return player->options.game_limit && game->rotation == 0 &&
           player->told_count >= player->options.game_limit;
}

static void take_game(struct player *player, const struct season_pick *told)
{
    if (limit_is_reached(player, &told->game)) {
        player->has_told_all = true;
        season_thread_return(player->thread, &told->game);
        return;
    }
    player->told_count++;
    player->unbegun[player->unbegun_count++] = *told;
    /* Request all bots now: staging unpacks them while other games are played. */
    for (int seat = 0; seat < told->game.player_count; seat++)
        if (staging_want(player->staging, told->game.entries[seat], &told->bots[seat], NULL) < 0)
            fail(player, "out of memory");
}

/*
 * Gives back the games that have not begun, because the season was closed: they must be played in
 * the next opening.
 */
static void return_unbegun(struct player *player)
{
    while (player->unbegun_count > 0)
        if (season_thread_return(player->thread, &player->unbegun[--player->unbegun_count].game) <
            0)
            fail(player, "out of memory");
}

static void told(void *owner, int step, const struct season_pick *game, const char *failure)
{
    struct player *player = owner;

    player->asking = false;
    player->report.step = step;
    player->report.standing = *season_thread_standing(player->thread);
    if (step == SEASON_GAME)
        take_game(player, game);
    else if (step >= 0 || step == -EDOM)
        player->rests = true;
    else
        fail(player, failure);
    if (step == SEASON_CLOSED)
        return_unbegun(player);
    runner_wake(player->runner);
}

/* ---- changes made by others ---- */

static bool is_same(const struct season_game *a, const struct season_game *b)
{
    return a->group == b->group && a->rotation == b->rotation && a->opening == b->opening;
}

/* Ends the slot's game without a result. Returns false if the game already has a result. */
static bool give_up_slot(struct player *player, int slot)
{
    if (!runner_give_up(player->runner, slot))
        return false;
    player->is_playing[slot] = false;
    player->report.void_count++;
    return true;
}

/* Ends a game whose result would be void, and gives the game back to the season. */
static void give_up(struct player *player, const struct season_game *game)
{
    bool given_up = false;

    for (int slot = 0; slot < player->options.job_count; slot++)
        if (player->is_playing[slot] && is_same(&player->games[slot], game))
            given_up |= give_up_slot(player, slot);
    for (int i = player->unbegun_count - 1; i >= 0; i--) {
        if (!is_same(&player->unbegun[i].game, game))
            continue;
        remove_unbegun(player, i);
        given_up = true;
    }
    if (given_up && season_thread_return(player->thread, game) < 0)
        fail(player, "out of memory");
}

static void look(struct alarm *alarm)
{
    struct player *player = alarm->owner;
    struct season_game games[RUNNER_JOBS_MAX + UNBEGUN_MAX];
    size_t count = 0;

    for (int slot = 0; slot < player->options.job_count; slot++)
        if (player->is_playing[slot])
            games[count++] = player->games[slot];
    for (int i = 0; i < player->unbegun_count; i++)
        games[count++] = player->unbegun[i].game;
    if (season_thread_look(player->thread, games, count) < 0)
        fail(player, "out of memory");
}

static void looked(void *owner, const struct season_view *view, const char *failure)
{
    struct player *player = owner;

    if (!view) {
        fail(player, failure);
        return;
    }
    for (size_t i = 0; i < view->void_count; i++)
        give_up(player, &view->void_games[i]);
    if (!view->is_open) {
        player->report.step = SEASON_CLOSED;
        return_unbegun(player);
    } else if (view->changed) {
        player->rests = false;
    }
    alarm_set(&player->look, alarm_now_us() + LOOK_MS * 1000);
    if (view->changed || view->void_count > 0)
        runner_wake(player->runner);
}

static void staged(void *owner, int entry, const char *error)
{
    struct player *player = owner;

    (void)entry;
    if (error)
        fail(player, error);
    runner_wake(player->runner);
}

static void crowded(void *owner, const char *words)
{
    const struct player *player = owner;

    if (player->options.crowded_fn)
        player->options.crowded_fn(player->options.owner, words);
}

/* Called when no game is running. Returns whether the run continues. */
static bool waits(void *owner, bool begins)
{
    const struct player *player = owner;

    return player->unstored_count > 0 ||
           (begins && !player->report.failed && (player->asking || player->unbegun_count > 0));
}

/* ---- storing results ---- */

static void game_done(void *owner, const struct runner_game *ended, const struct table *table)
{
    struct player *player = owner;
    struct game_result *result = result_of_table(&player->games[ended->number], table);

    player->is_playing[ended->number] = false;
    if (!result || season_thread_store(player->thread, result) < 0)
        fail(player, "out of memory");
    else
        player->unstored_count++;
}

static void stored(void *owner, const struct game_result *result, int error, const char *failure)
{
    struct player *player = owner;

    player->unstored_count--;
    player->report.standing = *season_thread_standing(player->thread);
    player->rests = false; /* the next batch may have waited for this result */
    if (error == -ECANCELED) {
        player->report.void_count++; /* the season was closed before the result was stored */
    } else if (error) {
        fail(player, failure);
    } else {
        player->report.played_count++;
        for (int seat = 0; seat < result->game.player_count; seat++)
            player->report.forfeit_count += result->game.seats[seat].reason != WIRE_PLAYED;
    }
    runner_wake(player->runner);
}

/* ---- the course and the end of a run ---- */

static void tick(void *owner)
{
    struct player *player = owner;

    player->options.tick_fn(player->options.owner, &player->report);
}

static void tell_ended(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct player *player = timer->data;

    player->options.ended_fn(player->options.owner, &player->report);
}

static void stage_removed(void *owner)
{
    struct player *player = owner;

    ev_timer_start(player->loop, &player->over);
}

static void thread_ended(void *owner)
{
    struct player *player = owner;

    season_thread_destroy(player->thread); /* the season's owner may use the season again */
    player->thread = NULL;
    staging_remove(player->staging, stage_removed);
}

/*
 * All games are played. Ends the season's thread and staging without blocking the loop, which other
 * runners may use.
 */
static void ended(void *owner)
{
    struct player *player = owner;
    struct sandbox_failure failure;

    if (runner_failed(player->runner, &failure) && !player->report.failed) {
        snprintf(player->report.error, sizeof player->report.error,
                 "a game failed %d times: %s: %s", RUNNER_ATTEMPTS, failure.step,
                 strerror(failure.error));
        player->report.failed = true;
    }
    alarm_close(&player->look, player->loop);
    season_thread_end(player->thread, thread_ended);
}

/* Creates all parts of the player. Returns 0 or -errno. */
static int assemble(struct player *player, struct ev_loop *loop, struct season *season)
{
    const struct player_options *options = &player->options;
    const struct staging_options of_staging = {.url = store_url(season->store),
                                               .program = options->program,
                                               .sandbox = options->sandbox,
                                               .staged_fn = staged,
                                               .crowded_fn = crowded,
                                               .owner = player};
    const struct season_thread_options of_thread = {.season = season,
                                                    .finds_leaders = options->tick_fn != NULL,
                                                    .owner = player,
                                                    .told_fn = told,
                                                    .stored_fn = stored,
                                                    .looked_fn = looked};
    const struct runner_options of_runner = {.job_count = options->job_count,
                                             .jobs = options->jobs,
                                             .is_practice = options->is_practice,
                                             .pin = options->pin,
                                             .rules = options->rules,
                                             .owner = player,
                                             .next_fn = next_game,
                                             .waits_fn = waits,
                                             .done_fn = game_done,
                                             .crowded_fn = crowded,
                                             .tick_fn = options->tick_fn ? tick : NULL};
    int error;

    player->staging = staging_create(loop, &of_staging);
    if (!player->staging)
        return -errno;
    player->thread = season_thread_create(loop, &of_thread);
    if (!player->thread)
        return -errno;
    error = alarm_open(&player->look, loop, look, player);
    if (error)
        return error;
    alarm_set(&player->look, alarm_now_us() + LOOK_MS * 1000);
    player->report.standing = *season_thread_standing(player->thread);
    player->runner = runner_create(&of_runner, options->transport);
    if (!player->runner)
        return -errno;
    return runner_start(player->runner, loop, ended, player);
}

struct player *player_start(struct ev_loop *loop, const struct player_options *options)
{
    struct player *player = calloc(1, sizeof *player);
    int error;

    if (!player)
        return NULL;
    player->options = *options;
    player->options.season = NULL; /* the season's thread owns it */
    player->clock = options->season->terms.clock;
    player->tells_names = options->season->terms.is_practice;
    player->loop = loop;
    ev_timer_init(&player->over, tell_ended, 0., 0.);
    player->over.data = player;
    player->report.step = SEASON_GAME;
    error = assemble(player, loop, options->season);
    if (!error)
        return player;
    player_destroy(player);
    errno = -error;
    return NULL;
}

void player_games_each(const struct player *player,
                       void (*game_fn)(void *context, const struct table *table), void *context)
{
    runner_tables_each(player->runner, game_fn, context);
}

void player_interrupt(struct player *player)
{
    player->report.was_stopped = true;
    runner_interrupt(player->runner);
}

const struct player_report *player_report(const struct player *player)
{
    return &player->report;
}

void player_destroy(struct player *player)
{
    if (!player)
        return;
    alarm_close(&player->look, player->loop);
    if (player->loop)
        ev_timer_stop(player->loop, &player->over);
    runner_destroy(player->runner);
    season_thread_destroy(player->thread);
    staging_destroy(player->staging);
    free(player);
}

/* ---- in the foreground: on a loop of its own; signals interrupt the player ---- */

struct run {
    struct foreground foreground;
    struct player *player;
    struct player_report *report;
    const struct player_options *asked;
};

static void interrupt_run(void *owner)
{
    struct run *run = owner;

    player_interrupt(run->player);
}

static void run_ticks(void *owner, const struct player_report *report)
{
    struct run *run = owner;

    run->asked->tick_fn(run->asked->owner, report);
}

static void run_ended(void *owner, const struct player_report *report)
{
    struct run *run = owner;

    *run->report = *report;
    foreground_end(&run->foreground);
}

int player_run(const struct player_options *asked, struct player_report *report)
{
    struct run run = {.report = report, .asked = asked};
    struct player_options options = *asked;
    int error;

    *report = (struct player_report){.step = SEASON_GAME};
    if (stop_is_asked()) {
        report->was_stopped = true;
        return 0;
    }
    options.tick_fn = asked->tick_fn ? run_ticks : NULL;
    options.ended_fn = run_ended;
    options.owner = &run;
    error = foreground_open(&run.foreground, interrupt_run, &run);
    if (!error) {
        run.player = player_start(run.foreground.loop, &options);
        if (run.player)
            foreground_wait(&run.foreground);
        else
            error = -errno;
        player_destroy(run.player);
        foreground_close(&run.foreground);
    }
    if (error) {
        report->failed = true;
        snprintf(report->error, sizeof report->error, "the season cannot be played: %s",
                 strerror(-error));
    }
    return report->failed ? -1 : 0;
}
