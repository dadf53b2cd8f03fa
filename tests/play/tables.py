"""Tables of three and four at which bots go out: the match goes on as long as two are in, the
arena stands in for the others, and the ranks are right. Every replay is checked by an
independent reading of the rules, stand-ins included.

usage: tables.py BUILD
"""
import os
import sys

from rows import ANY_TURN, HONEST, LATE, SOON, Arena, Bot, Row, act, play_rows

DEAD_AT_HELLO = Bot("hello", "exit=3", "exit", None, SOON)
CRASHED_AT_HELLO = Bot("hello", "signal=11", "crash", None, SOON)
SILENT_AT_HELLO = Bot("hello", "silent", "start", None, LATE)
DIES_IDLE = "ready"  # the moment behind its ready: found at its first turn


def leaves(at, turn):
    return Bot(f"turn:{at}", "exit=0", "exit", turn, SOON)


ROWS = [
    Row("three: one leaves, two play on", [leaves(1, 3), HONEST, HONEST], None),
    Row("three: one is silent, two play on",
        [HONEST, Bot("turn:2", "silent", "timeout", 7, LATE), HONEST]),
    Row("three: two leave, the later has the better rank",
        [leaves(2, 6), HONEST, leaves(1, 5)], [2, 1, 3], 6),
    Row("three: two die idle before they are asked",
        [HONEST, Bot(DIES_IDLE, "exit=1", "exit", 1), Bot(DIES_IDLE, "signal=6", "crash", 2)],
        [1, 3, 2], 2),
    Row("three: two die in the hello and share", [DEAD_AT_HELLO, HONEST, CRASHED_AT_HELLO],
        [2, 1, 2], 0),
    Row("three: all die in the hello", [DEAD_AT_HELLO, CRASHED_AT_HELLO, DEAD_AT_HELLO],
        [1, 1, 1], 0),
    Row("three: all are silent in the hello", [SILENT_AT_HELLO] * 3, [1, 1, 1], 0),
    Row("three: all would fail at their first turn",
        [leaves(0, 0), Bot("turn:0", act(action=-1), "illegal", 1), HONEST], [3, 2, 1], 1),
    Row("three: each for a reason of its own",
        [Bot("turn:1", "mount", "forbidden", 3), HONEST, Bot("turn:3", "twice", "protocol", 11)],
        [3, 1, 2], 11),
    Row("four: one leaves, three play on", [HONEST, HONEST, leaves(0, 2), HONEST]),
    Row("four: one is out from the hello on", [SILENT_AT_HELLO, HONEST, HONEST, HONEST]),
    Row("four: two die in the hello and share behind the others",
        [DEAD_AT_HELLO, HONEST, HONEST, CRASHED_AT_HELLO]),
    Row("four: out one after the other", [leaves(0, 0), leaves(1, 5), leaves(2, 10), HONEST],
        [4, 3, 2, 1], 10),
    Row("four: one in the hello, one later, two play on",
        [HONEST, leaves(3, 13), DEAD_AT_HELLO, HONEST]),
    Row("four: three die in the hello, one wins without a decision",
        [DEAD_AT_HELLO, SILENT_AT_HELLO, HONEST, CRASHED_AT_HELLO], [2, 2, 1, 2], 0),
    Row("four: all die in the hello", [DEAD_AT_HELLO, CRASHED_AT_HELLO] * 2, [1, 1, 1, 1], 0),
    Row("four: late in the game, in the middle of bonus tiles and placements",
        [HONEST, leaves(12, ANY_TURN), HONEST, HONEST]),
]


def both_sides(rows):
    for row in rows:
        for board in ("colored", "gray"):
            yield Row(f"{row.rule} ({board})", row.bots, row.ranks, row.decisions,
                      options=("--board", board))


def main():
    build = sys.argv[1]
    arena = Arena(os.path.abspath(build + "/bin/arena"), build + "/hostile/hostile")
    failed = play_rows(arena, list(both_sides(ROWS)), 4)
    arena.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
