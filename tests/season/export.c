/* SPDX-License-Identifier: MIT */
/* The exported files suffice to compute the lists again, versions included. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/csv.h"
#include "arena/rating/elo.h"
#include "arena/report/export.h"
#include "arena/season/ladder.h"
#include "tests/season/fake.h"

enum {
    VERSIONS = 10,
    OTHERS = 4,
    BOTS = VERSIONS + OTHERS + 1,
    GAMES_A_VERSION = 30,
};

/* Four bots that stay, then several versions of one; the third directly follows the second. */
static struct fake_bot bots[BOTS] = {
    {"ant", "1", "a", 2, FAKE_HONEST},
    {"bee", "1", "b", 6, FAKE_HONEST},
    {"cat", "1", "c", 4, FAKE_HONEST},
    {"dog", "1", "d", 3, FAKE_HONEST},
};
static char version_names[VERSIONS + 1][4];

static const struct store_season terms = {
    .player_counts = {2, 3}, .player_count_count = 2, .budget_games = 2000};

static void play_season(struct fake *fake)
{
    fake_create(fake, bots, OTHERS);
    fake_season(fake, "long", &terms);
    for (int i = 0; i <= VERSIONS; i++) {
        struct fake_bot *bot = &bots[OTHERS + i];

        snprintf(version_names[i], sizeof version_names[i], "%d", i + 1);
        *bot = (struct fake_bot){"eel", version_names[i], "e", i % 4 * 3, FAKE_HONEST};
        fake_submit(fake, bot);
        fake->bots = bots;
        fake->bot_count = OTHERS + i + 1;
        if (i != 1) /* the second version is replaced before it plays */
            fake_run(fake, "long", (struct fake_drive){.jobs = 1, .games = GAMES_A_VERSION});
    }
}

static void load(struct fake *fake, struct standings *standings, struct csv *csv)
{
    struct store_season season;
    struct csv_error wrong = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    cr_assert_eq(store_season_find(fake->store, "long", &season), 0);
    cr_assert_eq(standings_load(standings, fake->store, &season, LADDER_FINAL), 0);
    cr_assert_eq(export_games(fake->store, &season, file), 0);
    fclose(file);
    cr_assert_eq(csv_read(text, size, csv, &wrong), 0, "line %d: %s", (int)wrong.line,
                 wrong.message);
    free(text);
}

Test(export, gives_the_live_list_exactly)
{
    struct fake fake;
    struct standings standings;
    struct elo_bot live[BOTS];
    struct csv csv;
    int eels = 0;

    play_season(&fake);
    load(&fake, &standings, &csv);
    elo_rate(&csv.games, csv.previous, 0, live, NULL, NULL);
    for (int i = 0; i < csv.games.bot_count; i++) {
        char label[STANDINGS_LABEL_BYTES];
        int entry = 0;

        for (;; entry++) {
            cr_assert_lt(entry, standings.roster.count, "nobody is %s", csv.names[i]);
            standings_label(&standings.roster, entry, label);
            if (strcmp(label, csv.names[i]) == 0)
                break;
        }
        eels += strncmp(csv.names[i], "eel@", 4) == 0;
        cr_expect_eq(live[i].rating_micro, standings.ladders[0].live[entry].rating_micro,
                     "%s: %lld, not %lld", csv.names[i], (long long)live[i].rating_micro,
                     (long long)standings.ladders[0].live[entry].rating_micro);
    }
    cr_expect_geq(eels, VERSIONS);
    elo_rate(&csv.games, NULL, 0, live, NULL, NULL);
    cr_expect_neq(live[csv.games.bot_count - 1].rating_micro,
                  standings.ladders[0].live[standings.roster.count - 1].rating_micro,
                  "without the succession it is another list");
    csv_finish(&csv);
    standings_finish(&standings);
    fake_remove(&fake);
}

/* With a buffer large enough for everything the error occurs at the end, without one earlier. */
static int write_to_full(struct fake *fake, const char *name, size_t buffer_bytes,
                         int (*export_fn)(struct store *, const struct store_season *, FILE *))
{
    struct store_season season;
    FILE *full = fopen("/dev/full", "w");
    char *buffer = malloc(buffer_bytes);
    int error;

    cr_assert(full);
    cr_assert_eq(setvbuf(full, buffer, _IOFBF, buffer_bytes), 0);
    cr_assert_eq(store_season_find(fake->store, name, &season), 0);
    error = export_fn(fake->store, &season, full);
    fclose(full);
    free(buffer);
    return error;
}

Test(export, a_full_disk_is_an_error)
{
    struct fake fake;

    play_season(&fake);
    for (size_t buffer_bytes = 512; buffer_bytes <= 4 << 20; buffer_bytes *= 1 << 13) {
        cr_expect_eq(write_to_full(&fake, "long", buffer_bytes, export_games), -EIO, "%zu",
                     buffer_bytes);
        cr_expect_eq(write_to_full(&fake, "long", buffer_bytes, export_history), -EIO, "%zu",
                     buffer_bytes);
    }
    fake_remove(&fake);
}

struct damage {
    int count;
    char id[STORE_GAME_ID_BYTES];
};

static void count_damage(void *context, const char *id, const char *reason)
{
    struct damage *damage = context;

    cr_expect(*reason);
    if (damage->count++ == 0)
        snprintf(damage->id, sizeof damage->id, "%s", id);
}

Test(export, damaged_replays_are_named_and_left_out)
{
    struct fake fake;
    struct store_season season;
    struct damage damage = {0};
    struct replay_export export = {
        .season = &season, .damaged_fn = count_damage, .context = &damage};

    play_season(&fake); /* its replays are no replays at all */
    cr_assert_eq(store_season_find(fake.store, "long", &season), 0);
    export.store = fake.store;
    export.folder = fake.home;
    cr_expect_eq(export_replays(&export), 0);
    cr_expect_eq(export.written_count, 0);
    cr_expect_gt(damage.count, VERSIONS * GAMES_A_VERSION / 2);
    cr_expect_str_eq(damage.id, "long-000000-0");
    fake_remove(&fake);
}
