# SPDX-License-Identifier: MIT
"""Plays the first legal action, and leaves in the middle of some games of a season."""
import os
import sys
import zlib

import msgpack


def messages():
    unpacker = msgpack.Unpacker()
    while piece := os.read(0, 65536):
        unpacker.feed(piece)
        yield from unpacker


leaves = False
for message in messages():
    if message["type"] == "hello":
        game = message["match"]
        leaves = game.startswith("cup-") and zlib.crc32(game.encode()) % 3 == 0
        answer = {"type": "ready", "name": "late", "version": "1"}
    elif message["type"] == "turn":
        if leaves and message["turn"] > 20:
            sys.exit("begins " + 3000 * "long " + "\0</pre><script>alert(1)</script>")
        answer = {"type": "act", "turn": message["turn"], "action": 0, "note": "<i>first</i>"}
    else:
        continue
    sys.stdout.buffer.write(msgpack.packb(answer))
    sys.stdout.buffer.flush()
