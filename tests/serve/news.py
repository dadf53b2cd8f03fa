# SPDX-License-Identifier: MIT
"""What a daemon makes of news that are no games of its own: a close, a new season, a ban, a season
that another process plays; and of files that cannot be written.

usage: news.py BUILD [CASE ...]"""

import atexit
import contextlib
import datetime
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
from home import BUILD, Home, make_bot, processes_of

WAIT_S = int(os.environ.get("NEWS_WAIT_S", 600))  # pages are made at the lowest priority
room = tempfile.mkdtemp(prefix="news-")
home, web = os.path.join(room, "home"), os.path.join(room, "web")
league = Home(home)
arena = league.arena


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
    daemon = league.start("serve", "--json", *options, output=stdout or open(log_path, "a"))
    wait("it runs", lambda: json.loads(league.run("status", "--json").stdout)["running"])


def stop():
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(30) == 0
    for line in read(log_path).splitlines():  # with --json no process of the daemon writes another
        assert line.startswith("{"), line


def events(name):
    return [line for line in map(json.loads, read(log_path).splitlines()) if line["event"] == name]


def page(name):
    return read(os.path.join(web, name))


def standings(season):
    return json.loads(page(season + "/standings.json") or "{}")


def the_site_follows():
    serve("--site", web, "--every", "1", "--jobs", "1")
    arena("season", "new", "cup", "--budget", "4")
    wait("games are published", lambda: standings("cup").get("games") == 4)
    arena("season", "new", "empty", "--budget", "1")
    arena("season", "close", "empty")
    wait("a season without a game", lambda: "empty/index.html" in page("index.html"))
    arena("season", "close", "cup")
    wait("a close", lambda: standings("cup")["closed"])
    assert ">closed<" in page("index.html"), page("index.html")
    arena("ban", "random", "--void")
    wait("a ban", lambda: standings("cup")["games"] == 0)
    arena("ban", "random", "--lift")
    stop()


def processes_of_the_daemon_log_events():
    """The web process tells its address; a site that cannot be published is an error."""
    open(log_path, "w").close()
    serve("--web", "127.0.0.1:0", "--jobs", "1")
    wait("the address", lambda: [e for e in events("service") if e["name"] == "web" and
                                 re.search(r"^listens at http://127.0.0.1:\d+", e["words"])])
    stop()


def changes_are_logged():
    """Who banned, erased and closed what: in the log, and in the list of events."""
    open(log_path, "w").close()
    serve("--jobs", "1")
    wait("the store is read", lambda: json.loads(arena("status", "--json"))["store"] == "up")
    here = "@" + socket.gethostname()[:31]
    arena("author", "new", "Short Lived")
    arena("season", "new", "told", "--budget", "1")
    arena("ban", "random")
    arena("ban", "random", "--lift")
    arena("author", "erase", "Short Lived")
    arena("season", "close", "told")
    words = lambda name: [e["words"] for e in events("change") if e["name"] == name]
    wait("each is told", lambda: any(w.startswith("close") for w in words("told")))
    for begin in "ban random, by ", "unban random, by ", "erase author-":
        assert [w for w in words("") if w.startswith(begin) and w.endswith(here)], (begin, events("change"))
    told = json.loads(arena("season", "events", "told", "--json"))["events"]
    assert all(e["who"].endswith(here) for e in told if e["what"] in ("new", "ban", "close")), told
    assert here in arena("season", "events", "told")
    stop()


