#include "arena/replay/replay.h"

#include <inttypes.h>
#include <nettle/sha2.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/table.h"

/* Number of items of each array, and of pairs of each map, in a packed replay. */
enum {
    HEADER_PAIRS = 11,
    BOT_ITEMS = 3,
    CLOCK_ITEMS = 4,
    DECISION_ITEMS = 8,
    RESULT_PAIRS = 5,
    FORFEIT_ITEMS = 17,
    NIL = 0xc0, /* the byte of MessagePack's nil, which stands for a missing value */
};

/* ---- making one ---- */

static void copy_seat(struct replay *replay, const struct table *table, int seat)
{
    const struct source *source = table->sources[seat];
    struct replay_bot *bot = &replay->bots[seat];

    replay->names_told |= *replay->terms.names[seat] != '\0';
    if (source) {
        memcpy(bot->name, source->manifest.name, sizeof bot->name);
        memcpy(bot->version, source->manifest.version, sizeof bot->version);
        memcpy(bot->sha256, source->sha256, sizeof bot->sha256);
    } else {
        snprintf(bot->name, sizeof bot->name, "%s", REPLAY_CHANCE);
    }
    memcpy(replay->terms.names[seat], bot->name, sizeof bot->name);
    replay->layers[seat] = table->layers[seat];
    replay->out_turns[seat] = table->result.reasons[seat] == WIRE_PLAYED
                                  ? REPLAY_STAYED
                                  : table->match.seats[seat].out_turn;
}

static void copy_decision(struct replay_decision *decision, const struct match *match, size_t index)
{
    const struct match_decision *journaled = &match->decisions[index];

    *decision = (struct replay_decision){
        .seat = match->events[index].seat,
        .by_arena = journaled->by_arena,
        .action = match->events[index].action,
        .us = journaled->us,
        .cpu_us = journaled->cpu_us,
        .delay_us = journaled->delay_us,
        .hash = journaled->hash,
        .note = journaled->note_bytes ? match->notes + journaled->note_offset : NULL,
        .note_bytes = journaled->note_bytes,
    };
}

int replay_from_table(struct replay *replay, const struct table *table)
{
    const struct match *match = &table->match;

    *replay = (struct replay){.terms = match->terms,
                              .memory_bytes = table->rules->memory_bytes,
                              .started_s = table->started_s,
                              .decision_count = match->decision_count,
                              .result = table->result};
    replay->decisions = calloc(match->decision_count + 1, sizeof *replay->decisions);
    if (!replay->decisions)
        return -1;
    for (size_t i = 0; i < match->decision_count; i++)
        copy_decision(&replay->decisions[i], match, i);
    for (int seat = 0; seat < match->terms.player_count; seat++) {
        copy_seat(replay, table, seat);
        if (!table->forfeits[seat])
            continue;
        replay->forfeits[seat] = forfeit_copy(table->forfeits[seat]);
        if (!replay->forfeits[seat]) {
            replay_finish(replay);
            return -1;
        }
    }
    return 0;
}

void replay_finish(struct replay *replay)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        forfeit_destroy(replay->forfeits[seat]);
    free(replay->decisions);
    *replay = (struct replay){0};
}

static void hash_bytes(const uint8_t *bytes, size_t size, uint8_t digest[static SHA256_DIGEST_SIZE])
{
    struct sha256_ctx hash;

    sha256_init(&hash);
    sha256_update(&hash, size, bytes);
    sha256_digest(&hash, SHA256_DIGEST_SIZE, digest);
}

/* ---- packing ---- */

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

/* Packs a key and an array of integers as its value. */
static void pack_integers(msgpack_packer *packer, const char *key, const int64_t *values, int count)
{
    pack_text(packer, key);
    msgpack_pack_array(packer, (size_t)count);
    for (int i = 0; i < count; i++)
        msgpack_pack_int64(packer, values[i]);
}

