# SPDX-License-Identifier: MIT
"""Azul: Summer Pavilion in your process: the arena's own engine, for search and for learning.

    from pavilion_lab import Game
    game = Game(players=2, board="colored", seed=1)
    while not game.over:
        game.apply(game.greedy())
    print(game.scores())

`Game` is one game, `Batch` thousands of them on numpy arrays; `pavilion_lab.env` has environments for PettingZoo and
Gymnasium. docs/python.md is the manual; only Batch, masks, observations and environments need numpy.
"""

import os
from array import array
from operator import index
from sys import base_prefix, prefix

try:
    from . import _engine
except ImportError as error:
    if "partially initialized" not in str(error):
        raise  # the module is there and does not load, for the reason that the error tells
    raise ImportError("pavilion_lab is not built here: `pip install ./sdk/python` in the project's root builds and installs it; "
                      "after a build of the arena it is in build/release/python") from None
from ._engine import ACTION_COUNT, OBSERVATION_SIZE, IllegalAction

__all__ = ["ACTIONS", "ACTION_COUNT", "OBSERVATION", "OBSERVATION_SIZE", "Action", "Batch", "Game", "IllegalAction",
           "evaluate"]

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
        if isinstance(action, (list, tuple)):
            return _from_wire(action)
        return ACTIONS[_engine.find_action(action)]

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
        raise ValueError(f"action {action!r:.80}: no position allows it; docs/protocol.md has the form") from None


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


def _whole(name, number, least, most, error=ValueError):
    """The int from least to most; another number is an `error`."""
    if not hasattr(number, "__index__"):
        raise TypeError(f"{name}: must be an int from {least} to {most}, not {number!r:.80}")
    if not least <= index(number) <= most:
        raise error(f"{name}: must be an int from {least} to {most}, not {number!r:.80}")
    return index(number)


def _numpy():
    try:
        import numpy
    except ImportError:
        cure = ("`pip install numpy` in this virtual environment, or make it with --system-site-packages" if prefix != base_prefix
                else "Debian: python3-numpy")
        raise ImportError(f"numpy is not installed ({cure}); masks, observations and Batch need it") from None
    return numpy


