# SPDX-License-Identifier: MIT
"""The hardening of what users run: _FORTIFY_SOURCE=3 and the stack protector in each command that compiles
for them; in each program and library a place that changes, addresses that are bound and made read-only at the
start, a stack that is not executable.

usage: hardening.py BUILD               a release build
       hardening.py LOG FOLDER...       the log of a package's build, and folders with what it made
"""
import json
import os
import subprocess
import sys

# Without the C library, or of the tests: `attack` must crash by itself.
WITHOUT = ("/sandbox/keeper.c", "/sandbox/attempt.c", "/tests/hostile/")


def commands(path):
    if path.endswith(".json"):
        return [row["command"].split() for row in json.load(open(path))]
    lines = (line.split() for line in open(path, errors="replace"))
    return [words for words in lines if "-c" in words and words[-1].endswith((".c", ".s", ".S"))]


def wrong_command(words):
    source = words[words.index("-c") + 1]
    if not source.endswith(".c") or any(part in source for part in WITHOUT):
        return
    levels = [word for word in words if "_FORTIFY_SOURCE" in word]
    if levels[-1:] != ["-D_FORTIFY_SOURCE=3"]:
        yield f"{source}: compiled with {' '.join(levels) or 'no _FORTIFY_SOURCE'}"
    if not any(word in ("-O2", "-O3") for word in words):
        yield f"{source}: not optimised, so _FORTIFY_SOURCE does nothing"
    if "-fstack-protector-strong" not in words:
        yield f"{source}: compiled without -fstack-protector-strong"


def wrong_program(path):
    def readelf(*options):
        return subprocess.run(["readelf", "-W", *options, path], capture_output=True, text=True, check=True).stdout

    dynamic, segments = readelf("-d"), readelf("-l")
    stack = [line.split() for line in segments.splitlines() if "GNU_STACK" in line]
    found = {
        "at a fixed place": "DYN" not in readelf("-h"),
        "addresses stay writable": "GNU_RELRO" not in segments or "NOW" not in dynamic,
        "its stack is executable": not stack or "E" in stack[0][6],
        "its code is written to at the start": "TEXTREL" in dynamic,
    }
    return [f"{path}: {fault}" for fault, is_so in found.items() if is_so]


def is_program(path):
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16] in (2, 3)  # programs and shared libraries, not objects


def main():
    if len(sys.argv) == 2:
        build = sys.argv[1]
        if "CMAKE_BUILD_TYPE:STRING=Release" not in open(f"{build}/CMakeCache.txt").read():
            print(f"{build} is not a release build")
            sys.exit(77)
        log, folders = f"{build}/compile_commands.json", [f"{build}/{name}" for name in ("bin/arena", "bots", "python", "sdk")]
    else:
        log, folders = sys.argv[1], sys.argv[2:]
    wrong, compiled, programs = [], 0, 0
    for words in commands(log):
        compiled += 1
        wrong += wrong_command(words)
    for folder in folders:
        inside = [folder] if os.path.isfile(folder) else [
            os.path.join(at, name) for at, _, names in os.walk(folder) for name in sorted(names)]
        for path in filter(is_program, inside):
            programs += 1
            wrong += wrong_program(path)
    for line in wrong:
        print(line)
    assert compiled >= 150 and programs >= 7, f"only {compiled} commands and {programs} programs were found"
    sys.exit(1 if wrong else 0)


main()
