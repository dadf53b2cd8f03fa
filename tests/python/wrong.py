# SPDX-License-Identifier: MIT
"""Every wrong use is an exception that names it; copies, pickles and equality; the environment by PettingZoo's rules."""

import copy
import pickle
import random

import numpy as np

from pavilion_lab import ACTION_COUNT, ACTIONS, OBSERVATION, OBSERVATION_SIZE, Action, Batch, Game, IllegalAction
from pavilion_lab.env import TurnEnv


def refused(error, words, call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
    except error as raised:
        assert words in str(raised), f"{raised!r} does not say {words!r}"
    else:
        raise AssertionError(f"no {error.__name__}: {words}")


# Single games.
game = Game(2, "colored", 1)
refused(ValueError, "players: must be 2, 3 or 4, not 5", Game, 5)
refused(ValueError, "board: must be 'colored' or 'gray', not 'grey'", Game, 2, "grey")
refused(ValueError, "seed: must be None, 16 bytes, or an int from 0 to 2**128 - 1", Game, seed=-1)
refused(ValueError, "seed", Game, seed=b"short")
refused(ValueError, "seed", Game, seed="text")
refused(TypeError, "str", Game, "2")
refused(IllegalAction, "action 0, 'draft center p', is not legal in: board:colored round:1", game.apply, 0)
refused(IllegalAction, f"action: 0 to {ACTION_COUNT - 1}, not {ACTION_COUNT}", game.apply, ACTION_COUNT)
refused(IllegalAction, "not -1", game.apply, -1)
refused(IllegalAction, "action 'sing'", game.apply, "sing")
refused(TypeError, "float", game.apply, 1.0)
refused(TypeError, "NoneType", game.apply, None)
refused(IndexError, "seat: 0 to 1, not 2", game.final_points, 2)
refused(IndexError, "seat: 0 to 1, not 2", game.view, 2)
refused(ValueError, "no position allows it", Action, ["draft", 9, 0])
refused(ValueError, "no position allows it", Action, ["pass", [5, 0, 0, 0, 0, 0]])
state = game.view()
refused(KeyError, "wild", Game.from_state, {key: state[key] for key in state if key != "wild"})
refused(ValueError, "a color does not have 22 tiles in all", Game.from_state, {**state, "bag": [22] * 6})
refused(ValueError, "the wild color is not the wild color of the round", Game.from_state, {**state, "wild": 3})
refused(ValueError, "a list has 5 items, not 6", Game.from_state, {**state, "bag": [22] * 5})
refused(ValueError, "player: must be a seat from 0 to 3", Game.from_state, {**state, "player": 300})
refused(ValueError, "state", Game.from_state, {**state, "round": "one"})
refused(ValueError, "", Game.from_text, "nonsense")
before = game.copy()
for action in set(range(ACTION_COUNT)) - set(game.legal()):
    assert not game.is_legal(action)
assert game == before and hash is not None
refused(TypeError, "unhashable", hash, game)
assert Game.from_text(game.text(), 5) != game and Game.from_text(game.text(), 5).key() == game.key()
assert ACTIONS[172] is Action(172) and pickle.loads(pickle.dumps(ACTIONS[172])) is ACTIONS[172]
assert Action("place 2 5 b 3") == Action(["place", 2, 5, 4, 3]) and Action("place 2 5 b 3").kind == "place"
for board in ("colored", "gray"):
    for seed in range(40):
        game = Game(2 + seed % 3, board, seed)
        while not game.over:
            game.apply(random.choice(game.legal()))
            for other in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game), game.copy()):
                assert other == game and type(other) is Game
        assert [game.final_points(seat) >= 0 for seat in range(game.players)]
        refused(IllegalAction, "the game is over", game.apply, 0)
        refused(IllegalAction, "the game is over", game.greedy)
        assert game.legal() == [] and not game.mask().any() and game.player == -1

