/* SPDX-License-Identifier: MIT */
#include "arena/store/authors.h"

#include <errno.h>
#include <limits.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "arena/base/clock.h"
#include "arena/store/games.h"
#include "arena/store/names.h"
#include "arena/store/schema.h"
#include "arena/store/submissions.h"

const char *const store_scopes[] = {[STORE_SCOPE_AUTHOR] = "author",
                                    [STORE_SCOPE_READ] = "read",
                                    [STORE_SCOPE_ORGANIZER] = "organizer",
                                    NULL};

/* The store writes used_us of a token at most once in this time, so that few requests write. */
static const int64_t used_exact_us = INT64_C(3600) * 1000000;

/* ---- reading ---- */

int store_author_find(struct store *store, const char *name, struct store_author *author)
{
    char key[STORE_HASH_DIGITS + 1] = "";
    int error;

    store_author_key(name, key);
    error = SQL_FIND(store,
                     SQL("SELECT * FROM author WHERE name = $1 OR key = $2 ORDER BY name <> $1",
                         sql_text(name), sql_text(key)),
                     table_read(&rows, 0, TABLE_AUTHOR, author));
    return error != -ENOENT
               ? error
               : store_refuse(store, error,
                              "there is no author %s: `arena author new` makes an account, "
                              "`arena author list` lists them",
                              name);
}

int store_authors_each(struct store *store, store_author_fn *each_fn, void *context)
{
    struct store_author author;

    return SQL_LIST(store, SQL_PAGES("SELECT * FROM author WHERE id > $1 ORDER BY id LIMIT $2"),
                    table_read(&rows, 0, TABLE_AUTHOR, &author), each_fn(context, &author));
}

/* ---- accounts ---- */

/* Finds another author whose name has the same key, or looks alike as it stands. */
static int find_alike(struct store *store, const struct store_author *author,
                      char other[static STORE_TEXT_BYTES_MAX + 1])
{
    char key[STORE_HASH_DIGITS + 1];
    bool is_found = false;
    struct sql_rows rows;
    int error;

    sql_open(store, &rows, SQL("SELECT name, key FROM author WHERE id <> $1", sql_int(author->id)));
    while (!is_found && sql_next(&rows)) {
        row_text(&rows, 0, other, STORE_TEXT_BYTES_MAX + 1);
        row_text(&rows, 1, key, sizeof key);
        is_found = !row_end(&rows) &&
                   (strcmp(key, author->key) == 0 || store_author_names_match(author->name, other));
    }
    error = sql_close(&rows);
    return error ? error : is_found ? 0 : -ENOENT;
}

/*
 * Sets the name and the key of an author. Fails with -EINVAL if the name is not valid, with -EEXIST
 * if another author has a name that looks alike.
 */
static int set_name(struct store *store, struct store_author *author, const char *text)
{
    char fault[NAME_FAULT_BYTES], other[STORE_TEXT_BYTES_MAX + 1];
    int error;

    if (!store_author_name_read(text, author->name, fault) ||
        !store_author_key(author->name, author->key))
        return store_refuse(store, -EINVAL, "the author's name '%s' %s", text, fault);
    error = find_alike(store, author, other);
    if (error)
        return error == -ENOENT ? 0 : error;
    return strcmp(author->name, other) == 0
               ? store_refuse(store, -EEXIST,
                              "there is already an author %s: leave it out, or choose another name",
                              other)
               : store_refuse(store, -EEXIST,
                              "there is already an author %s, which looks alike: choose another "
                              "name",
                              other);
}

/* Fails with -EINVAL if the student number is not a text, with -EEXIST if another has it. */
static int check_student(struct store *store, const struct store_author *author)
{
    char other[STORE_TEXT_BYTES_MAX + 1];
    int error;

    if (!*author->student)
        return 0;
    if (!store_text_is_valid(author->student))
        return store_refuse(store, -EINVAL,
                            "the student number is not 1 to 64 bytes of UTF-8 without control "
                            "characters");
    error = SQL_FIND(store,
                     SQL("SELECT name FROM author WHERE student = $1 AND id <> $2",
                         sql_text(author->student), sql_int(author->id)),
                     row_text(&rows, 0, other, sizeof other));
    if (error)
        return error == -ENOENT ? 0 : error;
    return store_refuse(store, -EEXIST, "author %s already has the student number %s", other,
                        author->student);
}

