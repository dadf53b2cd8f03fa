"""Measures workers and leases on a PostgreSQL server; prints figures, tests nothing.

claims      64 claimers take groups, several at a time: groups a second
simulate    1,000 workers on the store alone: each claims, renews and stores faked games of a usual
            size, over 64 connections; games a second, and what backends waited for
season      one and two workers of one job each, with bots that answer at once: games a second

usage: bench.py BUILD PART ...        (with_server sets POSTGRES_TEST_*)"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

sys.argv[1:2] = [os.path.abspath(sys.argv[1])]
from league import ARENA, BUILD, URL, Scheduler, Worker, arena, played, room, run, sql, wait_for

BIN = os.environ["POSTGRES_TEST_BIN"]
SECONDS = 20
CLAIMERS = 64
WORKERS = 1000
GROUPS = 200000
GROUPS_FAKED = 40000 # those that are played within SECONDS
REPLAY_BYTES = 4500 # of a game of two


def load():
    with open("/proc/loadavg") as file:
        return file.read().split()[0]


def psql(statement):
    subprocess.run([BIN + "/psql", URL, "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", statement], check=True,
                   stdout=subprocess.DEVNULL)


def fake_league(bots, groups):
    """A season with groups to play, of bots that nobody plays."""
    arena(URL, "season", "new", "cup", "--budget", "1000000")
    psql("INSERT INTO package VALUES (repeat('a', 64), 'p');"
         "INSERT INTO bot (id, name, version, author, language, sha256, built_sha256, submitted_us) SELECT i,"
         f" 'bot' || i, '1', 'a' || i, 'C', repeat('a', 64), repeat('a', 64), 1 FROM generate_series(1, {bots}) i")
    psql(f"INSERT INTO entry SELECT 1, i - 1, i, 0 FROM generate_series(1, {bots}) i;"
         "INSERT INTO batch (season, number, opening, event, seating)"
         " SELECT 1, i, 0, 0, 0 FROM generate_series(0, 99) i;"
         "INSERT INTO game_group (season, number, batch, opening, board, players, base0, base1)"
         f" SELECT 1, i, i * 100 / {groups}, 0, 0, 2, i % {bots}, (i % {bots} + 1 + i / {bots} % ({bots} - 1)) % {bots}"
         f" FROM generate_series(0, {groups} - 1) i;"
         "UPDATE season SET dealt = true")
    psql("VACUUM ANALYZE")


def identity(number):
    return f"decode(lpad(to_hex({number}), 32, '0'), 'hex')"


def register(count):
    psql(f"SELECT worker_register({identity('i')}, 'w' || i, 'h', 'p', 'x86_64', 0, 3, 2, 2, 50000)"
         f" FROM generate_series(0, {count} - 1) i")


def pgbench(script, clients, seconds):
    path = os.path.join(room, "script.sql")
    with open(path, "w") as file:
        file.write(script)
    result = subprocess.run([BIN + "/pgbench", "-n", "-f", path, "-c", str(clients), "-j", "2", "-T",
                             str(seconds), URL], text=True, check=True, stdout=subprocess.PIPE)
    return float(re.search(r"tps = ([0-9.]+)", result.stdout)[1])


def claims():
    fake_league(2000, GROUPS)
    register(CLAIMERS)
    for wanted in (1, 4, 16):
        psql("UPDATE game_group SET lease_worker = NULL, lease_until = NULL WHERE lease_worker IS NOT NULL")
        psql("VACUUM ANALYZE game_group")
        pgbench(f"SELECT count(*) FROM worker_claim({identity(':client_id')}, {wanted}, 3600000000, '{{}}');",
                CLAIMERS, SECONDS // 2)
        count = int(sql("SELECT count(*) FROM game_group WHERE lease_token > 0 AND lease_worker IS NOT NULL"))
        print(f"claims of {wanted}: {count / (SECONDS // 2):.0f} groups a second, {CLAIMERS} claimers; load {load()}",
              flush=True)


class Waits(threading.Thread):
    """Looks ten times a second at what backends wait for."""

    def __init__(self):
        super().__init__(daemon=True)
        self.counts = collections.Counter()
        self.looks = 0
        self.ends = False

    def run(self):
        process = subprocess.Popen([BIN + "/psql", URL, "-qAtX"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, bufsize=1)
        while not self.ends:
            process.stdin.write("SELECT coalesce(wait_event_type || ' ' || wait_event, 'running'), count(*) FROM"
                                " pg_stat_activity WHERE backend_type = 'client backend' AND state = 'active'"
                                " AND pid <> pg_backend_pid() GROUP BY 1;\nSELECT 'end';\n")
            process.stdin.flush()
            while (line := process.stdout.readline().strip()) not in ("end", ""):
                event, count = line.rsplit("|", 1)
                self.counts[event] += int(count)
            self.looks += 1
            time.sleep(0.1)
        process.stdin.close()
        process.wait()


def fake_games():
    """Games of the groups that are claimed first, with the checksums that the server looks at."""
    times = "0803" * 19 + "0808" # 65 decisions in 20 buckets
    row = f"number, rotation, seat, (ARRAY[base0, base1])[(seat + rotation) % 2 + 1], 80, seat + 1, 0, 65000, 3000, 65, '\\x{times}'"
    psql("CREATE TABLE faked AS SELECT string_agg(sha256(i::text::bytea), ''::bytea) AS bytes"
         f" FROM generate_series(1, {REPLAY_BYTES // 32}) i; GRANT SELECT ON faked TO PUBLIC")
    psql("CREATE TABLE faked_game AS SELECT g.number, rotation, game_checksum(g, s, o, rotation, 1795309428240891,"
         " 65000, 4095, 130, NULL, array_agg(seat_sum ORDER BY seat), sha256((SELECT bytes FROM faked))) AS sum,"
         " json_agg(json_build_object('seat', seat, 'score', 80, 'rank', seat + 1, 'reason', 0, 'decisions', 65,"
         f" 'us', 65000, 'us_max', 3000, 'times', '{times}', 'sum', seat_sum) ORDER BY seat)::text AS seats"
         f" FROM (SELECT season, number, rotation, seat, seat_checksum(season, {row}) AS seat_sum FROM game_group,"
         " generate_series(0, 1) AS rotation, generate_series(0, 1) AS seat"
         f" WHERE number < {GROUPS_FAKED}) AS seated JOIN game_group g USING (season, number)"
         " JOIN season s ON s.id = season JOIN opening o ON o.season = s.id GROUP BY g, s, o, g.number, rotation;"
         " CREATE UNIQUE INDEX ON faked_game (number, rotation); GRANT SELECT ON faked_game TO PUBLIC")


def simulate():
    fake_league(2000, GROUPS)
    register((WORKERS // CLAIMERS + 1) * CLAIMERS)
    fake_games()
    game = ("1795309428240891, 65000, 4095, 130, NULL, 100, sha256((SELECT bytes FROM faked)),"
            " (SELECT sum FROM faked_game WHERE number = :g AND rotation = {0}),"
            " (SELECT seats FROM faked_game WHERE number = :g AND rotation = {0}), (SELECT bytes FROM faked)")
    each = WORKERS // CLAIMERS + 1
    script = f"""\\set w :client_id * {each} + random(0, {each - 1})
