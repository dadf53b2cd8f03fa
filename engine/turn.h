/* SPDX-License-Identifier: MIT */
/*
 * The course of the game: functions that play a legal action, given as a word (word.h), up to the
 * next decision or the end of the game; functions that deal tiles; and struct drafting, a copy of
 * the data that every draft uses, for fast playouts. See docs/rules.md, sections 4 to 8.
 */
#ifndef ENGINE_TURN_H
#define ENGINE_TURN_H

#include "engine/public.h"
#include "engine/state.h"
#include "engine/tiles.h"

/* Returns the next seat clockwise. */
static inline int turn_seat_after(int seat, int player_count)
{
    return seat + 1 == player_count ? 0 : seat + 1;
}

/* Takes points from a seat, whose score does not fall below GAME_SCORE_MIN. */
static inline void turn_lose_points(struct game_seat *seat, int points)
{
    seat->score -= points;
    if (seat->score < GAME_SCORE_MIN)
        seat->score = GAME_SCORE_MIN;
}

/* Begins the place phase, after the last draft of a round or if nobody can draft a tile. */
void turn_begin_placing(struct game *game) LINK_NAME(turn_begin_placing);

void turn_draft(struct game *game, uint64_t word) LINK_NAME(turn_draft);
void turn_place(struct game *game, uint64_t word) LINK_NAME(turn_place);
void turn_take_bonus(struct game *game, uint64_t word) LINK_NAME(turn_take_bonus);
void turn_pass(struct game *game, uint64_t word) LINK_NAME(turn_pass);

/* ---- dealing, from the bag, which is refilled from the tower (deal.c) ---- */

/* Fills the supply up to GAME_SUPPLY_TILES, or until bag and tower are empty. */
void deal_supply(struct game *game) LINK_NAME(deal_supply);

/* Fills the empty displays of a new round and sets game.offers. */
void deal_displays(struct game *game) LINK_NAME(deal_displays);

/* Returns the colors that a player may draft from a source that holds `tiles`, a bit per color. */
static inline unsigned deal_offer(uint64_t tiles, int wild)
{
    unsigned colors = tiles_colors(tiles);
    unsigned named = colors & ~(1u << wild);

    return named ? named : colors;
}

/* ---- drafting ---- */

/* What one bit of game.offers means: a draft of one color from one source. */
struct draft {
    uint64_t word;   /* the action's word */
    uint64_t tiles;  /* mask of the color's byte */
    uint64_t others; /* mask of the offers that the draft does not change: those of other sources
                        but the center */
    uint64_t source; /* index into game.sources: 0 is the center */
};

/* The draft of each bit of game.offers. */
extern const struct draft drafts[GAME_COLORS * (1 + GAME_DISPLAYS_MAX)] LINK_NAME(drafts);

/* A copy of the fields of struct game that every draft uses. */
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

/* Copies *drafting back to the game, and ends the draft phase if no offers are left. */
static inline void drafting_end(const struct drafting *drafting, struct game *game)
{
    game->offers = drafting->offers;
    if (drafting->offers == 0)
        turn_begin_placing(game);
    else
        game->player = (int8_t)drafting->player;
}

#endif
