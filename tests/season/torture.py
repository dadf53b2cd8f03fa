# SPDX-License-Identifier: MIT
"""Seasons that go through everything at once: two at a time are played, by two `season run` or by
the daemon, and killed at random instants, while at others they are closed, reopened and extended,
bots come, go and are banned, and the commands that do so are killed too. What a store ends with is
compared with a store in which the same happened undisturbed, which season_again plays: the
events, the schedule, every game and replay, the ladders and exports, times aside.

One run in the ordinary suite.

usage: torture.py BUILD RUNS [SEED]"""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
import home as homes
from home import ARENA, BUILD, Home, exported, table, timeless

RUNS = int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
AGAIN = os.path.join(BUILD, "bin/season_again")
SEASONS = {"north": ["--players", "2,3,4", "--board", "both"], "south": ["--players", "2"]}
STAYING, COMING = ["ant", "bee"], ["cat", "dog", "eel"]
KILLS, ACTS = 3, 10  # at least, in a run


# ---- what a store holds, times aside ----

def describe(folder):
    home = Home(folder)

    def lines(*arguments):
        return timeless(home.lines(*arguments))

    told = {"bots": lines("bots")}
    for season in SEASONS:
        told[season] = {
            "events": lines("season", "events", season),
            "openings": lines("season", "show", season),
            "games": lines("games", season),
            "final": table(home.arena("ladder", season, "--csv")),
            "live": table(home.arena("ladder", season, "--live", "--csv")),
            "all": lines("ladder", season, "--all"),
            "export": exported(home, season),
        }
    return told


def compare(first, second, where):
    if isinstance(first, dict) and isinstance(second, dict):
        for key in sorted(first.keys() | second.keys()):
            compare(first.get(key), second.get(key), f"{where}.{key}")
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for i, (one, other) in enumerate(zip(first, second)):
            compare(one, other, f"{where}[{i}]")
    else:
        assert first == second, f"{where}: {str(first)[:300]} became {str(second)[:300]}"


# ---- one store ----

