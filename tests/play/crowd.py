# SPDX-License-Identifier: MIT
"""64 matches at once between bots that do not think: none is late, whatever the arena has to do.
The suite allows a decision 2 s, since a busy machine may leave a bot without a processor for long.
Run by hand on a quiet machine it takes more games and 50 ms: docs/operations.md names it.

usage: crowd.py BUILD [GAMES [TURN_MS]]     (the arena is that of build/release: users run that one)
"""
import json
import os
import subprocess
import sys
import time
from collections import Counter

JOBS = 64


def main():
    build, games = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
    turn_ms = int(sys.argv[3]) if len(sys.argv) > 3 else 50
    arena = os.path.abspath(build + "/../release/bin/arena")
    bots = [os.path.abspath(build + "/bots/random")] * 2
    begun = time.monotonic()
    run = subprocess.run(
        [arena, "match", "--json", "--games", str(games), "--jobs", str(JOBS), "--clock",
         f"turn={turn_ms},bank=0,start=10000", *bots], stdout=subprocess.PIPE, text=True, check=True,
    )
    seconds = time.monotonic() - begun
    results = [json.loads(line) for line in run.stdout.splitlines()]
    reasons = Counter(reason for result in results for reason in result["reason"])
    for result in results:
        for forfeit in filter(None, result["forfeits"]):
            print(f"{result['match']}: {forfeit['reason']} at {forfeit['turn']}: "
                  f"{forfeit['wall_us']} us, of which the arena's {forfeit['delay_us']}")
    delays = sorted(max(result["longest_delay_us"]) for result in results)
    print(f"the longest delay of the arena's own in a game: median {delays[len(delays) // 2]} us, "
          f"p99 {delays[len(delays) * 99 // 100]} us, max {delays[-1]} us")
    print(f"{len(results)} games, {len(results) / seconds:.0f} a second: {dict(reasons)}")
    sys.exit(0 if len(results) == games and reasons == {"played": 2 * games} else 1)


if __name__ == "__main__":
    main()
