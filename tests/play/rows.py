# SPDX-License-Identifier: MIT
"""Plays matches of hostile bots with the real program, and says what is wrong with each.

A row is one match: who sits where, and what has to come of it. What a bot does is told by
tests/hostile/behaviour.c. Used by the tests of this folder; needs python3-msgpack.
"""
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import msgpack

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
from home import processes_of

TURN_MS, START_MS = 200, 500
SLACK_MS = 50  # a bot is out no later than its limit and this
CLOSING_MS = 100  # from the end of its output until the arena decides
RESIDENT_MAX_KIB = 16 * 1024
JUDGES = 4  # replays verified at a time

SOON = "soon"  # out at once, long before the limit
LATE = "late"  # out at the limit
CLOSED = "closed"  # out CLOSING_MS after it closed something

ANY_TURN = object()  # which decision finds it out is a matter of chance


def act(**pairs):
    """The argument of `pairs`: an act for the right turn with these pairs beside."""
    packed = b"".join(msgpack.packb(key) + msgpack.packb(value) for key, value in pairs.items())
    return "pairs=" + (bytes([len(pairs)]) + packed).hex()


def raw(**pairs):
    """The same with values that are MessagePack already."""
    packed = b"".join(msgpack.packb(key) + value for key, value in pairs.items())
    return "pairs=" + (bytes([len(pairs)]) + packed).hex()


def send(*messages):
    return "send=" + b"".join(
        message if isinstance(message, bytes) else msgpack.packb(message) for message in messages
    ).hex()


@dataclasses.dataclass
class Bot:
    """One seat: what it does, and what has to become of it."""

    moment: str = "start"
    behaviour: str = "honest"
    reason: str = "played"
    turn: int = None  # at which it is out; None: in the hello phase
    when: str = None  # SOON, LATE, CLOSED or None: not looked at
    record: dict = dataclasses.field(default_factory=dict)  # of the forfeit: exact values
    manifest: dict = dataclasses.field(default_factory=dict)  # more keys of its bot.json
    uncounted: str = None  # the reason where no control group counts memory


HONEST = Bot()


@dataclasses.dataclass
class Row:
    rule: str
    bots: list
    ranks: list = None  # None: those who played by their scores, before all others
    decisions: int = None
    clock: str = f"turn={TURN_MS},bank=0,start={START_MS}"
    options: tuple = ()
    timed: bool = False  # measured alone, when nothing else runs
    # What a wrong end says nothing about, since the machine was too busy: Machine -> bool.
    excused: callable = None


def prefer(pid, behaviour):
    """One that burns gets its processor, however busy the machine is with other things. Each bot has
    a session, and with it a group of the scheduler, of its own."""
    if behaviour == "burn" and os.geteuid() == 0:
        os.setpriority(os.PRIO_PROCESS, pid, -20)
        with contextlib.suppress(OSError), open(f"/proc/{pid}/autogroup", "w") as file:
            file.write("-20")


@dataclasses.dataclass
class Machine:
    """What the machine gave while a row was played."""

    late_ms: float = 0  # the latest that a sleep of the test's own ended
    ran_ms: dict = dataclasses.field(default_factory=dict)  # processor time by behaviour
    waited_ms: dict = dataclasses.field(default_factory=dict)  # for a processor, by behaviour
    decisions: int = 0
    reasons: list = dataclasses.field(default_factory=list)  # of the match

    def sample(self, pids):
        for pid, behaviour in pids.items():
            try:
                prefer(pid, behaviour)
                ran_ns = waited_ns = 0
                for task in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{task}/schedstat") as file:
                        ran, waited, _ = map(int, file.read().split())
                    ran_ns, waited_ns = ran_ns + ran, waited_ns + waited
            except OSError:
                continue
            self.ran_ms[behaviour] = max(self.ran_ms.get(behaviour, 0), ran_ns / 1e6)
            self.waited_ms[behaviour] = max(self.waited_ms.get(behaviour, 0), waited_ns / 1e6)


