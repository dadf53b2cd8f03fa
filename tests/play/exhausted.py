"""A machine that has no room for more bots, since somebody else takes all processes for a while:
fewer games are played at a time, the arena says so in one line, and ends well. As an ordinary
user, whose processes have a limit.

usage: exhausted.py BUILD
"""
import json
import os
import subprocess
import sys
import time

from rows import Arena, Bot, behaviours_of

USER = 61877  # nobody else's: the limit counts all processes of the id
PROCESSES = 40
JOBS = 4
GAMES = 10
SKIPPED = 77


def main():
    build = sys.argv[1]
    if os.geteuid() != 0:
        print("needs root, to become a user that nobody else is")
        sys.exit(SKIPPED)
    arena = Arena(build + "/bin/arena", build + "/hostile/hostile", as_user=USER)
    folder = arena.new_folder()
    token = f"exhausted-{os.getpid()}"
    bots = [arena.make_bot(folder, seat, Bot("turn", "late=15"), token) for seat in range(2)]
    run = subprocess.Popen(
        arena.prefix() + ["prlimit", f"--nproc={PROCESSES}:{PROCESSES}", "--", arena.program,
                          "match", "--json", "--jobs", str(JOBS), "--games", str(GAMES), *bots],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=dict(os.environ, TMPDIR=folder),
    )
    while not behaviours_of(token):
        assert run.poll() is None, run.stderr.read()
        time.sleep(0.01)
    others = [subprocess.Popen(arena.prefix() + ["sleep", "100"]) for _ in range(PROCESSES)]
    first = run.stderr.readline()  # however long its games under way take; its end as well
    for other in others:
        other.kill()
        other.wait()
    output, errors = run.communicate(timeout=120)
    errors = first + errors
    games = [line for line in map(json.loads, output.splitlines()) if "decisions" in line]
    told = [line for line in errors.splitlines() if "the arena now plays" in line]
    assert run.returncode == 0, (run.returncode, errors)
    assert len(games) == GAMES, (len(games), output)
    assert all(reason == "played" for game in games for reason in game["reason"]), output
    assert 1 <= len(told) <= JOBS, errors
    arena.close()


if __name__ == "__main__":
    main()
