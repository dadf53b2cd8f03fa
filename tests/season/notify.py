# SPDX-License-Identifier: MIT
"""The daemon tells a service manager that it is ready, alive and stopping: sd_notify.

usage: notify.py BUILD
"""
import os
import signal
import socket
import subprocess
import sys
import tempfile

build = sys.argv[1]
with tempfile.TemporaryDirectory() as home:
    path = home + "/notify"
    service = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    service.bind(path)
    service.settimeout(60)
    environment = dict(os.environ, ARENA_HOME=home + "/home", NOTIFY_SOCKET=path, WATCHDOG_USEC="2000000")
    environment.pop("ARENA_STORE", None)
    environment.pop("WATCHDOG_PID", None)
    daemon = subprocess.Popen([build + "/bin/arena", "serve", "--jobs", "0"], env=environment,
                              stdout=subprocess.DEVNULL)
    try:
        told = [service.recv(4096).decode()]
        assert told[0].startswith("READY=1"), told
        while "WATCHDOG=1" not in told[-1]:
            told.append(service.recv(4096).decode())
        daemon.send_signal(signal.SIGTERM)
        while told[-1] != "STOPPING=1":
            told.append(service.recv(4096).decode())
        assert daemon.wait(60) == 0, daemon.returncode
    finally:
        daemon.kill()
