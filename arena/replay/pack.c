#include "arena/replay/replay.h"

#include <msgpack.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

static void pack_bytes(msgpack_packer *packer, const char *text, size_t size)
{
    msgpack_pack_str(packer, size);
    msgpack_pack_str_body(packer, text, size);
}

static void pack_text(msgpack_packer *packer, const char *text)
{
    pack_bytes(packer, text, strlen(text));
}

static void pack_bin(msgpack_packer *packer, const void *bytes, size_t size)
{
    msgpack_pack_bin(packer, size);
    msgpack_pack_bin_body(packer, bytes, size);
}

static void pack_header(msgpack_packer *packer, const struct replay *replay)
{
    const struct match_terms *terms = &replay->terms;

    msgpack_pack_map(packer, 11);
    pack_text(packer, "replay");
    msgpack_pack_int(packer, REPLAY_VERSION);
    pack_text(packer, "match");
    pack_text(packer, terms->id);
    pack_text(packer, "seed");
    pack_bin(packer, terms->seed, sizeof terms->seed);
    pack_text(packer, "board");
    msgpack_pack_int(packer, (int)terms->board);
    pack_text(packer, "players");
    msgpack_pack_int(packer, terms->player_count);
    pack_text(packer, "bots");
    msgpack_pack_array(packer, (size_t)terms->player_count);
    for (int seat = 0; seat < terms->player_count; seat++) {
        msgpack_pack_array(packer, 3);
        pack_text(packer, replay->bots[seat].name);
        pack_text(packer, replay->bots[seat].version);
        pack_text(packer, replay->bots[seat].sha256);
    }
    pack_text(packer, "clock");
    msgpack_pack_array(packer, 4);
    msgpack_pack_int64(packer, terms->clock.turn_ms);
    msgpack_pack_int64(packer, terms->clock.bank_ms);
    msgpack_pack_int64(packer, terms->clock.gain_ms);
    msgpack_pack_int64(packer, terms->clock.start_ms);
    pack_text(packer, "started");
    msgpack_pack_int64(packer, replay->started_s);
    pack_text(packer, "layers");
    msgpack_pack_array(packer, (size_t)terms->player_count);
    for (int seat = 0; seat < terms->player_count; seat++)
        msgpack_pack_uint32(packer, replay->layers[seat]);
    pack_text(packer, "names_told");
    if (replay->names_told)
        msgpack_pack_true(packer);
    else
        msgpack_pack_false(packer);
    pack_text(packer, "memory");
    msgpack_pack_int64(packer, replay->memory_bytes);
}

static void pack_decision(msgpack_packer *packer, const struct replay_decision *decision)
{
    uint8_t action[64];
    size_t action_bytes = wire_pack_action(action, sizeof action, decision->action);

    msgpack_pack_array(packer, 8);
    msgpack_pack_int(packer, decision->seat);
    msgpack_pack_int(packer, decision->by_arena);
    packer->callback(packer->data, (const char *)action, action_bytes);
    msgpack_pack_int64(packer, decision->us);
    msgpack_pack_int64(packer, decision->cpu_us);
    msgpack_pack_int64(packer, decision->delay_us);
    msgpack_pack_int64(packer, (int64_t)decision->hash);
    if (decision->note)
        pack_bytes(packer, decision->note, decision->note_bytes);
    else
        msgpack_pack_nil(packer);
}

static void pack_whole(msgpack_packer *packer, const struct forfeit_whole *whole)
{
    msgpack_pack_int64(packer, (int64_t)whole->bytes);
    pack_bin(packer, whole->sha256, sizeof whole->sha256);
}

static void pack_forfeit(msgpack_packer *packer, const struct forfeit *forfeit)
{
    if (!forfeit) {
        msgpack_pack_nil(packer);
        return;
    }
    msgpack_pack_array(packer, 17);
    pack_text(packer, forfeit->words);
    msgpack_pack_int64(packer, forfeit->limit_us);
    msgpack_pack_int64(packer, forfeit->wall_us);
    msgpack_pack_int64(packer, forfeit->cpu_us);
    msgpack_pack_int64(packer, forfeit->delay_us);
    msgpack_pack_int(packer, forfeit->status);
    msgpack_pack_int(packer, forfeit->signal);
    pack_text(packer, forfeit->call);
    pack_bin(packer, forfeit->request, forfeit->request_bytes);
    pack_bin(packer, forfeit->reply, forfeit->reply_bytes);
    pack_bin(packer, forfeit->errors, forfeit->errors_bytes);
    pack_whole(packer, &forfeit->request_whole);
    pack_whole(packer, &forfeit->reply_whole);
    pack_whole(packer, &forfeit->errors_whole);
}

static void pack_result(msgpack_packer *packer, const struct replay *replay)
{
    size_t count = (size_t)replay->terms.player_count;

    msgpack_pack_map(packer, 5);
    pack_text(packer, "scores");
    msgpack_pack_array(packer, count);
    for (size_t seat = 0; seat < count; seat++)
        msgpack_pack_int(packer, replay->result.scores[seat]);
    pack_text(packer, "ranks");
    msgpack_pack_array(packer, count);
    for (size_t seat = 0; seat < count; seat++)
        msgpack_pack_int(packer, replay->result.ranks[seat]);
    pack_text(packer, "reasons");
    msgpack_pack_array(packer, count);
    for (size_t seat = 0; seat < count; seat++)
        msgpack_pack_int(packer, (int)replay->result.reasons[seat]);
    pack_text(packer, "out");
    msgpack_pack_array(packer, count);
    for (size_t seat = 0; seat < count; seat++)
        msgpack_pack_int64(packer, replay->out_turns[seat]);
    pack_text(packer, "forfeits");
    msgpack_pack_array(packer, count);
    for (size_t seat = 0; seat < count; seat++)
        pack_forfeit(packer, replay->forfeits[seat]);
}

/* Packs the last item: a bin with the SHA-256 of everything before it. */
static void pack_checksum(msgpack_packer *packer, const msgpack_sbuffer *buffer)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx hash;

    sha256_init(&hash);
    sha256_update(&hash, buffer->size, (const uint8_t *)buffer->data);
    sha256_digest(&hash, sizeof digest, digest);
    pack_bin(packer, digest, sizeof digest);
}

/* The same as msgpack_sbuffer_write, but sets data to NULL when memory runs out. */
static int write_or_fail(void *data, const char *bytes, size_t size)
{
    msgpack_sbuffer *buffer = data;

    if (!buffer->data && buffer->size > 0)
        return -1;
    if (msgpack_sbuffer_write(buffer, bytes, size) == 0)
        return 0;
    free(buffer->data);
    buffer->data = NULL;
    buffer->size = buffer->alloc = 1;
    return -1;
}

size_t replay_pack(const struct replay *replay, uint8_t **bytes)
{
    msgpack_sbuffer buffer;
    msgpack_packer packer;

    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, write_or_fail);
    pack_header(&packer, replay);
    for (size_t i = 0; i < replay->decision_count; i++)
        pack_decision(&packer, &replay->decisions[i]);
    pack_result(&packer, replay);
    if (buffer.data)
        pack_checksum(&packer, &buffer);
    *bytes = (uint8_t *)buffer.data;
    return buffer.data ? buffer.size : 0;
}
