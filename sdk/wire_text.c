#include "sdk/wire.h"

#include <string.h>

/*
 * The valid ranges of second bytes after each range of UTF-8 lead bytes (Unicode's table of
 * well-formed byte sequences), and the size of the whole character.
 */
static const struct {
    uint8_t lead_first, lead_last;
    uint8_t second_first, second_last; /* third and fourth bytes are always 0x80..0xbf */
    uint8_t bytes;
} forms[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static const uint8_t replacement[] = {0xef, 0xbf, 0xbd}; /* U+FFFD */

/*
 * Sets *is_whole if the text begins with a valid character, and returns the size of the character.
 * Else returns the number of bytes to replace by one U+FFFD: as Unicode recommends, all first bytes
 * that could begin a valid character.
 */
static size_t measure_character(const uint8_t *text, size_t size, bool *is_whole)
{
    size_t form = 0;
    size_t bytes = 1;

    *is_whole = text[0] < 0x80;
    if (*is_whole)
        return 1;
    while (form < sizeof forms / sizeof *forms && text[0] > forms[form].lead_last)
        form++;
    if (form == sizeof forms / sizeof *forms || text[0] < forms[form].lead_first)
        return 1;
    if (size < 2 || text[1] < forms[form].second_first || text[1] > forms[form].second_last)
        return 1;
    for (bytes = 2; bytes < forms[form].bytes; bytes++)
        if (bytes == size || (text[bytes] & 0xc0) != 0x80)
            return bytes;
    *is_whole = true;
    return bytes;
}

/* Returns the largest size, at most `limit`, at which a cut of the text splits no character. */
static size_t find_cut(const uint8_t *text, size_t size, size_t limit)
{
    for (size_t back = 1; back <= 3 && back <= limit; back++) {
        bool is_whole;

        if (measure_character(text + limit - back, size - limit + back, &is_whole) > back &&
            is_whole)
            return limit - back;
    }
    return limit;
}

bool wire_is_utf8(const char *text, size_t size)
{
    bool is_whole = true;

    for (size_t offset = 0; offset < size && is_whole;)
        offset += measure_character((const uint8_t *)text + offset, size - offset, &is_whole);
    return is_whole;
}

size_t wire_character(const char *text, size_t size, uint32_t *code)
{
    const uint8_t *bytes = (const uint8_t *)text;
    bool is_whole;
    size_t count = measure_character(bytes, size, &is_whole);

    if (!is_whole)
        return 0;
    *code = count == 1 ? bytes[0] : bytes[0] & (0x7fu >> count);
    for (size_t i = 1; i < count; i++)
        *code = *code << 6 | (bytes[i] & 0x3fu);
    return count;
}

size_t wire_repair_text(char target[static WIRE_TEXT_BYTES_MAX], const char *source,
                        size_t source_bytes, size_t limit_bytes)
{
    const uint8_t *text = (const uint8_t *)source;
    size_t target_bytes = 0;

    if (limit_bytes > WIRE_NOTE_BYTES_MAX)
        limit_bytes = WIRE_NOTE_BYTES_MAX;
    if (source_bytes > limit_bytes)
        source_bytes = find_cut(text, source_bytes, limit_bytes);
    for (size_t offset = 0; offset < source_bytes;) {
        bool is_whole;
        size_t bytes = measure_character(text + offset, source_bytes - offset, &is_whole);
        const uint8_t *piece = is_whole ? text + offset : replacement;
        size_t piece_bytes = is_whole ? bytes : sizeof replacement;

        memcpy(target + target_bytes, piece, piece_bytes);
        target_bytes += piece_bytes;
        offset += bytes;
    }
    target[target_bytes] = '\0';
    return target_bytes;
}
