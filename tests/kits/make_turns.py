#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes sdk/kits/shared/turns.msgpack, which every kit's own test plays, from a match.

    arena match --games 1 --seed 00112233445566778899aabbccddeeff --replays games GREEDY LOOKAHEAD
    arena replay games/000000-0.replay --json --legal | python3 tests/kits/make_turns.py OUTPUT

What a later version of the arena may say stands in it too: keys and a message that no bot knows, with values
that docs/protocol.md promises ("Skipping a value").
"""

import json
import sys

import msgpack

HELLO = {
    "type": "hello",
    "protocol": 1,
    "game": "summer-pavilion",
    "match": "000000-0",
    "seat": 0,
    "players": 2,
    "board": "colored",
    "names": ["", ""],
    "clock": {"turn_ms": 1000, "bank_ms": 10000, "gain_ms": 100, "start_ms": 10000},
    "seed": 4711,
    "weather": "sunny",
}
WANTED = {"draft": 3, "place": 3, "bonus": 2}
ACTIONS_MAX = 130  # the file is small


def picked(decisions):
    """Some decisions of seat 0 of each kind, spread over the match."""
    chosen = []
    for phase, count in WANTED.items():
        of_phase = [
            row
            for row in decisions
            if row["seat"] == 0 and row["state"]["phase"] == phase and len(row["legal"]) < ACTIONS_MAX
        ]
        chosen += of_phase[:: max(1, len(of_phase) // count)][:count]
    return sorted(chosen, key=lambda row: row["turn"])


def messages(rows):
    yield HELLO
    yield {"type": "weather", "forecast": ["sun", None, 1.5]}
    for row in picked(rows[1:-1]):
        yield {
            "type": "turn",
            "turn": row["turn"],
            "state": dict(row["state"], mood=[1, {"a": 2}]),
            "actions": row["legal"],
            "bank_ms": 9876,
            "events": [],
            "weather": {"rain": True, "air": b"wet", "wind": b"west"},
        }
    end = rows[-1]
    yield {"type": "end", **{key: end[key] for key in ("scores", "ranks", "reason", "state")}}


def main():
    rows = [json.loads(line) for line in sys.stdin]
    with open(sys.argv[1], "wb") as output:
        for message in messages(rows):
            output.write(msgpack.packb(message))


if __name__ == "__main__":
    main()
