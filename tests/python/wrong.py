# SPDX-License-Identifier: MIT
"""Every wrong use is an exception that names it; copies, pickles and equality."""

import copy
import pickle
import random
import sys

import numpy as np

import pavilion_lab
from pavilion_lab import ACTION_COUNT, ACTIONS, OBSERVATION, OBSERVATION_SIZE, Action, Batch, Game, IllegalAction, evaluate
from pavilion_lab.bots import BotError
from refusal import refused


# Shares of games won.
assert evaluate("steady", "greedy", 100, players=3)[0] > 0.8
assert evaluate("sample", Batch.greedy, 100, board="gray") == evaluate(Batch.sample, "greedy", 100, board="gray")
share, error = evaluate("greedy", "greedy", 100, players=4)
assert share < 0.5 and 0 < error < 0.1, (share, error)
refused(TypeError, "of a Batch, not 'nobody'", evaluate, "nobody")
refused(TypeError, "against: must be 'greedy', 'steady'", evaluate, "greedy", None)
refused(ValueError, "games: must be an int from 1 to 16777216, not 0", evaluate, "greedy", games=0)
refused(TypeError, "games: must be an int from 1 to 16777216, not '9'", evaluate, "greedy", games="9")
refused(TypeError, "players: must be an int from 2 to 4, not [2]", evaluate, "greedy", players=[2])
refused(ValueError, "seed: must be None, 16 bytes, or an int from 0 to 2**128 - 1, not 1.5", evaluate, "greedy", seed=1.5)
assert evaluate("greedy", "steady", np.int64(6), seed=np.int64(2)) == evaluate("greedy", "steady", 6, seed=2)
refused(ValueError, "ms: must be an int from 1 to 3600000, not 0", evaluate, "maestro", ms=0)
assert evaluate("maestro", "greedy", 4, ms=5)[0] == 1
refused(IllegalAction, "", evaluate, lambda batch: batch.player())
ANSWER = "bot: its function must return int[4], an action of each game, not "
for wrong, words in ((None, "None"), (np.zeros(5, int), "an array of int64 with the shape (5,)"), (7, "an array of int64 with the shape ()"),
                     ([7], "an array of int64 with the shape (1,)"), (np.zeros(4), "an array of float64 with the shape (4,)"),
                     ((np.zeros(4, int), np.zeros(4)), "a tuple of 2; of what Batch.choose returns take the first")):
    refused(TypeError, ANSWER + words, evaluate, lambda batch: wrong, "greedy", 4)
refused(TypeError, "against: its function must return int[4]", evaluate, "greedy", lambda batch: None, 4)
refused(BotError, "no/such/folder: cannot be run as a bot's folder: ", evaluate, "no/such/folder")
refused(TypeError, "not 'random'; the bot 'random' is 'sample' here", evaluate, "random")
refused(TypeError, "not 'lookahead'; other bots by their folders, as 'build/release/bots/random'", evaluate, "lookahead")

# Without numpy the message has the cure, in a virtual environment that environment's.
numpy, sys.modules["numpy"] = sys.modules["numpy"], None
for pavilion_lab.prefix, words in ((pavilion_lab.base_prefix, "(Debian: python3-numpy)"),
                                   ("a/lab", "(`pip install numpy` in this virtual environment, or make it with --system-site-packages)")):
    refused(ImportError, f"numpy is not installed {words}; masks", Game().mask)
sys.modules["numpy"] = numpy

# Single games.
game = Game(2, "colored", 1)
refused(ValueError, "players: must be an int from 2 to 4, not 5", Game, 5)
refused(ValueError, "board: must be 'colored' or 'gray', not 'grey'", Game, 2, "grey")
SEED = "seed: must be None, 16 bytes, or an int from 0 to 2**128 - 1, not "
for seed in (-1, 2**128, b"short", "text", 1.5, bytearray(16), [1]):
    for call in (lambda seed: Game(seed=seed), Game(seed=1).reseed, lambda seed: Batch(2, seed=seed)):
        refused(ValueError, SEED + f"{seed!r:.70}", call, seed)
assert Game(seed=np.int64(7)) == Game(seed=7) and Batch(2, seed=np.uint8(7)) == Batch(2, seed=7)
for players in ("2", 2.0, None):
    refused(TypeError, f"players: must be an int from 2 to 4, not {players!r}", Game, players)
for board in (3, None, b"gray"):
    refused(TypeError, f"board: must be 'colored' or 'gray', not {board!r}", Game, 2, board)
