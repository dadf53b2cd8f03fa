#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each command with one system call that fails after the command's start, by strace: the command does all as
ever; or it says what failed, with status 1, and leaves nothing that is incomplete, no process, no folder of a run
and a store without fault. Calls of the process's first thread fail; those of its bots and other threads do not.

usage: calls.py BUILD [TRIES [WORD ...]]      TRIES a command, spread over its calls and errors (1); 0: each of
                                              them; WORD ...: only the commands that begin with these"""
import collections
import re
import shutil
import sys
import tempfile

from room import ARENA, COMMANDS, TRIES, furnish, judge, run

# What the manual names for each call and a machine can come to; calls that are not here cannot fail, or end the process.
FILE = ["EIO", "EACCES", "ENOMEM"]
OPENED = ["EIO", "ENOSPC", "EDQUOT", "EROFS"]
WAIT = ["EINTR", "ENOMEM"]
ERRORS = {
    "openat": ["EMFILE", "ENFILE", "ENOSPC", *FILE], "open": ["EMFILE", "EIO"], "newfstatat": FILE, "fstat": ["EIO", "ENOMEM"],
    "statx": FILE, "access": FILE, "faccessat2": FILE, "readlink": FILE, "readlinkat": FILE, "getcwd": ["ENOMEM"],
    "getdents64": ["EIO", "ENOENT"], "chdir": FILE, "lseek": ["EIO"], "read": ["EIO", "EINTR"], "pread64": ["EIO", "EINTR"],
    "write": [*OPENED, "EINTR", "EFBIG"], "pwrite64": [*OPENED, "EINTR", "EFBIG"], "writev": [*OPENED, "EINTR"],
    "ftruncate": [*OPENED, "EINTR"], "fallocate": OPENED, "fsync": ["EIO", "ENOSPC"], "fdatasync": ["EIO", "ENOSPC"], "close": ["EIO", "EINTR"],
    "mkdir": [*OPENED, "EACCES"], "mkdirat": [*OPENED, "EACCES"], "rename": OPENED, "renameat": OPENED, "renameat2": OPENED, "link": OPENED,
    "linkat": OPENED, "symlink": OPENED, "symlinkat": OPENED, "unlink": ["EIO", "EROFS"], "unlinkat": ["EIO", "EROFS"], "rmdir": ["EIO", "EROFS"],
    "chmod": OPENED, "fchmod": OPENED, "fchmodat": OPENED, "utimensat": ["EIO", "EROFS"], "copy_file_range": ["EIO", "ENOSPC", "EXDEV"],
    "sendfile": ["EIO", "ENOMEM"], "flock": ["EINTR", "ENOLCK"], "fcntl": ["ENOLCK", "EMFILE"], "mmap": ["ENOMEM", "EAGAIN"],
    "mremap": ["ENOMEM"], "memfd_create": ["EMFILE", "ENOMEM"], "pipe2": ["EMFILE", "ENFILE"], "eventfd2": ["EMFILE", "ENOMEM"],
    "timerfd_create": ["EMFILE", "ENOMEM"], "timerfd_settime": ["EINVAL"], "epoll_create1": ["EMFILE", "ENOMEM"],
    "epoll_ctl": ["ENOSPC", "ENOMEM"], "epoll_wait": ["EINTR"], "poll": WAIT, "ppoll": WAIT, "select": WAIT, "socket": ["EMFILE", "ENOBUFS"],
    "socketpair": ["EMFILE", "ENFILE"], "connect": ["ECONNREFUSED", "EAGAIN"], "sendto": ["ENOBUFS", "ENOMEM"], "recvfrom": ["ENOMEM"],
    "bind": ["EACCES"], "listen": ["EADDRINUSE"], "clone": ["EAGAIN", "ENOMEM"], "clone3": ["EAGAIN", "ENOMEM"],
    "vfork": ["EAGAIN"], "pidfd_open": ["EMFILE", "ENOMEM"], "waitid": ["EINTR"], "wait4": ["EINTR"], "getrandom": ["EINTR"],
    "prlimit64": ["EPERM"], "setsockopt": ["ENOMEM"], "signalfd4": ["EMFILE"], "inotify_init1": ["EMFILE"], "statfs": ["EIO"], "fstatfs": ["EIO"],
    "ioctl": ["ENOTTY"], "sysinfo": ["EFAULT"], "prctl": ["EINVAL"], "futex": ["EINTR"], "mprotect": ["ENOMEM"],
}
USERS = {"EACCES", "EROFS", "EPERM", "EDQUOT", "ENOSPC", "EFBIG", "EINVAL", "ECONNREFUSED"}  # whoever named the file can do something about these
MAIN = "rt_sigaction(SIGPIPE, {sa_handler=SIG_IGN"  # the first call of main
NAME = re.compile(r"^(\w+)\(")
TRACE = ["strace", "-qq", "-s", "16", "-o"]


def calls_of(path):
    """The calls of a trace, as (name, how many of that name there were up to it), those of the program's start left out."""
    counts = collections.Counter()
    began = False
    found = []
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            began = began or line.startswith(MAIN)
            name = NAME.match(line)
            if name:
                counts[name[1]] += 1
                if began and name[1] in ERRORS:
                    found.append((name[1], counts[name[1]]))
    assert began, "the program's main was not found"
    return found


def main(room):
    faults = []
    tally = collections.Counter()
    trace = room + "/trace"
    furnish(room)
    for command in COMMANDS:
        good = run(room, command, [*TRACE, trace, ARENA], {}, False)
        assert good.status == 0 and not good.wrong, (command, good)
        cases = [(name, number, error) for name, number in calls_of(trace) for error in ERRORS[name]]
        chosen = cases if not TRIES or len(cases) <= TRIES else [cases[(2 * i + 1) * len(cases) // (2 * TRIES)] for i in range(TRIES)]
        before = len(faults)
        for name, number, error in chosen:
            outcome = run(room, command, [*TRACE, "/dev/null", "-e", f"inject={name}:error={error}:when={number}", ARENA], {}, True)
            told = outcome.stderr.strip() or command[0] in ("doctor", "store")
            if outcome.status == 2 and told and error in USERS:
                outcome = outcome._replace(status=1)
            wrong = judge(command, good, outcome, told)
            faults += [f"arena {' '.join(command)}, {name} number {number} {error}: {fault}" for fault in wrong]
            tally[outcome.status] += 1
        if TRIES != 1:
            print(f"arena {' '.join(command)}: {len(chosen)} of {len(cases)} failures of calls, {len(faults) - before} faults", flush=True)
    print(f"{sum(tally.values())} failed system calls, by exit status: {dict(tally)}")
    print("\n".join(faults))
    return bool(faults)


if not shutil.which("strace"):
    print("not tried: strace is not installed")
    sys.exit(0)
with tempfile.TemporaryDirectory() as folder:
    sys.exit(main(folder))
