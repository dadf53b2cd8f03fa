#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each command with one system call that fails after the command's start, by strace: the command does all as
ever; or it says what failed, with status 1, and leaves nothing that is incomplete, no process, no folder of a run
and a store without fault. Calls of the process's first thread fail; those of its bots and other threads do not.

usage: calls.py BUILD [TRIES [WORD ...]]      TRIES a command, spread over its calls and errors (1), first those that no
                                              command before it made; 0: each of them; WORD ...: only the commands
                                              that begin with these; "rows": only the rows below

Calls with the same arguments, numbers aside, after the same call are alike: each error is tried with the first of them."""
import collections
import glob
import re
import shutil
import subprocess
import sys

from room import ARENA, BOTS, COMMANDS, ONLY, SEED, TRIES, furnished, judge, run, tell, title, undisturbed

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
# Faults that were: a command; a call and its error; the path that all such calls which fail work on, as a pattern.
ROWS = [(["match", "--json", SEED, "random", "greedy"], "readlink", "EIO", "ROOM"),  # "is not a file in the bot's folder", status 2
        (["match", "--json", SEED, "random", "greedy"], "newfstatat", "ENOMEM", BOTS + "random/bot.json"),  # "did you mean 'random'?"
        (["new", "--list"], "access", "EIO", "/usr/share/doc/gcc"),  # "not installed here", status 0
        (["author", "new", "ada"], "mmap", "EAGAIN", "/usr/lib/*/libicuuc.so.72")]  # "is libicu72 installed?", status 2
USERS = {"EACCES", "EROFS", "EPERM", "EDQUOT", "ENOSPC", "EFBIG", "EINVAL", "ECONNREFUSED"}  # whoever named the file can do something about these
MAIN = "rt_sigaction(SIGPIPE, {sa_handler=SIG_IGN"  # the first call of main
NO_FILE = re.compile(r"^\w+\(\d+<(?:pipe|socket|anon_inode|UNIX|TCP|NETLINK)\b.*")
DISK = {"EIO", "ENOSPC", "EDQUOT", "EROFS", "EFBIG"}  # no errors of a pipe or socket
CALL = re.compile(r"^((\w+)\(.*?)(?: = |$)")
NUMBERS = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]*\d[0-9a-f]*\b|-\w{6}\b")
BYTES = re.compile(r"^(?:p?read|p?write|writev|send|recv|getrandom|getdents|uname)")
TRACE = ["strace", "-qq", "-y", "-s", "64", "-o"]


def calls_of(path):
    """The calls of a trace, those of the program's start left out: {what calls that are alike have in common: (name, how
    many of that name there were up to the first of them)}."""
    counts = collections.Counter()
    began = False
    found = {}
    before = ""
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            began = began or line.startswith(MAIN)
            call = CALL.match(line)
            if call:
                counts[call[2]] += 1
                words = call[1].split('"')[0] if BYTES.match(call[2]) else call[1]
                if began and call[2] in ERRORS:
                    found.setdefault((before, NUMBERS.sub("0", words)), (call[2], counts[call[2]]))
                before = call[2]
    assert began, "the program's main was not found"
    return found


def errors_of(call):
    """The errors that the manual names for a call and what it works on."""
    errors = [] if "FUTEX_WAKE" in call else ERRORS[call.split("(")[0]]
    return [error for error in errors if error not in DISK] if NO_FILE.match(call) else errors


def choose(cases, met):
    """TRIES of the cases, which are ((kind of call, error), ...): those of other kinds than before first."""
    fresh = [case for case in cases if case[0] not in met]
    others = [case for case in cases if case[0] in met]
    chosen = []
    for some in (fresh, others):
        room = TRIES - len(chosen) if TRIES else len(some)
        chosen += some if len(some) <= room else [some[(2 * i + 1) * len(some) // (2 * room)] for i in range(room)]
    met.update(case[0] for case in chosen)
    return chosen


def rows(room):
    """What is wrong in the rows."""
    faults = []
    for command, name, error, pattern in ROWS:
        for path in glob.glob(pattern.replace("ROOM", room)):
            good = undisturbed(room, command, [ARENA], {})
            failing = ["-P", path, "-e", f"inject={name}:error={error}"]
            outcome = run(room, command, [*TRACE, room + "/trace", *failing, ARENA], {}, True)
            with open(room + "/trace", encoding="utf-8", errors="replace") as trace:
                wrong = judge(good, outcome, outcome.stderr.strip()) + ([] if "INJECTED" in trace.read() else ["nothing failed"])
            faults += [f"arena {' '.join(command)}, {name} {error} of {path}: {fault}" for fault in wrong]
    return faults


def main(room):
    faults = [] if ONLY not in ([], ["rows"]) else rows(room)
    table = {}
    met = set()
    trace = room + "/trace"
    for command in COMMANDS:
        good = undisturbed(room, command, [*TRACE, trace, ARENA], {})
        cases = [((kind, error), *call, error) for kind, call in calls_of(trace).items() for error in errors_of(kind[1])]
        chosen = choose(cases, met)
        row = table.setdefault(title(command), [0] * 6)
        before = len(faults)
        for (kind, _), name, number, error in chosen:
            outcome = run(room, command, [*TRACE, "/dev/null", "-e", f"inject={name}:error={error}:when={number}", ARENA], {}, True)
            told = outcome.stderr.strip() or command[0] in ("doctor", "store")
            if outcome.status == 2 and told and error in USERS:
                outcome = outcome._replace(status=1)
            if command == ["doctor"]:  # which tells what it met: DEGRADED
                good = good._replace(stdout=None)
            if error in ("EACCES", "ENOENT"):  # who may not read a file is told that it is not there, or goes without it
                outcome = outcome._replace(blame=set())
            wrong = judge(good._replace(stdout=None) if error in ("EACCES", "ENOENT") else good, outcome, told)
            faults += [f"arena {' '.join(command)}, {name} number {number} {error}, {kind[1][:100]}: {fault}" for fault in wrong]
            row[2 if outcome.status == 0 else 3 if outcome.status == 1 else 4] += 1
            row[5] += bool(wrong)
            if wrong and TRIES != 1:
                print(faults[-1], flush=True)
        row[0] += len(chosen)
        row[1] += len(cases)
        if TRIES != 1:
            print(f"arena {' '.join(command)}: {len(chosen)} of {len(cases)} failures of calls, {len(faults) - before} faults", flush=True)
    if table:
        tell("calls", table)
    print("\n".join(faults))
    return bool(faults)


if __name__ == "__main__":
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode:
        print("not tried: strace is not installed, or may not trace here")
        sys.exit(0)
    with furnished() as folder:
        sys.exit(main(folder))
