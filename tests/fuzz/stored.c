/* SPDX-License-Identifier: MIT */
/*
 * A store in which somebody has written: a value of a row (a table, a column, a kind of value, and
 * the value, to the next 0xff) or several of them. Whatever it is, each reader gets rows that hold
 * what their headers promise, or an error with its line; nothing else comes of it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/season.h"
#include "arena/store/authors.h"
#include "arena/store/challenges.h"
#include "arena/store/games.h"
#include "arena/store/schema.h"
#include "arena/store/submissions.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum {
    GROUPS = 2,
    VALUE_ENDS = 0xff,
};

static struct store *store;
static int64_t season_id;

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* ---- a store with a row of each table that has any without a server ---- */

static void add_bot(const char *name)
{
    const struct store_package package = {(const uint8_t *)name, strlen(name)};
    struct store_bot bot = {.version = "1", .author = "Ann", .submitted_us = 1, .manifest = "{}"};

    snprintf(bot.name, sizeof bot.name, "%s", name);
    memset(bot.sha256, *name, STORE_HASH_DIGITS);
    memset(bot.built_sha256, *name, STORE_HASH_DIGITS);
    require(store_bot_add(store, &bot, package, package) == 0);
}

static void add_season(void)
{
    static const struct store_entry entries[] = {{0, 1, 0}, {1, 2, 0}};
    struct store_season season = {
        .name = "cup", .player_counts = {2}, .player_count_count = 1, .budget_games = 100};
    struct store_opening opening = {.opened_us = 1};
    struct store_group groups[GROUPS];
    struct store_batch batch = {.connection = store_connection(store)};

    memset(opening.commitment, 'c', STORE_HASH_DIGITS);
    require(store_season_add(store, &season, &opening) == 0);
    season_id = season.id;
    for (int i = 0; i < GROUPS; i++)
        groups[i] = (struct store_group){.number = i, .player_count = 2, .base = {i % 2, !(i % 2)}};
    require(store_event_latest(store, &batch.event) == 0);
    require(store_batch_add(store, season_id, &batch, entries, 2, groups, GROUPS) == 0);
}

static void add_game(int group, int rotation)
{
    static const uint8_t times[] = {9, 30};
    struct store_game game = {.group = group,
                              .rotation = rotation,
                              .player_count = 2,
                              .started_us = 1000,
                              .wall_us = 500,
                              .decision_count = 60};

    for (int seat = 0; seat < 2; seat++)
        game.seats[seat] = (struct store_seat){.entry = (group + rotation + seat) % 2,
                                               .score = 60 - seat,
                                               .rank = 1 + seat,
                                               .us = 300,
                                               .us_max = 20,
                                               .times = times,
                                               .times_bytes = sizeof times};
    require(store_game_add(store, season_id, &game, (const uint8_t *)"replay", 6) == 0);
}

static void make_store(void)
{
    struct store_author author = {.name = "Ann", .created_us = 1};
    struct store_token token = {.author_id = 1, .created_us = 1};

    memset(token.sha256, 'a', STORE_HASH_DIGITS);
    require(store_open(&store, "sqlite::memory:", STORE_CREATE) == 0);
    require(store_author_add(store, &author) == 0 && store_token_add(store, &token) == 0);
    add_bot("ant");
    add_bot("bee");
    add_season();
    for (int i = 0; i < 2 * GROUPS; i++)
        add_game(i / 2, i % 2);
}

/* ---- what somebody writes ---- */

/* Writes the value to a column of all rows of a table. SQLite may refuse it. */
static void write_value(const uint8_t *bytes, size_t size)
{
    const struct schema_table *table = &schema_tables[bytes[0] % TABLE_COUNT];
    const struct schema_column *column = &table->columns[bytes[1] % table->column_count];
    struct sql_value value = {.bytes = bytes + 3, .size = size - 3};
    char *words = strndup((const char *)value.bytes, value.size), text[200];

    switch (bytes[2] % 4) {
    case 0:
        value.type = SQL_INT;
        value.number = strtoll(words, NULL, 10);
        break;
    case 1:
        value = sql_text(words);
        break;
    case 2:
        value.type = SQL_BYTES;
        break;
    default:
        value.type = SQL_NULL;
    }
    snprintf(text, sizeof text, "UPDATE %s SET \"%s\" = $1", table->name, column->name);
    sql_run(store, SQL(text, value));
    free(words);
}

