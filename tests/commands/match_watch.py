"""A match is drawn while it is played, then stepped through; the terminal is given back as it was."""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import terminal

build = os.path.abspath(sys.argv[1])
SLOW = """#!/usr/bin/python3
import os
os.read(0, 65536)
os.write(1, b"\\x82\\xa4type\\xa5ready\\xa7actions\\xc2")
while os.read(0, 65536):
    pass
"""  # it never decides: the match waits for it


def watch(bot, leave, awaited):
    pid, fd = terminal.start([build + "/bin/arena", "match", "--watch", "--open", build + "/bots/greedy", bot],
                             environment=os.environ | {"TERM": "xterm", "NO_COLOR": "1"})
    seen = ""
    while not re.search(awaited, seen):
        assert select.select([fd], [], [], 60)[0], seen[-2000:]
        seen += os.read(fd, 65536).decode()
    leave(pid, fd)
    after, status = terminal.rest(pid, fd)
    return status, seen + after


def interrupt_twice(pid, fd):
    os.kill(pid, signal.SIGINT)
    time.sleep(0.5)
    os.kill(pid, signal.SIGINT)


status, seen = watch(build + "/bots/random", lambda pid, fd: os.write(fd, b"\x1b[F\x1b[Hq"), r"decision 0 of \d+")
assert status == 0, seen[-2000:]
assert "live  decision" in seen, seen[:2000]
after = seen[seen.rindex("\x1b[?1049l"):]
assert "000000-0   1. " in after and "000000-0.html: open it" in after, after
assert os.path.exists("000000-0.html")
os.remove("000000-0.html")

with open("slow", "w") as file:
    file.write(SLOW)
os.chmod("slow", 0o755)
status, seen = watch("./slow", interrupt_twice, r"live  decision \d")
assert status == 1 and "stopped after 0 of 1" in seen, seen[-2000:]
assert seen.rindex("\x1b[?1049l") < seen.index("stopped after"), "the terminal first"

# Keys and pictures both need a terminal.
for stdin, stdout in ((subprocess.DEVNULL, None), (None, subprocess.PIPE)):
    leader, follower = pty.openpty()
    done = subprocess.run([build + "/bin/arena", "match", "--watch", build + "/bots/random", build + "/bots/random"],
                          stdin=follower if stdin is None else stdin, stdout=follower if stdout is None else stdout,
                          stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2 and "--watch: needs a terminal" in done.stderr, done
    os.close(leader)
    os.close(follower)
