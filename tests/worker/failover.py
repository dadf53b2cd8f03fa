"""A failover that loses commits: a standby takes the server's place without the last games and batches.
The daemon says so in one line, loads the season anew, and it ends as on one machine.

usage: failover.py BUILD    (with_server sets POSTGRES_TEST_*)"""

import os
import shlex
import shutil
import subprocess
import time

from league import PORT, URL, Scheduler, Worker, arena, compare, control_server, outcome, played, prepare, room, run, \
    sql, wait_for

BUDGET = 120
FOLDER = os.environ["POSTGRES_TEST_FOLDER"]
AS_OWNER = shlex.split(os.environ.get("POSTGRES_TEST_AS_OWNER", ""))


def make_standby():
    subprocess.run([*AS_OWNER, os.environ["POSTGRES_TEST_BIN"] + "/pg_basebackup", "-h", "127.0.0.1", "-p", str(PORT),
                    "-U", "postgres", "-D", FOLDER + "/standby", "-c", "fast", "--no-sync"], check=True, cwd="/")
    with open(FOLDER + "/standby/standby.signal", "w"):
        pass


def promote_standby():
    """The server dies, and the standby is promoted in its place, on a timeline of its own."""
    control_server("-m", "immediate", "stop")
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
    scheduler = Scheduler()
    worker = Worker("worker")
    wait_for("the first batch to be played", lambda: count("batch") >= 3)
    make_standby()
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
    scheduler.wait()
    worker.stop()
    with open(scheduler.log.name) as file:
        lines = [line for line in file if "has lost its last changes" in line]
    assert len(lines) == 1, lines
    print(lines[0].strip())
    compare(expected, BUDGET)
    arena(URL, "store", "check", "--replays")


run(main)
