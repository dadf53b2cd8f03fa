# SPDX-License-Identifier: MIT
"""What workers do when something around them fails, a case each: a season that is closed while they
play it, a bot that is banned, a disk of their own that is full, a cache with a wrong package, rights
that are gone, a server that is away or stands still.

usage: faults.py BUILD [CASE ...]        (with_server sets POSTGRES_TEST_*)
       faults.py BUILD --but CASE ...   all others"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

from league import (BUILD, LEASE_S, URL, Scheduler, Worker, arena, control_server, processes, room, run, sql,
                    wait_for)

THINKS_S = 0.015 # at each of some 130 decisions of a game


def slow_bot(name, waits=f"time.sleep({THINKS_S})"):
    """A bot that takes its time: its games last for two seconds."""
    folder = os.path.join(room, name)
    shutil.copytree(os.path.join(BUILD, "bots/greedy-python"), folder)
    with open(folder + "/greedy.py") as file:
        text = file.read()
    with open(folder + "/greedy.py", "w") as file:
        file.write(text.replace("    state = message[", f"    import time\n    {waits}\n    state = message[", 1))
    with open(folder + "/bot.json", "w") as file:
        file.write(f'{{"name": "{name}", "version": "1", "author": "author of {name}", "language": "Python",'
                   ' "run": ["python3", "greedy.py"]}\n')
    return folder


def season(name, budget=200, *terms):
    arena(URL, "season", "new", name, "--budget", str(budget), "--clock", "turn=20000,bank=100000,start=60000", *terms)


def games(name, more=""):
    text = sql(f"SELECT count(*) FROM game JOIN season ON season.id = season WHERE name = '{name}' {more}")
    return int(text) if text else -1


def playing(name):
    """Groups of it that somebody holds."""
    return int(sql("SELECT count(*) FROM dealt_group JOIN season ON season.id = season"
                   f" WHERE name = '{name}' AND worker IS NOT NULL") or 0)


def errors(worker):
    return [told["words"] for told in worker.events() if told["event"] == "error"]


def end(worker, within_s):
    """Told to stop, it ends well, in time."""
    begun = time.monotonic()
    worker.process.send_signal(signal.SIGTERM)
    try:
        status = worker.process.wait(within_s)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"{worker.name} still runs {within_s} s after SIGTERM\n{worker.text()}") from None
    assert status == 0, (status, worker.text())
    return time.monotonic() - begun


def close_waits():
    """Games under way are finished and count; none begins any more."""
    season("closed")
    worker = Worker("closer", jobs=2)
    wait_for("a game", lambda: games("closed") >= 1)
    wait_for("groups to be held", lambda: playing("closed") > 0)
    begun = time.monotonic()
    told = arena(URL, "season", "close", "closed", "--wait", "100")
    waited_s = time.monotonic() - begun
    assert "is closed" in told, told
    assert worker.count("refused") == 0, worker.text()
    assert playing("closed") == 0 and waited_s < 60, waited_s
    played = games("closed")
    assert played % 2 == 0 or played >= 3, played
    end(worker, 60)
    assert worker.events()[-1]["refused"] == 0 and games("closed") == played == worker.events()[-1]["games"]


def close_gives_up():
    """Past the time that the close gives, games are given up, and their groups given back."""
    season("cut")
    worker = Worker("cut-off", jobs=2)
    wait_for("groups to be held", lambda: playing("cut") > 0)
    begun = time.monotonic()
    arena(URL, "season", "close", "cut", "--wait", "0")
    assert time.monotonic() - begun < 30
    wait_for("its games to be given up", lambda: playing("cut") == 0)
    end(worker, 30)


def ban_stops():
    """A bot that is banned with its games stops where it plays."""
    season("banned")
    worker = Worker("banner", jobs=2)
    wait_for("groups to be held", lambda: playing("banned") > 0)
    arena(URL, "ban", "slow2", "--void")
    wait_for("groups with it to be given back", lambda: sql(
        "SELECT count(*) FROM dealt_group d JOIN game_group g USING (season, number) JOIN season s ON s.id = season"
        " JOIN entry e ON e.season = g.season AND e.number IN (base0, base1) JOIN bot b ON b.id = e.bot"
        " WHERE s.name = 'banned' AND b.name = 'slow2' AND worker IS NOT NULL") == "0")
    wait_for("others to be played", lambda: games("banned") >= 2)
    arena(URL, "ban", "--lift", "slow2")
    arena(URL, "season", "close", "banned", "--wait", "0")
    end(worker, 30)


def wrong_package():
    """What lies in the cache under a bot's hash and is another's is not held against it."""
    season("cached", 4)
    cache = os.path.join(room, "cache-cached")
    os.mkdir(cache, 0o700)
    hashes = set(sql("SELECT built_sha256 FROM bot").splitlines())
    first = Worker("cached", jobs=2)
    wait_for("a package to be kept", lambda: hashes & set(os.listdir(cache)))
    first.process.kill()
    first.process.wait()
    kept = min(hashes & set(os.listdir(cache)))
    for other in hashes - {kept}:
        shutil.copy(os.path.join(cache, kept), os.path.join(cache, other))
    second = Worker("cached", jobs=2)
    wait_for("the season to be played", lambda: games("cached") >= 4)
    assert games("cached", "AND forfeits IS NOT NULL") == 0, sql("SELECT forfeits FROM game WHERE forfeits IS NOT NULL")
    end(second, 60)


def damaged_package():
    """A package that is damaged in the store is not laid to the cache's charge, nor to the bot's."""
    season("damaged", 12)
    sha256 = sql("SELECT built_sha256 FROM bot WHERE name = 'slow0'")
    flip = f"UPDATE package SET bytes = set_byte(bytes, 600, get_byte(bytes, 600) # 1) WHERE sha256 = '{sha256}'"
    sql(flip)
    worker = Worker("misled", jobs=2)
    wait_for("the damage to be told", lambda: errors(worker))
    sql(flip)
    assert errors(worker)[0].startswith("bot slow0 1: the package that the store sends is damaged: "), errors(worker)
    assert games("damaged", "AND forfeits IS NOT NULL") == 0, sql("SELECT forfeits FROM game WHERE forfeits IS NOT NULL")
    end(worker, 60)


def full_cache():
    """A worker that has no room for a package says so, and leaves the group to others."""
    if os.geteuid() != 0:
        return
    cache = os.path.join(room, "cache-poor")
    os.mkdir(cache, 0o700)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k,mode=700", "tmpfs", cache], check=True)
    try:
        season("full", 4)
        poor = Worker("poor")
        wait_for("the full disk to be told", lambda: any("No space left" in words for words in errors(poor)))
        wait_for("its groups to be given back", lambda: playing("full") == 0)
        assert poor.count("store lost") == 0, poor.text()
        time.sleep(3)
        assert len(errors(poor)) < 40, "a hot loop: " + poor.text()
        rich = Worker("rich")
        wait_for("another to play", lambda: games("full") >= 4)
        end(poor, 30)
        end(rich, 60)
    finally:
        subprocess.run(["umount", "--lazy", cache], check=True)


def watched():
    """systemd learns that a worker is ready, alive and stopping."""
    service = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    service.bind(room + "/notify")
    service.settimeout(120)
    around = ["env", f"NOTIFY_SOCKET={room}/notify", "WATCHDOG_USEC=2000000"]
    worker, told = Worker("watched", around=around), []
    for wanted in "READY=1", "WATCHDOG=1", "STOPPING=1":
        while not told or not told[-1].startswith(wanted):
            told.append(service.recv(4096).decode())
        if wanted == "WATCHDOG=1":
            worker.process.send_signal(signal.SIGTERM)
    assert worker.process.wait(60) == 0, worker.text()
    service.close()


def refused_claims():
    with open(os.environ["POSTGRES_TEST_FOLDER"] + "/log") as file:
        return file.read().count("permission denied for function worker_claim")


def rights_gone():
    """A claim that the server refuses is told once, and tried again."""
    season("barred", 4)
    sql("CREATE ROLE hand LOGIN; GRANT SELECT ON pavilion TO hand; GRANT USAGE ON SCHEMA public TO hand")
    for name in ("hello", "season", "renew", "give_back", "deliver", "package"):
        sql(f"GRANT EXECUTE ON FUNCTION worker_{name} TO hand")
    worker = Worker("hand", user="hand")
    wait_for("the refusal to be told", lambda: any("permission denied" in words for words in errors(worker)))
    wait_for("it to be tried again", lambda: refused_claims() > 3)
    assert len(errors(worker)) == 1, worker.text()
    sql("GRANT EXECUTE ON FUNCTION worker_claim TO hand")
    wait_for("it to play", lambda: games("barred") >= 4)
    end(worker, 60)


def server_away():
    """SIGTERM ends a worker also while the server is away, idle or with results to bring."""
    idle = Worker("idle") # asks for work each second, and has none
    wait_for("it to work", lambda: idle.count("started") == 1)
    season("away", 2)
    busy = Worker("busy")
    wait_for("it to work too", lambda: busy.count("started") == 1)
    wait_for("groups to be held", lambda: busy.leases() or idle.leases())
    control_server("-m", "immediate", "stop")
    for worker in (idle, busy):
        wait_for("the loss to be told", lambda worker=worker: worker.count("store lost") == 1)
    for worker in (idle, busy):
        end(worker, 60)
    control_server("start")
    wait_for("the server", lambda: sql("SELECT 1") == "1")
    sql("UPDATE dealt_group SET worker = NULL")
    arena(URL, "season", "close", "away", "--wait", "0")


def server_frozen():
    """A server that stands still is lost and found; nobody waits for it longer than its deadlines."""
    season("frozen")
    worker = Worker("patient", jobs=2)
    wait_for("a game", lambda: games("frozen") >= 1)
    pids = [int(pid) for pid in sql("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
                                    " AND pid <> pg_backend_pid()").split()]
    with open(os.environ["POSTGRES_TEST_FOLDER"] + "/data/postmaster.pid") as file:
        pids.append(int(file.readline()))
    for pid in pids:
        try:
            os.kill(pid, signal.SIGSTOP)
        except ProcessLookupError:
            pass
    try:
        wait_for("the loss to be told", lambda: worker.count("store lost") == 1)
    finally:
        for pid in pids:
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
    before = games("frozen")
    wait_for("the worker to go on", lambda: worker.count("store back") == 1 and games("frozen") > before + 1)
    end(worker, 60)
    arena(URL, "season", "close", "frozen", "--wait", "0")


def old_replays():
    """The scheduler removes the replays that the terms do not keep."""
    season("sparse", 6, "--keep", "forfeits+2")
    worker = Worker("sparse", jobs=2)
    wait_for("its games", lambda: games("sparse") == 6)
    wait_for("old replays to go", lambda: games("sparse", "AND is_pruned AND forfeits IS NULL") == 4)
    assert sql("SELECT count(*) FROM replay JOIN season ON season.id = season WHERE name = 'sparse'") == "2"
    end(worker, 60)


# The machine's clock, as far ahead as a file says in seconds.
JUMPS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead_s(void)
{
    FILE *file = getenv("AHEAD") ? fopen(getenv("AHEAD"), "r") : NULL;
    long seconds = 0;

    if (file && fscanf(file, "%ld", &seconds) != 1)
        seconds = 0;
    if (file)
        fclose(file);
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);

    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        now->tv_sec += ahead_s();
    return result;
}

int gettimeofday(struct timeval *now, void *zone)
{
    struct timespec at;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &at);
    *now = (struct timeval){at.tv_sec, at.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *now)
{
    struct timespec at;

    clock_gettime(CLOCK_REALTIME, &at);
    if (now)
        *now = at.tv_sec;
    return at.tv_sec;
}
"""


