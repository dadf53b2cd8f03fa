# SPDX-License-Identifier: MIT
"""Plays one season with three workers on a PostgreSQL server, through all that can go wrong, and
compares what it ends with, times and workers aside, with the same season played on one machine in
SQLite. One worker is killed; one is stopped past its lease and continued; one loses its connection
while it commits, again and again; the server is killed and started again. With --short only a kill
and cut connections.

usage: season.py BUILD [--short]        (with_server sets POSTGRES_TEST_*)"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from league import LEASE_S, PORT, URL, Scheduler, Worker, arena, compare, control_server, outcome, played, prepare, room, \
    run, sql, wait_for

SHORT = "--short" in sys.argv
BUDGET = 24 if SHORT else 400


# ---- the server ----

def kill_server():
    with open(os.environ["POSTGRES_TEST_FOLDER"] + "/data/postmaster.pid") as file:
        pid = int(file.readline())
    os.kill(pid, signal.SIGKILL)
    wait_for("the server to die", lambda: not sql("SELECT 1"))
    time.sleep(3)
    control_server("start")


class SmallDisk:
    """A file system of its own for replays, which can be filled. As root only."""

    def __init__(self):
        self.folder = os.environ["POSTGRES_TEST_FOLDER"] + "/disk" # where the server may enter
        os.makedirs(self.folder)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m,mode=777", "tmpfs", self.folder], check=True)
        space = os.path.join(self.folder, "space")
        os.makedirs(space)
        shutil.chown(space, "postgres", "postgres")
        sql(f"CREATE TABLESPACE small LOCATION '{space}'")
        sql("ALTER TABLE inbox SET TABLESPACE small")
        assert sql("SELECT reltablespace <> 0 FROM pg_class WHERE relname = 'inbox'") == "t"

    def fill(self):
        with open(os.path.join(self.folder, "filler"), "wb", buffering=0) as file:
            for size in (65536, 4096): # to the last page
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    pass

    def empty(self):
        os.unlink(os.path.join(self.folder, "filler"))

    def remove(self):
        subprocess.run(["umount", "--lazy", self.folder], check=True)


# ---- a connection that is cut in mid-commit ----

class Cutter:
    """Passes bytes on to the server; every few results it passes the request and not the answer, or
    not even the request."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.seen = self.cuts = 0
        self.late_fn = None # called once, before a result that is under way reaches the server
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", PORT))
            except OSError:
                client.close()
                continue
            cut = threading.Event()
            threading.Thread(target=self.forward, args=(client, server, cut), daemon=True).start()
            threading.Thread(target=self.back, args=(server, client, cut), daemon=True).start()

    def forward(self, client, server, cut):
        try:
            while data := client.recv(1 << 20):
                if b"worker_deliver" in data and self.late_fn:
                    late_fn, self.late_fn = self.late_fn, None
                    late_fn()
                elif b"worker_deliver" in data:
                    self.seen += 1
                    if self.seen % 3 == 1:
                        cut.set()
                        self.cuts += 1
                        if self.cuts % 2:
                            server.sendall(data) # and the rest, so that it is whole
                            client.settimeout(0.3)
                            try:
                                while rest := client.recv(1 << 20):
                                    server.sendall(rest)
                            except TimeoutError:
                                pass
                            time.sleep(0.5)
                        break
                server.sendall(data)
        except OSError:
            pass
        self.close(client, server)

    def back(self, server, client, cut):
        try:
            while (data := server.recv(1 << 20)) and not cut.is_set():
                client.sendall(data)
        except OSError:
            pass
        if not cut.is_set():
            self.close(client, server)

    @staticmethod
    def close(*ends):
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def bring_late(worker, cutter):
    """While a result is on its way to the server, another claims the group: it is not kept."""
    holder = f"(SELECT id FROM worker WHERE name = '{worker.name}' AND ended_us IS NULL)"
    stolen = []

    def steal():
        stolen.append(sql(
            "UPDATE dealt_group SET worker = (SELECT id FROM worker WHERE name = 'thief'),"
            " token = nextval('lease_token'), held_until = clock_timestamp() + interval '3 s'"
            f" WHERE worker = {holder} RETURNING number").split())

    sql("SELECT worker_hello('\\x07070707070707070707070707070707', '1', 'thief', 'h', 'p', 'x86_64', 2, 1, 1, 1)")
    refused = worker.count("refused")
    cutter.late_fn = steal
    wait_for("a result that comes late", lambda: stolen)
    wait_for("it to be refused", lambda: worker.count("refused") > refused)
    assert stolen[0], "no group was held by who brought a result"
    assert "this worker took too long, and another worker plays the group now" in worker.text()
    print("a result that came after another's claim was refused", flush=True)


