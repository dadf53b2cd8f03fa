#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An author on another host: a network namespace of its own, joined by a pair of virtual interfaces. From a token to a
row of the ladder with `submit --to` alone and with curl alone; ten broken bots, each with its cause in one line.
usage: network.py BUILD-FOLDER"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from league import League, bot

BUILD = os.path.abspath(sys.argv[1])
HOST, GUEST = "10.77.0.1", "10.77.0.2"
NETWORK = f"arena{os.getpid()}"

PYTHON_BOT = b"#!/usr/bin/env python3\n"


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def make_network():
    """A host of its own, from which nothing but the arena's machine is reached."""
    short = str(os.getpid())
    for name in os.listdir("/run/netns") if os.path.isdir("/run/netns") else ():  # of runs that were killed: same addresses
        if re.fullmatch(r"arena\d+", name) and not os.path.exists(f"/proc/{name[5:]}"):
            run("ip", "netns", "delete", name)
    run("ip", "netns", "add", NETWORK)
    run("ip", "link", "add", f"ah{short}", "type", "veth", "peer", "name", f"ag{short}", "netns", NETWORK)
    run("ip", "address", "add", f"{HOST}/24", "dev", f"ah{short}")
    run("ip", "link", "set", f"ah{short}", "up")
    for command in (["address", "add", f"{GUEST}/24", "dev", f"ag{short}"], ["link", "set", f"ag{short}", "up"],
                    ["link", "set", "lo", "up"]):
        run("ip", "-n", NETWORK, *command)


def serve_https(league):
    """The web process by HTTPS. The other host trusts its certificate: its /etc/ssl is one of its own."""
    folder = f"/etc/netns/{NETWORK}/ssl"
    os.makedirs(f"{folder}/certs")
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{folder}/key", "-out",
        f"{folder}/certs/ca-certificates.crt", "-days", "2", "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=IP:{HOST}",
        stderr=subprocess.DEVNULL)
    web = subprocess.Popen([league.program, "web", "--listen", f"{HOST}:0", "--tls", f"{folder}/certs/ca-certificates.crt",
                            "--key", f"{folder}/key", "--desk", f"{league.home}/web/desk"], stderr=subprocess.PIPE, text=True)
    return web, "https://" + web.stderr.readline().split("https://")[1].strip()


