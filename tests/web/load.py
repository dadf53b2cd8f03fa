#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The arena on the network under load, against the same arena idle: 200 authors upload 1 MB each within a minute, 500
readers of pages (h2load) and 100 watchers of a live game meanwhile. Prints what bots were charged beyond the time that they
measured themselves, which requests failed, and the memory of the web process.
usage: load.py BUILD-FOLDER [--realtime] [--seconds 60]    with --realtime the daemon has priority over the load"""
import collections
import json
import os
import re
import subprocess
import sys
import threading
import time

from league import League, bot, pack

SECONDS = int(sys.argv[sys.argv.index("--seconds") + 1]) if "--seconds" in sys.argv else 60
AUTHORS, READERS, NETWORKS, WATCHERS = 200, 500, 10, 100  # the readers are in networks, each with one address
WATCH = """
import http.client, json, sys, threading, time
end, counts, ended = time.time() + float(sys.argv[4]), {}, []
def watch(number):
    head = {"X-Forwarded-For": "10.1.0.%d" % number}
    marks, connection = {}, http.client.HTTPConnection(sys.argv[1], int(sys.argv[2]), timeout=60)
    path = "/live/games.json"
    while time.time() < end:
        connection.request("GET", path, headers={**head, **({"If-None-Match": marks[path]} if path in marks else {})})
        answer = connection.getresponse()
        text = answer.read()
        counts[answer.status] = counts.get(answer.status, 0) + 1
        marks[path] = answer.getheader("ETag", "")
        games = json.loads(text)["games"] if answer.status == 200 and path.endswith("games.json") else []
        path = "/live/%s.jsonl" % games[0]["match"] if games else path if answer.status < 400 else "/live/games.json"
        time.sleep(2)
    ended.append(number)
threads = [threading.Thread(target=watch, args=(number,)) for number in range(int(sys.argv[3]))]
for one in threads:
    one.start()
for one in threads:
    one.join()
if len(ended) < len(threads):
    sys.exit("a watcher ended early")
print(counts)
"""

def prepare(league):
    """Four bots that sleep 5 ms a decision and write in their notes how long that took."""
    folder = f"{league.scratch}/zero"
    os.mkdir(folder)
    with open(f"{league.build}/tests/bots/bench_zero", "rb") as file:
        program = file.read()
    for number in range(4):
        with open(f"{folder}/bench_zero", "wb") as file:
            file.write(program)
        os.chmod(file.name, 0o755)
        with open(f"{folder}/bot.json", "w", encoding="utf-8") as file:
            json.dump({"name": f"sleeper-{number}", "version": "1", "author": "load", "language": "C",
                       "run": ["./bench_zero", "5000"]}, file)
        league.arena("submit", "--check-games", "1", folder)
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())  # whoever is admitted later does not play
    league.arena("season", "new", "cup", "--players", "2", "--budget", "1000000", "--clock", "turn=50,bank=0,start=20000",
                 "--live-delay", "0", "--from", now, "--deadline", now)

def charges(league, games):
    """What the decisions of these games were charged beyond the time that the bots measured."""
    beyond = []
    for number in games:
        for rotation in range(2):
            done = subprocess.run([league.program, "replay", "--json", f"cup-{number:06d}-{rotation}"], check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=league.environment)
            for line in done.stdout.splitlines():
                row = json.loads(line)
                if row.get("note", "").isdigit() and "us" in row:
                    beyond.append(row["us"] - int(row["note"]))
    return sorted(beyond)

def percentile(values, share):
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0

def count_groups(league):
    """How many groups of games the season has dealt and ended."""
    return league.ask("/api/v1/status")[2].get("games", 0) // 2

class Memory(threading.Thread):
    """Memory of the web process, twice a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.kib, self.stop = pid, [], False

    def run(self):
        while not self.stop:
            with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
                self.kib.append(int(re.search(r"VmRSS:\s*(\d+)", file.read())[1]))
            time.sleep(0.5)


def upload_all(league, tokens, answers):
    """Each author uploads a bot of 1 MB, one after the other, over the whole time."""
    padding = os.urandom(1 << 20)

    def upload(number, token):
        time.sleep(number * SECONDS / AUTHORS)
        files = bot(league.build, f"load-{number}", more={"pad": (padding, 0o644)}.items())
        begun = time.time()
        try:
            status = league.ask(f"/api/v1/bots/load-{number}", token, pack(files, "w"),
                                headers={"X-Forwarded-For": f"10.2.0.{number}"})[0]
        except OSError as error:
            status = str(error)
        answers.append((status, time.time() - begun))

    threads = [threading.Thread(target=upload, args=pair) for pair in enumerate(tokens)]
    for thread in threads:
        thread.start()
    return threads

def load(league, tokens):
    """Everything at once. Returns the answers of the uploads, what h2load printed, and what the watchers got."""
    answers = []
    watchers = subprocess.Popen([sys.executable, "-c", WATCH, league.host, str(league.port), str(WATCHERS),
                                 str(SECONDS)], stdout=subprocess.PIPE, text=True)
    pages = ["/", "/cup/", "/api/v1/seasons/cup/ladder", "/api/v1/status", "/live"]
    readers = [subprocess.Popen(["nice", "h2load", "--h1", "-c", str(READERS // NETWORKS), "-t", "1", "--rps", "1", "-D",
                                 str(SECONDS), "-H", f"X-Forwarded-For: 10.3.{number}.1"] +
                                [league.address + page for page in pages], stdout=subprocess.PIPE, text=True)
               for number in range(NETWORKS)]
    for thread in upload_all(league, tokens, answers):
        thread.join()
    watched = watchers.communicate()[0]
    assert watchers.returncode == 0, "a watcher failed"
    return answers, "".join(reader.communicate()[0] for reader in readers), watched

def main():
    league = League(sys.argv[1], "--jobs", "1", "--every", "30",
                    before=["chrt", "-R", "-f", "10"] if "--realtime" in sys.argv else [])
    prepare(league)
    tokens = [league.author(f"writer-{number}") for number in range(AUTHORS)]
    print("load of the machine:", open("/proc/loadavg", encoding="ascii").read().split()[:3])
    with league:
        time.sleep(5)
        marks = [count_groups(league)]
        time.sleep(SECONDS)
        marks.append(count_groups(league))
        memory = Memory(league.web())
        memory.start()
        time.sleep(2)
        answers, readers, watchers = load(league, tokens)
        marks.append(count_groups(league))
        time.sleep(2)
        memory.stop = True
        idle = charges(league, range(marks[0] + 1, marks[1] - 1))
        busy = charges(league, range(marks[1] + 1, marks[2] - 1))
    for name, values in (("idle", idle), ("loaded", busy)):
        print(f"{name}: {len(values)} decisions, charged beyond their own time: median {percentile(values, 0.5)} us, "
              f"p99 {percentile(values, 0.99)} us, p99.9 {percentile(values, 0.999)} us")
    print(f"uploads: {dict(collections.Counter(status for status, _ in answers))}, longest "
          f"{max(seconds for _, seconds in answers):.1f} s")
    print("readers:", *(line for line in readers.splitlines() if re.match("(finished|requests|status|time for request)",
                                                                         line)), sep="\n  ")
    print(f"{WATCHERS} watchers of a live game got {watchers.strip()}")
    print(f"memory of web: {memory.kib[0]} KiB before, {max(memory.kib)} at most, {memory.kib[-1]} at the end")
    print("load of the machine:", open("/proc/loadavg", encoding="ascii").read().split()[:3])

main()
