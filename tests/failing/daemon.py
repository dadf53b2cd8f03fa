#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A daemon, or a process that it starts, with one allocation that fails. The daemon goes on, or ends with a line
about memory and status 1; what is started again after it plays the season to the same end.

usage: daemon.py BUILD [TRIES [PROCESS ...]]     TRIES allocations of each process, each some times later than
                                                 the one before (1); PROCESS: serve, web, desk, publish, admit"""
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

from room import ARENA, BOTS, BUILD, ONLY, TRIES, furnished, left_processes

PRELOADED = BUILD + "/bin/failing.so"
PROGRAM, PRELOAD = (ARENA, {"LD_PRELOAD": PRELOADED}) if os.path.exists(PRELOADED) else (BUILD + "/bin/arena_failing", {})
LATEST = {"serve": 20000, "web": 4000, "desk": 8000, "publish": 30000, "admit": 5000}  # about as many as there are
PAGES = ["/", "/two/", "/api/seasons", "/api/seasons/two/ladder", "/api/seasons/two/games", "/kits/c.zip"]
WAIT_S = 240
PUT_OFF = "error submission"  # in the daemon's words


def play(home, variables):
    """A daemon on a copy of the arena until the season two is played and the site was asked for; returns how it
    ended, what it said, and the ladder."""
    environment = dict(os.environ, ARENA_HOME=home, TMPDIR=home + ".tmp") | variables
    plain = dict(os.environ, ARENA_HOME=home)
    subprocess.run([ARENA, "submit", "--queue", BOTS + "lookahead"], env=plain, check=True, stdout=subprocess.DEVNULL)
    port = 20000 + os.getpid() % 20000
    with open(home + ".log", "wb") as log:
        daemon = subprocess.Popen([PROGRAM, "serve", "--site", home + ".web/site", "--every", "1", "--web", f"127.0.0.1:{port}"],
                                  env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    began = time.monotonic()
    asked = 0
    while daemon.poll() is None and time.monotonic() - began < WAIT_S:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{PAGES[asked % len(PAGES)]}", timeout=20) as answer:
                answer.read()
        except OSError:
            pass  # the web process begins, was started again, or answers that it cannot
        asked += 1
        shown = subprocess.run([ARENA, "season", "show", "two"], env=plain, capture_output=True, text=True)
        queue = subprocess.run([ARENA, "submissions"], env=plain, capture_output=True, text=True)
        with open(home + ".log", encoding="utf-8", errors="replace") as log:
            put_off = PUT_OFF in log.read()  # and tried again after a pause, with the same failure
        if "0 games" in shown.stdout and (put_off or "waiting" not in queue.stdout) and "running" not in queue.stdout and asked > 2 * len(PAGES):
            break
        time.sleep(0.2)
    late = daemon.poll() is None and time.monotonic() - began >= WAIT_S
    if daemon.poll() is None:
        daemon.send_signal(signal.SIGTERM)
    try:
        status = daemon.wait(timeout=WAIT_S)
    except subprocess.TimeoutExpired:
        daemon.kill()
        status = "did not end"
    with open(home + ".log", encoding="utf-8", errors="replace") as log:
        words = log.read()
    ladder = subprocess.run([ARENA, "games", "two"], env=plain, capture_output=True, text=True).stdout
    return status, words + ("\n[the season did not end]" if late else ""), ladder


def main(room):
    faults = []
    for process in LATEST:
        if ONLY and process not in ONLY:
            continue
        for number in range(TRIES):
            at = max(1, int(LATEST[process] ** ((2 * number + 1) / (2 * TRIES))))
            home = f"{room}/{process}-{number}"
            shutil.copytree(room + "/home", home)
            os.mkdir(home + ".tmp")
            os.mkdir(home + ".web")
            case = f"allocation {at} of {process}"
            status, words, ladder = play(home, {"FAIL_IN": process, "FAIL_AT": str(at)} | PRELOAD)
            wrong = [] if status == 0 or status == 1 and "memory" in words else [f"status {status}"]
            wrong += ["the season did not end"] if "[the season did not end]" in words else []
            wrong += [f"said {word}" for word in ("damaged", "AddressSanitizer", "must be installed", "not admitted") if word in words]
            if left := left_processes():
                wrong.append(f"{left} processes left")
            if status != 0 or PUT_OFF in words:
                _, again, ladder = play(home, {})
                wrong += ["put off for ever"] if PUT_OFF in again else []
            if ladder.count("\n") < 4:
                wrong.append(f"games: {ladder}")
            checked = subprocess.run([ARENA, "store", "check"], env=dict(os.environ, ARENA_HOME=home), capture_output=True, text=True)
            if checked.returncode:
                wrong.append(checked.stdout + checked.stderr)
            print(f"{case}: status {status}, {words.count(chr(10))} lines, {len(wrong)} faults", flush=True)
            faults += [f"{case}: {what}\n{words[-1500:]}" for what in wrong]
    print("\n".join(faults))
    return bool(faults)


with furnished() as folder:
    sys.exit(main(folder))
