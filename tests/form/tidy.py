#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy on what BUILD-FOLDER/compile_commands.json lists and has changed since it was clean.

usage: tidy.py BUILD-FOLDER     from the project's root
"""
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

AT_ONCE = 8 # sources: clang-tidy takes a while to begin
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)


def read(path, texts):
    if path not in texts:
        try:
            with open(path, "rb") as file:
                texts[path] = file.read()
        except OSError:
            texts[path] = b""
    return texts[path]


def key_of(path, command, texts):
    """A hash of all that clang-tidy reads of the project for a source."""
    seen, queue = set(), [path]
    while queue:
        at = queue.pop()
        if at not in seen:
            seen.add(at)
            queue += [name.decode() for name in INCLUDE.findall(read(at, texts))]
    whole = hashlib.sha256(read(".clang-tidy", texts) + command.encode())
    for at in sorted(seen):
        whole.update(at.encode() + b"\0" + hashlib.sha256(read(at, texts)).digest())
    return whole.hexdigest()


def tidy(build, paths):
    ran = subprocess.run(["clang-tidy", "-p", build, "--quiet", *paths], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=False)
    return ran.returncode == 0, ran.stdout or ran.stderr


def check_the_check():
    """A planted fault must be found."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "planted.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write("int f(int a);\nint f(int a)\n{\n    if (a == 1);\n        a++;\n    return a;\n}\n")
        ran = subprocess.run(["clang-tidy", "--quiet", "--config-file=.clang-tidy", path, "--"],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        if ran.returncode == 0 or "bugprone" not in ran.stdout:
            raise SystemExit("a planted fault was not found:\n" + ran.stdout)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    build, root, texts, jobs, count = sys.argv[1], os.getcwd() + "/", {}, {}, 0
    check_the_check()
    clean = os.path.join(build, "tidy-clean")
    os.makedirs(clean, exist_ok=True)
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        for entry in json.load(file):
            path = entry["file"].replace(root, "")
            if os.path.isabs(path) or path.startswith("build/") or path in jobs or not os.path.exists(path):
                continue
            count += 1
            key = os.path.join(clean, key_of(path, re.sub(r" -o .*", "", entry["command"]), texts))
            if not os.path.exists(key):
                jobs[path] = key
    paths, failed = list(jobs), 0
    parts = [paths[i:i + AT_ONCE] for i in range(0, len(paths), AT_ONCE)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for part, (passed, text) in zip(parts, pool.map(lambda part: tidy(build, part), parts)):
            if passed:
                for path in part:
                    with open(jobs[path], "w", encoding="utf-8"):
                        pass
            else:
                failed += 1
                print(text)
    print(f"{count} sources, {len(jobs)} looked at")
    return 1 if failed else 0


sys.exit(main())
