/* SPDX-License-Identifier: MIT */
/*
 * The version of the schema, and how a store of an older arena gets today's.
 *
 * Every version since 1 can be upgraded. Who changes a table, a column, an index (tables.c), a
 * table of leases.sql or anything of leases_functions.sql raises STORE_SCHEMA_VERSION, adds an
 * element to `upgrades`, and lets `python3 tests/store/upgrades.py BUILD --write` keep a store of
 * the new version, which the tests open with each later arena. Those tests fail while the schema
 * differs from that of the last store kept.
 *
 * - Rows are read by position, so ALTER TABLE adds a column at the end: its line in tables.c is the
 *   last of the table. A column that is not NULL needs a DEFAULT that is right for rows that exist.
 * - On PostgreSQL a column of text is `text COLLATE "C"`, and one of TEXT also has the CHECK that
 *   tables.c writes (CHECK_TEXT), as in a store that is made anew.
 * - A step may be "": one server may need nothing.
 * - The checksum of a game hashes all its columns. So whoever adds a column to table game lets
 *   table_digest leave out this column where it is NULL, which it must be in older games.
 * - SQLite changes no constraint of a table: make a new table, copy, drop, rename. PRAGMA
 *   defer_foreign_keys = ON works in a transaction, foreign_keys does not.
 * - leases_functions.sql runs after each upgrade. It replaces functions; an upgrade itself drops
 * those whose arguments or results change, and `arena store role` then grants their rights anew.
 */
#include <errno.h>
#include <stdio.h>

#include "arena/store/schema.h"

enum {
    HASHES_MIN = 1 << 20, /* before version 1, the version was a hash of the tables */
};

extern const char leases_functions_sql[]; /* generated from leases_functions.sql */

static const struct schema_upgrade upgrades[STORE_SCHEMA_VERSION + 1] = {
    [1] = {"", ""}, /* the first that is upgraded */
};

/*
 * Refuses a version of the schema that cannot be upgraded to `known`, or is of no whole store.
 * Returns 0 or -errno.
 */
static int check_version(struct store *store, int64_t version, int known)
{
    if (version < 0)
        return store_refuse(store, -EBADMSG,
                            "%s is an incomplete copy of another store: wait for `arena store "
                            "copy`, or, if it was interrupted, remove the copy and copy again",
                            store->where);
    if (version == 0 || version >= HASHES_MIN)
        return schema_refuse(store);
    if (version > known)
        return store_refuse(store, -ENOTSUP,
                            "%s was made by a newer arena (version %d of the schema; this arena "
                            "knows %d): use that arena",
                            store->where, (int)version, known);
    return 0;
}

/* An older arena that plays a season would go on to write rows of the older schema. */
static int refuse_players(struct store *store)
{
    char name[STORE_NAME_BYTES_MAX + 1] = "", owner[STORE_OWNER_BYTES] = "";
    int error = SQL_EACH(store, SQL("SELECT name FROM season WHERE closed_us IS NULL"),
                         row_text(&rows, 0, name, sizeof name),
                         store->driver->read_claim(store, name, owner) || *owner);

    return *owner ? store_refuse(store, -EBUSY, "season %s is being played by %s: stop it first",
                                 name, owner)
                  : error;
}

static int upgrade(struct store *store, const struct schema_upgrade *steps, int version)
{
    const struct sql_driver *driver = store->driver;
    int64_t from;
    /* Since schema_check, another arena may have upgraded the store, or begun to copy into it. */
    int error = sql_number(store, SQL("SELECT version FROM pavilion FOR UPDATE"), &from)
                    ?: check_version(store, from, version) ?: refuse_players(store);

    for (int64_t to = from + 1; to <= version && !error; to++) {
        const char *step = driver->has_leases ? steps[to].postgres : steps[to].sqlite;

        if (*step)
            error = driver->execute(store, step);
    }
    if (!error && driver->has_leases)
        error = driver->execute(store, leases_functions_sql);
    return error ?: sql_change(store, SQL("UPDATE pavilion SET version = $1", sql_int(version)));
}

int schema_upgrade(struct store *store, const struct schema_upgrade *steps, int version)
{
    return SQL_TRANSACTION(store, SQL_LONG, upgrade(store, steps, version));
}

int schema_refuse(struct store *store)
{
    return store_refuse(store, -ENOTSUP,
                        "%s was made by an arena before 1.0, whose stores are not upgraded: use "
                        "that arena, or begin anew with another home folder or database",
                        store->where);
}

/* Upgrades a store on opening, and says so in the line of a failure. */
static int upgrade_older(struct store *store, int version)
{
    char reason[sizeof store->failure];
    int error;

    if (store->mode == STORE_READ)
        return store_refuse(store, -ENOTSUP,
                            "%s has version %d of the schema, and this arena reads version %d: "
                            "back it up, then let `arena store upgrade` upgrade it",
                            store->where, version, STORE_SCHEMA_VERSION);
    error = schema_upgrade(store, upgrades, STORE_SCHEMA_VERSION);
    if (!error) {
        store->upgraded_from = version;
        return 0;
    }
    snprintf(reason, sizeof reason, "%s", store->failure);
    return store_refuse(store, error,
                        "%s cannot be upgraded from version %d of the schema to %d, and stays as "
                        "it was: %s",
                        store->where, version, STORE_SCHEMA_VERSION, reason);
}

int schema_check(struct store *store)
{
    int64_t version;
    int error = sql_number(store, SQL("SELECT version FROM pavilion"), &version);

    if (error == -ENOENT)
        return store_refuse(store, -EBADMSG,
                            "%s is damaged: table pavilion has no row; restore a backup",
                            store->where);
    if (error)
        return error;
    error = check_version(store, version, STORE_SCHEMA_VERSION);
    if (error)
        return error;
    return version < STORE_SCHEMA_VERSION ? upgrade_older(store, (int)version) : 0;
}