\\set renews random(1, 10)
SELECT (l::json->>'group')::int AS g, (l::json->>'token')::int AS t FROM worker_claim({identity(':w')}, 1, 30000000, '{{}}') AS l \\gset
SELECT worker_game({identity(':w')}, 1, :g, :t, 0, 0, {game.format(0)});
SELECT worker_game({identity(':w')}, 1, :g, :t, 1, 0, {game.format(1)});
\\if :renews = 1
SELECT count(*) FROM worker_renew({identity(':w')}, 30000000);
\\endif
"""
    script = script.replace(f"\\set renews random(1, 10)\n", "\\set renews random(1, 10)\n\\set renew :renews = 1\n").replace(
        "\\if :renews = 1", "\\if :renew")
    waits = Waits()
    waits.start()
    begun = int(sql("SELECT count(*) FROM game"))
    bytes_before = int(sql("SELECT pg_database_size(current_database())"))
    pgbench(script, CLAIMERS, SECONDS)
    waits.ends = True
    waits.join()
    count = int(sql("SELECT count(*) FROM game")) - begun
    grown = int(sql("SELECT pg_database_size(current_database())")) - bytes_before
    wal = sql("SELECT round(wal_bytes / 1024) FROM pg_stat_wal")
    print(f"{WORKERS} workers over {CLAIMERS} connections: {count / SECONDS:.0f} games a second stored; load {load()}")
    print(f"{grown / max(count, 1):.0f} bytes a game on disk, of which {REPLAY_BYTES} of replay;"
          f" WAL {int(wal) / max(count, 1):.1f} KiB a game")
    total = sum(waits.counts.values())
    for event, seen in waits.counts.most_common(8):
        print(f"  {100 * seen / total:5.1f} % of active backends: {event}")
    for table in ("game", "seat", "replay", "game_group"):
        print(f"  {table}: {int(sql(f'SELECT pg_total_relation_size({chr(39)}{table}{chr(39)})')) / max(count, 1):.0f}"
              " bytes a game, indexes included")


# ---- real workers ----

def zero_bots(count):
    """As many bots that answer at once, each another package."""
    for number in range(count):
        folder = os.path.join(room, f"zero{number}")
        os.makedirs(folder)
        subprocess.run(["cp", os.path.join(BUILD, "bots/random/random"), folder + "/bot"], check=True)
        with open(folder + "/bot.json", "w") as file:
            json.dump({"name": f"zero{number}", "version": "1", "author": f"author {number}", "language": "C", "run": ["./bot"]}, file)
        with open(folder + "/number", "w") as file:
            file.write(str(number))
        yield folder


def season():
    folders = list(zero_bots(16))
    for folder in folders:
        arena(URL, "submit", folder)
    scheduler = Scheduler()
    rates = {}
    for count in (1, 2, 1, 2):
        name = f"cup{len(rates)}-{count}-{time.monotonic_ns() % 1000}"
        arena(URL, "season", "new", name, "--budget", "100000", "--no-freeze")
        workers = [Worker(f"bench-{number}", jobs=1) for number in range(count)]
        wait_for("the first games", lambda: int(sql(
            f"SELECT count(*) FROM game JOIN season ON season.id = season WHERE name = '{name}'")) > 20)
        first = int(sql("SELECT count(*) FROM game"))
        begun = time.monotonic()
        time.sleep(SECONDS / 2)
        rate = (int(sql("SELECT count(*) FROM game")) - first) / (time.monotonic() - begun)
        rates.setdefault(count, []).append(rate)
        print(f"{count} workers of one job: {rate:.1f} games a second; load {load()}", flush=True)
        sql(f"UPDATE season SET dealt = false WHERE name = '{name}'")
        for worker in workers:
            worker.stop()
    print(f"two workers are {sum(rates[2]) / sum(rates[1]):.2f} times one")
    scheduler.process.kill()


PARTS = {"claims": claims, "simulate": simulate, "season": season}


def main():
    for part in sys.argv[2:]:
        PARTS[part]()


run(main)