refused(IllegalAction, "action 0, 'draft center p', is not legal in: board:colored round:1", game.apply, 0)
for number in (-1, ACTION_COUNT, 10**30):
    for call in (game.apply, game.is_legal, Action):
        refused(IllegalAction, f"action: must be an int from 0 to {ACTION_COUNT - 1}, not {number}", call, number)
refused(IllegalAction, "action 'sing'", game.apply, "sing")
for wrong in (1.0, None, {}):
    for call in (game.apply, game.is_legal, Action):
        refused(TypeError, f"action: must be an Action, an int from 0 to {ACTION_COUNT - 1} or notation, not {wrong!r}", call, wrong)
for call in (game.final_points, game.view, game.observe):
    refused(IndexError, "seat: must be an int from 0 to 1, not 2", call, 2)
    refused(TypeError, "seat: must be an int from 0 to 1, not 'x'", call, "x")
refused(ValueError, "ms: must be an int from 1 to 3600000, not 0", game.maestro, 0)
refused(ValueError, f"ms: must be an int from 1 to 3600000, not {10**20}", game.maestro, 10**20)
refused(TypeError, "ms: must be an int from 1 to 3600000, not 'x'", game.maestro, "x")
refused(TypeError, "random: must be None or an int, not 1.5", game.play_out, 1.5)
refused(ValueError, "no position allows it", Action, ["draft", 9, 0])
refused(ValueError, "no position allows it", Action, ["pass", [5, 0, 0, 0, 0, 0]])
state = game.view()
for key in state:
    refused(KeyError, f"state: the key '{key}' is missing", Game.from_state, {name: state[name] for name in state if name != key})
for field, wrong, words in (
        ("bag", [22] * 6, "position: purple does not have 22 tiles in all"),
        ("wild", 3, "state: wild: must be 0 in round 1, not 3"),
        ("round", "one", "state: round: must be an int from 1 to 6, not 'one'"),
        ("round", 9, "state: round: must be an int from 1 to 6, not 9"),
        ("board", "grey", "state: board: must be one of 'colored', 'gray', not 'grey'"),
        ("phase", "sing", "state: phase: must be one of 'draft', 'place', 'bonus', 'over', not 'sing'"),
        ("player", 300, "state: player: must be an int from -1 to 3, not 300"),
        ("start", 77, "state: start: must be an int from 0 to 3, not 77"),
        ("token", None, "state: token: must be an int from -1 to 3, not None"),
        ("bonus", "q", "state: bonus: must be an int from 0 to 3, not 'q'"),
        ("bonus", 4, "state: bonus: must be an int from 0 to 3, not 4"),
        ("displays", [[0] * 6] * 4, "state: displays: must be 5 lists with 2 players, not 4"),
        ("displays", 3, "state: displays: must be a list of lists, not 3"),
        ("displays", [[1]], "state: displays: must be a list, each item a list of 6 numbers of tiles from 0 to 22, not [[1]]"),
        ("supply", [22] * 5, "state: supply: must be a list of 6 numbers of tiles from 0 to 22, not [22, 22, 22, 22, 22]"),
        ("tower", [-1] * 6, "state: tower: must be a list of 6 numbers of tiles from 0 to 22, not [-1"),
        ("players", [], "state: players: must be a list of 2 to 4 dicts, not []")):
    refused(ValueError, words, Game.from_state, {**state, field: wrong})
for field, wrong, words in (
        ("score", "x", "must be an int from 1 to 1000000, not 'x'"), ("score", 0, "must be an int from 1 to 1000000, not 0"),
        ("stars", [[-1] * 6] * 6, "must be a list of 7 lists (there are 6), not [["), ("stars", 3, "must be a list of 7 lists, not 3"),
        ("hand", [1], "must be a list of 6 numbers of tiles from 0 to 22, not [1]"),
        ("stars", [[9] * 6] * 7, "must be a list, each item a list of 6 colors from -1 to 5, not [[9, 9")):
    second = {**state["players"][1], field: wrong}
    refused(ValueError, f"state: players[1]: {field}: {words}", Game.from_state, {**state, "players": [state["players"][0], second]})
