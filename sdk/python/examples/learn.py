# SPDX-License-Identifier: MIT
"""Learns to play by playing against itself, and says as it goes how often it beats greedy.

    python3 learn.py [MINUTES [WEIGHTS.npz [CURVE.csv]]]     minutes of processor time, on all cores together

A position's value is the points that its owner still wins: a sum of weights, a weight for each of a few dozen facts
about the position (a star's filled spaces, a color's tiles for a star, ...), another one in each round. Each decision
takes the action after which score + value is highest; at a game's end each weight moves a little towards what came.
"""

import sys
import time

import numpy as np

from pavilion_lab import OBSERVATION, OBSERVATION_SIZE, Batch, evaluate

GAMES = 512  # played side by side
RATE = 0.02  # how far weights move towards what came, at the beginning
TRUST = 0.8  # in what came at last, against what the next decision expected
EXPLORE = 0.01  # of all decisions, by chance
SEEN = {"phase", "round", "wild", "player", "token", "bonus", "center", "displays", "hand0", "corners0",
        "passed0", "stars0"}
STAR_COLORS = [2, 5, 4, 3, 1, 0]  # colored side, clockwise from the top left


def facts(observations):
    """int32[m, facts]: indexes of the weights that make up each position's value, for its viewer, on the colored side."""
    column = {name: observations[:, columns].astype(np.int32) for name, columns in OBSERVATION.items() if name in SEEN}
    hand = column["hand0"] + column["corners0"]
    stars = column["stars0"].reshape(-1, 7, 6)
    filled = (stars >= 0).astype(np.int32)
    masks = sum(filled[:, :, space] << space for space in range(6))
    counts = sum(filled[:, :, space] for space in range(6))
    wild = np.take_along_axis(hand, column["wild"], 1)[:, 0].clip(max=5)
    drafting = (column["phase"][:, 0] == 0).astype(np.int32)
    table = (column["center"] + sum(column["displays"][:, i : i + 6] for i in range(0, 54, 6))).clip(max=7)
    found, first = [], 0

    def add(index, size):
        nonlocal first
        found.append(first + index)
        first += size

    for star in range(7):
        add(masks[:, star], 64)
    for star, color in enumerate(STAR_COLORS):
        add((hand[:, color].clip(max=7) * 7 + counts[:, star]) * 6 + wild, 336)
        add((hand[:, color].clip(max=7) * 7 + counts[:, star]) * 8 + table[:, color] * drafting, 448)
    for color in range(6):
        taken = (stars[:, 6] == color).any(1)
        add((hand[:, color].clip(max=5) * 7 + counts[:, 6]) * 2 + taken, 84)
    for i in range(6):
        after = (i + 1) % 6
        pillar = filled[:, i, 1] + 2 * filled[:, i, 2] + 4 * filled[:, 6, i] + 8 * filled[:, 6, i - 1]
        statue = filled[:, i, 0] + 2 * filled[:, i, 1] + 4 * filled[:, after, 2] + 8 * filled[:, after, 3]
        add(pillar, 16)
        add(statue, 16)
    for cost in range(4):
        add(sum(filled[:, star, cost] for star in range(7)), 8)
    bonus = column["bonus"][:, 0] * (column["player"][:, 0] == 0)
    add(bonus, 4)
    add(hand.sum(1).clip(max=31) * 2 + drafting, 64)
    add(wild * 3 + 1 + (column["token"][:, 0] == 0) - (column["token"][:, 0] == -1), 18)
    kinds = np.where(column["phase"][:, 0] == 3, 12, 2 * (column["round"][:, 0] - 1) + (column["passed0"][:, 0] | drafting))
    return np.stack(found, 1) + first * kinds[:, None], 13 * first


SIZE = facts(np.zeros((1, OBSERVATION_SIZE), np.int16))[1]


def values(weights, indexes):
    return weights[indexes].sum(1)


def choose(weights, games, actions, observations, count):
    """The row of the best action of each game, -1 where there is none; the facts and the worth of each row."""
    indexes = facts(observations)[0]
    worth = values(weights, indexes) + observations[:, OBSERVATION["score0"].start]
    order = np.lexsort((worth, games))
    last = order[np.flatnonzero(np.diff(games[order], append=-1))]
    best = np.full(count, -1, np.int64)
    best[games[last]] = last
    return best, indexes, worth


def play(weights, batch, random):
    """Plays every game to its end. Returns, for each step, its decisions: facts, score, worth, games and seats."""
    batch.reset()
    record = []
    dones = np.zeros(len(batch), bool)
    while not dones.all():
        games, actions, observations = batch.look_ahead()
        best, indexes, worth = choose(weights, games, actions, observations, len(batch))
        playing = np.flatnonzero(best >= 0)
        lucky = random.random(len(playing)) < EXPLORE
        chosen = np.full(len(batch), -1)
        chosen[playing] = actions[best[playing]]
        chosen[playing[lucky]] = batch.sample()[playing[lucky]]
        kept, rows = playing[~lucky], best[playing[~lucky]]
        scores = observations[rows, OBSERVATION["score0"].start]
        record.append((indexes[rows], scores, worth[rows], kept, batch.player()[kept]))
        _, dones = batch.step(chosen)
    return record


def learn(weights, batch, random, rate):
    """Plays the batch once and moves the weights towards what came after each decision."""
    record = play(weights, batch, random)
    outcome = batch.scores().astype(np.float32)  # of each seat, as it looked from its next decision on
    errors = []
    for indexes, scores, worth, games, seats in reversed(record):
        errors.append(outcome[games, seats] - worth)
        outcome[games, seats] += (1 - TRUST) * (worth - outcome[games, seats])
    indexes, errors = np.concatenate([step[0] for step in reversed(record)]), np.concatenate(errors)
    change = np.zeros(SIZE)
    for rows in np.array_split(random.permutation(len(errors)), len(errors) // 4096 + 1):
        late = values(change, indexes[rows])  # how far the value has moved since the game
        moves = np.bincount(indexes[rows].ravel(), np.repeat(errors[rows] - late, indexes.shape[1]), SIZE)
        times = np.bincount(indexes[rows].ravel(), minlength=SIZE)
        change += rate * moves / (times + 8)
    weights += change.astype(np.float32)
    return float(batch.scores().mean())


def beats_greedy(weights, count=400):
    """The share of games that the weights win against greedy, ties as halves; seats alternate."""
    def bot(batch):
        games, actions, observations = batch.look_ahead()
        best, *_ = choose(weights, games, actions, observations, count)
        return np.where(best >= 0, actions[best], -1)

    return evaluate(bot, "greedy", count)[0]


def main(minutes=8.0, weights_file="learned.npz", curve_file=None):
    random = np.random.default_rng(1)
    weights = np.zeros(SIZE, np.float32)
    batch = Batch(GAMES, seed=1)
    curve = open(curve_file, "w") if curve_file else None
    start, rounds = time.process_time(), 0
    while time.process_time() - start < 60 * minutes:
        mean = learn(weights, batch, random, RATE / (1 + rounds / 32))
        rounds += 1
        if rounds & (rounds - 1) == 0 or rounds % 32 == 0:
            line = f"{(time.process_time() - start) / 60:.2f},{rounds * GAMES},{mean:.1f},{beats_greedy(weights):.3f}"
            print(line, flush=True)
            if curve:
                print(line, file=curve, flush=True)
            np.savez_compressed(weights_file, weights=weights)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 8.0, *sys.argv[2:4])
