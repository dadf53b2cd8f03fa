# SPDX-License-Identifier: MIT
"""The arena plays on, and its deadlines hold, where the kernel refuses to watch most of its
descriptors, since the account's watches of epoll are gone: some rows of hostile.py, with the same
results. A match of which a single epoll_ctl fails is the same match, whichever call and error it
is; with none that succeeds, SIGTERM ends the arena.

usage: watches.py BUILD
"""
import errno
import os
import re
import subprocess
import sys

import hostile
from rows import Arena, play_rows

PATIENCE_S = 300  # an arena that waits for what it does not watch waits for ever
WORDS = [
    "never answers hello", "silent later", "late by 300 ms", "uses up its bank", "drips its ready",
    "closes its output and", "exits", "kills itself", "mounts", "four: out one",
]
ERRORS = [errno.ENOSPC, errno.EIO, errno.ENOMEM]
CALLS = 12  # more than a match of two bots has
SEED = "--seed=00000000000000000000000000000001"
RESULT = re.compile(r"^\S+-0 .*$", re.MULTILINE)  # 000000-0   2. random 38  1. greedy 68


class Refused(Arena):
    def prefix(self):
        library = os.path.dirname(self.hostile) + "/refuse_watches.so"
        return ["timeout", "-s", "KILL", str(PATIENCE_S), "env", f"LD_PRELOAD={os.path.abspath(library)}",
                f"ASAN_OPTIONS={os.environ.get('ASAN_OPTIONS', '')}:verify_asan_link_order=0"]


def match(arena, refuse, *options):
    bots = os.path.dirname(arena.hostile) + "/../bots"
    environment = dict(os.environ, ARENA_HOME=arena.folder) | ({"REFUSE": refuse} if refuse else {})
    return subprocess.Popen(arena.command("match", SEED, *options, bots + "/random", bots + "/greedy"), text=True,
                            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ended(process):
    out, err = process.communicate()
    return process.returncode, RESULT.findall(out), err


def one_refused(arena):
    """What is wrong with matches in which one call fails."""
    wrong = []
    good = ended(match(arena, f"{CALLS * 1000} {errno.EIO}", "--games=1"))
    if good[0] != 0 or not good[1]:
        return [f"a match with no call refused: {good}"]
    for number in range(1, CALLS + 1):
        refuse = f"{number} {ERRORS[number % len(ERRORS)]}"
        seen = ended(match(arena, refuse, "--games=1"))
        if seen != good:
            wrong.append(f"call and error {refuse}: {seen}, without it {good}")
    for error in ERRORS:
        seen = ended(match(arena, f"0 {error}", "--games=1"))
        if seen != good:
            wrong.append(f"each call with error {error}: {seen}, without it {good}")
    return wrong


def stopped(arena):
    """What is wrong with how SIGTERM ends a long match in which each call fails."""
    process = match(arena, f"0 {errno.ENOSPC}", "--games=100000")
    for line in process.stdout:
        if RESULT.match(line):  # it plays
            break
    process.terminate()  # `timeout` passes it on
    err = process.communicate()[1]
    return [] if process.returncode == 1 and "stopped after" in err else [f"SIGTERM: status {process.returncode}, {err}"]


def main():
    build = sys.argv[1]
    rows = [row for row in hostile.ROWS if any(word in row.rule for word in WORDS)]
    arena = Refused(build + "/bin/arena", build + "/hostile/hostile")
    failed = play_rows(arena, rows, 4)
    wrong = one_refused(arena) + stopped(arena)
    print("\n".join(wrong))
    arena.close()
    sys.exit(1 if failed or wrong else 0)


if __name__ == "__main__":
    main()
