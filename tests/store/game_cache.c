/*
 * A season's games by way of the cache: always those of the store, whatever the file contains; and
 * those that it has are not read from the store.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/season/game_cache.h"
#include "arena/season/mix.h"
#include "tests/store/fixture.h"

enum {
    GROUPS = 400,
};

static struct fixture fixture;
static char folder[80], file[96];

static void setup(void)
{
    fixture_create(&fixture);
    fixture_fill(&fixture, GROUPS);
    snprintf(folder, sizeof folder, "%s/games", fixture.home);
    snprintf(file, sizeof file, "%s/spring.games", folder);
}

static void teardown(void)
{
    fixture_remove(&fixture);
}

TestSuite(game_cache, .init = setup, .fini = teardown);

/* Adds a game; change: which of several that it might have been. */
static void add(struct store *store, int group, int rotation, int change)
{
    static const uint8_t replay[] = "bytes";
    struct store_game game = fixture_game(group, rotation);
    char forfeits[2000];

    game.started_us += change;
    game.seats[0].score += change;
    if (group % 5 == 2) {
        memset(forfeits, 'x', sizeof forfeits);
        snprintf(forfeits + group, sizeof forfeits - (size_t)group, "[\"%d\"]", change);
        game.forfeits = forfeits;
        game.seats[1].reason = WIRE_TIMEOUT;
    }
    cr_assert_eq(store_game_add(store, fixture.season.id, &game, replay, sizeof replay), 0, "%s",
                 store_failure(store));
}

static void add_groups(int from, int to, int change)
{
    cr_assert_eq(store_begin(fixture.store), 0);
    for (int group = from; group < to; group++)
        for (int rotation = 0; rotation < 2; rotation++)
            add(fixture.store, group, rotation, change);
    cr_assert_eq(store_commit(fixture.store), 0);
}

/* What was read, as text. */
struct seen {
    FILE *stream;
    char *text;
    size_t size, count;
};

static int see(void *context, const struct store_game *game)
{
    struct seen *seen = context;

    seen->count++;
    fprintf(seen->stream, "%d-%d of %d at %lld%s, %s, ", game->group, game->rotation,
            game->player_count, (long long)game->started_us, game->is_pruned ? " pruned" : "",
            game->forfeits ? game->forfeits : "none");
    for (size_t i = 0; i < sizeof game->checksum && game->checksum_known; i++)
        fprintf(seen->stream, "%02x", game->checksum[i]);
    for (int i = 0; i < game->player_count; i++) {
        const struct store_seat *seat = &game->seats[i];

        fprintf(seen->stream, " %d %d %d %d %lld %lld ", seat->entry, seat->score, seat->rank,
                (int)seat->reason, (long long)seat->us, (long long)seat->us_max);
        for (size_t at = 0; at < seat->times_bytes; at++)
            fprintf(seen->stream, "%02x", seat->times[at]);
    }
    fputs("\n", seen->stream);
    return 0;
}

static char *read_games(const char *cache, size_t *count)
{
    struct seen seen = {.count = 0};

    seen.stream = open_memstream(&seen.text, &seen.size);
    cr_assert_eq(game_cache_each(cache, fixture.store, &fixture.season, see, &seen), 0, "%s",
                 store_failure(fixture.store));
    fclose(seen.stream);
    *count = seen.count;
    return seen.text;
}

/* Expects the store's games, as many as that, by way of the cache. */
static void expect_games(const char *rule, size_t wanted)
{
    size_t count;
    char *stored = read_games(NULL, &count), *cached;

    cr_expect_eq(count, wanted, "%s: %zu", rule, count);
    for (int attempt = 0; attempt < 2; attempt++) { /* after the first it has them all */
        cached = read_games(folder, &count);
        cr_expect_eq(count, wanted, "%s, attempt %d: %zu", rule, attempt, count);
        cr_expect(strcmp(stored, cached) == 0, "%s, attempt %d: other games", rule, attempt);
        free(cached);
    }
    free(stored);
}

static off_t file_size(void)
{
    struct stat status;

    return stat(file, &status) == 0 ? status.st_size : -1;
}

Test(game_cache, has_what_the_store_has)
{
    struct store_pruned pruned;
    off_t size;

    expect_games("no game", 0);
    add_groups(0, 100, 0);
    expect_games("new games", 200);
    size = file_size();
    cr_expect_gt(size, 0, "nothing was kept");
    add_groups(102, 300, 0);
    expect_games("more games", 596);
    cr_expect_gt(file_size(), 2 * size);
    add(fixture.store, 100, 1, 0);
    expect_games("a late game", 597);
    add(fixture.store, 100, 0, 0);
    expect_games("an earlier one of that group", 598);
    add(fixture.store, 101, 0, 0);
    expect_games("a late group", 599);
    add(fixture.store, 101, 1, 0);
    expect_games("a later one of that group", 600);
    cr_assert_eq(store_replays_prune(fixture.store, fixture.season.id, 10, 50, &pruned), 0);
    cr_assert_eq(pruned.count, 50);
    expect_games("pruned replays", 600);
}

