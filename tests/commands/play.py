# SPDX-License-Identifier: MIT
"""A person plays against bots at a terminal: to the end of a game with one to three bots, with undo, hints and slips of the hand; and leaves in the middle. What was kept is verified.

usage: play.py BUILD
"""
import glob
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import terminal

build = os.path.abspath(sys.argv[1])
arena = build + "/bin/arena"
greedy, random, steady = (f"{build}/bots/{name}" for name in ("greedy", "random", "steady"))
SEED = ["--seed", "000102030405060708090a0b0c0d0e0f"]
PROMPT = re.compile(r"(Enter: play this choice|Choose 1 to \d+)[^\r\n]*?q: quit\r?\n")
room = tempfile.mkdtemp(prefix="play-")
os.chmod(room, 0o755)
SLOW = """\
import msgpack, os, time
unpacker = msgpack.Unpacker(raw=False)
while data := os.read(0, 65536):
    unpacker.feed(data)
    for message in unpacker:
        if message["type"] == "hello":
            os.write(1, msgpack.packb({"type": "ready"}))
        if message["type"] == "turn":
            time.sleep(0.03)
            os.write(1, msgpack.packb({"type": "act", "turn": message["turn"], "action": 0}))
"""
os.chdir(room)
os.mkdir("tmp")


class Person:
    """Somebody at a terminal."""

    def __init__(self, *arguments):
        own = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        own |= {"TERM": "xterm", "TMPDIR": room + "/tmp", "ARENA_HOME": room + "/home"}
        self.pid, self.fd = terminal.start([arena, *arguments], 24, 80, own)
        self.seen = self.all = ""

    def read(self):
        assert select.select([self.fd], [], [], 60)[0], f"silent after {self.all[-2000:]!r}"
        try:
            piece = os.read(self.fd, 65536)
        except OSError:
            piece = b""
        self.seen += piece.decode()
        self.all += piece.decode()
        return bool(piece)

    def ask(self):
        """Reads up to the next prompt, and returns what came; None: the match is over."""
        while not (found := PROMPT.search(self.seen)):
            if not self.read():
                return None
        shown, self.seen = self.seen[:found.end()], self.seen[found.end():]
        return shown

    def type(self, line):
        os.write(self.fd, line.encode() + b"\n")
        return self.ask()

    def end(self):
        while self.read():
            pass
        os.close(self.fd)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        assert os.listdir("tmp") == [], os.listdir("tmp")
        return status

    def play_on(self, shown):
        """Plays the first choice each time, to the end."""
        while shown is not None:
            shown = self.type("" if "Enter: play this choice" in shown else "1")


