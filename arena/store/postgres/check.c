/* Checks that the stored rows still satisfy everything that the schema relies on. */
#include <errno.h>

#include "arena/store/postgres/server.h"

/* Queries for dangling references and incomplete games; each returns at most one row. */
static const struct {
    const char *table;
    const char *sql;
    const char *fault; /* NULL: a row refers to nothing */
} faults[] = {
    {"game_group",
     "SELECT 1 FROM game_group WHERE done <> (SELECT coalesce(bit_or(1 << rotation::integer), 0)"
     " FROM game WHERE game.season = game_group.season AND game_group = number) LIMIT 1",
     "column done tells of other games than there are"},
    {"game", "SELECT 1 FROM game WHERE NOT EXISTS (SELECT 1 FROM game_group WHERE"
             " game_group.season = game.season AND number = game_group) LIMIT 1"},
    {"game", "SELECT 1 FROM game WHERE NOT EXISTS (SELECT 1 FROM seat WHERE seat.season ="
             " game.season AND seat.game_group = game.game_group AND seat.rotation ="
             " game.rotation) LIMIT 1"},
    {"seat", "SELECT 1 FROM seat WHERE NOT EXISTS (SELECT 1 FROM game WHERE game.season ="
             " seat.season AND game.game_group = seat.game_group AND game.rotation ="
             " seat.rotation) LIMIT 1"},
    {"seat", "SELECT 1 FROM seat WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.season ="
             " seat.season AND number = entry) LIMIT 1"},
    {"replay", "SELECT 1 FROM replay WHERE NOT EXISTS (SELECT 1 FROM game WHERE game.season ="
               " replay.season AND game.game_group = replay.game_group AND game.rotation ="
               " replay.rotation) LIMIT 1"},
    {"entry", "SELECT 1 FROM entry WHERE NOT EXISTS (SELECT 1 FROM bot WHERE id = entry.bot)"
              " LIMIT 1"},
    {"bot", "SELECT 1 FROM bot WHERE NOT EXISTS (SELECT 1 FROM package WHERE package.sha256 ="
            " built_sha256) LIMIT 1"},
    {"event",
     "SELECT 1 FROM pavilion WHERE last_event <> (SELECT coalesce(max(id), 0) FROM event)"},
};

enum {
    CHECK_WAIT_MS = 600000,
};

int postgres_check(struct store *store)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct query query;
        int found;

        query_init(&query, faults[i].sql);
        query.wait_ms = CHECK_WAIT_MS;
        found = server_change(store, &query);
        if (found < 0)
            return found;
        if (found)
            return store_refuse(store, -EBADMSG, "%s is damaged: table %s: %s; restore a backup",
                                store_where(store), faults[i].table,
                                faults[i].fault ? faults[i].fault : "a row refers to nothing");
    }
    return 0;
}
