# SPDX-License-Identifier: MIT
"""What signals do to a run: one ends it after the games under way, a second one at once, and
even SIGKILL leaves no bot alive and no copies for ever.

usage: signals.py BUILD
"""
import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
from home import processes_of

DEATH_S = 30  # from the arena's death to its bots'
STALE_S = 3600  # an age at which a copy that nobody holds is surely left


class Run:
    """An arena at work with bots which answer slowly."""

    def __init__(self, build):
        self.build = build
        self.room = tempfile.mkdtemp(prefix="signals-")
        self.token = f"signals-token-{os.getpid()}-{time.monotonic_ns()}"

    def start(self, *arguments, ignored=None):
        def set_signals():
            """Whoever started the test may have ignored SIGINT, as a shell does with `&`."""
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN if number == ignored else signal.SIG_DFL)

        self.process = subprocess.Popen(
            [os.path.abspath(self.build + "/bin/arena"), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, TMPDIR=self.room, ARENA_HOME=self.room + "/home"),
            preexec_fn=set_signals,
        )
        atexit.register(self.process.kill)  # also where a check fails: no arena is left behind

    def start_match(self, late_ms, *options):
        self.start("match", "--json", "--games", "500", "--replays", self.room + "/replays",
                   *options, *[self.make_bot(f"bot{seat}", late_ms) for seat in range(2)])

    def make_bot(self, name, late_ms, **more):
        folder = f"{self.room}/{name}"
        os.mkdir(folder)
        shutil.copy(self.build + "/hostile/hostile", folder)
        manifest = {"name": "slow", "version": "1", "author": "nobody",
                    "run": ["./hostile", "turn", f"late={late_ms}", self.token], **more}
        with open(folder + "/bot.json", "w") as file:
            json.dump(manifest, file)
        return folder

    def wait_for_bots(self, count):
        deadline = time.monotonic() + 60
        while len(processes_of(self.token)) < count:
            assert time.monotonic() < deadline and self.process.poll() is None, "bots do not start"
            time.sleep(0.005)

    def end(self):
        """Waits for the end; returns the lines of both outputs."""
        output, errors = self.process.communicate(timeout=60)
        return output.splitlines(), errors.splitlines()

    def stages(self):
        return [name for name in os.listdir(self.room) if name.startswith("arena-stage")]

    def close(self):
        assert processes_of(self.token) == [], "bots left"
        shutil.rmtree(self.room)


def one_ends_it_after_the_games_under_way(build, number):
    run = Run(build)
    run.start_match(1, "--jobs", "2")
    run.wait_for_bots(4)
    run.process.send_signal(number)
    output, errors = run.end()
    results = [json.loads(line) for line in output]
    assert run.process.returncode == 1, run.process.returncode
    assert len(errors) == 1 and "stopped after" in errors[0], errors
    assert 2 <= len(results) < 500, len(results)
    assert all(result["reason"] == ["played", "played"] for result in results)
    assert len(os.listdir(run.room + "/replays")) == len(results)
    assert run.stages() == [], run.stages()
    run.close()


def two_end_it_at_once(build, number):
    run = Run(build)
    run.start_match(500, "--jobs", "2")
    run.wait_for_bots(4)
    begun = time.monotonic()
    run.process.send_signal(number)
    time.sleep(0.05)
    assert run.process.poll() is None, "the first one ended it in the middle of games"
    run.process.send_signal(number)
    output, errors = run.end()
    assert time.monotonic() - begun < 20, "games of a minute were played to their end"
    assert run.process.returncode == 1 and len(errors) == 1, errors
    assert output == [] and os.listdir(run.room + "/replays") == []
    assert run.stages() == [], run.stages()
    run.close()


def one_ends_what_is_no_run(build, number, command, builds=False):
    """A check has no games to play to their end, and a build is worth nothing half."""
    run = Run(build)
    more = {"build": ["sh", "-c", "sleep 100; true", run.token]} if builds else {}
    bot = run.make_bot("bot", 500, **more)
    run.start(*command.split(), bot, *([bot] if command == "match" else []))
    run.wait_for_bots(1)
    begun = time.monotonic()
    run.process.send_signal(number)
    output, errors = run.end()
    assert time.monotonic() - begun < 20, "it took its time"
    assert run.process.returncode == 1, (command, run.process.returncode, output)
    assert len(errors) == 1 and "stopped" in errors[0], (command, errors)
    assert run.stages() == [], run.stages()
    run.close()


def stops_end_what_is_no_run(build):
    for number in (signal.SIGINT, signal.SIGTERM):
        one_ends_what_is_no_run(build, number, "check")
    one_ends_what_is_no_run(build, signal.SIGINT, "check --trace")
    one_ends_what_is_no_run(build, signal.SIGINT, "submit")
    for command in ("match", "check", "check --trace", "submit"):
        one_ends_what_is_no_run(build, signal.SIGINT, command, builds=True)


def one_that_is_ignored_stays_so(build):
    run = Run(build)
    run.start("check", run.make_bot("bot", 500), ignored=signal.SIGINT)
    run.wait_for_bots(1)
    run.process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert run.process.poll() is None, "SIGINT was ignored, and ended it"
    run.process.send_signal(signal.SIGTERM)
    _, errors = run.end()
    assert run.process.returncode == 1 and len(errors) == 1, errors
    run.close()


def killed_it_leaves_no_bot(build):
    run = Run(build)
    run.start_match(100000, "--jobs", "4")  # by themselves they would end later
    run.wait_for_bots(8)
    run.process.kill()
    run.process.wait()
    deadline = time.monotonic() + DEATH_S
    while processes_of(run.token) and time.monotonic() < deadline:
        time.sleep(0.002)
    assert processes_of(run.token) == [], "bots outlive the arena"
    # Its copies go with the next run, which need not fear that somebody still uses them.
    (stage,) = run.stages()
    long_ago = time.time() - STALE_S
    os.utime(f"{run.room}/{stage}", (long_ago, long_ago))
    subprocess.run(
        [build + "/bin/arena", "match", *[build + "/bots/random"] * 2], check=True,
        stdout=subprocess.DEVNULL, env=dict(os.environ, TMPDIR=run.room),
    )
    assert run.stages() == [], "a dead arena's copies stay"
    run.process.communicate()
    run.close()


def started_with_its_children_ignored_it_plays(build):
    """Where SIGCHLD is ignored the kernel itself reaps, and nobody learns how a bot ended."""
    subprocess.run(
        [build + "/bin/arena", "match", *[build + "/bots/random"] * 2], check=True, timeout=60,
        stdout=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN),
    )


def main():
    build = sys.argv[1]
    for number in (signal.SIGINT, signal.SIGTERM):
        one_ends_it_after_the_games_under_way(build, number)
        two_end_it_at_once(build, number)
    stops_end_what_is_no_run(build)
    one_that_is_ignored_stays_so(build)
    killed_it_leaves_no_bot(build)
    started_with_its_children_ignored_it_plays(build)
    print("signals: hold")


if __name__ == "__main__":
    main()