def clock_jumps():
    """Leases go by the server's clock: a worker whose own jumps by hours keeps what it holds."""
    source, library, ahead = (os.path.join(room, name) for name in ("jumps.c", "jumps.so", "ahead"))
    with open(source, "w") as file:
        file.write(JUMPS)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)

    def jump(hours):
        with open(ahead + ".new", "w") as file:
            file.write(str(3600 * hours))
        os.rename(ahead + ".new", ahead)

    jump(0)
    season("jumping")
    worker = Worker("jumper", jobs=2, around=["env", f"LD_PRELOAD={library}", f"AHEAD={ahead}",
                                             "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"])
    for hours in (3, -5, 3):
        before = max(games("jumping"), 0)
        wait_for("games", lambda before=before: games("jumping") >= before + 2 and playing("jumping") > 0)
        jump(hours)
        time.sleep(1.5 * LEASE_S)
        wait_for(f"no lease to have lapsed, {hours} h ahead", lambda: sql(
            "SELECT count(*) FROM dealt_group WHERE worker IS NOT NULL AND held_until < clock_timestamp()") == "0")
    assert worker.count("refused") == 0, worker.text()
    end(worker, 60)
    assert worker.text().count('is lost') == 0, worker.text()
    began, ended = (told["time"] for told in worker.events() if told["event"] in ("started", "stopped"))
    assert began[:13] != ended[:13], (began, ended) # hours have passed, for the worker


