# SPDX-License-Identifier: MIT
"""One game in the manner of PettingZoo's turn-by-turn environments (AEC), without depending on it.

    from pavilion_lab.env import TurnEnv
    env = TurnEnv(players=2)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))

docs/python.md says where this differs from PettingZoo.
"""

import random

from . import ACTION_COUNT, OBSERVATION_SIZE, Game, IllegalAction


class Discrete:
    """The integers 0 to n - 1; sample(mask) draws one of those that a mask allows."""

    def __init__(self, n):
        self.n, self.shape, self.dtype = n, (), "int64"
        self._random = random.Random()

    def seed(self, seed=None):
        self._random.seed(seed)

    def sample(self, mask=None):
        return self._random.choice(range(self.n) if mask is None else mask.nonzero()[0].tolist())

    def contains(self, action):
        return hasattr(action, "__index__") and 0 <= action.__index__() < self.n


class Box:
    """Arrays of one shape and type."""

    def __init__(self, low, high, shape, dtype):
        self.low, self.high, self.shape, self.dtype = low, high, shape, dtype

    def contains(self, array):
        return getattr(array, "shape", None) == self.shape and array.dtype == self.dtype


class TurnEnv:
    """TurnEnv(players=2, board="colored"): agents "player_0", ... act in turn; reset() before the first step.

    An observation is {"observation": int16[OBSERVATION_SIZE], "action_mask": bool[ACTION_COUNT]}; a reward is what an
    action won or lost in points for each agent, final scoring included, so that they sum up to the score minus 5.
    """

    metadata = {"name": "summer_pavilion_v1", "render_modes": ["ansi"], "is_parallelizable": False}
    render_mode = "ansi"

    def __init__(self, players=2, board="colored"):
        self.game = None
        self._terms = (players, board)
        Game(*self._terms)  # refuses wrong terms
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._action_spaces = {agent: Discrete(ACTION_COUNT) for agent in self.possible_agents}
        self._observation_space = {
            "observation": Box(-1, 32767, (OBSERVATION_SIZE,), "int16"),
            "action_mask": Box(0, 1, (ACTION_COUNT,), "bool"),
        }

    def reset(self, seed=None, options=None):
        """Deals a new game; the seed is as for Game. options={"game": game} begins from a copy of a game instead."""
        given = (options or {}).get("game")
        if given is not None and (given.players, given.board) != self._terms:
            raise ValueError("the game has another number of players or board than the environment")
        self.game = Game(*self._terms, seed) if given is None else given.copy()
        if self.game.over:
            raise ValueError("the game is over")
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

    def observe(self, agent):
        """What an agent sees; the mask is empty unless it is the agent's turn."""
        game, seat = self._running(), self._seats[agent]
        mask = game.mask()
        if game.player != seat:
            mask[:] = False
        return {"observation": game.observe(seat), "action_mask": mask}

    def last(self, observe=True):
        """(observation, reward since the agent's last action, termination, truncation, info) of agent_selection."""
        self._running()
        agent = self.agent_selection
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
        return self._action_spaces[agent]

    def observation_space(self, agent):
        self._action_spaces[agent]  # refuses a name that is no agent's
        return self._observation_space

    def render(self):
        """The position as a line of notation."""
        return self._running().text()

    def close(self):
        self.game, self.agents = None, []
