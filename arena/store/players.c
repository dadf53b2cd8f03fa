#include "arena/store/players.h"

#include <stdio.h>

void players_write(const struct store_season *season, char text[static PLAYERS_TEXT_BYTES])
{
    size_t length = 0;

    text[0] = '\0';
    for (int i = 0; i < season->player_count_count; i++)
        length += (size_t)snprintf(text + length, PLAYERS_TEXT_BYTES - length, i ? ",%d" : "%d",
                                   season->player_counts[i]);
}

void players_read(const char *text, struct store_season *season)
{
    const int room = (int)(sizeof season->player_counts / sizeof *season->player_counts);

    season->player_count_count = 0;
    for (; *text && season->player_count_count < room; text += text[1] == ',' ? 2 : 1)
        season->player_counts[season->player_count_count++] = *text - '0';
    if (*text)
        season->player_counts[0] = -1;
}