def another_plays():
    """It is no error, it is told once, and the daemon takes over."""
    open(log_path, "w").close()
    arena("season", "new", "shared", "--budget", "100000", "--clock", "turn=5000")
    other = league.start("season", "run", "shared", "--jobs", "1")  # leaves room for pages
    atexit.register(other.kill)  # also where an assertion ends the test
    until = time.monotonic() + WAIT_S
    while json.loads(arena("season", "show", "shared", "--json"))["played"] == 0:
        assert time.monotonic() < until
    serve("--site", web, "--every", "1", "--jobs", "1")
    busy = lambda: [e for e in events("season rests") if "process %d" % other.pid in e["words"]]
    wait("told", busy)
    wait("its games are published",
         lambda: standings("shared").get("games", 0) > 0)
    before = standings("shared")["games"]
    for _ in range(4):  # the scout looks at least as often
        wait("and further ones", lambda: standings("shared")["games"] > before)
        before = standings("shared")["games"]
    assert len(busy()) == 1, busy()
    assert not events("error"), events("error")
    other.send_signal(signal.SIGINT)
    other.wait(60)
    wait("taken over", lambda: any(e["name"] == "shared" for e in events("season begun")))
    arena("season", "close", "shared")
    stop()


def the_log_repeats_nothing():
    """Each change in the store has the seasons looked at again."""
    open(log_path, "w").close()
    serve("--jobs", "1")
    arena("season", "new", "brief", "--budget", "4")
    rests = lambda: [e["words"] for e in events("season rests") if e["name"] == "brief"]
    wait("it rests", rests)
    for number in range(3):
        arena("season", "new", "other-%d" % number, "--budget", "4")
        wait("another one", lambda: any(e["name"] == "other-%d" % number
                                        for e in events("season rests")))
    stop()
    assert len(rests()) == 1, rests()
    assert len([e for e in events("season begun") if e["name"] == "brief"]) == 1


def each_season_says_what_it_waits_for():
    """In the status, the metrics, the log, the commands and on its page, and after a restart."""
    expected = {"early": ("early", "its games begin at 2099-", "The first games begin at"),
                "lonely": ("few_bots", "1 may play, and a game needs 2",
                           "once two bots of the season's list are admitted"),
                "little": ("spent", "the budget is spent", "only if the organizer adds games"),
                "certain": ("decided", "the order of the season's bots is certain", "is certain"),
                "endless": ("played", "played by this daemon", "How to enter")}
    metrics = os.path.join(room, "figures")
    open(log_path, "w").close()
    arena("season", "new", "little", "--budget", "4")
    arena("season", "new", "early", "--from", "2099-01-01")
    arena("season", "new", "lonely", "--only", "greedy")
    arena("season", "new", "certain", "--budget", "100000", "--until-decided")
    arena("season", "run", "certain", "--jobs", "2")  # on a busy machine the daemon, which also publishes, takes long
    arena("season", "new", "endless", "--budget", "100000")

    def seasons():
        return {season["season"]: season for season in json.loads(arena("status", "--json"))["seasons"]}

    def told():
        shown, figures = seasons(), read(metrics)
        return all(name in shown and shown[name]["state"] == state and words in shown[name]["reason"] and
                   f'pavilion_season_state{{season="{name}",state="{state}"}} 1\n' in figures and
                   sentence in page(name + "/index.html") and standings(name).get("state") == state
                   for name, (state, words, sentence) in expected.items())

    for _ in range(2):
        serve("--site", web, "--every", "1", "--metrics", metrics, "--jobs", "1")
        wait("each state is told", told)
        wait("the wait for a first game", lambda: re.search(  # else no alert tells of a season that never begins
            r'pavilion_season_idle_seconds{season="lonely"} \d+\n', read(metrics)))
        wait("the last game", lambda: re.search(r'pavilion_season_idle_seconds{season="endless"} \d+\n', read(metrics)))
        wait("what is scheduled", lambda: seasons()["endless"]["bots"] >= 2 and  # also of what this daemon plays
             seasons()["endless"]["scheduled"] >= 2 * seasons()["endless"]["groups"] >= 2)
        assert 'pavilion_season_games_left{season="little"} 0\n' in read(metrics), read(metrics)
        assert "How to enter" not in page("little/index.html"), page("little/index.html")
        stop()
    listed = {season["season"]: season for season in json.loads(arena("season", "list", "--json"))["seasons"]}
    assert listed["certain"]["state"] == "decided" and listed["endless"]["state"] == "idle", listed
    for name, (state, words, _) in expected.items():
        lines = [e["words"] for e in events("season rests") if e["name"] == name and words in e["words"]]
        assert len(lines) == (0 if state == "played" else 2), (name, lines)  # once after each start
    serve("--jobs", "1", "--site", web, "--every", "1")
    arena("ban", "random", "--void")
    wait("each season", lambda: "little" in seasons())  # the first status may come before the seasons
    wait("void games", lambda: seasons()["little"]["void"] == 4 and seasons()["little"]["games"] == 0 and
         "4 void; the budget is spent" in arena("status") and
         "that do not count" in page("little/index.html"))
    arena("ban", "random", "--lift")
    for name in expected:
        arena("season", "close", name)
    stop()


