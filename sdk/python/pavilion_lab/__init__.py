# SPDX-License-Identifier: MIT
"""Azul: Summer Pavilion in your process: the arena's own engine, for search and for learning.

    from pavilion_lab import Game
    game = Game(players=2, board="colored", seed=1)
    while not game.over:
        game.apply(game.greedy())
    print(game.scores())

`Game` is one game, `Batch` thousands of them on numpy arrays, `pavilion_lab.env.TurnEnv` a game in the
manner of PettingZoo. docs/python.md is the manual; only Batch, masks and observations need numpy.
"""

from array import array
from operator import index

from . import _engine
from ._engine import ACTION_COUNT, OBSERVATION_SIZE, IllegalAction

__all__ = ["ACTIONS", "ACTION_COUNT", "OBSERVATION", "OBSERVATION_SIZE", "Action", "Batch", "Game", "IllegalAction"]

BOARDS = ("colored", "gray")
PHASES = ("draft", "place", "bonus", "over")
COLORS = "pgoybr"
_COUNTS_OF_KIND = {"draft": 2, "place": 4, "bonus": 6, "pass": 6}


class Action(int):
    """One action: an int, its index in the fixed list ACTIONS, that knows what it means.

    Action(172), Action("place 2 5 b 3") and Action(["place", 2, 5, 4, 3]), the form of the wire, are
    equal. str() gives the notation of docs/rules.md.
    """

    __slots__ = ()

    def __new__(cls, action):
        if isinstance(action, str):
            return ACTIONS[_engine.find_action(action)]
        if isinstance(action, (list, tuple)):
            return _from_wire(action)
        number = index(action)
        if not 0 <= number < ACTION_COUNT:
            raise ValueError(f"action: 0 to {ACTION_COUNT - 1}, not {number}")
        return ACTIONS[number]

    def __reduce__(self):
        return Action, (int(self),)

    def __str__(self):
        return _engine.describe_action(self)[0]

    def __repr__(self):
        return f"<Action {int(self)}: {self}>"

    @property
    def kind(self):
        """'draft', 'place', 'bonus' or 'pass'."""
        return _engine.describe_action(self)[1]

    @property
    def numbers(self):
        """Of a draft (source, color), of a placement (star, position, color, wilds), else six counts of tiles."""
        _, kind, numbers = _engine.describe_action(self)
        return numbers[: _COUNTS_OF_KIND[kind]]

    @property
    def wire(self):
        """The action as docs/protocol.md has it: ["draft", 3, 1] or ["pass", [0, 1, 0, 0, 0, 2]]."""
        kind, numbers = self.kind, list(self.numbers)
        return [kind, *numbers] if kind in ("draft", "place") else [kind, numbers]


def _from_wire(action):
    if not _by_wire:
        for each in ACTIONS:
            _by_wire[each.kind, *each.numbers] = each
    try:
        kind, *numbers = action
        if kind in ("bonus", "pass"):
            (numbers,) = numbers
        return _by_wire[kind, *numbers]
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"action {action!r}: no position allows it") from None


_by_wire = {}
#: Every action that any position allows, and some that none does, by index.
ACTIONS = tuple(int.__new__(Action, number) for number in range(ACTION_COUNT))
_engine.set_actions(ACTIONS)


def _columns():
    """Names the columns of an observation: {name: slice}; scores are numbers of one column."""
    sizes = [(name, 1) for name in ("board", "players", "round", "phase", "player", "wild", "start", "token", "bonus")]
    sizes += [("displays", 54), ("center", 6), ("supply", 6), ("bag", 6), ("tower", 6)]
    for seat in range(4):
        sizes += [(f"{name}{seat}", size) for name, size in
                  (("score", 1), ("hand", 6), ("corners", 6), ("passed", 1), ("stars", 42))]
    columns, first = {}, 0
    for name, size in sizes:
        columns[name] = slice(first, first + size)
        first += size
    return columns


#: The columns of an observation by name, as slices: OBSERVATION["hand0"] is the viewer's hand.
OBSERVATION = _columns()


def _numpy():
    try:
        import numpy
    except ImportError:
        raise ImportError("numpy is not installed (Debian: python3-numpy); masks, observations and Batch need it") from None
    return numpy


def _rows(numbers, width):
    return [list(numbers[i:i + width]) for i in range(0, len(numbers), width)]