static int add_author(struct store *store, struct store_author *author)
{
    char name[STORE_TEXT_BYTES_MAX + 1];

    author->id = 0;
    strcpy(name, author->name);
    return set_name(store, author, name)
               ?: check_student(store, author)
               /* An organizer may have submitted bots of this author, who is spelt as in them. */
               ?: store_author_adopt(store, author->name)
               ?: sql_number(store, SQL("SELECT coalesce(max(id), 0) + 1 FROM author"), &author->id)
               ?: table_insert(store, TABLE_AUTHOR, 0, author)
               ?: store_add_event(store, EVENT_OF_ACCOUNT, "author-new", "author %s", author->name);
}

int store_author_add(struct store *store, struct store_author *author)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, add_author(store, author));
}

/* Gives everything that the author `from` submitted to the author `to`. */
static int move_author(struct store *store, const char *from, const char *to)
{
    static const char *const statements[] = {
        "UPDATE bot SET author = $2 WHERE author = $1",
        "UPDATE submission SET author = $2 WHERE author = $1",
        "UPDATE ban SET author = $2 WHERE author = $1",
        ("UPDATE event SET about = 'author ' || $2 WHERE season IS NULL"
         " AND about = 'author ' || $1"),
    };
    int error = 0;

    for (size_t i = 0; i < sizeof statements / sizeof *statements && !error; i++)
        error = sql_change(store, SQL(statements[i], sql_text(from), sql_text(to)));
    return error;
}

/* Writes the name and the key of an author's row. */
static int write_name(struct store *store, const struct store_author *author)
{
    return sql_change(store,
                      SQL("UPDATE author SET name = $2, key = $3 WHERE id = $1",
                          sql_int(author->id), sql_text(author->name), sql_text(author->key)));
}

static int rename_author(struct store *store, const char *name, const char *to)
{
    struct store_author author, before;
    int error = store_author_find(store, name, &author);

    if (error)
        return error;
    before = author;
    return set_name(store, &author, to)
               ?: write_name(store, &author)
               ?: move_author(store, before.name, author.name)
               ?: store_add_event(store, EVENT_OF_ALL, "rename", "author %s", author.name);
}

int store_author_rename(struct store *store, const char *name, const char *to)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, rename_author(store, name, to));
}

static int set_student(struct store *store, const char *name, const char *student)
{
    struct store_author author;
    int error = store_author_find(store, name, &author);

    if (error)
        return error;
    if (author.erased_us)
        return store_refuse(store, -EINVAL, "author %s was erased", author.name);
    if (strlen(student) > STORE_TEXT_BYTES_MAX)
        return store_refuse(store, -EINVAL, "the student number has more than %d bytes",
                            STORE_TEXT_BYTES_MAX);
    strcpy(author.student, student);
    return check_student(store, &author)
               ?: sql_change(store, SQL("UPDATE author SET student = $2 WHERE id = $1",
                                        sql_int(author.id), sql_text(student)));
}

int store_author_set_student(struct store *store, const char *name, const char *student)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, set_student(store, name, student));
}

/* SQL condition: an erased author made the bot, and the bot is in no open season. */
#define BOT_IS_ERASED                                                                              \
    " EXISTS (SELECT 1 FROM author WHERE author.name = bot.author"                                 \
    " AND author.erased_us IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM entry JOIN season"           \
    " ON season.id = entry.season WHERE entry.bot = bot.id AND season.closed_us IS NULL)"

/*
 * Bots that open seasons still need: bots of groups with unplayed games, and the versions that a
 * deadline keeps in their season. A season without a deadline plays the newest versions.
 */
#define WITH_PLAYING                                                                               \
    "WITH playing (id) AS (SELECT entry.bot FROM season"                                           \
    " JOIN game_group ON game_group.season = season.id JOIN entry ON entry.season = season.id"     \
    " AND entry.number IN (base0, base1, base2, base3) WHERE closed_us IS NULL"                    \
    " AND game_group.players > (SELECT count(*) FROM game WHERE game.season = season.id"           \
    " AND game.game_group = game_group.number) UNION SELECT max(bot.id) FROM season"               \
    " JOIN bot ON submitted_us <= deadline_us WHERE closed_us IS NULL"                             \
    " GROUP BY season.id, bot.name)"

int store_packages_drop(struct store *store, int64_t versions)
{
    int error = sql_change(
        store,
        SQL_SLOW(WITH_PLAYING
                 ", gone AS (SELECT id, sha256, built_sha256 FROM bot WHERE" BOT_IS_ERASED
                 " OR ($2 > 0 AND (SELECT count(*) FROM bot AS newer WHERE newer.name = bot.name"
                 " AND newer.id > bot.id) >= $2 AND id NOT IN (SELECT id FROM playing)))"
                 " UPDATE package SET bytes = $1 WHERE length(bytes) > 0 AND sha256 IN"
                 " (SELECT sha256 FROM gone UNION SELECT built_sha256 FROM gone)"
                 " AND NOT EXISTS (SELECT 1 FROM bot WHERE (bot.sha256 = package.sha256"
                 " OR bot.built_sha256 = package.sha256) AND id NOT IN (SELECT id FROM gone))",
                 sql_bytes((const uint8_t *)"", 0), sql_int(versions)));

    return error ?: table_erase(store, TABLE_BOT, "manifest <> '{}' AND" BOT_IS_ERASED, NULL);
}

