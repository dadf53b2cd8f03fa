# SPDX-License-Identifier: MIT
"""The environments keep the contracts of PettingZoo (AECEnv) and Gymnasium (Env).

What their documentation asks is checked here, whether or not the two are installed; where they are, their own checks
(pettingzoo.test, gymnasium.utils.env_checker) run as well.

usage: environments.py, with PYTHONPATH at the package
"""

import inspect
import pickle
import warnings

import numpy as np

from pavilion_lab import ACTION_COUNT, OBSERVATION_SIZE, Game, IllegalAction
from pavilion_lab.env import SoloEnv, TurnEnv
from refusal import refused

TERMS = [(2, "colored"), (3, "gray"), (4, "colored")]
warnings.filterwarnings("ignore", "options: 'options' is ignored")


def same(one, two):
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(two) and all(map(same, one, two))
    return type(one) is type(two) and np.array_equal(one, two)


def check_spaces(observations, actions):
    """A space samples what it contains, the same again for the same seed, and contains nothing else."""
    for space in (observations, actions):
        space.seed(4)
        first = [space.sample() for _ in range(5)]
        space.seed(4)
        assert all(item in space and space.contains(item) for item in first)
        assert same(first, [space.sample() for _ in range(5)]) and not same(first[0], space.sample())
        assert None not in space and np.zeros(3, "int16") not in space
    assert np.array(9) in actions and np.array([9]) not in actions and np.array(ACTION_COUNT) not in actions
    refused((TypeError, AssertionError), "", actions.sample, np.ones(3, np.int8))
    assert actions.n == ACTION_COUNT and actions.shape == () and actions.dtype == np.dtype("int64")
    assert [item in actions for item in (-1, 0, ACTION_COUNT - 1, ACTION_COUNT, np.int32(7))] == [False, True, True, False, True]
    mask = np.zeros(ACTION_COUNT, np.int8)
    assert actions.sample(mask) == 0
    mask[[5, 1000]] = 1
    assert {int(actions.sample(mask)) for _ in range(60)} == {5, 1000}


def check_box(box, shape, dtype, low, high):
    assert box.shape == box.low.shape == box.high.shape == shape and box.dtype == np.dtype(dtype)
    assert (box.low == low).all() and (box.high == high).all()
    assert np.full(shape, low, dtype) in box and np.full(shape, low, "float64") not in box and np.full(shape, low - 1, dtype) not in box


def check_metadata(env, make):
    assert "ansi" in env.metadata["render_modes"] and env.metadata["render_fps"] > 0 and env.unwrapped is env
    assert make().render_mode == "ansi" and make(render_mode=None).render_mode is None
    refused(ValueError, "render_mode: must be 'ansi' or None, not 'rgb_array'", make, render_mode="rgb_array")
    parameters = inspect.signature(env.reset).parameters
    assert parameters["seed"].default is None and parameters["options"].default is None
    env.close()
    env.close()
    refused(RuntimeError, "call reset() first", env.render)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        env.reset(seed=1, options={"gme": 1})
    assert [str(one.message) for one in said][0].startswith("options: 'gme' is ignored; the environment knows 'game'")
    assert said[0].filename == __file__ and pickle.loads(pickle.dumps(env)).game == env.game


# ---- PettingZoo ----

def check_attributes(env):
    """The dicts have the agents that are alive, and the values have their types."""
    assert env.num_agents == len(env.agents) and set(env.agents) <= set(env.possible_agents)
    for values, kind in ((env.rewards, int), (env.terminations, bool), (env.truncations, bool), (env.infos, dict)):
        assert values.keys() == set(env.agents) and all(type(value) is kind for value in values.values())


def play_turns(env, **arguments):
    """Plays a game by chance and checks each turn. Returns all that last() gave, with its agent."""
    env.reset(**arguments)
    seen, finished, rewards = [], [], dict.fromkeys(env.possible_agents, 0)
    totals = dict(rewards)
    assert env.agents == env.possible_agents and env.max_num_agents == env.num_agents
    assert not any(env.terminations.values()) and not any(env.rewards.values())
    for agent in env.agent_iter():
        check_attributes(env)
        assert agent == env.agent_selection and agent in env.agents and agent not in finished
        given = observation, reward, termination, truncation, info = env.last()
        seen.append((agent, *given))
        assert reward == rewards[agent], "last() gives the rewards since the agent's last action"
        totals[agent] += reward
        rewards[agent] = 0
        assert termination is env.terminations[agent] and truncation is False and info is env.infos[agent]
        assert observation in env.observation_space(agent) and same(observation, env.observe(agent))
        assert env.last(observe=False)[0] is None
        mask = observation["action_mask"]
        if termination:
            assert env.game.over and not mask.any() and info["rank"] == env.game.ranks()[env.possible_agents.index(agent)]
            refused(IllegalAction, f"{agent}: the game is over; the action is None", env.step, 0)
            finished.append(agent)
            assert env.step(None) is None
        else:
            assert agent == env.possible_agents[env.game.player] and np.flatnonzero(mask).tolist() == env.game.legal()
            assert all(not env.observe(other)["action_mask"].any() for other in env.agents if other != agent)
            refused(IllegalAction, "is not legal", env.step, int(np.flatnonzero(mask == 0)[0]))
            assert env.step(np.array(env.action_space(agent).sample(mask))) is None
        for other, points in env.rewards.items():
            rewards[other] += points
    assert sorted(finished) == env.possible_agents and not env.agents
    assert list(totals.values()) == [score - 5 for score in env.game.scores()]
    refused(RuntimeError, "every agent has left; call reset()", env.last)
    refused(IllegalAction, "every agent has left; call reset()", env.step, None)
    return seen