def fill_disk(disk, workers):
    """The work pauses once the pages that the server has left are used, says so once, and goes on."""
    def lost():
        return [worker.count("store lost") for worker in workers]

    def stands_still(): # a game that finds room in a page is no pause
        before = played(), lost()
        time.sleep(2 * LEASE_S)
        return (played(), lost()) == before

    at_first, before = lost(), played()
    disk.fill()
    wait_for("a full disk to be told", lambda: lost() != at_first)
    wait_for("the work to pause without another word", stands_still)
    paused = played()
    assert paused < BUDGET, "the season was over before the disk was full"
    disk.empty()
    wait_for("the workers to go on", lambda: all(
        worker.count("store lost") == worker.count("store back") for worker in workers))
    wait_for("games to be stored again", lambda: played() > paused)
    print(f"the server's disk was full: {paused - before} games found room in its last pages, then none in"
          f" {2 * LEASE_S} s", flush=True)


def play(disks):
    reference = "sqlite:" + os.path.join(room, "reference")
    prepare(reference, BUDGET)
    arena(reference, "season", "run", "cup", "--jobs", "2")
    expected = outcome(reference)
    prepare(URL, BUDGET)
    disk = SmallDisk() if not SHORT and os.geteuid() == 0 else None
    disks.append(disk)
    scheduler = Scheduler()
    cutter = Cutter()
    victim, plain = Worker("victim"), Worker("plain")
    unlucky = Worker("unlucky", cutter.port)
    wait_for("the first games", lambda: played() >= 2)
    wait_for("a group to be held", victim.leases)
    victim.process.kill()
    print(f"a worker was killed after {played()} games", flush=True)
    if not SHORT:
        victim = Worker("victim") # under the same name
        wait_for("a group to be held", plain.leases)
        plain.process.send_signal(signal.SIGSTOP)
        scheduler.process.send_signal(signal.SIGSTOP) # else a fast machine ends the season meanwhile
        before = played()
        wait_for("its groups to be others'", lambda: not plain.leases())
        print(f"a worker was stopped after {before} games; its groups were claimed", flush=True)
        scheduler.process.send_signal(signal.SIGCONT)
        plain.process.send_signal(signal.SIGCONT)
        wait_for("it to claim again", plain.leases)
        bring_late(unlucky, cutter)
        if disk:
            fill_disk(disk, (plain, victim, unlucky))
        kill_server()
        print(f"the server was killed and started after {played()} games", flush=True)
        for worker in (plain, victim):
            wait_for("a worker to go on", lambda: worker.count("store back") > 0)
    wait_for("the season to be played", lambda: played() == BUDGET)
    scheduler.wait()
    for worker in (plain, unlucky) + (() if SHORT else (victim,)):
        summary = worker.stop()
        print(worker.name, summary["games"], "games,", summary["refused"], "refused", flush=True)
    assert cutter.cuts > 0, "no connection was cut"
    print(f"{cutter.cuts} connections were cut in mid-commit")
    compare(expected, BUDGET)
    if not SHORT: # each loss was said once
        for worker in (plain, victim):
            assert worker.count("store lost") == worker.count("store back"), worker.text()
    print(f"{BUDGET} games: ladders, games and replays are those of one machine")


def main():
    disks = []
    try:
        play(disks)
    finally:
        for disk in filter(None, disks):
            disk.remove()


run(main)
