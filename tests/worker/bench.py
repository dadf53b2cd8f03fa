# SPDX-License-Identifier: MIT
"""Measures workers and leases on a PostgreSQL server; prints figures, tests nothing.

claims      64 claimers take groups, several at a time: groups a second
simulate    (and drain, only the first line of it) a season is played once; then simulated workers deliver its games again, as fast as the
            server takes them: games a second that the daemon verifies and stores, by their number
season      one and two workers of one job each, with bots that answer at once: games a second

usage: bench.py BUILD PART ...        (with_server sets POSTGRES_TEST_*)"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.argv[1:2] = [os.path.abspath(sys.argv[1])]
from league import ARENA, BUILD, URL, Scheduler, Worker, arena, played, room, run, sql, wait_for

BIN = os.environ["POSTGRES_TEST_BIN"]
SECONDS = 20
CLAIMERS = 64
WORKERS = (1, 4, 16, 64)
GROUPS = 200000
SIMULATED = 4000 # games


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
         "INSERT INTO bot (id, name, version, author, language, sha256, built_sha256, content_sha256, submitted_us,"
         " taken_over, manifest) SELECT i, 'bot' || i, '1', 'a' || i, 'C', repeat('a', 64), repeat('a', 64), '', 1,"
         f" false, '{{}}' FROM generate_series(1, {bots}) i")
    psql(f"INSERT INTO entry SELECT 1, i - 1, i, 0 FROM generate_series(1, {bots}) i;"
         "INSERT INTO batch (season, number, opening, event, meeting_sizes)"
         " SELECT 1, i, 0, 0, 0 FROM generate_series(0, 99) i;"
         "INSERT INTO game_group (season, number, batch, opening, board, players, base0, base1)"
         f" SELECT 1, i, i * 100 / {groups}, 0, 0, 2, i % {bots}, (i % {bots} + 1 + i / {bots} % ({bots} - 1)) % {bots}"
         f" FROM generate_series(0, {groups} - 1) i;"
         "INSERT INTO dealt_season VALUES (1, 'x86_64');"
         "INSERT INTO dealt_group (season, number, opening, due, seeds)"
         " SELECT 1, number, 0, 3, sha256(number::text::bytea) FROM game_group")
    psql("VACUUM ANALYZE")


def identity(number):
    return f"decode(lpad(to_hex({number}), 32, '0'), 'hex')"


def register(count):
    psql(f"SELECT worker_hello({identity('i')}, '1', 'w' || i, 'h', 'p', 'x86_64', 3, 2, 2, 50000)"
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
        psql("UPDATE dealt_group SET worker = NULL WHERE worker IS NOT NULL")
        psql("VACUUM ANALYZE dealt_group")
        pgbench(f"SELECT count(*) FROM worker_claim({identity(':client_id')}, {wanted}, 3600000000, '{{}}');",
                CLAIMERS, SECONDS // 2)
        count = int(sql("SELECT count(*) FROM dealt_group WHERE worker IS NOT NULL"))
        print(f"claims of {wanted}: {count / (SECONDS // 2):.0f} groups a second, {CLAIMERS} claimers; load {load()}",
              flush=True)


def record_season():
    """Has real workers play a season, and keeps what they delivered."""
    for folder in zero_bots(8):
        arena(URL, "submit", folder, "--check-games", "1")
    arena(URL, "season", "new", "cup", "--budget", str(SIMULATED), "--no-freeze")
    psql("CREATE TABLE recorded (LIKE inbox); CREATE UNIQUE INDEX ON recorded (game_group, rotation);"
         "CREATE FUNCTION record() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
         " INSERT INTO recorded VALUES (NEW.*); RETURN NULL; END $$;"
         "CREATE TRIGGER recorded AFTER INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION record()")
    scheduler, worker = Scheduler(), Worker("recorded", jobs=4)
    wait_for("the season to be played", lambda: played() >= SIMULATED - 1)
    scheduler.wait()
    worker.stop()
    psql("DROP TRIGGER recorded ON inbox")
    psql("VACUUM ANALYZE")


def deliver_again(workers, at_once):
    """The same games once more, by simulated workers; unless at_once, the daemon begins when all are in the
    inbox. Returns games a second that it stored, those that were delivered, and the most that waited."""
    psql("DELETE FROM replay; DELETE FROM game; DELETE FROM inbox; DELETE FROM dealt_group")
    psql("VACUUM ANALYZE")
    scheduler = Scheduler()
    groups = int(sql("SELECT count(*) FROM game_group"))
    wait_for("the groups to be dealt", lambda: int(sql("SELECT count(*) FROM dealt_group")) >= groups - 1)
    # One group a turn; each claims what nobody has, delivers all of its games, and begins anew.
    deliver = (f"SELECT count(worker_deliver({identity(':client_id')}, 1, :g, :t, rotation, wall_us, replay))"
               " FROM recorded WHERE game_group = :g;")
    script = (f"SELECT coalesce(max(number), 0) AS g, coalesce(max(token), 0) AS t FROM"
              f" worker_claim({identity(':client_id')}, 1, 30000000, '{{}}') \\gset\n{deliver}\n")
    path = os.path.join(room, "script.sql")
    with open(path, "w") as file:
        file.write(script)
    process = subprocess.Popen([BIN + "/pgbench", "-n", "-f", path, "-c", str(workers), "-j", "1", "-T", "600", URL],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    begun, most, delivered_s = time.monotonic(), 0, 0
    if not at_once:
        scheduler.process.send_signal(signal.SIGTERM)
        scheduler.process.wait()
        wait_for("the deliveries", lambda: sql("SELECT count(*) FROM dealt_group WHERE due <> 0") == "0")
        delivered_s = time.monotonic() - begun
        process.kill()
        scheduler = Scheduler()
        wait_for("the daemon to have begun", lambda: played() > SIMULATED * 0.2)
        begun = time.monotonic()
    first = played()
    while (count := played()) < SIMULATED * 0.95:
        most = max(most, int(sql("SELECT count(*) FROM inbox") or 0))
        if process.poll() is None and sql("SELECT count(*) FROM dealt_group WHERE due <> 0") == "0":
            process.kill() # a worker without work would rest
        time.sleep(0.05)
    seconds = time.monotonic() - begun
    process.kill()
    process.wait()
    with open(f"/proc/{scheduler.process.pid}/stat") as file:
        ticks = sum(map(int, file.read().split()[13:15]))
    print(f"  the daemon took {1e6 * ticks / os.sysconf('SC_CLK_TCK') / max(count, 1):.0f} us of processor time a game")
    scheduler.process.kill()
    scheduler.process.wait()
    assert sql("SELECT count(*) FROM refusal") == "0", sql("SELECT words FROM refusal LIMIT 1")
    return (count - first) / seconds, SIMULATED / delivered_s if delivered_s else 0, most


def drain():
    record_season()
    register(CLAIMERS)
    rate, delivered, _ = deliver_again(4, False)
    print(f"4 connections deliver {delivered:.0f} games a second while the daemon is away; it verifies and stores"
          f" {rate:.0f} a second from a full inbox; fsync {sql('SHOW fsync')}; load {load()}", flush=True)


def simulate():
    drain()
    sizes = sql("SELECT round(avg(octet_length(replay))) || ' bytes of replay' FROM recorded")
    for workers in WORKERS:
        wal = int(sql("SELECT wal_bytes FROM pg_stat_wal"))
        rate, _, most = deliver_again(workers, True)
        grown = (int(sql("SELECT wal_bytes FROM pg_stat_wal")) - wal) / SIMULATED / 1024
        print(f"{workers} connections: {rate:.0f} games a second verified and stored ({sizes}); at most {most} waited"
              f" in the inbox; WAL {grown:.1f} KiB a game; fsync {sql('SHOW fsync')}; load {load()}", flush=True)
    for table in ("game", "replay", "game_group", "dealt_group", "inbox"):
        print(f"  {table}: {int(sql(f'SELECT pg_total_relation_size({chr(39)}{table}{chr(39)})')) / SIMULATED:.0f}"
              " bytes a game, indexes and dead rows included")


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
        sql(f"DELETE FROM dealt_season WHERE season = (SELECT id FROM season WHERE name = '{name}')")
        for worker in workers:
            worker.stop()
    print(f"two workers are {sum(rates[2]) / sum(rates[1]):.2f} times one")
    scheduler.process.kill()


PARTS = {"claims": claims, "drain": drain, "simulate": simulate, "season": season}


def main():
    for part in sys.argv[2:]:
        PARTS[part]()


run(main)
