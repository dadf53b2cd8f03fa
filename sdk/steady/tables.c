/* SPDX-License-Identifier: MIT */
#include "sdk/steady/tables.h"

#include <stdlib.h>
#include <string.h>

#include "sdk/policy.h"
#include "sdk/steady/include_file.h"

static const uint8_t magic[4] = {'P', 'A', 'V', 'W'};

struct writer {
    uint8_t *next;
    uint8_t *end;
    bool is_full;
};

static void write_number(struct writer *writer, uint32_t number)
{
    do {
        uint8_t byte = (uint8_t)((number & 0x7f) | (number > 0x7f ? 0x80 : 0));

        if (writer->next == writer->end) {
            writer->is_full = true;
            return;
        }
        *writer->next++ = byte;
        number >>= 7;
    } while (number > 0);
}

static int32_t in_steps(int32_t weight)
{
    int32_t half = weight < 0 ? -(TABLES_STEP / 2) : TABLES_STEP / 2;

    return (weight + half) / TABLES_STEP;
}

size_t tables_pack(const struct weights_set *set, const struct tables_header *header,
                   uint8_t *bytes, size_t capacity)
{
    const int32_t *weights = (const int32_t *)set;
    const size_t count = sizeof *set / sizeof *weights;
    struct writer writer = {.next = bytes + TABLES_HEADER_BYTES, .end = bytes + capacity};

    if (capacity < TABLES_HEADER_BYTES)
        return 0;
    memcpy(bytes, magic, sizeof magic);
    bytes[4] = TABLES_VERSION;
    bytes[5] = (uint8_t)header->player_count;
    bytes[6] = (uint8_t)header->side;
    bytes[7] = 0;
    for (int i = 0; i < 4; i++)
        bytes[8 + i] = (uint8_t)(header->game_count >> (8 * i));
    for (size_t i = 0; i < count; i++) {
        int32_t steps = in_steps(weights[i]);
        uint32_t more = 0;

        write_number(&writer, steps < 0 ? (uint32_t)-steps << 1 | 1 : (uint32_t)steps << 1);
        if (steps != 0)
            continue;
        while (i + 1 < count && in_steps(weights[i + 1]) == 0) {
            i++;
            more++;
        }
        write_number(&writer, more);
    }
    return writer.is_full ? 0 : (size_t)(writer.next - bytes);
}

struct reader {
    const uint8_t *next;
    const uint8_t *end;
    bool is_bad;
};

static uint32_t read_number(struct reader *reader)
{
    uint32_t number = 0;

    for (int shift = 0; shift < 28; shift += 7) {
        uint8_t byte;

        if (reader->next == reader->end)
            break;
        byte = *reader->next++;
        number |= (uint32_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return number;
    }
    reader->is_bad = true;
    return 0;
}

static const char *unpack_header(const uint8_t *bytes, size_t size, struct tables_header *header)
{
    if (size < TABLES_HEADER_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return "not a file of weights";
    if (bytes[4] < 1 || bytes[4] > TABLES_VERSION)
        return "the file of weights has an unknown version: train the weights again";
    if (bytes[5] < GAME_PLAYERS_MIN || bytes[5] > GAME_PLAYERS_MAX || bytes[6] > BOARD_GRAY)
        return "the file of weights names an unknown board or number of players";
    header->player_count = bytes[5];
    header->side = (enum board_side)bytes[6];
    header->game_count = 0;
    for (int i = 0; i < 4; i++)
        header->game_count |= (uint32_t)bytes[8 + i] << (8 * i);
    return NULL;
}

const char *tables_unpack(const uint8_t *bytes, size_t size, struct tables_header *header,
                          struct weights_set *set)
{
    int32_t *weights = (int32_t *)set;
    struct reader reader = {.next = bytes + TABLES_HEADER_BYTES, .end = bytes + size};
    const char *fault = unpack_header(bytes, size, header);

    size_t stored, count; /* weights of a round and kind in the file, and of all */

    if (fault)
        return fault;
    stored = bytes[4] == 1 ? offsetof(struct weights, group) / sizeof *weights : WEIGHTS_COUNT;
    count = GAME_ROUNDS * VALUE_KINDS * stored;
    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < count && !reader.is_bad; i++) {
        uint32_t number = read_number(&reader);
        int32_t steps = (int32_t)(number >> 1);

        if (steps > 1000 * VALUE_POINT / TABLES_STEP)
            return "the file contains a weight above 1,000 points";
        weights[i / stored * WEIGHTS_COUNT + i % stored] =
            (number & 1 ? -steps : steps) * TABLES_STEP;
        if (number == 0) {
            uint32_t more = read_number(&reader);

            if (more > count - 1 - i)
                return "the file contains too many weights";
            i += more;
        }
    }
    if (reader.is_bad)
        return "the file of weights ends early";
    return reader.next == reader.end ? NULL : "bytes after the last weight";
}

#define FILE_OF(players, side)                                                                     \
    INCLUDE_FILE(tables_##players##_##side, TABLES_FOLDER "/" #players "-" #side ".weights");      \
    extern const uint8_t tables_##players##_##side[], tables_##players##_##side##_end[]

FILE_OF(2, colored);
FILE_OF(2, gray);
FILE_OF(3, colored);
FILE_OF(3, gray);
FILE_OF(4, colored);
FILE_OF(4, gray);

const uint8_t *tables_file(int player_count, enum board_side side, size_t *size)
{
    static const uint8_t *const files[3][2][2] = {
        {{tables_2_colored, tables_2_colored_end}, {tables_2_gray, tables_2_gray_end}},
        {{tables_3_colored, tables_3_colored_end}, {tables_3_gray, tables_3_gray_end}},
        {{tables_4_colored, tables_4_colored_end}, {tables_4_gray, tables_4_gray_end}},
    };
    const uint8_t *const *file = files[player_count - GAME_PLAYERS_MIN][side];

    *size = (size_t)(file[1] - file[0]);
    return file[0];
}

void tables_load(int player_count, enum board_side side, struct weights_set *set)
{
    struct tables_header header;
    size_t size;
    const uint8_t *file = tables_file(player_count, side, &size);

    if (tables_unpack(file, size, &header, set) != NULL || header.player_count != player_count ||
        header.side != side)
        abort();
}

void sdk_weights_load(struct sdk_weights *weights, int player_count, enum board_side side)
{
    tables_load(player_count, side, (struct weights_set *)weights);
}
