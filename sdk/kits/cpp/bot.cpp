// SPDX-License-Identifier: MIT
// The bot: begin() at each match, choose() at each decision. Change it as you like. Names for
// colors and actions are in pavilion/engine/state.h, the game to search with in
// pavilion/engine/game.h.
#include "bot.hpp"

#include <algorithm>
#include <numeric>

#include "engine/board.h"

namespace {

// An action's numbers by name. A source is a display or GAME_SOURCE_CENTER; stars 0 to 5 lie around
// the center star, 6; wilds says how many of the tiles spent are of the wild color.
struct Draft {
    int source, color;
    explicit Draft(const action &a) : source(a.number[0]), color(a.number[1]) {}
};
struct Place {
    int star, position, color, wilds;
    explicit Place(const action &a)
        : star(a.number[0]), position(a.number[1]), color(a.number[2]), wilds(a.number[3])
    {
    }
};

const position_seat &me(const sdk_turn &turn)
{
    return turn.state->seats[turn.hello->seat];
}

int draft_worth(const sdk_turn &turn, const Draft &draft)
{
    const position &state = *turn.state;
    bool in_center = draft.source == GAME_SOURCE_CENTER;
    const uint8_t *tiles = in_center ? state.center : state.displays[draft.source];
    int worth = tiles[draft.color];

    if (draft.color != state.wild && tiles[state.wild] > 0)
        worth += 2; // a wild tile comes along
    if (in_center && state.token == GAME_NOBODY)
        worth -= 2; // the first to take from the center loses points
    return worth;
}

// Points now. Wild tiles are worth keeping.
int place_worth(const sdk_turn &turn, const Place &place)
{
    const int8_t *star = me(turn).stars[place.star];
    unsigned filled = 1u << place.position;

    for (int position = 0; position < GAME_SPACES; position++)
        if (star[position] != GAME_EMPTY)
            filled |= 1u << position;
    return 100 + 10 * board_run(filled, place.position) - place.wilds;
}

// What goes with the tiles that are in the hand already.
int bonus_worth(const sdk_turn &turn, const int8_t *taken)
{
    int worth = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        worth += taken[color] * (1 + me(turn).hand[color]);
    return worth;
}

// How good an action looks. What to try next: see the README.
int worth(const sdk_turn &turn, const action &action)
{
    switch (action.kind) {
    case ACTION_DRAFT:
        return draft_worth(turn, Draft(action));
    case ACTION_PLACE:
        return place_worth(turn, Place(action));
    case ACTION_BONUS:
        return bonus_worth(turn, action.number);
    default: // passing: a last resort, keeping what can be kept
        return std::accumulate(action.number, action.number + GAME_COLORS, 0);
    }
}

} // namespace

void begin(const wire_hello &)
{
    // The hello has the players, the seat, the board and the clock of the match.
}

action choose(const sdk_turn &turn)
{
    return *std::max_element(turn.actions, turn.actions + turn.action_count,
                             [&](const action &a, const action &b) {
                                 return worth(turn, a) < worth(turn, b);
                             });
}
