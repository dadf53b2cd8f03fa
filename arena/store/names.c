/* Valid names and ids, the same for all back ends. */
#include "arena/store/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/wire.h"

void store_game_id(char id[static STORE_GAME_ID_BYTES], const char *season, int group, int rotation)
{
    snprintf(id, STORE_GAME_ID_BYTES, "%s-%06d-%d", season, group, rotation);
}

/* Returns the last '-' of text[0..length), or NULL. */
static const char *last_dash(const char *text, size_t length)
{
    while (length > 0)
        if (text[--length] == '-')
            return text + length;
    return NULL;
}

bool store_game_id_parse(const char *id, char season[static STORE_NAME_BYTES_MAX + 1], int *group,
                         int *rotation)
{
    const char *second = last_dash(id, strlen(id));
    const char *first = second ? last_dash(id, (size_t)(second - id)) : NULL;
    char again[STORE_GAME_ID_BYTES];

    if (!first || first - id > STORE_NAME_BYTES_MAX || second - first > 10)
        return false;
    memcpy(season, id, (size_t)(first - id));
    season[first - id] = '\0';
    *group = (int)strtol(first + 1, NULL, 10);
    *rotation = (int)strtol(second + 1, NULL, 10);
    /* Compare with the canonical form, to reject signs, spaces, missing and surplus digits. */
    store_game_id(again, season, *group, *rotation);
    return strcmp(again, id) == 0 && *group >= 0 && *rotation >= 0 &&
           *rotation < GAME_PLAYERS_MAX && store_name_is_valid(season);
}

bool store_name_is_valid(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_");

    return length >= 1 && length <= STORE_NAME_BYTES_MAX && name[length] == '\0';
}

bool store_text_is_valid(const char *text)
{
    size_t length = strlen(text), size;
    uint32_t character;

    if (length < 1 || length > STORE_TEXT_BYTES_MAX)
        return false;
    for (const char *at = text; *at; at += size) {
        size = wire_character(at, length - (size_t)(at - text), &character);
        /* Reject control characters: C0, DEL, C1, and the line and paragraph separators. */
        if (size == 0 || character < 0x20 || (character >= 0x7f && character < 0xa0) ||
            character == 0x2028 || character == 0x2029)
            return false;
    }
    return true;
}
