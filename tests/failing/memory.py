#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each command with one allocation that fails: it does all as ever; or it says that memory was lacking, with
status 1, and leaves nothing that is incomplete, no process, no folder of a run and a store without fault.

usage: memory.py BUILD [TRIES [WORD ...]]      TRIES a command, spread over its allocations (1); 0: each of them;
                                               WORD ...: only the commands that begin with these

In a build with sanitizers the allocations of the project's own objects fail (bin/arena_failing), else those of
libraries, too (bin/failing.so)."""
import os
import sys

from room import ARENA, BUILD, COMMANDS, TRIES, furnished, judge, run, tell, title, undisturbed

PRELOADED = BUILD + "/bin/failing.so"
PROGRAM, PRELOAD = (ARENA, {"LD_PRELOAD": PRELOADED}) if os.path.exists(PRELOADED) else (BUILD + "/bin/arena_failing", {})


CRASHES = ("archive_write_open2", "__nss_passwd_lookup2")  # of libarchive 3.6 and glibc 2.36, where they lack memory


def failing(room, command, at, **variables):
    """Runs a command whose allocation number `at` fails; returns how it ended."""
    return run(room, command, [PROGRAM], {"FAIL_IN": command[0], "FAIL_AT": str(at)} | PRELOAD | variables, True)


def count_of(room, command):
    """How a command ends without a failure, and how often it allocates."""
    count = room + "/count"
    good = undisturbed(room, command, [PROGRAM], {"FAIL_IN": command[0], "FAIL_AT": "0", "FAIL_COUNT": count} | PRELOAD)
    with open(count, encoding="ascii") as file:
        calls = int(file.read())
    os.remove(count)
    return good, calls


def main(room):
    faults = []
    table = {}
    for command in COMMANDS:
        good, calls = count_of(room, command)
        row = table.setdefault(title(command), [0] * 6)
        tries = range(1, calls + 1) if not TRIES or calls <= TRIES else sorted({(2 * i + 1) * calls // (2 * TRIES) + 1 for i in range(TRIES)})
        row[0] += len(tries)
        row[1] += calls
        before = len(faults)
        for at in tries:
            outcome = failing(room, command, at)
            if outcome.status < 0 and any(name in failing(room, command, at, FAIL_TRACE="1").stderr for name in CRASHES):
                row[4] += 1
                continue
            if outcome.status == 127 and "out of memory" in outcome.stderr and not outcome.wrong:
                row[4] += 1  # the loader's end, in dlopen
                continue
            told = "memory" in outcome.stderr or command[0] == "doctor" and b"memory" in outcome.stdout
            wrong = judge(good, outcome, told)
            faults += [f"arena {' '.join(command)}, allocation {at} of {calls}: {fault}" for fault in wrong]
            row[2 if outcome.status == 0 else 3 if outcome.status == 1 else 4] += 1
            row[5] += bool(wrong)
            if wrong and TRIES != 1:
                print(faults[-1], flush=True)
        if TRIES != 1:
            print(f"arena {' '.join(command)}: {len(tries)} of {calls} allocations, {len(faults) - before} faults", flush=True)
    tell("allocations", table)
    print("\n".join(faults))
    return bool(faults)


with furnished() as folder:
    sys.exit(main(folder))
