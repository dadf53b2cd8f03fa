# SPDX-License-Identifier: MIT
"""Games in the manner of PettingZoo (TurnEnv, all seats in turn) and of Gymnasium (SoloEnv, one seat against opponents).

    from pavilion_lab.env import TurnEnv
    env = TurnEnv(players=2)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))

Where PettingZoo and Gymnasium are installed, TurnEnv is an AECEnv and SoloEnv an Env with their spaces. Without them,
classes of this file with the same methods stand in. docs/python.md says what else differs.
"""

import operator
import random
import warnings

from . import ACTION_COUNT, OBSERVATION_SIZE, Game, IllegalAction, _numpy

numpy = _numpy()
try:
    import gymnasium
    from gymnasium import Env
    from gymnasium.spaces import Box, Dict, Discrete
except ImportError:
    gymnasium = None

    class Env:
        """What SoloEnv needs of gymnasium.Env: the random numbers of an environment."""

        render_mode = spec = None
        _np_random = None

        def reset(self, *, seed=None, options=None):
            if seed is not None:
                self._np_random = numpy.random.default_rng(seed)

        @property
        def np_random(self):
            if self._np_random is None:
                self._np_random = numpy.random.default_rng()
            return self._np_random

        @property
        def unwrapped(self):
            return self

    class _Space:
        def __contains__(self, item):
            return self.contains(item)

    class Discrete(_Space):
        """The integers 0 to n - 1; sample(mask) draws one of those that a mask allows."""

        def __init__(self, n):
            self.n, self.shape, self.dtype = n, (), numpy.dtype("int64")
            self._random = numpy.random.default_rng()

        def seed(self, seed=None):
            self._random = numpy.random.default_rng(seed)

        def sample(self, mask=None):
            if mask is not None and numpy.shape(mask) != (self.n,):
                raise TypeError(f"mask: an array with the shape ({self.n},) is needed, not one with the shape {numpy.shape(mask)}")
            allowed = numpy.arange(self.n) if mask is None else numpy.flatnonzero(mask)
            return self._random.choice(allowed) if len(allowed) else self.dtype.type(0)

        def contains(self, item):
            try:
                return 0 <= operator.index(item) < self.n  # arrays without a dimension are ints, too
            except TypeError:
                return False

    class Box(_Space):
        """Arrays of one shape and type, with items from low to high."""

        def __init__(self, low, high, shape, dtype):
            self.low, self.high = numpy.full(shape, low, dtype), numpy.full(shape, high, dtype)
            self.shape, self.dtype = shape, numpy.dtype(dtype)
            self._random = numpy.random.default_rng()

        def seed(self, seed=None):
            self._random = numpy.random.default_rng(seed)

        def sample(self):
            return self._random.integers(self.low, self.high, dtype=self.dtype, endpoint=True)

        def contains(self, item):
            return (isinstance(item, numpy.ndarray) and item.shape == self.shape and item.dtype == self.dtype
                    and bool((item >= self.low).all() and (item <= self.high).all()))

    class Dict(_Space, dict):
        """Dicts with a space for each key."""

        def seed(self, seed=None):
            for space in self.values():
                space.seed(seed)

        def sample(self):
            return {name: space.sample() for name, space in self.items()}

        def contains(self, item):
            return isinstance(item, dict) and item.keys() == self.keys() and all(
                space.contains(item[name]) for name, space in self.items())

try:
    from pettingzoo import AECEnv
except ImportError:
    class AECEnv:
        """What TurnEnv needs of pettingzoo.AECEnv."""

        @property
        def num_agents(self):
            return len(self.agents)

        @property
        def max_num_agents(self):
            return len(self.possible_agents)

        @property
        def unwrapped(self):
            return self

        def __str__(self):
            return self.metadata["name"]


_RENDER_MODES = ("ansi",)


def _observation_box():
    return Box(-1, 32767, (OBSERVATION_SIZE,), numpy.int16)


def _checked_mode(mode):
    if mode is not None and mode not in _RENDER_MODES:
        raise ValueError(f"render_mode: must be 'ansi' or None, not {mode!r}")
    return mode


def _given_game(options, terms, names):
    """A copy of options["game"], or None if there is none. `names` are the options that the environment knows."""
    if not isinstance(options, (dict, type(None))):
        raise TypeError(f"options: must be None or a dict, such as {{'game': game}}, not {options!r:.80}")
    for name in options or ():
        if name not in names:  # no exception: PettingZoo's api_test gives an option that nobody knows
            warnings.warn(f"options: {name!r} is ignored; the environment knows {' and '.join(map(repr, names))}", stacklevel=3)
    game = (options or {}).get("game")
    if game is None:
        return None
    if not isinstance(game, Game):
        raise TypeError(f"options: 'game' must be a Game, not {game!r}")
    if (game.players, game.board) != terms:
        raise ValueError(f"options: 'game' must have {terms[0]} players and the board {terms[1]!r} like the environment, "
                         f"not {game.players} and {game.board!r}")
    if game.over:
        raise ValueError("options: 'game' is over; give one that still has a turn")
    return game.copy()


