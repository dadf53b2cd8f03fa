# SPDX-License-Identifier: MIT
"""Plays the first legal action, says what no page and no terminal should obey, and leaves."""
import os
import sys

import msgpack

NOTES = [
    b"<script>alert(1)</script>", b"</script><h1>gone</h1>", b'"><img src=x onerror=alert(1)>',
    "\u202egnitirw \u2066mirrored".encode(), b"a\0b", b"\xff\xfe\x80", b"\x1b[31mred\x1b]0;title\x07",
    b"<!--", b"${document.title}", b"&lt;b&gt;&#x41;",
]


def messages():
    unpacker = msgpack.Unpacker(raw=False)
    while piece := os.read(0, 65536):
        unpacker.feed(piece)
        yield from unpacker


def text(raw):
    """A MessagePack string of any bytes."""
    return b"\xd9" + bytes([len(raw)]) + raw


for message in messages():
    if message["type"] == "hello":
        answer = msgpack.packb({"type": "ready", "name": "rude", "version": "1"})
    elif message["type"] == "turn":
        turn = message["turn"]
        if turn > 60:
            sys.stderr.write("x<b>" * 2500 + "\n<script>alert(1)</script>\u202e\x1b[31m\n")
            sys.exit(3)
        answer = (b"\x84\xa4type\xa3act\xa4turn" + msgpack.packb(turn) + b"\xa6action\x00\xa4note" +
                  text(NOTES[turn // 3 % len(NOTES)]))
    else:
        continue
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
