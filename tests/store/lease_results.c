/* What workers bring, and who is told of work, for any back end with leases. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/forfeit.h"
#include "arena/replay/json.h"
#include "arena/store/leases.h"
#include "tests/store/fixture.h"

enum {
    GROUPS = 2,
};

static struct fixture fixture;
static struct store_worker ada;
static struct store_lease lease;

/* True if the back end has leases; SQLite has none. */
static bool has_leases(void)
{
    return getenv("STORE_TEST_BACKEND") != NULL;
}

/* A season with its first group leased. */
static void create(void)
{
    const struct store_claim claim = {.group_count = 1, .lease_us = 60000000};

    fixture_create(&fixture);
    fixture_fill(&fixture, GROUPS);
    ada = (struct store_worker){.name = "ada",
                                .host = "here",
                                .processor = "one",
                                .architecture = "x86_64",
                                .tier = 2,
                                .job_count = 2,
                                .core_count = 2};
    memset(ada.identity, 'a', sizeof ada.identity);
    if (!has_leases())
        return;
    cr_assert_eq(store_worker_add(fixture.store, &ada), 0, "%s", store_failure(fixture.store));
    cr_assert_eq(store_season_deal(fixture.store, fixture.season.id, true), 0);
    cr_assert_eq(store_lease_claim(fixture.store, &ada, &claim, &lease), 1);
}

static void finish(void)
{
    fixture_remove(&fixture);
}

TestSuite(lease_results, .init = create, .fini = finish);

static int add(const struct store_game *game)
{
    return store_lease_game_add(fixture.store, &ada, &lease, game, (const uint8_t *)"r", 1);
}

static int count_game(void *context, const struct store_game *game)
{
    (void)game;
    ++*(int *)context;
    return 0;
}

/* What the arena writes of a forfeit passes the check of it in SQL, by each of its keys. */
Test(lease_results, a_forfeit_is_kept)
{
    struct forfeit *late = forfeit_create_unfit("was late: \x1b and \xc3\xa9");
    struct store_game game = fixture_game(0, 0);
    json_t *forfeits = json_array();
    char *text;

    late->reason = WIRE_TIMEOUT;
    late->turn = late->limit_us = late->wall_us = late->cpu_us = INT64_C(1) << 40;
    late->signal = 9;
    strcpy(late->call, "socket");
    free(late->errors);
    late->errors = calloc(1, late->errors_bytes = FORFEIT_KEPT_BYTES); /* of characters 0 */
    json_array_append_new(forfeits, json_null());
    json_array_append_new(forfeits, replay_json_forfeit(late, NULL));
    forfeit_destroy(late);
    text = json_dumps(forfeits, JSON_COMPACT);
    json_decref(forfeits);
    game.forfeits = text;
    game.seats[1].reason = WIRE_TIMEOUT;
    memcpy(game.seed, lease.seeds[0], sizeof game.seed);
    if (has_leases())
        cr_expect_eq(add(&game), 0, "%s", store_failure(fixture.store));
    free(text);
}

/* Its checksum covers a seed that is not the season's: the worker played something else. */
Test(lease_results, a_game_that_was_not_claimed_is_refused_in_words)
{
    static const char words[] =
        "refuses the game of group 0, rotation 0: its checksum is not that of its row";
    struct store_game game = fixture_game(0, 0);
    int count = 0;

    if (!has_leases())
        return;
    cr_expect_eq(add(&game), -EINVAL);
    cr_expect_neq(strstr(store_failure(fixture.store), words), NULL, "%s",
                  store_failure(fixture.store));
    memcpy(game.seed, lease.seeds[0], sizeof game.seed);
    cr_expect_eq(add(&game), 0, "it stays to be played: %s", store_failure(fixture.store));
    cr_expect_eq(store_games_each(fixture.store, fixture.season.id, count_game, &count), 0);
    cr_expect_eq(count, 1);
}

/* ---- notifications ---- */

/* Adds a batch of one group after those of the fixture; the first is number 1. */
static void add_batch(int number)
{
    const struct store_group group = {
        .number = GROUPS + number - 1, .batch = number, .player_count = 2, .base = {0, 1}};
    struct store_batch batch = {.number = number};

    cr_assert_eq(store_event_latest(fixture.store, &batch.event), 0);
    cr_assert_eq(store_batch_add(fixture.store, fixture.season.id, &batch, NULL, 0, &group, 1), 0,
                 "%s", store_failure(fixture.store));
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

static void banned_with_its_games(void)
{
    cr_assert_eq(store_ban_add(fixture.store, "first", NULL, true, 9), 0);
}

static const struct {
    const char *queue;
    void (*make_fn)(void);
    int heard;
} queues[] = {
    {"where groups wait already", NULL, 0},
    {"whose groups are all played", all_played, 1},
    {"whose groups are of a bot that is banned with its games", banned_with_its_games, 1},
};

Test(lease_results, a_batch_wakes_workers_that_have_nothing_to_do)
{
    if (!has_leases() || store_listen(fixture.store, STORE_CHANNEL_WORK) < 0)
        return;
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) {
        int heard, try_count = 0;

        if (queues[i].make_fn)
            queues[i].make_fn();
        cr_assert_geq(store_listen(fixture.store, STORE_CHANNEL_WORK), 0);
        do {
            while (store_heard(fixture.store) > 0)
                ; /* of the ban */
            add_batch(++try_count);
            heard = store_heard(fixture.store);
        } while (heard > queues[i].heard && try_count < 5); /* tests beside it notify, too */
        cr_expect_eq(heard, queues[i].heard, "%s", queues[i].queue);
        finish();
        create();
    }
}
