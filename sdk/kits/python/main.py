# SPDX-License-Identifier: MIT
"""Talks to the arena. Nothing here needs a change: bot.py decides."""

import os
import sys

import msgpack

import bot
import pavilion


def answer(message, hello):
    """The reply to a message, or None where none is due, and the match's hello."""
    kind = message.get("type")
    if kind == "hello":
        return {"type": "ready", "name": "@NAME@"}, message
    if kind == "turn":
        turn = pavilion.Turn(hello, message)
        action = bot.choose(turn)
        if action not in turn.actions:
            raise ValueError(f"choose() must return one of turn.actions, not {action!r}")
        reply = {"type": "act", "turn": turn.number, "action": turn.actions.index(action)}
        if turn.note:
            reply["note"] = turn.note
        return reply, hello
    return None, hello  # the end of the match, or something that a later arena says


def main():
    output = os.dup(1)  # the arena's; what print() writes goes to standard error
    os.dup2(2, 1)
    asked = os.open(sys.argv[1], os.O_RDONLY) if len(sys.argv) > 1 else sys.stdin.fileno()
    unpacker = msgpack.Unpacker()
    hello = None
    while piece := os.read(asked, 65536):  # nothing: the arena has closed the input
        unpacker.feed(piece)
        for message in unpacker:
            reply, hello = answer(message, hello)
            if reply:
                send(output, msgpack.packb(reply))


def send(output, data):
    while data:
        data = data[os.write(output, data):]


if __name__ == "__main__":
    main()