class Arena:
    """One arena program and the folder where rows leave their bots and replays."""

    def __init__(self, program, hostile, as_user=None):
        self.hostile = hostile
        self.as_user = as_user  # a number: run as that ordinary user
        self.folder = tempfile.mkdtemp(prefix="rows-")
        os.chmod(self.folder, 0o755)
        self.program = shutil.copy(program, self.folder)  # where any user may read it
        with open(program, "rb") as file:
            self.sanitized = b"__asan_init" in file.read()
        self.resident_kib = 0
        self.row_count = 0
        self.lock = threading.Lock()

    def close(self):
        shutil.rmtree(self.folder)

    def prefix(self):
        user = self.as_user
        if not user:
            return []
        return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]

    def command(self, *arguments):
        return self.prefix() + [self.program, *arguments]

    def make_bot(self, folder, seat, bot, token):
        path = f"{folder}/bot{seat}"
        os.mkdir(path)
        shutil.copy(self.hostile, path + "/hostile")
        manifest = {"name": f"bot{seat}", "version": "1"}
        manifest["run"] = ["./hostile", bot.moment, bot.behaviour, token]
        with open(path + "/bot.json", "w") as file:
            json.dump(manifest | bot.manifest, file)
        return path

    def new_folder(self):
        with self.lock:
            self.row_count += 1
            folder = f"{self.folder}/{self.row_count}"
        os.mkdir(folder)
        if self.as_user:
            os.chown(folder, self.as_user, self.as_user)
        return folder

    def watch(self, process, row, token):
        """The most memory that the process had resident, read while it runs (KiB), and what the
        machine gave. Neither is judged of a build with sanitizers, but for rows that may be excused."""
        peak, machine, pids, looks = 0, Machine(), {}, 0
        if self.sanitized and not row.excused:
            process.wait()
        while process.poll() is None:
            if row.excused:
                if looks % 10 == 0:
                    pids = behaviours_of(token)
                looks += 1
                machine.sample(pids)
            try:
                with open(f"/proc/{process.pid}/status") as file:
                    for line in file:
                        if line.startswith("VmHWM:"):
                            peak = max(peak, int(line.split()[1]))
            except OSError:
                pass
            slept_at = time.monotonic()
            time.sleep(0.005)
            machine.late_ms = max(machine.late_ms, (time.monotonic() - slept_at) * 1000 - 5)
        return peak, machine

    def play(self, row):
        """Returns the result, the replay, what the arena did wrong, and what the machine gave."""
        folder = self.new_folder()
        token = f"row-token-{os.getpid()}-{os.path.basename(folder)}-{time.monotonic_ns()}"
        bots = [self.make_bot(folder, seat, bot, token) for seat, bot in enumerate(row.bots)]
        command = self.command(
            "match", "--json", "--seed", "000102030405060708090a0b0c0d0e0f",
            "--clock", row.clock, "--replays", folder + "/replays", *row.options, *bots,
        )
        with open(folder + "/out", "w+") as out, open(folder + "/err", "w+") as err:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                env=dict(os.environ, TMPDIR=folder),
            )
            peak, machine = self.watch(process, row, token)
            out.seek(0)
            err.seek(0)
            output, errors = out.read(), err.read()
        wrong = []
        if process.returncode != 0 or errors:
            wrong.append(f"the arena ended with {process.returncode}: {errors.strip()}")
        if living := processes_of(token):
            wrong.append(f"processes left: {living}")
        if left := [name for name in os.listdir(folder) if name.startswith("arena-stage")]:
            wrong.append(f"a stage left: {left}")
        with self.lock:
            self.resident_kib = max(self.resident_kib, peak)
        if peak > RESIDENT_MAX_KIB and not self.sanitized:
            wrong.append(f"{peak} KiB resident, {RESIDENT_MAX_KIB} are allowed")
        result = json.loads(output) if output else None
        machine.decisions = result["decisions"] if result else 0
        machine.reasons = result["reason"] if result else []
        return result, folder + "/replays/000000-0.replay", wrong, machine

    def verify(self, replay):
        """Its header, and what is wrong with it by the arena's own engine."""
        shown = subprocess.run(self.command("replay", "--json", replay), capture_output=True, text=True)
        if shown.returncode != 0:
            return None, [f"its replay: {shown.stderr.strip()}"]
        return json.loads(shown.stdout.split("\n", 1)[0]), []


def check_command(arena, bot, forfeit, folder):
    """The printed command sends the bot the same bytes again, and it fails as it did; unless
    chance decides where it fails."""
    if bot.turn is ANY_TURN:
        return []
    prefix = shlex.join(arena.prefix())
    again = subprocess.run(
        f"{prefix} {forfeit['command']} --json", shell=True, capture_output=True, text=True,
        env=dict(os.environ, TMPDIR=folder),
    )
    if again.returncode != 0 or again.stderr:
        return [f"{forfeit['command']}: {again.returncode}: {again.stderr.strip()}"]
    told = json.loads(again.stdout)
    if told["request"] != forfeit["request"] or not told["same_request"]:
        return [f"{forfeit['command']}: sends other bytes: {told['request']}"]
    reason = told["forfeit"] and told["forfeit"]["reason"]
    if reason != forfeit["reason"]:
        return [f"{forfeit['command']}: out for {reason}"]
    return []


def behaviours_of(token):
    """What each bot of a row does, by its process."""
    found = {}
    for pid in processes_of(token):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().decode().split("\0")
        except OSError:
            continue
        if words[0] == "./hostile":
            found[pid] = words[2].split("=")[0]
    return found


