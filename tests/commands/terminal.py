# SPDX-License-Identifier: MIT
"""A command on a terminal of our own. Tests import this module, or call it:

usage: terminal.py PROGRAM ARGUMENT ...     prints what the program wrote, and ends with its status
"""
import fcntl
import os
import pty
import struct
import sys
import termios


def start(argv, rows=30, columns=100, environment=None):
    """Starts a program on a terminal of that size. Returns its PID and the other end of the terminal."""
    held, ready = os.pipe()
    pid, fd = pty.fork()
    if pid == 0:
        os.close(ready)
        os.read(held, 1)  # the terminal has its size
        os.execvpe(argv[0], argv, {"TERM": "xterm"} | (os.environ if environment is None else environment))
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.close(held)
    os.close(ready)
    return pid, fd


def rest(pid, fd):
    """What the program writes until its end, and its exit status."""
    seen = b""
    while True:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.close(fd)
    return seen.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def run(argv, **how):
    return rest(*start(argv, **how))


if __name__ == "__main__":
    text, status = run(sys.argv[1:])
    sys.stdout.write(text)
    sys.exit(status)
