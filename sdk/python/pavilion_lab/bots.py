# SPDX-License-Identifier: MIT
"""Bot folders as opponents: the bot's program is a child process that speaks the wire of docs/protocol.md.

The process is NOT confined: it has the rights of its user, the whole machine and as much time as `timeout`. Run only
bots that you trust; `arena match` confines them.
"""

import json
import os
import select
import struct
import subprocess
import time


class BotError(RuntimeError):
    """A bot's program did not do what the wire asks; the message names bot and fault."""


def pack(value):
    """A value of messages as MessagePack."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return struct.pack(">b", value) if -32 <= value < 128 else b"\xd3" + struct.pack(">q", value)
    if isinstance(value, str):
        text = value.encode()
        return b"\xdb" + struct.pack(">I", len(text)) + text
    if isinstance(value, dict):
        return b"\xdf" + struct.pack(">I", len(value)) + b"".join(pack(key) + pack(item) for key, item in value.items())
    return b"\xdd" + struct.pack(">I", len(value)) + b"".join(map(pack, value))


_FIXED = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
_SIZED = {0xC4: ("bytes", 1), 0xC5: ("bytes", 2), 0xC6: ("bytes", 4), 0xC7: ("ext", 1), 0xC8: ("ext", 2), 0xC9: ("ext", 4),
          0xD9: ("text", 1), 0xDA: ("text", 2), 0xDB: ("text", 4), 0xDC: ("list", 2), 0xDD: ("list", 4),
          0xDE: ("map", 2), 0xDF: ("map", 4)}


def unpack(data, place=0, depth=0):
    """(value, place after it); IndexError if the data ends within the value, ValueError if it is no MessagePack."""
    first = data[place]
    place += 1
    if depth > 16:
        raise ValueError("values are nested too deeply")
    if first < 0x80 or first >= 0xE0:
        return (first if first < 0x80 else first - 256), place
    if first in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[first], place
    if first in _FIXED:
        end = place + struct.calcsize(_FIXED[first])
        data[end - 1]
        return struct.unpack_from(_FIXED[first], data, place)[0], end
    if first < 0xC0:
        kind, size = ("map", first & 15) if first < 0x90 else ("list", first & 15) if first < 0xA0 else ("text", first & 31)
    elif 0xD4 <= first <= 0xD8:
        kind, size = "ext", 1 << (first - 0xD4)
    elif first in _SIZED:
        kind, width = _SIZED[first]
        data[place + width - 1]
        size = int.from_bytes(data[place:place + width], "big")
        place += width
    else:
        raise ValueError("no MessagePack")
    if kind in ("text", "bytes", "ext"):
        end = place + size + (kind == "ext")
        if end > len(data):
            raise IndexError
        part = data[place:end]
        return part.decode() if kind == "text" else part, end
    items = []
    for _ in range(size * (1 + (kind == "map"))):
        item, place = unpack(data, place, depth + 1)
        items.append(item)
    return (dict(zip(items[::2], items[1::2])) if kind == "map" else items), place


class Bot:
    """Bot(folder, turn_ms=100, timeout=60): the program of a bot's folder, for one match after another.

    begin(players, board, seat, seed), then ask(game, events) and answer() for each decision, end(game), close(). The
    clock in its hello has turn_ms for each decision; nothing but the timeout, in seconds, holds it to that.
    """

    def __init__(self, folder, turn_ms=100, timeout=60):
        self.folder, self.turn_ms, self.timeout = os.path.abspath(folder), turn_ms, timeout
        self.name = os.path.basename(self.folder)
        self._input, self._lists = b"", True
        self._process = None
        try:
            with open(os.path.join(self.folder, "bot.json"), encoding="utf-8") as file:
                command = json.load(file)["run"]
            if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
                raise ValueError("'run' must be a list of words")
            programs = {**os.environ, "PATH": "/usr/bin:/bin"}  # the arena's
            programs.pop("PYTHONPATH", None)
            self._process = subprocess.Popen(command, cwd=self.folder, env=programs, stdin=subprocess.PIPE,
                                             stdout=subprocess.PIPE, bufsize=0)
        except KeyError:
            raise BotError(f"{folder}/bot.json: the key 'run' is missing") from None
        except (OSError, ValueError) as error:
            raise BotError(f"{folder}: cannot be run as a bot's folder: {error}") from None

    def _send(self, message):
        try:
            data = pack(message)
            while data:
                data = data[self._process.stdin.write(data):]
        except OSError:
            raise BotError(f"{self.name}: the program has ended") from None

    def _receive(self, kind):
        deadline = time.monotonic() + self.timeout
        while True:
            try:
                message, end = unpack(self._input)
                self._input = self._input[end:]
                if not isinstance(message, dict) or message.get("type") != kind:
                    raise BotError(f"{self.name}: '{kind}' must be the answer, not {str(message)[:80]!r}")
                return message
            except IndexError:
                pass
            except ValueError:
                raise BotError(f"{self.name}: wrote something other than MessagePack: {self._input[:40]!r}") from None
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise BotError(f"{self.name}: no answer within {self.timeout} s")
            piece = os.read(self._process.stdout.fileno(), 65536)
            if not piece or len(self._input) > 1 << 20:
                raise BotError(f"{self.name}: the program has ended" if not piece else f"{self.name}: the answer has no end")
            self._input += piece

    def begin(self, players, board, seat, seed=0):
        clock = {"turn_ms": self.turn_ms, "bank_ms": 0, "gain_ms": 0, "start_ms": 1000 * self.timeout}
        self._turn, self._answered = 0, False
        self._send({"type": "hello", "protocol": 1, "game": "summer-pavilion", "match": "lab", "seat": seat, "players": players,
                    "board": board, "names": [""] * players, "clock": clock, "seed": seed})
        self._lists = self._receive("ready").get("actions") is not False

    def ask(self, game, events=()):
        """Sends the position; `events` are the (seat, action) since the bot was last asked, its own action included."""
        self._turn += len(events) or self._answered  # the number of this decision, over all seats
        message = {"type": "turn", "turn": self._turn, "state": game.view(), "bank_ms": 0,
                   "events": [[seat, action.wire] for seat, action in events]}
        if self._lists:
            message["actions"] = [action.wire for action in game.legal()]
        self._send(message)

    def answer(self, game):
        """The Action that the bot plays in the game it was asked about."""
        from . import Action

        message = self._receive("act")
        given = message.get("action")
        try:
            if message.get("turn") != self._turn:
                raise ValueError(f"turn: must be {self._turn}, not {message.get('turn')!r}")
            legal = game.legal()
            if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < len(legal):
                action = legal[given]
            elif isinstance(given, list):
                action = Action(given)
            else:
                raise ValueError(f"action: must be an action or 0 to {len(legal) - 1}, not {given!r}")
            if not game.is_legal(action):
                raise ValueError(f"action: {str(action)!r} is not legal in: {game.text()}")
        except ValueError as error:
            raise BotError(f"{self.name}: {error}") from None
        self._answered = True
        return action

    def end(self, game):
        self._send({"type": "end", "scores": game.scores(), "ranks": game.ranks(), "reason": ["played"] * game.players,
                    "state": game.view()})

    def close(self):
        """Closes the bot's input, and kills what has not ended after a second."""
        if self._process is None:
            return
        self._process.stdin.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._process = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


