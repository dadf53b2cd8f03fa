# SPDX-License-Identifier: MIT
"""Opponents from bot folders: what the wire carries comes back, a bot plays as it does in the engine, faults are named.

usage: opponents.py FOLDER_OF_GREEDY, with PYTHONPATH at the package
"""

import json
import pathlib
import sys
import tempfile

from pavilion_lab import Game, evaluate
from pavilion_lab.bots import Bot, BotError, pack, unpack

values = [None, True, False, 0, -1, -32, -33, 127, 128, 255, 256, -32768, 2**31, 2**62, -2**63, "", "wörter", "x" * 300, [], [[]],
          [1, ["draft", -1, 2]], {}, {"a": [1, 2, {"b": None}]}]
for value in values:
    data = pack(value)
    assert unpack(data) == (value, len(data)), value
    for end in range(len(data)):
        try:
            unpack(data[:end])
        except IndexError:
            continue
        raise AssertionError(f"a part of {value!r} was read")
# The other encodings that MessagePack has, by its specification.
for data, value in (("ccff", 255), ("cd0100", 256), ("ce00010000", 65536), ("cf0000000100000000", 2**32), ("d0df", -33),
                    ("d1ff7f", -129), ("d2ffff7fff", -32769), ("e0", -32), ("a161", "a"), ("d90161", "a"), ("da000161", "a"),
                    ("93010203", [1, 2, 3]), ("dc000101", [1]), ("81a16101", {"a": 1}), ("de0001a16101", {"a": 1}),
                    ("cb3ff8000000000000", 1.5), ("ca3fc00000", 1.5), ("c401ff", b"\xff"), ("d4017f", b"\x01\x7f"),
                    ("c7020161ff", b"\x01a\xff")):
    assert unpack(bytes.fromhex(data)) == (value, len(data) // 2), data
for data in (b"\xc1", b"\x91" * 100):
    try:
        unpack(data)
    except ValueError:
        continue
    raise AssertionError("no ValueError")

# The program plays what the engine's greedy plays, alone and in every seat, one match after another.
with Bot(sys.argv[1]) as bot:
    for players, board in ((2, "colored"), (3, "gray"), (4, "colored")):
        game = Game(players, board, seed=players)
        bot.begin(players, board, players - 1)
        while not game.over:
            action = game.greedy()
            if game.player == players - 1:
                bot.ask(game)
                assert bot.answer(game) == action
            game.apply(action)
        bot.end(game)
# Bots that play alike win alike: the folder's games, a few at a time, are those of the name.
assert evaluate("greedy", sys.argv[1], 2, players=3, seed=3) == evaluate("greedy", "greedy", 2, players=3, seed=3)

BOT = """import sys
from pavilion_lab.bots import pack, unpack
data, mood = b"", sys.argv[1]
while True:
    try:
        message, end = unpack(data)
    except IndexError:
        piece = sys.stdin.buffer.raw.read(65536)
        if not piece:
            break
        data += piece
        continue
    data = data[end:]
    if message["type"] == "hello":
        events = []
        answer = {"type": "ready"}
    elif message["type"] == "turn":
        events += message["events"]
        answer = {"type": "act", "turn": message["turn"], "action": 0}
        if mood == "illegal":
            answer["action"] = ["pass", [4, 0, 0, 0, 0, 0]]
        if mood == "turn":
            answer["turn"] = 9
        if mood == "number":
            answer["action"] = 5000
        if mood == "dies":
            sys.exit(1)
        if mood == "noise":
            sys.stdout.buffer.write(bytes([0xc1]))
            sys.stdout.flush()
        if mood == "silent":
            continue
        if mood == "ready":
            answer["type"] = "ready"
        if mood == "counts" and message["turn"]:
            assert len(events) == message["turn"], events
    else:
        continue
    sys.stdout.buffer.write(pack(answer))
    sys.stdout.flush()
"""
package = pathlib.Path(sys.modules["pavilion_lab"].__file__).parent
with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder)
    (place / "bot.py").write_text(BOT)
    (place / "pavilion_lab").symlink_to(package)

    def fault(mood, words, timeout=60):
        (place / "bot.json").write_text(json.dumps({"run": ["/usr/bin/python3", "-B", "bot.py", mood]}))
        game = Game(seed=1)
        try:
            with Bot(folder, timeout=timeout) as bot:
                bot.begin(2, "colored", 0)
                bot.ask(game)
                bot.answer(game)
        except BotError as error:
            assert words in str(error), error
        else:
            assert not words, words

    fault("plays", "")
    fault("illegal", "action: 'pass p4' is not legal in: board:colored")
    fault("turn", "turn: must be 0, not 9")
    fault("number", "not 5000")
    fault("dies", "the program has ended")
    fault("noise", "wrote something other than MessagePack")
    fault("ready", "'act' must be the answer")
    fault("silent", "no answer within 3 s", timeout=3)
    (place / "bot.json").write_text(json.dumps({"run": ["/usr/bin/python3", "-B", "bot.py", "counts"]}))
    assert evaluate("sample", folder, 6)[1] >= 0
    (place / "bot.json").write_text("{}")
    try:
        Bot(folder)
    except BotError as error:
        assert "the key 'run' is missing" in str(error), error
print("bot folders play as opponents, and their faults are named")
