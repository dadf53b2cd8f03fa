# SPDX-License-Identifier: MIT
"""Plays the bundled turns without an arena: python3 test_bot.py"""

import pathlib
import subprocess
import sys
import unittest

import msgpack

FOLDER = pathlib.Path(__file__).parent


class BundledTurns(unittest.TestCase):
    def test_every_turn_gets_a_legal_answer(self):
        asked = (FOLDER / "turns.msgpack").read_bytes()
        unpacker = msgpack.Unpacker()
        unpacker.feed(asked)
        turns = [message for message in unpacker if message["type"] == "turn"]
        bot = subprocess.run(
            [sys.executable, FOLDER / "main.py"], input=asked, stdout=subprocess.PIPE, check=True
        )
        unpacker = msgpack.Unpacker()
        unpacker.feed(bot.stdout)
        ready, *acts = unpacker
        self.assertEqual(ready["type"], "ready")
        self.assertEqual([act["turn"] for act in acts], [turn["turn"] for turn in turns])
        for act, turn in zip(acts, turns):
            self.assertEqual(act["type"], "act")
            self.assertIn(act["action"], range(len(turn["actions"])))


if __name__ == "__main__":
    unittest.main()