class Folder:
    """A bot's folder as a player of evaluate(): a process for each seat of each game that is played at a time."""

    def __init__(self, folder, turn_ms):
        self._folder, self._turn_ms = folder, turn_ms
        self._idle, self._bots, self._events, self._asked = [], {}, [], {}

    def begin(self, batch):
        self._events = [[] for _ in range(len(batch))]
        self._asked = {}

    def choose(self, batch, games):
        """The actions of some games of the batch, thought about at the same time."""
        asked = []
        for number in games:
            game, seat = batch[number], batch[number].player
            if (number, seat) not in self._bots:
                bot = self._idle.pop() if self._idle else Bot(self._folder, self._turn_ms)
                self._bots[number, seat] = bot
                bot.begin(game.players, game.board, seat, number)
            bot = self._bots[number, seat]
            bot.ask(game, self._events[number][self._asked.get((number, seat), 0):])
            self._asked[number, seat] = len(self._events[number])
            asked.append((bot, game))
        return [int(bot.answer(game)) for bot, game in asked]

    def saw(self, number, seat, action):
        self._events[number].append((seat, action))

    def end(self, batch):
        for (number, _), bot in self._bots.items():
            bot.end(batch[number])
        self._idle += self._bots.values()
        self._bots = {}

    def close(self):
        for bot in [*self._idle, *self._bots.values()]:
            bot.close()
