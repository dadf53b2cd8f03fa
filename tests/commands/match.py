# SPDX-License-Identifier: MIT
"""Whole runs of `arena match` and `arena replay` from end to end: all six settings with bots of
four languages, every result compared with its replay, the same bytes twice and whatever --jobs is.
The golden transcript has the seeds; tests/naive reads the rules a second time.

usage: match.py BUILD
"""
import json
import os
import subprocess
import sys
import tempfile

SEED = "00112233445566778899aabbccddeeff"
RESULT_KEYS = {"match", "seed", "board", "bots", "scores", "ranks", "reason", "decisions", "us",
               "wall_us", "longest_delay_us"}
SETTINGS = [  # C against Python, and others beside
    ("colored", ["random", "greedy-python"]),
    ("gray", ["greedy-python", "greedy"]),
    ("colored", ["greedy", "greedy-python", "random-lua"]),
    ("gray", ["greedy-perl", "random", "greedy-python"]),
    ("colored", ["greedy-python", "random", "random-lua", "greedy"]),
    ("gray", ["random", "greedy-perl", "greedy-python", "greedy"]),
]


class Runs:
    def __init__(self, build):
        self.arena = os.path.abspath(build + "/bin/arena")
        self.bots = os.path.abspath(build + "/bots")
        self.room = tempfile.TemporaryDirectory(prefix="match-")
        self.count = 0

    def arena_says(self, *arguments):
        result = subprocess.run([self.arena, *arguments], capture_output=True, text=True)
        assert result.returncode == 0 and not result.stderr, (arguments, result)
        return result.stdout

    def play(self, bots, *options):
        """Returns the results, and the replays by match id as the lines of `replay --json`."""
        self.count += 1
        folder = f"{self.room.name}/{self.count}"
        output = self.arena_says(
            "match", "--json", "--seed", SEED, "--replays", folder, "--clock",
            "turn=5000,start=20000", *options, *(f"{self.bots}/{bot}" for bot in bots),
        )
        results = [json.loads(line) for line in output.splitlines()]
        names = sorted(os.listdir(folder))
        assert names == sorted(result["match"] + ".replay" for result in results), names
        replays = {}
        for result in results:
            path = f"{folder}/{result['match']}.replay"
            self.arena_says("replay", "--verify", path)
            shown = self.arena_says("replay", "--json", "--legal", path)
            replays[result["match"]] = [json.loads(line) for line in shown.splitlines()]
            without = self.arena_says("replay", "--json", path)
            assert '"legal"' not in without and len(without) < len(shown)
        return results, replays


def check_result(result, replay, bots):
    header, end = replay[0], replay[-1]
    assert RESULT_KEYS <= set(result), sorted(result)
    assert result["decisions"] == len(replay) - 2
    assert all(line["action"] in line["legal"] for line in replay[1:-1])
    assert result["bots"] == bots == [bot["name"] for bot in header["bots"]], result
    assert result["reason"] == ["played"] * len(bots), result
    for key in ("match", "seed", "board"):
        assert result[key] == header[key], key
    for key in ("scores", "ranks", "reason"):
        assert result[key] == end[key], key
    for seat in range(len(bots)):
        told = sum(line["us"] for line in replay[1:-1] if line["seat"] == seat)
        assert result["us"][seat] == told, (result["us"], told)
    # A quick bot's whole time may count as the arena's delay, on a busy machine.
    assert 0 <= sum(result["us"]) < result["wall_us"]  # a quick bot may be charged nothing


def all_six_settings(runs):
    for board, bots in SETTINGS:
        results, replays = runs.play(bots, "--board", board)
        assert len(results) == 1 and results[0]["board"] == board
        check_result(results[0], replays["000000-0"], bots)


def schedule(runs):
    """Each seed in all rotations of the seats, in that order whatever --jobs."""
    bots = ["random", "greedy", "random-lua"]
    seeds = set()
    for jobs in ("1", "4"):
        results, replays = runs.play(bots, "--games", "3", "--rotate", "--jobs", jobs)
        expected = [(seed, rotation) for seed in range(3) for rotation in range(3)]
        assert [r["match"] for r in results] == ["%06d-%d" % pair for pair in expected]
        for result, (seed, rotation) in zip(results, expected):
            seeds.add((seed, result["seed"]))
            seated = [bots[(seat + rotation) % 3] for seat in range(3)]
            check_result(result, replays[result["match"]], seated)
    assert len(seeds) == len(dict(seeds)) == 3 and (0, SEED) in seeds, seeds


def without_times(replays):
    for lines in replays.values():
        del lines[0]["started"]
        for line in lines[1:-1]:
            del line["us"]
    return replays


def same_twice(runs):
    bots = ["random", "greedy-python", "greedy"]
    options = ("--games", "4", "--board", "gray")
    first = without_times(runs.play(bots, *options)[1])
    for more in ((), ("--jobs", "2"), ("--freeze",), ("--pin",)):
        again = without_times(runs.play(bots, *options, *more)[1])
        assert first == again, f"not the same with {more}"
    assert len({json.dumps(lines[1]) for lines in first.values()}) == 4, "seeds do nothing"


def seed_is_printed(runs):
    """Without --seed, the run can still be played again: its seed is told."""
    bots = [f"{runs.bots}/random"] * 2
    first = runs.arena_says("match", *bots)
    seed = first.split()[1]
    assert first.startswith("seed ") and len(seed) == 32, first
    again = runs.arena_says("match", "--seed", seed, *bots)
    assert again.splitlines()[1] == first.splitlines()[1], (first, again)
    other = runs.arena_says("match", *bots)
    assert other.split()[1] != seed
    told = json.loads(runs.arena_says("match", "--json", *bots))
    assert len(told["seed"]) == 32


def plain_executable(runs):
    """A path to a program serves as a bot, under the program's name and hash."""
    program = f"{runs.bots}/random/random"
    folder = runs.room.name + "/plain"
    runs.arena_says("match", "--json", "--replays", folder, program, f"{runs.bots}/random")
    lines = runs.arena_says("replay", "--json", folder + "/000000-0.replay").splitlines()
    header = json.loads(lines[0])
    digest = subprocess.run(["sha256sum", program], capture_output=True, text=True).stdout[:64]
    assert header["bots"][0] == {"name": "random", "version": "", "sha256": digest}, header
    assert header["bots"][1]["sha256"] != digest


def main():
    runs = Runs(sys.argv[1])
    for test in (all_six_settings, schedule, same_twice, seed_is_printed, plain_executable):
        test(runs)
        print(f"{test.__name__}: holds")
    runs.room.cleanup()


if __name__ == "__main__":
    main()
