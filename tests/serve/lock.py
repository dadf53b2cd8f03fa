# SPDX-License-Identifier: MIT
"""A killed daemon is not told as running while a child, which shares its descriptors until it is the bot's program, keeps its lock:
in a PID namespace, too, where the kernel does not say whose lock it was.

usage: lock.py BUILD"""
import ctypes
import fcntl
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(f"{sys.argv[1]}/bin/arena")
CLONE_FILES, CLONE = 0x400, {"x86_64": 56, "aarch64": 220}[platform.machine()]
KEPT_S = 0.5


def hold(path, told):
    """As the daemon: takes the lock, has a child that shares its descriptors, and waits to be killed."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.lockf(file, fcntl.LOCK_EX)
    if ctypes.CDLL(None).syscall(CLONE, CLONE_FILES | signal.SIGCHLD, 0, 0, 0, 0) == 0:
        while os.getppid() != 1:
            time.sleep(0.01)
        time.sleep(KEPT_S)
        os._exit(0)
    os.write(told, b"x")
    signal.pause()


def is_running(home):
    told = subprocess.run([PROGRAM, "status", "--json"], env={**os.environ, "ARENA_HOME": home}, check=False, text=True,
                          stdout=subprocess.PIPE).stdout
    return json.loads(told)["running"]


def main():
    if "--inside" not in sys.argv:
        rights = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        os.execvp("unshare", ["unshare", *rights, "--pid", "--fork", sys.executable, *sys.argv, "--inside"])
    home = tempfile.mkdtemp(prefix="lock-")
    subprocess.run([PROGRAM, "season", "new", "cup"], env={**os.environ, "ARENA_HOME": home}, check=True, stdout=subprocess.DEVNULL)
    with open(f"{home}/serve.json", "w", encoding="utf-8") as file:
        file.write('{"running": true, "seasons": [], "errors": []}')
    ready, told = os.pipe()
    daemon = os.fork()
    if daemon == 0:
        hold(f"{home}/serve.lock", told)
    os.read(ready, 1)
    assert is_running(home), "a daemon that runs"
    os.kill(daemon, signal.SIGKILL)
    os.waitpid(daemon, 0)
    assert not is_running(home), "a daemon that was killed"
    shutil.rmtree(home)


main()
