/* SPDX-License-Identifier: MIT */
#include "arena/replay/replay.h"

#include <inttypes.h>
#include <nettle/sha2.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/memory.h"
#include "arena/play/table.h"

/* Number of items of each array, and of pairs of each map, in the bytes of a replay. */
enum {
    HEADER_PAIRS = 11,
    BOT_ITEMS = 3,
    DECISION_ITEMS = 8,
    RESULT_PAIRS = 5,
    FORFEIT_ITEMS = 17,
    NIL = 0xc0, /* the byte of MessagePack's nil, which stands for a missing value */
};

char *replay_file_path(const char *folder, const char *match)
{
    char *path;

    return asprintf(&path, "%s/%s.replay", folder, match) < 0 ? NULL : path;
}

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
    replay->out_turns[seat] = replay->result.reasons[seat] == WIRE_PLAYED
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
                              .decision_count = match->decision_count};
    match_result(match, &replay->result);
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

/* ---- the form of a replay ---- */

/*
 * Packs or reads replays. Each part of a replay has one function below, which packs the part or
 * reads it back, so that its form and its limits are written once. The functions return false if
 * memory runs out, or if the bytes are no such part.
 */
struct codec {
    struct wire_reader *reader; /* NULL: packs */
    msgpack_packer *packer;
};

static bool code_array(struct codec *codec, int count)
{
    uint32_t items;

    if (!codec->reader)
        return msgpack_pack_array(codec->packer, (size_t)count) == 0;
    return wire_read_array_header(codec->reader, &items) && items == (uint32_t)count;
}

static bool code_map(struct codec *codec, uint32_t count)
{
    uint32_t pairs;

    if (!codec->reader)
        return msgpack_pack_map(codec->packer, count) == 0;
    return wire_read_map_header(codec->reader, &pairs) && pairs == count;
}

static bool code_integer(struct codec *codec, int64_t *value, int64_t minimum, int64_t maximum)
{
    return codec->reader ? wire_read_integer(codec->reader, minimum, maximum, value)
                         : msgpack_pack_int64(codec->packer, *value) == 0;
}

static bool code_int(struct codec *codec, int *value, int minimum, int maximum)
{
    int64_t wide = *value;
    bool good = code_integer(codec, &wide, minimum, maximum);

    *value = (int)wide;
    return good;
}

static bool code_integers(struct codec *codec, int64_t *values, int count, int64_t minimum,
                          int64_t maximum)
{
    bool good = code_array(codec, count);

    for (int i = 0; i < count && good; i++)
        good = code_integer(codec, &values[i], minimum, maximum);
    return good;
}

static bool code_bool(struct codec *codec, bool *value)
{
    if (codec->reader)
        return wire_read_bool(codec->reader, value);
    return (*value ? msgpack_pack_true(codec->packer) : msgpack_pack_false(codec->packer)) == 0;
}

/*
 * Packs or reads nil for a missing value. Returns false, with nothing packed or read, if the value
 * is not missing.
 */
static bool code_nil(struct codec *codec, bool is_missing)
{
    struct wire_reader *reader = codec->reader;

    if (!reader)
        return is_missing && msgpack_pack_nil(codec->packer) == 0;
    return reader->at < reader->end && *reader->at == NIL && wire_read_past(reader);
}

static bool pack_string(struct codec *codec, const char *text, size_t size)
{
    return msgpack_pack_str(codec->packer, size) == 0 &&
           msgpack_pack_str_body(codec->packer, text, size) == 0;
}

static bool code_text(struct codec *codec, char *text, size_t room)
{
    return codec->reader ? wire_read_text(codec->reader, text, room, room - 1)
                         : pack_string(codec, text, strlen(text));
}

