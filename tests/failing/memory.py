#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each command with one allocation that fails: it does all as ever; or it says that memory was lacking, with
status 1, and leaves nothing that is incomplete.

usage: memory.py BUILD [TRIES]      TRIES a command, spread over its allocations (6); 0: each of them"""
import collections
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
TRIES = int(sys.argv[2]) if len(sys.argv) > 2 else 6
ARENA = BUILD + "/bin/arena"
FAILING = BUILD + "/bin/arena_failing"
COMMANDS = [["ladder", "cup"], ["ladder", "cup", "--json"], ["games", "cup", "--json"], ["season", "show", "cup"],
            ["replay", "cup-000000-0"], ["replay", "cup-000000-0", "--json"], ["bots", "--json"],
            ["replay", "cup-000000-0", "--html", "OUT/match.html"], ["explain", "cup-000000-0"],
            ["rate", "OUT/../games/games.csv"], ["store", "check", "--replays"], ["store", "backup", "OUT/copy.db"],
            ["export", "cup", "OUT/export"], ["publish", "OUT/site"], ["author", "new", "ada"]]
OTHERS = {"copy.db", "site.keys"}  # files that differ from run to run
faults = []
tally = collections.Counter()


def files(folder):
    """The files below a folder: their names, and hashes of what they contain."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            if name not in OTHERS and not os.path.islink(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


def run(room, number, command, at):
    """Runs a command in a copy of the home; returns its result, the files that it wrote and how often it allocated."""
    home, out, count = (f"{room}/{number}/{name}" for name in ("home", "out", "count"))
    os.makedirs(out)
    shutil.copytree(room + "/home", home)
    os.symlink(room + "/games", f"{room}/{number}/games")
    environment = dict(os.environ, ARENA_HOME=home, FAIL_AT=str(at), FAIL_COUNT=count, ASAN_OPTIONS="detect_leaks=0:abort_on_error=1")
    result = subprocess.run([FAILING, *(word.replace("OUT", out) for word in command)], env=environment,
                            capture_output=True, stdin=subprocess.DEVNULL, timeout=300)
    wrote = files(out)
    calls = int(open(count).read()) if os.path.exists(count) else 0
    shutil.rmtree(f"{room}/{number}")
    return result, wrote, calls


def try_command(room, command):
    good, wrote, calls = run(room, "good", command, 0)
    assert good.returncode == 0 and calls > 0, (command, good)
    tries = range(1, calls + 1) if not TRIES or calls <= TRIES else sorted({1 + i * calls // TRIES for i in range(TRIES)})
    for at in tries:
        result, left, _ = run(room, "try", command, at)
        said = result.stderr.decode(errors="replace")
        case = f"arena {' '.join(command)}, allocation {at} of {calls}"
        if result.returncode == 0:
            tally["as ever"] += 1
            if result.stdout.replace(b"/try/", b"/good/") != good.stdout or left != wrote:
                faults.append(f"{case}: status 0, but not all is there")
        elif result.returncode == 1 and "memory" in said and said.count("\n") <= 2:
            tally["out of memory"] += 1
            if any(wrote.get(name, seal) != seal for name, seal in left.items()):
                faults.append(f"{case}: left an incomplete file")
        else:
            faults.append(f"{case}: status {result.returncode}: {said[:600]}{result.stdout[-300:]!r}")


def main(room):
    os.mkdir(room + "/home", 0o700)
    os.environ["ARENA_HOME"] = room + "/home"
    for command in (["submit", BUILD + "/bots/random"], ["submit", BUILD + "/bots/greedy"], ["season", "new", "cup", "--budget", "4"],
                    ["season", "run", "cup"], ["export", "cup", room + "/games"]):
        subprocess.run([ARENA, *command], check=True, stdout=subprocess.DEVNULL, timeout=300)
    for command in COMMANDS:
        try_command(room, command)
    print(f"{sum(tally.values())} failed allocations: {dict(tally)}")
    print("\n".join(faults))
    return bool(faults)


with tempfile.TemporaryDirectory() as folder:
    sys.exit(main(folder))
