# SPDX-License-Identifier: MIT
"""Every way in which a bot can go wrong, at a table of two: its reason, when it is out, what the
record says; and that its opponent wins, that no process and no copy stays, and that the arena
stays small. The rows run timed, one after the other, on the arena that users run; then several
at a time on the one of this build folder, whose sanitizers see what the arena does; and there
once more with bots that are stopped while it is not their turn.

usage: hostile.py BUILD [WORD ...]     (only the rows whose rule has a WORD)
"""
import dataclasses
import os
import sys

import msgpack

from rows import ANY_TURN, CLOSED, HONEST, LATE, SOON, TURN_MS, Arena, Bot, Row, act, play_rows, raw, send

READY = {"type": "ready"}
GIB_4 = b"\xff\xff\xff\xff"


def duplicated(first, second):
    """A map of two pairs that may have the same key."""
    return b"\x82" + b"".join(msgpack.packb(part) for pair in (first, second) for part in pair)


def deep(depth):
    return b"\x91" * (depth - 1) + b"\x90"


def against(rule, moment, behaviour, reason, turn=None, when=None, **more):
    """The bot at seat 0 against an honest one."""
    bot = Bot(moment, behaviour, reason, turn, when, more.pop("record", {}),
              more.pop("manifest", {}))
    ranks = None if reason == "played" else [2, 1]
    return Row(rule, [bot, HONEST], ranks, **more)


def says(rule, behaviour, reason="protocol"):
    """In place of its second answer, at decision 2."""
    if reason == "played":
        return against(rule, "turn:1", behaviour, reason)
    return against(rule, "turn:1", behaviour, reason, 2, SOON)


def readies(rule, message, reason="protocol"):
    if reason == "played":
        return against(rule, "hello", send(message), reason)
    return against(rule, "hello", send(message), reason, None, SOON)


def had_too_little(long_turns, turn_ms, once_ms, margin_ms):
    """A burner that got less of the processor than it takes to be out, or others who are out since
    they waited for it longer than their margin: a busy machine, and no fault of the arena's. The
    others think long in so many turns; the rest of the game takes no time."""

    def judge(machine):
        turns = min(machine.decisions / 4, long_turns + 1) + 1
        late = any(reason != "played" for reason in machine.reasons[1:])
        return (machine.ran_ms.get("burn", 0) <= once_ms + turn_ms * turns or
                late and machine.waited_ms.get("late", 0) > margin_ms / 2)

    return judge


