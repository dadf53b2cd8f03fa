# SPDX-License-Identifier: MIT
"""How the cost of arena's commands grows with the games and the bots of a season.

usage: growth.py BUILD [--games N,N,...] [--bots N,N,...] [--room DIR] [--json FILE] [--svg FILE]
       growth.py --read FILE [--svg FILE]

Fills stores by `bench crowd`: of 100 bots with each number of games, and of each number of bots with 10,000 games. Runs
each command on each store three times, of which the least counts; one that takes long, less often. Prints a line of JSON for
each: processor time of the command (the server's is not in it), time that passed, and the most memory that it held.
Then a table, by games and by bots, with slopes: 1 is ten times the cost for ten times as many.
--room keeps the filled stores there, and uses those that it finds. --read draws and prints what --json wrote, and measures
nothing. Under tests/postgres/with_server it also copies each store to the server and back, and asks the copy.
"""

import argparse
import itertools
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

BOTS, GAMES = 100, 10000  # while the other grows
ENOUGH_S = 5  # of processor time, or three runs: the least counts
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b08000", "#56b4e9", "#777")


def run(words, output=subprocess.DEVNULL):
    """Runs a command. Returns processor and real seconds, and the kilobytes that it held at most."""
    begun = time.monotonic()
    process = subprocess.Popen(words, stdout=output)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"growth: exit status {process.returncode}: {' '.join(words)}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begun, usage.ru_maxrss


class Store:
    """A filled store in a folder of its own, and what is measured with it."""

    def __init__(self, build, folder, bots, games, rows, json_path):
        self.arena, self.bench = f"{build}/bin/arena", f"{build}/bin/bench"
        self.folder, self.bots, self.games, self.rows, self.json_path = folder, bots, games, rows, json_path
        self.home, self.site = f"{folder}/home", f"{folder}/site"
        self.url = os.environ.get("POSTGRES_TEST_URL")

    def take(self, name, *words, store="sqlite", before=None, once=False):
        least, spent = None, 0
        while spent < ENOUGH_S:
            if before:
                before()
            cost = run(words)
            least = [min(pair) for pair in zip(least, cost)] if least else cost
            spent += ENOUGH_S if once else max(cost[0], ENOUGH_S / 3)
        row = dict(name=name, store=store, bots=self.bots, games=self.games, cpu_s=round(least[0], 4),
                   wall_s=round(least[1], 4), peak_kb=least[2])
        self.rows.append(row)
        line = json.dumps(row)
        print(line, flush=True)
        if self.json_path:
            with open(self.json_path, "a", encoding="utf-8") as file:
                print(line, file=file)

    def write_csv(self, path):
        """Pairs of games between near bots, as `arena export` writes them."""
        chance = random.Random(1)
        with open(path, "w", encoding="utf-8") as file:
            file.write("game,group,player,seat,rank\n")
            for game in range(self.games):
                if game % 2 == 0:
                    first = chance.randrange(self.bots)
                    bots = first, (first + chance.randint(1, min(12, self.bots - 1))) % self.bots
                    odds = 1 / (1 + 10 ** ((bots[0] - bots[1]) / self.bots))
                loser = chance.random() < odds
                for seat in 0, 1:
                    player = seat ^ game % 2
                    file.write(f"{game},{game // 2},crowd-{bots[player]:03},{seat},{1 + (player == loser)}\n")

    def add_one(self):
        run([self.bench, "crowd", "--games", "2", self.home])

    def forget(self, name):
        path = f"{self.folder}/{name}"
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.unlink(path)

    def ask(self, store, where):
        def arena(*words):
            return (self.arena, *words, "--store", where)

        self.take("ladder", *arena("ladder", "crowd"), store=store)
        self.take("games", *arena("games", "crowd"), store=store)
        self.take("games --bot", *arena("games", "crowd", "--bot", "crowd-005"), store=store)
        self.take("explain", *arena("explain", "crowd-000003-0"), store=store)
        self.take("season show", *arena("season", "show", "crowd"), store=store)

    def measure(self):
        where = f"sqlite:{self.home}"
        if not os.path.exists(self.home):
            self.take("fill", self.bench, "crowd", "--bots", str(self.bots), "--games", str(self.games), self.home, once=True)
        self.take("next batch", self.bench, "season", self.home)
        self.ask("sqlite", where)
        if self.games <= GAMES:  # a file for each game
            self.take("export", self.arena, "export", "crowd", f"{self.folder}/export", "--store", where, once=True)
            self.forget("export")
        self.write_csv(f"{self.folder}/games.csv")
        self.take("rate", self.arena, "rate", f"{self.folder}/games.csv")
        self.forget("games.csv")
        self.take("publish", self.arena, "publish", self.site, "--store", where, before=lambda: self.forget("site"))
        self.take("publish one more", self.arena, "publish", self.site, "--store", where, before=self.add_one)
        self.take("store backup", self.arena, "store", "backup", f"{self.folder}/backup.db", "--store", where,
                  before=lambda: self.forget("backup.db"))
        self.forget("backup.db")
        self.take("store check", self.arena, "store", "check", "--store", where)
        self.take("store check --replays", self.arena, "store", "check", "--replays", "--store", where)
        if self.url:
            self.measure_server(where)

    def psql(self, statement):
        subprocess.run([f"{os.environ['POSTGRES_TEST_BIN']}/psql", "-q", "-d", self.url, "-c", statement], check=True,
                       stderr=subprocess.DEVNULL)

    def measure_server(self, where):
        there = self.url.rpartition("/")[0] + "/growth"
        self.psql("DROP DATABASE IF EXISTS growth")
        self.psql("CREATE DATABASE growth")
        self.take("store copy to PostgreSQL", self.arena, "store", "copy", where, there, store="postgresql", once=True)
        self.take("store copy to SQLite", self.arena, "store", "copy", there, f"{self.folder}/back", store="postgresql", once=True)
        self.forget("back")
        self.ask("postgresql", there)
        self.psql("DROP DATABASE growth")


