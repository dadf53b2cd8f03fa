# SPDX-License-Identifier: MIT
"""A season of bots that take minutes over a decision: close, extend, retirement and ban are
seen at once, not when the next game begins.

usage: at_once.py BUILD"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
import home as homes
from home import make_bot, processes_of, wait_until

SEEN_S = 60  # a second promised, the rest for a busy machine; a decision takes ten minutes
DECISION_S = 600

SLOW = """import time
import greedy

answer_at_once = greedy.answer
messages_of_all = greedy.messages
clock = {}

def messages():
    for message in messages_of_all():
        clock.update(message.get("clock", {}))
        yield message

def answer(message, seat):
    if clock["turn_ms"] > 1000000:  # of these seasons; not when it is submitted
        time.sleep(%d)
    return answer_at_once(message, seat)

greedy.messages, greedy.answer = messages, answer
greedy.main()
""" % DECISION_S


class Home(homes.Home):
    def __init__(self):
        self.room = tempfile.mkdtemp(prefix="at-once-")
        super().__init__(self.room + "/home")
        self.token = "at-once-%d" % os.getpid()
        self.processes = []
        slow = make_bot(self.room + "/slow", "greedy-python", name="slow", version="1", author="slow",
                        run=["python3", "slow.py", self.token])
        with open(slow + "/slow.py", "w") as file:
            file.write(SLOW)
        self.arena("submit", slow)
        for name in ("ant", "bee", "cat", "dog", "eel"):
            self.arena("submit", make_bot(f"{self.room}/{name}", "greedy", name=name, version="1", author=name))

    def start(self, *arguments):
        self.processes.append(super().start(*arguments, output=subprocess.PIPE))
        return self.processes[-1]

    def new(self, season, budget):
        self.arena("season", "new", season, "--budget", str(budget), "--clock",
                   "turn=2000000,bank=2000000,start=60000")

    def games(self, season):
        return self.lines("games", season)

    def seed(self, season):
        return json.loads(self.arena("season", "show", season, "--json"))["openings"][-1]["seed"]

    def slow_count(self):
        """Processes of the slow bot that live."""
        return len(processes_of("python3 slow.py " + self.token))

    def finish(self):
        for process in self.processes:
            process.kill()
            process.wait()
        shutil.rmtree(self.room)


def seen(what, holds):
    took_s = wait_until(what, holds, SEEN_S)
    print(f"{what}: after {took_s:.1f} s")


def close_drains_and_gives_up(home):
    """No game begins; what is under way when the time is up is void, and only then is the seed told."""
    home.new("closed", 1000)
    run = home.start("season", "run", "closed", "--jobs", "4")
    wait_until("slow games under way", lambda: home.slow_count() >= 2)
    close = home.start("season", "close", "closed", "--wait", "2")
    began = time.monotonic()
    while home.seed("closed") is None:
        assert time.monotonic() - began < 2 + SEEN_S, "the close waits for slow bots"
    assert home.slow_count() == 0, "the seed is published while bots play"
    print(f"close --wait 2: the seed after {time.monotonic() - began:.1f} s")
    kept = home.games("closed")
    assert close.wait() == 0 and run.wait() == 0, (close.stdout.read(), run.stdout.read())
    said = run.stdout.read()
    assert re.search("do not count: [1-9][0-9]*; the season was closed", said), said
    assert home.games("closed") == kept, "a game was kept after the seed was told"


def extend_is_played_beside_slow_games(home):
    home.new("extended", 12)
    run = home.start("season", "run", "extended", "--jobs", "16")
    wait_until("all but the slow games",
               lambda: home.slow_count() + len(home.games("extended")) == 12)
    before = len(home.games("extended"))
    assert before < 12
    home.arena("season", "extend", "extended", "--budget", "12")
    seen("extend: further games are played", lambda: len(home.games("extended")) > before)
    while run.poll() is None:  # signals that come at once are one
        run.send_signal(signal.SIGINT)
        time.sleep(0.5)
    assert run.returncode == 0, run.stdout.read()


def void_games_are_given_up(home):
    """A ban with --void stops the bot where it plays; the season goes on without it to its end."""
    home.new("voided", 60)
    run = home.start("season", "run", "voided", "--jobs", "2")
    wait_until("slow games in all jobs", lambda: home.slow_count() == 2)
    before = len(home.games("voided"))
    home.arena("ban", "slow", "--void")
    seen("ban --void: the bots are stopped", lambda: home.slow_count() == 0)
    seen("ban --void: others play on", lambda: len(home.games("voided")) > before)
    assert run.wait() == 0, run.stdout.read()
    said = run.stdout.read()
    assert re.search("do not count: [1-9][0-9]*; `arena ladder voided` shows the ratings", said), said
    home.arena("ban", "slow", "--lift")
    run = home.start("season", "run", "voided", "--jobs", "2")
    wait_until("what counts again is played", lambda: home.slow_count() == 2)
    home.arena("season", "close", "voided", "--wait", "0")
    assert run.wait() == 0


def main():
    home = Home()
    try:
        for check in (close_drains_and_gives_up, extend_is_played_beside_slow_games, void_games_are_given_up):
            check(home)
    finally:
        home.finish()


main()