class Game(_engine.Game):
    """Game(players=2, board="colored", seed=None): one game; `seed` is 16 bytes, an int or, with None, chance.

    The seed gives all tiles that will be drawn: bytes.fromhex(...) of a match's seed deals what the arena deals.
    Games compare equal if position and draws to come are equal, and can be pickled and copied.
    """

    __slots__ = ()

    @classmethod
    def from_state(cls, state, seed=None):
        """A game from a state as a bot gets it (docs/protocol.md); draws to come follow from the seed.

        Raises ValueError with the reason if the position is impossible, KeyError if a key is missing.
        """
        try:
            if state["wild"] != state["round"] - 1:
                raise ValueError("the wild color is not the wild color of the round")
            text = _fields({  # in the order of the notation
                "board": _chosen(state["board"], BOARDS), "round": index(state["round"]),
                "phase": _chosen(state["phase"], PHASES), "player": _seat(state["player"]),
                "start": index(state["start"]), "token": _seat(state["token"]), "bonus": index(state["bonus"]),
                "displays": "/".join(map(_tiles, state["displays"])),
                **{name: _tiles(state[name]) for name in ("center", "supply", "bag", "tower")}})
            for seat in state["players"]:
                text += "| " + _fields({
                    "score": index(seat["score"]), "hand": _tiles(seat["hand"]), "corners": _tiles(seat["corners"]),
                    "passed": "yes" if seat["passed"] else "no", "stars": "/".join(map(_star, seat["stars"]))})
            return cls.from_text(text, seed)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"state: {error}") from None

    def view(self, seat=None):
        """The state as a bot gets it on the wire. Everything in it is public: each seat sees the same."""
        if seat is not None and not 0 <= seat < self.players:
            raise IndexError(f"seat: 0 to {self.players - 1}, not {seat}")
        numbers = array("h", bytes(2 * OBSERVATION_SIZE))
        self._write_numbers(numbers, 0)
        part = {name: numbers[columns].tolist() for name, columns in OBSERVATION.items()}
        state = {name: part[name][0] for name in ("round", "player", "wild", "start", "token", "bonus")}
        return {
            "board": self.board, "phase": self.phase, **state,
            "displays": _rows(part["displays"], 6)[: 2 * self.players + 1],
            **{name: part[name] for name in ("center", "supply", "bag", "tower")},
            "players": [{
                "score": score, "hand": part[f"hand{i}"], "corners": part[f"corners{i}"],
                "passed": bool(part[f"passed{i}"][0]), "stars": _rows(part[f"stars{i}"], 6),
            } for i, score in enumerate(self.scores())],
        }

    def observe(self, seat=None):
        """int16[OBSERVATION_SIZE]: the position from a seat's view, by default of the seat to act.

        OBSERVATION names the columns; seats are counted from the viewer, clockwise.
        """
        numbers = _numpy().empty(OBSERVATION_SIZE, "int16")
        self._write_numbers(numbers, max(self.player, 0) if seat is None else seat)
        return numbers

    def mask(self):
        """bool[ACTION_COUNT]: True at the index of each legal action."""
        mask = _numpy().empty(ACTION_COUNT, dtype=bool)
        self._write_mask(mask)
        return mask

    def __reduce__(self):
        return _restore_game, (type(self), self.text(), *self._future())

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __str__(self):
        return self.text()

    def __repr__(self):
        return f"<Game of {self.players}, {self.board}: round {self.round}, {self.phase}, scores {self.scores()}>"


def _restore_game(cls, text, seed, draws):
    return cls.from_text(text, seed, draws)


def _fields(fields):
    return "".join(f"{name}:{value} " for name, value in fields.items())


def _chosen(name, names):
    if name not in names:
        raise ValueError(f"{name!r} is none of {', '.join(names)}")
    return name


def _seat(number):
    return "-" if number == -1 else index(number)


def _six(items):
    items = list(map(index, items))
    if len(items) != 6:
        raise ValueError(f"a list has {len(items)} items, not 6")
    return items


def _tiles(counts):
    return "".join(f"{letter}{count}" for letter, count in zip(COLORS, _six(counts)) if count) or "-"


def _star(colors):
    if not all(-1 <= color < 6 for color in colors):
        raise ValueError("a space holds an unknown color")
    return "".join("." if color == -1 else COLORS[color] for color in _six(colors))


