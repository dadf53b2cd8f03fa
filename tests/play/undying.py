# SPDX-License-Identifier: MIT
"""A bot that SIGKILL does not end: its match ends with its result all the same, and so does the
arena, which says in one line which process it leaves behind.

A thread of the bot is held by a tracer that does not look after it: dead, it stays, and the
process with it, as if it hung in the kernel.

usage: undying.py BUILD
"""
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

PTRACE_SEIZE = 0x4206
LEAVING_S, DYING_S, SLACK_S = 1, 10, 40

BOT = """
import runpy, threading, time
threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
runpy.run_path("greedy.py", run_name="__main__")
"""


def second_threads_of(token):
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if not name.isdigit() or token.encode() not in file.read().split(b"\0"):
                    continue
            found += [(int(name), int(thread)) for thread in os.listdir(f"/proc/{name}/task")
                      if thread != name]
        except OSError:
            pass
    return found


def main():
    build = os.path.abspath(sys.argv[1])
    room = tempfile.mkdtemp(prefix="undying-")
    token = f"undying-token-{os.getpid()}"
    shutil.copytree("bots/greedy-python", room + "/bot")
    with open(room + "/bot/main.py", "w") as file:
        file.write(BOT)
    with open(room + "/bot/bot.json", "w") as file:
        json.dump({"name": "tough", "run": ["python3", "main.py", token]}, file)
    command = [build + "/bin/arena", "match", "--json", "--clock", "start=20000", room + "/bot",
               build + "/bots/random"]
    arena = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env=dict(os.environ, TMPDIR=room))
    while not (threads := second_threads_of(token)):
        assert arena.poll() is None, "the match was over before the bot could be held"
        time.sleep(0.002)
    (process, thread), = threads
    libc = ctypes.CDLL(None, use_errno=True)
    held = libc.ptrace(PTRACE_SEIZE, thread, None, None)
    assert held == 0, os.strerror(ctypes.get_errno())
    begun = time.monotonic()
    output, errors = arena.communicate(timeout=60)
    taken = time.monotonic() - begun
    assert arena.returncode == 0, (arena.returncode, errors)
    (result,) = [json.loads(line) for line in output.splitlines()]
    assert result["reason"] == ["played", "played"], result
    assert errors.count("\n") == 1 and f"process {process} was" in errors and "tough" in errors, errors
    assert DYING_S <= taken <= LEAVING_S + DYING_S + SLACK_S, taken
    assert os.listdir(room) == ["bot"], os.listdir(room)

    # Let go, it ends; the next arena removes its control group.
    os.waitpid(thread, 0x40000000)  # __WALL
    deadline = time.monotonic() + SLACK_S
    while os.path.exists(f"/proc/{process}/task/{thread}"):
        assert time.monotonic() < deadline, "it does not end"
        time.sleep(0.01)
    subprocess.run([*command[:3], *[build + "/bots/random"] * 2], check=True,
                   stdout=subprocess.DEVNULL)
    shutil.rmtree(room)
    print(f"given up after {taken:.1f} s")


if __name__ == "__main__":
    main()
