#!/usr/bin/env python3
"""A function fits a screen: it has at most 80 lines. A file is as long as its subject.

usage: sizes.py     from the project's root
"""
import os
import sys

FUNCTION_LINES_MAX = 80
FOLDERS = ("engine", "sandbox", "sdk", "bots", "arena", "tests")
ENDINGS = (".c", ".h")


def functions(lines):
    """(name, lines) of each function of a C file: a '{' and a '}' of their own in the first column."""
    start = None
    for number, line in enumerate(lines):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            head = start
            while head > 0 and (not lines[head - 1] or lines[head - 1][0] in " \t"):
                head -= 1
            yield lines[head - 1].split("(")[0].split()[-1].lstrip("*"), number - start + 1
            start = None


def wrong(path, text):
    lines = text.splitlines()
    for name, count in functions(lines):
        if count > FUNCTION_LINES_MAX:
            yield f"{path}: {name} has {count} lines, {FUNCTION_LINES_MAX} at most: split it"


def check_the_check():
    body = "int f(void)\n{\n" + "    g();\n" * 78 + "}\n"
    for what, path, text, count in [
        ("a function of 80 lines", "arena/a.c", body, 0),
        ("a function of 81 lines", "arena/a.c", body.replace("{\n", "{\n\n"), 1),
    ]:
        found = list(wrong(path, text))
        if len(found) != count:
            raise SystemExit(f"{what}: {count} expected, found {found}")


def main():
    check_the_check()
    found, count = [], 0
    for folder in FOLDERS:
        for at, _, names in os.walk(folder):
            for name in sorted(names):
                path = os.path.join(at, name)
                if name.endswith(ENDINGS) and not os.path.islink(path):
                    count += 1
                    with open(path, encoding="utf-8", errors="replace") as file:
                        found += wrong(path, file.read())
    for line in found:
        print(line)
    if not found:
        print(f"the functions of {count} files are short enough")
    return 1 if found else 0


sys.exit(main())
