# SPDX-License-Identifier: MIT
"""Sets what a service unit can restrict, one by one, around `arena doctor`, which is to name the
setting; and around nothing, where it is to name none.

usage: unit.py BUILD (as root, in a mount namespace of its own)"""

import ctypes
import json
import os
import subprocess
import sys

BUILD = os.path.abspath(sys.argv[1])
PR_SET_NO_NEW_PRIVS, PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN = 38, 65, 1
SCMP_ACT_ALLOW, SCMP_ACT_EPERM, SCMP_CMP_MASKED_EQ = 0x7FFF0000, 0x00050000 | 1, 7
CLONE_NEWUSER = 0x10000000
libc = ctypes.CDLL(None, use_errno=True)


class Compare(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64),
                ("b", ctypes.c_uint64)]


def deny_write_execute():
    return libc.prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) == 0


def restrict_namespaces():
    """The filter that RestrictNamespaces=yes loads."""
    return refuse([b"unshare", b"clone"], Compare(0, SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER))


def refuse_landlock():
    """As the filter of systemd-nspawn does."""
    return refuse([b"landlock_create_ruleset", b"landlock_add_rule", b"landlock_restrict_self"])


def refuse(calls, *compares):
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    filter_ = ctypes.c_void_p(seccomp.seccomp_init(SCMP_ACT_ALLOW))
    for name in calls:
        number = seccomp.seccomp_syscall_resolve_name(name)
        assert seccomp.seccomp_rule_add_array(filter_, SCMP_ACT_EPERM, number, len(compares),
                                              (Compare * len(compares))(*compares)) == 0
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return seccomp.seccomp_load(filter_) == 0


def bind(source, target, *options):
    return lambda: (subprocess.run(["mount", "--bind", source, target]).returncode == 0 and
                    (not options or subprocess.run(
                        ["mount", "-o", "remount,bind," + options[0], target]).returncode == 0))


# A setting of a unit; what does to this process as systemd 252 does, and returns False if it cannot;
# and the words with which doctor names the setting, None: it names none.
ROWS = [
    ("nothing", lambda: True, None),
    ("ProtectKernelLogs=", bind("/dev/null", "/proc/kmsg"), "ProtectKernelLogs="),
    ("ProtectKernelTunables=", bind("/proc/sys", "/proc/sys", "ro"), "ProtectKernelTunables="),
    ("ProtectHostname=", bind("/proc/sys/kernel/hostname", "/proc/sys/kernel/hostname", "ro"),
     "ProtectHostname="),
    ("ProtectControlGroups=", bind("/sys/fs/cgroup", "/sys/fs/cgroup", "ro"),
     "ProtectControlGroups="),
    ("RestrictNamespaces=", restrict_namespaces, "RestrictNamespaces="),
    ("a filter without Landlock", refuse_landlock, "landlock_create_ruleset"),
    ("MemoryDenyWriteExecute=", deny_write_execute, "MemoryDenyWriteExecute="),
]


def named():
    done = subprocess.run([BUILD + "/bin/arena", "doctor", "--json"], capture_output=True, text=True)
    told = json.loads(done.stdout)
    return [check for check in told["checks"] if check["layer"] == "service"]


def run(row):
    """In a child of its own, so that the next row starts afresh. True: told; False: not to be had."""
    name, restrict, wanted = row
    if not restrict():
        return False
    checks = named()
    told = " ".join(check["cure"] for check in checks if check.get("cure"))
    assert (wanted in told) if wanted else not BASE_IS_FREE or not checks, (name, checks)
    return True


def main():
    tried = 0
    for row in ROWS:
        pid = os.fork()
        if pid == 0:
            if unshare_mounts() != 0:
                os._exit(77)
            try:
                os._exit(0 if run(row) else 76)
            except AssertionError as error:
                print(*error.args, flush=True)
                os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if status == 77:
            print("mount namespaces cannot be made here")
            sys.exit(77)
        if status == 76:
            print(f"{row[0]}: cannot be imitated here")
            continue
        assert status == 0, row[0]
        tried += 1
    assert tried >= 4, tried


def unshare_mounts():
    CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x20000, 0x4000, 1 << 18
    if libc.unshare(CLONE_NEWNS) != 0:
        return -1
    return libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None)



BASE_IS_FREE = not named()
main()
