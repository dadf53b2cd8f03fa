/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "arena/store/schema.h"

int store_league_find(struct store *store, const char *name, struct store_league *league)
{
    int error =
        SQL_FIND(store, SQL("SELECT * FROM league WHERE name = $1", sql_text(name)),
                 (*league = (struct store_league){0}, table_read(&rows, 0, TABLE_LEAGUE, league)));

    if (error == -ENOENT)
        store_refuse(store, error, "there is no league %s: `arena league new` creates one", name);
    return error;
}

int store_leagues_each(struct store *store, store_league_fn *each_fn, void *context)
{
    struct store_league league = {0};

    return SQL_LIST(store, SQL_PAGES("SELECT * FROM league WHERE id > $1 ORDER BY id LIMIT $2"),
                    table_read(&rows, 0, TABLE_LEAGUE, &league), each_fn(context, &league));
}

static int add_league(struct store *store, struct store_league *league)
{
    int error = sql_number(store, SQL("SELECT coalesce(max(id), 0) + 1 FROM league"), &league->id);

    if (!error)
        error = table_insert(store, TABLE_LEAGUE, 0, league);
    if (error == -EEXIST)
        store_refuse(store, error, "league %s already exists: choose another name", league->name);
    return error
               ?: store_add_event(store, EVENT_OF_ALL, "league", "%s: %s", league->name,
                                  league->divisions);
}

int store_league_add(struct store *store, struct store_league *league)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, add_league(store, league));
}