class TurnEnv(AECEnv):
    """TurnEnv(players=2, board="colored"): agents "player_0", ... act in turn; reset() before the first step.

    An observation is {"observation": int16[OBSERVATION_SIZE], "action_mask": int8[ACTION_COUNT]}; a reward is what an
    action won or lost in points for each agent, final scoring included, so that they sum up to the score minus 5.
    """

    metadata = {"name": "summer_pavilion_v1", "render_modes": list(_RENDER_MODES), "render_fps": 1, "is_parallelizable": False}

    def __init__(self, players=2, board="colored", render_mode="ansi"):
        Game(players, board)  # refuses wrong terms
        self.game = self._random = None
        self.render_mode = _checked_mode(render_mode)
        self._terms = (players, board)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: Discrete(ACTION_COUNT) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict({"observation": _observation_box(), "action_mask": Box(0, 1, (ACTION_COUNT,), numpy.int8)})
            for agent in self.possible_agents}

    def reset(self, seed=None, options=None):
        """Deals a new game; the seed is as for Game.

        Without a seed, games follow from the last seed that was given, or from chance. options={"game": game} begins
        from a copy of a game instead.
        """
        given = _given_game(options, self._terms, ("game",))
        if seed is not None or self._random is None:
            Game(*self._terms, seed)  # refuses a wrong seed
            self._random = random.Random(seed if seed is None or isinstance(seed, bytes) else operator.index(seed))
        if seed is None:
            seed = self._random.getrandbits(128)
        self.game = given or Game(*self._terms, seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.player]

    def _running(self):
        if self.game is None:
            raise RuntimeError("call reset() first")
        return self.game

    def __getattr__(self, name):  # of what is not there
        if name in ("agent_selection", "rewards", "terminations", "truncations", "infos"):
            raise AttributeError(f"{name}: call reset() first")
        raise AttributeError(f"TurnEnv has no attribute {name!r}")

    def _of(self, agent, values):
        if agent not in self.possible_agents:
            raise KeyError(f"agent: must be one of {', '.join(map(repr, self.possible_agents))}, not {agent!r}")
        return values[agent]

    def observe(self, agent):
        """What an agent sees; the mask is empty unless it is the agent's turn."""
        game, seat = self._running(), self._of(agent, self._seats)
        mask = game.mask().view(numpy.int8)
        if game.player != seat:
            mask[:] = 0
        return {"observation": game.observe(seat), "action_mask": mask}

    def last(self, observe=True):
        """(observation, reward since the agent's last action, termination, truncation, info) of agent_selection."""
        self._running()
        agent = self.agent_selection
        if agent not in self.agents:
            raise RuntimeError("every agent has left; call reset()")
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def step(self, action):
        """Plays the action of agent_selection; an agent whose game is over takes None and leaves."""
        game, agent = self._running(), self.agent_selection
        if not self.agents:
            raise IllegalAction("every agent has left; call reset()")
        if self.terminations[agent]:
            if action is not None:
                raise IllegalAction(f"{agent}: the game is over; the action is None")
            self.agents.remove(agent)
            del self.terminations[agent], self.truncations[agent], self.infos[agent]
            del self.rewards[agent], self._cumulative_rewards[agent]
            self.rewards = dict.fromkeys(self.agents, 0)
            if self.agents:
                self.agent_selection = self.agents[0]
            return
        before = game.scores()
        game.apply(action)
        self._cumulative_rewards[agent] = 0
        for name, old, new in zip(self.possible_agents, before, game.scores()):
            self.rewards[name] = new - old
            self._cumulative_rewards[name] += new - old
        if game.over:
            self.terminations = dict.fromkeys(self.agents, True)
            for name, rank in zip(self.agents, game.ranks()):
                self.infos[name] = {"rank": rank}
        self.agent_selection = self.agents[0] if game.over else self.possible_agents[game.player]

    def agent_iter(self, max_iter=2**63):
        """Yields agent_selection until every agent has left, or max_iter times."""
        self._running()
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def action_space(self, agent):
        return self._of(agent, self.action_spaces)

    def observation_space(self, agent):
        return self._of(agent, self.observation_spaces)

    def render(self):
        """The position as a line of notation; None without a render_mode."""
        return self._running().text() if self.render_mode else None

    def close(self):
        """Forgets the game; reset() deals another one."""
        self.game, self.agents = None, []


_OPPONENTS = ("greedy", "steady", "sample")


