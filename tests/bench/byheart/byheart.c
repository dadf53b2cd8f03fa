/* SPDX-License-Identifier: MIT */
/*
 * The player of `bench runners` that chess runners start: plays one game from memory over UCI,
 * without thinking. Knights wander for 100 moves, no position comes twice, and the game is drawn by
 * the rule of fifty moves.
 */
#include <stdio.h>
#include <string.h>

static const char moves[] = "b1a3b8c6g1h3c6b8a3b1g8f6h3g1f6d5b1a3b8c6g1f3c6b8f3d4d5b6a3c4b6d5"
                            "d4f3d5f6c4a3b8c6f3h4c6b8a3c4b8c6c4e3f6g8h4f3c6e5f3d4e5g6e3c4g8h6"
                            "d4b3h6f5c4e3f5h6e3g4h6f5b3d4f5h6d4f3g6e5f3g1e5g6g4e3h6f5g1h3g6e5"
                            "h3f4f5d6e3c4d6f5f4h3f5d6h3g1d6b5c4e3e5c6e3c4b5d6g1f3d6f5c4a3c6a5"
                            "f3g1f5d6g1h3a5c6h3g1c6b8a3b1d6b5g1h3b8a6b1c3a6c5c3e4c5a6h3g1b5d6"
                            "g1f3a6c5e4c3c5a6c3a4a6c5f3g1c5a6g1h3d6f5h3g1a6c5g1h3f5h6h3g1h6g8"
                            "g1f3c5e6f3g1g8f6";

/* Returns how many moves a line "position startpos moves ..." lists. */
static size_t played(const char *line)
{
    const char *list = strstr(line, " moves ");
    size_t count = 0;

    for (list = list ? list + 6 : NULL; list; list = strchr(list + 1, ' '))
        count++;
    return count;
}

int main(void)
{
    static char line[1 << 16];
    size_t next = 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "ucinewgame", 10) == 0)
            next = 0;
        else if (strncmp(line, "uci", 3) == 0)
            puts("id name byheart\nuciok");
        else if (strncmp(line, "isready", 7) == 0)
            puts("readyok");
        else if (strncmp(line, "position", 8) == 0)
            next = played(line);
        else if (strncmp(line, "go", 2) == 0)
            printf("info depth 1 score cp 0\nbestmove %.4s\n",
                   moves + next * 4 % (sizeof moves - 1));
        else if (strncmp(line, "quit", 4) == 0)
            break;
    }
    return 0;
}
