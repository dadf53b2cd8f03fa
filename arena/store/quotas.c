/* SPDX-License-Identifier: MIT */
#include "arena/store/quotas.h"

#include <errno.h>

#include "arena/base/clock.h"
#include "arena/store/sql.h"

const char *const store_quota_kinds[] = {[STORE_QUOTA_PACKAGES] = "packages",
                                         [STORE_QUOTA_UPLOADS] = "uploads",
                                         [STORE_QUOTA_GAMES] = "challenge games",
                                         NULL};

/* What an author asked for after $2 and up to $3, newest first: when, and how many. */
static const char *const asked[] = {
    [STORE_QUOTA_PACKAGES] = "SELECT received_us, 1 FROM submission WHERE author = $1"
                             " AND received_us > $2 AND received_us <= $3"
                             " ORDER BY received_us DESC",
    [STORE_QUOTA_GAMES] =
        "SELECT created_us, wanted FROM challenge JOIN bot ON bot.id ="
        " challenge.bot WHERE bot.author = $1 AND created_us > $2"
        " AND created_us <= $3 AND " STORE_SQL_CHALLENGE_COUNTS " ORDER BY created_us DESC",
};

struct tally {
    int64_t most; /* as many may still count when the author asks for more */
    int64_t used, oldest_us;
    int64_t above_us; /* when the oldest was asked for that must not count then; 0: all may */
};

static int count_asked(struct tally *tally, int64_t at_us, int64_t count)
{
    tally->used += count;
    tally->oldest_us = at_us;
    if (!tally->above_us && tally->used > tally->most)
        tally->above_us = at_us;
    return 0;
}

/*
 * What was asked for counts for a day. What is more than a day ahead was asked for while the
 * machine's clock was wrong: it would lock the author out until the clock gets there again.
 */
static int read_asked(struct store *store, const char *author, int64_t now_us, int64_t wanted,
                      struct store_quota *quota)
{
    struct tally tally = {.most = quota->a_day - (wanted ? wanted : 1)};
    int64_t at_us, count;
    const int error = SQL_EACH(store,
                               SQL(asked[quota->kind], sql_text(author),
                                   sql_int(now_us - CLOCK_DAY_US), sql_int(now_us + CLOCK_DAY_US)),
                               (at_us = row_int64(&rows, 0), count = row_int64(&rows, 1)),
                               count_asked(&tally, at_us, count));

    if (wanted == 0 && !tally.above_us)
        tally.above_us = tally.oldest_us;
    if (tally.above_us)
        quota->more_us = tally.above_us + CLOCK_DAY_US;
    quota->left = tally.used < quota->a_day ? quota->a_day - tally.used : 0;
    return error;
}

/* Each upload takes its share of a day (store_author_upload), until uploads_us. */
static int read_uploads(struct store *store, const char *author, int64_t now_us, int64_t wanted,
                        struct store_quota *quota)
{
    const int64_t share_us = CLOCK_DAY_US / quota->a_day ?: 1;
    int64_t until_us = 0;
    int error = sql_number(
        store, SQL("SELECT coalesce(uploads_us, 0) FROM author WHERE name = $1", sql_text(author)),
        &until_us);

    if (until_us < now_us || until_us > now_us + 2 * CLOCK_DAY_US)
        until_us = now_us;
    quota->left = (now_us + CLOCK_DAY_US - until_us) / share_us;
    if (quota->left > quota->a_day)
        quota->left = quota->a_day;
    if (quota->left < 0) /* the clock went back a little */
        quota->left = 0;
    if (wanted == 0)
        wanted = quota->left + 1;
    if (wanted > quota->left && wanted <= quota->a_day)
        quota->more_us = until_us + wanted * share_us - CLOCK_DAY_US;
    return error;
}

int store_quota_read(struct store *store, const char *author, int64_t now_us, int64_t wanted,
                     struct store_quota *quota)
{
    quota->left = quota->more_us = 0;
    if (quota->a_day == 0)
        return 0;
    if (wanted > quota->a_day)
        wanted = 0;
    return quota->kind == STORE_QUOTA_UPLOADS ? read_uploads(store, author, now_us, wanted, quota)
                                              : read_asked(store, author, now_us, wanted, quota);
}
