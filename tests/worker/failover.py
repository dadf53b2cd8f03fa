# SPDX-License-Identifier: MIT
"""A failover that loses commits: a standby takes the server's place without the last games and batches.
The daemon says so in one line, loads the season anew, and it ends as on one machine. Meanwhile the
metrics of the daemon tell what it sees.

usage: failover.py BUILD    (with_server sets POSTGRES_TEST_*)"""

import os
import shlex
import shutil
import signal
import subprocess
import time

from league import PORT, URL, Scheduler, Worker, arena, compare, control_server, outcome, played, prepare, room, run, \
    sql, wait_for

BUDGET = 160
METRICS = os.path.join(room, "arena.prom")
FOLDER = os.environ["POSTGRES_TEST_FOLDER"]
AS_OWNER = shlex.split(os.environ.get("POSTGRES_TEST_AS_OWNER", ""))


def make_standby():
    subprocess.run([*AS_OWNER, os.environ["POSTGRES_TEST_BIN"] + "/pg_basebackup", "-h", "127.0.0.1", "-p", str(PORT),
                    "-U", "postgres", "-D", FOLDER + "/standby", "-c", "fast", "--no-sync"], check=True, cwd="/")
    with open(FOLDER + "/standby/standby.signal", "w"):
        pass


def metric(name):
    """The value of a metric of the daemon's file; None if it is not there."""
    try:
        with open(METRICS) as file:
            return {line.split()[0]: float(line.split()[1]) for line in file if line[0] != "#"}.get("pavilion_" + name)
    except FileNotFoundError:
        return None


def promote_standby():
    """The server dies, and the standby is promoted in its place, on a timeline of its own."""
    control_server("-m", "immediate", "stop")
    wait_for("store_up 0", lambda: metric("store_up") == 0)
    shutil.move(FOLDER + "/data", FOLDER + "/lost")
    shutil.move(FOLDER + "/standby", FOLDER + "/data")
    control_server("start")
    control_server("promote")
    wait_for("the promotion", lambda: sql("SELECT pg_is_in_recovery()") == "f")


def count(table):
    return int(sql(f"SELECT count(*) FROM {table}") or -1)


def main():
    reference = "sqlite:" + os.path.join(room, "reference")
    prepare(reference, BUDGET)
    arena(reference, "season", "run", "cup", "--jobs", "2")
    expected = outcome(reference)
    prepare(URL, BUDGET)
    scheduler = Scheduler("--metrics", METRICS)
    worker = Worker("worker")
    for name in ("store_up", "workers_alive"):
        wait_for(f"{name} 1", lambda name=name: metric(name) == 1)
    wait_for("leases", lambda: (metric("leases") or 0) > 0)
    assert metric("workers_silent") == metric("refused_deliveries") == 0
    wait_for("the first batch to be played", lambda: count("batch") >= 3)
    worker.process.send_signal(signal.SIGSTOP) # the season lasts until the standby is made
    make_standby()
    worker.process.send_signal(signal.SIGCONT)
    kept = count("batch")
    wait_for("games and batches that will be lost", lambda: count("batch") >= kept + 3)
    before = played()
    promote_standby()
    begun, after = time.monotonic(), played()
    assert after < before, (after, before)
    wait_for("a game after the failover", lambda: played() > after)
    print(f"{before - after} of {before} games were lost; the next was stored after"
          f" {time.monotonic() - begun:.1f} s", flush=True)
    wait_for("the season to be played", lambda: played() == BUDGET)
    wait_for("store_up 1", lambda: metric("store_up") == 1)
    of_worker = '{worker="worker",id="1"}' # counted in the transaction of each game, so none is lost or twice
    wait_for("the daemon to count them", lambda: metric("workers_games_total" + of_worker) == BUDGET)
    for name in ("workers_forfeits_total", "workers_refused", "workers_groups", "workers_aside"):
        wait_for(f"no {name}", lambda name=name: metric(name + of_worker) == 0)
    wait_for("an empty inbox", lambda: metric("inbox_oldest_seconds") == 0)
    scheduler.wait()
    worker.stop()
    assert metric("jobs") is None, "a file of metrics was left"
    with open(scheduler.log.name) as file:
        lines = [line for line in file if "lost the season's last games" in line]
    assert len(lines) == 1, lines
    print(lines[0].strip())
    compare(expected, BUDGET)
    arena(URL, "store", "check", "--replays")


run(main)
