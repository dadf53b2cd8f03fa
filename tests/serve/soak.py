# SPDX-License-Identifier: MIT
"""What tests/soak.sh runs: see there.

usage: soak.py BUILD SECONDS"""

import collections
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
import home as homes
from home import BUILD, Home, descendants, wait_until

SECONDS = int(sys.argv[2])
GOOD = ["greedy", "random", "lookahead"]
LOOK_S, SUBMIT_S, SEASON_S = 10, 5, 20
JOBS = 2
KINDS = []  # of descriptors, a look each

# Bots that go wrong while they play, but not while they are checked alone: by chance.
SLOW = """#!/usr/bin/env python3
import os, sys, time
%s
os.execv("./random", ["./random"])
"""
HOSTILE = {
    "sleeper": "time.sleep(0.8 if os.urandom(1)[0] < 40 else 0)",
    "quitter": "sys.exit(3) if os.urandom(1)[0] < 40 else None",
    "shouter": "sys.stderr.write('x' * 200000); sys.stderr.flush()",
    "forker": "[os.fork() == 0 and time.sleep(600) for _ in range(1)] "
              "if os.urandom(1)[0] < 40 else None",
}


def make_bot(folder, name, body=None, build=None):
    keys = {"run": ["python3", "hostile.py"]} if body else {}
    homes.make_bot(folder, "random", name=name, version=str(time.time_ns()), author="author of " + name,
                   **keys, **({"build": build} if build else {}))
    if body:
        with open(os.path.join(folder, "hostile.py"), "w") as file:
            file.write(SLOW % body)
        os.chmod(os.path.join(folder, "hostile.py"), 0o755)


def descriptors_of(pid):
    """How many of each kind: the files' names, numbers left out."""
    kinds = collections.Counter()
    for descriptor in os.listdir(f"/proc/{pid}/fd"):
        try:
            name = os.readlink(f"/proc/{pid}/fd/{descriptor}")
        except OSError:
            continue  # closed meanwhile
        kinds[re.sub(r"arena-stage-\w+|\d+", "N", name)] += 1
    return kinds


def look(home, daemon, began):
    status = json.loads(home.arena("status", "--json"))
    memory = next(int(line.split()[1]) for line in open(f"/proc/{daemon.pid}/status")
                  if line.startswith("VmRSS"))
    KINDS.append(descriptors_of(daemon.pid))
    return {"s": int(time.monotonic() - began), "games": status["games"],
            "memory_kb": memory, "descriptors": KINDS[-1].total(),
            "processes": len(descendants(daemon.pid)), "folders": len(os.listdir(home.folder + ".tmp")),
            "queue": status["queue"], "errors": len(status["errors"]),
            "hold_ms": status["longest_hold_us"] // 1000,
            "store_mb": os.path.getsize(home.folder + "/arena.db") >> 20}


def turn_seasons(home, number):
    """A season that ends by its budget; the one before is closed. Every one that rests is loaded
    again, because a bot goes and comes back."""
    home.arena("season", "new", f"short-{number}", "--budget", "4", "--clock",
          "turn=300,bank=500,start=5000")
    if number >= 3:
        home.arena("season", "close", f"short-{number - 3}", statuses=(0, 2))
    home.arena("retire", "random")
    home.arena("retire", "random", "--undo")


def least(rows, key):
    """What is held with the least under way: on a busy machine more is under way, which is no leak."""
    return min(row[key] for row in rows)


def judge(rows):
    """Between the second and the last quarter nothing but the store may grow."""
    quarter = len(rows) // 4
    early, late = rows[quarter:2 * quarter], rows[-quarter:]
    allowed = {"memory_kb": lambda was: was * 1.15 + 4096, "descriptors": lambda was: was + 8,
               "processes": lambda was: was + 8, "folders": lambda was: was + 4}
    grown = [f"{key}: {least(early, key)} -> {least(late, key)}" for key in allowed
             if least(late, key) > allowed[key](least(early, key))]
    assert rows[-1]["games"] > rows[0]["games"], "no games were played"
    return grown


def tell_kinds():
    """Prints which descriptors became more, in the mean of the same quarters."""
    quarter = len(KINDS) // 4
    early = sum(KINDS[quarter:2 * quarter], collections.Counter())
    late = sum(KINDS[-quarter:], collections.Counter())
    for kind, more in (late - early).most_common(10):
        print(f"{kind}: {early[kind] / quarter:.1f} -> {late[kind] / quarter:.1f}")


def main():
    room = tempfile.mkdtemp(prefix="soak-")
    home = Home(os.path.join(room, "home"))
    for bot in GOOD:
        home.arena("submit", os.path.join(BUILD, "bots", bot))
    for name, body in HOSTILE.items():
        make_bot(os.path.join(room, name), name, body)
        home.arena("submit", "--queue", os.path.join(room, name))
    for name, more in {"main": ["--keep", "forfeits+200"], "tables": ["--players", "2,3,4"],
                       "practice": ["--practice"]}.items():
        home.arena("season", "new", name, "--budget", "1000000", "--clock",
              "turn=300,bank=500,start=5000", *more)
    log = open(os.path.join(room, "log"), "a")
    daemon = home.start("serve", "--jobs", str(JOBS), "--site", home.folder + ".site", "--every", "5",
                        "--packages-a-day", "100000", "--json", output=log)
    began = time.monotonic()
    rows, submitted, next_submit, season_count = [], 0, 0, 0
    while time.monotonic() - began < SECONDS:
        time.sleep(min(LOOK_S, SUBMIT_S))
        assert daemon.poll() is None, open(os.path.join(room, "log")).read()[-3000:]
        if time.monotonic() - began >= next_submit:
            next_submit += SUBMIT_S
            folder = os.path.join(room, "handed-in")
            make_bot(folder, f"late-{submitted % 3}", build=["false"] if submitted % 4 else None)
            home.arena("submit", "--queue", folder)
            shutil.rmtree(folder)
            submitted += 1
        if time.monotonic() - began >= season_count * SEASON_S:
            turn_seasons(home, season_count)
            season_count += 1
        if len(rows) * LOOK_S > time.monotonic() - began:
            continue
        rows.append(look(home, daemon, began))
        if len(rows) == 1:
            print("  ".join(f"{key:>11}" for key in rows[0]))
        print("  ".join(f"{value:>11}" for value in rows[-1].values()), flush=True)
    grown = judge(rows) if len(rows) >= 8 else []
    if grown:
        tell_kinds()
    # An admission that is cut short leaves its folder to the next daemon.
    wait_until("the end of admissions", lambda: json.loads(home.arena("status", "--json"))["queue"] == 0)
    daemon.send_signal(signal.SIGTERM)
    status = daemon.wait(120)
    left = os.listdir(home.folder + ".tmp")
    assert status == 0, f"the daemon ended with {status}"
    assert not left, f"folders left: {left}"
    assert not grown, "grown: " + "; ".join(grown)
    assert home.arena("store", "check")
    print(f"flat: {rows[-1]['games']} games, {submitted} submissions, {season_count} seasons begun "
          f"in {SECONDS} s")
    shutil.rmtree(room)


main()
