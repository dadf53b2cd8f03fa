/* SPDX-License-Identifier: MIT */
/*
 * The bot: begin() at each match, choose() at each decision. Change it as you like.
 * pavilion/engine/state.h names colors and actions; pavilion/engine/game.h has the game, for
 * searching.
 */
#include "bot.h"

#include "engine/board.h"

/* The meaning of an action's numbers, by kind. */
enum draft_number {
    DRAFT_SOURCE = 0, /* a display, or GAME_SOURCE_CENTER */
    DRAFT_COLOR = 1,
};
enum place_number {
    PLACE_STAR = 0, /* 0 to 5 around the center star, which is 6 */
    PLACE_POSITION = 1,
    PLACE_COLOR = 2,
    PLACE_WILDS = 3, /* how many of the tiles spent have the wild color */
};

static const struct position_seat *me(const struct sdk_turn *turn)
{
    return &turn->state->seats[turn->hello->seat];
}

static int draft_worth(const struct sdk_turn *turn, const struct action *action)
{
    int source = action->number[DRAFT_SOURCE], color = action->number[DRAFT_COLOR];
    const struct position *state = turn->state;
    const uint8_t *tiles = source == GAME_SOURCE_CENTER ? state->center : state->displays[source];
    int worth = tiles[color];

    if (color != state->wild && tiles[state->wild] > 0)
        worth += 2; /* drafting here takes a wild tile too */
    if (source == GAME_SOURCE_CENTER && state->token == GAME_NOBODY)
        worth -= 2; /* the first draft from the center loses points */
    return worth;
}

/* Counts the points earned now. Prefers to keep wild tiles. */
static int place_worth(const struct sdk_turn *turn, const struct action *action)
{
    const int8_t *star = me(turn)->stars[action->number[PLACE_STAR]];
    unsigned filled = 1u << action->number[PLACE_POSITION];

    for (int position = 0; position < GAME_SPACES; position++)
        if (star[position] != GAME_EMPTY)
            filled |= 1u << position;
    return 100 + 10 * board_run(filled, action->number[PLACE_POSITION]) -
           action->number[PLACE_WILDS];
}

/* Prefers colors that are already in the hand. */
static int bonus_worth(const struct sdk_turn *turn, const struct action *action)
{
    int worth = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        worth += action->number[color] * (1 + me(turn)->hand[color]);
    return worth;
}

/* A last resort; prefers to keep as many tiles as possible. */
static int pass_worth(const struct action *action)
{
    int kept = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        kept += action->number[color];
    return kept;
}

/* Returns how good an action looks. The README suggests what to try next. */
static int worth(const struct sdk_turn *turn, const struct action *action)
{
    switch ((enum action_kind)action->kind) {
    case ACTION_DRAFT:
        return draft_worth(turn, action);
    case ACTION_PLACE:
        return place_worth(turn, action);
    case ACTION_BONUS:
        return bonus_worth(turn, action);
    case ACTION_PASS:
        return pass_worth(action);
    }
    return 0;
}

void begin(void *self, const struct wire_hello *hello)
{
    (void)self;
    (void)hello; /* players, seat, board and clock of the match */
}

struct action choose(void *self, const struct sdk_turn *turn)
{
    size_t best = 0;

    (void)self;
    for (size_t i = 1; i < turn->action_count; i++)
        if (worth(turn, &turn->actions[i]) > worth(turn, &turn->actions[best]))
            best = i;
    return turn->actions[best];
}