def _listed(name, numbers, total, dtype):
    numbers = _numpy().ascontiguousarray(numbers)
    if numbers.shape != (total,) or numbers.dtype.kind not in "iu":
        raise TypeError(f"{name}: an array of integers with the shape ({total},) is needed, not of {numbers.dtype} with the "
                        f"shape {numbers.shape}")
    return numbers.astype(dtype, copy=False)


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

        Raises ValueError with field and reason if the position is impossible, KeyError if a key is missing.
        """
        if not isinstance(state, dict):
            raise ValueError(f"state: must be a dict as of a message 'turn', not {state!r:.80}")
        if state.keys() >= {"type", "state"}:
            raise ValueError("state: is a whole message; give message['state']")
        text = _text(state, "state", _FIELDS)
        for name in ("wild", "players"):
            if name not in state:
                raise KeyError(f"state: the key '{name}' is missing")
        if state["wild"] != state["round"] - 1:
            raise ValueError(f"state: wild: must be {state['round'] - 1} in round {state['round']}, not {state['wild']!r:.80}")
        seats = state["players"]
        if not isinstance(seats, (list, tuple)) or not 2 <= len(seats) <= 4 or not all(isinstance(seat, dict) for seat in seats):
            raise ValueError(f"state: players: must be a list of 2 to 4 dicts, not {seats!r:.80}")
        for number, seat in enumerate(seats):
            text += "| " + _text(seat, f"state: players[{number}]", _FIELDS_OF_SEAT)
        if len(state["displays"]) != 2 * len(seats) + 1:
            raise ValueError(f"state: displays: must be {2 * len(seats) + 1} lists with {len(seats)} players, not "
                             f"{len(state['displays'])}")
        return cls.from_text(text, seed)

    def view(self, seat=None):
        """The state as a bot gets it on the wire. Everything in it is public: each seat sees the same."""
        if seat is not None:
            _whole("seat", seat, 0, self.players - 1, IndexError)
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


# What writes a field of a state in notation; a fault is a ValueError that says what the field must be.


def _chosen(names):
    def write(name):
        if name not in names:
            raise ValueError(f"one of {', '.join(map(repr, names))}")
        return name
    return write


def _number(least, most):
    def write(number):
        if not hasattr(number, "__index__") or not least <= index(number) <= most:
            raise ValueError(f"an int from {least} to {most}")
        return index(number)
    return write


def _seat(number):
    return "-" if _number(-1, 3)(number) == -1 else index(number)


def _six(items, least, most, what):
    try:
        items = list(map(index, items))
        if len(items) == 6 and all(least <= item <= most for item in items):
            return items
    except TypeError:
        pass
    raise ValueError(f"a list of 6 {what} from {least} to {most}")


def _tiles(counts):
    return "".join(f"{letter}{count}" for letter, count in zip(COLORS, _six(counts, 0, 22, "numbers of tiles")) if count) or "-"


def _star(colors):
    return "".join("." if color == -1 else COLORS[color] for color in _six(colors, -1, 5, "colors"))


def _lists(write, count=None):
    what = "a list of lists" if count is None else f"a list of {count} lists"

    def write_all(lists):
        if not hasattr(lists, "__len__"):
            raise ValueError(what)
        if count not in (None, len(lists)):
            raise ValueError(f"{what} (there are {len(lists)})")
        try:
            return "/".join(map(write, lists))
        except TypeError:
            raise ValueError(what) from None
        except ValueError as error:
            raise ValueError(f"a list, each item {error}") from None
    return write_all


# In the order of the notation.
_FIELDS = {"board": _chosen(BOARDS), "round": _number(1, 6), "phase": _chosen(PHASES), "player": _seat, "start": _number(0, 3),
           "token": _seat, "bonus": _number(0, 3), "displays": _lists(_tiles), "center": _tiles, "supply": _tiles, "bag": _tiles, "tower": _tiles}
_FIELDS_OF_SEAT = {"score": _number(1, 1000000), "hand": _tiles, "corners": _tiles, "passed": lambda passed: "yes" if passed else "no",
                   "stars": _lists(_star, 7)}


def _text(fields, where, writers):
    """The fields of a dict in notation."""
    text = ""
    for name, write in writers.items():
        if name not in fields:
            raise KeyError(f"{where}: the key '{name}' is missing")
        try:
            text += f"{name}:{write(fields[name])} "
        except ValueError as error:
            raise ValueError(f"{where}: {name}: must be {error}, not {fields[name]!r:.80}") from None
    return text


class Batch(_engine.Batch):
    """Batch(count, players=2, board="colored", seed=None, auto_reset=False): many games, stepped together.

    players and board are one for all games, or a list with one for each. With auto_reset, step deals a game anew
    once it is over. n is the number of games, p the players of the largest; seats that a game lacks have zeros. Every method
    works on all games, on all cores, without the interpreter's lock; what is drawn depends on the seed and the order of
    calls only. `out` takes an array to fill again and again.
    """

    __slots__ = ("_final_ranks",)

    @property
    def final_ranks(self):
        """int32[n, p]: the ranks of each game that the last step ended, zeros of the others."""
        try:
            return self._final_ranks
        except AttributeError:  # no step yet
            return _numpy().zeros((self.count, self.players), "int32")

    def _filled(self, name, dtype, columns=(), out=None, seat=None):
        """Fills `out`, or a new array of a row for each game, by what the engine calls `name`."""
        numpy, shape = _numpy(), (self.count, *columns)
        if out is None:
            out = numpy.empty(shape, dtype)
        if not isinstance(out, numpy.ndarray) or out.dtype != dtype or out.shape != shape:
            given = f"of {out.dtype} with the shape {out.shape}" if isinstance(out, numpy.ndarray) else repr(out)
            raise TypeError(f"out: an array of {numpy.dtype(dtype)} with the shape {shape} is needed, not {given}")
        self._fill(name, out, seat)
        return out

    def reset(self, which=None):
        """Deals new games: all, or those where bool[n] `which` is True."""
        if which is not None:
            which = _numpy().ascontiguousarray(which)
            if which.shape != (self.count,) or which.dtype != bool:
                raise TypeError(f"which: an array of bool with the shape ({self.count},) is needed, not of {which.dtype} with "
                                f"the shape {which.shape}")
        self._reset(which)

    def player(self, out=None):
        """int8[n]: the seat to act, -1 where the game is over."""
        return self._filled("players", "int8", out=out)

    def observe(self, seat=None, out=None):
        """int16[n, OBSERVATION_SIZE]: each position as seen by the seat to act (once over: seat 0), or by `seat`."""
        return self._filled("observations", "int16", (OBSERVATION_SIZE,), out, seat)

    def masks(self, out=None):
        """bool[n, ACTION_COUNT]: True at the index of each legal action; no True where the game is over."""
        return self._filled("masks", bool, (ACTION_COUNT,), out)

    def step(self, actions):
        """Plays int[n] actions by index, -1 where the game is over. Returns (rewards, dones).

        rewards is int32[n, p], the points that each seat won or lost, final scoring included; dones is bool[n]. With
        auto_reset a game that is done has been dealt anew; final_ranks has the ranks that it ended with.
        Raises IllegalAction, with every game unchanged, if one action is not legal.
        """
        numpy = _numpy()
        actions = numpy.asarray(actions)
        if actions.dtype.kind not in "iu" or actions.shape != (self.count,):
            raise TypeError(f"actions: an array of integers with the shape ({self.count},) is needed, "
                            f"not of {actions.dtype} with the shape {actions.shape}")
        if actions.dtype != "int32":  # what does not fit becomes an index that is refused
            actions = actions.astype("int64").clip(-2**31, 2**31 - 1)
        rewards = numpy.empty((self.count, self.players), "int32")
        dones = numpy.empty(self.count, bool)
        ranks = numpy.empty((self.count, self.players), "int32")
        self._step(numpy.array(actions, "int32", order="C"), rewards, dones, ranks)  # a copy: no other thread may change it
        self._final_ranks = ranks
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

        return self._list(allocate, all_passes, True)

    def legal(self):
        """Every legal action of every game: (games, actions), int64[m], ascending, and int32[m]."""
        numpy = _numpy()
        return self._list(lambda total: (numpy.empty(total, "int64"), numpy.empty(total, "int32")), True, False)

    def choose(self, logits, games=None, actions=None, best=False):
        """Draws an action of each game by softmax(logits): (int32[n] actions, float32[n] logarithms of their probabilities).

        logits is float32[n, ACTION_COUNT], of which only those of legal actions count; or, with the `games` and
        `actions` of legal() or look_ahead(), or some of their rows, float32[m], a logit for each row. The action is -1,
        with 0, where the game is over or has no row. With `best` it is the action with the highest logit.
        """
        numpy = _numpy()
        if (games is None) != (actions is None):
            raise TypeError(f"{'games' if games is None else 'actions'}: is missing; give both lists, or neither")
        total = -1 if games is None else numpy.size(games)
        shape = (self.count, ACTION_COUNT) if games is None else (total,)
        logits = numpy.ascontiguousarray(logits)
        if logits.shape != shape or logits.dtype.kind not in "fiu":
            raise TypeError(f"logits: an array of float32 with the shape {shape} is needed, not of {logits.dtype} with the "
                            f"shape {logits.shape}")
        if games is not None:
            games, actions = _listed("games", games, total, "int64"), _listed("actions", actions, total, "int32")
        chosen, log_chances = numpy.empty(self.count, "int32"), numpy.empty(self.count, "float32")
        self._choose(logits.astype("float32", copy=False), chosen, log_chances, games, actions, total, best)
        return chosen, log_chances

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
        return self._get(number, Game)

    def __reduce__(self):
        games = [(game.text(), *game._future()) for game in self]
        return _restore_batch, (type(self), self._random, self.auto_reset, games)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __repr__(self):
        return f"<Batch of {self.count} games of {self.players}, {self.board}>"


def _player(name, bot, ms):
    """A function of (batch, games) that returns the actions of these games, or bots.Folder."""
    if callable(bot):
        return bot
    if bot in ("greedy", "steady", "sample"):
        return getattr(Batch, bot)
    if bot == "maestro":
        return lambda batch, games: [batch[i].maestro(ms) for i in games]
    if isinstance(bot, os.PathLike) or (isinstance(bot, str) and (os.sep in bot or os.path.isfile(os.path.join(bot, "bot.json")))):
        from .bots import Folder
        return Folder(bot, ms)
    hint = ""
    if isinstance(bot, str):
        hint = "; the bot 'random' is 'sample' here" if bot == "random" else "; other bots by their folders, as 'build/release/bots/random'"
    raise TypeError(f"{name}: must be 'greedy', 'steady', 'sample', 'maestro', a bot's folder (with its bot.json) or a function "
                    f"of a Batch, not {bot!r}{hint}")


def _called(role, function, batch):
    """What a user's function of a Batch returns; TypeError unless it is an action of each game."""
    given = function(batch)
    actions = None if given is None or isinstance(given, tuple) else _numpy().asarray(given)
    if actions is None or actions.dtype.kind not in "iu" or actions.shape != (len(batch),):
        what = (f"a tuple of {len(given)}" if isinstance(given, tuple) else "None" if given is None
                else f"an array of {actions.dtype} with the shape {actions.shape}")
        raise TypeError(f"{role}: its function must return int[{len(batch)}], an action of each game, not {what}; of what "
                        "Batch.choose returns take the first")
    return actions