static bool code_key(struct codec *codec, const char *key)
{
    const char *text;
    size_t size;

    if (!codec->reader)
        return pack_string(codec, key, strlen(key));
    return wire_read_string(codec->reader, &text, &size) && size == strlen(key) &&
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

/* Packs or reads exactly `size` bytes. */
static bool code_bytes(struct codec *codec, uint8_t *bytes, size_t size)
{
    const uint8_t *found;
    size_t found_bytes;

    if (!codec->reader)
        return msgpack_pack_bin(codec->packer, size) == 0 &&
               msgpack_pack_bin_body(codec->packer, bytes, size) == 0;
    if (!read_bin(codec->reader, size, &found, &found_bytes) || found_bytes != size)
        return false;
    memcpy(bytes, found, size);
    return true;
}

static bool code_bots(struct codec *codec, struct replay *replay)
{
    bool good = code_array(codec, replay->terms.player_count);

    for (int seat = 0; seat < replay->terms.player_count && good; seat++) {
        struct replay_bot *bot = &replay->bots[seat];

        good = code_array(codec, BOT_ITEMS) && code_text(codec, bot->name, sizeof bot->name) &&
               code_text(codec, bot->version, sizeof bot->version) &&
               code_text(codec, bot->sha256, sizeof bot->sha256);
        memcpy(replay->terms.names[seat], bot->name, sizeof bot->name);
    }
    return good;
}

static bool code_clock(struct codec *codec, struct wire_clock *clock)
{
    int64_t parts[] = {clock->turn_ms, clock->bank_ms, clock->gain_ms, clock->start_ms};
    bool good = code_integers(codec, parts, sizeof parts / sizeof *parts, 0, INT32_MAX);

    *clock = (struct wire_clock){parts[0], parts[1], parts[2], parts[3]};
    return good;
}

static bool code_layers(struct codec *codec, struct replay *replay)
{
    int64_t layers[GAME_PLAYERS_MAX];
    bool good;

    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        layers[seat] = replay->layers[seat];
    good = code_integers(codec, layers, replay->terms.player_count, 0, UINT32_MAX);
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        replay->layers[seat] = (uint32_t)layers[seat];
    return good;
}

static bool code_header(struct codec *codec, struct replay *replay)
{
    struct match_terms *terms = &replay->terms;
    int version = REPLAY_VERSION, board = (int)terms->board;
    bool good = code_map(codec, HEADER_PAIRS) && code_key(codec, "replay") &&
                code_int(codec, &version, REPLAY_VERSION, REPLAY_VERSION) &&
                code_key(codec, "match") && code_text(codec, terms->id, sizeof terms->id) &&
                code_key(codec, "seed") && code_bytes(codec, terms->seed, sizeof terms->seed) &&
                code_key(codec, "board") && code_int(codec, &board, BOARD_COLORED, BOARD_GRAY) &&
                code_key(codec, "players") &&
                code_int(codec, &terms->player_count, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX);

    terms->board = (enum board_side)board;
    return good && code_key(codec, "bots") && code_bots(codec, replay) &&
           code_key(codec, "clock") && code_clock(codec, &terms->clock) &&
           code_key(codec, "started") &&
           code_integer(codec, &replay->started_s, 0, (int64_t)1 << 40) &&
           code_key(codec, "layers") && code_layers(codec, replay) &&
           code_key(codec, "names_told") && code_bool(codec, &replay->names_told) &&
           code_key(codec, "memory") && code_integer(codec, &replay->memory_bytes, 0, INT64_MAX);
}

static bool code_action(struct codec *codec, struct action *action)
{
    uint8_t packed[64];
    size_t size;

    if (codec->reader)
        return wire_read_action(codec->reader, action);
    size = wire_pack_action(packed, sizeof packed, *action);
    return codec->packer->callback(codec->packer->data, (const char *)packed, size) == 0;
}

static bool code_note(struct codec *codec, struct replay_decision *decision)
{
    if (code_nil(codec, !decision->note))
        return true;
    if (!codec->reader)
        return decision->note && pack_string(codec, decision->note, decision->note_bytes);
    return wire_read_string(codec->reader, &decision->note, &decision->note_bytes) &&
           decision->note_bytes < WIRE_TEXT_BYTES_MAX;
}

static bool code_decision(struct codec *codec, struct replay_decision *decision, int player_count)
{
    int by = decision->by_arena;
    int64_t hash = (int64_t)decision->hash;
    bool good = code_array(codec, DECISION_ITEMS) &&
                code_int(codec, &decision->seat, 0, player_count - 1) &&
                code_int(codec, &by, 0, 1) && code_action(codec, &decision->action) &&
                code_integer(codec, &decision->us, 0, INT64_MAX) &&
                code_integer(codec, &decision->cpu_us, 0, INT64_MAX) &&
                code_integer(codec, &decision->delay_us, 0, INT64_MAX) &&
                code_integer(codec, &hash, INT64_MIN, INT64_MAX) && code_note(codec, decision);

    decision->by_arena = by;
    decision->hash = (uint64_t)hash;
    return good;
}

/* Packs or reads the kept part of a text. Allocates *bytes when it reads. */
static bool code_kept(struct codec *codec, uint8_t **bytes, size_t *size)
{
    const uint8_t *found;

    if (!codec->reader)
        return code_bytes(codec, *bytes, *size);
    if (!read_bin(codec->reader, FORFEIT_KEPT_BYTES, &found, size) || !(*bytes = malloc(*size + 1)))
        return false;
    memcpy(*bytes, found, *size);
    return true;
}

/*
 * Packs or reads the size and hash of a whole text. The whole text is as large as its kept part; or
 * larger, if the kept part has its largest size.
 */
static bool code_whole(struct codec *codec, size_t kept_bytes, struct forfeit_whole *whole)
{
    const int64_t kept = (int64_t)kept_bytes;
    int64_t bytes = (int64_t)whole->bytes;
    bool good = code_integer(codec, &bytes, kept, kept == FORFEIT_KEPT_BYTES ? INT64_MAX : kept) &&
                code_bytes(codec, whole->sha256, sizeof whole->sha256);

    whole->bytes = (uint64_t)bytes;
    return good;
}

static bool code_forfeit(struct codec *codec, struct forfeit *forfeit)
{
    uint8_t *errors = (uint8_t *)forfeit->errors;
    bool good = code_array(codec, FORFEIT_ITEMS) &&
                code_text(codec, forfeit->words, sizeof forfeit->words) &&
                code_integer(codec, &forfeit->limit_us, 0, INT64_MAX) &&
                code_integer(codec, &forfeit->wall_us, 0, INT64_MAX) &&
                code_integer(codec, &forfeit->cpu_us, -1, INT64_MAX) &&
                code_integer(codec, &forfeit->delay_us, 0, INT64_MAX) &&
                code_int(codec, &forfeit->status, -1, 255) &&
                code_int(codec, &forfeit->signal, 0, 255) &&
                code_text(codec, forfeit->call, sizeof forfeit->call) &&
                code_kept(codec, &forfeit->request, &forfeit->request_bytes) &&
                code_kept(codec, &forfeit->reply, &forfeit->reply_bytes) &&
                code_kept(codec, &errors, &forfeit->errors_bytes) &&
                code_whole(codec, forfeit->request_bytes, &forfeit->request_whole) &&
                code_whole(codec, forfeit->reply_bytes, &forfeit->reply_whole) &&
                code_whole(codec, forfeit->errors_bytes, &forfeit->errors_whole);

    forfeit->errors = (char *)errors;
    return good;
}

static bool code_forfeits(struct codec *codec, struct replay *replay)
{
    bool good = code_array(codec, replay->terms.player_count);

    for (int seat = 0; seat < replay->terms.player_count && good; seat++) {
        struct forfeit **forfeit = &replay->forfeits[seat];

        if (code_nil(codec, !*forfeit))
            continue;
        if (codec->reader)
            *forfeit = calloc(1, sizeof **forfeit);
        good = *forfeit && code_forfeit(codec, *forfeit);
        if (good && codec->reader) {
            (*forfeit)->reason = replay->result.reasons[seat];
            (*forfeit)->turn = replay->out_turns[seat];
        }
    }
    return good;
}

static bool code_result(struct codec *codec, struct replay *replay)
{
    int count = replay->terms.player_count;
    struct wire_end *result = &replay->result;
    int64_t scores[GAME_PLAYERS_MAX], ranks[GAME_PLAYERS_MAX], reasons[GAME_PLAYERS_MAX];
    bool good;

    for (int seat = 0; seat < count; seat++) {
        scores[seat] = result->scores[seat];
        ranks[seat] = result->ranks[seat];
        reasons[seat] = (int64_t)result->reasons[seat];
    }
    good = code_map(codec, RESULT_PAIRS) && code_key(codec, "scores") &&
           code_integers(codec, scores, count, 0, INT32_MAX) && code_key(codec, "ranks") &&
           code_integers(codec, ranks, count, 1, GAME_PLAYERS_MAX) && code_key(codec, "reasons") &&
           code_integers(codec, reasons, count, 0, WIRE_REASON_COUNT - 1) &&
           code_key(codec, "out") &&
           code_integers(codec, replay->out_turns, count, REPLAY_STAYED, GAME_DECISIONS_MAX);
    result->player_count = count;
    for (int seat = 0; seat < count && good; seat++) {
        result->scores[seat] = (int)scores[seat];
        result->ranks[seat] = (int)ranks[seat];
        result->reasons[seat] = (enum wire_reason)reasons[seat];
        good = !codec->reader ||
               (reasons[seat] == WIRE_PLAYED) == (replay->out_turns[seat] == REPLAY_STAYED);
    }
    return good && code_key(codec, "forfeits") && code_forfeits(codec, replay);
}

/* ---- packing ---- */

void replay_drop_error(struct replay *replay, int seat)
{
    struct forfeit *forfeit = replay->forfeits[seat];

    if (!forfeit)
        return;
    forfeit->errors_bytes = 0;
    forfeit->errors_whole.bytes = 0;
    hash_bytes((const uint8_t *)"", 0, forfeit->errors_whole.sha256);
}

void replay_drop_errors(struct replay *replay)
{
    for (int seat = 0; seat < replay->terms.player_count; seat++)
        replay_drop_error(replay, seat);
}

size_t replay_pack(const struct replay *replay, uint8_t **bytes)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    struct codec codec = {.packer = &packer};
    struct replay copy = *replay; /* a copy, because packing also writes to the replay */
    bool good;

    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    good = code_header(&codec, &copy);
    for (size_t i = 0; i < replay->decision_count && good; i++) {
        struct replay_decision decision = replay->decisions[i];

        good = code_decision(&codec, &decision, replay->terms.player_count);
    }
    good = good && code_result(&codec, &copy);
    if (good) {
        hash_bytes((const uint8_t *)buffer.data, buffer.size, digest);
        good = code_bytes(&codec, digest, sizeof digest);
    }
    if (!good)
        msgpack_sbuffer_destroy(&buffer);
    *bytes = good ? (uint8_t *)buffer.data : NULL;
    return good ? buffer.size : 0;
}