def kept(folder="games"):
    """The one replay of a folder, which is then forgotten; its decisions and result."""
    (path,) = glob.glob(folder + "/*.replay")
    checked = subprocess.run([arena, "replay", path, "--verify"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0 and "all legal" in checked.stdout, checked
    told = subprocess.run([arena, "replay", path, "--json"], capture_output=True, text=True, check=True).stdout
    lines = [json.loads(line) for line in told.splitlines()]
    shutil.move(path, "last.replay")
    os.rmdir(folder)
    return lines


def whole_games():
    for bots, options in (([greedy], []),
                          ([greedy, random, steady], ["--board", "gray", "--seat", "2"]),
                          ([random, greedy], ["--seat", "1", "--memory", "100"])):
        person = Person("play", *SEED, *options, *bots)
        person.play_on(person.ask())
        assert person.end() == 0, person.all[-2000:]
        assert "The match is over." in person.all, person.all[-2000:]
        assert re.search(r"games/play-\d{8}-\d{6}\.replay\b", person.all), person.all[-2000:]
        assert "\x1b" not in person.all and "Center: the start token." in person.all, options
        lines = kept()
        names = [bot["name"] for bot in lines[0]["bots"]]
        assert lines[0]["match"] == "000000-0", lines[0]  # of the seed alone: no time, no process
        memory = (100 if "--memory" in options else 768) << 20
        with open("last.replay", "rb") as replay:
            assert b"\xa6memory\xce" + memory.to_bytes(4, "big") in replay.read(), options
        seat = int(options[options.index("--seat") + 1]) if "--seat" in options else 0
        assert names[seat] == "person" and len(names) == len(bots) + 1, names
        assert lines[-1]["reason"] == ["played"] * len(names), lines[-1]


def slips_and_second_thoughts():
    person = Person("play", *SEED, greedy)
    shown = person.ask()
    assert re.search(r"Factory 0: 2 green, 1 orange and 1 blue\.", shown), shown
    assert re.search(r"Supply: 3 wild purple, 4 green, 2 orange and 1 blue\.", shown), shown
    for line, answer in (("frog", "'frog' is not understood"), ("0", "'0' is not on the list"),
                         ("", "Nothing is chosen yet"), ("u", "There is nothing to undo")):
        said = person.type(line)
        assert answer in said, (line, said)
    assert "take 2 green from factory 0" in person.type("1")
    assert "Your choice: take 1 orange from factory 0" in person.type("2")
    assert "1: take 2 green" in person.type("u")
    assert "1: factory 0" in person.type("u")
    hint = person.type("?")
    assert re.search(r"steady would take \d", hint), hint
    assert "green star: 1 empty" in person.type("b")
    assert "is not understood" in person.type("x" * 3000)  # more than it keeps of a line
    person.type("1")
    assert "Your choice" in person.type("3")
    after = person.type("")
    assert "You take 1 blue from factory 0" in after and "greedy takes " in after, after
    os.write(person.fd, b"q\n")
    assert person.end() == 0
    assert "You left the match" in person.all and not os.path.exists("games"), person.all


def other_hints():
    silent = room + "/silent"
    with open(silent, "w") as file:
        file.write("#!/bin/sh\nexit 3\n")
    os.chmod(silent, 0o755)
    for bot, answer in ((greedy, "greedy would take"), (silent, "silent gives no hint: ")):
        person = Person("play", *SEED, "--hint", bot, random)
        person.ask()
        said = person.ask_hint = person.type("?")
        while answer not in said:
            said += person.ask()
        person.play_on(person.type("1")) if bot == greedy else os.write(person.fd, b"q\n")
        assert person.end() == 0
        if bot == greedy:
            kept()


def leaving():
    """The end of the input, and signals, in the middle of a game: nothing is left behind."""
    for leave in ("input", signal.SIGINT, signal.SIGTERM, "key"):
        person = Person("play", *SEED, greedy)
        person.ask()
        person.type("1")
        if leave == "input":
            os.write(person.fd, b"\x04")
        elif leave == "key":
            os.write(person.fd, b"\x03")
        else:
            os.kill(person.pid, leave)
        assert person.end() == 0, leave
        assert "You left the match" in person.all, person.all
        assert not os.path.exists("games")
    done = subprocess.run([arena, "play", *SEED, greedy], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=60, check=False)
    assert done.returncode == 0 and "You left" in done.stdout and "\x1b" not in done.stdout, done
    assert not os.path.exists("games")


def clock():
    """Whoever asks for a clock loses by it; the match is played to its end and kept."""
    person = Person("play", *SEED, "--clock", "turn=300,bank=0", random)
    person.ask()
    assert person.end() == 0
    assert "You: out of the match (timeout)" in person.all, person.all
    assert kept()[-1]["reason"] == ["timeout", "played"]
    # Out of it, a person is not asked any more: what is typed then does not leave the match.
    os.mkdir("slow")
    with open("slow/bot.py", "w") as file:
        file.write(SLOW)
    with open("slow/bot.json", "w") as file:
        json.dump({"name": "slow", "version": "1", "author": "tests", "run": ["python3", "bot.py"]}, file)
    person = Person("play", *SEED, "--clock", "turn=400,bank=0", "slow")
    person.ask()
    while "You: out of the match" not in person.all:
        assert person.read(), person.all
    os.write(person.fd, b"q\n")
    assert person.end() == 0 and "The match is over." in person.all, person.all[-2000:]
    assert kept()[-1]["reason"] == ["timeout", "played"]
    shutil.rmtree("slow")


def taken_over():
    """From any position of an earlier match: what was played before stays, the rest is new."""
    bots = [greedy, random, greedy]
    subprocess.run([arena, "match", *SEED, "--replays", "first", *bots], check=True, capture_output=True)
    (path,) = glob.glob("first/*.replay")
    told = subprocess.run([arena, "replay", path, "--json"], capture_output=True, text=True, check=True).stdout
    first = [json.loads(line) for line in told.splitlines()]
    last = len(first) - 3
    for turn, options, bots, seat in ((0, [], [], 0), (40, [], [random, random], first[41]["seat"]),
                                      (last, ["--seat", "1"], [], 1)):
        folder = f"taken-{turn}"
        person = Person("replay", path, "--at", str(turn), "--play", "--replays", folder, *options, *bots)
        person.play_on(person.ask())
        assert person.end() == 0, person.all[-2000:]
        lines = kept(folder)
        assert [bot["name"] for bot in lines[0]["bots"]].index("person") == seat, lines[0]
        actions = [[(line["seat"], line["action"]) for line in game[1:-1]] for game in (lines, first)]
        assert actions[0][:turn] == actions[1][:turn], turn
        assert turn == last or actions[0] != actions[1]
    shutil.rmtree("first")


def taken_over_from_a_forfeit():
    """A match that ended with a bot's fault goes on from the decision that went wrong."""
    os.mkdir("slow")
    with open("slow/bot.py", "w") as file:
        file.write(SLOW.replace("time.sleep(0.03)", "assert message['turn'] < 20"))
    with open("slow/bot.json", "w") as file:
        json.dump({"name": "slow", "run": ["python3", "bot.py"]}, file)
    subprocess.run([arena, "match", *SEED, "--replays", "first", greedy, "slow"], check=True, capture_output=True)
    (path,) = glob.glob("first/*.replay")
    told = subprocess.run([arena, "replay", path, "--json"], capture_output=True, text=True, check=True).stdout
    first = [json.loads(line) for line in told.splitlines()]
    turn = first[-1]["forfeits"][1]["turn"]
    assert turn == len(first) - 2, first[-1]
    person = Person("replay", path, "--at", str(turn), "--play", "--replays", "taken")
    person.play_on(person.ask())
    assert person.end() == 0, person.all[-2000:]
    lines = kept("taken")
    assert [bot["name"] for bot in lines[0]["bots"]][1] == "person" and lines[-1]["reason"] == ["played"] * 2, lines[0]
    assert [line["action"] for line in lines[1:turn + 1]] == [line["action"] for line in first[1:-1]]
    assert len(lines) > len(first) and lines[turn + 1]["seat"] == 1, lines[turn + 1]
    shutil.rmtree("first")
    shutil.rmtree("slow")


try:
    whole_games()
    slips_and_second_thoughts()
    other_hints()
    leaving()
    clock()
    taken_over()
    taken_over_from_a_forfeit()
finally:
    os.chdir("/")
    shutil.rmtree(room, ignore_errors=True)
