"""What the tests of daemons on homes of their own share: commands on a home, and the daemon's processes."""

import os
import subprocess
import sys

BUILD = os.path.abspath(sys.argv[1])
ARENA = os.path.join(BUILD, "bin/arena")


def environment(home):
    kept = {key: value for key, value in os.environ.items() if key != "ARENA_STORE"}
    return kept | {"ARENA_HOME": home, "TMPDIR": home + ".tmp"}


def arena(home, *arguments, check=True):
    done = subprocess.run([ARENA, *arguments], text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, env=environment(home))
    assert not check or done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


def processes():
    """pid -> (parent, start time, command line)"""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
            line = open(f"/proc/{pid}/cmdline", "rb").read().replace(b"\0", b" ").decode(
                errors="replace")
        except OSError:
            continue
        found[int(pid)] = (int(stat[1]), stat[19], line)
    return found


def descendants(pid):
    every = processes()
    mine, grown = {pid}, True
    while grown:
        more = {p for p, (parent, _, _) in every.items() if parent in mine} - mine
        mine |= more
        grown = bool(more)
    return {p: every[p] for p in mine - {pid} if p in every}
