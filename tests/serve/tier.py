# SPDX-License-Identifier: MIT
"""On a machine that has only the lite tier, one bot of several processes concerns nobody but itself: it is
refused as a submission, with the cure; the other bots of its season play on; the season says what it waits for.

usage: tier.py BUILD"""

import ctypes
import json
import os
import shutil
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
import home

PR_SET_NO_NEW_PRIVS, SCMP_ACT_ALLOW, SCMP_ACT_EPERM = 38, 0x7FFF0000, 0x00050000 | 1


def become_lite():
    """From here on this process and its children may mount nothing, as in some containers."""
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(seccomp.seccomp_init(SCMP_ACT_ALLOW))
    for name in (b"mount", b"fsmount", b"move_mount", b"fsopen"):
        number = seccomp.seccomp_syscall_resolve_name(name)
        assert seccomp.seccomp_rule_add_array(rules, SCMP_ACT_EPERM, number, 0, None) == 0
    assert ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    assert seccomp.seccomp_load(rules) == 0


def season_of(arena):
    status = json.loads(arena.arena("status", "--json", statuses=(0, 1)))
    return next((season for season in status["seasons"] if season["season"] == "cup"), {"state": "", "reason": ""})


def pairs(arena):
    return [set(game["bots"]) for game in arena.lines("games", "cup")]


def main(room):
    arena = home.Home(room + "/home")
    two = home.make_bot(room + "/two", "random", name="two", processes=2)
    twice = home.make_bot(room + "/twice", "random", name="twice", processes=2)
    built = home.make_bot(room + "/built", "random", name="built", build=["true"])
    for bot in (two, home.BUILD + "/bots/greedy", home.BUILD + "/bots/random"):
        arena.arena("submit", bot)
    become_lite()
    arena.arena("season", "new", "cup", "--budget", "24", "--players", "2", "--clock", "turn=4000,bank=20000")

    told = arena.arena("season", "run", "cup", statuses=(1,))
    assert "games of bot two " in told and "`arena ban two --void`" in told, told
    played = pairs(arena)
    assert played and all(pair == {"greedy", "random"} for pair in played), played

    for bot, key in ((twice, "processes"), (built, "build")):
        told = arena.arena("submit", bot, statuses=(2,))
        assert f'"{key}" requires the full tier' in told and "arena doctor" in told, told
    arena.arena("submit", "--queue", built)

    with open(room + "/log", "w") as log:
        daemon = arena.start("serve", "--jobs", "2", output=log)
    try:
        home.wait_until("a refusal", lambda: arena.lines("submissions")[0]["state"] == "refused")
        assert "requires the full tier" in arena.arena("submissions", "1"), arena.arena("submissions", "1")
        home.wait_until("the state", lambda: season_of(arena)["state"] == "unfit")
        assert "bot two " in season_of(arena)["reason"], season_of(arena)
        assert all(pair == {"greedy", "random"} for pair in pairs(arena)), pairs(arena)
        arena.arena("ban", "two", "--void")
        home.wait_until("the end", lambda: season_of(arena)["state"] == "spent")
    finally:
        daemon.terminate()
        daemon.wait()
    with open(room + "/log") as log:
        lines = log.read()
    assert " error" not in lines, lines


if __name__ == "__main__":
    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o755)
    try:
        main(folder)
    finally:
        shutil.rmtree(folder)