static void pack_header(msgpack_packer *packer, const struct replay *replay)
{
    const struct match_terms *terms = &replay->terms;
    const struct wire_clock *clock = &terms->clock;
    const int64_t times[] = {clock->turn_ms, clock->bank_ms, clock->gain_ms, clock->start_ms};
    int64_t layers[GAME_PLAYERS_MAX];

    msgpack_pack_map(packer, HEADER_PAIRS);
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
        msgpack_pack_array(packer, BOT_ITEMS);
        pack_text(packer, replay->bots[seat].name);
        pack_text(packer, replay->bots[seat].version);
        pack_text(packer, replay->bots[seat].sha256);
        layers[seat] = replay->layers[seat];
    }
    pack_integers(packer, "clock", times, CLOCK_ITEMS);
    pack_text(packer, "started");
    msgpack_pack_int64(packer, replay->started_s);
    pack_integers(packer, "layers", layers, terms->player_count);
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

    msgpack_pack_array(packer, DECISION_ITEMS);
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
    msgpack_pack_array(packer, FORFEIT_ITEMS);
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
    const struct wire_end *result = &replay->result;
    int64_t scores[GAME_PLAYERS_MAX], ranks[GAME_PLAYERS_MAX], reasons[GAME_PLAYERS_MAX];
    int count = replay->terms.player_count;

    for (int seat = 0; seat < count; seat++) {
        scores[seat] = result->scores[seat];
        ranks[seat] = result->ranks[seat];
        reasons[seat] = (int64_t)result->reasons[seat];
    }
    msgpack_pack_map(packer, RESULT_PAIRS);
    pack_integers(packer, "scores", scores, count);
    pack_integers(packer, "ranks", ranks, count);
    pack_integers(packer, "reasons", reasons, count);
    pack_integers(packer, "out", replay->out_turns, count);
    pack_text(packer, "forfeits");
    msgpack_pack_array(packer, (size_t)count);
    for (int seat = 0; seat < count; seat++)
        pack_forfeit(packer, replay->forfeits[seat]);
}

/* Like msgpack_sbuffer_write, but sets data to NULL if memory runs out. */
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

void replay_drop_errors(struct replay *replay)
{
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        struct forfeit *forfeit = replay->forfeits[seat];

        if (!forfeit)
            continue;
        forfeit->errors_bytes = 0;
        forfeit->errors_whole.bytes =
            0; /* replay_unpack refuses a size that differs from that of the kept text */
        hash_bytes((const uint8_t *)"", 0, forfeit->errors_whole.sha256);
    }
}

size_t replay_pack(const struct replay *replay, uint8_t **bytes)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    msgpack_sbuffer buffer;
    msgpack_packer packer;

    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, write_or_fail);
    pack_header(&packer, replay);
    for (size_t i = 0; i < replay->decision_count; i++)
        pack_decision(&packer, &replay->decisions[i]);
    pack_result(&packer, replay);
    if (buffer.data) {
        hash_bytes((const uint8_t *)buffer.data, buffer.size, digest);
        pack_bin(&packer, digest, sizeof digest);
    }
    *bytes = (uint8_t *)buffer.data;
    return buffer.data ? buffer.size : 0;
}

/* ---- unpacking ---- */

/* Reads an array of exactly count integers. */
static bool read_integers(struct wire_reader *reader, size_t count, int64_t minimum,
                          int64_t maximum, int64_t *values)
{
    uint32_t items;

    if (!wire_read_array_header(reader, &items) || items != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!wire_read_integer(reader, minimum, maximum, &values[i]))
            return false;
    return true;
}

static bool read_key(struct wire_reader *reader, const char *key)
{
    const char *text;
    size_t size;

    return wire_read_string(reader, &text, &size) && size == strlen(key) &&
           memcmp(text, key, size) == 0;
}

/* Reads a MessagePack bin of at most maximum bytes. *bytes points into the reader's buffer. */
static bool read_bin(struct wire_reader *reader, size_t maximum, const uint8_t **bytes,
                     size_t *size)
{
    const uint8_t *at = reader->at;
    size_t left = (size_t)(reader->end - at);
    size_t header;

    if (left >= 2 && at[0] == 0xc4) {
        header = 2;
        *size = at[1];
    } else if (left >= 3 && at[0] == 0xc5) {
        header = 3;
        *size = (size_t)at[1] << 8 | at[2];
    } else if (left >= 5 && at[0] == 0xc6) {
        header = 5;
        *size = (size_t)at[1] << 24 | (size_t)at[2] << 16 | (size_t)at[3] << 8 | at[4];
    } else {
        return false;
    }
    if (*size > maximum || *size > left - header)
        return false;
    *bytes = at + header;
    reader->at = *bytes + *size;
    return true;
}

