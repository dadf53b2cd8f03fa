/* SPDX-License-Identifier: MIT */
/* Bytes of a replay file: read, packed again, played again. */
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum {
    CHECKSUM_BYTES = 2 + SHA256_DIGEST_SIZE, /* the last item: a bin of 32 bytes */
};

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* A replay that can be read is written so that it reads the same. */
static void pack_again(const struct replay *replay)
{
    char error[REPLAY_ERROR_BYTES];
    struct replay again;
    uint8_t *once, *twice;
    size_t once_bytes = replay_pack(replay, &once);
    size_t twice_bytes;

    require(once_bytes > 0 && replay_unpack(&again, once, once_bytes, error) == 0);
    twice_bytes = replay_pack(&again, &twice);
    require(twice_bytes == once_bytes && memcmp(once, twice, once_bytes) == 0);
    replay_finish(&again);
    free(twice);
    free(once);
}

static void see(void *self, struct match *match, const struct replay_decision *decision)
{
    size_t *count = self;

    require(!decision || match->decision_count == *count);
    ++*count;
}

static void read_replay(const uint8_t *bytes, size_t size)
{
    char error[REPLAY_ERROR_BYTES] = "";
    struct replay replay;
    size_t seen = 0;

    if (replay_unpack(&replay, bytes, size, error) < 0) {
        require(strncmp(error, "offset ", 7) == 0);
        require((size_t)atol(error + 7) <= size);
        return;
    }
    pack_again(&replay);
    require(replay_verify(&replay, see, &seen, error) == 0 || *error);
    replay_finish(&replay);
}

/* The same with a valid checksum, so that altered bytes are not refused because of it. */
static void read_with_checksum(const uint8_t *bytes, size_t size)
{
    uint8_t *sealed;
    struct sha256_ctx hash;

    if (size < CHECKSUM_BYTES)
        return;
    sealed = malloc(size);
    memcpy(sealed, bytes, size);
    sha256_init(&hash);
    sha256_update(&hash, size - CHECKSUM_BYTES, sealed);
    sealed[size - CHECKSUM_BYTES] = 0xc4;
    sealed[size - CHECKSUM_BYTES + 1] = SHA256_DIGEST_SIZE;
    sha256_digest(&hash, SHA256_DIGEST_SIZE, sealed + size - SHA256_DIGEST_SIZE);
    read_replay(sealed, size);
    free(sealed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_replay(bytes, size);
    read_with_checksum(bytes, size);
    return 0;
}
