/* SPDX-License-Identifier: MIT */
#include "arena/store/challenges.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena/base/clock.h"
#include "arena/store/quotas.h"
#include "arena/store/schema.h"

const char *const store_challenge_states[] = {[STORE_CHALLENGE_WAITING] = "waiting",
                                              [STORE_CHALLENGE_ENDED] = "ended",
                                              [STORE_CHALLENGE_FAILED] = "failed",
                                              NULL};

enum {
    NAMED_REFERENCES = 6, /* maximum number of bots that a refusal names */
};

int store_author_allow(struct store *store, int64_t author_id, bool is_challenged)
{
    return SQL_TRANSACTION(
        store, SQL_PLAIN,
        sql_change(store, SQL("UPDATE author SET is_challenged = $2 WHERE id = $1",
                              sql_int(author_id), sql_bool(is_challenged))));
}

/* ---- adding ---- */

/* Finds the newest version of a bot that may play. */
static int find_bot(struct store *store, const char *name, struct store_bot *bot)
{
    int error = store_bot_find(store, name, NULL, bot);

    if (error == -ENOENT)
        error = store_refuse(store, error,
                             "there is no bot %s: only a bot that was admitted plays challenges, "
                             "and a passed check admits none",
                             name);
    if (!error && (bot->retired_us || bot->banned_us))
        error = store_refuse(store, -EPERM, "bot %s is %s, so it plays no challenge", name,
                             bot->banned_us ? "banned" : "retired");
    return error;
}

/* The reference bots that a refusal names: "greedy, steady"; "" before the first. */
struct references {
    char names[NAMED_REFERENCES * (STORE_NAME_BYTES_MAX + 2) + 8];
    int count;
};

/* A store_name_fn. */
static int add_reference(void *context, const char *name)
{
    struct references *references = context;
    const size_t used = strlen(references->names);

    snprintf(references->names + used, sizeof references->names - used, "%s%s",
             references->count ? ", " : "", references->count < NAMED_REFERENCES ? name : "...");
    return references->count++ == NAMED_REFERENCES;
}

/* Returns -EPERM with a message that says whom the author may challenge, or another error. */
static int refuse_opponent(struct store *store, const struct store_author *author,
                           const struct store_bot *opponent)
{
    struct references references = {.count = 0};
    const int error = store_references_each(store, add_reference, &references);

    if (error && error != -EINTR)
        return error;
    return store_refuse(store, -EPERM,
                        "bot %s may not be challenged: name a reference bot (%s), another bot of "
                        "yours, or one of an author who allows challenges as you do%s",
                        opponent->name, references.count ? references.names : "this arena has none",
                        author->is_challenged ? ""
                                              : " (you do not: arena challenge --allow yes, or by "
                                                "the API POST /api/v1/me?challenges=yes)");
}

/* Checks that the bot is the author's, and that he may challenge the opponent. */
static int check_rights(struct store *store, const struct store_author *author,
                        const struct store_bot *bot, const struct store_bot *opponent)
{
    struct store_author other = {.is_challenged = false};
    int error = 0;

    if (strcmp(bot->author, author->name) != 0)
        return store_refuse(store, -ENOENT, "%s has no bot %s", author->name, bot->name);
    if (opponent->reference || strcmp(opponent->author, author->name) == 0)
        return 0;
    if (author->is_challenged)
        error = store_author_find(store, opponent->author, &other);
    if (error && error != -ENOENT)
        return error;
    return other.is_challenged ? 0 : refuse_opponent(store, author, opponent);
}

_Static_assert(STORE_CHALLENGE_FAILED == 2, "STORE_SQL_CHALLENGE_COUNTS");