class SoloEnv(Env):
    """SoloEnv(players=2, board="colored", opponent="greedy", seat=None): one seat; the opponent plays all others.

    The opponent is "greedy", "steady", "sample" or a function that gets a copy of the Game and returns an action. The
    seat is drawn for each game, unless given. An observation is int16[OBSERVATION_SIZE]; info["action_mask"] is
    int8[ACTION_COUNT]. A reward is what the seat won or lost in points since its last action, so that they sum up to
    the score minus 5. An illegal action ends the game: it takes all points back, and info["illegal"] is True.
    """

    metadata = {"render_modes": list(_RENDER_MODES), "render_fps": 1}

    def __init__(self, players=2, board="colored", opponent="greedy", seat=None, render_mode="ansi"):
        Game(players, board)  # refuses wrong terms
        if not callable(opponent) and opponent not in _OPPONENTS:
            raise TypeError(f"opponent: must be 'greedy', 'steady', 'sample' or a function of a Game, not {opponent!r}")
        if seat is not None and seat not in range(players):
            raise ValueError(f"seat: must be an int from 0 to {players - 1}, or None to draw it, not {seat!r}")
        self.game = self.seat = None
        self.render_mode = _checked_mode(render_mode)
        self._terms, self._given_seat = (players, board), seat
        self._opponent = opponent
        self._mask = None  # of the turn that is due; None: no turn is
        self.observation_space = _observation_box()
        self.action_space = Discrete(ACTION_COUNT)

    def reset(self, *, seed=None, options=None):
        """Deals a new game and plays to the seat's first turn: (observation, info).

        Without a seed, games follow from the last seed that was given, or from chance. options={"game": game} begins
        from a copy of a game instead, options={"seat": seat} gives the seat of this game.
        """
        if seed is not None and not (hasattr(seed, "__index__") and operator.index(seed) >= 0):
            raise ValueError(f"seed: must be None or an int from 0, not {seed!r}")
        given = _given_game(options, self._terms, ("game", "seat"))
        seat = (options or {}).get("seat", self._given_seat)
        if seat is not None and seat not in range(self._terms[0]):
            raise ValueError(f"options: 'seat' must be an int from 0 to {self._terms[0] - 1}, not {seat!r}")
        super().reset(seed=None if seed is None else operator.index(seed))
        dealt, drawn = self.np_random.bytes(16), int(self.np_random.integers(self._terms[0]))
        self.game = given or Game(*self._terms, dealt)
        self.seat = drawn if seat is None else operator.index(seat)
        self._play_others()
        return self._seen()

    def _opponents_action(self):
        if callable(self._opponent):
            return self._opponent(self.game.copy())
        if self._opponent != "sample":
            return getattr(self.game, self._opponent)()
        legal = self.game.legal()
        return legal[int(self.np_random.integers(len(legal)))]

    def _play_others(self):
        """Plays the opponents' turns until the seat's own, or to the end."""
        game = self.game
        while not game.over and game.player != self.seat:
            action = self._opponents_action()
            try:
                game.apply(action)
            except (TypeError, IllegalAction) as error:
                raise IllegalAction(f"opponent: {error}") from None
        self._mask = None if game.over else game.mask().view(numpy.int8)

    def _seen(self):
        info = {"action_mask": numpy.zeros(ACTION_COUNT, numpy.int8) if self._mask is None else self._mask.copy()}
        if self.game.over:
            info["rank"] = self.game.ranks()[self.seat]
        return self.game.observe(self.seat), info

    def action_masks(self):
        """bool[ACTION_COUNT]: the legal actions, in the form that sb3-contrib asks for."""
        if self.game is None:
            raise RuntimeError("no game is running; call reset() first")
        return self._seen()[1]["action_mask"].astype(bool)

    def step(self, action):
        """Plays the seat's action and the turns up to its next: (observation, reward, terminated, truncated, info)."""
        if self._mask is None:
            raise RuntimeError("no game is running; call reset() first")
        try:
            index = operator.index(action)  # of an int, or of an array without a dimension
        except TypeError:
            index = -1
        if not 0 <= index < ACTION_COUNT:
            raise IllegalAction(f"action: must be an int from 0 to {ACTION_COUNT - 1}, not {action!r}")
        before = self.game.scores()[self.seat]
        if not self._mask[index]:
            self._mask = None
            observation, info = self._seen()
            return observation, -before, True, False, {**info, "illegal": True}
        self.game.apply(index)
        self._play_others()
        observation, info = self._seen()
        return observation, self.game.scores()[self.seat] - before, self.game.over, False, info

    def render(self):
        """The position as a line of notation; None without a render_mode."""
        if self.game is None:
            raise RuntimeError("no game is running; call reset() first")
        return self.game.text() if self.render_mode else None

    def close(self):
        """Forgets the game; reset() deals another one."""
        self.game = self._mask = None


if gymnasium is not None:
    gymnasium.register(id="Pavilion-v0", entry_point="pavilion_lab.env:SoloEnv")