static bool read_bots(struct wire_reader *reader, struct replay *replay)
{
    uint32_t items;

    if (!wire_read_array_header(reader, &items) || (int)items != replay->terms.player_count)
        return false;
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        struct replay_bot *bot = &replay->bots[seat];

        if (!wire_read_array_header(reader, &items) || items != BOT_ITEMS ||
            !wire_read_text(reader, bot->name, sizeof bot->name, sizeof bot->name - 1) ||
            !wire_read_text(reader, bot->version, sizeof bot->version, sizeof bot->version - 1) ||
            !wire_read_text(reader, bot->sha256, sizeof bot->sha256, sizeof bot->sha256 - 1))
            return false;
        memcpy(replay->terms.names[seat], bot->name, sizeof bot->name);
    }
    return true;
}

static bool read_clock(struct wire_reader *reader, struct wire_clock *clock)
{
    int64_t parts[CLOCK_ITEMS];

    if (!read_integers(reader, CLOCK_ITEMS, 0, INT32_MAX, parts))
        return false;
    *clock = (struct wire_clock){parts[0], parts[1], parts[2], parts[3]};
    return true;
}

static bool read_layers(struct wire_reader *reader, struct replay *replay)
{
    int64_t layers[GAME_PLAYERS_MAX];

    if (!read_integers(reader, (size_t)replay->terms.player_count, 0, UINT32_MAX, layers))
        return false;
    for (int seat = 0; seat < replay->terms.player_count; seat++)
        replay->layers[seat] = (uint32_t)layers[seat];
    return true;
}

/* Reads the header. Its pairs must be in the order in which pack_header writes them. */
static bool read_header(struct wire_reader *reader, struct replay *replay)
{
    struct match_terms *terms = &replay->terms;
    const uint8_t *seed;
    size_t seed_bytes;
    uint32_t pairs;
    int version, board;

    if (!wire_read_map_header(reader, &pairs) || pairs != HEADER_PAIRS ||
        !read_key(reader, "replay") ||
        !wire_read_int(reader, REPLAY_VERSION, REPLAY_VERSION, &version) ||
        !read_key(reader, "match") ||
        !wire_read_text(reader, terms->id, sizeof terms->id, sizeof terms->id - 1) ||
        !read_key(reader, "seed") || !read_bin(reader, sizeof terms->seed, &seed, &seed_bytes) ||
        seed_bytes != sizeof terms->seed || !read_key(reader, "board") ||
        !wire_read_int(reader, BOARD_COLORED, BOARD_GRAY, &board) || !read_key(reader, "players") ||
        !wire_read_int(reader, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX, &terms->player_count))
        return false;
    memcpy(terms->seed, seed, sizeof terms->seed);
    terms->board = (enum board_side)board;
    return read_key(reader, "bots") && read_bots(reader, replay) && read_key(reader, "clock") &&
           read_clock(reader, &terms->clock) && read_key(reader, "started") &&
           wire_read_integer(reader, 0, (int64_t)1 << 40, &replay->started_s) &&
           read_key(reader, "layers") && read_layers(reader, replay) &&
           read_key(reader, "names_told") && wire_read_bool(reader, &replay->names_told) &&
           read_key(reader, "memory") &&
           wire_read_integer(reader, 0, INT64_MAX, &replay->memory_bytes);
}

/* Reads a note; nil means that the decision has no note. */
static bool read_note(struct wire_reader *reader, struct replay_decision *decision)
{
    if (reader->at < reader->end && *reader->at == NIL)
        return wire_read_past(reader);
    return wire_read_string(reader, &decision->note, &decision->note_bytes) &&
           decision->note_bytes < WIRE_TEXT_BYTES_MAX;
}