# A monotonic clock that runs four times as fast, and timers by it.
FAST = """
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int timerfd_settime(int fd, int flags, const struct itimerspec *set, struct itimerspec *old)
{
    long long ns = (set->it_value.tv_sec * 1000000000LL + set->it_value.tv_nsec) / 4;
    struct itimerspec real = {.it_value = {ns / 1000000000, ns % 1000000000}};

    return (int)syscall(SYS_timerfd_settime, fd, flags, &real, old);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);

    if (clock == CLOCK_MONOTONIC) {
        long long ns = (now->tv_sec * 1000000000LL + now->tv_nsec) * 4;

        now->tv_sec = ns / 1000000000;
        now->tv_nsec = ns % 1000000000;
    }
    return result;
}
"""


def sick_machine():
    """A machine on which every bot is late is set aside and told why; its games are played again."""
    source, library = (os.path.join(room, name) for name in ("fast.c", "fast.so"))
    with open(source, "w") as file:
        file.write(FAST)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    for name in ("slow4", "slow5"):
        arena(URL, "submit", slow_bot(name, "answer.slept = getattr(answer, 'slept', 0) or time.sleep(0.3) or 1"), "--check-games", "1")
    arena(URL, "season", "new", "ill", "--budget", "60", "--only", "slow4,slow5", "--clock", "turn=700,bank=0,start=60000")
    sick = Worker("sick", jobs=2, around=["env", f"LD_PRELOAD={library}",
                                          "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"])
    wait_for("it to be told why it gets no more", lambda: games("ill") == 60 or any("worker sick is set aside: a bot forfeited in each" in words
                                                              for words in errors(sick)))
    lines = [line for line in json.loads(arena(URL, "workers", "--json"))["workers"] if line["name"] == "sick"]
    assert [line["state"] for line in lines] == ["set aside"] and "spared" in lines[0]["aside"], lines
    with open(os.path.join(room, "serve.log")) as file:
        assert "worker sick is set aside: a bot forfeited in each" in file.read()
    assert playing("ill") == 0, sql("SELECT * FROM offer")
    number, stored = lines[0]["worker"], games("ill")
    assert stored >= 16 and games("ill", f"AND worker = {number} AND forfeits IS NOT NULL") == stored, stored
    told = arena(URL, "season", "void", "ill", "--worker", str(number))
    assert told.strip() == f"season ill: {stored} games of worker {number} are void, to be played again", told
    well = Worker("well", jobs=2)
    wait_for("the season to be played by another", lambda: games("ill") == 60)
    assert games("ill", f"AND worker = {number}") == 0
    with open(os.path.join(room, "serve.log")) as file:
        told = [line for line in file if "ill" in line and ("were voided" in line or "void-games" in line)]
    assert len(told) == 1 and "error" not in told[0], told  # what an organizer does is no error
    end(sick, 30)
    end(well, 30)
    assert "released" not in arena(URL, "workers", "release", "sick")