refused(KeyError, "state: players[0]: the key 'score' is missing", Game.from_state, {**state, "players": [{}, {}]})
refused(ValueError, "state: must be a dict as of a message 'turn', not 5", Game.from_state, 5)
refused(ValueError, "state: is a whole message; give message['state']", Game.from_state, {"type": "turn", "state": state})
refused(ValueError, SEED + "'x'", Game.from_state, state, "x")
for text, words in (("nonsense", "position: the text must begin with a field, such as board:colored"),
                    ("board:gray hand:p | |", "position: what follows board: is no field, out of order, or there twice"),
                    ("board:gray | score:5 score:5 |", "position: what follows score: is no field, out of order, or there twice"),
                    ("| hand:p30 |", "position: hand: must be tiles, such as p2gr, up to 22 of a color"),
                    ("phase:place | hand:y22 | hand:y", "position: yellow does not have 22 tiles in all")):
    refused(ValueError, words, Game.from_text, text)
for text, words in (("draft 9 g", "SOURCE is center or 0 to 8, COLOR one of pgoybr"), ("draft 1 x", "COLOR one of pgoybr"),
                    ("place 7 0 o 0", "STAR is 0 to 6, POSITION and WILDS are 0 to 5, COLOR is one of pgoybr")):
    refused(IllegalAction, words, Action, text)
refused(TypeError, "text: must be a line of notation, not 5", Game.from_text, 5)
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
for count in (0, 10**30):
    refused(ValueError, f"count: must be an int from 1 to 16777216, not {count}", Batch, count)
refused(TypeError, "count: must be an int from 1 to 16777216, not 2.5", Batch, 2.5)
refused(ValueError, "players: must be an int from 2 to 4, not 1", Batch, 3, 1)
refused(TypeError, "not of float64 with the shape (6,)", batch.step, np.zeros(6))
refused(TypeError, "not of int64 with the shape (5,)", batch.step, np.zeros(5, int))
refused(IllegalAction, "game 0: action 0, 'draft center p', is not legal", batch.step, np.zeros(6, int))
for number in (-1, ACTION_COUNT, 5000):
    refused(IllegalAction, f"game 0: action: must be 0 to {ACTION_COUNT - 1}, or -1 once the game is over, not {number}", batch.step,
            np.full(6, number))
refused(TypeError, "out: an array of int16 with the shape (6, 311) is needed", batch.observe, out=np.zeros((6, 310), "int16"))
refused(TypeError, "out", batch.masks, out=np.zeros((6, ACTION_COUNT), "int8"))
refused(IndexError, "seat: must be an int from 0 to 2, not 3", batch.observe, 3)
refused(IndexError, "seat: must be an int from 0 to 2, not -1", batch.observe, -1)
refused(TypeError, "seat: must be an int from 0 to 2, not 'x'", batch.observe, "x")
for number in (6, -7):
    refused(IndexError, f"game: must be an int from -6 to 5, not {number}", batch.__getitem__, number)
    refused(IndexError, f"game: must be an int from -6 to 5, not {number}", batch.put, number, batch[0])
refused(TypeError, "game: must be an int from -6 to 5, not 'x'", batch.put, "x", batch[0])
assert batch[-1] == batch[5] and batch[-6] == batch[0]
refused(ValueError, "game: must have 3 players and the board 'gray' like game 0 of the Batch, not 2 and 'colored'", batch.put, 0, Game(2))
refused(TypeError, "game: must be a Game, not 7", batch.put, 0, 7)
refused(TypeError, "which", batch.reset, np.zeros(6))
refused(TypeError, "actions: must be a C-contiguous array", batch._step, np.zeros(6, "int32")[::-1], np.zeros(18, "int32"), np.zeros(6, bool), np.zeros(18, "int32"))
refused(TypeError, "observations: items must be of the format 'h'", batch._fill, "observations", np.zeros(6, "int32"), None)
refused(TypeError, "a tuple of 3 arrays is expected", batch._list, int, False, True)
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

# A policy's step on lists of legal actions: the chances are those of softmax over them alone.
batch = Batch(3, seed=4)
games, listed = batch.legal()
assert [(games[row], listed[row]) for row in range(len(games))] == [(i, a) for i, game in enumerate(batch) for a in game.legal()]
logits = np.random.default_rng(1).normal(size=(3, ACTION_COUNT)).astype("float32")
allowed = np.where(batch.masks(), logits, -np.inf)
expected = allowed - np.log(np.exp(allowed).sum(1, keepdims=True))
for given in ((logits,), (logits[games, listed], games, listed)):
    counts = np.zeros((3, ACTION_COUNT))
    for _ in range(4000):
        chosen, log_chances = batch.choose(*given)
        assert np.allclose(log_chances, expected[range(3), chosen], atol=1e-4)
        counts[range(3), chosen] += 1
    assert np.abs(counts / 4000 - np.exp(expected)).max() < 0.06
    assert (batch.choose(*given, best=True)[0] == allowed.argmax(1)).all()