def a_long_build_gets_a_job():
    """No game is played beside it on one job, and games go on after it. A season that begins later waits for it, unless
    its list has not the bot."""
    open(log_path, "w").close()
    status = lambda: json.loads(arena("status", "--json"))
    sleep = f"sleep 86{os.getpid()}.5"  # a command line that no other process has
    seasons = lambda: {season["season"]: season for season in status()["seasons"]}
    arena("season", "new", "busy", "--budget", "100000")
    serve("--jobs", "1", "--patience", "1")
    wait("games", lambda: status()["games"] > 0)
    arena("submit", "--queue", make_bot(os.path.join(room, "long"), "greedy", name="long", build=sleep.split()))
    soon = datetime.datetime.now() + datetime.timedelta(seconds=5)
    arena("season", "new", "judged", "--budget", "100000", "--from", soon.isoformat(timespec="seconds"))
    arena("season", "new", "listed", "--budget", "100000", "--from", soon.isoformat(timespec="seconds"), "--only", "greedy,random")
    told = lambda: [e["words"] for e in events("submission")]
    wait("its priority", lambda: any("has taken 1 s beside games: one game fewer" in words for words in told()))
    wait("no game", lambda: status()["playing_count"] == 0)
    games = status()["games"]
    wait("its season", lambda: seasons()["judged"]["state"] == "judging" and "1 is left" in seasons()["judged"]["reason"])
    wait("a season whose list has not the bot", lambda: seasons()["listed"]["state"] == "played")
    assert len(told()) == 1 and status()["playing_count"] == 0, (told(), status())

    def has_ended():
        for pid in processes_of(sleep):  # on a busy machine the build begins late
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return any("long 1 is refused" in words for words in told())

    wait("its end", has_ended)
    wait("games go on", lambda: status()["games"] > games)
    wait("the season begins", lambda: seasons()["judged"]["games"] > 0)
    for name in "busy", "judged", "listed":
        arena("season", "close", name)
    stop()


def a_season_that_rests_keeps_its_games():
    """Also in the first status after a restart."""
    serve("--jobs", "1")
    for _ in range(20):
        seasons = json.loads(arena("status", "--json"))["seasons"]
        assert all(s["games"] == 4 for s in seasons if s["season"] == "brief"), seasons
        time.sleep(0.05)
    assert any(season["season"] == "brief" for season in seasons), seasons
    stop()


