# SPDX-License-Identifier: MIT
"""Learns to play by imitating steady, and says as it goes how often it beats greedy and steady.

The policy: an action's logit is a sum of weights, a weight for each of a few dozen facts about the position after the
action (a star's filled spaces, a color's tiles for a star, ...), another one in each round. At each decision steady says
what it would play, and the weights move so that the policy plays this more often (cross entropy, steps by AdaGrad).
Some actions are the policy's own, so that it also learns to go on from its mistakes.
"""

import argparse
import sys
import time

import numpy as np

from pavilion_lab import OBSERVATION, OBSERVATION_SIZE, Batch, evaluate

GAMES = 64  # played side by side
RATE = 0.15  # how far weights move
OWN = 0.1  # of all actions are the policy's, not steady's
POINT = 0.3  # what a point more on the score adds to a logit
SEEN = {"phase", "round", "wild", "player", "token", "bonus", "center", "displays", "hand0", "corners0",
        "passed0", "stars0"}
STAR_COLORS = [2, 5, 4, 3, 1, 0]  # colored side, clockwise from the top left


def facts(observations):
    """int32[m, facts]: indexes of the weights that count in each position, for its viewer, on the colored side."""
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


SIZE = facts(np.zeros((1, OBSERVATION_SIZE), np.int16))[1]


def policy(weights, batch):
    """The rows of look_ahead: games, actions, facts and logits."""
    games, actions, observations = batch.look_ahead()
    indexes = facts(observations)[0]
    logits = weights[indexes].sum(1) + POINT * observations[:, OBSERVATION["score0"].start]
    return games, actions, indexes, logits.astype(np.float32)


def learn(weights, squares, batch, random):
    """Plays one action of each game and moves the weights. Returns (decisions that the policy takes like steady, games ended)."""
    games, actions, indexes, logits = policy(weights, batch)
    taught, best = batch.steady(), batch.choose(logits, games, actions, best=True)[0]
    own = np.where(random.random(len(batch)) < OWN, batch.choose(logits, games, actions)[0], taught)
    chances = np.exp(logits - np.maximum.reduceat(logits, np.searchsorted(games, range(len(batch))))[games])
    chances /= np.bincount(games, chances)[games]
    right = actions == taught[games]
    listed = np.bincount(games, right)[games]  # 0 where steady passes with fewer tiles than it could keep
    change = np.bincount(indexes.ravel(), np.repeat((right - chances) * listed, indexes.shape[1]), SIZE)
    squares += change**2
    weights += RATE * change / np.sqrt(squares)
    _, dones = batch.step(own)
    return (best == taught).sum(), dones.sum()


def share(weights, against):
    """The share of 400 games that the policy wins, with its most likely actions; ties are halves, seats alternate."""
    def bot(batch):
        games, actions, _, logits = policy(weights, batch)
        return batch.choose(logits, games, actions, best=True)[0]

    return evaluate(bot, against)[0]


def main():
    parser = argparse.ArgumentParser(description="Learns to play by imitating steady.")
    parser.add_argument("minutes", type=float, nargs="?", default=1.0, help="of processor time, on all cores together (1)")
    parser.add_argument("weights", nargs="?", default="learned.npz", help="the file of weights to write (learned.npz)")
    parser.add_argument("curve", nargs="?", help="a file to write for curve.py: what is printed")
    given = parser.parse_args()
    random = np.random.default_rng(1)
    weights, squares = np.zeros(SIZE), np.full(SIZE, 1e-3)
    batch = Batch(GAMES, seed=1, auto_reset=True)
    curve = open(given.curve, "w") if given.curve else None
    seconds, due, ended, alike, decisions = 0.0, 60 / 16, 0, 0, 0
    print("minutes, games, decisions like steady, won against greedy, against steady", file=sys.stderr, flush=True)
    while seconds < 60 * given.minutes:
        start = time.process_time()
        for _ in range(8):
            like, dones = learn(weights, squares, batch, random)
            alike, ended, decisions = alike + like, ended + dones, decisions + GAMES
        seconds += time.process_time() - start  # of learning, without the games that measure
        if seconds >= min(due, 60 * given.minutes):
            line = (f"{seconds / 60:.2f},{ended},{alike / decisions:.3f},{share(weights, 'greedy'):.3f},"
                    f"{share(weights, 'steady'):.3f}")
            print(line, flush=True)
            if curve:
                print(line, file=curve, flush=True)
            np.savez_compressed(given.weights, weights=weights.astype(np.float32))
            due, alike, decisions = min(2 * due, due + 15), 0, 0


if __name__ == "__main__":
    main()
