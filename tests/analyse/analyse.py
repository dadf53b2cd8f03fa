# SPDX-License-Identifier: MIT
"""analyse.py ARENA SECONDS OPINIONS REPLAY...: judges what `arena analyse --json` said of games in
which one decision has the note "planted"."""
import json
import subprocess
import sys

BLUNDER = 3.0  # points


def planted(arena, path):
    for line in subprocess.run([arena, "replay", path, "--json"], check=True,
                               capture_output=True, text=True).stdout.splitlines():
        decision = json.loads(line)
        if decision.get("note") == "planted":
            return decision["turn"]
    return None


arena, seconds, opinions, *paths = sys.argv[1:]
games = marked = worst = 0
with open(opinions, encoding="utf-8") as lines:
    for path, line in zip(paths, lines, strict=True):
        decisions = json.loads(line)["decisions"]
        turn = planted(arena, path)
        told = {one["turn"]: one for one in decisions}
        for one in decisions:
            assert one["lost"] >= 0 and abs(one["best_expected"] - one["expected"] - one["lost"]) < 0.011
        if turn is None:
            continue
        games += 1
        own = [one["lost"] for one in decisions if one["seat"] == told[turn]["seat"]]
        marked += told[turn]["lost"] >= BLUNDER
        worst += told[turn]["lost"] == max(own)
print(f"{len(paths)} games, {games} with a planted blunder: named as one of 3 points or more in {marked}, "
      f"the seat's costliest decision in {worst}; {float(seconds) / len(paths):.1f} s a game")
sys.exit(games == 0 or marked < 0.75 * games)
