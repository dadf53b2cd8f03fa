# SPDX-License-Identifier: MIT
"""`bench env`: games in Python, one by one, in batches, by ctypes and by confined processes, in one run.

Figures are games per second of processor time, of all threads and child processes together, so that a busy machine
changes little: a batch on two idle cores plays twice as many in a second by the clock.

usage: env.py BUILD [SECONDS a figure], with PYTHONPATH at the package
"""

import ctypes
import json
import random
import resource
import subprocess
import sys
import time

import numpy as np

from pavilion_lab import OBSERVATION, Batch, Game

build, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 2.0


def figure(name, value, unit, baseline=None):
    print(json.dumps({"name": f"env.{name}", "value": round(value, 1), "unit": unit, "baseline": baseline and round(baseline, 1),
                      "ratio": baseline and round(value / baseline, 3)}), flush=True)
    return value


def used():
    """Processor time of this process and of its children that have ended."""
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def rate(play):
    """Games per second of processor time; play returns how many games it played."""
    games, start = 0, used()
    while used() - start < seconds:
        games += play()
    return games / (used() - start)


def single():
    game = Game(seed=random.getrandbits(64))
    while not game.over:
        game.apply(random.choice(game.legal()))
    return 1


def single_observed():
    """What a learner does at each decision: an observation, a mask, an action among those allowed."""
    game = Game(seed=random.getrandbits(64))
    while not game.over:
        game.observe()
        game.apply(int(random.choice(np.flatnonzero(game.mask()))))
    return 1


def single_ply():
    """One ply: an observation after each action; the action after which the seat has the most points."""
    game = Game(seed=random.getrandbits(64))
    while not game.over:
        seat, best, best_score = game.player, None, -1
        for action in game.legal():
            after = game.copy()
            after.apply(action)
            after.observe(seat)
            if after.scores()[seat] > best_score:
                best, best_score = action, after.scores()[seat]
        game.apply(best)
    return 1


def ctypes_player():
    """The same choice by chance, with sizes guessed from the headers: a game of 384 bytes, an action of 8."""
    engine = ctypes.CDLL(f"{build}/sdk/libpavilion-sdk.so")
    game, actions, seed = ctypes.create_string_buffer(384), (ctypes.c_uint64 * 1024)(), ctypes.create_string_buffer(16)

    def play():
        engine.game_init(game, 2, 0, seed)
        seed[0] = random.getrandbits(8)
        while count := engine.game_legal_actions(game, actions):
            engine.game_apply(game, ctypes.c_uint64(actions[random.randrange(count)]))
        return 1
    return play


def batched(count, observed):
    batch, actions = Batch(count, seed=1), np.empty(count, np.int32)
    observations = batch.observe()
    masks = batch.masks()

    def play():
        dones = np.zeros(count, bool)
        batch.reset()
        while not dones.all():
            if observed:
                batch.observe(out=observations)
                batch.masks(out=masks)
            _, dones = batch.step(batch.sample(actions))
        return count
    return play


def batched_ply(count):
    """The same by numpy; of the passes only those that keep the most tiles, which are never worse."""
    batch, score = Batch(count, seed=1), OBSERVATION["score0"].start

    def play():
        dones = np.zeros(count, bool)
        batch.reset()
        while not dones.all():
            games, actions, after = batch.look_ahead()
            order = np.lexsort((after[:, score], games))
            last = order[np.flatnonzero(np.diff(games[order], append=-1))]
            chosen = np.full(count, -1, np.int32)
            chosen[games[last]] = actions[last]
            _, dones = batch.step(chosen)
        return count
    return play


def batched_policy(count, policy):
    batch, actions = Batch(count, seed=1), np.empty(count, np.int32)

    def play():
        dones = np.zeros(count, bool)
        batch.reset()
        while not dones.all():
            _, dones = batch.step(getattr(batch, policy)(actions))
        return count
    return play


def masked(count):
    """A policy by numpy over the mask of all actions: one layer of logits, softmax, a draw by its sum."""
    batch, random_, masks = Batch(count, seed=1), np.random.default_rng(1), np.empty((count, 1992), bool)
    logits = random_.normal(size=(count, 1992)).astype("float32")

    def play():
        dones = np.zeros(count, bool)
        batch.reset()
        while not dones.all():
            chances = np.where(batch.masks(masks), logits, -np.inf)
            over = batch.player() == -1
            chances[over, 0] = 0
            chances = np.exp(chances - chances.max(1, keepdims=True))
            sums = chances.cumsum(1)
            chosen = (sums > random_.random((count, 1)) * sums[:, -1:]).argmax(1)
            chosen[over] = -1
            _, dones = batch.step(chosen)
        return count
    return play


def chosen(count, is_sparse):
    """The same policy by choose(): from the same wide logits, or from those of legal actions alone."""
    batch, random_ = Batch(count, seed=1), np.random.default_rng(1)
    logits = random_.normal(size=(count, 1992)).astype("float32")
    row = logits[0]

    def play():
        dones = np.zeros(count, bool)
        batch.reset()
        while not dones.all():
            if is_sparse:
                games, actions = batch.legal()
                picked, _ = batch.choose(row[actions], games, actions)
            else:
                picked, _ = batch.choose(logits)
            _, dones = batch.step(picked)
        return count
    return play


def played_out(count):
    batch = Batch(count, seed=1)

    def play():
        batch.reset()
        batch.play_out()
        return count
    return play


def engine(count=200000):
    """The limit: playouts in C, without Python."""
    subprocess.run([f"{build}/bin/bench", "playouts", "--direct", "--games", str(count)],
                   stdout=subprocess.DEVNULL, check=True)
    return count


def memory():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    batch = Batch(1 << 18, seed=1)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / len(batch)


def processes(count=40):
    start = used()
    subprocess.run([f"{build}/bin/arena", "match", "--games", str(count // 2), "--rotate", "random", "random"],
                   stdout=subprocess.DEVNULL, check=True)
    return count / (used() - start)


by_memory = memory()
random_single = figure("single.random", rate(single), "games/s")
figure("ctypes.random", rate(ctypes_player()), "games/s", random_single)
figure("processes.random", processes(), "games/s", random_single)
for count in (1, 64, 4096):
    figure(f"batch.{count}.random", rate(batched(count, False)), "games/s", random_single)
observed_single = figure("single.observed", rate(single_observed), "games/s")
for count in (1, 64, 4096):
    figure(f"batch.{count}.observed", rate(batched(count, True)), "games/s", observed_single)
by_mask = figure("batch.64.policy.mask", rate(masked(64)), "games/s", random_single)
figure("batch.64.policy.wide", rate(chosen(64, False)), "games/s", by_mask)
figure("batch.64.policy.sparse", rate(chosen(64, True)), "games/s", by_mask)
figure("batch.512.policy.sparse", rate(chosen(512, True)), "games/s", by_mask)
ply_single = figure("single.ply", rate(single_ply), "games/s")
for count in (64, 4096):
    figure(f"batch.{count}.ply", rate(batched_ply(count)), "games/s", ply_single)
figure("batch.4096.greedy", rate(batched_policy(4096, "greedy")), "games/s", ply_single)
figure("batch.4096.playouts", rate(played_out(4096)), "games/s", random_single)
figure("engine.playouts", rate(engine), "games/s", random_single)
figure("batch.memory", by_memory, "bytes a game")