many = Batch(300, seed=2)
games_of_many, listed_of_many = many.legal()
many.step(many.choose(np.zeros(len(games_of_many)), games_of_many, listed_of_many)[0])
kept = np.flatnonzero(games != 1)
assert batch.choose(np.zeros(len(kept)), games[kept], listed[kept])[0][1] == -1
refused(TypeError, "logits: an array of float32 with the shape (3, 1992) is needed, not of float64 with the shape (3,)", batch.choose, np.zeros(3))
refused(TypeError, "actions: is missing", batch.choose, np.zeros(3), games)
refused(TypeError, "actions: an array of integers with the shape", batch.choose, np.zeros(len(games)), games, listed[1:])
refused(ValueError, "games: row 1: must ascend from 0 to 2", batch.choose, np.zeros(2), np.array([2, 1]), np.array([0, 0]))
refused(ValueError, "games: row 0: must ascend from 0 to 2", batch.choose, np.zeros(1), np.array([3]), np.array([0]))
refused(ValueError, "games: row 2048: must ascend", batch.choose, np.zeros(3000), np.zeros(3000, int), np.zeros(3000, int))
for spoilt in (np.nan, np.inf):
    logits[1, listed[games == 1][0]] = spoilt
    refused(ValueError, "logits: game 1: must be numbers below infinity", batch.choose, logits)
logits[1] = -np.inf
refused(ValueError, "logits: game 1: must be", batch.choose, logits)
logits[1, listed[games == 1][2]] = -1e30
assert batch.choose(logits)[0][1] == listed[games == 1][2]

# Settings of each game's own, and games that are dealt anew: each plays as a Game of these settings would.
players, boards = [2, 3, 4] * 4, ["colored"] * 6 + ["gray"] * 6
batch = Batch(12, players, boards, 5, auto_reset=True)
assert batch.final_ranks.tolist() == [[0] * 4] * 12 and batch.final_ranks.dtype == "int32"
assert batch.players == 4 and batch.board == "mixed" and batch.auto_reset and Batch(1, seed=1).auto_reset is False
assert [(game.players, game.board) for game in batch] == list(zip(players, boards))
assert (batch.observe()[:, OBSERVATION["players"]][:, 0] == players).all()
ended = np.zeros(12, int)
while ended.min() < 3:
    before = list(batch)
    assert pickle.loads(pickle.dumps(batch)) == batch and batch.copy() == batch
    actions = (batch.greedy(), batch.steady(), batch.sample(), batch.choose(np.zeros((12, ACTION_COUNT)))[0])[sum(ended) % 4]
    rewards, dones = batch.step(actions)
    for i, game in enumerate(before):
        scores = game.scores()
        game.apply(actions[i])
        absent = [0] * (4 - game.players)
        assert rewards[i].tolist() == [new - old for old, new in zip(scores, game.scores())] + absent
        assert dones[i] == game.over
        assert batch.final_ranks[i].tolist() == (game.ranks() + absent if game.over else [0] * 4)
        assert (batch[i] == game) != game.over and not batch[i].over
        if game.over:
            assert batch.scores()[i].tolist() == [5] * game.players + absent
    ended += dones
refused(IndexError, "seat: must be an int from 0 to 1, not 2", batch.observe, 2)
refused(ValueError, "game: must have 2 players and the board 'colored' like game 0 of the Batch, not 3 and 'colored'", batch.put, 0, Game(3))
refused(ValueError, "players: must be one, or a list of 2, one for each game, not of 3", Batch, 2, [2, 3, 4])
refused(ValueError, "board: must be one, or a list of 2, one for each game, not of 1", Batch, 2, 2, ["gray"])
refused(ValueError, "game 1: players: must be an int from 2 to 4, not 5", Batch, 2, [2, 5])
refused(TypeError, "players: must be an int from 2 to 4, not '2'", Batch, 1, "2")
refused(ValueError, "game 1: board: must be 'colored' or 'gray', not 'grey'", Batch, 2, 2, ["gray", "grey"])
refused(TypeError, "game 0: board: must be 'colored' or 'gray', not 1", Batch, 2, 2, [1, 2])
refused(TypeError, "board: must be 'colored' or 'gray', not None", Batch, 2, 2, None)
refused(TypeError, "players: must be an int from 2 to 4, not 2.5", Batch, 2, 2.5)
assert Batch(2, np.array([2, 4]), "gray").players == 4

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
print("every wrong use is refused in words")
