# SPDX-License-Identifier: MIT
"""The arena plays on, and its deadlines hold, where the kernel refuses to watch most of its
descriptors, since the account's watches of epoll are gone: some rows of hostile.py, with the same
results.

usage: watches.py BUILD
"""
import os
import sys

import hostile
from rows import Arena, play_rows

PATIENCE_S = 300  # an arena that waits for what it does not watch waits for ever
WORDS = [
    "never answers hello", "silent later", "late by 300 ms", "uses up its bank", "drips its ready",
    "closes its output and", "exits", "kills itself", "mounts", "four: out one",
]


class Refused(Arena):
    def prefix(self):
        library = os.path.dirname(self.hostile) + "/refuse_watches.so"
        return ["timeout", "-s", "KILL", str(PATIENCE_S), "env", f"LD_PRELOAD={os.path.abspath(library)}",
                f"ASAN_OPTIONS={os.environ.get('ASAN_OPTIONS', '')}:verify_asan_link_order=0"]


def main():
    build = sys.argv[1]
    rows = [row for row in hostile.ROWS if any(word in row.rule for word in WORDS)]
    arena = Refused(build + "/bin/arena", build + "/hostile/hostile")
    failed = play_rows(arena, rows, 4)
    arena.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