# ---- what it comes to ----


def lines_of(rows, axis, what):
    """By store and name: the values along an axis, in its order."""
    lines = {}
    for row in rows:
        if row["games" if axis == "bots" else "bots"] == (GAMES if axis == "bots" else BOTS):
            lines.setdefault((row["store"], row["name"]), {})[row[axis]] = row[what]
    return {key: sorted(line.items()) for key, line in lines.items()}


def slope(line):
    """Of the last two points: the exponent with which the cost grows."""
    (x0, y0), (x1, y1) = line[-2:]
    return math.log(max(y1, 1e-4) / max(y0, 1e-4)) / math.log(x1 / x0)


def short(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def print_table(rows):
    for axis in ("games", "bots"):
        times, memory = lines_of(rows, axis, "cpu_s"), lines_of(rows, axis, "peak_kb")
        places = sorted({x for line in times.values() for x, _ in line})
        print(f"\n| {axis} | " + " | ".join(f"{x:,}" for x in places) + " | slope | MiB |")
        print("| --- |" + " --- |" * (len(places) + 2))
        for (store, name), line in times.items():
            if len(line) > 1:
                cells = [short(dict(line)[x]) if x in dict(line) else "" for x in places]
                shown = name if store == "sqlite" or "copy" in name else f"{name}, PostgreSQL"
                print(f"| {shown} | {' | '.join(cells)} | {slope(line):.2f} | {memory[store, name][-1][1] / 1024:,.0f} |")


def draw_panel(lines, top, height, title, unit):
    left, right, base = 72, 440, top + height - 30
    xs = [x for line in lines.values() for x, _ in line]
    ys = [max(y, 1e-2) for line in lines.values() for _, y in line]
    x_least, x_most = (round(math.log10(x)) for x in (min(xs), max(xs)))
    y_least, y_most = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))

    def x_of(x):
        return left + (right - left) * (math.log10(x) - x_least) / (x_most - x_least)

    def y_of(y):
        return base - (base - top - 40) * (math.log10(max(y, 10 ** y_least)) - y_least) / (y_most - y_least)

    parts = [f"<text x='{left}' y='{top + 20}' font-size='14'>{title}</text>"]
    for power in range(y_least, y_most + 1):
        y = y_of(10 ** power)
        parts.append(f"<line x1='{left}' y1='{y:.1f}' x2='{right}' y2='{y:.1f}' stroke='#888' stroke-opacity='0.25'/>")
        parts.append(f"<text x='{left - 6}' y='{y + 4:.1f}' text-anchor='end'>{10 ** power:g} {unit}</text>")
    for power in range(x_least, x_most + 1):
        parts.append(f"<text x='{x_of(10 ** power):.1f}' y='{base + 18}' text-anchor='middle'>{10 ** power:,}</text>")
    labels = []
    for (name, line), color in zip(lines.items(), itertools.cycle(COLORS)):
        points = [(x_of(x), y_of(y)) for x, y in line]
        parts.append(f"<polyline fill='none' stroke='{color}' stroke-width='2' points='"
                     + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + "'/>")
        labels.append([points[-1][1], color, f"{name} {slope(line):.2f}", points[-1]])
    labels.sort()
    for below, label in zip(labels, labels[1:]):
        label[0] = max(label[0], below[0] + 13)
    over = max(0, labels[-1][0] - base - 14)
    for y, color, text, end in labels:
        parts.append(f"<line x1='{end[0]:.1f}' y1='{end[1]:.1f}' x2='{right + 10}' y2='{y - over:.1f}' stroke='{color}' stroke-opacity='0.5'/>")
        parts.append(f"<text x='{right + 13}' y='{y - over + 4:.1f}' fill='{color}'>{text}</text>")
    return parts


