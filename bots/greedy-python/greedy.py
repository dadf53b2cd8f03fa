# SPDX-License-Identifier: MIT
"""Takes the most points it can see now, counting each bonus tile as 4.

Needs nothing but python3-msgpack: what a placement scores is read off the state.
"""
import os
import sys

import msgpack

CENTER = 6  # the star in the middle
BONUS_TILE_POINTS = 4


def features():
    """The spaces that each bonus feature touches, and the tiles it gives."""
    for i in range(6):
        j = (i + 1) % 6
        yield {(i, 1), (i, 2), (CENTER, (i + 5) % 6), (CENTER, i)}, 1  # pillar
        yield {(i, 0), (i, 1), (j, 2), (j, 3)}, 2  # statue
        yield {(i, 4), (i, 5)}, 3  # window


FEATURES = list(features())


def run_length(star, position):
    """The filled spaces around the ring that a tile on this position joins, itself counted."""
    filled = [color != -1 for color in star]
    filled[position] = True
    if all(filled):
        return 6
    length = 1
    for step in (1, -1):
        at = (position + step) % 6
        while filled[at]:
            length += 1
            at = (at + step) % 6
    return length


def earned_tiles(stars, space):
    """The bonus tiles of the features that filling this space completes."""
    return sum(
        tiles
        for spaces, tiles in FEATURES
        if space in spaces and all(s == space or stars[s[0]][s[1]] != -1 for s in spaces)
    )


def cost_of(board, star, position):
    if board == "gray":
        return 3 if star == CENTER else (3, 2, 1, 4, 5, 6)[position]
    return position + 1


def weigh_draft(state, source, color):
    place = state["center"] if source == -1 else state["displays"][source]
    wild = state["wild"]
    tiles = 1 if color == wild else place[color] + min(place[wild], 1)
    points = -tiles if source == -1 and state["token"] == -1 else 0
    return points, tiles


def weigh(state, me, action):
    """Points now, then tiles left in the hand: the greater pair is the better action."""
    kind = action[0]
    if kind == "draft":
        return weigh_draft(state, action[1], action[2])
    if kind == "place":
        star, position = action[1], action[2]
        points = run_length(me["stars"][star], position)
        points += BONUS_TILE_POINTS * earned_tiles(me["stars"], (star, position))
        return points, -cost_of(state["board"], star, position)
    if kind == "bonus":
        return 0, action[1][state["round"] % 6]  # rather the next round's wild color
    return sum(action[1]) - sum(me["hand"]), 0  # "pass"


def answer(message, seat):
    state = message["state"]
    actions = message["actions"]
    me = state["players"][seat]
    index = max(range(len(actions)), key=lambda i: weigh(state, me, actions[i]))
    return {"type": "act", "turn": message["turn"], "action": index}


def messages():
    """Whole messages from standard input, however they are cut into pieces; ends with it."""
    unpacker = msgpack.Unpacker(raw=False)
    while piece := os.read(0, 65536):
        unpacker.feed(piece)
        yield from unpacker


def send(message):
    sys.stdout.buffer.write(msgpack.packb(message))
    sys.stdout.buffer.flush()


def main():
    seat = None
    for message in messages():
        if message["type"] == "hello":
            seat = message["seat"]
            send({"type": "ready", "name": "greedy-python", "version": "1"})
        elif message["type"] == "turn":
            send(answer(message, seat))


if __name__ == "__main__":
    main()