def voided_while_judged():
    """What is voided while the daemon is about to store it is not stored."""
    season("judged", 8)
    scheduler = processes[0]
    worker = Worker("voided", jobs=2)
    wait_for("groups to be held", lambda: playing("judged") > 0)
    scheduler.send_signal(signal.SIGSTOP)
    wait_for("deliveries", lambda: int(sql("SELECT count(*) FROM inbox") or 0) >= 1)
    worker.process.kill()
    worker.process.wait()
    before = games("judged")
    void = subprocess.Popen([os.environ["POSTGRES_TEST_BIN"] + "/psql", URL, "-qAt"], text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    processes.append(void)
    print("BEGIN; DELETE FROM inbox; SELECT 'removed';", file=void.stdin, flush=True)
    assert void.stdout.readline() == "removed\n"
    scheduler.send_signal(signal.SIGCONT)
    wait_for("the daemon to wait", lambda: sql("SELECT count(*) FROM pg_locks WHERE NOT granted") == "1")
    print("COMMIT;", file=void.stdin)
    void.stdin.close()
    void.wait()
    other = Worker("other", jobs=2)
    wait_for("the season to be played by another", lambda: games("judged") == 8)
    assert games("judged", "AND worker IN (SELECT id FROM worker WHERE name = 'voided')") == before
    end(other, 60)


def drained():
    """`workers drain` ends the workers of that name that run, and none that is started later."""
    season("drained")
    first = Worker("drainer", jobs=2)
    wait_for("groups to be held", lambda: playing("drained") > 0)
    arena(URL, "workers", "drain", "drainer")
    assert first.process.wait(100) == 0, first.text()
    assert first.count("stopping") == 1 and "drained" in first.text(), first.text()
    summary = first.events()[-1]
    wait_for("its games to be stored", lambda: games("drained") == summary["games"])
    assert summary["refused"] == 0 and playing("drained") == 0, first.text()
    second = Worker("drainer", jobs=2)
    wait_for("another game", lambda: games("drained") > summary["games"])
    end(second, 60)


def claim_lost():
    """A scheduler that lost its claim while it stood still says so, and goes on when it has it again."""
    def told():
        with open(os.path.join(room, "serve.log")) as file:
            return "because the process was paused" in file.read()

    season("claimed", 400)
    worker = Worker("claimer", jobs=2)
    wait_for("a game", lambda: games("claimed") >= 1)
    sql("UPDATE claim SET identity = 'another', expires_at = clock_timestamp() + interval '1 hour' WHERE season = 'claimed'")
    wait_for("the loss to be told", told)
    sql("DELETE FROM claim WHERE identity = 'another'")
    batches = int(sql("SELECT count(*) FROM batch JOIN season ON season.id = season WHERE name = 'claimed'"))
    wait_for("another batch", lambda: int(sql(
        "SELECT count(*) FROM batch JOIN season ON season.id = season WHERE name = 'claimed'") or 0) > batches)
    end(worker, 60)


CASES = [clock_jumps, sick_machine, voided_while_judged, drained, claim_lost, old_replays, close_waits, close_gives_up, ban_stops, wrong_package,
         damaged_package, full_cache, watched, rights_gone, server_away, server_frozen]


def chosen(arguments):
    """The cases that the command line asks for."""
    names = [argument for argument in arguments if argument != "--but"]
    unknown = set(names) - {case.__name__ for case in CASES}
    assert not unknown, f"no such case: {unknown}"
    return [case for case in CASES if not names or (case.__name__ in names) != ("--but" in arguments)]


def main():
    cases = chosen(sys.argv[2:])
    for number in range(4):
        arena(URL, "submit", slow_bot(f"slow{number}"), "--check-games", "1")
    scheduler = Scheduler()
    faults = []
    for case in cases:
        begun = time.monotonic()
        try:
            case()
        except AssertionError as error:
            faults.append(case.__name__)
            print(f"FAILED: {case.__name__}: {str(error)[-1500:]}", flush=True)
        else:
            print(f"{case.__name__}: {case.__doc__} ({time.monotonic() - begun:.0f} s)", flush=True)
        for process in processes:
            if process is not scheduler.process and process.poll() is None:
                process.kill()
                process.wait()
        for name in sql("SELECT name FROM season WHERE closed_us IS NULL").split():
            arena(URL, "season", "close", name, "--wait", "0")
    scheduler.process.send_signal(signal.SIGTERM)
    scheduler.process.wait(60)
    assert not faults, faults


run(main)