Test(game_cache, of_games_that_were_given_up_is_not_believed)
{
    char kept[128], command[256];

    add_groups(0, 300, 0);
    expect_games("at first", 600);
    snprintf(kept, sizeof kept, "/tmp/%s.games", strrchr(fixture.home, '/') + 1);
    snprintf(command, sizeof command, "cp %s %s", file, kept);
    cr_assert_eq(system(command), 0);
    teardown();
    setup();
    /* As after a backup was put back: the first games are the same, others ended otherwise. */
    add_groups(0, 150, 0);
    add_groups(150, 280, 1);
    cr_assert_eq(mkdir(folder, 0700), 0);
    snprintf(command, sizeof command, "mv %s %s", kept, file);
    cr_assert_eq(system(command), 0);
    expect_games("a timeline given up", 560);
    fixture.season.created_us++;
    expect_games("another season", 560);
}

static void change_byte(off_t at)
{
    int fd = open(file, O_RDWR | O_CLOEXEC);
    uint8_t byte;

    cr_assert_eq(pread(fd, &byte, 1, at), 1);
    byte ^= 0x10;
    cr_assert_eq(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

Test(game_cache, damaged_costs_only_time)
{
    add_groups(0, 150, 0);
    expect_games("at first", 300);
    add_groups(150, 160, 0);
    expect_games("with a second chunk", 320);
    for (off_t at = 0; at < file_size(); at += at < 400 ? 9 : 9973) {
        change_byte(at);
        expect_games("a changed byte", 320);
    }
    for (off_t size = file_size() - 1; size > 0; size -= 1 + size / 3) {
        cr_assert_eq(truncate(file, size), 0);
        expect_games("a file cut short", 320);
    }
    cr_assert_eq(unlink(file), 0);
    cr_assert_eq(mkdir(file, 0700), 0);
    expect_games("a folder in its place", 320);
    cr_assert_eq(rmdir(file), 0);
    snprintf(folder, sizeof folder, "%s/no/such/folder", fixture.home);
    expect_games("no place for it", 320);
}

/* Changes a byte of the first chunk, and the chunk's sum to match, as somebody who means it would.
 */
static void forge_byte(size_t at, uint8_t byte)
{
    uint64_t head[2], word, sum;
    uint8_t *records;
    int fd = open(file, O_RDWR | O_CLOEXEC);

    cr_assert_eq(pread(fd, head, sizeof head, 0), (ssize_t)sizeof head);
    records = malloc(head[1]);
    cr_assert_eq(pread(fd, records, head[1], sizeof head), (ssize_t)head[1]);
    records[at] = byte;
    sum =
        mix(mix(mix(1, (uint64_t)fixture.season.id), (uint64_t)fixture.season.created_us), head[1]);
    for (size_t i = 0; i < head[1]; i += sizeof word) {
        memcpy(&word, records + i, sizeof word);
        sum = mix(sum, word);
    }
    head[0] = sum;
    cr_assert_eq(pwrite(fd, head, sizeof head, 0), (ssize_t)sizeof head);
    cr_assert_eq(pwrite(fd, records, head[1], sizeof head), (ssize_t)head[1]);
    free(records);
    close(fd);
}

Test(game_cache, out_of_range_is_not_believed)
{
    enum {
        GAME = 56,
        RANK = GAME + 26,
        REASON = GAME + 27,
        SCORE_HIGH = GAME + 23
    };
    static const struct {
        const char *rule;
        size_t at;
        uint8_t byte;
    } rows[] = {
        {"a rotation beyond the players", GAME - 4, 2},
        {"five players", GAME - 3, 5},
        {"a rank of 0", RANK, 0},
        {"a rank beyond the players", RANK, 3},
        {"a reason that does not exist", REASON, 10},
        {"a score of millions", SCORE_HIGH, 1},
    };

    add_groups(0, 20, 0);
    expect_games("at first", 40);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        forge_byte(rows[i].at, rows[i].byte);
        expect_games(rows[i].rule, 40);
    }
}

Test(game_cache, in_use_is_only_read)
{
    off_t size;
    int fd;

    add_groups(0, 20, 0);
    expect_games("at first", 40);
    size = file_size();
    fd = open(file, O_RDONLY | O_CLOEXEC);
    cr_assert_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
    add_groups(20, 30, 0);
    expect_games("while another process writes it", 60);
    cr_expect_eq(file_size(), size, "it was written");
    close(fd);
    expect_games("later", 60);
    cr_expect_gt(file_size(), size);
}

/* A row that is damaged is not noticed: it is not read. */
Test(game_cache, spares_the_store)
{
    char path[96];
    struct seen seen = {.count = 0};
    sqlite3 *database;
    size_t count;

    if (getenv("STORE_TEST_BACKEND"))
        return;
    add_groups(0, 20, 0);
    expect_games("at first", 40);
    snprintf(path, sizeof path, "%s/arena.db", fixture.home);
    cr_assert_eq(sqlite3_open(path, &database), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(database, "UPDATE seat SET score = 1", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    free(read_games(folder, &count));
    cr_expect_eq(count, 40);
    seen.stream = open_memstream(&seen.text, &seen.size);
    cr_expect_eq(game_cache_each(NULL, fixture.store, &fixture.season, see, &seen), -EBADMSG);
    fclose(seen.stream);
    free(seen.text);
}
