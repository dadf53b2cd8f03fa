# SPDX-License-Identifier: MIT
"""A bot that plays by the weights of learn.py, which lie beside it with pavilion_lab: docs/python.md."""

import os

import msgpack
import numpy as np

import learn
from pavilion_lab import ACTIONS, Batch, Game

weights = np.load("learned.npz")["weights"]
batch = Batch(1)  # two players, the colored side: what the weights are for


def answer(message):
    if message["type"] == "hello":
        return {"type": "ready", "actions": False}
    if message["type"] == "turn":
        game = Game.from_state(message["state"])
        if game.players != 2 or game.board != "colored":
            return {"type": "act", "turn": message["turn"], "action": game.greedy().wire}
        batch.put(0, game)
        games, actions, after = batch.look_ahead()
        best, _, worth = learn.choose(weights, games, actions, after, 1)
        note = f"{worth[best[0]]:.1f} points at the end"
        return {"type": "act", "turn": message["turn"], "action": ACTIONS[actions[best[0]]].wire, "note": note}


unpacker = msgpack.Unpacker()
while piece := os.read(0, 65536):
    unpacker.feed(piece)
    for message in unpacker:
        reply = answer(message)
        if reply:
            os.write(1, msgpack.packb(reply))
