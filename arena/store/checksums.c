/*
 * Checksums that detect changed rows. Numbers are hashed as 8 bytes, least significant first, so
 * that a checksum is the same on every machine and in every back end. A seat's checksum is computed
 * for every ladder, so it is FNV-1a, not SHA-256: it detects damage, and anyone who edits a store
 * on purpose can compute a matching checksum anyway.
 */
#include <nettle/sha2.h>
#include <string.h>

#include "arena/store/core.h"

/* The prime of FNV-1a and its powers. */
#define FNV_1 UINT64_C(0x100000001b3)
#define FNV_2 (FNV_1 * FNV_1)
#define FNV_3 (FNV_2 * FNV_1)
#define FNV_4 (FNV_3 * FNV_1)
#define FNV_5 (FNV_4 * FNV_1)
#define FNV_6 (FNV_5 * FNV_1)
#define FNV_7 (FNV_6 * FNV_1)
#define FNV_8 (FNV_7 * FNV_1)

static const uint64_t fnv_offset = 0xcbf29ce484222325u;
static const uint64_t fnv_powers[] = {1, FNV_1, FNV_2, FNV_3, FNV_4, FNV_5, FNV_6, FNV_7, FNV_8};

static uint64_t add_bytes(uint64_t sum, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * FNV_1;
    return sum;
}

/* Most numbers are small. A zero byte only multiplies, so a number's last ones do so at once. */
static uint64_t add_number(uint64_t sum, int64_t number)
{
    int zero_count = 8;

    for (uint64_t rest = (uint64_t)number; rest; rest >>= 8, zero_count--)
        sum = (sum ^ (rest & 0xff)) * FNV_1;
    return sum * fnv_powers[zero_count];
}

uint64_t checksum_of_seat(int64_t season_id, const struct store_game *game, int number)
{
    const struct store_seat *seat = &game->seats[number];
    const int64_t numbers[] = {season_id,   game->group,  game->rotation,      number,
                               seat->entry, seat->score,  seat->rank,          seat->reason,
                               seat->us,    seat->us_max, seat->decision_count};
    uint64_t sum = fnv_offset;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sum = add_number(sum, numbers[i]);
    sum = add_bytes(sum, seat->times, seat->times_bytes);
    return sum ? sum : 1;
}

static uint8_t *put_number(uint8_t *at, int64_t number)
{
    for (int i = 0; i < 8; i++)
        *at++ = (uint8_t)((uint64_t)number >> (8 * i));
    return at;
}

static uint8_t *put_bytes(uint8_t *at, const uint8_t *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

/* Writes all of a game's row that stands before its forfeits. Returns its end. */
static uint8_t *put_game(uint8_t *at, int64_t season_id, const struct store_game *game,
                         size_t forfeits_bytes)
{
    const int64_t place[] = {season_id, game->group, game->rotation, game->player_count,
                             game->opening};
    const int64_t numbers[] = {
        game->started_us,     game->wall_us,           game->layers,
        game->decision_count, game->play.memory_bytes, game->play.tier,
        game->play.freeze,    game->play.pin,          (int64_t)forfeits_bytes};

    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        at = put_number(at, place[i]);
    at = put_bytes(at, game->seed, sizeof game->seed);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        at = put_number(at, numbers[i]);
    return at;
}

void checksum_of_game(int64_t season_id, const struct store_game *game,
                      uint8_t checksum[static STORE_DIGEST_BYTES])
{
    const char *forfeits = game->forfeits ? game->forfeits : "";
    uint8_t bytes[256], *end = put_game(bytes, season_id, game, strlen(forfeits));
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, (size_t)(end - bytes), bytes);
    sha256_update(&context, strlen(forfeits), (const uint8_t *)forfeits);
    end = bytes;
    for (int seat = 0; seat < game->player_count; seat++)
        end = put_number(end, (int64_t)(game->seats[seat].checksum
                                            ? game->seats[seat].checksum
                                            : checksum_of_seat(season_id, game, seat)));
    end = put_bytes(end, game->replay_sha256, sizeof game->replay_sha256);
    sha256_update(&context, (size_t)(end - bytes), bytes);
    sha256_digest(&context, STORE_DIGEST_BYTES, checksum);
}

void checksum_of_bytes(const uint8_t *bytes, size_t size,
                       uint8_t checksum[static STORE_DIGEST_BYTES])
{
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, size, bytes);
    sha256_digest(&context, STORE_DIGEST_BYTES, checksum);
}
