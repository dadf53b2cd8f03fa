# SPDX-License-Identifier: MIT
"""What tests of workers share: a season on one machine, the same on a PostgreSQL server, and what it
ends with, times and workers aside. with_server sets POSTGRES_TEST_*."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
from home import ARENA, BUILD, Home, exported, make_bot, table, timeless, wait_until as wait_for

URL = os.environ["POSTGRES_TEST_URL"]
PORT = int(os.environ["POSTGRES_TEST_PORT"])
BOTS = ["greedy", "random", "greedy-python"]
LEASE_S = 4
room = tempfile.mkdtemp(prefix="workers-")
processes = []


def home_of(store):
    home = Home(room + "/home")
    home.environment["ARENA_STORE"] = store
    return home


def arena(store, *arguments):
    return home_of(store).arena(*arguments)


def outcome(store):
    """What a season ends with."""
    return exported(home_of(store), "cup") | {
        "live": table(arena(store, "ladder", "cup", "--csv")),
        "final": table(arena(store, "ladder", "cup", "--final", "--csv")),
        "told": timeless(home_of(store).lines("games", "cup"))}


def prepare(store, budget):
    for bot in BOTS:
        arena(store, "submit", os.path.join(BUILD, "bots", bot))
    arena(store, "season", "new", "cup", "--seed", "5" * 32, "--budget", str(budget), "--clock",
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


# ---- workers ----

class Worker:
    def __init__(self, name, port=PORT, around=(), jobs=2, user="postgres", options=()):
        self.log = open(os.path.join(room, f"{name}-{len(processes)}.log"), "w+")
        store = URL.replace(f"postgres@127.0.0.1:{PORT}/", f"{user}@127.0.0.1:{port}/")
        environment = dict(os.environ, ARENA_STORE=store, ARENA_HOME=room)
        self.process = subprocess.Popen(
            [*around, ARENA, "worker", "--name", name, "--lease", str(LEASE_S), "--jobs", str(jobs), "--json", "--cache",
             os.path.join(room, "cache-" + name), *options], env=environment, stdout=self.log, stderr=self.log)
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
        return sql("SELECT count(*) FROM dealt_group JOIN worker ON worker.id = dealt_group.worker WHERE"
                   f" name = '{self.name}'") not in ("", "0")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(120)
        assert status == 0, (self.name, status, self.text())
        assert self.count("stopped") == 1, self.text()
        summary = self.events()[-1]
        assert summary["event"] == "summary", self.text()
        return summary


class Scheduler:
    def __init__(self, *options, name="serve", port=PORT):
        self.log = open(os.path.join(room, f"{name}.log"), "w+")
        self.process = subprocess.Popen([ARENA, "serve", "--jobs", "0", *options], stdout=self.log, stderr=self.log,
                                        env=dict(os.environ, ARENA_STORE=URL.replace(f":{PORT}/", f":{port}/"),
                                                 ARENA_HOME=os.path.join(room, name)))
        processes.append(self.process)

    def text(self):
        with open(self.log.name) as file:
            return file.read()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(60) == 0, self.text()

    def wait(self):
        wait_for("the scheduler to rest", lambda: "the budget is spent" in self.text())
        self.stop()


def compare(expected, budget):
    result = outcome(URL)
    for what, value in expected.items():
        assert result[what] == value, f"{what} differs:\n{value}\n{result[what]}"
    assert sql("SELECT count(*) FROM game") == str(budget)
    assert sql("SELECT count(*) FROM game WHERE worker IS NULL OR delay_us IS NULL") == "0"
    assert sql("SELECT (SELECT count(*) FROM dealt_group) + (SELECT count(*) FROM inbox)") == "0"
    assert sql("SELECT count(*) FROM refusal") == "0", sql("SELECT words FROM refusal")
    told = json.loads(arena(URL, "workers", "--json"))["workers"]
    assert sum(worker["games"] for worker in told) == budget, told


def run(main):
    """Calls main; whatever comes of it, ends all processes. Shows their logs after a failure."""
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
