"""A match that has ended is stepped through; the terminal is given back as it was."""
import os
import pty
import re
import select
import subprocess
import sys

import terminal

build = os.path.abspath(sys.argv[1])
pid, fd = terminal.start(
    [build + "/bin/arena", "match", "--watch", "--open", build + "/bots/greedy", build + "/bots/random"],
    environment=os.environ | {"TERM": "xterm", "NO_COLOR": "1"})
seen = ""
while not re.search(r"decision 0 of \d+", seen):
    assert select.select([fd], [], [], 60)[0], seen[-2000:]
    seen += os.read(fd, 65536).decode()
os.write(fd, b"\x1b[F\x1b[Hq")
after, status = terminal.rest(pid, fd)
seen += after
assert status == 0, seen[-2000:]
after = seen[seen.rindex("\x1b[?1049l"):]
assert "000000-0   1. " in after and "000000-0.html: open it" in after, after
assert os.path.exists("000000-0.html")
os.remove("000000-0.html")

# Keys and pictures both need a terminal.
for stdin, stdout in ((subprocess.DEVNULL, None), (None, subprocess.PIPE)):
    leader, follower = pty.openpty()
    done = subprocess.run([build + "/bin/arena", "match", "--watch", build + "/bots/random", build + "/bots/random"],
                          stdin=follower if stdin is None else stdin, stdout=follower if stdout is None else stdout,
                          stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2 and "--watch: needs a terminal" in done.stderr, done
    os.close(leader)
    os.close(follower)
