/* SPDX-License-Identifier: MIT */
#include "tests/store/fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fixture_has_server(void)
{
    const char *name = getenv("STORE_TEST_BACKEND");

    return name && strcmp(name, "postgres") == 0;
}

/* Writes the URL of a PostgreSQL schema of its own, named after the folder. */
static void write_schema_url(const struct fixture *fixture, char url[static 512])
{
    snprintf(url, 512, "%s?options=-csearch_path%%3D%%22%s%%22", getenv("POSTGRES_TEST_URL"),
             strrchr(fixture->home, '/') + 1);
}

static void create_schema(const struct fixture *fixture)
{
    char command[512];

    snprintf(command, sizeof command, "%s/psql -q -d %s -c 'CREATE SCHEMA \"%s\"'",
             getenv("POSTGRES_TEST_BIN"), getenv("POSTGRES_TEST_URL"),
             strrchr(fixture->home, '/') + 1);
    cr_assert_eq(system(command), 0);
}

int fixture_try(struct fixture *fixture, enum store_mode mode)
{
    char url[512];

    if (!fixture_has_server())
        return store_open(&fixture->store, fixture->home, mode);
    write_schema_url(fixture, url);
    return store_open(&fixture->store, url, mode);
}

void fixture_create(struct fixture *fixture)
{
    memset(fixture, 0, sizeof *fixture);
    strcpy(fixture->home, "/tmp/store-test-XXXXXX");
    cr_assert_not_null(mkdtemp(fixture->home));
    if (fixture_has_server())
        create_schema(fixture);
    cr_assert_eq(fixture_try(fixture, STORE_CREATE), 0, "%s", store_failure(fixture->store));
}

struct store_bot fixture_bot(const char *name, const char *version)
{
    struct store_bot bot = {
        .author = "someone", .language = "C", .manifest = "{}", .submitted_us = 1};

    strcpy(bot.name, name);
    strcpy(bot.version, version);
    memset(bot.sha256, 'a' + *name % 6, STORE_HASH_DIGITS);
    memset(bot.built_sha256, 'a' + *name % 6, STORE_HASH_DIGITS);
    return bot;
}

static void add_bot(struct fixture *fixture, const char *name)
{
    static const char bytes[] = "not looked into";
    const struct store_package package = {(const uint8_t *)bytes, sizeof bytes};
    struct store_bot bot = fixture_bot(name, "1");

    cr_assert_eq(store_bot_add(fixture->store, &bot, package, package), 0, "%s",
                 store_failure(fixture->store));
}

void fixture_fill(struct fixture *fixture, int group_count)
{
    static const struct store_entry entries[] = {{0, 1, 0}, {1, 2, 0}};
    struct store_opening opening = {.commitment = FIXTURE_COMMITMENT, .opened_us = 1};
    struct store_group *groups = calloc((size_t)group_count, sizeof *groups);
    struct store_batch batch = {.connection = store_connection(fixture->store)};

    add_bot(fixture, "first");
    add_bot(fixture, "second");
    fixture->season = (struct store_season){
        .name = "spring", .player_counts = {2}, .player_count_count = 1, .budget_games = 100};
    cr_assert_eq(store_season_add(fixture->store, &fixture->season, &opening), 0);
    for (int i = 0; i < group_count; i++)
        groups[i] = (struct store_group){.number = i, .player_count = 2, .base = {i % 2, !(i % 2)}};
    cr_assert_eq(store_event_latest(fixture->store, &batch.event), 0);
    cr_assert_eq(store_batch_add(fixture->store, fixture->season.id, &batch, entries, 2, groups,
                                 (size_t)group_count),
                 0, "%s", store_failure(fixture->store));
    free(groups);
}

void fixture_reopen(struct fixture *fixture, enum store_mode mode)
{
    store_close(fixture->store);
    cr_assert_eq(fixture_try(fixture, mode), 0, "%s", store_failure(fixture->store));
}

void fixture_remove(struct fixture *fixture)
{
    char command[128];

    store_close(fixture->store);
    snprintf(command, sizeof command, "rm -r %s", fixture->home);
    cr_assert_eq(system(command), 0);
}

struct store_game fixture_game(int group, int rotation)
{
    /* 30 decisions, in one bucket of times or in two */
    static const uint8_t times[2][4] = {{9, 30}, {9, 20, 3, 10}};
    int first = (group + rotation) % 2; /* the seat of the first bot */
    struct store_game game = {.group = group,
                              .rotation = rotation,
                              .player_count = 2,
                              .seed = {(uint8_t)group, (uint8_t)rotation, 7},
                              .started_us = 1000 + group,
                              .wall_us = 500,
                              .layers = 3,
                              .decision_count = 60};

    for (int seat = 0; seat < 2; seat++)
        game.seats[seat] = (struct store_seat){.entry = seat == first ? 0 : 1,
                                               .score = seat == first ? 60 : 50,
                                               .rank = seat == first ? 1 : 2,
                                               .us = 300,
                                               .us_max = 20,
                                               .times = times[seat],
                                               .times_bytes = seat ? 4 : 2};
    return game;
}