def draw(rows, path):
    panels = (("games", "cpu_s", f"Processor time by games, {BOTS} bots; slope of the last decade", "s"),
              ("games", "peak_kb", f"Memory by games, {BOTS} bots", "MiB"),
              ("bots", "cpu_s", f"Processor time by bots, {GAMES:,} games", "s"))
    height, parts = 340, []
    for at, (axis, what, title, unit) in enumerate(panels):
        lines = {name: [(x, y / 1024 if unit == "MiB" else y) for x, y in line]
                 for (store, name), line in lines_of(rows, axis, what).items()
                 if len(line) > 1 and (store == "sqlite" or "copy" in name)}
        parts += draw_panel(lines, at * height, height, title, unit)
    size = f"viewBox='0 0 640 {height * len(panels)}' width='640' height='{height * len(panels)}'"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"<svg xmlns='http://www.w3.org/2000/svg' {size} font-family='sans-serif' font-size='12' fill='#777'>\n"
                   + "\n".join(parts) + "\n</svg>\n")


def read_numbers(text):
    return [int(float(word)) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("build", nargs="?")
    parser.add_argument("--games", type=read_numbers, default=[10 ** power for power in (3, 4, 5, 6)])
    parser.add_argument("--bots", type=read_numbers, default=[10, 100, 1000])
    parser.add_argument("--room")
    parser.add_argument("--json")
    parser.add_argument("--svg")
    parser.add_argument("--read")
    options = parser.parse_args()
    rows = []
    if options.read:
        with open(options.read, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
    elif options.build:
        for bots, games in dict.fromkeys([(BOTS, games) for games in options.games] + [(bots, GAMES) for bots in options.bots]):
            with tempfile.TemporaryDirectory(prefix="growth-", dir="/var/tmp") as folder:
                if options.room:
                    folder = f"{options.room}/{bots}-{games}"
                    os.makedirs(folder, exist_ok=True)
                Store(options.build, folder, bots, games, rows, options.json).measure()
    else:
        parser.error("name a build, or --read FILE")
    print_table(rows)
    if options.svg:
        draw(rows, options.svg)


main()
