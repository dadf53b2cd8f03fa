/*
 * Drafting: a turn of phase 1, optimized for playouts. The data that a turn reads and changes is
 * copied out of the game once for many turns. rules.md section 4.
 */
#ifndef ENGINE_DRAFT_H
#define ENGINE_DRAFT_H

#include "engine/deal.h"
#include "engine/state.h"
#include "engine/tiles.h"
#include "engine/turn.h"

/* The meaning of a bit of game.offers: a color that may be drafted from a source. */
struct draft {
    uint64_t word;   /* the action's word */
    uint64_t tiles;  /* mask of the color's byte */
    uint64_t others; /* mask of the offers that do not change: of sources other than this one and
                        the center */
    uint64_t source; /* index into game.sources: 0 is the center */
};

/* By bit number. */
extern const struct draft drafts[GAME_COLORS * (1 + GAME_DISPLAYS_MAX)];

/* The part of a game that drafts change or need often; struct game keeps the rest. */
struct drafting {
    uint64_t offers;
    int player; /* the seat to act */
    int player_count;
    int wild;
};

static inline struct drafting drafting_begin(const struct game *game)
{
    return (struct drafting){
        .offers = game->offers,
        .player = game->player,
        .player_count = game->player_count,
        .wild = game->round - 1,
    };
}

/* Plays a draft that is among the offers. */
static inline void drafting_take(struct drafting *drafting, struct game *game,
                                 const struct draft *draft)
{
    struct game_seat *seat = &game->seats[drafting->player];
    uint64_t tiles = game->sources[draft->source];
    uint64_t wild_tiles = tiles_only(tiles, drafting->wild);
    uint64_t taken = tiles & draft->tiles & ~tiles_only(UINT64_MAX, drafting->wild);
    uint64_t with_wild = taken + tiles_one(drafting->wild);

    taken = wild_tiles ? with_wild : taken;
    seat->tiles += taken;
    game->sources[draft->source] = 0;
    tiles += game->sources[0] - taken;
    game->sources[0] = tiles;
    if (draft->source == 0 && game->token == GAME_NOBODY) {
        game->token = (int8_t)drafting->player;
        turn_lose_points(seat, tiles_total(taken));
    }
    drafting->offers = (drafting->offers & draft->others) | deal_offer(tiles, drafting->wild);
    drafting->player = turn_seat_after(drafting->player, drafting->player_count);
}

/* Copies the state back to the game; if no offers are left, ends the phase. */
static inline void drafting_end(const struct drafting *drafting, struct game *game)
{
    game->offers = drafting->offers;
    if (drafting->offers == 0)
        turn_begin_placing(game);
    else
        game->player = (int8_t)drafting->player;
}

#endif