static int check_quota(struct store *store, const char *author, int64_t a_day,
                       const struct store_challenge *challenge)
{
    struct store_quota quota = {STORE_QUOTA_GAMES, a_day};
    char until[CLOCK_TIME_BYTES] = "", fewer[40] = "";
    int error;

    if (challenge->by_organizer)
        return 0;
    if (a_day == 0)
        return store_refuse(store, -EDQUOT, "this arena plays no challenges");
    error = store_quota_read(store, author, challenge->created_us, challenge->wanted_count, &quota);
    if (error || challenge->wanted_count <= quota.left)
        return error;
    if (quota.left > 0)
        snprintf(fewer, sizeof fewer, "ask for at most %lld", (long long)quota.left);
    if (quota.left == 0 || challenge->wanted_count <= a_day)
        clock_write_time(quota.more_us + 999999, until);
    return store_refuse(store, -EDQUOT,
                        "%lld of the %lld games that challenges may have in a day are used: "
                        "%s%s%s%s",
                        (long long)(a_day - quota.left), (long long)a_day, fewer,
                        *fewer && *until ? ", or " : "", *until ? "wait until " : "", until);
}

/* Removes old challenges of an author; never those that count for the quota. */
static int remove_old(struct store *store, const char *author, int64_t now_us)
{
#define OLD                                                                                        \
    " IN (SELECT challenge.id FROM challenge JOIN bot ON bot.id = challenge.bot"                   \
    " WHERE bot.author = $1 AND NOT " STORE_SQL_WAITS                                              \
    " AND created_us <= $2 ORDER BY challenge.id DESC"                                             \
    " LIMIT 1000 OFFSET $3)"
    static const char *const statements[] = {"DELETE FROM bout WHERE challenge" OLD,
                                             "DELETE FROM challenge WHERE id" OLD};
    int error = 0;

    for (int i = 0; i < 2 && !error; i++)
        error =
            sql_change(store, SQL(statements[i], sql_text(author), sql_int(now_us - CLOCK_DAY_US),
                                  sql_int(STORE_CHALLENGES_KEPT)));
    return error;
#undef OLD
}

static int add_challenge(struct store *store, const struct store_author *author, int64_t a_day,
                         struct store_challenge *challenge)
{
    struct store_bot bot, opponent;
    int error =
        find_bot(store, challenge->name, &bot) ?: find_bot(store, challenge->opponent, &opponent);

    if (!error && author)
        error = check_rights(store, author, &bot, &opponent);
    if (!error)
        error = check_quota(store, bot.author, a_day, challenge)
                    ?: sql_number(store, SQL("SELECT coalesce(max(id), 0) + 1 FROM challenge"),
                                  &challenge->id);
    if (error)
        return error;
    challenge->bot_id = bot.id;
    challenge->opponent_id = opponent.id;
    strcpy(challenge->version, bot.version);
    strcpy(challenge->author, bot.author);
    strcpy(challenge->opponent_version, opponent.version);
    return table_insert(store, TABLE_CHALLENGE, 0, challenge)
               ?: remove_old(store, bot.author, challenge->created_us);
}

int store_challenge_add(struct store *store, const struct store_author *author, int64_t a_day,
                        struct store_challenge *challenge)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, add_challenge(store, author, a_day, challenge));
}

/* ---- reading ---- */

#define CHALLENGES                                                                                 \
    "SELECT challenge.*, own.name, own.version, own.author, other.name, other.version,"            \
    " (SELECT count(*) FROM bout WHERE bout.challenge = challenge.id) FROM challenge"              \
    " JOIN bot AS own ON own.id = challenge.bot JOIN bot AS other ON other.id = "                  \
    "challenge.opponent"

static void read_challenge(struct sql_rows *rows, struct store_challenge *challenge)
{
    const int next = schema_tables[TABLE_CHALLENGE].column_count;

    table_read(rows, 0, TABLE_CHALLENGE, challenge);
    row_text(rows, next, challenge->name, sizeof challenge->name);
    row_text(rows, next + 1, challenge->version, sizeof challenge->version);
    row_text(rows, next + 2, challenge->author, sizeof challenge->author);
    row_text(rows, next + 3, challenge->opponent, sizeof challenge->opponent);
    row_text(rows, next + 4, challenge->opponent_version, sizeof challenge->opponent_version);
    challenge->played_count = row_int64(rows, next + 5);
}

