"""What signals do to a run: one ends it after the games under way, a second one at once, and
even SIGKILL leaves no bot alive and no copies for ever.

usage: signals.py BUILD
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DEATH_MS = 100  # from the arena's death to its bots'
STALE_S = 3600  # an age at which a copy that nobody holds is surely left


def processes_of(token):
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if name.isdigit() and token.encode() in file.read():
                    found.append(int(name))
        except OSError:
            pass
    return found


class Run:
    """An arena that plays many games of bots which answer slowly."""

    def __init__(self, build, late_ms, *options):
        self.room = tempfile.mkdtemp(prefix="signals-")
        self.token = f"signals-token-{os.getpid()}-{time.monotonic_ns()}"
        bots = [self.make_bot(build, seat, late_ms) for seat in range(2)]
        self.process = subprocess.Popen(
            [os.path.abspath(build + "/bin/arena"), "match", "--json", "--games", "500",
             "--replays", self.room + "/replays", *options, *bots],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, TMPDIR=self.room),
        )

    def make_bot(self, build, seat, late_ms):
        folder = f"{self.room}/bot{seat}"
        os.mkdir(folder)
        shutil.copy(build + "/hostile/hostile", folder)
        with open(folder + "/bot.json", "w") as file:
            json.dump({"name": "slow", "run": ["./hostile", "turn", f"late={late_ms}", self.token]},
                      file)
        return folder

    def wait_for_bots(self, count):
        deadline = time.monotonic() + 10
        while len(processes_of(self.token)) < count:
            assert time.monotonic() < deadline, "the bots do not start"
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
    run = Run(build, 1, "--jobs", "2")
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
    run = Run(build, 500, "--jobs", "2")
    run.wait_for_bots(4)
    begun = time.monotonic()
    run.process.send_signal(number)
    time.sleep(0.05)
    assert run.process.poll() is None, "the first one ended it in the middle of games"
    run.process.send_signal(number)
    output, errors = run.end()
    assert time.monotonic() - begun < 5, "games of a minute were played to their end"
    assert run.process.returncode == 1 and len(errors) == 1, errors
    assert output == [] and os.listdir(run.room + "/replays") == []
    assert run.stages() == [], run.stages()
    run.close()


def killed_it_leaves_no_bot(build):
    run = Run(build, 500, "--jobs", "4")
    run.wait_for_bots(8)
    run.process.kill()
    run.process.wait()
    deadline = time.monotonic() + DEATH_MS / 1000
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
    killed_it_leaves_no_bot(build)
    started_with_its_children_ignored_it_plays(build)
    print("signals: hold")


if __name__ == "__main__":
    main()
