# SPDX-License-Identifier: MIT
"""What end-to-end tests in Python share: an arena's home with its commands, bots and daemons, processes, and
what a season left, times aside. The first argument of such a test is the build folder."""
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import time

BUILD = os.path.abspath(sys.argv[1])
ARENA = BUILD + "/bin/arena"
TIMES = {"us", "us_max", "wall_us", "delay_us", "longest_delay_us", "arena_us", "ms", "ms_mean", "ms_p99", "ms_max", "time", "idle_s", "started",
         "submitted", "retired", "banned", "created", "closing", "closed", "opened", "worker", "who", "processor", "layers"}


class Home:
    """An arena's home; copies of bots go to a folder beside it."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder + ".tmp", exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        self.environment = kept | {"ARENA_HOME": folder, "TMPDIR": folder + ".tmp"}

    def run(self, *arguments):
        return subprocess.run([ARENA, *arguments], text=True, capture_output=True, stdin=subprocess.DEVNULL,
                              timeout=1500, env=self.environment, check=False)

    def arena(self, *arguments, statuses=(0,)):
        """What a command prints; with another status than these the test has failed."""
        done = self.run(*arguments)
        assert done.returncode in statuses, (arguments, done)
        return done.stderr if done.returncode else done.stdout

    def start(self, *arguments, output=subprocess.DEVNULL):
        return subprocess.Popen([ARENA, *arguments], text=True, stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.STDOUT, env=self.environment)

    def lines(self, *arguments):
        return [json.loads(line) for line in self.arena(*arguments, "--json").splitlines()]


def make_bot(folder, base, **keys):
    """A copy of one of the arena's own bots, with other values in its bot.json."""
    shutil.copytree(f"{BUILD}/bots/{base}", folder, dirs_exist_ok=True)
    with open(folder + "/bot.json") as file:
        manifest = json.load(file) | keys
    with open(folder + "/bot.json", "w") as file:
        json.dump(manifest, file)
    return folder


def wait_until(what, holds, within_s=240):
    """Returns the seconds that it took."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < within_s, f"waited {within_s} s for: {what}"
        time.sleep(0.05)
    return time.monotonic() - began


# ---- processes ----

def processes():
    """pid -> (parent, start time, command line)"""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", errors="replace") as stat, open(f"/proc/{pid}/cmdline", "rb") as line:
                words = stat.read().rsplit(")", 1)[1].split()
                found[int(pid)] = (int(words[1]), words[19], line.read().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue
    return found


def processes_of(token):
    """Those whose command line has the token."""
    return [pid for pid, (_, _, line) in processes().items() if token in line]


def descendants(pid):
    every = processes()
    mine, grown = {pid}, True
    while grown:
        more = {other for other, (parent, _, _) in every.items() if parent in mine} - mine
        mine |= more
        grown = bool(more)
    return {other: every[other] for other in mine - {pid} if other in every}


# ---- what a season left, times aside ----

def timeless(value):
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in TIMES}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def table(text):
    """The rows of CSV."""
    rows = list(csv.reader(io.StringIO(text)))
    kept = [i for i, name in enumerate(rows[0]) if name not in TIMES]
    return [[row[i] for i in kept] for row in rows]


def exported(home, season, replays=True):
    """The games, the ratings' history and the replays of a season, whose export is then removed."""
    folder = home.folder + ".export"
    home.arena("export", season, folder)
    with open(folder + "/games.csv") as file:
        told = {"games.csv": table(file.read())}
    with open(folder + "/history.csv") as file:
        told["history.csv"] = file.read()
    for name in sorted(os.listdir(folder + "/replays")) if replays else (): # as text: 2,000 lists would take 2.5 GB
        told[name] = json.dumps(timeless(home.lines("replay", f"{folder}/replays/{name}")))
    shutil.rmtree(folder)
    return told
