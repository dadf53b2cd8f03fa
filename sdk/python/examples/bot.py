# SPDX-License-Identifier: MIT
"""A bot that plays by the weights of learn.py, which lie beside it with pavilion_lab: docs/python.md.

With the argument `ahead` it plays the policy's best actions out before it chooses one.
"""

import os
import sys

import msgpack
import numpy as np

import learn
from pavilion_lab import ACTIONS, Batch, Game

CANDIDATES, ENDS = 5, 12  # of the policy's best actions so many, each played out so often

weights = np.load("learned.npz")["weights"]
batch = Batch(1)  # two players, the colored side: what the weights are for


def leads(game, candidates):
    """By how much the seat to act wins on average after each candidate, if steady plays all seats from there."""
    me, ahead = game.player, Batch(len(candidates) * ENDS)
    for end in range(ENDS):
        imagined = game.copy()
        imagined.reseed()  # nobody knows the tiles to come: the candidates share what is imagined
        for number, action in enumerate(candidates):
            after = imagined.copy()
            after.apply(action)
            ahead.put(number * ENDS + end, after)
    dones = ahead.player() < 0
    while not dones.all():
        _, dones = ahead.step(ahead.steady())
    scores = ahead.scores()
    return (scores[:, me] - scores[:, 1 - me]).reshape(-1, ENDS).mean(1)


def decide(game):
    """The index of the action to play, and a note for those who look at the game."""
    if game.players != 2 or game.board != "colored":
        return game.greedy(), ""
    batch.put(0, game)
    _, actions, _, logits = learn.policy(weights, batch)
    order = np.argsort(-logits)
    if "ahead" not in sys.argv or len(order) == 1:
        return actions[order[0]], f"{1 / np.exp(logits - logits.max()).sum():.0%} sure"
    expected = leads(game, actions[order[:CANDIDATES]])
    best = expected.argmax()
    return actions[order[best]], f"wins by {expected[best]:+.1f}; the policy's own choice by {expected[0]:+.1f}"


def answer(message):
    if message["type"] == "hello":
        return {"type": "ready", "actions": False}
    if message["type"] == "turn":
        action, note = decide(Game.from_state(message["state"]))
        return {"type": "act", "turn": message["turn"], "action": ACTIONS[action].wire, "note": note}


unpacker = msgpack.Unpacker()
while piece := os.read(0, 65536):
    unpacker.feed(piece)
    for message in unpacker:
        reply = answer(message)
        if reply:
            os.write(1, msgpack.packb(reply))