int store_challenge_find(struct store *store, int64_t id, struct store_challenge *challenge)
{
    int error = SQL_FIND(store, SQL(CHALLENGES " WHERE challenge.id = $1", sql_int(id)),
                         read_challenge(&rows, challenge));

    return error == -ENOENT ? store_refuse(store, error,
                                           "there is no challenge %lld: `arena "
                                           "challenge` lists the challenges",
                                           (long long)id)
                            : error;
}

int store_challenges_each(struct store *store, const char *author, store_challenge_fn *each_fn,
                          void *context)
{
    struct store_challenge challenge;

    return SQL_EACH(store,
                    SQL(CHALLENGES " WHERE own.author = coalesce($1, own.author)"
                                   " ORDER BY challenge.id DESC LIMIT $2",
                        sql_text(author), sql_int(STORE_CHALLENGES_LISTED)),
                    read_challenge(&rows, &challenge), each_fn(context, &challenge));
}

int store_bouts_each(struct store *store, int64_t id, store_bout_fn *each_fn, void *context)
{
    struct store_bout bout;

    return SQL_EACH(store,
                    SQL("SELECT * FROM bout WHERE challenge = $1 ORDER BY number", sql_int(id)),
                    table_read(&rows, 0, TABLE_BOUT, &bout), each_fn(context, &bout));
}

int store_bout_read(struct store *store, int64_t id, int64_t number, uint8_t **replay, size_t *size)
{
    int error = SQL_FIND(store,
                         SQL("SELECT bytes FROM bout WHERE challenge = $1 AND number = $2",
                             sql_int(id), sql_int(number)),
                         row_take_bytes(&rows, 0, STORE_REPLAY_BYTES_MAX, replay, size));

    return error == -ENOENT ? store_refuse(store, error, "challenge %lld has no game %lld",
                                           (long long)id, (long long)number)
                            : error;
}

/* ---- playing ---- */

int store_challenge_next(struct store *store, int64_t *id)
{
    return sql_number(store,
                      SQL("SELECT coalesce(min(id), 0) FROM challenge"
                          " WHERE " STORE_SQL_WAITS),
                      id);
}

int store_challenge_begin(struct store *store, int64_t id)
{
    return SQL_TRANSACTION(
        store, SQL_PLAIN,
        sql_change(store,
                   SQL("UPDATE challenge SET attempts = attempts + 1 WHERE id = $1", sql_int(id))));
}

static int add_bout(struct store *store, const struct store_bout *bout)
{
    int changed = sql_run(
        store, SQL("UPDATE challenge SET attempts = 0 WHERE id = $1", sql_int(bout->challenge_id)));
    int error = changed < 0 ? changed : 0;

    if (changed > 0)
        error = table_insert(store, TABLE_BOUT, 0, bout);
    return changed == 0 || error == -EEXIST
               ? store_refuse(store, -ECANCELED, "challenge %lld was removed, or has game %d",
                              (long long)bout->challenge_id, bout->number)
               : error;
}

int store_bout_add(struct store *store, const struct store_bout *bout)
{
    return SQL_TRANSACTION(store, SQL_PLAIN, add_bout(store, bout));
}

int store_challenge_end(struct store *store, int64_t id, const char *reason, int64_t now_us)
{
    const int state = *reason ? STORE_CHALLENGE_FAILED : STORE_CHALLENGE_ENDED;

    return SQL_TRANSACTION(
        store, SQL_PLAIN,
        sql_change(store, SQL("UPDATE challenge SET state = $2, reason = $3, ended_us = $4"
                              " WHERE id = $1",
                              sql_int(id), sql_int(state), sql_text(reason), sql_int(now_us))));
}