/* Removes all challenges in which a bot of the author plays. */
static int remove_challenges(struct store *store, const char *author)
{
#define OF_AUTHOR                                                                                  \
    " IN (SELECT challenge.id FROM challenge JOIN bot ON bot.id IN (challenge.bot,"                \
    " challenge.opponent) WHERE bot.author = $1)"
    return sql_change(store, SQL("DELETE FROM bout WHERE challenge" OF_AUTHOR, sql_text(author)))
               ?: sql_change(store,
                             SQL("DELETE FROM challenge WHERE id" OF_AUTHOR, sql_text(author)));
#undef OF_AUTHOR
}

static int erase_author(struct store *store, const char *name, int64_t now_us)
{
    static const char *const statements[] = {
        ("UPDATE submission SET ended_us = coalesce(ended_us, $2),"
         " state = CASE WHEN " STORE_SQL_OPEN " THEN " STORE_SQL_REFUSED
         " ELSE state END, retry_us = NULL WHERE author = $1"),
        "UPDATE bot SET retired_us = coalesce(retired_us, $2) WHERE author = $1",
        "UPDATE author SET erased_us = $2 WHERE name = $1",
    };
    char own[STORE_TEXT_BYTES_MAX + 1];
    struct store_author author;
    int error = store_author_find(store, name, &author);

    if (error)
        return error;
    name = strcpy(own, author.name);
    error =
        sql_change(store, SQL("DELETE FROM token WHERE author = $1", sql_int(author.id)))
            ?: sql_change(store,
                          SQL("DELETE FROM package WHERE sha256 IN (SELECT sha256 FROM submission"
                              " WHERE author = $1) AND NOT EXISTS (SELECT 1 FROM bot WHERE"
                              " bot.sha256 = package.sha256 OR bot.built_sha256 = package.sha256)"
                              " AND NOT EXISTS (SELECT 1 FROM submission AS other WHERE"
                              " other.sha256 = package.sha256 AND other.author <> $1)",
                              sql_text(name)))
            ?: remove_challenges(store, name)
            ?: table_erase(store, TABLE_SUBMISSION, "author = $1", name)
            ?: table_erase(store, TABLE_AUTHOR, "name = $1", name);

    for (size_t i = 0; i < sizeof statements / sizeof *statements && !error; i++)
        error = sql_change(store, SQL(statements[i], sql_text(name), sql_int(now_us)));
    if (error)
        return error;
    snprintf(author.name, sizeof author.name, "author-%lld", (long long)author.id);
    if (!store_author_key(author.name, author.key))
        return store_explain(store, -ENOENT, "libicu72 must be installed");
    return write_name(store, &author)
               ?: move_author(store, own, author.name)
               ?: store_packages_drop(store, 0) ?: store_add_event(store, EVENT_OF_ALL, "erase", "%s", author.name);
}

int store_author_erase(struct store *store, const char *name, int64_t now_us)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, erase_author(store, name, now_us));
}

/*
 * Every upload moves uploads_us by its share of a day, up to a day ahead of now_us. If it is two
 * days ahead, the machine's clock was wrong: then all uploads of a day are left.
 */
static int count_upload(struct store *store, int64_t author_id, int64_t now_us, int64_t a_day,
                        int64_t *retry_us)
{
    const int64_t share_us = CLOCK_DAY_US / a_day;
    int changed = sql_run(store, SQL("UPDATE author SET uploads_us = $3 + CASE WHEN uploads_us > $2"
                                     " AND uploads_us <= $5 THEN uploads_us ELSE $2 END"
                                     " WHERE id = $1 AND (uploads_us <= $4 OR uploads_us > $5)",
                                     sql_int(author_id), sql_int(now_us), sql_int(share_us),
                                     sql_int(now_us + CLOCK_DAY_US - share_us),
                                     sql_int(now_us + 2 * CLOCK_DAY_US)));
    int error = changed < 0 ? changed : 0;

    *retry_us = 0;
    if (changed == 0)
        error = sql_number(store,
                           SQL("SELECT uploads_us FROM author WHERE id = $1", sql_int(author_id)),
                           retry_us);
    if (error || changed)
        return error;
    *retry_us -= CLOCK_DAY_US - share_us;
    return store_refuse(store, -EDQUOT,
                        "the author has begun %lld uploads within a day, which is the limit, also "
                        "of uploads that are refused: wait",
                        (long long)a_day);
}

