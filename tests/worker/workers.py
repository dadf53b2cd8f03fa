"""Plays one season with three workers on a PostgreSQL server, through all that can go wrong, and
compares what it ends with, times and workers aside, with the same season played on one machine in
SQLite. One worker is killed; one is stopped past its lease and continued; one loses its connection
while it commits, again and again; the server is killed and started again. With --short only a kill
and cut connections.

usage: workers.py BUILD [--short]        (with_server sets POSTGRES_TEST_*)"""

import csv
import io
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

BUILD = sys.argv[1]
SHORT = "--short" in sys.argv
ARENA = os.path.join(BUILD, "bin/arena")
URL = os.environ["POSTGRES_TEST_URL"]
PORT = int(os.environ["POSTGRES_TEST_PORT"])
BOTS = ["greedy", "random", "greedy-python"]
BUDGET = 24 if SHORT else 120
LEASE_S = 4
PATIENCE_S = 600
TIMES = {"us", "ms_mean", "ms_p99", "ms_max", "wall_us", "started", "worker", "processor", "delay_us",
         "layers"}
room = tempfile.mkdtemp(prefix="workers-")
processes = []


def arena(store, *arguments):
    environment = dict(os.environ, ARENA_STORE=store, ARENA_HOME=room)
    result = subprocess.run([ARENA, *arguments], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=environment)
    assert result.returncode == 0, (arguments, result.stdout, result.stderr)
    return result.stdout


def wait_for(what, holds):
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, f"waited {PATIENCE_S} s for {what}"
        time.sleep(0.1)


# ---- what a season ends with ----

def without_times(text):
    rows = list(csv.reader(io.StringIO(text)))
    kept = [i for i, name in enumerate(rows[0]) if name not in TIMES]
    return [[row[i] for i in kept] for row in rows]


def outcome(store):
    folder = os.path.join(room, "export")
    arena(store, "export", "cup", folder)
    with open(os.path.join(folder, "games.csv")) as file:
        games = without_times(file.read())
    with open(os.path.join(folder, "history.csv")) as file:
        history = file.read()
    replays = {}
    for name in sorted(os.listdir(os.path.join(folder, "replays"))):
        lines = arena(store, "replay", os.path.join(folder, "replays", name), "--json").splitlines()
        replays[name] = lines[-1]
    shutil.rmtree(folder)
    told = [{key: value for key, value in json.loads(line).items() if key not in TIMES}
            for line in arena(store, "games", "cup", "--json").splitlines()]
    return {"live": without_times(arena(store, "ladder", "cup", "--csv")),
            "final": without_times(arena(store, "ladder", "cup", "--final", "--csv")),
            "games": games, "history": history, "replays": replays, "told": told}


def prepare(store):
    for bot in BOTS:
        arena(store, "submit", os.path.join(BUILD, "bots", bot))
    arena(store, "season", "new", "cup", "--seed", "5" * 32, "--budget", str(BUDGET), "--clock",
          "turn=20000,bank=100000,start=60000")


# ---- the server ----

