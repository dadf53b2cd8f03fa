/* SPDX-License-Identifier: MIT */
/*
 * Workers and leases: who may play what, for how long, and whose deliveries the daemon finds. A
 * server without leases says so.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "arena/store/leases.h"
#include "arena/store/sql.h"
#include "tests/store/fixture.h"

enum {
    GROUPS = 4,
    LONG_US = 60000000,
    PAST_US = 1, /* has run out by the next call */
};

static struct fixture fixture;
static struct store_worker ada, bob;
static struct store_lease leases[LEASE_CLAIM_MAX];

static struct store_worker worker(const char *name, const char *processor)
{
    struct store_worker row = {.tier = 2, .job_count = 2, .core_count = 2, .playouts_per_s = 1000};
    struct utsname system;

    memset(row.identity, name[0], sizeof row.identity);
    strcpy(row.name, name);
    strcpy(row.version, "1.2");
    strcpy(row.host, "here");
    strcpy(row.processor, processor);
    uname(&system);
    strcpy(row.architecture, system.machine);
    return row;
}

/* Deals a group of whose games those of `due` are not played. */
static void deal(int64_t season_id, int number, unsigned due)
{
    struct store_dealt_group group = {
        .number = number, .due = due, .player_count = 2, .seeds = {{1}, {2}}};

    cr_assert_eq(store_group_deal(fixture.store, season_id, &group), 0, "%s",
                 store_failure(fixture.store));
}

static void create(void)
{
    if (!fixture_has_server())
        cr_skip_test("SQLite has no leases");
    fixture_create(&fixture);
    fixture_fill(&fixture, GROUPS);
    ada = worker("ada", "one");
    bob = worker("bob", "other");
    cr_assert_eq(store_worker_add(fixture.store, &ada), 0, "%s", store_failure(fixture.store));
    cr_assert_eq(store_worker_add(fixture.store, &bob), 0);
    cr_assert_eq(store_season_deal(fixture.store, fixture.season.id, true), 0);
    for (int group = 0; group < GROUPS; group++)
        deal(fixture.season.id, group, 3);
}

static void finish(void)
{
    fixture_remove(&fixture);
}

TestSuite(leases, .init = create, .fini = finish);

/* Claims, and returns how many groups came; without their bots' manifests. */
static int claim_for(const struct store_worker *who, int wanted, int64_t lease_us)
{
    const struct store_claim claim = {.group_count = wanted, .lease_us = lease_us};
    int count = store_lease_claim(fixture.store, who, &claim, leases);

    store_leases_finish(leases, count);
    return count;
}

static int deliver(const struct store_worker *who, const struct store_lease *lease, int rotation)
{
    return store_deliver(fixture.store, who, lease, rotation, 1000, (const uint8_t *)"replay", 6);
}