ROWS = [
    # ---- nothing, or too late ----
    against("never answers hello", "hello", "silent", "start", None, LATE),
    against("never reads", "start", "silent", "start", None, LATE),
    against("is silent at its first turn", "turn:0", "silent", "timeout", 0, LATE),
    against("is silent later", "turn:4", "silent", "timeout", 8, LATE),
    against("answers late by 1 ms", "turn:2", f"late={TURN_MS + 1}", "timeout", 4, LATE,
            excused=lambda machine: machine.late_ms > 0.5),
    against("answers late by 300 ms", "turn:2", f"late={TURN_MS + 300}", "timeout", 4, LATE),
    against("answers in good time", "turn:2", f"late={TURN_MS - 80}", "played"),
    against("uses its bank", "turn:2", f"late={TURN_MS + 100}", "played",
            clock=f"turn={TURN_MS},bank=300,start=500"),
    against("uses up its bank", "turn", f"late={TURN_MS + 80}", "timeout", 4, LATE,
            clock=f"turn={TURN_MS},bank=200,start=500"),
    against("has a bank only", "turn", "late=80", "timeout", 4, None,
            clock="turn=0,bank=200,start=500"),
    against("is given time back", "turn", "late=10", "played",
            clock="turn=0,bank=100,gain=20,start=500"),
    against("drips a byte every 10 ms", "turn:1", "drip", "timeout", 2, LATE),
    against("drips its ready", "hello", "drip", "start", None, LATE),
    against("ignores every signal that it can", "turn:1", "ignore-signals", "timeout", 2, LATE),
    against("stops itself", "turn:1", "signal=19", "timeout", 2, LATE),
    # ---- floods and monsters ----
    against("floods valid but irrelevant messages", "turn:1", "flood-of-messages", "protocol", 2,
            SOON),
    against("floods garbage", "turn:1", "flood-of-garbage", "protocol", 2, SOON),
    against("floods before hello is read", "start", "flood-of-garbage", "protocol", None, SOON),
    says("declares a string of 4 GiB", "send=" + (b"\x81\xa4type\xdb" + GIB_4).hex()),
    says("declares an array of 4 Gi", "send=" + (b"\x82\xa4type\xa3act\xa6action\xdd" + GIB_4).hex()),
    says("declares a map of 4 Gi", "send=" + (b"\xdf" + GIB_4).hex()),
    says("nests 10,000 deep", "nested"),
    says("sends a string of 100 MiB", "long-string"),
    says("a message of 65,536 bytes is read", "padded=65536", "played"),
    says("a message of 65,537 bytes", "padded=65537"),
    says("nests 8 deep", raw(action=b"\x00", x=deep(7)), "played"),
    says("nests 9 deep", raw(action=b"\x00", x=deep(8))),
    against("floods garbage while others think", "answer:1", "flood-of-garbage", "protocol",
            ANY_TURN),
    against("writes 4 MiB to standard error", "turn:1", "flood-of-errors=4", "played"),
    against("writes 4 MiB to standard error and leaves", "end", "flood-of-errors=4", "played"),
    against("writes to standard error without end", "turn:1", "flood-of-errors=100000", "timeout",
            2, LATE),
    against("writes to standard error while others think", "answer:1", "flood-of-errors=100000",
            "timeout", 4, LATE),
    # ---- ends ----
    against("closes its output and lives", "turn:1", "close-output", "protocol", 2, CLOSED),
    against("closes its output and exits", "turn:1", "close-output-and-exit", "exit", 2, None,
            record={"status": 5}),
    against("closes its output before hello", "start", "close-output", "protocol", None, CLOSED),
    against("closes its input, answers and lives", "turn:1", "close-input", "protocol", 4, CLOSED),
    against("exits before hello", "start", "exit=0", "exit", None, None, record={"status": 0}),
    against("exits in place of ready", "hello", "exit=7", "exit", None, SOON,
            record={"status": 7, "signal": None}),
    against("exits behind its ready", "ready", "exit=0", "exit", 0, None, record={"status": 0}),
    against("exits in place of an answer", "turn:3", "exit=1", "exit", 6, SOON,
            record={"status": 1}),
    against("answers and exits", "turn:3", "answer-and-exit=0", "exit", 8, None,
            record={"status": 0}),
    against("exits when it is told the end", "end", "exit=9", "played"),
    against("crashes when it is told the end", "end", "signal=11", "played"),
    against("stays when it is told the end", "end", "silent", "played"),
    against("reads address 8", "turn:1", "read-nowhere", "crash", 2, SOON, record={"signal": 11}),
    against("aborts", "turn:1", "signal=6", "crash", 2, SOON, record={"signal": 6, "status": None}),
    against("kills itself", "turn:1", "signal=9", "crash", 2, SOON, record={"signal": 9}),
    against("terminates itself", "turn:1", "signal=15", "crash", 2, SOON, record={"signal": 15}),
    against("crashes before ready", "hello", "signal=11", "crash", None, SOON,
            record={"signal": 11}),
    against("may not fork, and exits", "turn:1", "fork-and-exit", "exit", 2, SOON,
            record={"status": 3}),
    against("forks where it may, and exits", "turn:1", "fork-and-exit", "exit", 2, SOON,
            record={"status": 4}, manifest={"processes": 4}),
    against("forks where it may, before ready", "hello", "fork-and-exit", "exit", None, SOON,
            record={"status": 4}, manifest={"processes": 4}),
    # ---- too many, at the wrong time ----
    says("answers twice in one write", "twice"),
    against("answers twice in two writes", "turn:1", "twice-apart", "protocol", ANY_TURN),
    against("answers before it is asked", "ready", "answer-unasked", "protocol", ANY_TURN),
    says("answers to the last turn", "other-turn=-2"),
    says("answers to the next turn", "other-turn=1"),
    says("answers to turn -1", "other-turn=-3"),
    says("says ready again", send(READY)),
    says("says ready behind its answer", send(READY, READY)),
    readies("says ready twice", msgpack.packb(READY) * 2),
    readies("answers hello with an act", {"type": "act", "turn": 0, "action": 0}),
    # ---- ready ----
    readies("a ready with everything", READY | {"name": "x", "version": "1", "actions": True},
            "played"),
    readies("a ready without actions", READY | {"actions": False}, "played"),
    readies("a ready with unknown keys", READY | {"x": [1, {"y": None}], "": 1.5}, "played"),
    readies("a ready whose name is a number", READY | {"name": 5}),
    readies("a ready whose actions are a number", READY | {"actions": 1}),
    readies("a ready with its type twice", duplicated(("type", "ready"), ("type", "ready"))),
    readies("no type", {"name": "x"}),
    readies("an unknown type", {"type": "hallo"}),
    readies("a type that is a number", {"type": 2}),
    readies("no map", ["ready"]),
    readies("a number", 7),
    readies("nothing but text", b"ready\n"),
    readies("the byte that no value begins with", b"\xc1"),
    readies("a key that is no string", {"type": "ready", 1: 2}),
    # ---- act ----
    says("an act without action", "pairs=00"),
    says("an act without turn", send({"type": "act", "action": 0})),
    says("a turn that is text", send({"type": "act", "turn": "2", "action": 0})),
    says("a turn that is a float", send({"type": "act", "turn": 2.0, "action": 0})),
    says("an action twice", "pairs=02" + (msgpack.packb("action") + b"\0").hex() * 2),
    says("a note that is a number", act(action=0, note=5)),
    says("a note", act(action=0, note="good"), "played"),
    says("a note that is too long", act(action=0, note="\u20ac" * 100), "played"),
    says("a note that is no UTF-8", raw(action=b"\0", note=b"\xa4\xff\xfe\0\x1b"), "played"),
    says("unknown keys", act(action=0, x={"y": [1, 2]}), "played"),
    says("an unknown key that is no string", "pairs=02" + b"\xa6action\0\x05\x05".hex()),
    # ---- actions that are none ----
    says("nil", act(action=None), "illegal"),
    says("a float", act(action=0.0), "illegal"),
    says("true", act(action=True), "illegal"),
    says("text", act(action="draft"), "illegal"),
    says("bytes", act(action=b"\0"), "illegal"),
    says("a map", act(action={"draft": [0, 1]}), "illegal"),
    says("a negative index", act(action=-1), "illegal"),
    says("an index out of range", act(action=60), "illegal"),
    says("an index of 64 bits", act(action=2**64 - 1), "illegal"),
    says("an empty list", act(action=[]), "illegal"),
    says("a list of rubbish", act(action=[1, "draft", None]), "illegal"),
    says("an unknown kind", act(action=["steal", 0, 1]), "illegal"),
    says("a draft of the wild color", act(action=["draft", 4, 0]), "illegal"),
    says("a draft from display 100", act(action=["draft", 100, 1]), "illegal"),
    says("a draft with numbers of 64 bits", act(action=["draft", 2**40, 1]), "illegal"),
    says("a draft with too many numbers", act(action=["draft", 0, 1, 1]), "illegal"),
    says("a placement in the draft", act(action=["place", 0, 0, 2, 0]), "illegal"),
    says("a pass in the draft", act(action=["pass", [0, 0, 0, 0, 0, 0]]), "illegal"),
    # ---- what is not allowed ----
    against("traces", "turn:1", "ptrace", "forbidden", 2, SOON, record={"call": "ptrace"}),
    against("mounts", "turn:1", "mount", "forbidden", 2, SOON, record={"call": "mount"}),
    against("mounts before ready", "hello", "mount", "forbidden", None, SOON,
            record={"call": "mount"}),
    against("adds too many descriptors to epoll", "turn:1", "add-watches", "exit", 2, clock="turn=30000,bank=0",
            record={"status": 3, "words": "the bot exited; more than 16,384 descriptors added to epoll"}),
    Row("takes all the memory that there is",
        [Bot("turn:1", "memory", "memory", 2, uncounted="crash"), HONEST], [2, 1],
        clock="turn=30000,bank=0,start=30000", options=("--memory", "64")),
    Row("burns processor time while others think",
        [Bot("turn", "burn", "cpu", ANY_TURN)] + [Bot("until:3", "late=700")] * 3,
        clock="turn=1000,bank=0,start=1500", options=("--pin",),
        excused=had_too_little(3, 1000, 1500, 300)),
    Row("burns processor time while others think, and has a bank",
        [Bot("turn", "burn", "cpu", ANY_TURN)] + [Bot("until:5", "late=450")] * 3,
        clock="turn=500,bank=1000,start=1500", options=("--pin",),
        excused=had_too_little(5, 500, 2500, 1000)),
]


