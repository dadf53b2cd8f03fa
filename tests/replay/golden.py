"""Checks the checker: it takes the golden replays, and finds what is altered in them.

usage: golden.py GOLDEN-FOLDER
"""
import copy
import glob
import json
import sys

from check_replay import Wrong, check_replay, siphash


def alter_score(lines):
    lines[-1]["scores"][0] += 1


def alter_ranks(lines):
    lines[-1]["ranks"].reverse()
    lines[-1]["ranks"][0] += 1


def alter_final_state(lines):
    lines[-1]["state"]["bag"][0] += 1


def alter_state(lines):
    lines[40]["state"]["players"][1]["hand"][3] += 1


def add_to_state(lines):
    lines[40]["state"]["secret"] = 1


def alter_seed(lines):
    lines[0]["seed"] = "f" * 32


def alter_board(lines):
    lines[0]["board"] = {"gray": "colored", "colored": "gray"}[lines[0]["board"]]


def alter_action(lines):
    lines[1]["action"] = ["draft", 100, 0]


def tell_too_few_legal(lines):
    lines[1]["legal"] = [lines[1]["action"]]


def claim_stand_in(lines):
    lines[3]["by"] = "arena"


def drop_decision(lines):
    del lines[20]


def drop_end(lines):
    del lines[-1]


def end_early(lines):
    del lines[-20:-1]


ALTERATIONS = [
    alter_score, alter_ranks, alter_final_state, alter_state, add_to_state, alter_seed,
    alter_board, alter_action, tell_too_few_legal, claim_stand_in, drop_decision, drop_end,
    end_early,
]


def main():
    # The first and the last published test vector of SipHash-2-4.
    key = bytes(range(16))
    assert siphash(key, b"").to_bytes(8, "little").hex() == "310e0edd47db6f72"
    assert siphash(key, bytes(range(63))).to_bytes(8, "little").hex() == "724506eb4c328a95"
    paths = glob.glob(sys.argv[1] + "/replay-*.jsonl")
    assert paths, "no golden replays"
    for path in paths:
        with open(path) as file:
            lines = [json.loads(line) for line in file]
        check_replay(lines)
        for alter in ALTERATIONS:
            altered = copy.deepcopy(lines)
            alter(altered)
            try:
                check_replay(altered)
            except Wrong:
                continue
            sys.exit(f"{path}: {alter.__name__} was not found")
    print(f"{len(paths)} replays taken, {len(ALTERATIONS)} alterations found in each")


if __name__ == "__main__":
    main()
