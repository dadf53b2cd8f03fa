/* SPDX-License-Identifier: MIT */
/* The bundled bot maestro in the caller's process. */
#include <time.h>

#include "bots/search/mind.h"
#include "sdk/python/lab.h"

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static bool is_enough(void *deadline_us)
{
    return now_us() >= *(const int64_t *)deadline_us;
}

struct action lab_maestro(const struct game *game, int64_t think_us)
{
    static struct mind mind;
    static int player_count; /* the match that `mind` has weights for; 0: none */
    static enum board_side side;
    int64_t deadline_us;

    if (player_count == 0)
        mind_init(&mind);
    if (game->player_count != player_count || game->board != side)
        mind_begin(&mind, game->player_count, (enum board_side)game->board);
    else
        mind_forget(&mind);
    player_count = game->player_count;
    side = (enum board_side)game->board;
    deadline_us = now_us() + think_us;
    return mind_choose(&mind, game, think_us, is_enough, &deadline_us);
}
