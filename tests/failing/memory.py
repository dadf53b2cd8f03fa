#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each command with one allocation that fails: it does all as ever; or it says that memory was lacking, with
status 1, and leaves nothing that is incomplete, no process, no folder of a run and a store without fault.

usage: memory.py BUILD [TRIES [WORD ...]]      TRIES a command, spread over its allocations (1); 0: each of them;
                                               WORD ...: only the commands that begin with these

In a build with sanitizers the allocations of the project's own objects fail (bin/arena_failing), else those of
libraries, too (bin/failing.so)."""
import collections
import os
import sys
import tempfile

from room import ARENA, BUILD, COMMANDS, TRIES, furnish, judge, run

PRELOADED = BUILD + "/bin/failing.so"
PROGRAM, PRELOAD = (ARENA, {"LD_PRELOAD": PRELOADED}) if os.path.exists(PRELOADED) else (BUILD + "/bin/arena_failing", {})


CRASHES = ("archive_write_open2", "__nss_passwd_lookup2")  # of libarchive 3.6 and glibc 2.36, where they lack memory


def failing(room, command, at, **variables):
    """Runs a command whose allocation number `at` fails; returns how it ended, and how often it allocated."""
    count = room + "/count"
    outcome = run(room, command, [PROGRAM], {"FAIL_IN": command[0], "FAIL_AT": str(at), "FAIL_COUNT": count} | PRELOAD | variables, at > 0)
    if not os.path.exists(count):
        return outcome, 0
    with open(count, encoding="ascii") as file:
        calls = int(file.read())
    os.remove(count)
    return outcome, calls


def main(room):
    faults = []
    tally = collections.Counter()
    furnish(room)
    for command in COMMANDS:
        good, calls = failing(room, command, 0)
        assert good.status == 0 and not good.wrong, (command, good)
        tries = range(1, calls + 1) if not TRIES or calls <= TRIES else sorted({(2 * i + 1) * calls // (2 * TRIES) + 1 for i in range(TRIES)})
        before = len(faults)
        for at in tries:
            outcome, _ = failing(room, command, at)
            if outcome.status < 0 and any(name in failing(room, command, at, FAIL_TRACE="1")[0].stderr for name in CRASHES):
                tally["a library's crash"] += 1
                continue
            if outcome.status == 127 and "out of memory" in outcome.stderr and not outcome.wrong:
                tally["the loader's end"] += 1  # in dlopen
                continue
            told = "memory" in outcome.stderr or command[0] == "doctor" and b"memory" in outcome.stdout
            faults += [f"arena {' '.join(command)}, allocation {at} of {calls}: {fault}" for fault in judge(command, good, outcome, told)]
            tally[outcome.status] += 1
        if TRIES != 1:
            print(f"arena {' '.join(command)}: {len(tries)} of {calls} allocations, {len(faults) - before} faults", flush=True)
    print(f"{sum(tally.values())} failed allocations, by exit status: {dict(tally)}")
    print("\n".join(faults))
    return bool(faults)


with tempfile.TemporaryDirectory() as folder:
    sys.exit(main(folder))