def check_forfeit(bot, forfeit, timed):
    if bot.reason == "played":
        return [] if forfeit is None else [f"a forfeit of a bot that played: {forfeit}"]
    if forfeit is None:
        return ["no forfeit record"]
    wrong = []
    if bot.turn is not ANY_TURN and forfeit["turn"] != bot.turn:
        wrong.append(f"out at {forfeit['turn']}, not {bot.turn}")
    for key, value in bot.record.items():
        if forfeit[key] != value:
            wrong.append(f"{key} is {forfeit[key]!r}, not {value!r}")
    if not timed:
        return wrong
    wall_ms, limit_ms = forfeit["wall_us"] / 1000, forfeit["limit_us"] / 1000
    earliest, latest = {
        None: (0, limit_ms + SLACK_MS),
        SOON: (0, SLACK_MS),
        LATE: (limit_ms, limit_ms + SLACK_MS),
        CLOSED: (CLOSING_MS, CLOSING_MS + SLACK_MS),
    }[bot.when]
    # The deadline moves by what other programs kept the bot from a processor.
    waited = re.search(r"waited for a processor (\d+) %", forfeit["words"])
    latest += wall_ms * (int(waited[1]) + 1) / 100 if waited else 0
    if not earliest <= wall_ms <= latest:
        wrong.append(f"out after {wall_ms:.1f} ms, not {earliest:.0f} to {latest:.0f}")
    return wrong


def expected_ranks(result):
    """By score, for those who played; who is out stands behind them all: told by the row."""
    played = [s for s, reason in zip(result["scores"], result["reason"]) if reason == "played"]
    return [
        1 + sum(other > score for other in played) if reason == "played" else None
        for score, reason in zip(result["scores"], result["reason"])
    ]


def expected_reasons(row, header):
    return [
        bot.uncounted if bot.uncounted and "cgroup_memory" not in layers else bot.reason
        for bot, layers in zip(row.bots, header["layers"])
    ]


def check(row, result, header):
    wrong = []
    reasons = expected_reasons(row, header)
    if result["reason"] != reasons:
        wrong.append(f"reasons {result['reason']}, not {reasons}")
        wrong += [f"{f['words']}" for f in result["forfeits"] if f]
    for seat, bot in enumerate(row.bots):
        found = check_forfeit(bot, result["forfeits"][seat], row.timed)
        wrong += [f"seat {seat}: {line}" for line in found]
    for seat, rank in enumerate(expected_ranks(result)):
        if rank is not None and result["ranks"][seat] != rank:
            wrong.append(f"seat {seat} has rank {result['ranks'][seat]}, not {rank}")
    if row.ranks and result["ranks"] != row.ranks:
        wrong.append(f"ranks {result['ranks']}, not {row.ranks}")
    if row.decisions is not None and result["decisions"] != row.decisions:
        wrong.append(f"{result['decisions']} decisions, not {row.decisions}")
    return wrong


def play_rows(arena, rows, jobs):
    """Plays rows, so many at a time; one that is wrong is played twice more at most, alone: what
    is complete when the arena looks at the deadline counts, and a busy machine lets it look a
    millisecond late. Tells what is wrong, and returns how many rows stay wrong."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        played = list(pool.map(arena.play, rows))
    # Nothing is timed any more, so several are judged at a time.
    with concurrent.futures.ThreadPoolExecutor(JUDGES) as pool:
        wrong = list(pool.map(lambda row, match: judge_row(arena, row, match), rows, played))
    failed = 0
    for row, lines in zip(rows, wrong):
        if lines:
            again = run_row(arena, row) and run_row(arena, row)
            print(f"{'FAILED' if again else 'retried'}: {row.rule}: {'; '.join(again or lines)}")
            failed += bool(again)
    print(f"{len(rows)} rows, {arena.resident_kib} KiB resident at most, {failed} failed")
    return failed


def run_row(arena, row):
    """What is wrong with one row, played once."""
    return judge_row(arena, row, arena.play(row))


def judge_row(arena, row, match):
    """What is wrong with what Arena.play returned for a row."""
    result, replay, wrong, machine = match
    if result is None:
        return wrong + ["no result"]
    header, found = arena.verify(replay)
    wrong += found
    found = check(row, result, header) if header else []
    if found and row.excused and row.excused(machine):
        print(f"not judged, the machine was too busy: {row.rule}: {machine}")
        return wrong
    wrong += found
    if not row.timed:
        folder = os.path.dirname(os.path.dirname(replay))
        for bot, forfeit in zip(row.bots, result["forfeits"]):
            wrong += check_command(arena, bot, forfeit, folder) if forfeit else []
    return wrong