/* ---- unpacking ---- */

/* Reads decisions (arrays) until the result, which is a map. */
static bool read_decisions(struct codec *codec, struct replay *replay)
{
    const struct wire_reader *reader = codec->reader;

    replay->decisions = memory_need(GAME_DECISIONS_MAX * sizeof *replay->decisions);
    memset(replay->decisions, 0, GAME_DECISIONS_MAX * sizeof *replay->decisions);
    while (reader->at < reader->end && (*reader->at & 0xf0) == 0x90)
        if (replay->decision_count == GAME_DECISIONS_MAX ||
            !code_decision(codec, &replay->decisions[replay->decision_count++],
                           replay->terms.player_count))
            return false;
    return true;
}

/* True for a replay of a later version, which begins as all do: a map whose first key is "replay".
 */
static bool is_newer(const uint8_t *at, size_t size)
{
    static const uint8_t key[] = "\xa6replay"; /* with its head in MessagePack */
    const size_t length = sizeof key - 1;

    return size > length + 1 && memcmp(at + 1, key, length) == 0 &&
           at[length + 1] > REPLAY_VERSION && at[length + 1] < 0x80;
}

/* Reads the whole replay. Returns NULL; or what is wrong, with the reader at the invalid part. */
static const char *read_parts(struct wire_reader *reader, struct replay *replay)
{
    const uint8_t *start = reader->at, *end;
    uint8_t digest[SHA256_DIGEST_SIZE], checksum[SHA256_DIGEST_SIZE];
    struct codec codec = {.reader = reader};

    if (!code_header(&codec, replay))
        return is_newer(start, (size_t)(reader->end - start))
                   ? "a newer arena wrote this replay: use that arena"
                   : "the data is not a replay of version 1: the header is invalid";
    if (!read_decisions(&codec, replay))
        return "the replay is truncated or altered: a decision is invalid";
    if (!code_result(&codec, replay))
        return "the replay is truncated or altered: the result is invalid or missing";
    end = reader->at;
    if (!code_bytes(&codec, checksum, sizeof checksum))
        return "the replay is truncated or altered: the checksum is invalid or missing";
    if (reader->at != reader->end)
        return "the replay is altered: bytes follow its checksum";
    reader->at = end;
    hash_bytes(start, (size_t)(end - start), digest);
    return memcmp(digest, checksum, sizeof digest)
               ? "the replay is altered: its checksum does not match"
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
