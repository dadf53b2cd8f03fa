#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A daemon that plays, publishes and answers, with one system call after another that fails in it, in its web process or
its desk, by strace: the daemon goes on; a process of it that ends is started again; the site is served as ever; the
games that it plays meanwhile are all played to their end.

usage: served.py BUILD [TRIES [PROCESS ...]]      TRIES failures a process (8), spread over its threads, their calls and
                                                  errors; PROCESS: serve, web, desk"""
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PROCESSES = sys.argv[3:] = sys.argv[3:] or ["serve", "web", "desk"]  # room.py takes them for commands: there are none such

from calls import DISK, ERRORS, errors_of
from room import ARENA, BOTS, SERVED, TRIES, URL, children_of, furnished, left_processes, serve, tell

PAGES = ["/", "/two/", "/api/v1/seasons", "/api/v1/seasons/two/ladder", "/api/v1/seasons/two/games", "/kits/c.zip", "/api/v1/me"]
CALL = re.compile(r"^(?:\[pid +\d+\] )?((\w+)\(.*)")
AWAIT_S = 60
# As long as a failure waits for its call; a trace lasts ten times as long.
LOOK_S = 0.5


def ask(path):
    try:
        with urllib.request.urlopen(urllib.request.Request(f"http://{URL[0]}{path}", headers={"Authorization": "Bearer " + os.environ["ARENA_TOKEN"]}),
                                    timeout=20) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code
    except OSError:
        return 0


def processes():
    """The daemon and those that it started, by the name of their commands."""
    found = {"serve": SERVED[0].pid}
    for child in children_of(SERVED[0].pid):
        try:
            with open(f"/proc/{child}/cmdline", encoding="utf-8") as line:
                words = line.read().split("\0")
        except OSError:
            continue
        if words[1:2] == ["aside"]:
            found[words[3]] = child
    return found


def is_traced(thread):
    try:
        with open(f"/proc/{thread}/status", encoding="utf-8") as status:
            return "TracerPid:\t0\n" not in status.read()
    except OSError:
        return False


def watch(thread, seconds, *options):
    """Asks for pages while strace watches a thread; returns what strace wrote."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as written:
        strace = subprocess.Popen(["strace", "-qq", "-y", "-s", "16", *options, "-p", thread], stderr=written, start_new_session=True)
        while strace.poll() is None and not is_traced(thread):
            time.sleep(0.05)
        end = time.monotonic() + seconds
        for page in itertools.cycle(PAGES):
            ask(page)
            if time.monotonic() > end:
                break
        strace.terminate()
        strace.wait()
        written.seek(0)
        return written.read()


def cases_of(name):
    """(thread's number among those of the process, call, error) of a process while it serves and plays."""
    cases = {}
    threads = sorted(os.listdir(f"/proc/{processes()[name]}/task"), key=int)
    for number, thread in enumerate(threads[:8]):
        for line in watch(thread, 10 * LOOK_S).splitlines():
            call = CALL.match(line)
            if call and call[2] in ERRORS:
                # Which read or write fails is not known beforehand: it may be one of a bot's pipe, which has no errors of a disk.
                errors = [error for error in errors_of(call[1]) if error not in DISK or call[2] not in ("read", "write", "writev")]
                cases |= {(number, call[2], error): None for error in errors}
    return list(cases)


def goes_on(name):
    """Whether the process, or another one for it, serves the site again."""
    end = time.monotonic() + AWAIT_S
    while time.monotonic() < end and SERVED[0].poll() is None:
        if ask("/") == 200 and ask("/api/v1/seasons") == 200 and name in processes():
            return True
        time.sleep(0.1)
    return False


def main(room):
    faults = []
    table = {}
    home = dict(os.environ, ARENA_HOME=room + "/served")
    for words in ([["submit", "--check-games=1", BOTS + bot] for bot in ("random", "greedy")] + [["season", "new", "two", "--budget=1000000"]]):
        subprocess.run([ARENA, *words], env=home, check=True, stdout=subprocess.DEVNULL)
    with open(room + "/log", "w", encoding="utf-8") as log:
        serve(room, log, "--every=1")
    for name in PROCESSES:
        assert goes_on(name), name
        cases = cases_of(name)
        chosen = [cases[(2 * i + 1) * len(cases) // (2 * TRIES)] for i in range(min(TRIES, len(cases)))] if TRIES else cases
        row = table[f"serve ({name})" if name != "serve" else name] = [len(chosen), len(cases), 0, 0, 0, 0]
        for count, (number, call, error) in enumerate(chosen):
            before = processes()[name]
            threads = sorted(os.listdir(f"/proc/{before}/task"), key=int)
            watch(threads[min(number, len(threads) - 1)], LOOK_S, "-e", f"inject={call}:error={error}:when={1 + count % 4}")
            if not goes_on(name):
                faults.append(f"{name}, thread {number}, {call} {error}: {'the site is not served' if SERVED[0].poll() is None else 'the daemon ended'}")
                row[5] += 1
                if SERVED[0].poll() is not None:
                    break
            row[2 if processes().get(name) == before else 3] += 1
    SERVED[0].terminate()
    if status := SERVED.pop().wait(timeout=200):
        faults.append(f"the daemon ended with status {status}")
    if left := left_processes():
        faults.append(f"{left} processes left")
    checked = subprocess.run([ARENA, "store", "check", "--replays"], env=home, capture_output=True, text=True)
    if checked.returncode:
        faults.append(checked.stdout + checked.stderr)
    games = subprocess.run([ARENA, "games", "two"], env=home, capture_output=True, text=True).stdout
    faults += [f"blamed a bot: {line}" for line in games.splitlines() if re.search(r"\((?!played)\w+\)", line)]
    with open(room + "/log", encoding="utf-8", errors="replace") as log:
        words = log.read()
    faults += [f"said {line}" for line in words.splitlines() if re.search("damaged|AddressSanitizer|must be installed|not admitted", line)]
    tell("calls", table)
    print(games.count("\n"), "games,", words.count("\n"), "lines of the daemon")
    print("\n".join(faults + ([words[-3000:]] if faults else [])))
    return bool(faults)


if not shutil.which("strace"):
    sys.exit("strace is not installed")
with furnished() as folder:
    sys.exit(main(folder))
