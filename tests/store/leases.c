/*
 * Workers and leases, for any back end: who may play what, for how long, and whose results count.
 * A back end without leases says so.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/store/leases.h"
#include "tests/store/fixture.h"

enum {
    GROUPS = 4,
    LONG_US = 60000000,
    PAST_US = 1, /* has run out by the next call */
};

static struct fixture fixture;
static struct store_worker ada, bob;
static struct store_lease leases[LEASE_CLAIM_MAX];

/* True if the back end has leases; SQLite has none. */
static bool has_leases(void)
{
    return getenv("STORE_TEST_BACKEND") != NULL;
}

static struct store_worker worker(const char *name, const char *processor)
{
    struct store_worker row = {.tier = 2, .job_count = 2, .core_count = 2, .playouts_s = 1000};

    memset(row.identity, name[0], sizeof row.identity);
    strcpy(row.name, name);
    strcpy(row.host, "here");
    strcpy(row.processor, processor);
    strcpy(row.architecture, "x86_64");
    return row;
}

static void create(void)
{
    fixture_create(&fixture);
    fixture_fill(&fixture, GROUPS);
    ada = worker("ada", "one");
    bob = worker("bob", "other");
    if (!has_leases())
        return;
    cr_assert_eq(store_worker_add(fixture.store, &ada), 0, "%s", store_failure(fixture.store));
    cr_assert_eq(store_worker_add(fixture.store, &bob), 0);
    cr_assert_eq(store_season_deal(fixture.store, fixture.season.id, true), 0);
}

static void finish(void)
{
    fixture_remove(&fixture);
}

TestSuite(leases, .init = create, .fini = finish);

/* Claims, and returns how many groups came. */
static int claim_for(const struct store_worker *who, int count, int64_t lease_us)
{
    const struct store_claim claim = {.group_count = count, .lease_us = lease_us};

    return store_lease_claim(fixture.store, who, &claim, leases);
}

/* Stores a game of a lease; its seed is the one that came with the lease. */
static int add(const struct store_worker *who, const struct store_lease *lease, int rotation)
{
    struct store_game game = fixture_game(lease->group.number, rotation);

    memcpy(game.seed, lease->seeds[rotation], sizeof game.seed);
    game.opening = lease->opening;
    game.play = lease->season.play;
    return store_lease_game_add(fixture.store, who, lease, &game, (const uint8_t *)"replay", 6);
}

static void wait_past(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* ---- a back end without them ---- */

Test(leases, a_store_without_them_says_so)
{
    int64_t id = fixture.season.id;

    if (has_leases())
        return;
    cr_expect_eq(store_worker_add(fixture.store, &ada), -ENOTSUP);
    cr_expect_neq(strstr(store_failure(fixture.store), "postgresql://"), NULL, "the cure");
    cr_expect_eq(store_season_deal(fixture.store, id, true), -ENOTSUP);
    cr_expect_eq(store_season_deal(fixture.store, id, false), 0);
    cr_expect_eq(claim_for(&ada, 1, LONG_US), -ENOTSUP);
    cr_expect_eq(store_leases_count(fixture.store, id), 0);
    cr_expect_eq(store_lease_return(fixture.store, &ada, NULL), -ENOTSUP);
}

/* ---- claims ---- */

Test(leases, a_claim_has_what_it_takes_to_play)
{
    const struct store_lease *lease = &leases[0];

    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1, "%s", store_failure(fixture.store));
    cr_expect_eq(lease->season.id, fixture.season.id);
    cr_expect_str_eq(lease->season.name, "spring");
    cr_expect_eq(lease->season.budget_games, 100);
    cr_expect_eq(lease->group.number, 0, "the oldest");
    cr_expect_eq(lease->group.player_count, 2);
    cr_expect_eq(lease->due, 3u);
    cr_expect_eq(lease->token, 1);
    cr_expect_eq(lease->opening, 0);
    cr_expect_str_eq(lease->bots[0].name, "first");
    cr_expect_str_eq(lease->bots[1].name, "second");
    cr_expect_neq(memcmp(lease->seeds[0], lease->seeds[1], GAME_SEED_BYTES), 0);
}