def _play(players, names, batch, mine):
    """Plays the batch to its end; players[0] has the seat mine[i] of game i, players[1] all others."""
    numpy = _numpy()
    folders = [player for player in players if hasattr(player, "saw")]
    dones = numpy.zeros(len(batch), bool)
    for folder in folders:
        folder.begin(batch)
    while not dones.all():
        turn, chosen = batch.player(), numpy.full(len(batch), -1)
        for player, name, role, due in zip(players, names, ("bot", "against"), (turn == mine, (turn != mine) & (turn != -1))):
            games = numpy.flatnonzero(due)
            if len(games) == 0:
                continue
            if player in folders:
                chosen[games] = player.choose(batch, games.tolist())
            elif name == "maestro":
                chosen[games] = player(batch, games.tolist())
            else:
                chosen = numpy.where(due, _called(role, player, batch), chosen)
        _, dones = batch.step(chosen)
        for folder in folders:
            for i in numpy.flatnonzero(turn != -1).tolist():
                folder.saw(i, int(turn[i]), ACTIONS[chosen[i]])
    for folder in folders:
        folder.end(batch)


def evaluate(bot, against="greedy", games=400, players=2, board="colored", seed=7, ms=50):
    """The share of games that `bot` wins, a tie shared, and half of its 95 % interval: (share, error).

    Both are "greedy", "steady", "sample", "maestro", a bot's folder, or functions that get the Batch and return int[n]
    actions; those of games in which another seat acts are ignored. In game i `bot` has the seat i % players, `against`
    all others. maestro, and a folder's bot by its clock, have `ms` milliseconds for each decision. The program of a
    folder runs in child processes that nothing confines (pavilion_lab.bots).
    """
    numpy = _numpy()
    games, players, ms = _whole("games", games, 1, 1 << 24), _whole("players", players, 2, 4), _whole("ms", ms, 1, 3600000)
    Game(players, board, seed)  # refuses wrong terms
    both = [_player("bot", bot, ms), _player("against", against, ms)]
    folders = [player for player in both if hasattr(player, "saw")]
    size = 2 * (os.cpu_count() or 1) if folders else games  # games side by side
    shares = []
    try:
        for first in range(0, games, size):
            count = min(size, games - first)
            mine = numpy.arange(first, first + count) % players
            batch = Batch(count, players, board, seed if first == 0 else _later(seed, first))
            _play(both, (bot, against), batch, mine)
            won = batch.ranks() == 1
            shares.extend(won[numpy.arange(count), mine] / won.sum(axis=1))
    finally:
        for folder in folders:
            folder.close()
    return float(numpy.mean(shares)), float(1.96 * numpy.std(shares) / games**0.5)


def _later(seed, number):
    """Another seed for each number."""
    return seed if seed is None else (int.from_bytes(seed, "little") if isinstance(seed, bytes) else index(seed)) ^ (number << 64)


def _restore_batch(cls, random, auto_reset, games):
    games = [Game.from_text(*game) for game in games]
    batch = cls(len(games), [game.players for game in games], [game.board for game in games], 0, auto_reset)
    for i, game in enumerate(games):
        batch.put(i, game)
    batch._random = random
    return batch
