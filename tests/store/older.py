"""Opens a store of schema 1 (tests/golden/store-schema-1.sql: two seasons, one half played, with
forfeits, a retired bot and a version that replaced one): nothing of it is lost, and it is played on.

usage: older.py BUILD"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile

build = os.path.abspath(sys.argv[1])
golden = "tests/golden/store-schema-1"
room = tempfile.TemporaryDirectory(prefix="older-")
home = room.name + "/home"


def arena(*arguments, where=home):
    result = subprocess.run([build + "/bin/arena", *arguments, "--home", where], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert result.returncode == 0, (arguments, result.stdout)
    return result.stdout


def version(folder):
    database = sqlite3.connect(folder + "/arena.db")
    number = database.execute("PRAGMA user_version").fetchone()[0]
    database.close()
    return number


def make():
    os.mkdir(home, 0o700)
    database = sqlite3.connect(home + "/arena.db")
    with open(golden + ".sql") as file:
        database.executescript(file.read())
    database.execute(f"PRAGMA application_id = {0x50415649}")
    database.execute("PRAGMA user_version = 1")
    database.close()
    os.chmod(home + "/arena.db", 0o600)


def games(season):
    return [json.loads(line) for line in arena("games", season, "--json").splitlines()]


def expect_games():
    """All that the old arena said of each game is still so; a forfeit may say more."""
    with open(golden + ".jsonl") as file:
        told = [json.loads(line) for line in file]
    now = games("old") + games("crash")
    assert [game["match"] for game in now] == [game["match"] for game in told]
    for before, after in zip(told, now):
        for key, value in before.items():
            if key != "forfeits" or value is None:
                assert after[key] == value, (before["match"], key, value, after[key])
                continue
            for old, new in zip(value, after[key]):
                assert (old is None) == (new is None), before["match"]
                assert old is None or old["reason"] == new["reason"] and old["words"] == new["words"]


def expect_bots():
    bots = {(bot["name"], bot["version"]): bot
            for bot in json.loads(arena("bots", "--json"))["bots"]}
    assert sorted(bots) == [("ant", "1"), ("ant", "2"), ("bee", "1"), ("cat", "1")], bots
    assert bots["cat", "1"]["retired"] and bots["ant", "2"]["newest"], bots


make()
expect_games()
expect_bots()
arena("season", "new", "new", "--budget", "2", where=room.name + "/fresh")
assert version(home) == version(room.name + "/fresh") > 1
assert "4 bots, 2 seasons, 11 games, 11 replays: sound" in arena("store", "check", "--replays")
arena("submit", build + "/bots/random")
assert "6 of 6 in all" in arena("season", "run", "crash")
arena("season", "reopen", "old", "--budget", "6")
assert "in all; `arena ladder old`" in arena("season", "run", "old")
assert any("random" in game["bots"] for game in games("old")), "who came since does not play"
rows = json.loads(arena("ladder", "old", "--all", "--json"))["rows"]
assert {row["name"] for row in rows} >= {"ant", "bee", "random"}, rows
assert arena("store", "check", "--replays").endswith(": sound\n")
arena("export", "old", room.name + "/export")