def seeded_spaces(env):
    for agent in env.possible_agents:
        env.action_space(agent).seed(3)


for terms in TERMS:
    env = TurnEnv(*terms)
    refused(RuntimeError, "call reset() first", env.last)
    for name in ("agent_selection", "rewards", "terminations", "truncations", "infos"):
        refused(AttributeError, f"{name}: call reset() first", getattr, env, name)
    refused(AttributeError, "no attribute 'nothing'", getattr, env, "nothing")
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent) and env.action_space(agent) is env.action_space(agent)
        check_spaces(env.observation_space(agent), env.action_space(agent))
        check_box(env.observation_space(agent)["observation"], (OBSERVATION_SIZE,), "int16", -1, 32767)
        check_box(env.observation_space(agent)["action_mask"], (ACTION_COUNT,), "int8", 0, 1)
    for call in (env.observation_space, env.action_space, (env.reset(), env)[1].observe):
        refused(KeyError, "agent: must be one of 'player_0', 'player_1'", call, "player_9")
    for seed in range(5):
        play_turns(env, seed=seed)
    assert env.render() == env.game.text()
    # A seed decides its game and those that are dealt after it without a seed.
    runs = []
    for again in (env, TurnEnv(*terms)):
        seeded_spaces(again)
        runs.append([play_turns(again, seed=6), play_turns(again), play_turns(again, options={"options": 1})])
    assert same(*runs) and not same(*runs[0][:2])
    env.reset(seed=6)
    assert env.game == Game(*terms, 6)
    env.reset(seed=9)
    assert env.game == Game(*terms, 9)
    begun = Game(*terms, 3)
    begun.apply(begun.greedy())
    env.reset(options={"game": begun})
    assert env.game == begun and env.game is not begun and env.agent_selection == env.possible_agents[begun.player]
    begun.play_out(1)
    refused(ValueError, "options: 'game' is over", env.reset, options={"game": begun})
    refused(TypeError, "options: 'game' must be a Game, not 7", env.reset, options={"game": 7})
    refused(ValueError, "options: 'game' must have", env.reset, options={"game": Game(terms[0], "gray" if terms[1] == "colored" else "colored")})
    refused(ValueError, "seed: must be None, 16 bytes, or an int from 0 to 2**128 - 1, not 'text'", env.reset, seed="text")
    check_metadata(env, TurnEnv)
assert str(TurnEnv()) == "summer_pavilion_v1"
assert sum(1 for agent in (env.reset(), env)[1].agent_iter(3)) == 3

# ---- Gymnasium ----


def play_alone(env, **arguments):
    """Plays a game by chance and checks each step. Returns all observations, rewards and infos."""
    observation, info = env.reset(**arguments)
    seen, total, terminated = [(observation, info)], 0, False
    while not terminated:
        mask = info["action_mask"]
        assert observation in env.observation_space and mask.dtype == np.int8 and env.game.player == env.seat
        assert np.flatnonzero(mask).tolist() == env.game.legal() and (env.action_masks() == mask.astype(bool)).all()
        assert (observation == env.game.observe(env.seat)).all() and "rank" not in info
        step = env.step((int, np.int32, np.array)[len(seen) % 3](env.action_space.sample(mask)))
        observation, reward, terminated, truncated, info = step
        assert len(step) == 5 and type(reward) is int and type(terminated) is bool and truncated is False and type(info) is dict
        seen.append(step)
        total += reward
    assert env.game.over and observation in env.observation_space and not info["action_mask"].any()
    assert total == env.game.scores()[env.seat] - 5 and info["rank"] == env.game.ranks()[env.seat]
    refused(RuntimeError, "no game is running; call reset() first", env.step, 0)
    return seen