static void write_values(const uint8_t *bytes, size_t size)
{
    while (size > 3) {
        const uint8_t *end = memchr(bytes + 3, VALUE_ENDS, size - 3);
        const size_t value_bytes = end ? (size_t)(end - bytes) : size;

        write_value(bytes, value_bytes);
        size -= value_bytes + (end != NULL);
        bytes += value_bytes + (end != NULL);
    }
}

/* ---- what reads it ---- */

static int is_name(const char *name)
{
    require(store_name_is_valid(name));
    return 0;
}

static int see_bot(void *context, const struct store_bot *bot)
{
    return is_name(bot->name);
}

static int see_season(void *context, const struct store_season *season)
{
    require(season->player_count_count >= 1 && season->player_count_count <= GAME_PLAYERS_MAX);
    return is_name(season->name);
}

static int see_game(void *context, const struct store_game *game)
{
    require(game->player_count >= GAME_PLAYERS_MIN && game->player_count <= GAME_PLAYERS_MAX);
    for (int seat = 0; seat < game->player_count; seat++)
        require(game->seats[seat].rank >= 1 && game->seats[seat].rank <= game->player_count);
    return 0;
}

static int see_group(void *context, const struct store_group *group)
{
    require(group->player_count >= GAME_PLAYERS_MIN && group->player_count <= GAME_PLAYERS_MAX);
    return 0;
}

static int see_opening(void *context, const struct store_opening *opening)
{
    require(strlen(opening->commitment) == STORE_HASH_DIGITS);
    return 0;
}

static int see_entry(void *context, const struct store_entry *entry)
{
    require(entry->number >= 0 && entry->bot_id > 0);
    return 0;
}

static int see_event(void *context, const struct store_event *event)
{
    require(event->id > 0);
    return 0;
}

static int see_author(void *context, const struct store_author *author)
{
    require(*author->name && author->id > 0);
    return 0;
}

static int see_token(void *context, const struct store_token *token)
{
    require(token->author_id > 0);
    return 0;
}

static int see_league(void *context, const struct store_league *league)
{
    return is_name(league->name);
}

static int see_submission(void *context, const struct store_submission *submission)
{
    require(submission->id > 0);
    return 0;
}

static int see_challenge(void *context, const struct store_challenge *challenge)
{
    require(challenge->id > 0);
    return 0;
}

static void told(int result)
{
    require(result >= 0 || result == -ENOENT || *store_failure(store));
}

static void read_all(void)
{
    struct season season;
    uint8_t *replay;
    size_t size;
    int result;

    told(store_bots_each(store, see_bot, NULL));
    told(store_seasons_each(store, see_season, NULL));
    told(store_openings_each(store, season_id, see_opening, NULL));
    told(store_entries_each(store, season_id, see_entry, NULL));
    told(store_groups_each(store, season_id, see_group, NULL));
    told(store_games_each(store, season_id, see_game, NULL));
    told(store_events_each(store, 0, see_event, NULL));
    told(store_authors_each(store, see_author, NULL));
    told(store_tokens_each(store, 1, see_token, NULL));
    told(store_leagues_each(store, see_league, NULL));
    told(store_submissions_each(store, see_submission, NULL));
    told(store_challenges_each(store, NULL, see_challenge, NULL));
    told(result = store_replay_find(store, "cup-000000-0", &replay, &size));
    if (result >= 0)
        free(replay);
    told(result = season_load(&season, store, "cup"));
    if (result == 0)
        season_finish(&season);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!store)
        make_store();
    /* Not a transaction of the store, in which nothing can be read after the first error. */
    require(store->driver->execute(store, "SAVEPOINT before") == 0);
    write_values(bytes, size);
    read_all();
    require(store->driver->execute(store, "ROLLBACK TO before; RELEASE before") == 0);
    return 0;
}
