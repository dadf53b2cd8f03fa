/* The thread that owns a worker's connection, on a store that does not answer. */
#include <criterion/criterion.h>
#include <errno.h>
#include <ev.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/backend.h"
#include "arena/worker/lessee.h"

static int open_nothing(struct store *store, const char *address, enum store_mode mode)
{
    (void)address;
    (void)mode;
    store_set_state(store, NULL);
    return 0;
}

static void close_nothing(struct store *store)
{
    (void)store;
}

static int away(struct store *store)
{
    return store_refuse(store, -ENOTCONN, "the server is away");
}

static int add_away(struct store *store, const struct store_worker *worker,
                    const struct store_lease *lease, const struct store_game *game,
                    const uint8_t *replay, size_t replay_bytes)
{
    (void)worker;
    (void)lease;
    (void)game;
    (void)replay;
    (void)replay_bytes;
    return away(store);
}

static int renew_away(struct store *store, const struct store_worker *worker, int64_t lease_us,
                      store_lease_fn *each_fn, void *context)
{
    (void)worker;
    (void)lease_us;
    (void)each_fn;
    (void)context;
    return away(store);
}

static int return_away(struct store *store, const struct store_worker *worker,
                       const struct store_lease *lease)
{
    (void)worker;
    (void)lease;
    return away(store);
}

static const struct store_backend away_backend = {.scheme = "away",
                                                  .open = open_nothing,
                                                  .close = close_nothing,
                                                  .lease_game_add = add_away,
                                                  .lease_renew = renew_away,
                                                  .lease_return = return_away};

enum {
    PATIENCE_S = 30,
    END_US = 300000,
    LEASE_US = 60000000,
};

struct run {
    struct ev_loop *loop;
    bool has_ended, all_stored;
};

static void ended(void *owner, bool all_stored)
{
    struct run *run = owner;

    run->has_ended = true;
    run->all_stored = all_stored;
    ev_break(run->loop, EVBREAK_ALL);
}

static void link_changed(void *owner, bool is_up, const char *words)
{
    (void)owner;
    (void)is_up;
    (void)words;
}

static void give_up(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)timer;
    (void)events;
    ev_break(loop, EVBREAK_ALL);
}

static struct game_result *result_of_two(void)
{
    struct game_result *result = calloc(1, sizeof *result);

    result->game.player_count = 2;
    result->game.seats[1].entry = 1;
    result->game.seats[0].rank = result->game.seats[1].rank = 1;
    result->replay = calloc(1, 1);
    result->replay_bytes = 1;
    return result;
}

/*
 * A release behind the end, as a group that was just played is released, does not hide the end's
 * deadline.
 */
Test(lessee, an_end_is_waited_for_no_longer_than_asked)
{
    struct run run = {.loop = ev_loop_new(EVFLAG_AUTO)};
    struct lessee_options options = {
        .lease_us = LEASE_US, .owner = &run, .link_fn = link_changed, .ended_fn = ended};
    const struct store_lease lease = {.token = 1};
    struct lessee *lessee;
    ev_timer patience;

    cr_assert_eq(store_open_backend(&options.store, &away_backend, "", STORE_WRITE), 0);
    lessee = lessee_create(run.loop, &options);
    cr_assert_not_null(lessee);
    cr_assert_eq(lessee_store(lessee, result_of_two(), &lease), 0);
    cr_assert_eq(lessee_end(lessee, END_US), 0);
    cr_assert_eq(lessee_release(lessee, &lease, false), 0);
    ev_timer_init(&patience, give_up, PATIENCE_S, 0.);
    ev_timer_start(run.loop, &patience);
    ev_run(run.loop, 0);
    cr_expect(run.has_ended, "it waits for a store that is away");
    cr_expect_not(run.all_stored);
    ev_timer_stop(run.loop, &patience);
    lessee_destroy(lessee);
    store_close(options.store);
    ev_loop_destroy(run.loop);
}
