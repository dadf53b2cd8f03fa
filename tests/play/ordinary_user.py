# SPDX-License-Identifier: MIT
"""When the suite runs as root: an ordinary user can run the arena as well, and gets the same
results from some of the rows of hostile.py. Otherwise all of them ran so.

usage: ordinary_user.py BUILD
"""
import os
import sys

import hostile
from rows import Arena, play_rows

USER = 65534
SKIPPED = 77  # tests/CMakeLists.txt: what needs root says so
WORDS = [
    "never answers hello", "late by 300 ms", "drips its ready", "100 MiB", "4 MiB to standard",
    "closes its output and", "exits", "kills itself", "may not fork", "twice in one", "a float",
    "mounts", "takes all the memory", "four: out one", "three: all die",
]


def main():
    build = sys.argv[1]
    if os.geteuid() != 0:
        print("this is an ordinary user: the other tests say it all")
        sys.exit(SKIPPED)
    rows = [row for row in hostile.ROWS if any(word in row.rule for word in WORDS)]
    arena = Arena(build + "/bin/arena", build + "/hostile/hostile", as_user=USER)
    failed = play_rows(arena, rows, 4)
    arena.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
