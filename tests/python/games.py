# SPDX-License-Identifier: MIT
"""Games through Python, one by one and in a batch: the list of actions is that of docs/python.md, another
implementation's games (tests/golden/samples.txt) are played alike, and a batch plays what a Game plays.

usage: games.py GAMES, with PYTHONPATH at the package
"""

import itertools
import random
import sys

import msgpack
import numpy

from pavilion_lab import ACTIONS, Action, Batch, Game


def says(view, state):
    """The view has all that the state has, but for keys that bots have to overlook."""
    if isinstance(view, dict):
        return all(says(view[key], state[key]) for key in view)
    if isinstance(view, list) and view and isinstance(view[0], dict):
        return len(view) == len(state) and all(map(says, view, state))
    return view == state


# What a bot is asked is what a Game says, and the other way round.
turns = [message for message in msgpack.Unpacker(open("sdk/kits/shared/turns.msgpack", "rb")) if message["type"] == "turn"]
assert len(turns) > 3
for turn in turns:
    game = Game.from_state(turn["state"])
    assert all(says(game.view(seat), turn["state"]) for seat in range(game.players))
    assert game.view().keys() == {"mood": 0, **turn["state"]}.keys() - {"mood"}
    assert [action.wire for action in game.legal()] == turn["actions"]
    assert [Action(action) for action in turn["actions"]] == game.legal()

# The list of actions is the documented one.
choices = [counts for counts in itertools.product(range(5), repeat=6) if sum(counts) <= 4]
listed = [("draft", *numbers) for numbers in itertools.product(range(-1, 9), range(6))]
listed += [("place", *numbers) for numbers in itertools.product(range(7), range(6), range(6), range(6))]
listed += [(kind, *counts) for kind in ("bonus", "pass") for counts in choices]
assert [(action.kind, *action.numbers) for action in ACTIONS] == listed

samples = 0
for line in open("tests/golden/samples.txt", encoding="ascii"):
    words = line.split()
    if words[0] == "game":
        game = Game(int(words[1]), words[2], bytes.fromhex(words[3]))
        samples += 1
    elif words[0] == "ranks":
        assert game.over and game.ranks() == list(map(int, words[1:]))
    else:
        position, _, action = line.rstrip("\n").partition("\t")
        assert game.text() == position
        if action:
            assert Action(action) in game.legal()
            game.apply(action)
assert samples == 8

count, decisions, chance = int(sys.argv[1]), 0, random.Random(1)
for number in range(count):
    game = Game(2 + number % 3, ("colored", "gray")[number // 3 % 2], number)
    batch = Batch(1, game.players, game.board, 0)
    batch.put(0, game)
    while True:
        legal = game.legal()
        assert legal == sorted(legal)
        if number % 7 == 0:
            assert numpy.flatnonzero(batch.masks()[0]).tolist() == legal
            assert batch[0] == game and batch.player()[0] == game.player
            assert (batch.observe() == game.observe()).all()
            assert Game.from_state(game.view()).text() == game.text()  # the numbers, by another way
        if game.over:
            break
        action, before = chance.choice(legal), game.scores()
        game.apply(action)
        rewards, dones = batch.step(numpy.array([action]))
        assert rewards[0].tolist() == [new - old for old, new in zip(before, game.scores())]
        assert dones[0] == game.over
        decisions += 1
    assert batch.scores()[0].tolist() == game.scores() and batch.ranks()[0].tolist() == game.ranks()
print(f"{samples} games of another implementation, {count} games alone and in a batch, {decisions} decisions: equal")
