# SPDX-License-Identifier: MIT
"""Somebody kills the keeper of a bot, and with it the bot: the arena's fault, so the match is void
and played again. Once a match, at each of several moments.

usage: keeper.py BUILD
"""
import json
import os
import signal
import subprocess
import sys
import time

from rows import Arena, Bot, behaviours_of

USER = 61878
MOMENTS_S = [0.05, 0.3, 0.6]  # after the keepers are there


def keepers_of(arena_pid):
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as file:
                number, rest = file.read().split(" (", 1)
            comm, rest = rest.rsplit(") ", 1)
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if file.read() in (b"keeper\0", b"keeper\0stop\0") and int(rest.split()[1]) == arena_pid:
                    found.append(int(number))
        except (OSError, ValueError):
            pass
    return sorted(found)


def play(arena, moment_s):
    folder = arena.new_folder()
    token = f"keeper-{os.getpid()}-{os.path.basename(folder)}"
    bots = [arena.make_bot(folder, seat, Bot("until:8", "late=120"), token) for seat in range(2)]
    process = subprocess.Popen(
        arena.command("match", "--json", "--clock", "turn=5000,start=20000", *bots),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=dict(os.environ, TMPDIR=folder),
    )
    while len(behaviours_of(token)) < 2:  # the arena tries its sandbox with keepers as well
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    keepers = keepers_of(process.pid)
    time.sleep(moment_s)
    os.kill(keepers[0], signal.SIGKILL)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, (process.returncode, errors)
    result = json.loads(output)
    assert result["reason"] == ["played", "played"], (moment_s, result["reason"])
    assert "the arena could not end a game (" in errors, (moment_s, errors)


def main():
    build = sys.argv[1]
    users = [None, USER] if os.geteuid() == 0 else [None]
    for user in users:
        arena = Arena(build + "/bin/arena", build + "/hostile/hostile", as_user=user)
        for moment_s in MOMENTS_S:
            play(arena, moment_s)
        arena.close()


if __name__ == "__main__":
    main()
