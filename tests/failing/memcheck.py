#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each command that runs no bot under valgrind's memcheck: it ends as ever, and memcheck finds no use of memory that
was freed, not written or not the program's, and none that was lost.

usage: memcheck.py BUILD [0 [WORD ...]]      WORD ...: only the commands that begin with these"""
import os
import shutil
import sys

from room import ARENA, COMMANDS, PLAYING, furnished, run

FOUND = 99  # valgrind's status then


def main(room):
    faults = []
    log = room + "/found"
    valgrind = ["valgrind", "-q", f"--error-exitcode={FOUND}", "--trace-children=no", "--child-silent-after-fork=yes", "--leak-check=full",
                "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite",
                f"--log-file={log}.%p", ARENA]
    for command in COMMANDS:
        if command in PLAYING or command[0] == "submit":  # openat2, which reads a bot's folder, is unknown to valgrind 3.19
            continue
        outcome = run(room, command, valgrind, {}, True)
        wrong = outcome.wrong + ([f"status {outcome.status}: {outcome.stderr}"] if outcome.status else [])
        for name in sorted(os.listdir(room)):
            if name.startswith("found."):
                with open(f"{room}/{name}", encoding="utf-8", errors="replace") as file:
                    wrong += [text for text in [file.read()] if text.strip()]
                os.remove(f"{room}/{name}")
        print(f"arena {' '.join(command)}: {len(wrong)} faults", flush=True)
        faults += [f"arena {' '.join(command)}: {fault}" for fault in wrong]
    print("\n".join(faults))
    return bool(faults)


if not shutil.which("valgrind"):
    sys.exit("valgrind is not installed")
with furnished() as folder:
    sys.exit(main(folder))
