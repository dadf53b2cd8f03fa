"""What a daemon makes of news that are no games of its own: a close, a new season, a ban, a season
that another process plays; and of files that cannot be written.

usage: news.py BUILD [CASE ...]"""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1])
ARENA = os.path.join(BUILD, "bin/arena")
WAIT_S = int(os.environ.get("NEWS_WAIT_S", 60))
room = tempfile.mkdtemp(prefix="news-")
home, web = os.path.join(room, "home"), os.path.join(room, "web")
os.environ["ARENA_HOME"] = home
os.environ.pop("ARENA_STORE", None)


def arena(*arguments, check=True):
    done = subprocess.run([ARENA, *arguments], text=True, capture_output=True,
                          stdin=subprocess.DEVNULL)
    assert not check or done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except FileNotFoundError:
        return ""


def wait(what, holds):
    until = time.monotonic() + WAIT_S
    while not holds():
        assert daemon.poll() is None, (what, read(log_path))
        assert time.monotonic() < until, (what, read(log_path))
        time.sleep(0.1)


def serve(*options, stdout=None):
    global daemon
    daemon = subprocess.Popen([ARENA, "serve", "--json", *options],
                              stdout=stdout or open(log_path, "a"), stderr=subprocess.STDOUT)
    wait("it runs", lambda: json.loads(arena("status", "--json", check=False))["running"])


def stop():
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(30) == 0


def events(name):
    return [line for line in map(json.loads, read(log_path).splitlines()) if line["event"] == name]


def page(name):
    return read(os.path.join(web, name))


def standings(season):
    return json.loads(page(season + "/standings.json") or "{}")


def the_site_follows():
    serve("--site", web, "--every", "1")
    arena("season", "new", "cup", "--budget", "4")
    wait("games are published", lambda: standings("cup").get("games") == 4)
    arena("season", "new", "empty", "--budget", "1")
    arena("season", "close", "empty")
    wait("a season without a game", lambda: "empty/index.html" in page("index.html"))
    arena("season", "close", "cup")
    wait("a close", lambda: standings("cup")["open"] is False)
    assert ">closed<" in page("index.html"), page("index.html")
    arena("ban", "random", "--void")
    wait("a ban", lambda: standings("cup")["games"] == 0)
    arena("ban", "random", "--lift")
    stop()


def another_plays():
    """It is no error, it is told once, and the daemon takes over."""
    open(log_path, "w").close()
    arena("season", "new", "shared", "--budget", "100000", "--clock", "turn=5000")
    other = subprocess.Popen([ARENA, "season", "run", "shared"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    time.sleep(2)
    serve("--site", web, "--every", "1")
    busy = lambda: [e for e in events("season rests") if "process %d" % other.pid in e["words"]]
    wait("told", busy)
    wait("its games are published",
         lambda: standings("shared").get("games", 0) > 0)
    before = standings("shared")["games"]
    wait("and further ones", lambda: standings("shared")["games"] > before)
    time.sleep(5)
    assert len(busy()) == 1, busy()
    assert not events("error"), events("error")
    other.send_signal(signal.SIGINT)
    other.wait(60)
    wait("taken over", lambda: any(e["name"] == "shared" for e in events("season begun")))
    arena("season", "close", "shared")
    stop()


def files_that_cannot_be_written():
    metrics = os.path.join(room, "metrics")
    os.mkdir(metrics)
    serve("--metrics", os.path.join(metrics, "arena.prom"), "--jobs", "1")
    wait("figures", lambda: "pavilion_jobs 1" in read(os.path.join(metrics, "arena.prom")))
    os.rename(metrics, metrics + ".gone")
    wait("told", lambda: any("arena.prom: cannot be written" in line for line in
                             json.loads(arena("status", "--json"))["errors"]))
    os.rename(metrics + ".gone", metrics)
    wait("again", lambda: os.path.exists(os.path.join(metrics, "arena.prom")))
    stop()
    assert os.listdir(metrics) == [], os.listdir(metrics)


def a_log_that_nobody_reads():
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    fcntl.fcntl(writing, fcntl.F_SETFL, os.O_NONBLOCK)
    try:
        while True:
            os.write(writing, b"x")
    except BlockingIOError:
        fcntl.fcntl(writing, fcntl.F_SETFL, 0)
    serve("--jobs", "1", stdout=writing)
    os.close(writing)
    arena("season", "new", "quiet", "--budget", "4")
    wait("games", lambda: json.loads(arena("status", "--json"))["games"] >= 4)
    stop()
    os.close(reading)


log_path = os.path.join(room, "log")
daemon = None
try:
    for bot in "greedy", "random":
        arena("submit", os.path.join(BUILD, "bots", bot))
    for case in (the_site_follows, another_plays, files_that_cannot_be_written,
                 a_log_that_nobody_reads):
        if len(sys.argv) > 2 and case.__name__ not in sys.argv[2:]:
            continue
        print(case.__name__, flush=True)
        case()
finally:
    if daemon and daemon.poll() is None:
        daemon.kill()
        daemon.wait()
shutil.rmtree(room)
