"""The match in a terminal: keys lead where they say, colors come as asked for, and the terminal is
given back as it was. A match that has ended is stepped through likewise."""
import os
import re
import select
import signal
import subprocess
import sys
import time

import terminal as terminals

arena, replay = sys.argv[1:]
LAST = sum('"turn"' in line for line in subprocess.run(
    [arena, "replay", replay, "--json"], capture_output=True, text=True, check=True).stdout.split("\n"))


class Terminal:
    def __init__(self, *command, **environment):
        own = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        command = command or ("replay", replay, "--watch")
        self.pid, self.fd = terminals.start([arena, *command], rows=24, columns=80,
                                           environment=own | {"TERM": "xterm"} | environment)
        self.before = self.seen = ""

    def until(self, pattern):
        """Reads what is drawn until a screen matches."""
        deadline = time.monotonic() + 60
        while not re.search(pattern, self.seen):
            assert select.select([self.fd], [], [], max(0, deadline - time.monotonic()))[0], \
                f"no {pattern!r} in {self.seen[-3000:]!r}"
            try:
                piece = os.read(self.fd, 65536)
            except OSError:
                piece = b""
            assert piece, f"ended before {pattern!r}: {self.seen[-3000:]!r}"
            self.seen += piece.decode()
        self.before, self.seen = self.seen, ""
        return self.before

    def press(self, keys, decision):
        os.write(self.fd, keys.encode())
        return self.until(rf"decision {decision} of {LAST}\b[\s\S]*q: quit")

    def end(self):
        seen, status = terminals.rest(self.pid, self.fd)
        assert "\x1b[?1049l" in seen and "\x1b[?25h" in seen, seen
        return status


def rounds():
    terminal = Terminal()
    terminal.until(rf"decision 0 of {LAST}[\s\S]*The deal[\s\S]*q: quit")
    end = terminal.press("\x1b[F\x1b[C", LAST)
    assert "Match over" in end and "Final scoring" in end, end
    before = terminal.press("\x1b[D", LAST - 1)
    assert re.search(r"[0-9] ms\b", before), before
    terminal.press("\x1b[H\x1b[D", 0)
    for key, number in ("]", 2), ("]", 3), ("[", 2):
        assert f"Round {number} of 6" in terminal.press(key, r"\d+")
    terminal.press("[", 0)
    os.write(terminal.fd, b"\x1b[F[")  # the last round
    terminal.until("Round 6 of 6")
    os.write(terminal.fd, b"++++ ")
    terminal.until(r"playing 16x")
    terminal.until(rf"  16x  decision {LAST} of {LAST}")
    os.write(terminal.fd, b"q")
    assert terminal.end() == 0


def each_key():
    """Every sequence that terminals send for a key, and the speeds at both ends."""
    terminal = Terminal()
    terminal.until("q: quit")
    for end, home, right, left in (("\x1b[F", "\x1b[H", "\x1b[C", "\x1b[D"), ("\x1bOF", "\x1bOH", "\x1bOC", "\x1bOD"),
                                   ("\x1b[4~", "\x1b[1~", "\x1b[C", "\x1b[D"),
                                   ("\x1b[8~", "\x1b[7~", "\x1bOC", "\x1bOD")):
        terminal.press(end, LAST)
        terminal.press(left, LAST - 1)
        terminal.press(right + "x" + right, LAST)
        terminal.press(home, 0)
        terminal.press(right, 1)
        terminal.press(left + left, 0)
    for keys, speed in ("-", 1), ("+", 2), ("+", 4), ("++", 16), ("+", 16), ("-", 8), ("----", 1):
        os.write(terminal.fd, keys.encode())
        terminal.until(rf"[^\d]{speed}x  decision 0 of {LAST}\b[\s\S]*q: quit")
    os.write(terminal.fd, b"++++ ")
    terminal.until("playing 16x  decision [1-9]")
    os.write(terminal.fd, b" ")
    terminal.until(r"[^g] 16x  decision \d+")
    terminal.press("\x1b[F", LAST)
    os.write(terminal.fd, b" ")  # from the end it begins again
    terminal.until("playing 16x  decision 0 of")
    terminal.press("\x1b[H", 0)
    os.write(terminal.fd, b"\x04")
    assert terminal.end() == 0


def words():
    """Each decision in the words of `arena replay`, the last one with the position after it."""
    told = subprocess.run([arena, "replay", replay], capture_output=True, text=True, check=True).stdout
    decisions = re.findall(r"^ *(\d+)  (round \d, [^:\n]+): (\S.*(?:\n {8}\S.*)*)", told, re.M)
    assert [int(at) for at, _, _ in decisions] == list(range(LAST)), decisions
    terminal = Terminal()
    terminal.until(r"q: quit")
    for at, who, what in decisions[:12] + decisions[-1:]:
        key = "\x1b[F" if int(at) == LAST - 1 else "\x1b[C"
        seen = re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", terminal.press(key, int(at) + 1))
        said = " ".join(f"{at}: {who} {what}".split())
        assert said in " ".join(seen.split()), (said, seen)
    os.write(terminal.fd, b"q")
    assert terminal.end() == 0


def colors():
    for environment, wanted, unwanted in (
            ({}, r"\x1b\[30;48;5;175m", None), ({"NO_COLOR": "1"}, None, r"\x1b\[[\d;]*m")):
        terminal = Terminal(**environment)
        seen = terminal.until(r"q: quit") + terminal.press("\x1b[F", LAST)
        assert wanted is None or re.search(wanted, seen), seen
        assert unwanted is None or not re.search(unwanted, seen), seen
        plain = re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", seen.split("\x1b[H")[-1])
        rows = plain.split("\r\n")
        assert len(rows) <= 24 and max(map(len, rows)) <= 80, rows
        os.write(terminal.fd, b"q")
        assert terminal.end() == 0


def signals():
    for number, status in ((signal.SIGINT, 0), (signal.SIGTERM, 1), (signal.SIGHUP, 1)):
        terminal = Terminal()
        terminal.until(r"q: quit")
        os.kill(terminal.pid, number)
        assert terminal.end() == status, number


def a_match():
    bots = [f"{os.path.dirname(arena)}/../bots/{name}" for name in ("greedy", "random")]
    terminal = Terminal("match", "--watch", "--open", *bots, NO_COLOR="1")
    terminal.until(r"decision 0 of \d+[\s\S]*q: quit")
    os.write(terminal.fd, b"\x1b[F\x1b[Hq")
    seen, status = terminals.rest(terminal.pid, terminal.fd)
    after = seen[seen.rindex("\x1b[?1049l"):]
    assert status == 0 and "000000-0   1. " in after and "000000-0.html: open it" in after, seen
    os.remove("000000-0.html")


rounds()
each_key()
a_match()
words()
colors()
signals()
