"""Measures the game's own luck: how much of the difference between two equal bots is the seed's.

Plays groups of two (one seed, both seatings) between two copies of one bot that mixes chance of
its own into greedy play, so that the copies are equal and two games of a seed are not the same
game. The share of luck is the correlation, over groups, of what seat 0 was ahead of seat 1 in the
two games: what both seatings of a seed have in common. Told for points and for results.

usage: luck.py BUILD GROUPS CHANCE     CHANCE: how often the bot plays at random, 0 to 1
       luck.py BUILD GROUPS BOT BOT    two bots that are as good as each other"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

BUILD, GROUPS = sys.argv[1], int(sys.argv[2])
BEFORE = "    index = max("
AFTER = """    if os.urandom(1)[0] < {}:
        index = os.urandom(1)[0] % len(actions)"""


def make_bot(folder, chance):
    shutil.copytree(os.path.join(BUILD, "bots/greedy-python"), folder)
    path = os.path.join(folder, "greedy.py")
    lines = open(path).read().split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith(BEFORE))
    lines.insert(at + 1, AFTER.format(round(256 * chance)))
    open(path, "w").write("\n".join(lines))
    return folder


def correlation(pairs):
    """Both orders of each pair, since neither game of a group comes first."""
    mean = sum(a + b for a, b in pairs) / (2 * len(pairs))
    variance = sum((a - mean) ** 2 + (b - mean) ** 2 for a, b in pairs) / (2 * len(pairs))
    shared = sum((a - mean) * (b - mean) for a, b in pairs) / len(pairs)
    return shared / variance if variance else 0.0


def interval(pairs, chance=random.Random(1)):
    drawn = sorted(correlation(chance.choices(pairs, k=len(pairs))) for _ in range(1000))
    return drawn[25], drawn[974]


def main():
    with tempfile.TemporaryDirectory() as parent:
        bots = sys.argv[3:]
        if len(bots) == 1:
            bots = 2 * [make_bot(os.path.join(parent, "bot"), float(bots[0]))]
        lines = subprocess.run([os.path.join(BUILD, "bin/arena"), "match", "--games", str(GROUPS),
                                "--rotate", "--jobs", "2", "--json", *bots], check=True,
                               text=True, stdout=subprocess.PIPE).stdout.splitlines()
    games = [json.loads(line) for line in lines]
    assert all(reason == "played" for game in games for reason in game["reason"])
    points = [game["scores"][0] - game["scores"][1] for game in games]
    results = [(p > 0) - (p < 0) for p in points]
    for what, numbers in (("points", points), ("results", results)):
        pairs = list(zip(numbers[::2], numbers[1::2]))
        low, high = interval(pairs)
        print(f"{what}: luck share {correlation(pairs):.3f} ({low:.3f} to {high:.3f}), "
              f"seat 0 ahead by {sum(numbers) / len(numbers):.3f}, "
              f"the first bot by {sum(a - b for a, b in pairs) / len(numbers):.3f}")


main()
