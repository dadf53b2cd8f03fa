# SPDX-License-Identifier: MIT
"""The arena's own control group runs out of memory, and the kernel kills a bot that is within its limit.
The match is void and played again: the bot is not at fault. Nor is a build whose compiler is killed. Where bots take all tasks of the
group, no more games are played at a time than have room, and no bot lacks a thread. As root the bots have groups of their own, as an
ordinary user they are in the arena's group.

usage: starved.py BUILD
"""
import json
import mmap
import os
import shutil
import subprocess
import sys
import time

from rows import Arena, Bot, behaviours_of

USER = 61879
SKIPPED = 77  # tests/CMakeLists.txt: this needs root and control groups of version 1
MIB = 1 << 20
GROUP_MIB, SHARE_MIB, BOT_MIB = 600, 64, 100
PATIENCE_S = 120
TASKS = 200  # two bots of 128 threads take more, and one of them with an honest bot less
BOT = """
import msgpack, os, threading, time
def take():
    try:
        while True: threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    except RuntimeError:
        pass
def use():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
unpacker = msgpack.Unpacker()
while piece := os.read(0, 65536):
    unpacker.feed(piece)
    for message in unpacker:
        if message["type"] == "hello":
            ACTION() if ACTION == take else None
            os.write(1, msgpack.packb({"type": "ready"}))
        if message["type"] == "turn":
            ACTION() if ACTION == use else None
            os.write(1, msgpack.packb({"type": "act", "turn": message["turn"], "action": 0}))
os._exit(0)
"""


def own_group(controller="memory"):
    """The folder of this process's group of version 1, or None."""
    with open("/proc/self/cgroup") as file:
        for line in file:
            _, controllers, path = line.strip().split(":", 2)
            if controller in controllers.split(","):
                for folder in f"/sys/fs/cgroup/{controller}{path}", f"/sys/fs/cgroup/{controller}":
                    if os.path.exists(folder + "/cgroup.procs"):
                        return folder
    return None


def kill_count(group):
    """Kills in the group and in those of bots below it."""
    count = 0
    for folder, _, _ in os.walk(group):
        try:
            with open(folder + "/memory.oom_control") as file:
                count += int(file.read().split("oom_kill ")[1])
        except OSError:  # it has just been removed
            pass
    return count


def join(group):
    with open(group + "/cgroup.procs", "w") as file:
        file.write("0")


def hold(group, before, bots):
    """Takes memory, with processes that are each smaller than what the kernel adds for a bot (30 % of
    the group's memory), so that it kills a bot. Returns True once it has: the arena may have removed the
    bot's group, with its count, before anybody looked."""
    held, held_bytes = [], 0
    while held_bytes < SHARE_MIB * MIB:
        if kill_count(group) > before or not all(os.path.exists(f"/proc/{bot}") for bot in bots):
            return True
        with open(group + "/memory.usage_in_bytes") as file:
            is_near = int(file.read()) > (GROUP_MIB - 16) * MIB
        size = 16 << 10 if is_near else 4 * MIB  # no more than a killed bot gives back
        held.append(mmap.mmap(-1, size))
        held[-1].write(bytes(size))
        held_bytes += size
    pid = os.fork()
    if pid == 0:
        del held
        os._exit(0 if hold(group, before, bots) else 1)
    return os.waitpid(pid, 0)[1] == 0


def fill(group, bots):
    pid = os.fork()
    if pid == 0:
        join(group)
        os._exit(0 if hold(group, kill_count(group), bots) else 1)
    assert os.waitpid(pid, 0)[1] == 0, "the kernel killed no bot"


def remove(group):
    """Removes the group, once the processes that were killed have ended, with those below it."""
    for _ in range(500):
        try:
            for folder, _, _ in os.walk(group, topdown=False):
                os.rmdir(folder)
            return
        except OSError:
            time.sleep(0.02)
    raise OSError("the group stays: " + group)