Test(leases, no_group_is_claimed_twice)
{
    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_assert_eq(claim_for(&bob, LEASE_CLAIM_MAX, LONG_US), GROUPS - 1);
    for (int i = 0; i < GROUPS - 1; i++)
        cr_expect_eq(leases[i].group.number, i + 1);
    cr_expect_eq(claim_for(&ada, 1, LONG_US), 0);
    cr_expect_eq(store_leases_count(fixture.store, fixture.season.id), GROUPS);
}

Test(leases, only_a_worker_that_registered_claims)
{
    struct store_worker eve = worker("eve", "one");

    if (!has_leases())
        return;
    cr_expect_eq(claim_for(&eve, 1, LONG_US), -ECANCELED);
    cr_assert_eq(store_worker_add(fixture.store, &eve), 0);
    cr_expect_gt(eve.id, bob.id);
    cr_expect_eq(claim_for(&eve, 1, LONG_US), 1);
}

static void not_dealt(void)
{
    cr_assert_eq(store_season_deal(fixture.store, fixture.season.id, false), 0);
}

static void closing(void)
{
    cr_assert_eq(store_season_begin_close(fixture.store, fixture.season.id, INT64_MAX / 4), 0);
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
        for (int rotation = 0; rotation < 2; rotation++) {
            struct store_game game = fixture_game(group, rotation);

            cr_assert_eq(
                store_game_add(fixture.store, fixture.season.id, &game, (const uint8_t *)"r", 1),
                0);
        }
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
};

Test(leases, nothing_comes_of_a_season)
{
    if (!has_leases())
        return;
    for (size_t i = 0; i < sizeof unclaimable / sizeof *unclaimable; i++) {
        unclaimable[i].make_fn();
        cr_expect_eq(claim_for(&ada, 1, LONG_US), 0, "%s", unclaimable[i].season);
        finish();
        create();
    }
}

Test(leases, no_group_comes_with_a_bot_that_was_refused)
{
    const int64_t refused[] = {2};
    const struct store_claim claim = {4, LONG_US, refused, 1};

    if (!has_leases())
        return;
    cr_expect_eq(store_lease_claim(fixture.store, &ada, &claim, leases), 0);
    cr_expect_eq(claim_for(&ada, 1, LONG_US), 1);
}

/* Adds a season with those terms, one group and nothing else to claim; returns what bob gets. */
static int claims_of(const struct store_season *terms, bool ada_first)
{
    static const struct store_entry entries[] = {{0, 1, 0}, {1, 2, 0}};
    static const struct store_group groups[] = {{.number = 0, .player_count = 2, .base = {0, 1}},
                                                {.number = 1, .player_count = 2, .base = {1, 0}}};
    struct store_opening opening = {.commitment = FIXTURE_COMMITMENT, .opened_us = 1};
    struct store_season season = *terms;
    struct store_batch batch = {.number = 0};

    cr_assert_eq(store_season_deal(fixture.store, fixture.season.id, false), 0);
    cr_assert_eq(store_season_add(fixture.store, &season, &opening), 0, "%s",
                 store_failure(fixture.store));
    cr_assert_eq(store_event_latest(fixture.store, &batch.event), 0);
    cr_assert_eq(store_batch_add(fixture.store, season.id, &batch, entries, 2, groups, 2), 0);
    cr_assert_eq(store_season_deal(fixture.store, season.id, true), 0);
    if (ada_first)
        cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    return claim_for(&bob, 1, LONG_US);
}

