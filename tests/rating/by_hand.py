# SPDX-License-Identifier: MIT
"""Computes a season's lists from what `arena export` writes, following docs/ratings.md ("By hand")
and nothing else, and compares them with what `arena ladder --all --json` says.

usage: by_hand.py EXPORT-FOLDER LADDER.json"""

import csv
import json
import math
import sys

SCALE = 400 / math.log(10)  # theta to Elo
TAU = 350 / SCALE
FAR_ELO = 1e-4


def read(path):
    """Groups in order: each the list of its games, each a list of (player, rank)."""
    groups, previous = {}, {}
    with open(path) as file:
        for row in csv.DictReader(file):
            game = groups.setdefault(int(row["group"]), {}).setdefault(row["game"], [])
            game.append((row["player"], int(row["rank"])))
            previous[row["player"]] = row["previous"]
    return [list(groups[number].values()) for number in sorted(groups)], previous


def pairs(game):
    """(i, j, kappa, s) for each pair of a game."""
    kappa = 3 / (len(game) + 1)
    for at, (i, rank) in enumerate(game):
        for j, other in game[at + 1:]:
            yield i, j, kappa, 1 if rank < other else 0.5 if rank == other else 0


def inverse(matrix):
    n = len(matrix)
    rows = [list(row) + [float(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in range(n):
            if k != i and rows[k][i]:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i])]
    return [row[n:] for row in rows]


def product(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def final(groups, players):
    """Elo, H^-1 and V, by place in players."""
    n, at = len(players), {player: i for i, player in enumerate(players)}
    theta = [0.0] * n
    while True:
        g = [-t / TAU**2 for t in theta]
        h = [[(i == j) / TAU**2 for j in range(n)] for i in range(n)]
        scatter = [[0.0] * n for _ in range(n)]
        for group in groups:
            u = {}
            for game in group:
                for one, other, kappa, s in pairs(game):
                    i, j = at[one], at[other]
                    p = 1 / (1 + math.exp(theta[j] - theta[i]))
                    u[i] = u.get(i, 0) + kappa * (s - p)
                    u[j] = u.get(j, 0) - kappa * (s - p)
                    for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                        h[a][b] += sign * kappa * p * (1 - p)
            for i in u:
                g[i] += u[i]
                for j in u:
                    scatter[i][j] += u[i] * u[j]
        model = inverse(h)
        step = [sum(row[i] * g[i] for i in range(n)) for row in model]
        longest = max(abs(value) for value in step)
        theta = [t + value / max(1, longest) for t, value in zip(theta, step)]
        if longest < 1e-10:
            break
    size = len(groups) / (len(groups) - 1) if len(groups) > 1 else 0
    clustered = product(product(model, [[size * value for value in row] for row in scatter]), model)
    return [1500 + SCALE * t for t in theta], model, clustered


def own_variances(v):
    n = len(v)
    m = [[(i == j) - 1 / n for j in range(n)] for i in range(n)]
    centered = product(product(m, v), m)
    return [centered[i][i] for i in range(n)]


def live(groups, previous):
    ratings, played, change = {}, {}, {}

    def enter(player):
        at = previous[player]
        while at and at not in ratings:
            at = previous.get(at)
        ratings[player], played[player] = ratings[at] if at else 1500 * 10**6, 0

    for group in groups:
        sums, n = {}, {}
        for game in group:
            for player, _ in game:
                if player not in ratings:
                    enter(player)
                n[player] = n.get(player, 0) + 3 * (len(game) - 1) / (len(game) + 1)
            for i, j, kappa, s in pairs(game):
                i, j, s = (i, j, s) if i < j else (j, i, 1 - s)
                _, points, games = sums.get((i, j), (0, 0, 0))
                sums[i, j] = kappa, points + s, games + 1
        k = {player: 695 / (played[player] + 17.375) for player in n}
        before = {player: ratings[player] for player in n}
        for (i, j), (kappa, points, games) in sums.items():
            p = 1 / (1 + 10 ** ((before[j] - before[i]) / 10**6 / 400))
            moved = round(10**6 * kappa * (k[i] + k[j]) / 2 * (points - games * p))
            ratings[i], ratings[j] = ratings[i] + moved, ratings[j] - moved
        for player in n:
            played[player] += n[player]
            change[player] = (ratings[player] - before[player]) / 10**6
    return {player: rating / 10**6 for player, rating in ratings.items()}, change


def far(one, other, most=FAR_ELO):
    return (one is None) != (other is None) or one is not None and abs(one - other) > most


def main():
    groups, previous = read(sys.argv[1] + "/games.csv")
    with open(sys.argv[2]) as file:
        rows = json.load(file)["rows"]
    rows = [row for row in rows if "unplayed" not in row["flags"]]
    several = {name for name in (row["bot"] for row in rows)
               if sum(row["bot"] == name for row in rows) > 1}
    named = {row["bot"] + ("@" + row["version"] if row["bot"] in several else ""): row
             for row in rows}
    players = sorted(previous)
    assert players == sorted(named), (players, sorted(named))

    elo, model, clustered = final(groups, players)
    own = [max(a, b) for a, b in zip(own_variances(model), own_variances(clustered))]
    now, change = live(groups, previous)
    ranked = sorted((i for i, name in enumerate(players) if named[name]["rank_best"] is not None),
                    key=lambda i: -elo[i])

    def los(i, j):
        se = SCALE * math.sqrt(max(v[i][i] + v[j][j] - 2 * v[i][j] for v in (model, clustered)))
        return 0.5 * (1 + math.erf((elo[i] - elo[j]) / se / math.sqrt(2)))

    for i, name in enumerate(players):
        row, found = named[name], {}
        found["elo"], found["error95"] = elo[i], 1.959964 * SCALE * math.sqrt(own[i])
        found["live"], found["change"] = now[name], change[name]
        for key, value in found.items():
            assert not far(row[key], value), (name, key, row[key], value)
        if i not in ranked:
            continue
        place = ranked.index(i)
        following = los(i, ranked[place + 1]) if place + 1 < len(ranked) else None
        assert not far(row["los_next"], following, 1e-6), (name, row["los_next"], following)
        best = 1 + sum(los(j, i) > 0.975 for j in ranked if j != i)
        worst = len(ranked) - sum(los(i, j) > 0.975 for j in ranked if j != i)
        assert (row["rank_best"], row["rank_worst"]) == (best, worst), (name, best, worst)
    print(f"{len(players)} versions, {len(groups)} groups: as by hand")


main()
