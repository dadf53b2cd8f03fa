#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SIGKILL of the web process, the daemon and both at random instants while authors upload: nothing that was answered
with 201 is lost, and nothing is admitted twice. usage: kills.py BUILD-FOLDER [KILLS]"""
import json
import os
import random
import signal
import sys
import threading
import time

from league import League, free_address

AUTHORS = 4


class Uploads(threading.Thread):
    """An author who uploads version after version of one bot."""

    def __init__(self, league, token, name):
        super().__init__(daemon=True)
        self.league, self.token, self.name_of_bot = league, token, name
        self.taken = {}  # number of the submission: version
        self.stop = False
        self.version = self.failed = 0

    def run(self):
        while not self.stop:
            try:
                status, _, answer = self.league.upload(self.token, self.name_of_bot, str(self.version))
            except Exception as error:  # the connection ended, as it may
                assert not isinstance(error, AssertionError)
                self.failed += 1
                time.sleep(0.05)
                continue
            if status in (200, 201):
                self.taken[answer["submission"]] = str(self.version)
                self.version += 1
            else:
                assert status in (409, 503), answer  # 409: an upload whose answer was lost has been admitted
                self.version += status == 409
            time.sleep(0.1)


def wait_until_up(league):
    for _ in range(1200):
        try:
            if league.ask("/api/v1/status")[0] == 200:
                return
        except Exception:  # not yet
            pass
        time.sleep(0.05)
    raise SystemExit("the arena does not come back:\n" + league.log())


def kill(league, what):
    web, daemon = league.web(), league.daemon
    if what != "web":
        daemon.kill()
    if what != "daemon" and web:
        try:
            os.kill(web, signal.SIGKILL)
        except ProcessLookupError:
            pass
    if what != "web":
        daemon.wait()
        league.begin()


def count(authors):
    """How many uploads were answered with 201 or 200."""
    return sum(len(author.taken) for author in authors)


def main():
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    seed = int(os.environ.get("SEED", time.time_ns() % 1000000))
    chance = random.Random(seed)
    listen = free_address()  # for all web processes
    league = League(sys.argv[1], "--packages-a-day", "100000", "--check-seconds", "5", listen=listen)
    authors = [Uploads(league, league.author(f"writer-{number}"), f"bot-{number}") for number in range(AUTHORS)]
    begun = time.time()
    with league:
        for author in authors:
            author.start()
        for number in range(kills):
            wait_until_up(league)
            before, begun_s = count(authors), time.time()
            while count(authors) == before and time.time() < begun_s + 60:
                time.sleep(0.02)
            time.sleep(chance.uniform(0.05, 1.5))
            kill(league, ("web", "daemon", "both")[number % 3])
        wait_until_up(league)
        for author in authors:
            author.stop = True
        for author in authors:
            author.join()
        for author in authors:
            for number in author.taken:
                ended = league.wait(number, author.token)
                assert ended["version"] == author.taken[number], ended
        rows = [json.loads(line) for line in league.arena("submissions", "--json").splitlines()]
    admitted = [(row["bot"], row["version"]) for row in rows if row["state"] == "admitted"]
    taken = count(authors)
    assert len(admitted) == len(set(admitted)), sorted(admitted)
    assert {row["submission"] for row in rows} >= {number for author in authors for number in author.taken}
    assert taken >= kills, taken
    print(f"{kills} kills in {time.time() - begun:.0f} s (SEED={seed}): {taken} uploads were answered with 201 or 200, "
          f"{sum(author.failed for author in authors)} were not answered; {len(rows)} submissions, {len(admitted)} "
          f"admitted, each once; none lost")


main()