static void wait_past(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* ---- a back end without them ---- */

Test(no_leases, a_store_without_them_says_so)
{
    int64_t id;

    if (fixture_has_server())
        cr_skip_test("the server has leases");
    fixture_create(&fixture);
    fixture_fill(&fixture, GROUPS);
    id = fixture.season.id;
    cr_expect_eq(store_worker_add(fixture.store, &ada), -ENOTSUP);
    cr_expect_neq(strstr(store_failure(fixture.store), "postgresql://"), NULL, "the cure");
    cr_expect_eq(store_season_deal(fixture.store, id, true), -ENOTSUP);
    cr_expect_eq(store_season_deal(fixture.store, id, false), 0);
    cr_expect_eq(store_workers_release(fixture.store, "ada", NULL), -ENOTSUP);
    cr_expect_eq(store_leases_count(fixture.store, id), 0);
    finish();
}
/* ---- claims ---- */

Test(leases, what_was_played_without_workers_is_offered_no_more)
{
    for (int rotation = 0; rotation < 2; rotation++) {
        struct store_game game = fixture_game(1, rotation);

        cr_assert_eq(
            store_game_add(fixture.store, fixture.season.id, &game, (const uint8_t *)"replay", 6),
            0, "%s", store_failure(fixture.store));
    }
    cr_assert_eq(store_season_deal(fixture.store, fixture.season.id, false), 0);
    cr_assert_eq(store_season_deal(fixture.store, fixture.season.id, true), 0);
    cr_assert_eq(claim_for(&ada, LEASE_CLAIM_MAX, LONG_US), GROUPS - 1);
    cr_expect_eq(leases[0].group, 0);
    cr_expect_eq(leases[1].group, 2);
}

Test(leases, a_claim_has_what_it_takes_to_play)
{
    const struct store_claim claim = {.group_count = 1, .lease_us = LONG_US};
    const struct store_lease *lease = &leases[0];

    cr_assert_eq(store_lease_claim(fixture.store, &ada, &claim, leases), 1, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(lease->season.id, fixture.season.id);
    cr_expect_str_eq(lease->season.name, "spring");
    cr_expect_eq(lease->season.budget_games, 100);
    cr_expect_eq(lease->group, 0, "the oldest");
    cr_expect_eq(lease->player_count, 2);
    cr_expect_eq(lease->due, 3u);
    cr_expect_gt(lease->token, 0);
    cr_expect_eq(lease->opening, 0);
    cr_expect_str_eq(lease->bots[0].name, "first");
    cr_expect_str_eq(lease->bots[1].name, "second");
    cr_expect_str_eq(lease->bots[1].manifest, "{}");
    cr_expect_eq(lease->seeds[0][0], 1);
    cr_expect_eq(lease->seeds[1][0], 2);
    store_leases_finish(leases, 1);
}

Test(leases, no_group_is_claimed_twice)
{
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_assert_eq(claim_for(&bob, LEASE_CLAIM_MAX, LONG_US), GROUPS - 1);
    for (int i = 0; i < GROUPS - 1; i++)
        cr_expect_eq(leases[i].group, i + 1);
    cr_expect_eq(claim_for(&ada, 1, LONG_US), 0);
    cr_expect_eq(store_leases_count(fixture.store, fixture.season.id), GROUPS);
}

Test(leases, only_a_worker_that_registered_claims)
{
    struct store_worker eve = worker("eve", "one");

    cr_expect_eq(claim_for(&eve, 1, LONG_US), -ECANCELED);
    cr_assert_eq(store_worker_add(fixture.store, &eve), 0);
    cr_expect_gt(eve.id, bob.id);
    cr_expect_eq(claim_for(&eve, 1, LONG_US), 1);
}

static void dealt_under_another_opening(void)
{
    struct store_opening opening = {.number = 1, .commitment = FIXTURE_COMMITMENT, .opened_us = 1};

    cr_assert_eq(store_season_close(fixture.store, fixture.season.id, 9), 0);
    cr_assert_eq(store_season_reopen(fixture.store, fixture.season.id, 200, &opening), 0, "%s",
                 store_failure(fixture.store));
}

static void not_dealt(void)
{
    cr_assert_eq(store_season_deal(fixture.store, fixture.season.id, false), 0);
}

static void closing(void)
{
    cr_assert_eq(store_season_begin_close(fixture.store, fixture.season.id, INT64_C(1) << 52), 0);
}

static void closed(void)
{
    cr_assert_eq(store_season_close(fixture.store, fixture.season.id, 9), 0);
}

static void banned_with_its_games(void)
{
    cr_assert_eq(store_ban_add(fixture.store, "first", NULL, true, 9), 0);
}

static void all_played(void)
{
    for (int group = 0; group < GROUPS; group++)
        deal(fixture.season.id, group, 0);
}

static const struct {
    const char *season;
    void (*make_fn)(void);
} unclaimable[] = {
    {"that is played on the store's machine", not_dealt},
    {"that closes", closing},
    {"that is closed", closed},
    {"whose bot is banned with its games", banned_with_its_games},
    {"whose games are all stored", all_played},
    {"whose seeds were published", dealt_under_another_opening},
};

Test(leases, nothing_comes_of_a_season)
{
    for (size_t i = 0; i < sizeof unclaimable / sizeof *unclaimable; i++) {
        unclaimable[i].make_fn();
        cr_expect_eq(claim_for(&ada, 1, LONG_US), 0, "%s", unclaimable[i].season);
        finish();
        create();
    }
}

Test(leases, no_group_comes_with_a_bot_that_does_not_run_there)
{
    const int64_t barred[] = {2};
    const struct store_claim claim = {4, LONG_US, barred, 1};

    cr_expect_eq(store_lease_claim(fixture.store, &ada, &claim, leases), 0);
    cr_expect_eq(claim_for(&ada, 1, LONG_US), 1);
}

/* Adds a season with those terms, one group and nothing else to claim; returns what bob gets. */
static int claims_of(const struct store_season *terms)
{
    static const struct store_entry entries[] = {{0, 1, 0}, {1, 2, 0}};
    static const struct store_group groups[] = {{.number = 0, .player_count = 2, .base = {0, 1}},
                                                {.number = 1, .player_count = 2, .base = {1, 0}}};
    struct store_opening opening = {.commitment = FIXTURE_COMMITMENT, .opened_us = 1};
    struct store_season season = *terms;
    struct store_batch batch = {.connection = store_connection(fixture.store)};

    cr_assert_eq(store_season_deal(fixture.store, fixture.season.id, false), 0);
    cr_assert_eq(store_season_add(fixture.store, &season, &opening), 0, "%s",
                 store_failure(fixture.store));
    cr_assert_eq(store_event_latest(fixture.store, &batch.event), 0);
    cr_assert_eq(store_batch_add(fixture.store, season.id, &batch, entries, 2, groups, 2), 0);
    cr_assert_eq(store_season_deal(fixture.store, season.id, true), 0);
    deal(season.id, 0, 3);
    deal(season.id, 1, 3);
    return claim_for(&bob, 1, LONG_US);
}

Test(leases, a_season_says_what_may_play_it)
{
    static const struct store_season any = {
        .name = "autumn", .player_counts = {2}, .player_count_count = 1, .budget_games = 4};
    struct store_season terms = any;

    cr_expect_eq(claims_of(&terms), 1, "anybody");
    finish(), create(), terms = any;
    terms.play.tier = 3;
    cr_expect_eq(claims_of(&terms), 0, "a stronger tier than the worker's");
    finish(), create(), terms = any;
    terms.play.pin = true;
    cr_expect_eq(claims_of(&terms), 1, "a core for each job");
}

Test(leases, a_machine_for_which_no_bot_is_built_gets_nothing_and_is_told)
{
    struct store_worker eve = worker("eve", "one");

    strcpy(eve.architecture, "pdp11");
    cr_assert_eq(store_worker_add(fixture.store, &eve), 0);
    cr_expect_eq(claim_for(&eve, 1, LONG_US), -EPERM);
    cr_expect(strstr(store_failure(fixture.store), "and this machine is pdp11"), "%s",
              store_failure(fixture.store));
}

/* ---- leases that run out ---- */

Test(leases, a_lapsed_one_goes_to_who_asks_and_its_games_are_refused)
{
    struct store_lease old;

    cr_assert_eq(claim_for(&ada, 1, PAST_US), 1);
    old = leases[0];
    wait_past();
    cr_expect_eq(store_leases_count(fixture.store, fixture.season.id), 0);
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_expect_eq(leases[0].group, old.group, "before what nobody has had");
    cr_expect_gt(leases[0].token, old.token);
    cr_expect_eq(deliver(&ada, &old, 0), -ESTALE);
    cr_expect_eq(deliver(&bob, &leases[0], 0), 0, "%s", store_failure(fixture.store));
    cr_expect_eq(deliver(&ada, &leases[0], 1), -ESTALE, "by another than who holds it");
}

Test(leases, the_same_worker_claims_anew_under_another_token)
{
    struct store_lease old;

    cr_assert_eq(claim_for(&ada, 1, PAST_US), 1);
    old = leases[0];
    wait_past();
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_expect_eq(deliver(&ada, &old, 0), -ESTALE);
    cr_expect_eq(deliver(&ada, &leases[0], 0), 0);
}

Test(leases, a_lapsed_one_counts_until_another_claims)
{
    cr_assert_eq(claim_for(&ada, 1, PAST_US), 1);
    wait_past();
    cr_expect_eq(deliver(&ada, &leases[0], 0), 0, "%s", store_failure(fixture.store));
}

Test(leases, what_is_left_of_a_group_is_claimed_and_no_more)
{
    cr_assert_eq(claim_for(&ada, 1, PAST_US), 1);
    cr_assert_eq(deliver(&ada, &leases[0], 0), 0);
    wait_past();
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_expect_eq(leases[0].group, 0);
    cr_expect_eq(leases[0].due, 2u);
    cr_assert_eq(deliver(&bob, &leases[0], 1), 0);
    cr_expect_eq(store_leases_count(fixture.store, fixture.season.id), 2, "both are in the inbox");
}

struct renewed {
    int count;
    struct store_renewal last;
};

static int take_renewal(void *context, const struct store_renewal *renewal)
{
    struct renewed *renewed = context;

    renewed->count++;
    renewed->last = *renewal;
    return 0;
}

/* Renews ada's leases and returns the state of the last; -1 if there is none. */
static int renew(int expected_count)
{
    struct renewed renewed = {0};

    cr_assert_eq(store_lease_renew(fixture.store, &ada, LONG_US, take_renewal, &renewed), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(renewed.count, expected_count);
    return renewed.count ? (int)renewed.last.state : -1;
}

Test(leases, renewing_holds_what_is_held)
{
    cr_assert_eq(claim_for(&ada, 2, PAST_US), 2);
    wait_past();
    cr_expect_eq(renew(2), STORE_LEASE_PLAYED);
    cr_assert_eq(claim_for(&bob, LEASE_CLAIM_MAX, LONG_US), GROUPS - 2);
    cr_expect_eq(leases[0].group, 2);
}

Test(leases, renewing_tells_what_became_of_a_season)
{
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    closing();
    cr_expect_eq(renew(1), STORE_LEASE_CLOSING);
    cr_assert_eq(store_season_go_on(fixture.store, fixture.season.id), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(renew(1), STORE_LEASE_PLAYED);
    banned_with_its_games();
    cr_expect_eq(renew(1), STORE_LEASE_VOID);
    cr_assert_eq(store_ban_lift(fixture.store, "first", NULL, 10), 0);
    cr_assert_eq(store_season_begin_close(fixture.store, fixture.season.id, 1), 0);
    cr_expect_eq(renew(1), STORE_LEASE_VOID, "its time is past");
}

Test(leases, what_is_given_back_is_free_at_once)
{
    struct store_lease mine;

    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    mine = leases[0];
    cr_expect_eq(store_lease_return(fixture.store, &bob, &mine), 0, "another's");
    cr_expect_eq(renew(1), STORE_LEASE_PLAYED);
    cr_expect_eq(store_lease_return(fixture.store, &ada, &mine), 0);
    renew(0);
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_expect_eq(leases[0].group, 0);
    cr_expect_eq(deliver(&ada, &mine, 0), -ESTALE);
    cr_expect_eq(store_lease_return(fixture.store, &bob, NULL), 0, "all, at its end");
    cr_expect_eq(store_leases_count(fixture.store, fixture.season.id), 0);
}

/* The server's clock was set back: a lease that begins in the future blocks nobody. */
Test(leases, one_of_a_clock_that_was_set_back_has_lapsed)
{
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_assert_eq(sql_run(fixture.store,
                         SQL("UPDATE dealt_group SET held_from = held_from + interval '30 minutes',"
                             " held_until = held_until + interval '30 minutes'"
                             " WHERE worker IS NOT NULL")),
                 1, "%s", store_failure(fixture.store));
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_expect_eq(leases[0].group, 0);
}

/* ---- deliveries ---- */

/* Expects as many in the inbox, and reads the first. */
static struct store_delivery first_of(int expected_count)
{
    struct store_delivery deliveries[8] = {{0}};
    int count = store_deliveries_read(fixture.store, fixture.season.id, deliveries, 8);

    cr_assert_eq(count, expected_count, "%d: %s", count, store_failure(fixture.store));
    store_deliveries_finish(deliveries, count);
    return deliveries[0];
}

Test(leases, a_delivery_is_found_once)
{
    struct store_delivery delivery;

    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_expect_eq(deliver(&ada, &leases[0], 1), 0, "%s", store_failure(fixture.store));
    cr_expect_eq(deliver(&ada, &leases[0], 1), 0, "whose answer was lost");
    cr_expect_eq(deliver(&bob, &leases[0], 1), -ESTALE);
    delivery = first_of(1);
    cr_expect_eq(delivery.group, 0);
    cr_expect_eq(delivery.rotation, 1);
    cr_expect_eq(delivery.worker_id, ada.id);
    cr_expect_eq(delivery.wall_us, 1000);
    cr_expect_eq(delivery.replay_bytes, 6);
    deal(fixture.season.id, 0, 3); /* after a restart of the daemon: the lease and the game stay */
    cr_expect_eq(deliver(&ada, &leases[0], 0), 0);
    first_of(2);
}

Test(leases, a_delivery_that_is_not_believed_is_dealt_again)
{
    struct store_delivery delivery;
    struct store_lease old;

    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    old = leases[0];
    cr_assert_eq(deliver(&ada, &old, 0), 0);
    delivery = first_of(1);
    cr_assert_eq(store_delivery_refuse(fixture.store, fixture.season.id, &delivery, "a lie"), 0,
                 "%s", store_failure(fixture.store));
    first_of(0);
    cr_expect_eq(deliver(&ada, &old, 1), -ESTALE, "all of the group is taken from it");
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_expect_eq(leases[0].group, 0);
    cr_expect_eq(leases[0].due, 3u);
}

/* Another session of ada's, which leaves its transaction open. */
static struct store *open_transaction(void)
{
    struct store *other;

    cr_assert_eq(store_open(&other, store_url(fixture.store), STORE_WRITE), 0);
    cr_assert_eq(store_begin(other), 0);
    return other;
}

Test(leases, a_lie_about_a_group_that_its_worker_keeps_locked_is_refused)
{
    struct store_delivery delivery;
    struct store *other;

    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_assert_eq(deliver(&ada, &leases[0], 0), 0);
    delivery = first_of(1);
    other = open_transaction();
    cr_assert_eq(store_lease_renew(other, &ada, LONG_US, take_renewal, &(struct renewed){0}), 0);
    cr_expect_eq(store_delivery_refuse(fixture.store, fixture.season.id, &delivery, "a lie"), 0,
                 "%s", store_failure(fixture.store));
    first_of(0);
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_expect_eq(leases[0].group, 0, "dealt again, beside the row that is locked");
    cr_expect_eq(leases[0].due, 3u);
    cr_assert_eq(store_commit(other), 0);
    renew(0);
    store_close(other);
}

/* Deals groups again that have been locked for a minute. Returns their number. */
static int deal_locked(void)
{
    struct store_locked_groups groups;

    cr_assert_eq(store_groups_deal_locked(fixture.store, fixture.season.id, &groups), 0, "%s",
                 store_failure(fixture.store));
    cr_assert_geq(
        sql_run(fixture.store, SQL("UPDATE locked_group SET since = since - interval '61 s'")), 0);
    return groups.count;
}

static int rows_of_offers(void)
{
    int64_t count;

    cr_assert_eq(sql_number(fixture.store, SQL("SELECT count(*) FROM dealt_group"), &count), 0);
    return (int)count;
}

Test(leases, groups_that_an_open_transaction_claims_are_dealt_again)
{
    struct store *other = open_transaction();
    const struct store_claim claim = {.group_count = GROUPS, .lease_us = LONG_US};
    struct store_lease kept[GROUPS];

    cr_assert_eq(store_lease_claim(other, &ada, &claim, kept), GROUPS, "%s", store_failure(other));
    cr_expect_eq(claim_for(&bob, GROUPS, LONG_US), 0);
    cr_expect_eq(deal_locked(), 0, "for less than a minute");
    cr_expect_eq(deal_locked(), GROUPS);
    cr_expect_eq(deal_locked(), 0, "once");
    cr_expect_eq(claim_for(&bob, GROUPS, LONG_US), GROUPS, "nobody waits for ada");
    cr_assert_eq(store_deliver(other, &ada, &kept[0], 0, 1000, (const uint8_t *)"replay", 6),
                 -ESTALE, "%s", store_failure(other));
    store_rollback(other);
    cr_expect_eq(deliver(&bob, &leases[0], 0), 0, "%s", store_failure(fixture.store));
    cr_expect_eq(deal_locked(), 0);
    cr_expect_eq(rows_of_offers(), GROUPS, "rows that were replaced go when nobody locks them");
    cr_expect_eq(claim_for(&ada, GROUPS, LONG_US), 0);
    store_leases_finish(kept, GROUPS);
    store_close(other);
}

Test(leases, a_delivery_that_is_not_committed_keeps_nobody_waiting)
{
    struct store *other;
    struct store_lease mine;

    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    mine = leases[0];
    other = open_transaction();
    cr_assert_eq(store_deliver(other, &ada, &mine, 0, 1000, (const uint8_t *)"replay", 6), 0);
    cr_expect_eq(store_workers_release(fixture.store, "ada", NULL), 1, "%s",
                 store_failure(fixture.store));
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_expect_eq(leases[0].group, 0);
    cr_expect_eq(deliver(&bob, &leases[0], 0), 0, "%s", store_failure(fixture.store));
    cr_assert_eq(store_commit(other), 0, "%s", store_failure(other));
    first_of(2); /* of the same game: the dealer keeps one */
    store_close(other);
}

/* ---- a daemon whose season is another's ---- */

static struct store_delivery delivery_of_ada;

static int refuse(struct store *store, int64_t id)
{
    return store_delivery_refuse(store, id, &delivery_of_ada, "unknown");
}

static int drop_all(struct store *store, int64_t id)
{
    return store_season_deal(store, id, false);
}

static int add_game(struct store *store, int64_t id)
{
    struct store_game game = fixture_game(0, 0);

    return store_game_add(store, id, &game, (const uint8_t *)"replay", 6);
}

static int add_batch(struct store *store, int64_t id)
{
    return store_batch_add(store, id, &(struct store_batch){.number = 1}, NULL, 0, NULL, 0);
}

static int prune(struct store *store, int64_t id)
{
    struct store_pruned pruned;

    return store_replays_prune(store, id, 0, 64, &pruned);
}

static int close_it(struct store *store, int64_t id)
{
    return store_season_close(store, id, 9);
}

/* What a daemon does in a transaction of its own: remove deliveries, deal and clear groups. */
static int begin(struct store *store, int64_t id)
{
    int error = store_begin(store);

    store_rollback(store);
    return error;
}

static const struct write {
    const char *name;
    int (*write_fn)(struct store *store, int64_t season_id);
} writes[] = {{"refuse a delivery", refuse},
              {"drop all deliveries", drop_all},
              {"add a game", add_game},
              {"add a batch", add_batch},
              {"prune replays", prune},
              {"close the season", close_it},
              {"begin", begin}};

Test(leases, a_store_that_lost_its_claim_writes_nothing)
{
    int64_t id = fixture.season.id;
    struct store *paused;

    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_assert_eq(deliver(&ada, &leases[0], 0), 0);
    delivery_of_ada = first_of(1);
    cr_assert_eq(store_open(&paused, store_url(fixture.store), STORE_WRITE), 0);
    cr_assert_eq(store_season_claim(paused, "spring", false), 0);
    cr_assert_eq(store_claim_check(paused), 0, "%s", store_failure(paused));
    cr_assert_eq(sql_change(fixture.store, SQL("UPDATE claim SET expires_at = now()")), 0);
    cr_assert_eq(store_season_claim(fixture.store, "spring", false), 0);
    cr_expect_eq(store_claim_check(paused), -EOWNERDEAD);
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        cr_expect_eq(writes[i].write_fn(paused, id), -EOWNERDEAD, "%s: %s", writes[i].name,
                     store_failure(paused));
    store_close(paused);
    cr_expect_eq(store_claim_check(fixture.store), 0, "whose claim it is");
    first_of(1);
}

static int take_ada(void *context, const struct store_worker *row)
{
    if (row->id == ada.id)
        *(struct store_worker *)context = *row;
    return 0;
}

Test(leases, who_lies_often_gets_no_more_until_released)
{
    struct store_worker row = {0};

    for (int i = 0; i < 8; i++) {
        struct store_delivery delivery;

        cr_assert_eq(claim_for(&ada, 1, LONG_US), 1, "%s", store_failure(fixture.store));
        cr_assert_eq(deliver(&ada, &leases[0], 0), 0);
        delivery = first_of(1);
        cr_assert_eq(store_delivery_refuse(fixture.store, fixture.season.id, &delivery, "a lie"),
                     0);
    }
    cr_expect_eq(claim_for(&ada, 1, LONG_US), -EPERM);
    cr_expect(strstr(store_failure(fixture.store), "arena workers release ada"), "%s",
              store_failure(fixture.store));
    cr_expect_eq(claim_for(&bob, 1, LONG_US), -EPERM, "another identity of the same role");
    cr_expect_eq(sql_run(fixture.store, SQL("UPDATE refusal SET role = 'another'")), 8);
    cr_expect_eq(claim_for(&bob, 1, LONG_US), 1, "of another role");
    cr_expect_eq(sql_run(fixture.store, SQL("UPDATE refusal SET role = session_user")), 8);
    cr_assert_eq(store_workers_each(fixture.store, take_ada, &row), 0);
    cr_expect_eq(row.refused_count, 8);
    cr_expect_str_eq(row.refusal, "spring group 0, rotation 0: a lie");
    cr_expect_eq(store_workers_release(fixture.store, "ada", NULL), 0, "it holds none");
    cr_expect_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_expect_eq(store_workers_release(fixture.store, "ada", NULL), 1);
    cr_expect_eq(deliver(&ada, &leases[0], 0), -ESTALE);
    cr_expect_eq(store_workers_release(fixture.store, "eve", NULL), -ENOENT);
}

Test(leases, a_sick_worker_is_set_aside_until_it_is_released)
{
    struct store_worker row = {0};
    struct store_lease old;
    char name[STORE_TEXT_BYTES_MAX + 1];

    cr_assert_eq(claim_for(&ada, 2, LONG_US), 2);
    old = leases[1];
    cr_assert_eq(deliver(&ada, &leases[0], 0), 0);
    cr_assert_eq(
        store_worker_set_aside(fixture.store, fixture.season.id, ada.id, "it is sick", name), 0,
        "%s", store_failure(fixture.store));
    cr_expect_str_eq(name, "ada");
    first_of(0);
    cr_expect_eq(deliver(&ada, &old, 0), -ESTALE);
    cr_expect_eq(claim_for(&ada, 1, LONG_US), -EPERM);
    cr_expect(strstr(store_failure(fixture.store), "worker ada is set aside: it is sick"), "%s",
              store_failure(fixture.store));
    cr_assert_eq(store_workers_each(fixture.store, take_ada, &row), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_str_eq(row.aside, "it is sick");
    cr_expect_not(row.drains);
    cr_assert_eq(claim_for(&bob, GROUPS, LONG_US), GROUPS, "what it held and delivered");
    cr_expect_eq(leases[0].due, 3u);
    cr_expect_eq(store_workers_release(fixture.store, "bob", NULL), GROUPS);
    cr_expect_eq(store_workers_release(fixture.store, "ada", NULL), 0);
    cr_expect_eq(claim_for(&ada, 1, LONG_US), 1);
}

/* Registers ada once more, as a worker of another role. */
static struct store_worker add_namesake(void)
{
    struct store_worker namesake = worker("ada", "one");

    memset(namesake.identity, 'n', sizeof namesake.identity);
    cr_assert_eq(store_worker_add(fixture.store, &namesake), 0);
    cr_assert_eq(sql_run(fixture.store, SQL("UPDATE worker SET role = 'another' WHERE id = $1",
                                            sql_int(namesake.id))),
                 1);
    return namesake;
}

Test(leases, a_worker_of_another_role_with_the_same_name_is_another_worker)
{
    struct store_worker namesake = add_namesake();
    struct store_season_workers workers;
    struct store_worker_figures figures[4];
    char name[STORE_TEXT_BYTES_MAX + 1];

    cr_assert_eq(claim_for(&ada, 2, LONG_US), 2);
    cr_assert_eq(deliver(&ada, &leases[0], 0), 0);
    cr_assert_eq(
        store_worker_set_aside(fixture.store, fixture.season.id, namesake.id, "sick", name), 0,
        "%s", store_failure(fixture.store));
    cr_expect_eq(deliver(&ada, &leases[1], 0), 0, "what it holds");
    cr_expect_eq(deliver(&ada, &leases[0], 0), 0, "what it has delivered");
    cr_expect_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_expect_eq(claim_for(&namesake, 1, LONG_US), -EPERM);
    cr_assert_eq(store_season_workers(fixture.store, &fixture.season, &workers), 0);
    cr_expect_eq(workers.alive_count, 3);
    cr_expect_eq(workers.barred_count, 1, "the namesake");
    cr_expect_eq(workers.fit_count, 2, "ada and bob");
    cr_assert_eq(store_workers_measure(fixture.store, figures, 4), 3);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(figures[i].aside, figures[i].id == namesake.id);

    cr_expect_eq(store_workers_release(fixture.store, "ada", NULL), -EINVAL, "which of them?");
    cr_expect_eq(store_workers_drain(fixture.store, "ada", NULL), -EINVAL);
    cr_expect(strstr(store_failure(fixture.store), "workers of 2 roles have the name ada"), "%s",
              store_failure(fixture.store));
    cr_expect_eq(store_workers_drain(fixture.store, "ada", "eve"), -ENOENT);
    cr_expect_eq(store_workers_drain(fixture.store, "ada", "another"), 0);
    cr_expect_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_expect_eq(store_workers_release(fixture.store, "ada", "another"), 0);
    cr_expect_eq(claim_for(&namesake, 1, LONG_US), 0, "all are claimed");
}

Test(leases, a_worker_that_started_before_it_was_drained_shall_end)
{
    struct store_worker row = {0}, later = worker("ada", "one");

    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_expect_eq(store_workers_drain(fixture.store, "eve", NULL), -ENOENT);
    cr_assert_eq(store_workers_drain(fixture.store, "ada", NULL), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(claim_for(&ada, 1, LONG_US), -ESHUTDOWN);
    cr_expect_eq(deliver(&ada, &leases[0], 0), 0, "what it has begun");
    cr_assert_eq(store_workers_each(fixture.store, take_ada, &row), 0);
    cr_expect(row.drains && !*row.aside);
    memset(later.identity, 'l', sizeof later.identity);
    cr_assert_eq(store_worker_add(fixture.store, &later), 0);
    cr_expect_eq(claim_for(&later, 1, LONG_US), 1);
    cr_expect_eq(claim_for(&bob, 1, LONG_US), 1);
}

Test(leases, nothing_is_delivered_into_a_season_that_was_closed_or_taken_back)
{
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    closed();
    cr_expect_eq(deliver(&ada, &leases[0], 0), -ECANCELED);
    finish();
    create();
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    not_dealt();
    cr_expect_eq(deliver(&ada, &leases[0], 0), -ESTALE);
}

Test(leases, games_that_an_organizer_voids_include_those_that_are_not_judged)
{
    struct store_season *season = &fixture.season;
    struct store_game game = fixture_game(1, 0);

    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_assert_eq(deliver(&ada, &leases[0], 0), 0);
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_assert_eq(deliver(&bob, &leases[0], 0), 0);
    game.worker_id = ada.id;
    cr_assert_eq(store_game_add(fixture.store, season->id, &game, (uint8_t *)"r", 1), 0);
    cr_expect_eq(store_games_void(fixture.store, season, ada.id, INT64_C(1) << 52), -ENOENT,
                 "none began so late");
    cr_expect_eq(store_games_void(fixture.store, season, ada.id, 0), 2, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(first_of(1).worker_id, bob.id);
    cr_assert_eq(store_season_begin_close(fixture.store, season->id, 1), 0);
    cr_expect_eq(store_games_void(fixture.store, season, bob.id, 0), -EINVAL);
    cr_expect(strstr(store_failure(fixture.store), "being closed"), "%s",
              store_failure(fixture.store));
}

/* Those that never played are forgotten, the longest silent first; a lease is something. */
Test(leases, a_flood_of_registrations_stays_small)
{
    int64_t count;

    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    for (int i = 0; i < 1100; i++) {
        struct store_worker eve = worker("eve", "one");

        memcpy(eve.identity, &i, sizeof i);
        cr_assert_eq(store_worker_add(fixture.store, &eve), 0, "%s", store_failure(fixture.store));
    }
    cr_assert_eq(sql_number(fixture.store, SQL("SELECT count(*) FROM worker"), &count), 0);
    cr_expect_leq(count, 1002);
    cr_expect_eq(claim_for(&ada, 1, LONG_US), 1, "%s", store_failure(fixture.store));
}

static int take_seats(void *context, const struct store_worker_seats *seats)
{
    struct store_worker_seats *sum = context;

    cr_expect_eq(seats->worker_id, ada.id);
    cr_expect(seats->seat_count == 2 || seats->forfeit_count == 1);
    sum->seat_count += seats->seat_count;
    sum->forfeit_count += seats->forfeit_count;
    sum->late_count += seats->late_count;
    return 0;
}

/* Takes ada's deliveries as the daemon does. */
static void store_all(void)
{
    for (int rotation = 0; rotation < 2; rotation++) {
        struct store_delivery delivery = first_of(2 - rotation);
        struct store_game game = fixture_game(delivery.group, delivery.rotation);

        game.worker_id = delivery.worker_id;
        game.layers = 3;
        game.forfeits = rotation ? "[{}, null]" : NULL;
        game.seats[0].reason = rotation ? WIRE_TIMEOUT : WIRE_PLAYED;
        cr_assert_eq(store_begin(fixture.store), 0);
        cr_assert_eq(
            store_game_add(fixture.store, fixture.season.id, &game, (const uint8_t *)"replay", 6),
            0, "%s", store_failure(fixture.store));
        cr_assert_eq(store_delivery_remove(fixture.store, fixture.season.id, &delivery), 1);
        cr_expect_eq(store_delivery_remove(fixture.store, fixture.season.id, &delivery), 0, "gone");
        cr_assert_eq(store_groups_clear(fixture.store, fixture.season.id), 0);
        cr_assert_eq(store_commit(fixture.store), 0, "%s", store_failure(fixture.store));
    }
}

Test(leases, a_worker_is_listed_with_what_it_played)
{
    struct store_worker row = {0};
    struct store_worker_seats sum = {.seat_count = 0};

    cr_assert_eq(claim_for(&ada, 2, LONG_US), 2);
    cr_assert_eq(deliver(&ada, &leases[0], 0), 0);
    cr_assert_eq(deliver(&ada, &leases[0], 1), 0);
    store_all();
    cr_expect_eq(deliver(&ada, &leases[0], 1), 0, "whose answer was lost until it was stored");
    cr_assert_eq(store_workers_each(fixture.store, take_ada, &row), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_str_eq(row.name, "ada");
    cr_expect_eq(row.game_count, 2);
    cr_expect_eq(row.lease_count, 1, "one group is whole");
    cr_expect_eq(row.layers, 3u, "that held in all its games");
    cr_expect_eq(row.ended_us, 0);
    cr_expect_str_empty(row.refusal);
    cr_expect_eq(row.identity[0], 0, "its secret is not listed");
    cr_expect_eq(store_worker_seats_each(fixture.store, take_seats, &sum), 0);
    cr_expect(sum.seat_count == 4 && sum.forfeit_count == 1 && sum.late_count == 1);
    cr_assert_eq(store_lease_return(fixture.store, &ada, NULL), 0);
    cr_assert_eq(store_workers_each(fixture.store, take_ada, &row), 0);
    cr_expect_gt(row.ended_us, 0);
}

/* ---- packages ---- */

Test(leases, packages_come_to_who_holds_a_group_of_theirs)
{
    struct store_part part;
    const char *sha256 = leases[0].bots[0].built_sha256;

    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_expect_eq(store_lease_package_read(fixture.store, &bob, sha256, 0, &part), -ENOENT);
    cr_assert_eq(store_lease_package_read(fixture.store, &ada, sha256, 4, &part), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(part.whole_bytes, sizeof "not looked into");
    cr_expect_eq(part.size, sizeof "looked into");
    cr_expect_str_eq((const char *)part.bytes, "looked into");
    free(part.bytes);
}
