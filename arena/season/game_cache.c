/*
 * The file is a row of chunks, each a head and packed games of whole groups in order. Publications
 * append chunks. Numbers are those of the machine: the file never leaves it.
 */
#include "arena/season/game_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/season/mix.h"

enum {
    CACHE_FORM = 1,            /* raise when the records change */
    CHUNK_BYTES = 1 << 20,     /* a chunk is written once it has this many */
    CHUNK_BYTES_MAX = 1 << 24, /* with the largest forfeits of one more group */
    STREAM_BYTES = 1 << 18,
};

/* Before the records of a chunk. */
struct chunk_head {
    uint64_t sum; /* over the rest of the head and the records */
    uint64_t bytes;
};

struct seat_record {
    int64_t us, us_max;
    int32_t entry, score;
    uint16_t times_bytes;
    uint8_t rank, reason;
    uint32_t padding;
};

/* A game, followed by its seats, their times, and its forfeits. */
struct game_record {
    uint32_t bytes; /* of all of it, a multiple of 8 */
    int32_t group;
    int64_t started_us;
    uint8_t checksum[STORE_DIGEST_BYTES];
    uint32_t forfeits_bytes; /* with their NUL; 0: none */
    uint8_t rotation, player_count, checksum_known, padding;
};

/* What the store says of a game: struct game_record has the same. */
struct head {
    int64_t started_us;
    uint64_t mark; /* the beginning of its checksum */
    int32_t group;
    uint8_t rotation;
    bool is_pruned;
};

struct bytes {
    uint8_t *at;
    size_t size, room;
};

struct reading {
    store_game_fn *each_fn;
    void *context;
    struct head *heads; /* of all games in the store */
    size_t head_count, head_room;
    size_t next;      /* the first head whose game was not passed on */
    struct bytes old; /* a chunk that was read */
    struct bytes new; /* records to be written */
    int fd;           /* -1: nothing is written */
    off_t end;        /* where the next chunk belongs */
    uint64_t seed;    /* of sums: stands for the season */
    int error;
};

/* Sums up bytes; their number is a multiple of 8. */
static uint64_t sum_up(const struct reading *reading, const uint8_t *bytes, size_t size)
{
    uint64_t sum = mix(reading->seed, size), word;

    for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        sum = mix(sum, word);
    }
    return sum;
}

static int make_room(struct bytes *bytes, size_t size)
{
    uint8_t *larger;

    if (size <= bytes->room)
        return 0;
    larger = realloc(bytes->at, 2 * size);
    if (!larger)
        return -ENOMEM;
    bytes->at = larger;
    bytes->room = 2 * size;
    return 0;
}

/* ---- what the store has ---- */

static uint64_t mark_of(const uint8_t *checksum, bool is_known)
{
    uint64_t mark = 0;

    if (is_known)
        memcpy(&mark, checksum, sizeof mark);
    return mark;
}

static int add_head(void *context, const struct store_game *game)
{
    struct reading *reading = context;

    if (reading->head_count == reading->head_room) {
        size_t room = reading->head_room ? 2 * reading->head_room : 1024;
        struct head *heads = realloc(reading->heads, room * sizeof *heads);

        if (!heads) {
            reading->error = -ENOMEM;
            return 1;
        }
        reading->heads = heads;
        reading->head_room = room;
    }
    reading->heads[reading->head_count++] =
        (struct head){.group = game->group,
                      .rotation = (uint8_t)game->rotation,
                      .is_pruned = game->is_pruned,
                      .started_us = game->started_us,
                      .mark = mark_of(game->checksum, game->checksum_known)};
    return 0;
}

/* ---- writing ---- */

/* Writes the new records as a chunk. The first failure ends the writing. */
static void write_chunk(struct reading *reading)
{
    struct chunk_head head = {sum_up(reading, reading->new.at, reading->new.size),
                              reading->new.size};
    ssize_t size = (ssize_t)head.bytes;

    if (reading->new.size > 0 && reading->fd >= 0) {
        if (pwrite(reading->fd, &head, sizeof head, reading->end) == (ssize_t)sizeof head &&
            pwrite(reading->fd, reading->new.at, head.bytes, reading->end + (off_t)sizeof head) ==
                size)
            reading->end += (off_t)sizeof head + size;
        else
            reading->fd = -1; /* what is there now has no sum that is right */
    }
    reading->new.size = 0;
}

static size_t record_bytes(const struct store_game *game)
{
    size_t size = sizeof(struct game_record) +
                  (size_t)game->player_count * sizeof(struct seat_record) +
                  (game->forfeits ? strlen(game->forfeits) + 1 : 0);

    for (int seat = 0; seat < game->player_count; seat++)
        size += game->seats[seat].times_bytes;
    return (size + 7) & ~(size_t)7;
}

