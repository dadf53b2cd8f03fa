#include "arena/replay/replay.h"

#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The input, and where it is written. */
struct unpacker {
    struct wire_reader reader;
    const uint8_t *start;
    struct replay *replay;
    int version;
};

static bool read_texts(struct wire_reader *reader, char *const *targets, const size_t *rooms,
                       size_t count)
{
    uint32_t items;

    if (!wire_read_array_header(reader, &items) || items != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!wire_read_text(reader, targets[i], rooms[i], rooms[i] - 1))
            return false;
    return true;
}

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

/* Reads a bin of at most maximum bytes: borrowed. */
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
        char *const targets[] = {bot->name, bot->version, bot->sha256};
        const size_t rooms[] = {sizeof bot->name, sizeof bot->version, sizeof bot->sha256};

        if (!read_texts(reader, targets, rooms, 3))
            return false;
        memcpy(replay->terms.names[seat], bot->name, sizeof bot->name);
    }
    return true;
}

static bool read_clock(struct wire_reader *reader, struct wire_clock *clock)
{
    int64_t parts[4];

    if (!read_integers(reader, 4, 0, INT32_MAX, parts))
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

/* Reads the parts of a header, in the order in which they are packed. */
static bool read_header(struct unpacker *unpacker)
{
    struct wire_reader *reader = &unpacker->reader;
    struct replay *replay = unpacker->replay;
    struct match_terms *terms = &replay->terms;
    const uint8_t *seed;
    size_t seed_bytes;
    uint32_t pairs;
    int board;

    if (!wire_read_map_header(reader, &pairs) || pairs != 11 || !read_key(reader, "replay") ||
        !wire_read_int(reader, 1, REPLAY_VERSION, &unpacker->version) ||
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

/* Reads a note, or nil for none. */
static bool read_note(struct wire_reader *reader, struct replay_decision *decision)
{
    if (reader->at < reader->end && *reader->at == 0xc0)
        return wire_read_past(reader);
    return wire_read_string(reader, &decision->note, &decision->note_bytes) &&
           decision->note_bytes < WIRE_TEXT_BYTES_MAX;
}

static bool read_decision(struct unpacker *unpacker)
{
    struct wire_reader *reader = &unpacker->reader;
    struct replay *replay = unpacker->replay;
    struct replay_decision *decision = &replay->decisions[replay->decision_count];
    int64_t hash;
    uint32_t items;
    int by;

    *decision = (struct replay_decision){0};
    if (!wire_read_array_header(reader, &items) || items != 8 ||
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

/* Reads decisions, which are arrays; the result, a map, follows them. */
static bool read_decisions(struct unpacker *unpacker)
{
    struct wire_reader *reader = &unpacker->reader;

    unpacker->replay->decisions = calloc(GAME_DECISIONS_MAX, sizeof *unpacker->replay->decisions);
    if (!unpacker->replay->decisions)
        return false;
    while (reader->at < reader->end && (*reader->at & 0xf0) == 0x90)
        if (unpacker->replay->decision_count == GAME_DECISIONS_MAX || !read_decision(unpacker))
            return false;
    return true;
}

static uint8_t *keep(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + 1);

    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

/*
 * Reads the original size and hash of a text: the size is at least that of the kept part, and
 * larger only if that part is as large as allowed.
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

/* Reads the texts of a forfeit in version 1: complete, except for standard error. */
static bool read_whole_texts(struct wire_reader *reader, struct forfeit *forfeit)
{
    const uint8_t *request, *reply, *errors;
    size_t request_bytes, reply_bytes, errors_bytes;

    if (!read_bin(reader, WIRE_MESSAGE_BYTES_MAX, &request, &request_bytes) ||
        !read_bin(reader, WIRE_MESSAGE_BYTES_MAX + 1, &reply, &reply_bytes) ||
        !read_bin(reader, FORFEIT_PART_BYTES, &errors, &errors_bytes))
        return false;
    forfeit->request =
        forfeit_keep(request, request_bytes, &forfeit->request_bytes, &forfeit->request_whole);
    forfeit->reply = forfeit_keep(reply, reply_bytes, &forfeit->reply_bytes, &forfeit->reply_whole);
    forfeit->errors =
        forfeit_keep(errors, errors_bytes, &forfeit->errors_bytes, &forfeit->errors_whole);
    return true;
}

static bool read_texts_of_forfeit(struct wire_reader *reader, struct forfeit *forfeit)
{
    const uint8_t *request, *reply, *errors;

    if (!read_bin(reader, FORFEIT_KEPT_BYTES, &request, &forfeit->request_bytes) ||
        !read_bin(reader, FORFEIT_KEPT_BYTES, &reply, &forfeit->reply_bytes) ||
        !read_bin(reader, FORFEIT_KEPT_BYTES, &errors, &forfeit->errors_bytes) ||
        !read_whole(reader, forfeit->request_bytes, &forfeit->request_whole) ||
        !read_whole(reader, forfeit->reply_bytes, &forfeit->reply_whole) ||
        !read_whole(reader, forfeit->errors_bytes, &forfeit->errors_whole))
        return false;
    forfeit->request = keep(request, forfeit->request_bytes);
    forfeit->reply = keep(reply, forfeit->reply_bytes);
    forfeit->errors = (char *)keep(errors, forfeit->errors_bytes);
    return true;
}

static bool read_forfeit(struct wire_reader *reader, int version, struct forfeit *forfeit)
{
    uint32_t items;

    if (!wire_read_array_header(reader, &items) || items != (version == 1 ? 11 : 17) ||
        !wire_read_text(reader, forfeit->words, sizeof forfeit->words, sizeof forfeit->words - 1) ||
        !wire_read_integer(reader, 0, INT64_MAX, &forfeit->limit_us) ||
        !wire_read_integer(reader, 0, INT64_MAX, &forfeit->wall_us) ||
        !wire_read_integer(reader, -1, INT64_MAX, &forfeit->cpu_us) ||
        !wire_read_integer(reader, 0, INT64_MAX, &forfeit->delay_us) ||
        !wire_read_int(reader, -1, 255, &forfeit->status) ||
        !wire_read_int(reader, 0, 255, &forfeit->signal) ||
        !wire_read_text(reader, forfeit->call, sizeof forfeit->call, sizeof forfeit->call - 1) ||
        !(version == 1 ? read_whole_texts : read_texts_of_forfeit)(reader, forfeit))
        return false;
    return forfeit->request && forfeit->reply && forfeit->errors;
}

static bool read_forfeits(struct unpacker *unpacker)
{
    struct wire_reader *reader = &unpacker->reader;
    struct replay *replay = unpacker->replay;
    uint32_t items;

    if (!wire_read_array_header(reader, &items) || (int)items != replay->terms.player_count)
        return false;
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        struct forfeit *forfeit;

        if (reader->at < reader->end && *reader->at == 0xc0) {
            wire_read_past(reader);
            continue;
        }
        forfeit = replay->forfeits[seat] = calloc(1, sizeof *forfeit);
        if (!forfeit || !read_forfeit(reader, unpacker->version, forfeit))
            return false;
        forfeit->reason = replay->result.reasons[seat];
        forfeit->turn = replay->out_turns[seat];
    }
    return true;
}

static bool read_result(struct unpacker *unpacker)
{
    struct wire_reader *reader = &unpacker->reader;
    struct replay *replay = unpacker->replay;
    size_t count = (size_t)replay->terms.player_count;
    struct wire_end *result = &replay->result;
    int64_t scores[GAME_PLAYERS_MAX], ranks[GAME_PLAYERS_MAX], reasons[GAME_PLAYERS_MAX];
    uint32_t pairs;

    if (!wire_read_map_header(reader, &pairs) || pairs != 5 || !read_key(reader, "scores") ||
        !read_integers(reader, count, 0, INT32_MAX, scores) || !read_key(reader, "ranks") ||
        !read_integers(reader, count, 1, GAME_PLAYERS_MAX, ranks) || !read_key(reader, "reasons") ||
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
    return read_key(reader, "forfeits") && read_forfeits(unpacker);
}

static bool checksum_holds(const uint8_t *bytes, size_t size, const uint8_t *checksum)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx hash;

    sha256_init(&hash);
    sha256_update(&hash, size, bytes);
    sha256_digest(&hash, sizeof digest, digest);
    return memcmp(digest, checksum, sizeof digest) == 0;
}

/* Reads all parts. On failure returns the name of the part; the reader is near the error. */
static const char *read_parts(struct unpacker *unpacker)
{
    struct wire_reader *reader = &unpacker->reader;
    const uint8_t *checksum;
    const uint8_t *end;
    size_t size;

    if (!read_header(unpacker))
        return "is not a replay: its header is invalid";
    if (!read_decisions(unpacker))
        return "is truncated or altered: a decision is invalid";
    if (!read_result(unpacker))
        return "is truncated or altered: its result is invalid or missing";
    end = reader->at;
    if (!read_bin(reader, SHA256_DIGEST_SIZE, &checksum, &size) || size != SHA256_DIGEST_SIZE)
        return "is truncated or altered: its checksum is invalid or missing";
    if (reader->at != reader->end)
        return "is altered: bytes follow its checksum";
    reader->at = end;
    if (!checksum_holds(unpacker->start, (size_t)(end - unpacker->start), checksum))
        return "is altered: its checksum does not match";
    return NULL;
}

int replay_unpack(struct replay *replay, const uint8_t *bytes, size_t size,
                  char error[static REPLAY_ERROR_BYTES])
{
    struct unpacker unpacker = {
        .reader = {.at = bytes, .end = bytes + size}, .start = bytes, .replay = replay};
    const char *fault;

    *replay = (struct replay){0};
    fault = read_parts(&unpacker);
    if (!fault)
        return 0;
    snprintf(error, REPLAY_ERROR_BYTES, "offset %zu: %s", (size_t)(unpacker.reader.at - bytes),
             fault);
    replay_finish(replay);
    return -1;
}
