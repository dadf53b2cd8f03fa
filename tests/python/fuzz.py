# SPDX-License-Identifier: MIT
"""Calls everything with random arguments, right and wrong: each call ends in a value or in an exception of the
documented kinds, and every game and batch stays playable. Runs under ASan and UBSan.

usage: fuzz.py CALLS [SEED], with PYTHONPATH at the checked package
"""

import pickle
import random
import sys
import threading

import numpy as np

import pavilion_lab
from pavilion_lab import ACTION_COUNT, Action, Batch, Game
from pavilion_lab.env import TurnEnv

calls = int(sys.argv[1])
chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
expected = (ValueError, TypeError, IndexError, KeyError, OverflowError, RuntimeError, AttributeError, MemoryError)


def mangle(state):
    """The state with one place of its tree replaced."""
    state = pickle.loads(pickle.dumps(state))
    part = state
    while True:
        keys = list(part) if isinstance(part, dict) else range(len(part))
        if not keys:
            return state
        key = chance.choice(keys)
        inner = part[key]
        if isinstance(inner, (dict, list)) and chance.random() < 0.85:
            part = inner
            continue
        part[key] = chance.choice([-2, -1, 0, 1, 4, 7, 300, 2**31, 2**70, None, "x", [], [0] * 6, {}, 1.5, True])
        return state


def spoil(text):
    place = chance.randrange(len(text) + 1)
    return text[:place] + chance.choice(["", " ", "p", "-", "|", "9", "\0", "é", ":", "x" * 3000]) + text[place + 1:]


def value():
    """An argument that may be anything."""
    return chance.choice([
        -1, 0, 1, 2, 3, 4, 5, chance.randrange(ACTION_COUNT), 2**31, -2**63, 2**64, 2**200, 1.5, None, True, "", "gray",
        "colored", "draft 3 b", "place 2 5 b 3", spoil("pass b2"), b"", bytes(16), bytes(17), [], [0] * 6, ["draft", 3, 1],
        ["pass", [0] * 6], ("bonus", [9] * 6), {}, object(), Game, Batch, np.int32(7), np.zeros(3), float("nan"), array(),
    ])


def array():
    dtype = chance.choice(["int8", "int16", "int32", "int64", "uint8", "uint64", "bool", "float32", "float64", "object", ">i4"])
    shape = chance.choice([(), (0,), (1,), (3,), (8,), (8, 2), (8, 311), (8, ACTION_COUNT), (16,)])
    made = np.full(shape, chance.choice([0, -1, 1, 5, 2]), dtype=dtype) if dtype != "uint64" else np.zeros(shape, dtype)
    if chance.random() < 0.2:
        made = made.T
    if chance.random() < 0.2 and made.ndim:
        made = made[::2]
    if chance.random() < 0.1:
        made.setflags(write=False)
    if chance.random() < 0.1:
        made = np.frombuffer(bytes(65)[1:], "int8")
    if chance.random() < 0.1:
        made = np.frombuffer(bytearray(33), "int32", 8, 1)
    return made


def call(thing):
    name = chance.choice([name for name in dir(thing) if name != "maestro" and not name.startswith("__") or name in ("__getitem__", "__eq__")])
    attribute = getattr(thing, name)
    if not callable(attribute):
        return
    result = attribute(*[chance.choice([value, array])() for _ in range(chance.choice([0, 0, 1, 1, 2, 3]))])
    if name == "agent_iter":
        next(result, None)


def play(game):
    if game.over:
        return game
    game.apply(chance.choice(game.legal()))
    return game


def from_somewhere(game):
    """Another way to a game, most of them spoiled."""
    which = chance.randrange(6)
    if which == 0:
        return Game(value(), value(), value())
    if which == 1:
        return Game.from_text(spoil(game.text()), value())
    if which == 2:
        return Game.from_state(mangle(game.view()), value())
    if which == 3:
        return Game(chance.choice([2, 3, 4]), chance.choice(["gray", "colored"]), chance.randrange(1000))
    if which == 4:
        return pickle.loads(pickle.dumps(game))
    return game.copy()


def check(game):
    legal = game.legal()
    assert bool(legal) != game.over and len(game.view()["players"]) == game.players
    assert Game.from_state(game.view()).text() == game.text()
    assert game.over or game.is_legal(game.maestro(1))
    copy = game.copy()
    copy.play_out(1)
    assert copy.over and min(copy.scores()) >= 1


game, env = Game(2, "gray", 1), TurnEnv(3)
batch = Batch(8, chance.choice([2, 4, [2, 3, 4, 2, 2, 3, 4, 4]]), ["gray", "colored"] * 4, 1, chance.random() < 0.5)
env.reset(1)
raised = 0
for number in range(calls):
    try:
        which = chance.randrange(10)
        if which < 3:
            call(game)
        elif which < 5:
            call(batch)
        elif which == 5:
            call(env)
        elif which == 6:
            game = from_somewhere(game)
        elif which == 7:
            play(game)
        elif which == 8:
            games, actions = batch.legal()
            logits = np.random.normal(size=len(games))
            batch.step(chance.choice([batch.sample(), batch.choose(logits, games, actions)[0]]))
            batch.choose(np.zeros((8, ACTION_COUNT)))
            if chance.random() < 0.1:
                batch.choose(logits, games, np.roll(actions, 1))
                batch.choose(logits, np.roll(games, chance.randrange(9)), actions)
            if chance.random() < 0.02:
                batch.reset(np.zeros(8, bool) | True)
        else:
            Action(value())
    except expected:
        raised += 1
    if number % 50 == 0:
        check(game)
        check(batch[chance.randrange(8)])
    if number % 1000 == 0:
        env = TurnEnv(3)
        env.reset(1)


def race(shared, done):
    while not done.is_set():
        try:
            shared.step(shared.sample())
        except (ValueError, RuntimeError):
            pass


# Threads that share a Batch get RuntimeError or a turn of their own, and never a broken game.
shared, done = Batch(512, seed=3), threading.Event()
racers = [threading.Thread(target=race, args=(shared, done)) for _ in range(3)]
for racer in racers:
    racer.start()
threading.Timer(0.5, done.set).start()
for racer in racers:
    racer.join()
for each in shared:
    check(each)
print(f"{calls} calls, {raised} exceptions; every game could be played on")
