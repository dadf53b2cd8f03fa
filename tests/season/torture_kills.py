"""Kills `arena season run` with SIGKILL at random instants, resumes it each time, and compares
what it ends with, times aside, with a season that nobody disturbed: the ladders, the games and the
replays' results. SQLite's integrity check and the reference check follow every kill.

usage: torture_kills.py BUILD KILLS [SEED]"""

import csv
import io
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

BUILD, KILLS = sys.argv[1], int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
ARENA = os.path.join(BUILD, "bin/arena")
BOTS = ["greedy", "random", "greedy-python"]
BUDGET = 48
TIMES = {"us", "ms_mean", "ms_p99", "ms_max"}


def arena(home, *arguments):
    return subprocess.run([ARENA, *arguments, "--home", home], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def without_times(text):
    rows = list(csv.reader(io.StringIO(text)))
    kept = [i for i, name in enumerate(rows[0]) if name not in TIMES]
    return [[row[i] for i in kept] for row in rows]


def outcome(home):
    folder = os.path.join(home, "export")
    arena(home, "export", "torture", folder)
    with open(os.path.join(folder, "games.csv")) as file:
        games = without_times(file.read())
    with open(os.path.join(folder, "history.csv")) as file:
        history = file.read()
    replays = {}
    for name in sorted(os.listdir(os.path.join(folder, "replays"))):
        path = os.path.join(folder, "replays", name)
        lines = subprocess.run([ARENA, "replay", path, "--json"], check=True, text=True,
                               stdout=subprocess.PIPE).stdout.splitlines()
        replays[name] = lines[-1]
    shutil.rmtree(folder)
    return {"live": without_times(arena(home, "ladder", "torture", "--csv")),
            "final": without_times(arena(home, "ladder", "torture", "--final", "--csv")),
            "games": games, "history": history, "replays": replays}


def prepare(parent, name):
    home = os.path.join(parent, name)
    for bot in BOTS:
        arena(home, "submit", os.path.join(BUILD, "bots", bot))
    arena(home, "season", "new", "torture", "--seed", "5" * 32, "--budget", str(BUDGET))
    return home


def check(home):
    database = sqlite3.connect(os.path.join(home, "arena.db"))
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    played = database.execute("SELECT count(*) FROM game").fetchone()[0]
    whole = database.execute("SELECT count(*) FROM (SELECT 1 FROM seat GROUP BY season, game_group,"
                             " rotation HAVING count(*) = 2)").fetchone()[0]
    assert played == whole == database.execute("SELECT count(*) FROM replay").fetchone()[0]
    database.close()
    return played


def run(home, jobs):
    return subprocess.Popen([ARENA, "season", "run", "torture", "--home", home, "--jobs",
                             str(jobs)], stdout=subprocess.DEVNULL)


def main():
    parent = tempfile.mkdtemp(prefix="torture-")
    chance = random.Random(SEED)
    reference_home = prepare(parent, "reference")
    began = time.monotonic()
    assert run(reference_home, 1).wait() == 0
    whole_s = time.monotonic() - began
    reference = outcome(reference_home)
    kills = seasons = cut_short = 0
    # However slow the machine, some run is cut short: killed after games of its own, others due.
    while kills < KILLS or cut_short == 0:
        home = prepare(parent, f"season-{seasons}")
        jobs = (1, 4)[seasons % 2]
        while True:
            before = check(home)
            process = run(home, jobs)
            # From the first instant to about a third of a run, so that one season takes several.
            try:
                process.wait(chance.uniform(0, whole_s / 3))
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
            status = process.wait()
            if status == 0 and check(home) == BUDGET:
                break
            assert status == -signal.SIGKILL, status
            kills += 1
            assert cut_short or kills < 10 * KILLS, "no kill cut a run short"
            after = check(home)
            assert after >= before, "games were lost"
            cut_short += before < after < BUDGET
            if kills >= KILLS and cut_short:
                assert run(home, jobs).wait() == 0
                break
        result = outcome(home)
        for what, expected in reference.items():
            assert result[what] == expected, f"{what} of {home} differs after {kills} kills"
        seasons += 1
        shutil.rmtree(home)
    print(f"{kills} kills in {seasons} seasons of {BUDGET} games, {cut_short} of them with games "
          "of the run played and others due: every ladder, game and replay as without")
    shutil.rmtree(parent)


main()