Test(leases, a_season_says_what_may_play_it)
{
    static const struct store_season any = {
        .name = "autumn", .player_counts = {2}, .player_count_count = 1, .budget_games = 4};
    struct store_season terms = any;

    if (!has_leases())
        return;
    cr_expect_eq(claims_of(&terms, true), 1, "anybody");
    finish(), create(), terms = any;
    terms.play.tier = 3;
    cr_expect_eq(claims_of(&terms, false), 0, "a stronger tier than the worker's");
    finish(), create(), terms = any;
    terms.play.pin = true;
    cr_expect_eq(claims_of(&terms, false), 1, "a core for each job");
    finish(), create(), terms = any;
    terms.same_cpu = true;
    cr_expect_eq(claims_of(&terms, false), 1, "the first processor");
    finish(), create();
    cr_expect_eq(claims_of(&terms, true), 0, "another processor than the first");
}

/* ---- leases that run out ---- */

Test(leases, a_lapsed_one_goes_to_who_asks_and_its_results_are_refused)
{
    struct store_lease old;

    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 1, PAST_US), 1);
    old = leases[0];
    wait_past();
    cr_expect_eq(store_leases_count(fixture.store, fixture.season.id), 0);
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_expect_eq(leases[0].group.number, old.group.number, "before what nobody has had");
    cr_expect_gt(leases[0].token, old.token);
    cr_expect_eq(add(&ada, &old, 0), -ESTALE);
    cr_expect_eq(add(&bob, &leases[0], 0), 0, "%s", store_failure(fixture.store));
    cr_expect_eq(add(&ada, &leases[0], 1), -ESTALE, "by another than who holds it");
}

Test(leases, the_same_worker_claims_anew_under_another_token)
{
    struct store_lease old;

    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 1, PAST_US), 1);
    old = leases[0];
    wait_past();
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_expect_eq(add(&ada, &old, 0), -ESTALE);
    cr_expect_eq(add(&ada, &leases[0], 0), 0);
}

Test(leases, a_lapsed_one_counts_until_another_claims)
{
    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 1, PAST_US), 1);
    wait_past();
    cr_expect_eq(add(&ada, &leases[0], 0), 0, "%s", store_failure(fixture.store));
}

Test(leases, what_is_left_of_a_group_is_claimed_and_no_more)
{
    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 1, PAST_US), 1);
    cr_assert_eq(add(&ada, &leases[0], 0), 0);
    wait_past();
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_expect_eq(leases[0].group.number, 0);
    cr_expect_eq(leases[0].due, 2u);
    cr_assert_eq(add(&bob, &leases[0], 1), 0);
    cr_expect_eq(store_leases_count(fixture.store, fixture.season.id), 0, "it is whole");
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
    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 2, PAST_US), 2);
    wait_past();
    cr_expect_eq(renew(2), STORE_LEASE_PLAYED);
    cr_assert_eq(claim_for(&bob, LEASE_CLAIM_MAX, LONG_US), GROUPS - 2);
    cr_expect_eq(leases[0].group.number, 2);
}

Test(leases, renewing_tells_what_became_of_a_season)
{
    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    closing();
    cr_expect_eq(renew(1), STORE_LEASE_CLOSING);
    cr_assert_eq(store_season_go_on(fixture.store, fixture.season.id), 0);
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

    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    mine = leases[0];
    cr_expect_eq(store_lease_return(fixture.store, &bob, &mine), 0, "another's");
    cr_expect_eq(renew(1), STORE_LEASE_PLAYED);
    cr_expect_eq(store_lease_return(fixture.store, &ada, &mine), 0);
    renew(0);
    cr_assert_eq(claim_for(&bob, 1, LONG_US), 1);
    cr_expect_eq(leases[0].group.number, 0);
    cr_expect_eq(add(&ada, &mine, 0), -ESTALE);
    cr_expect_eq(store_lease_return(fixture.store, &bob, NULL), 0, "all, at its end");
    cr_expect_eq(store_leases_count(fixture.store, fixture.season.id), 0);
}

/* ---- results ---- */

