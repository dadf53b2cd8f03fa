"""Every misbehaviour of tests/play, at tables of two to four, seen again by the command of its own
record: the bytes sent are identical, and the bot goes out for the same reason at the same decision.

usage: rerun_rows.py BUILD [WORD ...]     (only the rows whose rule has a WORD)
"""
import concurrent.futures
import json
import os
import subprocess
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/../play")
import hostile
import tables
from rows import ANY_TURN, Arena

AT_A_TIME = 3


def see_again(arena, row):
    """What is wrong with each forfeit of a row when it is seen again."""
    result, replay, wrong = arena.play(row)
    if result is None:
        return wrong
    for seat, forfeit in enumerate(result["forfeits"]):
        if forfeit is None:
            continue
        command = forfeit["command"]
        again = subprocess.run(
            command + " --json", shell=True, capture_output=True, text=True,
            env=arena.environment(os.path.dirname(os.path.dirname(replay))),
        )
        if again.returncode != 0 or again.stderr:
            wrong.append(f"{command}: status {again.returncode}: {again.stderr.strip()}")
            continue
        wrong += compare(row.bots[seat], forfeit, json.loads(again.stdout))
    return wrong


def compare(bot, then, again):
    now = again["forfeit"]
    if bot.turn is ANY_TURN:
        # Chance, or what others do meanwhile, decides when it is found out: perhaps earlier now.
        same = again["same_request"] in (True, None)
        return [] if same else ["the bytes are not the same"]
    wrong = []
    if again["same_request"] is not True or again["request"] != then["request"]:
        wrong.append("the bytes are not the same")
    if now is None:
        return wrong + [f"it was out then ({then['reason']}) and answers now: {again['action']}"]
    for key in ("reason", "turn", "limit_us", "status", "signal", "call"):
        if now[key] != then[key]:
            wrong.append(f"{key} was {then[key]!r}, is {now[key]!r}")
    return wrong


def main():
    build, words = sys.argv[1], sys.argv[2:]
    rows = [
        row for row in hostile.ROWS + tables.ROWS
        if any(bot.reason != "played" for bot in row.bots)
        and (not words or any(word in row.rule for word in words))
    ]
    arena = Arena(build + "/bin/arena", build + "/hostile/hostile")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        for row, wrong in zip(rows, pool.map(lambda row: see_again(arena, row), rows)):
            if wrong and see_again(arena, row):  # once more, with nothing else under way
                print(f"FAILED: {row.rule}: {'; '.join(wrong)}")
                failed += 1
    arena.close()
    print(f"{len(rows)} rows, {failed} failed")
    sys.exit(1 if failed or not rows else 0)


if __name__ == "__main__":
    main()