int store_author_upload(struct store *store, int64_t author_id, int64_t now_us, int64_t a_day,
                        int64_t *retry_us)
{
    return SQL_TRANSACTION(store, SQL_PLAIN,
                           count_upload(store, author_id, now_us, a_day, retry_us));
}

/* ---- tokens ---- */

int store_token_draw(char text[static STORE_TOKEN_BYTES])
{
    uint8_t bytes[STORE_DIGEST_BYTES];
    size_t length = strlen(strcpy(text, "arena_"));

    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return -EIO;
    base16_encode_update(text + length, sizeof bytes, bytes);
    text[length + BASE16_ENCODE_LENGTH(sizeof bytes)] = '\0';
    return 0;
}

void store_token_hash(const char *text, size_t size, char sha256[static STORE_HASH_DIGITS + 1])
{
    uint8_t digest[STORE_DIGEST_BYTES];
    struct sha256_ctx hash;

    sha256_init(&hash);
    sha256_update(&hash, size, (const uint8_t *)text);
    sha256_digest(&hash, sizeof digest, digest);
    base16_encode_update(sha256, sizeof digest, digest);
    sha256[STORE_HASH_DIGITS] = '\0';
}

/* The text is exactly that which a rename or an erasure changes. */
static int add_event(struct store *store, int64_t author_id, const char *what)
{
    char name[STORE_TEXT_BYTES_MAX + 1];
    int error = SQL_FIND(store, SQL("SELECT name FROM author WHERE id = $1", sql_int(author_id)),
                         row_text(&rows, 0, name, sizeof name));

    return error ?: store_add_event(store, EVENT_OF_ACCOUNT, what, "author %s", name);
}

static int add_token(struct store *store, const struct store_token *token)
{
    char what[sizeof((struct store_event *)0)->what];

    snprintf(what, sizeof what, "%s-token", store_scopes[token->scope]);
    return table_insert(store, TABLE_TOKEN, 0, token) ?: add_event(store, token->author_id, what);
}

int store_token_add(struct store *store, const struct store_token *token)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, add_token(store, token));
}

/*
 * Tries to note that a token was used: a disk that is full, or a process that holds the store,
 * keeps nobody from reading.
 */
static void note_use(struct store *store, const char *sha256, int64_t now_us)
{
    (void)SQL_TRANSACTION(store, SQL_HASTY,
                          sql_change(store, SQL("UPDATE token SET used_us = $2 WHERE sha256 = $1",
                                                sql_text(sha256), sql_int(now_us))));
    store->failure[0] = '\0';
}

int store_token_find(struct store *store, const char *sha256, int64_t now_us,
                     struct store_author *author, enum store_scope *scope)
{
    const int first = schema_tables[TABLE_AUTHOR].column_count;
    int64_t used_us = 0;
    int error = SQL_FIND(
        store,
        SQL("SELECT author.*, used_us, scope FROM author JOIN token ON token.author = author.id"
            " WHERE sha256 = $1 AND revoked_us IS NULL AND erased_us IS NULL"
            " AND coalesce(expires_us, $2) >= $2",
            sql_text(sha256), sql_int(now_us)),
        (table_read(&rows, 0, TABLE_AUTHOR, author), used_us = row_int64_or_null(&rows, first),
         *scope = (enum store_scope)row_range(&rows, first + 1, STORE_SCOPE_AUTHOR,
                                              STORE_SCOPE_ORGANIZER)));

    if (error == -ENOENT)
        return store_refuse(
            store, error,
            "this token is unknown, was revoked or has expired: ask the organizer for a new one");
    if (!error && now_us - used_us >= used_exact_us)
        note_use(store, sha256, now_us);
    return error;
}

int store_tokens_each(struct store *store, int64_t author_id, store_token_fn *each_fn,
                      void *context)
{
    struct store_token token;

    return SQL_EACH(store,
                    SQL("SELECT * FROM token WHERE author = $1 ORDER BY created_us, sha256",
                        sql_int(author_id)),
                    table_read(&rows, 0, TABLE_TOKEN, &token), each_fn(context, &token));
}

