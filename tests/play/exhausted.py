"""A machine that has no room for so many bots: the games are played a few at a time, the arena
says so in one line, and ends well. As an ordinary user with few processes.

usage: exhausted.py BUILD
"""
import json
import os
import subprocess
import sys

from rows import Arena, Bot

USER = 61877  # nobody else's: the limit counts all processes of the id
PROCESSES = 11  # the arena, and room for the bots of two games or so
JOBS = 6
GAMES = 12
SKIPPED = 77


def main():
    build = sys.argv[1]
    if os.geteuid() != 0:
        print("needs root, to become a user that nobody else is")
        sys.exit(SKIPPED)
    arena = Arena(build + "/bin/arena", build + "/hostile/hostile", as_user=USER)
    folder = arena.new_folder()
    bots = [arena.make_bot(folder, seat, Bot("turn:0", "late=100"), "x") for seat in range(2)]
    run = subprocess.run(
        ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--",
         "prlimit", f"--nproc={PROCESSES}:{PROCESSES}", "--", arena.program, "match", "--json", "--jobs", str(JOBS), "--games",
         str(GAMES), *bots],
        capture_output=True, text=True, env=dict(os.environ, TMPDIR=folder), timeout=120,
    )
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    played = [line for line in lines if "decisions" in line]
    told = [line for line in run.stderr.splitlines() if "at a time from here on" in line]
    assert run.returncode == 0, (run.returncode, run.stderr)
    assert len(played) == GAMES, (len(played), run.stdout)
    assert all(reason == "played" for line in played for reason in line["reason"]), run.stdout
    assert 1 <= len(told) <= JOBS, run.stderr
    arena.close()


if __name__ == "__main__":
    main()