static uint8_t *put(uint8_t *at, const void *bytes, size_t size)
{
    if (size)
        memcpy(at, bytes, size);
    return at + size;
}

static void pack(const struct store_game *game, uint8_t *at, size_t size)
{
    struct game_record record = {.bytes = (uint32_t)size,
                                 .group = game->group,
                                 .started_us = game->started_us,
                                 .forfeits_bytes =
                                     game->forfeits ? (uint32_t)strlen(game->forfeits) + 1 : 0,
                                 .rotation = (uint8_t)game->rotation,
                                 .player_count = (uint8_t)game->player_count,
                                 .checksum_known = game->checksum_known};

    memset(at + size - 8, 0, 8);
    if (game->checksum_known)
        memcpy(record.checksum, game->checksum, sizeof record.checksum);
    at = put(at, &record, sizeof record);
    for (int i = 0; i < game->player_count; i++) {
        const struct store_seat *seat = &game->seats[i];
        const struct seat_record packed = {.us = seat->us,
                                           .us_max = seat->us_max,
                                           .entry = seat->entry,
                                           .score = seat->score,
                                           .times_bytes = (uint16_t)seat->times_bytes,
                                           .rank = (uint8_t)seat->rank,
                                           .reason = (uint8_t)seat->reason};

        at = put(at, &packed, sizeof packed);
    }
    for (int i = 0; i < game->player_count; i++)
        at = put(at, game->seats[i].times, game->seats[i].times_bytes);
    put(at, game->forfeits, record.forfeits_bytes);
}

/* A game from the store: a chunk ends between groups only. */
static int take_new(void *context, const struct store_game *game)
{
    struct reading *reading = context;
    size_t size = record_bytes(game);

    if (reading->fd >= 0 && reading->new.size >= CHUNK_BYTES && game->rotation == 0)
        write_chunk(reading);
    if (reading->fd >= 0 && make_room(&reading->new, reading->new.size + size) == 0) {
        pack(game, reading->new.at + reading->new.size, size);
        reading->new.size += size;
    } else if (reading->fd >= 0) {
        reading->fd = -1;
    }
    return reading->each_fn(reading->context, game);
}

/* ---- reading ---- */

/*
 * Reads a record from bytes into a game that borrows them. Returns its size, 0 if it is none or out
 * of range: sums find damage, but whoever makes a home can make a cache with the right sums.
 */
static size_t unpack(const uint8_t *bytes, size_t size, struct store_game *game)
{
    struct game_record record;
    const uint8_t *at = bytes + sizeof record, *end;

    if (size < sizeof record)
        return 0;
    memcpy(&record, bytes, sizeof record);
    if (record.bytes > size || record.bytes % 8 != 0 || record.player_count < GAME_PLAYERS_MIN ||
        record.player_count > GAME_PLAYERS_MAX ||
        record.bytes < sizeof record + record.player_count * sizeof(struct seat_record))
        return 0;
    end = bytes + record.bytes;
    *game = (struct store_game){.group = record.group,
                                .rotation = record.rotation,
                                .player_count = record.player_count,
                                .started_us = record.started_us,
                                .checksum_known = record.checksum_known};
    memcpy(game->checksum, record.checksum, sizeof game->checksum);
    for (int i = 0; i < game->player_count; i++, at += sizeof(struct seat_record)) {
        struct seat_record seat;

        memcpy(&seat, at, sizeof seat);
        game->seats[i] = (struct store_seat){.entry = seat.entry,
                                             .score = seat.score,
                                             .rank = seat.rank,
                                             .reason = (enum wire_reason)seat.reason,
                                             .us = seat.us,
                                             .us_max = seat.us_max,
                                             .times_bytes = seat.times_bytes};
    }
    for (int i = 0; i < game->player_count; i++) {
        if (game->seats[i].times_bytes > (size_t)(end - at))
            return 0;
        game->seats[i].times = at;
        at += game->seats[i].times_bytes;
    }
    if (!store_result_is_sound(game) || record.forfeits_bytes > (size_t)(end - at) ||
        (record.forfeits_bytes && at[record.forfeits_bytes - 1] != '\0'))
        return 0;
    game->forfeits = record.forfeits_bytes ? (const char *)at : NULL;
    return record.bytes;
}

/* True if the store has the game as it is. */
static bool is_stored(const struct reading *reading, size_t at, const struct store_game *game)
{
    const struct head *head;

    if (at >= reading->head_count)
        return false;
    head = &reading->heads[at];
    return head->group == game->group && head->rotation == game->rotation &&
           head->started_us == game->started_us &&
           head->mark == mark_of(game->checksum, game->checksum_known);
}