DEAD_AT_HELLO = Bot("hello", "exit=3", "exit", None, SOON)


def leaves(at, turn):
    return Bot(f"turn:{at}", "exit=0", "exit", turn, SOON)


# At larger tables: tests/play/match.c has all the ranks.
ROWS += [
    Row("three: all die in the hello", [DEAD_AT_HELLO] * 3, [1, 1, 1], 0),
    Row("three: each for a reason of its own",
        [Bot("turn:1", "mount", "forbidden", 3), HONEST, Bot("turn:3", "twice", "protocol", 11)], [3, 1, 2], 11),
    Row("three: one is silent, two play on", [HONEST, Bot("turn:2", "silent", "timeout", 7, LATE), HONEST]),
    Row("four: out one after the other", [leaves(0, 0), leaves(1, 5), leaves(2, 10), HONEST], [4, 3, 2, 1], 10,
        options=("--board", "gray")),
]

# Two that burn at a time would have half a core each.
SANITIZED_ROWS = [row for row in ROWS if not row.rule.endswith("and has a bank")]

# Bots that are stopped cannot burn anything while others think.
FROZEN_ROWS = [row for row in ROWS if not row.rule.startswith("burns")] + [
    Row("would burn processor time while others think",
        [Bot("turn", "burn")] + [Bot("until:16", "late=50")] * 3,
        clock="turn=100,bank=100,start=300", options=("--pin",),
        excused=lambda machine: machine.waited_ms.get("late", 0) > 25),
]


def main():
    build, words = sys.argv[1], sys.argv[2:]
    failed = 0
    for program, rows, jobs, options in (
        (build + "/../release/bin/arena", ROWS, 1, ()),
        (build + "/bin/arena", SANITIZED_ROWS, 4, ()),
        (build + "/bin/arena", FROZEN_ROWS, 4, ("--freeze",)),
    ):
        arena = Arena(os.path.abspath(program), build + "/hostile/hostile")
        failed += play_rows(arena, [
            dataclasses.replace(row, timed=jobs == 1, options=row.options + options)
            for row in sorted(rows, key=lambda row: not row.rule.startswith("burns"))  # the longest first
            if not words or any(word in row.rule for word in words)
        ], jobs)
        arena.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