for terms in TERMS:
    for opponent in ("greedy", "steady", "sample", Game.greedy):
        env = SoloEnv(*terms, opponent=opponent)
        refused(RuntimeError, "no game is running; call reset() first", env.action_masks)
        assert env.observation_space is env.observation_space and env.action_space is env.action_space
        check_spaces(env.observation_space, env.action_space)
        check_box(env.observation_space, (OBSERVATION_SIZE,), "int16", -1, 32767)
        runs = []
        for again in (env, SoloEnv(*terms, opponent=opponent)):
            again.action_space.seed(8)
            runs.append([play_alone(again, seed=5), play_alone(again), play_alone(again, options={})])
        assert same(*runs) and not same(*runs[0][:2])
        state = env.np_random.bit_generator.state
        env.reset(seed=5)
        one = env.np_random.bit_generator.state
        env.reset(seed=5)
        assert env.np_random.bit_generator.state == one != state
        # Every action of the space can be taken: one that is not legal loses.
        observation, info = env.reset(seed=5)
        before = env.game.copy()
        lost, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
        assert terminated and not truncated and info["illegal"] is True and reward == -before.scores()[env.seat]
        assert env.game == before and (lost == observation).all() and not info["action_mask"].any()
        refused(RuntimeError, "call reset() first", env.step, 0)
        env.reset()
        refused(IllegalAction, f"action: must be an int from 0 to {ACTION_COUNT - 1}, not -1", env.step, -1)
        for wrong in (None, 1.0, np.array([9]), np.array(ACTION_COUNT)):
            refused(IllegalAction, f"not {wrong!r}", env.step, wrong)
        assert env.render() == env.game.text()
        # Seats: all are drawn, unless one is given.
        assert {(env.reset(seed=seed), env.seat)[1] for seed in range(40)} == set(range(terms[0]))
        assert (env.reset(options={"seat": 1}), env.seat)[1] == 1
        assert {(SoloEnv(*terms, seat=1), env.reset(options={"seat": 1}), env.seat)[2] for _ in range(5)} == {1}
        begun = Game(*terms, 3)
        env.reset(options={"game": begun, "seat": begun.player})
        assert env.game == begun and env.game is not begun
        refused(ValueError, f"options: 'seat' must be an int from 0 to {terms[0] - 1}, not 4", env.reset, options={"seat": 4})
        refused(TypeError, "options: 'game' must be a Game, not 7", env.reset, options={"game": 7})
        for wrong in (-1, "text", 1.5):
            refused(ValueError, f"seed: must be None or an int from 0, not {wrong!r}", env.reset, seed=wrong)
        check_metadata(env, SoloEnv)
alone = SoloEnv(seat=1)
assert {(alone.reset(seed=seed), alone.seat)[1] for seed in range(9)} == {1}
refused(ValueError, "seat: must be an int from 0 to 1, or None to draw it, not 2", SoloEnv, seat=2)
refused(TypeError, "opponent: must be 'greedy', 'steady', 'sample' or a function of a Game, not 'nobody'", SoloEnv, opponent="nobody")
refused(ValueError, "players: must be an int from 2 to 4, not 5", SoloEnv, 5)
refused(TypeError, "not []", SoloEnv, opponent=[])
for env in (TurnEnv(), SoloEnv()):
    refused(TypeError, "options: must be None or a dict, such as {'game': game}, not 5", env.reset, options=5)
    assert same(env.reset(seed=np.int64(3)), env.reset(seed=3))
refused(IllegalAction, "opponent: action: must be an Action", SoloEnv(opponent=lambda game: None, seat=1).reset, options={"game": Game(seed=1)})
refused(IllegalAction, "opponent: action 0, 'draft center p', is not legal", SoloEnv(opponent=lambda game: 0, seat=1).reset, options={"game": Game(seed=1)})

# ---- their own checks ----
checked = []
warnings.simplefilter("error")
# PettingZoo's own games of this form are excepted by name from two of these; its api_test gives the option `options`.
for accepted in ("Observation is not a NumPy array", "Observation space for each agent probably should be", "options: 'options' is ignored"):
    warnings.filterwarnings("ignore", accepted)
try:
    import gymnasium
    from gymnasium.utils.env_checker import check_env
except ImportError:
    gymnasium = None
if gymnasium is not None:
    for number, board in TERMS:
        check_env(gymnasium.make("pavilion_lab.env:Pavilion-v0", players=number, board=board).unwrapped)
    checked.append(f"Gymnasium {gymnasium.__version__}")
try:
    import pettingzoo
    from pettingzoo.test import api_test, seed_test
except ImportError:
    pettingzoo = None
if pettingzoo is not None:
    for terms in TERMS:
        api_test(TurnEnv(*terms))
        seed_test(lambda: TurnEnv(*terms))
    checked.append(f"PettingZoo {pettingzoo.__version__}")
print(f"environments: their contracts hold; own checks run: {', '.join(checked) or 'none, the packages are not installed'}")