def sql(statement):
    return subprocess.run([os.environ["POSTGRES_TEST_BIN"] + "/psql", URL, "-qAtc", statement], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()


def played():
    text = sql("SELECT count(*) FROM game")
    return int(text) if text else -1


def control_server(*arguments):
    command = shlex.split(os.environ.get("POSTGRES_TEST_AS_OWNER", ""))
    folder = os.environ["POSTGRES_TEST_FOLDER"]
    subprocess.run([*command, os.environ["POSTGRES_TEST_BIN"] + "/pg_ctl", "-D", folder + "/data", "-o",
                    f"-p {PORT}", "-l", folder + "/log", "-w", *arguments], check=True, cwd="/",
                   stdout=subprocess.DEVNULL)


def kill_server():
    with open(os.environ["POSTGRES_TEST_FOLDER"] + "/data/postmaster.pid") as file:
        pid = int(file.readline())
    os.kill(pid, signal.SIGKILL)
    wait_for("the server to die", lambda: not sql("SELECT 1"))
    time.sleep(3)
    control_server("start")


# ---- a connection that is cut in mid-commit ----

class Cutter:
    """Passes bytes on to the server; every few results it passes the request and not the answer, or
    not even the request."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.seen = self.cuts = 0
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
                if b"worker_game" in data:
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
        for end in (client, server):
            end.close()

    def back(self, server, client, cut):
        try:
            while data := server.recv(1 << 20):
                if cut.is_set():
                    return
                client.sendall(data)
        except OSError:
            pass


# ---- workers ----

class Worker:
    def __init__(self, name, port=PORT):
        self.log = open(os.path.join(room, f"{name}-{len(processes)}.log"), "w+")
        store = URL.replace(f":{PORT}/", f":{port}/")
        environment = dict(os.environ, ARENA_STORE=store, ARENA_HOME=room)
        self.process = subprocess.Popen(
            [ARENA, "worker", "--name", name, "--lease", str(LEASE_S), "--jobs", "2", "--json", "--cache",
             os.path.join(room, "cache-" + name)], env=environment, stdout=self.log, stderr=self.log)
        processes.append(self.process)
        self.name = name

    def events(self):
        with open(self.log.name) as file:
            lines = [line for line in file if line.startswith("{")]
        return [json.loads(line) for line in lines]

    def count(self, event):
        return sum(told["event"] == event for told in self.events())

    def text(self):
        with open(self.log.name) as file:
            return file.read()

    def leases(self):
        return sql("SELECT count(*) FROM game_group JOIN worker ON worker.id = lease_worker WHERE"
                   f" name = '{self.name}'") not in ("", "0")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(120)
        assert status == 0, (self.name, status, self.text())
        assert self.count("stopped") == 1, self.text()
        summary = self.events()[-1]
        assert summary["event"] == "summary", self.text()
        return summary


def main():
    reference = "sqlite:" + os.path.join(room, "reference")
    prepare(reference)
    arena(reference, "season", "run", "cup", "--jobs", "2")
    expected = outcome(reference)
    prepare(URL)
    scheduler_log = open(os.path.join(room, "serve.log"), "w+")
    scheduler = subprocess.Popen([ARENA, "serve", "--jobs", "0"], stdout=scheduler_log, stderr=scheduler_log,
                                 env=dict(os.environ, ARENA_STORE=URL, ARENA_HOME=room))
    processes.append(scheduler)
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
        before = played()
        wait_for("its groups to be others'", lambda: not plain.leases())
        print(f"a worker was stopped after {before} games; its groups were claimed", flush=True)
        plain.process.send_signal(signal.SIGCONT)
        wait_for("its results to be refused", lambda: plain.count("refused") > 0)
        kill_server()
        print(f"the server was killed and started after {played()} games", flush=True)
        for worker in (plain, victim):
            wait_for("a worker to go on", lambda: worker.count("store back") > 0)
    wait_for("the season to be played", lambda: played() == BUDGET)
    wait_for("the scheduler to rest", lambda: "its budget is spent" in open(scheduler_log.name).read())
    for worker in (plain, unlucky) + (() if SHORT else (victim,)):
        summary = worker.stop()
        print(worker.name, summary["games"], "games,", summary["refused"], "refused", flush=True)
    assert cutter.cuts > 0, "no connection was cut"
    print(f"{cutter.cuts} connections were cut in mid-commit")
    scheduler.send_signal(signal.SIGTERM)
    assert scheduler.wait(60) == 0
    result = outcome(URL)
    for what, value in expected.items():
        assert result[what] == value, f"{what} differs:\n{value}\n{result[what]}"
    assert sql("SELECT count(*) FROM game") == str(BUDGET)
    assert sql("SELECT count(*) FROM game WHERE worker IS NULL OR delay_us IS NULL") == "0"
    assert sql("SELECT count(*) FROM game_group WHERE is_open OR lease_worker IS NOT NULL") == "0"
    if not SHORT: # each loss was said once
        for worker in (plain, victim):
            assert worker.count("store lost") == worker.count("store back"), worker.text()
    print(f"{BUDGET} games: ladders, games and replays are those of one machine")


try:
    main()
except BaseException:
    for name in sorted(os.listdir(room)):
        if name.endswith(".log"):
            with open(os.path.join(room, name)) as file:
                print(f"--- {name}\n{file.read()[-3000:]}", file=sys.stderr)
    raise
finally:
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.send_signal(signal.SIGCONT)
            process.wait()
    shutil.rmtree(room, ignore_errors=True)