def a_season_keeps_its_dates():
    """Versions of after the deadline do not enter; a close comes within two seconds of its time."""
    def queue(version):
        arena("submit", "--queue", make_bot(os.path.join(room, "dated"), "greedy", name="dated", version=version))

    def versions(season):
        rows = json.loads(arena("ladder", season, "--json"))["rows"]
        return {row["version"] for row in rows if row["bot"] == "dated" and row["games"] > 0}

    open(log_path, "w").close()
    now = int(time.time())
    utc = lambda s: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(s))
    arena("season", "new", "dates", "--budget", "100000", "--deadline", utc(now + 8))
    queue("in time")  # and admitted after the deadline
    time.sleep(max(0, now + 9.2 - time.time()))
    arena("season", "new", "next", "--budget", "100000")
    queue("too late")
    serve("--jobs", "2")
    wait("both are admitted", lambda: {"in time", "too late"} <= {
        bot["version"] for bot in json.loads(arena("bots", "--json"))["bots"]})
    wait("the next season has the latest", lambda: "too late" in versions("next"))
    wait("the first season has the one in time", lambda: versions("dates") == {"in time"})
    arena("season", "close", "dates")
    arena("season", "close", "next")
    end = int(time.time()) + 4
    arena("season", "new", "short", "--budget", "100000", "--until", utc(end))
    show = lambda: json.loads(arena("season", "show", "short", "--json"))
    wait("its end", lambda: show()["closed"])
    seconds = lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    assert 0 <= seconds(show()["closed"]) - end <= 20, show() # 2 on a quiet machine
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
    link = os.path.join(metrics, "link")
    os.symlink("elsewhere", link)
    serve("--metrics", link, "--jobs", "1")
    wait("refused", lambda: any(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ .*link: cannot be written", line)
                                for line in json.loads(arena("status", "--json"))["errors"]))
    stop()
    assert os.path.islink(link), "the daemon removed a file that it did not write"
    os.unlink(link)


def an_error_that_repeats():
    """It takes one line of the status, whatever comes between."""
    taken = os.path.join(room, "taken")
    serve("--site", taken, "--every", "1", "--jobs", "1")
    wait("a site", lambda: os.path.exists(taken + "/site.txt"))
    os.unlink(taken + "/site.txt")
    arena("season", "new", "unpublished", "--budget", "1", "--from", "2099-01-01")  # no game, which would keep it
    arena("season", "close", "unpublished")
    told = lambda: [line for line in json.loads(arena("status", "--json"))["errors"] if "publish: " in line]
    wait("repeated", lambda: [line for line in told() if re.search(r"choose another folder \(\d+ times\)$", line)])
    lines = told()
    assert len(lines) == 1, lines
    stop()
    arena("season", "remove", "unpublished")


def a_status_that_is_old():
    """As on a full disk: the file cannot be written any more."""
    serve("--jobs", "1")
    daemon.send_signal(signal.SIGSTOP)
    tasks = f"/proc/{daemon.pid}/task"
    wait("it stands still", lambda: all(read(f"{tasks}/{task}/stat").rpartition(")")[2][1:2] == "T" for task in os.listdir(tasks)))
    path = os.path.join(home, "serve.json")
    os.utime(path, (time.time() - 60, time.time() - 60))
    errors = json.loads(arena("status", "--json"))["errors"]
    assert any("this status is 6" in line and "is the disk full?" in line for line in errors), errors
    daemon.send_signal(signal.SIGCONT)
    wait("it is new", lambda: not json.loads(arena("status", "--json"))["errors"])
    stop()


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
    os.read(reading, 4096)
    stop()
    lines = [json.loads(line) for line in os.read(reading, 4096).splitlines()]
    os.close(reading)
    assert "the arena left out" in lines[0]["words"], lines
    assert lines[-1]["event"] == "stopped", lines


log_path = os.path.join(room, "log")
daemon = None
try:
    for bot in "greedy", "random":
        arena("submit", os.path.join(BUILD, "bots", bot))
    for case in (the_site_follows, processes_of_the_daemon_log_events, changes_are_logged, another_plays, the_log_repeats_nothing,
                 each_season_says_what_it_waits_for, a_long_build_gets_a_job, a_season_that_rests_keeps_its_games,
                 a_season_keeps_its_dates, files_that_cannot_be_written, an_error_that_repeats,
                 a_status_that_is_old, a_log_that_nobody_reads):
        if len(sys.argv) > 2 and case.__name__ not in sys.argv[2:]:
            continue
        print(case.__name__, flush=True)
        case()
finally:
    if daemon and daemon.poll() is None:
        daemon.kill()
        daemon.wait()
shutil.rmtree(room)