def guest(*command, status=0, **options):
    """Runs a command on the other host, without a home of the arena."""
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **options.pop("env", {})}
    done = subprocess.run(["ip", "netns", "exec", NETWORK, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False, timeout=300, env=environment, **options)
    assert done.returncode == status, (command, done)
    return done.stdout + done.stderr


def write_bot(folder, files):
    os.mkdir(folder)
    for name, (data, mode) in files.items():
        with open(f"{folder}/{name}", "wb") as file:
            file.write(data)
        os.chmod(file.name, mode)
    return folder


def wait_for_row(league, name):
    """The ladder's row of a bot, asked from the other host by curl."""
    for _ in range(600):
        ladder = json.loads(guest("curl", "-sS", f"{league.address}/api/v1/seasons/cup/ladder"))
        if any(row["bot"] == name and row["games"] > 0 for row in ladder["rows"]):
            return
        time.sleep(0.1)
    raise SystemExit(f"{name} does not come into the ladder")


def test_submit(league, url, token, room):
    begun = time.time()
    folder = write_bot(f"{room}/alone", bot(BUILD, "by-submit"))
    said = guest(league.program, "submit", "--to", league.address, folder, env={"ARENA_TOKEN": token}, status=2)
    assert "unencrypted" in said, said
    said = guest(league.program, "submit", "--to", url.removeprefix("https://"), "--wait", folder,
                 env={"ARENA_TOKEN": token})
    assert "by-submit 1 is admitted" in said, said
    admitted = time.time() - begun
    wait_for_row(league, "by-submit")
    print(f"submit --to: admitted after {admitted:.1f} s, in the ladder after {time.time() - begun:.1f} s")


def test_curl(league, token, room):
    begun = time.time()
    folder = write_bot(f"{room}/curl", bot(BUILD, "by-curl"))
    script = r"""set -e
    tar -czf "$2.tar.gz" -C "$2" .
    url=$(curl -sS -H "Authorization: Bearer $3" --data-binary "@$2.tar.gz" "$1/api/v1/bots/by-curl" |
          sed 's/.*"url":"\([^"]*\)".*/\1/')
    until curl -sS -H "Authorization: Bearer $3" "$1$url" | grep -qE '"state":"(admitted|refused)"'; do sleep 0.5; done
    curl -sS -H "Authorization: Bearer $3" "$1$url"
    """
    said = json.loads(guest("sh", "-c", script, "sh", league.address, folder, token))
    assert said["state"] == "admitted", said
    admitted = time.time() - begun
    wait_for_row(league, "by-curl")
    print(f"curl: admitted after {admitted:.1f} s, in the ladder after {time.time() - begun:.1f} s")


def broken_bots():
    """Ten broken bots: a name, the files, and what the author must be told."""
    def made(name, program=None, **keys):
        files = bot(BUILD, name, **keys)
        if program:
            files["random"] = (program, 0o755)
        return name, files

    yield *made("no-compile", build=["sh", "-c", "echo 'bot.c:7:3: error: expected ; before return' >&2; exit 1"]), \
        "bot.c:7:3: error: expected ; before return"
    yield *made("no-program", build=["true"], run=["./bot"]), "bot"
    yield *made("exits", b"#!/bin/sh\necho 'ImportError: no module named azul' >&2\nexit 1\n"), "ImportError: no module named azul"
    yield *made("crashes", b"#!/bin/sh\nkill -SEGV $$\n"), "signal"
    yield *made("silent", b"#!/bin/sh\nexec sleep 1000\n"), "no answer by the deadline"
    yield *made("chatters", b"#!/bin/sh\necho hello\nexec sleep 1000\n"), "protocol"
    yield *made("network", PYTHON_BOT + b"import socket\nsocket.create_connection(('10.77.0.1', 80))\n"), "Error"
    yield *made("forgets", PYTHON_BOT + b"import sys\nsys.stdin.buffer.read(4)\nraise KeyError('board')\n"), "KeyError: 'board'"
    yield *made("memory", PYTHON_BOT + b"x = bytearray(1 << 40)\n"), "MemoryError"
    files = dict(bot(BUILD, "misnamed"))
    files["bot.json"] = (files["bot.json"][0].replace(b'"version"', b'"versoin"'), 0o644)
    yield "misnamed", files, "version"


def test_broken(league, url, token, room):
    for name, files, cause in broken_bots():
        begun = time.time()
        folder = write_bot(f"{room}/{name}", files)
        said = subprocess.run(["ip", "netns", "exec", NETWORK, league.program, "submit", "--to", url, "--wait", folder],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              env={"PATH": os.environ["PATH"], "ARENA_TOKEN": token}, timeout=300)
        assert said.returncode in (1, 2), (name, said)
        if "is submission" in said.stdout:
            told = said.stdout.splitlines()[2]  # the first line of the report, behind what is left of the quota
        else:
            told = said.stderr.splitlines()[-1]  # refused before it was sent, or at once
        assert cause in told and said.stdout.count("not fit to play") < 2, (name, cause, said)
        print(f"{name:10} {time.time() - begun:5.1f} s  {told[:150]}")


def main():
    if os.geteuid() != 0:
        print("a network namespace of its own needs root: not run")
        sys.exit(77)
    try:
        make_network()
        league = League(BUILD, "--every", "1", "--check-seconds", "10", listen=f"{HOST}:0")
        token = league.author("Zoe")
        for name in ("greedy", "lookahead"):
            league.arena("submit", f"{BUILD}/bots/{name}")
        league.arena("season", "new", "cup", "--players", "2", "--budget", "4000")
        with league, tempfile.TemporaryDirectory() as room:
            os.chmod(room, 0o755)
            web, url = serve_https(league)
            try:
                test_submit(league, url, token, room)
                test_curl(league, token, room)
                test_broken(league, url, token, room)
            finally:
                web.terminate()  # else it would hold the output of a test that failed
                ended = web.wait(30)
            assert ended == 0
    finally:
        shutil.rmtree(f"/etc/netns/{NETWORK}", ignore_errors=True)
        subprocess.run(["ip", "netns", "delete", NETWORK], check=False)
    print("an author on another host needs a token and nothing else")


main()
