# SPDX-License-Identifier: MIT
"""Two daemons play one season through one worker, on a PostgreSQL server. The daemon that has the season is
stopped for longer than its claim lasts, killed, or cut off from the server, in turns, so that the other one
takes over; then it is continued, started again, or connected again. The season ends as on one machine in
SQLite, with no group left over. Each round begins at its share of the season: on a slow machine it waits for its
share, and the bots sleep so long that the fastest machine plays no more than a share while a claim ends. With
--short, two rounds, in which the server ends the claim early.

usage: daemons.py BUILD [--short]        (with_server sets POSTGRES_TEST_*)"""

import os
import signal
import socket
import sys
import threading
import time

from league import PORT, URL, Scheduler, Worker, arena, compare, home_of, make_bot, outcome, played, room, run, sql, \
    wait_for

SHORT = "--short" in sys.argv
BUDGET, ROUNDS, SHARE, SOME, START_S = (48, 2, 0, 4, 0.2) if SHORT else (2000, 20, 100, 8, 1.2)


class Gate:
    """Passes bytes on to the server while it is open; what comes while it is shut waits."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = threading.Event()
        self.open.set()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        self.open.wait()
        server = socket.create_connection(("127.0.0.1", PORT))
        threading.Thread(target=self.pass_on, args=(server, client), daemon=True).start()
        self.pass_on(client, server)

    def pass_on(self, source, target):
        try:
            while data := source.recv(1 << 16):
                self.open.wait()
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            source.close()


class Daemon:
    def __init__(self, name):
        self.name, self.gate, self.starts = name, Gate(), 0
        self.start()

    def start(self):
        self.starts += 1
        self.scheduler = Scheduler(name=f"{self.name}-{self.starts}", port=self.gate.port)

    def has_season(self):
        return sql("SELECT owner FROM claim").startswith(f"process {self.scheduler.process.pid} ")

    # Each way to be away, and back.
    def stop(self):
        self.scheduler.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.scheduler.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.scheduler.process.kill()
        self.scheduler.process.wait()

    def cut(self):
        self.gate.open.clear()

    def connect(self):
        self.gate.open.set()


WAYS = [("stopped", Daemon.stop, Daemon.go_on), ("killed", Daemon.kill, Daemon.start),
        ("cut off", Daemon.cut, Daemon.connect)]


def prepare(store):
    """Bots that take a moment to start, so that the season lasts as long as the rounds on any machine."""
    for base in ("greedy", "random"):
        folder = make_bot(os.path.join(room, base), base, run=["./slow"])
        with open(folder + "/slow", "w") as script:
            script.write(f"#!/usr/bin/perl\nselect undef, undef, undef, {START_S}; exec './{base}'")
        os.chmod(folder + "/slow", 0o755)
        arena(store, "submit", folder, "--check-games", "1")
    arena(store, "season", "new", "cup", "--seed", "5" * 32, "--budget", str(BUDGET), "--clock",
          "turn=20000,bank=100000,start=60000")


def wait_for_some_games():
    before = played()
    wait_for(f"{SOME} more games than {before}", lambda: played() >= min(before + SOME, BUDGET))


def play_round(number, daemons):
    way, leave, come_back = WAYS[number % len(WAYS)]
    wait_for("a daemon to have the season", lambda: any(daemon.has_season() for daemon in daemons))
    wait_for(f"{number * SHARE} games", lambda: played() >= number * SHARE, within_s=1200)
    wait_for_some_games()
    active, other = sorted(daemons, key=lambda daemon: not daemon.has_season())
    before = played()
    assert before < BUDGET, f"the season was over before round {number}"
    leave(active)
    began = time.monotonic()
    if SHORT: # the statement waits until the server has ended the transaction of a daemon that is away
        wait_for("the claim to end", lambda: sql("UPDATE claim SET expires_at = now() - interval '1 s'"
                                                 " RETURNING 1") == "1")
    wait_for("the other daemon to have the season", other.has_season)
    taken_s = time.monotonic() - began
    wait_for_some_games()
    come_back(active)
    wait_for_some_games()
    assert other.has_season() or played() == BUDGET, "the daemon lost the season to the one that came back"
    print(f"round {number}: {active.name} {way} after {before} games; {other.name} took the season after"
          f" {taken_s:.0f} s", flush=True)


def lose_offers():
    """Within a minute, the daemon deals again what has neither a game, an offer nor a delivery."""
    lost = []

    def lose():
        lost.extend(sql("DELETE FROM dealt_group WHERE worker IS NULL AND due <> 0 RETURNING number").split())
        return lost

    wait_for("offers to be lost", lose)
    numbers = ", ".join(lost)
    took_s = wait_for("them to be dealt again", lambda: sql(
        f"SELECT count(*) FROM (SELECT number FROM dealt_group WHERE number IN ({numbers}) UNION SELECT game_group"
        f" FROM game WHERE game_group IN ({numbers})) AS dealt") == str(len(set(lost))))
    print(f"{len(lost)} offers were lost, and dealt again after {took_s:.0f} s", flush=True)


def main():
    reference = "sqlite:" + os.path.join(room, "reference")
    prepare(reference)
    assert home_of(reference).start("season", "run", "cup", "--jobs", "16").wait() == 0
    expected = outcome(reference)
    print(f"{BUDGET} games were played in SQLite", flush=True)
    prepare(URL)
    daemons = [Daemon("first"), Daemon("second")]
    if SHORT: # before a worker plays the other groups meanwhile
        lose_offers()
    worker = Worker("worker")
    for number in range(ROUNDS):
        if number == 10:
            lose_offers()
        play_round(number, daemons)
    wait_for("the season to be played", lambda: played() == BUDGET, within_s=3600)
    for daemon in daemons:
        daemon.scheduler.stop()
    worker.stop()
    compare(expected, BUDGET)
    arena(URL, "store", "check", "--replays")
    print(f"{BUDGET} games: ladders, games and replays are those of one machine")


run(main)
