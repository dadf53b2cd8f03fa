"""Games through Python, one by one and in a batch, equal those of the C engine and the naive rules.

usage: games.py TWIN GAMES, with PYTHONPATH at the package
"""

import subprocess
import sys

import msgpack
import numpy

from pavilion_lab import Action, Batch, Game



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

count = int(sys.argv[2])
twin = subprocess.Popen([sys.argv[1], str(count)], stdout=subprocess.PIPE, text=True)
decisions = 0
for number in range(count):
    players, board = 2 + number % 3, ("colored", "gray")[number // 3 % 2]
    game = Game(players, board, number)
    batch = Batch(1, players, board, 0)
    batch.put(0, game)
    while True:
        assert twin.stdout.readline() == game.text() + "\n", (number, game.text())
        legal = [int(index) for index in twin.stdout.readline().split()]
        assert legal == game.legal(), (number, game.text())
        if number % 7 == 0:
            assert numpy.flatnonzero(batch.masks()[0]).tolist() == legal
            assert batch[0] == game and batch.player()[0] == game.player
            assert (batch.observe() == game.observe()).all()
            assert Game.from_state(game.view()).text() == game.text()  # the numbers, by another way
        if game.over:
            break
        action = legal[int(twin.stdout.readline())]
        before = game.scores()
        game.apply(action)
        rewards, dones = batch.step(numpy.array([action]))
        assert rewards[0].tolist() == [new - old for old, new in zip(before, game.scores())]
        assert dones[0] == game.over
        decisions += 1
    results = [int(word) for word in twin.stdout.readline().split()]
    assert results == [each for pair in zip(game.scores(), game.ranks()) for each in pair]
    assert batch.scores()[0].tolist() == game.scores() and batch.ranks()[0].tolist() == game.ranks()
assert twin.wait() == 0
print(f"{count} games, {decisions} decisions: equal")