def play(arena, group):
    folder = arena.new_folder()
    token = f"starved-{os.getpid()}-{os.path.basename(folder)}"
    bots = [arena.make_bot(folder, seat, Bot("until:40", "late=120"), token) for seat in range(2)]
    process = subprocess.Popen(
        arena.command("match", "--json", "--memory", str(BOT_MIB), "--clock", "turn=5000,start=20000",
                      *bots),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=lambda: join(group),
        env=dict(os.environ, TMPDIR=folder))
    while len(behaviours_of(token)) < 2:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    time.sleep(0.3)  # the game has begun
    try:
        fill(group, behaviours_of(token))
        output, errors = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, (process.returncode, errors)
    result = json.loads(output)
    assert result["reason"] == ["played", "played"], (arena.as_user, result["reason"], result["forfeits"])


def build(arena, group):
    """The shell of the build lives on and exits with an error, as make does after a killed compiler."""
    folder = arena.new_folder()
    with open(folder + "/bot.json", "w") as file:
        json.dump({"name": "large", "run": ["./large"], "build": [
            "sh", "-c", f"python3 -c 'bytearray({2 * GROUP_MIB * MIB})'; exit 1"]}, file)
    os.chmod(folder + "/bot.json", 0o644)
    run = subprocess.run(arena.command("build", folder), stderr=subprocess.PIPE, text=True,
                         preexec_fn=lambda: join(group), timeout=PATIENCE_S)
    assert run.returncode == 1 and "the kernel killed the build within its memory limit" in run.stderr, (
        arena.as_user, run.returncode, run.stderr)


def submit(arena, group, build_folder, processes):
    """A bot of several processes, of which two do not fit into the group unless they have groups of their own."""
    folder = arena.new_folder()
    shutil.copytree(build_folder + "/bots/greedy", folder + "/many")
    with open(folder + "/many/bot.json", "w") as file:
        json.dump({"name": "many", "version": "1", "author": "A", "run": ["./greedy"], "processes": processes}, file)
    return subprocess.run(
        arena.command("submit", "--memory", str(BOT_MIB), "--check-games", "1", "--home", folder + "/home", folder + "/many"),
        stderr=subprocess.PIPE, text=True, preexec_fn=lambda: join(group), timeout=PATIENCE_S,
        env=dict(os.environ, TMPDIR=folder))


def refuse(arena, group, build_folder):
    run = submit(arena, group, build_folder, 16)
    if arena.as_user:
        assert run.returncode == 2 and "a game of two such bots may take" in run.stderr, run.stderr
        run = submit(arena, group, build_folder, 2)
    assert run.returncode == 0, (arena.as_user, run.stderr)


def crowd(arena, own):
    """Two games at a time, in each of them a bot that takes all the tasks that it may."""
    folder, group = arena.new_folder(), f"{own}/starved-tasks-{os.getpid()}"
    bots = []
    for name, action in ("taker", "take"), ("user", "use"):
        bots.append(f"{folder}/{name}")
        os.mkdir(bots[-1])
        with open(bots[-1] + "/bot.py", "w") as file:
            file.write(BOT.replace("ACTION", action))
        with open(bots[-1] + "/bot.json", "w") as file:
            json.dump({"name": name, "run": ["python3", "bot.py"]}, file)
    os.mkdir(group)
    try:
        with open(group + "/pids.max", "w") as file:
            file.write(str(TASKS))
        run = subprocess.run(
            arena.command("match", "--json", "--games", "2", "--jobs", "2", "--clock", "turn=60000,start=60000", *bots),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=lambda: join(group),
            timeout=PATIENCE_S, env=dict(os.environ, TMPDIR=folder))
        results = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(results) == 2 and all(result["reason"] == ["played"] * 2 for result in results), (arena.as_user, run)
        assert "the arena now plays 1 game at a time" in run.stderr, run.stderr
    finally:
        remove(group)


def main():
    build_folder = sys.argv[1]
    own = own_group() if os.geteuid() == 0 else None
    if not own or not os.access(own, os.W_OK):
        print("this needs root, and memory groups of version 1")
        sys.exit(SKIPPED)
    for user in None, USER:
        arena = Arena(build_folder + "/bin/arena", build_folder + "/hostile/hostile", as_user=user)
        group = f"{own}/starved-{os.getpid()}"
        os.mkdir(group)
        try:
            with open(group + "/memory.limit_in_bytes", "w") as file:
                file.write(str(GROUP_MIB * MIB))
            play(arena, group)
            build(arena, group)
            refuse(arena, group, build_folder)
            if own_group("pids"):
                crowd(arena, own_group("pids"))
        finally:
            arena.close()
            remove(group)


if __name__ == "__main__":
    main()
