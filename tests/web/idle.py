#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An idle arena analyses games unasked, and on demand; beside rated games it does not. usage: idle.py BUILD-FOLDER"""
import json
import os
import sys
import time

import described
import league

CORES = len(os.sched_getaffinity(0))
LEAGUE = league.League(sys.argv[1], "--every", "1", "--analyse", "100", "--jobs", str(max(1, CORES - 1)))
FOLDER = f"{LEAGUE.home}/analyses"


def wait_for(what, test):
    for _ in range(2400):
        found = test()
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"{what}: {LEAGUE.log()}")


def ask(game):
    answer = LEAGUE.ask(f"/api/v1/games/{game}/analysis")
    described.compare("GET", f"/api/v1/games/{game}/analysis", answer[0], answer[1]["content-type"], answer[2])
    return answer


def analysed():
    return sorted(name[:-5] for name in os.listdir(FOLDER) if name.endswith(".json")) if os.path.exists(FOLDER) else []


def status():
    with open(f"{LEAGUE.home}/serve.json", encoding="utf-8") as file:
        return json.load(file)


def test_unasked():
    """The newest lost game is analysed first, and its page and the API show that."""
    games = [game["match"] for game in map(json.loads, LEAGUE.arena("games", "cup", "--json").splitlines())]
    first = wait_for("nothing is analysed", analysed)[0]
    assert first in games, first
    got, _, answer = ask(first)
    with open(f"{FOLDER}/{first}.json", encoding="utf-8") as file:
        assert got == 200 and answer == json.load(file), answer
    assert answer["match"] == first and answer["decisions"], answer
    page = f"/cup/game/{first}.html"
    wait_for("no page shows it", lambda: b'id="analysis"' in LEAGUE.ask(page)[2])
    shown = LEAGUE.ask(f"/api/v1/games/{first}/page")[2]
    assert b'id="analysis"' in shown and b'</a><i>' in shown, shown[-2000:]
    assert ask("cup-999999-0")[0] == 404 and ask("x")[0] == 404
    test_day(first, answer)
    return games


def test_day(game, analysis):
    """A bot's day has its results, the games that it lost, and the costliest decision of those that are analysed."""
    told = LEAGUE.ask(f"/api/v1/games/{game}")[2]
    costliest = 0
    for seat, bot in enumerate(told["bots"]):
        path = f"/api/v1/seasons/cup/bots/{bot}/day"
        got, fields, day = LEAGUE.ask(path)
        described.compare("GET", path, got, fields["content-type"], day)
        assert got == 200 and day["row"]["bot"] == bot and day["row"]["official_place"], day
        (results,) = day["results"]
        assert results["games"] == 12 and results["seats"] == 2, day
        assert len(day["lost_games"]) == 12 - results["wins"] - results["ties"], day
        assert (game in day["lost_games"]) == (told["ranks"][seat] > 1), (told, day)
        worst = max(one["lost"] for one in analysis["decisions"] if one["seat"] == seat)
        if worst >= 3:
            costliest += 1
            assert day["costliest"]["lost"] >= worst and day["costliest"]["match"] and day["analyst"] == "maestro", day
    assert costliest, analysis
    assert LEAGUE.ask("/api/v1/seasons/cup/bots/nobody/day")[0] == 404


def test_asked(games):
    """Any game is analysed for whoever asks, one after the other."""
    def is_told():
        got, fields, answer = ask(game)
        assert got == 200 or (got == 503 and int(fields["retry-after"]) > 0), (got, answer)
        return got == 200

    game = next((game for game in games if game not in analysed()), None)
    if game:  # else the daemon was faster
        wait_for("nobody analyses it", is_told)
        assert game in analysed()


def test_beside_games(games):
    """Rated games that leave no two processors free have the machine for themselves."""
    LEAGUE.arena("season", "extend", "cup", "--budget", "4000")
    wait_for("no rated game", lambda: status()["playing_count"] > 0 and not status()["analyses"])
    game = next((game for game in games if game not in analysed()), None)
    got, fields, answer = ask(game) if game else (503, {"retry-after": "1"}, {"detail": "no rated game"})
    assert got == 503 and fields["retry-after"] and "no rated game" in answer["detail"], answer
    if game and LEAGUE.ask("/play.html")[0] == 200:
        assert answer["detail"].endswith(f"/game/{game}"), answer
    before = analysed()
    wait_for("no games", lambda: status()["games"] > 40)
    assert analysed() == before


def main():
    for name in ("one", "two"):
        folder = f"{LEAGUE.scratch}/{name}"
        os.mkdir(folder)
        files = league.bot(LEAGUE.build, name)
        if name == "two":  # one that sends notes, which the pages made on request show
            with open(f"{LEAGUE.build}/bots/lookahead/lookahead", "rb") as program:
                files["random"] = program.read(), 0o755
        for path, (data, mode) in files.items():
            with open(f"{folder}/{path}", "wb") as file:
                file.write(data)
            os.chmod(f"{folder}/{path}", mode)
        LEAGUE.arena("submit", "--check-games", "1", folder)
    LEAGUE.arena("season", "new", "cup", "--players", "2", "--board", "colored", "--budget", "12")
    LEAGUE.arena("season", "run", "cup")
    with LEAGUE:
        games = test_unasked()
        test_asked(games)
        test_beside_games(games)
        assert "Z error" not in LEAGUE.log(), LEAGUE.log()


main()
