# SPDX-License-Identifier: MIT
"""What commands print, compared whole, and the same numbers wherever they are told.

usage: texts.py BUILD
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
from home import ARENA, Home, make_bot


class Room:
    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="texts-")
        self.home = self.path + "/home"

    def arena(self, *arguments, statuses=(0,)):
        return Home(self.home).arena(*arguments, statuses=statuses)

    def submit(self, base, name, version, author, language):
        folder = f"{self.path}/{name}"
        shutil.rmtree(folder, ignore_errors=True)
        self.arena("submit", make_bot(folder, base, name=name, version=version, author=author, language=language))


def help_and_version(room):
    assert re.fullmatch(r"arena \d+\.\d+\.\d+( \([0-9a-f]{12}(-dirty)?\))?\n", room.arena("--version"))
    assert room.arena("-h") == room.arena("--help")
    commands = re.findall(r"^  ([a-z]+) ", room.arena("--help"), re.MULTILINE)
    assert len(commands) > 25 and "season" in commands, commands
    for command in commands:
        text = room.arena(command, "--help")
        assert text.startswith("usage: arena " + command), (command, text)
        assert room.arena(command, "-h") == text, command
    told = subprocess.run([os.path.dirname(ARENA) + "/bench", "playouts", "--help"], capture_output=True, text=True, check=True)
    assert told.stdout.startswith("usage: bench playouts [--games N "), told


def submit_bots(room):
    room.submit("greedy", "ada", "1", "Ada", "C")
    room.submit("random", "bob", "1", "Bob, the builder", "Lua")
    room.submit("random", "cat-of-no-fame", "0.1", "Cy", "Python")
    room.submit("greedy", "ada", "2", "Ada", "C")
    room.arena("retire", "bob")
    rows = room.arena("bots", "--wide").splitlines()[1:]
    ends = ["ada replaced", "bob retired", "cat-of-no-fame plays, same files as bob 1 by Bob, the builder", "ada plays"]
    for row, (name, end) in zip(rows, (end.split(" ", 1) for end in ends), strict=True):
        assert row.startswith(name + " ") and row.rstrip().endswith(" " + end), rows


def seats_have_their_own_times(room):
    """The microseconds of a seat in the store are those of its decisions in the replay."""
    room.submit("greedy-python", "slow", "1", "Eve", "Python")
    room.submit("random", "twin", "1", "Dee", "C")  # cat's program
    room.arena("season", "new", "spring", "--players", "2,3", "--budget", "20")
    room.arena("season", "run", "spring")
    games = [json.loads(line) for line in room.arena("games", "spring", "--json").splitlines()]
    assert len(games) >= 20 and {len(game["us"]) for game in games} == {2, 3}
    uneven = 0 # bots that are quick enough are charged nothing, both of them
    for game in games:
        us = [0] * len(game["us"])
        for line in room.arena("replay", game["match"], "--json").splitlines():
            turn = json.loads(line)
            if turn.get("by") == "bot":
                us[turn["seat"]] += turn["us"]
        assert us == game["us"], (game, us)
        uneven += len(set(us)) > 1
    assert uneven > 0, games


def ladder_fits_the_terminal(room):
    plain = room.arena("ladder", "spring")
    assert all(len(line) <= 80 for line in plain.splitlines() if " Elo " in line), plain
    assert "version" in room.arena("ladder", "spring", "--wide")
    assert "\033" not in plain
    assert "same files as" in room.arena("bots", "--wide")
    # A terminal has colors, NO_COLOR takes them away, and a wide one has more columns.
    script = ["script", "-qec", f"stty cols 200; {ARENA} ladder spring", "/dev/null"]
    seen = {}
    for no_color in ("", "1"):
        seen[no_color] = subprocess.run(
            script, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
            env=dict(os.environ, ARENA_HOME=room.home, TERM="xterm", NO_COLOR=no_color)).stdout
    assert "\033[1mrank\033[m" in seen[""], seen[""]
    assert "\033" not in seen["1"] and "language" in seen["1"], seen["1"]


def main():
    room = Room()
    help_and_version(room)
    submit_bots(room)
    seats_have_their_own_times(room)
    ladder_fits_the_terminal(room)
    shutil.rmtree(room.path)
    print("texts: hold")


if __name__ == "__main__":
    main()
