/*
 * Checksums that detect changed rows. Numbers are hashed as 8 bytes, least significant first, so
 * that a checksum is the same on every machine and in every back end. A seat's checksum is computed
 * for every ladder, so it is FNV-1a, not SHA-256: it detects damage, and anyone who edits a store
 * on purpose can compute a matching checksum anyway.
 */
#include <nettle/sha2.h>
#include <string.h>

#include "arena/store/core.h"

static const uint64_t fnv_offset = 0xcbf29ce484222325u;
static const uint64_t fnv_prime = 0x100000001b3u;

static uint64_t add_bytes(uint64_t sum, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * fnv_prime;
    return sum;
}

static uint64_t add_number(uint64_t sum, int64_t number)
{
    for (int shift = 0; shift < 64; shift += 8)
        sum = (sum ^ ((uint64_t)number >> shift & 0xff)) * fnv_prime;
    return sum;
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

static void hash_number(struct sha256_ctx *context, int64_t number)
{
    uint8_t bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)number >> (8 * i));
    sha256_update(context, sizeof bytes, bytes);
}

void checksum_of_game(int64_t season_id, const struct store_game *game,
                      uint8_t checksum[static STORE_DIGEST_BYTES])
{
    const char *forfeits = game->forfeits ? game->forfeits : "";
    struct sha256_ctx context;

    sha256_init(&context);
    hash_number(&context, season_id);
    hash_number(&context, game->group);
    hash_number(&context, game->rotation);
    hash_number(&context, game->player_count);
    hash_number(&context, game->opening);
    sha256_update(&context, sizeof game->seed, game->seed);
    hash_number(&context, game->started_us);
    hash_number(&context, game->wall_us);
    hash_number(&context, game->layers);
    hash_number(&context, game->decision_count);
    hash_number(&context, game->play.memory_bytes);
    hash_number(&context, game->play.tier);
    hash_number(&context, game->play.freeze);
    hash_number(&context, game->play.pin);
    hash_number(&context, (int64_t)strlen(forfeits));
    sha256_update(&context, strlen(forfeits), (const uint8_t *)forfeits);
    for (int seat = 0; seat < game->player_count; seat++)
        hash_number(&context, (int64_t)(game->seats[seat].checksum
                                            ? game->seats[seat].checksum
                                            : checksum_of_seat(season_id, game, seat)));
    sha256_update(&context, sizeof game->replay_sha256, game->replay_sha256);
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
