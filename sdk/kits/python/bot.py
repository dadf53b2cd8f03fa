# SPDX-License-Identifier: MIT
"""The bot: choose() is all that the arena asks of it. Change it as you like."""

from pavilion import CENTER, Bonus, Draft, Place, run_length


def choose(turn):
    """One of turn.actions."""
    return max(turn.actions, key=lambda action: worth(turn, action))


def worth(turn, action):
    """How good an action looks. To try next: see the README."""
    if isinstance(action, Draft):
        return draft_worth(turn, action)
    if isinstance(action, Place):
        # Points now. Wild tiles are worth keeping.
        points = run_length(turn.me["stars"][action.star], action.position)
        return 100 + 10 * points - action.wilds
    if isinstance(action, Bonus):
        # What goes with the tiles that are in the hand already.
        return sum(count * (1 + turn.me["hand"][color]) for color, count in enumerate(action.tiles))
    return sum(action.tiles)  # passing: as a last resort, keeping what can be kept


def draft_worth(turn, action):
    tiles = turn.tiles_at(action.source)
    count = tiles[action.color]
    if action.color != turn.wild and tiles[turn.wild] > 0:
        count += 2  # a wild tile comes along
    if action.source == CENTER and turn.state["token"] == -1:
        count -= 2  # the first to take from the center loses points
    return count