static bool read_decision(struct wire_reader *reader, struct replay *replay)
{
    struct replay_decision *decision = &replay->decisions[replay->decision_count];
    int64_t hash;
    uint32_t items;
    int by;

    *decision = (struct replay_decision){0};
    if (!wire_read_array_header(reader, &items) || items != DECISION_ITEMS ||
        !wire_read_int(reader, 0, replay->terms.player_count - 1, &decision->seat) ||
        !wire_read_int(reader, 0, 1, &by) || !wire_read_action(reader, &decision->action) ||
        !wire_read_integer(reader, 0, INT64_MAX, &decision->us) ||
        !wire_read_integer(reader, 0, INT64_MAX, &decision->cpu_us) ||
        !wire_read_integer(reader, 0, INT64_MAX, &decision->delay_us) ||
        !wire_read_integer(reader, INT64_MIN, INT64_MAX, &hash) || !read_note(reader, decision))
        return false;
    decision->by_arena = by;
    decision->hash = (uint64_t)hash;
    replay->decision_count++;
    return true;
}

/* Reads decisions until an item is not an array: the result, a map, follows the last decision. */
static bool read_decisions(struct wire_reader *reader, struct replay *replay)
{
    replay->decisions = calloc(GAME_DECISIONS_MAX, sizeof *replay->decisions);
    if (!replay->decisions)
        return false;
    while (reader->at < reader->end && (*reader->at & 0xf0) == 0x90)
        if (replay->decision_count == GAME_DECISIONS_MAX || !read_decision(reader, replay))
            return false;
    return true;
}

static uint8_t *copy_of(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + 1);

    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

/*
 * Reads the size and hash of an original text. The original must be as large as the kept part; it
 * may be larger only if the kept part is as large as allowed.
 */
static bool read_whole(struct wire_reader *reader, size_t kept_bytes, struct forfeit_whole *whole)
{
    const uint8_t *sha256;
    int64_t bytes;
    size_t size;

    if (!wire_read_integer(reader, (int64_t)kept_bytes,
                           kept_bytes == FORFEIT_KEPT_BYTES ? INT64_MAX : (int64_t)kept_bytes,
                           &bytes) ||
        !read_bin(reader, sizeof whole->sha256, &sha256, &size) || size != sizeof whole->sha256)
        return false;
    whole->bytes = (uint64_t)bytes;
    memcpy(whole->sha256, sha256, size);
    return true;
}

static bool read_kept_texts(struct wire_reader *reader, struct forfeit *forfeit)
{
    const uint8_t *request, *reply, *errors;

    if (!read_bin(reader, FORFEIT_KEPT_BYTES, &request, &forfeit->request_bytes) ||
        !read_bin(reader, FORFEIT_KEPT_BYTES, &reply, &forfeit->reply_bytes) ||
        !read_bin(reader, FORFEIT_KEPT_BYTES, &errors, &forfeit->errors_bytes) ||
        !read_whole(reader, forfeit->request_bytes, &forfeit->request_whole) ||
        !read_whole(reader, forfeit->reply_bytes, &forfeit->reply_whole) ||
        !read_whole(reader, forfeit->errors_bytes, &forfeit->errors_whole))
        return false;
    forfeit->request = copy_of(request, forfeit->request_bytes);
    forfeit->reply = copy_of(reply, forfeit->reply_bytes);
    forfeit->errors = (char *)copy_of(errors, forfeit->errors_bytes);
    return true;
}

static bool read_forfeit(struct wire_reader *reader, struct forfeit *forfeit)
{
    uint32_t items;

    if (!wire_read_array_header(reader, &items) || items != FORFEIT_ITEMS ||
        !wire_read_text(reader, forfeit->words, sizeof forfeit->words, sizeof forfeit->words - 1) ||
        !wire_read_integer(reader, 0, INT64_MAX, &forfeit->limit_us) ||
        !wire_read_integer(reader, 0, INT64_MAX, &forfeit->wall_us) ||
        !wire_read_integer(reader, -1, INT64_MAX, &forfeit->cpu_us) ||
        !wire_read_integer(reader, 0, INT64_MAX, &forfeit->delay_us) ||
        !wire_read_int(reader, -1, 255, &forfeit->status) ||
        !wire_read_int(reader, 0, 255, &forfeit->signal) ||
        !wire_read_text(reader, forfeit->call, sizeof forfeit->call, sizeof forfeit->call - 1) ||
        !read_kept_texts(reader, forfeit))
        return false;
    return forfeit->request && forfeit->reply && forfeit->errors;
}

