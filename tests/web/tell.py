#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an organizer's program is told (serve --on-event), and a submission's author (?wait=). usage: tell.py BUILD-FOLDER"""
import datetime
import json
import os
import sys
import threading
import time

import league

LEAGUE = league.League(sys.argv[1], "--every", "1", "--jobs", "1")
PROGRAM = f"{LEAGUE.scratch}/program"
with open("docs/openapi.json", encoding="utf-8") as openapi:
    KEYS = json.load(openapi)["components"]["schemas"]["news"]["required"]


def told():
    """All news so far."""
    try:
        with open(f"{PROGRAM}.told", encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except FileNotFoundError:
        return []


def wait_for(what, test):
    for _ in range(1200):
        if test():
            return
        time.sleep(0.1)
    raise SystemExit(f"{what}: {told()}\n{LEAGUE.log()}")


def wait_told(*wanted):
    """Waits until each (news, words in it) was told."""
    wait_for(wanted, lambda: all(any(news["news"] == kind and words in news["words"] for news in told())
                                 for kind, words in wanted))


def test_news(ada):
    soon = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    LEAGUE.arena("submit", "--check-games", "1", "steady")  # a reference bot, which leads no season
    LEAGUE.arena("season", "new", "cup", "--budget", "300", "--deadline", soon)
    for name in ("one", "two"):
        LEAGUE.arena("author", "new", f"by-{name}")
        token = LEAGUE.arena("author", "token", f"by-{name}").strip()
        assert LEAGUE.upload(token, name)[0] == 201
    number = LEAGUE.upload(ada, "bad", run=["./nothing"])[2]["submission"]
    wait_told(("opened", "season cup"), ("deadline near", soon[:16]), ("admitted", "one 1 of by-one"),
              ("admitted", "two 1 of by-two"), ("refused", "bad 1 of ada is refused: "), ("leader changed", "season cup: "))
    assert not any(news["bot"] == "steady" for news in told() if news["news"] == "leader changed"), told()
    LEAGUE.arena("season", "pause", "cup")
    wait_told(("paused", "season cup is paused: "))
    LEAGUE.arena("season", "resume", "cup")
    wait_told(("resumed", "season cup is resumed"))
    LEAGUE.arena("ban", "--author", "ada")
    wait_told(("banned", "author ada"))
    refused = next(news for news in told() if news["news"] == "refused")
    assert (refused["submission"], refused["author"], refused["bot"], refused["season"]) == (number, "ada", "bad", None)
    assert all(sorted(news) == sorted(KEYS) for news in told()), (told(), KEYS)
    assert "@" in next(news for news in told() if news["news"] == "banned")["who"]


def test_faults():
    """A program that fails or hangs is an error of the status, and nothing waits for it but the next news."""
    def errors():
        return [error for error in json.loads(LEAGUE.arena("status", "--json"))["errors"] if PROGRAM in error]

    for how, words in (("exit 3", "ended with status 3 (news: opened)"), ("sleep 600", "took longer than 10 s")):
        with open(f"{PROGRAM}.do", "w", encoding="utf-8") as file:
            file.write(how)
        LEAGUE.arena("season", "new", "fault-" + how[0])
        wait_for(words, lambda: any(words in error for error in errors()))
    os.remove(f"{PROGRAM}.do")


def test_restart():
    """What happens without a daemon is told by the next one, and nothing twice."""
    LEAGUE.daemon.terminate()
    assert LEAGUE.daemon.wait(60) == 0
    before = told()
    LEAGUE.arena("season", "close", "cup")
    LEAGUE.begin()
    wait_told(("closed", "season cup"))
    # A backup that is put back has fewer events than were told: news go on from there.
    LEAGUE.daemon.terminate()
    assert LEAGUE.daemon.wait(60) == 0
    with open(f"{LEAGUE.scratch}/home/told.json", "r+", encoding="utf-8") as file:
        state = dict(json.load(file), event=1000000)
        file.seek(0)
        json.dump(state, file)
    LEAGUE.begin()
    wait_for("its state", lambda: json.load(open(f"{LEAGUE.scratch}/home/told.json", encoding="utf-8"))["event"] < 1000000)
    LEAGUE.arena("season", "void", "cup")
    LEAGUE.arena("season", "void", "cup", "--undo")
    LEAGUE.arena("season", "new", "last")
    wait_told(("opened", "season last"))
    after = [(news["news"], news["words"]) for news in told()[len(before):]
             if news["news"] != "leader changed"]
    assert after == [("closed", "season cup is closed"), ("voided", "season cup is void: it counts for nobody"),
                     ("voided", "season cup counts again"), ("opened", "season last is open")], after


def test_wait(ada):
    """An author waits for a submission without asking again, at most as long as was asked for."""
    number = LEAGUE.upload(ada, "slow", build=["sh", "-c", "sleep 6"])[2]["submission"]
    states, begun, count = [], time.monotonic(), 0
    others = [threading.Thread(target=LEAGUE.ask, args=(f"/api/v1/submissions/{number}?wait=20", ada)) for _ in range(20)]
    for other in others:
        other.start()
    while not states or states[-1] not in ("admitted", "refused"):
        status, _, answer = LEAGUE.ask(f"/api/v1/submissions/{number}?wait=20", ada)
        assert status == 200, answer
        assert LEAGUE.ask("/api/v1/submissions/1", ada)[0] == 200  # others are answered meanwhile
        states.append(answer["state"])
        count += 1
    assert states[-1] == "admitted" and count <= 6, states
    for other in others:
        other.join()
    begun = time.monotonic()
    assert LEAGUE.ask(f"/api/v1/submissions/{number}?wait=60", ada)[0] == 200 and time.monotonic() - begun < 30
    for wait in ("0", "61", "x", "-1", "99999999999999999999"):
        assert LEAGUE.ask(f"/api/v1/submissions/{number}?wait={wait}", ada)[0] == 400, wait


def main():
    assert "can be run" in LEAGUE.arena("serve", "--on-event", f"{PROGRAM}.none", status=2)
    with open(PROGRAM, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\n[ -e "$0.do" ] && . "$0.do"\nnews=$(cat)\nprintf "%s\\n" "$news" >>"$0.told"\n[ -z "$ARENA_STORE" ]\n')
    os.chmod(PROGRAM, 0o755)
    LEAGUE.options = (*LEAGUE.options, "--on-event", PROGRAM)
    ada, ben = LEAGUE.author("ada"), LEAGUE.author("ben")
    with LEAGUE:
        test_news(ada)
        test_wait(ben)
        test_faults()
        test_restart()


main()
