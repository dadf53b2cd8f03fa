# SPDX-License-Identifier: MIT
"""A store that a season filled: a backup that is made while it is played is whole; single bits
that are flipped in the rows of games and replays are found by `arena store check`; a copy that is
refused leaves nothing.

usage: damage.py BUILD
"""
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
from home import BUILD, Home, wait_until

room = tempfile.mkdtemp(prefix="damage-")
home = room + "/home"
FLIPS = 150


def arena(*arguments, status=0, where=home):
    done = Home(where).run(*arguments)
    assert done.returncode == status, (arguments, done)
    return done.stdout + done.stderr


def run_and_back_up():
    for bot in ("random", "greedy"):
        arena("submit", f"{BUILD}/bots/{bot}")
    arena("season", "new", "cup", "--budget", "40")
    run = Home(home).start("season", "run", "cup")
    count = 0
    while run.poll() is None and count < 5:
        count += 1
        time.sleep(0.3)
        os.makedirs(f"{room}/backup-{count}", 0o700)
        arena("store", "backup", f"{room}/backup-{count}/arena.db")
    assert run.wait() == 0
    for number in range(1, count + 1):
        assert os.stat(f"{room}/backup-{number}/arena.db").st_mode & 0o777 == 0o600
        said = json.loads(arena("store", "check", "--replays", "--json", where=f"{room}/backup-{number}"))
        assert said["sound"] and said["games"] == said["replays"], said
        assert not [name for name in os.listdir(f"{room}/backup-{number}") if ".new-" in name]
    arena("store", "backup", f"{room}/backup-1/arena.db", status=2)
    arena("store", "backup", f"{room}/nowhere/arena.db", status=2)
    print(f"{count} backups while a season was played, the first with "
          f"{json.loads(arena('store', 'check', '--json', where=room + '/backup-1'))['games']} games")
    whole = json.loads(arena("store", "check", "--replays", "--json"))
    assert whole["sound"] and whole["games"] == 40 and whole["bots"] == 2, whole
    assert arena("store", "check").endswith(": sound\n")


def refused_copy():
    """A copy that is refused since a season is played leaves nothing where the copy would be."""
    arena("season", "new", "long", "--budget", "100000")
    run = Home(home).start("season", "run", "long")
    try:
        wait_until("a game", lambda: arena("games", "long"))
        said = arena("store", "copy", home, room + "/copied", status=2)
    finally:
        run.terminate()
        run.wait()
    assert "stop the arena that plays the season, and copy again" in said, said
    assert not os.path.exists(room + "/copied"), os.listdir(room + "/copied")
    arena("store", "copy", home, room + "/copied")
    assert json.loads(arena("store", "check", "--json", where=room + "/copied"))["bots"] == 2


def flip(value, bit):
    if isinstance(value, int):
        return value ^ (1 << bit % 40)
    bytes_ = bytearray(value.encode() if isinstance(value, str) else value)
    bytes_[bit // 8 % len(bytes_)] ^= 1 << bit % 8
    return bytes(bytes_) if isinstance(value, bytes) else bytes_.decode(errors="replace")


def flip_bits():
    chance = random.Random(7)
    missed = []
    tables = {"game": ["seats", "seats", "seats", "seats", "opening", "seed", "started_us", "wall_us", "layers", "decisions", "checksum", "replay_sha256",
                       "delay_us", "memory_bytes", "tier", "freeze", "pin"],
              "replay": ["bytes"]}
    damaged = room + "/damaged"
    os.makedirs(damaged, 0o700)
    for number in range(FLIPS):
        table = chance.choice(["game", "game", "game", "replay"])
        column = chance.choice(tables[table])
        shutil.copy(home + "/arena.db", damaged)
        with sqlite3.connect(damaged + "/arena.db") as store:
            store.execute("PRAGMA foreign_keys = OFF")
            key = "season = ? AND game_group = ? AND rotation = ?"
            rows = list(store.execute(f"SELECT season, game_group, rotation FROM {table}"))
            row = chance.choice(rows)
            value, = store.execute(f"SELECT {column} FROM {table} WHERE {key}", row).fetchone()
            new = flip(value, chance.randrange(1 << 16))
            store.execute(f"UPDATE {table} SET {column} = ? WHERE {key}", (new, *row))
        store.close()
        result = Home(damaged).run("store", "check", "--json", *(["--replays"] if table == "replay" else []))
        said = json.loads(result.stdout)
        if result.returncode != 1 or said["sound"] or not said["faults"]:
            missed.append((table, column, row, value, new, result))
        for name in os.listdir(damaged):
            os.unlink(f"{damaged}/{name}")
    assert not missed, (len(missed), missed[:3])
    print(f"{FLIPS} flipped bits found")


def missing_parts():
    for statement, words in (("DELETE FROM replay WHERE game_group = 0 AND rotation = 0", "is missing"),
                             ("UPDATE game SET seats = substr(seats, 1, 24) WHERE game_group = 0", "column seats"),
                             ("UPDATE entry SET number = 5 WHERE number = 1", "refers to a missing row"),
                             ("UPDATE opening SET seed = zeroblob(16)", "column seed")):
        shutil.copy(home + "/arena.db", room + "/damaged")
        with sqlite3.connect(room + "/damaged/arena.db") as store:
            store.execute(statement)
        store.close()
        said = arena("store", "check", "--replays", status=1, where=room + "/damaged")
        assert words in said, (statement, said)
        os.unlink(room + "/damaged/arena.db")


try:
    run_and_back_up()
    flip_bits()
    missing_parts()
    refused_copy()
finally:
    shutil.rmtree(room, ignore_errors=True)