class Batch(_engine.Batch):
    """Batch(count, players=2, board="colored", seed=None): many games with the same settings, stepped together.

    n is the number of games, p of players. Every method works on all games, on all cores, without the interpreter's
    lock; what is drawn depends on the seed and the order of calls only. `out` takes an array to fill again and again.
    """

    __slots__ = ()

    def _filled(self, name, dtype, columns=(), out=None, seat=-1):
        """Fills `out`, or a new array of a row for each game, by what the engine calls `name`."""
        numpy, shape = _numpy(), (self.count, *columns)
        if out is None:
            out = numpy.empty(shape, dtype)
        if not isinstance(out, numpy.ndarray) or out.dtype != dtype or out.shape != shape:
            raise TypeError(f"out: an array of {numpy.dtype(dtype)} with the shape {shape} is needed")
        self._fill(name, out, seat)
        return out

    def reset(self, which=None):
        """Deals new games: all, or those where bool[n] `which` is True."""
        if which is not None:
            which = _numpy().ascontiguousarray(which)
            if which.shape != (self.count,) or which.dtype != bool:
                raise TypeError(f"which: an array of bool with the shape ({self.count},) is needed")
        self._reset(which)

    def player(self, out=None):
        """int8[n]: the seat to act, -1 where the game is over."""
        return self._filled("players", "int8", out=out)

    def observe(self, seat=None, out=None):
        """int16[n, OBSERVATION_SIZE]: each position as seen by the seat to act (once over: seat 0), or by `seat`."""
        if seat is not None and seat < 0:
            raise IndexError(f"seat: 0 to {self.players - 1}, not {seat}")
        return self._filled("observations", "int16", (OBSERVATION_SIZE,), out, -1 if seat is None else seat)

    def masks(self, out=None):
        """bool[n, ACTION_COUNT]: True at the index of each legal action; no True where the game is over."""
        return self._filled("masks", bool, (ACTION_COUNT,), out)

    def step(self, actions):
        """Plays int[n] actions by index, -1 where the game is over. Returns (rewards, dones).

        rewards is int32[n, p], the points that each seat won or lost, final scoring included; dones is bool[n].
        Raises IllegalAction, with every game unchanged, if one action is not legal.
        """
        numpy = _numpy()
        actions = numpy.asarray(actions)
        if actions.dtype.kind not in "iu" or actions.shape != (self.count,):
            raise TypeError(f"actions: an array of integers with the shape ({self.count},) is needed, "
                            f"not of {actions.dtype} with the shape {actions.shape}")
        if actions.dtype != "int32":  # what does not fit becomes an index that is refused
            actions = actions.clip(-2, ACTION_COUNT)
        rewards = numpy.empty((self.count, self.players), "int32")
        dones = numpy.empty(self.count, bool)
        self._step(numpy.array(actions, "int32", order="C"), rewards, dones)  # a copy: no other thread may change it
        return rewards, dones

    def sample(self, out=None):
        """int32[n]: a legal action of each game by chance, all alike; -1 where the game is over."""
        return self._filled("sample", "int32", out=out)

    def greedy(self, out=None):
        """int32[n]: what the bot greedy plays; -1 where the game is over."""
        return self._filled("greedy", "int32", out=out)

    def steady(self, out=None):
        """int32[n]: what the bot steady plays; -1 where the game is over."""
        return self._filled("steady", "int32", out=out)

    def look_ahead(self, all_passes=False):
        """Every legal action of every game, and the position after it: (games, actions, observations).

        int64[m] games, ascending, int32[m] actions and int16[m, OBSERVATION_SIZE] observations by the seat that acts.
        Tiles drawn after an action are imagined: they differ from those of the game. Of the passes only those that
        keep the most tiles are listed, unless `all_passes`.
        """
        numpy = _numpy()

        def allocate(total):
            return (numpy.empty(total, "int64"), numpy.empty(total, "int32"),
                    numpy.empty((total, OBSERVATION_SIZE), "int16"))

        return self._look_ahead(allocate, all_passes)

    def scores(self):
        """int32[n, p]: points, final where the game is over."""
        return self._filled("scores", "int32", (self.players,))

    def ranks(self):
        """int32[n, p]: ranks, 1 for a winner; tied seats share the better rank."""
        return self._filled("ranks", "int32", (self.players,))

    def __len__(self):
        return self.count

    def __getitem__(self, number):
        """A copy of one game; put(index, game) writes it back."""
        return self._get(number + self.count if number < 0 else number, Game)

    def __reduce__(self):
        games = [(game.text(), *game._future()) for game in self]
        return _restore_batch, (type(self), self.players, self.board, self._random, games)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __repr__(self):
        return f"<Batch of {self.count} games of {self.players}, {self.board}>"


def _restore_batch(cls, players, board, random, games):
    batch = cls(len(games), players, board, 0)
    for i, game in enumerate(games):
        batch.put(i, Game.from_text(*game))
    batch._random = random
    return batch