/*
 * Looks at the records of the next group, which begin at bytes. Returns their size if the store has
 * just these games of that group, else 0.
 */
static size_t match_group(const struct reading *reading, const uint8_t *bytes, size_t size)
{
    size_t at = reading->next, done = 0, record;
    struct store_game game;
    int group = 0;

    while (done < size && (record = unpack(bytes + done, size - done, &game)) > 0 &&
           (done == 0 || game.group == group)) {
        if (!is_stored(reading, at, &game))
            return 0;
        group = game.group;
        at++;
        done += record;
    }
    return done > 0 && (at == reading->head_count || reading->heads[at].group != group) ? done : 0;
}

/* Passes on the games of a chunk as far as the store has them. Returns the bytes of these. */
static size_t pass_chunk(struct reading *reading)
{
    size_t done = 0, group;

    while (!reading->error &&
           (group = match_group(reading, reading->old.at + done, reading->old.size - done)) > 0)
        for (size_t end = done + group; done < end && !reading->error;) {
            struct store_game game;

            done += unpack(reading->old.at + done, end - done, &game);
            game.is_pruned = reading->heads[reading->next++].is_pruned;
            if (reading->each_fn(reading->context, &game) != 0)
                reading->error = -EINTR;
        }
    return done;
}

static bool read_chunk(struct reading *reading, FILE *file)
{
    struct chunk_head head;

    if (fread(&head, sizeof head, 1, file) != 1 || head.bytes == 0 || head.bytes % 8 != 0 ||
        head.bytes > CHUNK_BYTES_MAX || make_room(&reading->old, head.bytes) < 0 ||
        fread(reading->old.at, head.bytes, 1, file) != 1)
        return false;
    reading->old.size = head.bytes;
    return head.sum == sum_up(reading, reading->old.at, head.bytes);
}

/* Passes on the games of the file as far as the store has them. */
static void pass_file(struct reading *reading, FILE *file)
{
    while (!reading->error && read_chunk(reading, file)) {
        size_t done = pass_chunk(reading);

        if (done < reading->old.size) { /* this part of it is written again, with what follows */
            if (make_room(&reading->new, done) < 0)
                reading->fd = -1;
            else if (done > 0)
                memcpy(reading->new.at, reading->old.at, reading->new.size = done);
            return;
        }
        reading->end += (off_t)(sizeof(struct chunk_head) + done);
    }
}

/* Opens the file; without its lock it is only read. */
static FILE *open_file(struct reading *reading, const char *folder, const char *season)
{
    char path[PATH_MAX];
    FILE *file;
    int fd;

    mkdir(folder, 0700);
    if (snprintf(path, sizeof path, "%s/%s.games", folder, season) >= (int)sizeof path)
        return NULL;
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd < 0)
        return NULL;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        reading->fd = fd;
    file = fdopen(fd, "r");
    if (file)
        setvbuf(file, NULL, _IOFBF, STREAM_BYTES);
    else
        close(fd);
    return file;
}

/* Returns a number for a season: a file of another one is not believed. */
static uint64_t seed_of(const struct store_season *season)
{
    return mix(mix(CACHE_FORM, (uint64_t)season->id), (uint64_t)season->created_us);
}

static int read_all(struct reading *reading, FILE *file, struct store *store, int64_t season_id)
{
    int error = store_heads_each(store, season_id, add_head, reading);

    if (reading->error || error)
        return reading->error ? reading->error : error;
    if (file)
        pass_file(reading, file);
    if (!reading->error && reading->next < reading->head_count)
        reading->error = store_games_from(store, season_id, reading->heads[reading->next].group,
                                          take_new, reading);
    if (!reading->error)
        write_chunk(reading);
    if (!reading->error && reading->fd >= 0 && ftruncate(reading->fd, reading->end) < 0)
        reading->error = 0; /* what follows the last chunk will be found out */
    return reading->error;
}

int game_cache_each(const char *folder, struct store *store, const struct store_season *season,
                    store_game_fn *each_fn, void *context)
{
    struct reading reading = {
        .each_fn = each_fn, .context = context, .fd = -1, .seed = seed_of(season)};
    FILE *file;
    int error;

    if (!folder)
        return store_games_each(store, season->id, each_fn, context);
    file = open_file(&reading, folder, season->name);
    error = read_all(&reading, file, store, season->id);
    if (file)
        fclose(file);
    free(reading.heads);
    free(reading.old.at);
    free(reading.new.at);
    return error;
}