static int revoke(struct store *store, int64_t author_id, const char *digits, int64_t now_us)
{
    int count = sql_run(
        store, SQL("UPDATE token SET revoked_us = $1 WHERE author = $2 AND revoked_us IS NULL"
                   " AND substr(sha256, 1, length($3)) = $3",
                   sql_int(now_us), sql_int(author_id), sql_text(digits)));

    if (count == 0)
        return store_refuse(store, -ENOENT,
                            "no valid token of the author has a SHA-256 that begins with these "
                            "digits: `arena author list` lists the tokens");
    return count < 0 ? count : add_event(store, author_id, "author-revoke");
}

int store_token_revoke(struct store *store, int64_t author_id, const char *digits, int64_t now_us)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, revoke(store, author_id, digits, now_us));
}

/* ---- forfeits ---- */

/* A row of the listing: a bot of the author in a game with forfeits. */
struct forfeit_row {
    int64_t season_id;
    int entry; /* the bot's number in the season */
    char season[STORE_NAME_BYTES_MAX + 1];
    struct store_game game;
    struct store_forfeit forfeit;
};

static void read_forfeit_row(struct sql_rows *rows, struct forfeit_row *row)
{
    row->entry = row_int(rows, 0);
    row_text(rows, 1, row->season, sizeof row->season);
    row_text(rows, 2, row->forfeit.bot, sizeof row->forfeit.bot);
    row_text(rows, 3, row->forfeit.version, sizeof row->forfeit.version);
    row->season_id = row_int64(rows, 4);
    table_read(rows, 4, TABLE_GAME, &row->game);
    row->forfeit.started_us = row->game.started_us;
    store_game_id(row->forfeit.game, row->season, row->game.group, row->game.rotation);
}

/*
 * Opens a page of rows, the newest first: those after the row `last`. CROSS JOIN makes SQLite begin
 * with the games, in the order of their index; the first condition on started_us makes both servers
 * begin where the page before ended.
 */
static void open_forfeits(struct store *store, struct sql_rows *rows, const char *author,
                          int page_rows, const struct forfeit_row *last)
{
    sql_open(store, rows,
             SQL("SELECT entry.number, season.name, bot.name, bot.version, game.season,"
                 " game.game_group, game.rotation, game.seats, game.started_us FROM game"
                 " CROSS JOIN game_group AS g CROSS JOIN entry CROSS JOIN bot CROSS JOIN season"
                 " WHERE game.forfeits IS NOT NULL AND game.started_us <= $2"
                 " AND (game.started_us, game.season, game.game_group, game.rotation,"
                 " entry.number) < ($2, $3, $4, $5, $6)"
                 " AND g.season = game.season AND g.number = game.game_group"
                 " AND entry.season = game.season"
                 " AND entry.number IN (g.base0, g.base1, g.base2, g.base3)"
                 " AND bot.id = entry.bot AND bot.author = $1 AND season.id = game.season"
                 " ORDER BY 9 DESC, 5 DESC, 6 DESC, 7 DESC, 1 DESC LIMIT $7",
                 sql_text(author), sql_int(last->game.started_us), sql_int(last->season_id),
                 sql_int(last->game.group), sql_int(last->game.rotation), sql_int(last->entry),
                 sql_int(page_rows)));
}

/* Reads what was recorded of the game's forfeits, and passes the forfeit to each_fn. */
static int pass_forfeit(struct store *store, struct forfeit_row *row, store_forfeit_fn *each_fn,
                        void *context)
{
    return SQL_EACH(
        store,
        SQL("SELECT forfeits FROM game WHERE season = $1 AND game_group = $2"
            " AND rotation = $3",
            sql_int(row->season_id), sql_int(row->game.group), sql_int(row->game.rotation)),
        row->forfeit.forfeits = row_text_or_null(&rows, 0), each_fn(context, &row->forfeit));
}

int store_forfeits_of(struct store *store, const char *author, int count, store_forfeit_fn *each_fn,
                      void *context)
{
    const int page_rows = 1000;
    struct forfeit_row row = {.season_id = INT64_MAX,
                              .entry = INT_MAX,
                              .game = {INT_MAX, INT_MAX, .started_us = INT64_MAX}};
    int error = 0, read = page_rows;

    while (!error && count > 0 && read == page_rows) {
        struct sql_rows rows;

        open_forfeits(store, &rows, author, page_rows, &row);
        for (read = 0; count > 0 && sql_next(&rows); read++) {
            read_forfeit_row(&rows, &row);
            if (row_end(&rows) || !store_game_forfeited(&row.game, row.entry, &row.forfeit.seat))
                continue;
            rows.error = pass_forfeit(store, &row, each_fn, context);
            count--;
        }
        error = sql_close(&rows);
    }
    return error;
}