class Torn:
    def __init__(self, home, chance):
        self.home, self.chance = home, chance
        self.runners, self.versions = {}, {name: 1 for name in COMING}
        self.kills = self.cut_short = self.acts = 0
        self.daemon = chance.random() < 0.4
        self.done = set()

    def query(self, text):
        database = sqlite3.connect(f"file:{self.home}/arena.db?mode=ro", uri=True, timeout=60)
        rows = database.execute(text).fetchall()
        database.close()
        return rows

    def played(self):
        return self.query("SELECT count(*) FROM game")[0][0]

    def start(self):
        """Whatever does not run is begun again, as by an organizer or systemd."""
        if self.daemon:
            wanted = {"daemon": ["serve", "--jobs", "3"]}
        else:
            wanted = {name: ["season", "run", name, "--jobs", str(self.chance.choice([1, 3]))]
                      for name in SEASONS}
        for name, arguments in wanted.items():
            process, _ = self.runners.get(name, (None, 0))
            if process and process.poll() is None:
                continue
            assert not process or process.returncode in (0, 2, -9), (name, process.returncode)
            process = subprocess.Popen([ARENA, *arguments, "--home", self.home],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.runners[name] = process, self.played()

    def due(self):
        return self.query("SELECT sum(players) FROM game_group")[0][0] or 0

    def kill(self):
        """Now, or, so that a busy machine gets somewhere, once a game of the run is stored."""
        name = self.chance.choice(sorted(self.runners))
        process, before = self.runners[name]
        if self.chance.random() < 0.5:
            until = time.monotonic() + 10
            while process.poll() is None and self.played() == before < self.due() and time.monotonic() < until:
                time.sleep(0.01)
        if process.poll() is not None:
            return
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        self.kills += 1
        self.cut_short += before < self.played() < self.due()

    def stop(self):
        for process, _ in self.runners.values():
            process.kill()
            process.wait()
        self.runners = {}

    def check(self):
        assert self.query("PRAGMA integrity_check") == [("ok",)]
        assert self.query("PRAGMA foreign_key_check") == []
        assert "sound" in Home(self.home).arena("store", "check"), "store check"

    # ---- what organizers do ----

    def seed(self):
        return "%032x" % self.chance.getrandbits(128)

    def make_version(self, name):
        folder = f"{self.home}/{name}"
        self.versions[name] += 1
        shutil.rmtree(folder, ignore_errors=True)
        make_bot(folder, name, self.versions[name])
        return ["submit", folder]

    def choose(self):
        season, name = self.chance.choice(list(SEASONS)), self.chance.choice(COMING)
        whom = self.chance.choice([[name], ["--author", author_of(name)]])
        return self.chance.choice([
            lambda: ["season", "close", season, "--wait", str(self.chance.choice([0, 0, 1, 5]))],
            lambda: ["season", "close", season, "--wait", "0"],
            lambda: ["season", "reopen", season, "--budget", "8", "--seed", self.seed()],
            lambda: ["season", "reopen", season, "--budget", "6", "--seed", self.seed()],
            lambda: ["season", "extend", season, "--budget", str(self.chance.randint(1, 12))],
            lambda: ["season", "extend", season, "--budget", "8"],
            lambda: ["retire", name],
            lambda: ["retire", name, "--undo"],
            lambda: ["ban", *whom],
            lambda: ["ban", *whom, "--void"],
            lambda: ["ban", *whom, "--void"],
            lambda: ["ban", *whom, "--lift"],
            lambda: ["season", "roster", season, "--only", ",".join(STAYING + [name])],
            lambda: ["season", "roster", season, "--all"],
            lambda: self.make_version(name),
        ])()

    def act(self):
        command = self.choose()
        process = subprocess.Popen([ARENA, *command, "--home", self.home], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if self.chance.random() < 0.15:
            time.sleep(self.chance.uniform(0, 0.2))
            process.kill()
        said = process.communicate()[0]
        assert process.returncode in (0, 2, -9), (command, process.returncode, said)
        if process.returncode == 0:
            self.acts += 1
            self.done.add(" ".join(word for word in command[:4] if word in (
                "close", "reopen", "extend", "retire", "--undo", "ban", "--void", "--lift",
                "roster", "submit")))

    def tear(self, pause_s):
        """Runs, kills and acts at random instants until there was enough of each."""
        while self.kills < KILLS or self.acts < ACTS or self.cut_short == 0:
            assert self.kills < 200, "no kill cut a run short"
            self.start()
            time.sleep(self.chance.uniform(0, pause_s))
            if self.chance.random() < 0.35:
                self.kill()
            else:
                self.act()
        self.stop()
        self.check()

    def play_out(self):
        for season in SEASONS:
            shown = json.loads(Home(self.home).arena("season", "show", season, "--json"))
            if shown["closing"] or shown["closed"]:
                Home(self.home).arena("season", "reopen", season, "--budget", "4", "--seed", self.seed())
            Home(self.home).arena("season", "run", season, "--jobs", "2")
        self.check()


def author_of(name):
    return name.capitalize()


def make_bot(folder, name, version):
    homes.make_bot(folder, "greedy" if name in ("ant", "cat") else "random", name=name, version=str(version),
                   author=author_of(name), language="C")


def prepare(parent):
    """A store with the bots and both seasons, to be copied."""
    home = os.path.join(parent, "begun")
    for name in STAYING + COMING:
        make_bot(os.path.join(parent, name), name, 1)
        Home(home).arena("submit", os.path.join(parent, name))
    for season, terms in SEASONS.items():
        Home(home).arena("season", "new", season, "--seed", "5" * 32, "--budget", "24", *terms)
    return home


def main():
    parent = tempfile.mkdtemp(prefix="torture-")
    begun = prepare(parent)
    kills = cut_short = acts = games = 0
    done = set()
    for number in range(SEED, SEED + RUNS):
        home, again = os.path.join(parent, f"torn-{number}"), os.path.join(parent, f"again-{number}")
        shutil.copytree(begun, home)
        torn = Torn(home, random.Random(number))
        try:
            torn.tear(torn.chance.choice([0.2, 0.6, 1.2]))
            torn.play_out()
        finally:
            torn.stop()
        subprocess.run([AGAIN, home, again, ARENA], check=True, stdout=subprocess.DEVNULL)
        compare(describe(home), describe(again), f"run {number} ({home})")
        kills, acts = kills + torn.kills, acts + torn.acts
        cut_short, games = cut_short + torn.cut_short, games + torn.played()
        done |= torn.done
        shutil.rmtree(home)
        shutil.rmtree(again)
        if RUNS > 5:
            print(f"run {number} is as undisturbed", flush=True)
    print(f"{RUNS} runs of two seasons, {games} games: {kills} kills, {cut_short} of them with games "
          f"of the run played and others due, {acts} changes ({', '.join(sorted(done))}): every "
          "ladder, game, replay and export as undisturbed")
    shutil.rmtree(parent)


main()