# Batches.
batch = Batch(6, 3, "gray", 1)
refused(ValueError, "count: 1 to", Batch, 0)
refused(ValueError, "players", Batch, 3, 1)
refused(TypeError, "not of float64 with the shape (6,)", batch.step, np.zeros(6))
refused(TypeError, "not of int64 with the shape (5,)", batch.step, np.zeros(5, int))
refused(IllegalAction, "game 0: action 0, 'draft center p', is not legal", batch.step, np.zeros(6, int))
refused(IllegalAction, "game 0: action: must be 0 to", batch.step, np.full(6, -1))
refused(TypeError, "out: an array of int16 with the shape (6, 311) is needed", batch.observe, out=np.zeros((6, 310), "int16"))
refused(TypeError, "out", batch.masks, out=np.zeros((6, ACTION_COUNT), "int8"))
refused(IndexError, "seat: 0 to 2, not 3", batch.observe, 3)
refused(IndexError, "game: 0 to 5, not 6", batch.__getitem__, 6)
refused(ValueError, "differs from the Batch in its number of players or its board", batch.put, 0, Game(2))
refused(TypeError, "the argument must be a Game", batch.put, 0, 7)
refused(TypeError, "which", batch.reset, np.zeros(6))
refused(TypeError, "actions: must be a C-contiguous array", batch._step, np.zeros(6, "int32")[::-1], np.zeros(18, "int32"), np.zeros(6, bool))
refused(TypeError, "observations: items must be of the format 'h'", batch._fill, "observations", np.zeros(6, "int32"), -1)
refused(TypeError, "three arrays are expected", batch._look_ahead, int, False)
before = batch.copy()
actions = batch.sample()
actions[5] = 0
after = batch.copy()
refused(IllegalAction, "game 5", batch.step, actions)
assert batch == after, "a refused step changed the batch"
dones = np.zeros(6, bool)
while not dones.all():
    assert pickle.loads(pickle.dumps(batch)) == batch and copy.deepcopy(batch) == batch
    masks, observed = batch.masks(), batch.observe()
    games, tried, outcomes = batch.look_ahead(all_passes=True)
    for i, game in enumerate(batch):
        assert (game.mask() == masks[i]).all() and (game.observe() == observed[i]).all()
        assert tried[games == i].tolist() == game.legal()
    for row in np.random.permutation(len(games))[:20]:
        alone = batch[int(games[row])]
        seat = alone.player
        alone.apply(tried[row])
        score = OBSERVATION["score0"]
        assert outcomes[row, score] == alone.observe(seat)[score]
    _, dones = batch.step(batch.sample())
assert (batch.player() == -1).all() and (batch.sample() == -1).all()
assert [rank.count(1) for rank in batch.ranks().tolist()] and batch.observe().shape == (6, OBSERVATION_SIZE)
refused(IllegalAction, "game 0: the game is over", batch.step, np.zeros(6, int))

# With one seed, every run of the same calls gives the same games, on any number of cores.
one, two = Batch(300, seed=9), Batch(300, seed=9)
for _ in range(60):
    one.step(one.sample())
    two.step(two.sample())
assert one == two

# The bots play as policies, alone and in a batch alike.
batch = Batch(40, 2, "colored", 3)
dones = np.zeros(40, bool)
while not dones.all():
    greedy, steady = batch.greedy(), batch.steady()
    for i in range(0, 40, 13):
        if not dones[i]:
            assert batch[i].greedy() == greedy[i] and batch[i].steady() == steady[i]
    _, dones = batch.step(np.where(batch.player() == 0, steady, greedy))
assert (batch.ranks()[:, 0] == 1).sum() > 30

# A bot's view after round trips, from each seat; scores that do not fit an observation are cut.
game = Game.from_text(Game(2, seed=1).text().replace("score:5", "score:40000", 1))
assert game.observe(0)[OBSERVATION["score0"]] == 32767 and game.view()["players"][0]["score"] == 40000

# The environment: what the PettingZoo API test asks of an AEC environment.
env = TurnEnv(4, "gray")
refused(RuntimeError, "reset", env.last)
for seed in range(20):
    env.reset(seed)
    totals = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        assert observation["observation"].shape == env.observation_space(agent)["observation"].shape
        totals[agent] += reward
        if termination:
            action = None
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
            wrong = int(np.flatnonzero(~observation["action_mask"])[0])
            refused(IllegalAction, "is not legal", env.step, wrong)
        env.step(action)
    assert not env.agents and env.game.over
    assert list(totals.values()) == [score - 5 for score in env.game.scores()], totals
    refused(IllegalAction, "reset", env.step, None)
assert "board:gray" in env.render()
print("every wrong use is refused in words")
