#!/bin/sh
# `arena status` for people: the whole text, from a status that is known; as JSON, the same bytes.
. tests/begin.inc

"$build/bin/arena" submit "$build/bots/random" >/dev/null
python3 - "$build/bin/arena" "$ARENA_HOME" <<'PYTHON'
import fcntl, json, os, subprocess, sys

arena, home = sys.argv[1:]

def status(*arguments):
    told = subprocess.run([arena, "status", *arguments], capture_output=True, text=True)
    return told.returncode, told.stdout, told.stderr

assert status() == (1, "no daemon runs on this home: `arena serve` starts one\n", ""), status()
known = {"running": True, "pid": 4711, "since": "2030-01-02T03:04:05Z", "games": 12,
         "games_per_s": 0.25, "playing_count": 2, "jobs": 3, "queue": 5,
         "longest_hold_us": 12345, "disk_free_bytes": 3 << 29,
         "seasons": [{"name": "spring", "games": 7, "budget": 20, "running": True},
                     {"name": "summer", "games": 0, "budget": 100, "running": False}],
         "errors": ["the disk is full", "so it is \u001b[31m"]}
with open(home + "/serve.json", "w") as file:
    json.dump(known, file)
lock = open(home + "/serve.lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
wanted = """\
runs        process 4711, since 2030-01-02T03:04:05Z
games       12, 0.25 a second, 2 under way on 3 jobs
queue       5 submissions
longest     12.345 ms in which the loop did not answer
disk        1.5 GiB free
seasons     2 open
  spring                                  7 of 20 games, played now
  summer                                  0 of 100 games
error       the disk is full
error       so it is \\x1b[31m
"""
code, text, errors = status()
assert (code, errors) == (0, ""), (code, errors)
assert text == wanted, text
code, text, errors = status("--json")
assert code == 0 and json.loads(text) == known, text
with open(home + "/serve.json", "w") as file:
    json.dump({**known, "jobs": 1, "queue": 1}, file)
assert "under way on 1 job\nqueue       1 submission\n" in status()[1], status()
with open(home + "/serve.json", "w") as file:
    json.dump(known, file)
# Of a league on a server that is away, the home tells as much.
os.environ["ARENA_STORE"] = "postgresql://nobody@127.0.0.1:1/none"
assert status() == (0, wanted, ""), status()
del os.environ["ARENA_STORE"]
lock.close()
assert status()[0] == 1, "nobody holds the lock"
PYTHON