Test(leases, a_result_is_kept_once)
{
    struct store_game other;

    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_expect_eq(add(&ada, &leases[0], 0), 0);
    cr_expect_eq(add(&ada, &leases[0], 0), 0, "whose answer was lost");
    other = fixture_game(0, 0);
    other.wall_us++;
    cr_expect_eq(
        store_lease_game_add(fixture.store, &ada, &leases[0], &other, (const uint8_t *)"replay", 6),
        -EEXIST);
    cr_expect_eq(add(&bob, &leases[0], 0), -EEXIST);
}

Test(leases, no_result_comes_into_a_season_that_was_closed_or_taken_back)
{
    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    closed();
    cr_expect_eq(add(&ada, &leases[0], 0), -ECANCELED);
    finish();
    create();
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    not_dealt();
    cr_expect_eq(add(&ada, &leases[0], 0), -ESTALE);
    cr_assert_eq(store_season_deal(fixture.store, fixture.season.id, true), 0);
    cr_expect_eq(add(&ada, &leases[0], 0), -ESTALE, "nor when it is dealt again");
}

static int count_game(void *context, const struct store_game *game)
{
    cr_expect_eq(game->worker_id, ada.id);
    ++*(int *)context;
    return 0;
}

static int take_ada(void *context, const struct store_worker *row)
{
    if (row->id == ada.id)
        *(struct store_worker *)context = *row;
    return 0;
}

static int take_seats(void *context, const struct store_worker_seats *seats)
{
    cr_expect_eq(seats->worker_id, ada.id);
    cr_expect_eq(seats->seat_count, 2);
    ++*(int *)context;
    return 0;
}

Test(leases, a_worker_is_listed_with_what_it_played)
{
    struct store_worker row = {0};
    int count = 0, seats = 0;

    if (!has_leases())
        return;
    cr_assert_eq(claim_for(&ada, 2, LONG_US), 2);
    cr_assert_eq(add(&ada, &leases[0], 0), 0);
    cr_assert_eq(add(&ada, &leases[0], 1), 0);
    cr_expect_eq(store_games_each(fixture.store, fixture.season.id, count_game, &count), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(count, 2);
    cr_assert_eq(store_workers_each(fixture.store, take_ada, &row), 0);
    cr_expect_str_eq(row.name, "ada");
    cr_expect_eq(row.game_count, 2);
    cr_expect_eq(row.lease_count, 1, "one group is whole");
    cr_expect_eq(row.layers, 3u, "that held in all its games");
    cr_expect_eq(row.ended_us, 0);
    cr_expect_eq(row.identity[0], 0, "its secret is not listed");
    cr_expect_eq(store_worker_seats_each(fixture.store, 0, take_seats, &seats), 0);
    cr_expect_eq(seats, 2, "a row for each bot");
    cr_assert_eq(store_lease_return(fixture.store, &ada, NULL), 0);
    cr_assert_eq(store_workers_each(fixture.store, take_ada, &row), 0);
    cr_expect_gt(row.ended_us, 0);
}

/* ---- packages ---- */

Test(leases, packages_come_to_who_holds_a_group_of_theirs)
{
    struct store_part part;
    char *text;

    if (!has_leases())
        return;
    cr_expect_eq(store_lease_manifest_read(fixture.store, &ada, 1, &text), -ENOENT, "before");
    cr_assert_eq(claim_for(&ada, 1, LONG_US), 1);
    cr_expect_eq(store_lease_manifest_read(fixture.store, &ada, 1, &text), 0);
    free(text);
    cr_expect_eq(store_lease_manifest_read(fixture.store, &bob, 1, &text), -ENOENT, "another");
    cr_expect_eq(
        store_lease_package_read(fixture.store, &bob, leases[0].bots[0].built_sha256, 0, &part),
        -ENOENT);
    cr_assert_eq(
        store_lease_package_read(fixture.store, &ada, leases[0].bots[0].built_sha256, 4, &part), 0,
        "%s", store_failure(fixture.store));
    cr_expect_eq(part.whole_bytes, sizeof "not looked into");
    cr_expect_eq(part.size, sizeof "looked into");
    cr_expect_str_eq((const char *)part.bytes, "looked into");
    free(part.bytes);
}
