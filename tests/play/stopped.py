"""A bot that is stopped while it is not its turn, and wakes: it is out for its processor time. No bot
can wake itself, so somebody else sends SIGCONT, to the process that burns.

usage: stopped.py BUILD
"""
import json
import os
import signal
import subprocess
import sys
import time

from rows import Arena, Bot, behaviours_of

USER = 61879
WINDOW_MS = 600  # that the other thinks
ROWS = [  # what it does, its processes, whether somebody wakes it, what becomes of it
    ("burn", 1, True, "cpu"),
    ("burn-in-child", 2, True, "cpu"),
    ("burn-in-child", 2, False, "played"),
]


def freezes_by_group():
    """Where a control group stops bots, SIGCONT wakes nobody."""
    with open("/proc/self/cgroup") as file:
        lines = file.read().splitlines()
    return len(lines) == 1 and lines[0].startswith("0::")


def wake(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass


def play(arena, behaviour, process_count, wakes, reason):
    folder = arena.new_folder()
    token = f"stopped-{os.getpid()}-{os.path.basename(folder)}"
    burner = Bot("turn:0", behaviour, manifest={"processes": process_count})
    other = Bot("until:8", f"late={WINDOW_MS}")
    bots = [arena.make_bot(folder, seat, bot, token) for seat, bot in enumerate((burner, other))]
    process = subprocess.Popen(
        arena.command("match", "--json", "--freeze", "--clock", "turn=30000,start=30000",
                      "--replays", folder + "/replays", *bots),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=dict(os.environ, TMPDIR=folder),
    )
    while wakes and process.poll() is None:
        burners = sorted(pid for pid, name in behaviours_of(token).items() if name == behaviour)
        wake(burners[process_count - 1:])  # of two the second, its child
        time.sleep(0.005)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, (process.returncode, errors)
    result = json.loads(output)
    assert result["reason"] == [reason, "played"], (behaviour, process_count, wakes, result)


def main():
    build = sys.argv[1]
    users = [None, USER] if os.geteuid() == 0 else [None]
    for user in users:
        arena = Arena(build + "/bin/arena", build + "/hostile/hostile", as_user=user)
        for row in ROWS:
            if not (row[2] and freezes_by_group()):
                play(arena, *row)
        arena.close()


if __name__ == "__main__":
    main()