static bool read_forfeits(struct wire_reader *reader, struct replay *replay)
{
    uint32_t items;

    if (!wire_read_array_header(reader, &items) || (int)items != replay->terms.player_count)
        return false;
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        struct forfeit *forfeit;

        if (reader->at < reader->end && *reader->at == NIL) {
            wire_read_past(reader);
            continue;
        }
        forfeit = replay->forfeits[seat] = calloc(1, sizeof *forfeit);
        if (!forfeit || !read_forfeit(reader, forfeit))
            return false;
        forfeit->reason = replay->result.reasons[seat];
        forfeit->turn = replay->out_turns[seat];
    }
    return true;
}

static bool read_result(struct wire_reader *reader, struct replay *replay)
{
    size_t count = (size_t)replay->terms.player_count;
    struct wire_end *result = &replay->result;
    int64_t scores[GAME_PLAYERS_MAX], ranks[GAME_PLAYERS_MAX], reasons[GAME_PLAYERS_MAX];
    uint32_t pairs;

    if (!wire_read_map_header(reader, &pairs) || pairs != RESULT_PAIRS ||
        !read_key(reader, "scores") || !read_integers(reader, count, 0, INT32_MAX, scores) ||
        !read_key(reader, "ranks") || !read_integers(reader, count, 1, GAME_PLAYERS_MAX, ranks) ||
        !read_key(reader, "reasons") ||
        !read_integers(reader, count, 0, WIRE_REASON_COUNT - 1, reasons) ||
        !read_key(reader, "out") ||
        !read_integers(reader, count, REPLAY_STAYED, GAME_DECISIONS_MAX, replay->out_turns))
        return false;
    result->player_count = replay->terms.player_count;
    for (size_t seat = 0; seat < count; seat++) {
        result->scores[seat] = (int)scores[seat];
        result->ranks[seat] = (int)ranks[seat];
        result->reasons[seat] = (enum wire_reason)reasons[seat];
        if ((reasons[seat] == WIRE_PLAYED) != (replay->out_turns[seat] == REPLAY_STAYED))
            return false;
    }
    return read_key(reader, "forfeits") && read_forfeits(reader, replay);
}

/* Reads the whole replay. Returns NULL; or what is wrong, with the reader at the invalid part. */
static const char *read_parts(struct wire_reader *reader, struct replay *replay)
{
    const uint8_t *start = reader->at, *end, *checksum;
    uint8_t digest[SHA256_DIGEST_SIZE];
    size_t size;

    if (!read_header(reader, replay))
        return "is not a replay of version 1: the header is invalid";
    if (!read_decisions(reader, replay))
        return "is truncated or altered: a decision is invalid";
    if (!read_result(reader, replay))
        return "is truncated or altered: the result is invalid or missing";
    end = reader->at;
    if (!read_bin(reader, sizeof digest, &checksum, &size) || size != sizeof digest)
        return "is truncated or altered: the checksum is invalid or missing";
    if (reader->at != reader->end)
        return "is altered: bytes follow the replay's checksum";
    reader->at = end;
    hash_bytes(start, (size_t)(end - start), digest);
    return memcmp(digest, checksum, size) ? "is altered: the replay's checksum does not match"
                                          : NULL;
}

int replay_unpack(struct replay *replay, const uint8_t *bytes, size_t size,
                  char error[static REPLAY_ERROR_BYTES])
{
    struct wire_reader reader = {.at = bytes, .end = bytes + size};
    const char *fault;

    *replay = (struct replay){0};
    fault = read_parts(&reader, replay);
    if (!fault)
        return 0;
    snprintf(error, REPLAY_ERROR_BYTES, "offset %zu: %s", (size_t)(reader.at - bytes), fault);
    replay_finish(replay);
    return -1;
}
