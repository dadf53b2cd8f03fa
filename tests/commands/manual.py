#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every option of every command is in its man page and in the completions of bash, zsh and fish.

usage: manual.py BUILD"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ARENA = os.path.abspath(sys.argv[1] + "/bin/arena")
OPTIONS_LEAST = 200
COMPLETED = """. "$0/arena.bash"
COMP_WORDS=(arena season new cup --board ""); COMP_CWORD=5; _arena; echo "${COMPREPLY[@]}"
COMP_WORDS=(arena lad); COMP_CWORD=1; _arena; echo "${COMPREPLY[@]}"
"""


def help_of(*words):
    return subprocess.run([ARENA, *words, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout


def lines():
    """Yields the words of each command and subcommand, and its --help."""
    for command in re.findall(r"^  ([a-z]+) ", help_of(), re.M):
        text = help_of(command)
        if not re.match(r"usage: .* COMMAND", text):
            yield (command,), text
            continue
        for part in re.findall(r"^  ([a-z]+) ", text, re.M):
            yield (command, part), help_of(command, part)


def main(folder):
    subprocess.run([ARENA, "manual", folder], check=True)
    texts = {os.path.basename(path): open(path, encoding="utf-8").read() for path in glob.glob(folder + "/*")}
    words = {shell: dict(re.findall(r"^    \[at(\S*)\]='(.*)'$", texts["arena." + shell], re.M)) for shell in ("bash", "zsh")}
    missing, count = [], 0
    for line, text in lines():
        for option in re.findall(r"^  --([a-z0-9-]+)", text, re.M):
            name = option.replace("-", "\\-")
            count += 1
            missing += [f"arena {' '.join(line)} --{option}: {where}" for where, is_there in {
                "man page": f"\\fB\\-\\-{name}\\fR" in texts[f"arena-{line[0]}.1"],
                "bash": f"--{option}" in words["bash"]["/" + "/".join(line)].split(),
                "zsh": f"--{option}" in words["zsh"]["/" + "/".join(line)].split(),
                "fish": f"""'__arena_at "{' '.join(line)}"' -l {option} """ in texts["arena.fish"]}.items() if not is_there]
    assert not missing, "\n".join(missing)
    assert count > OPTIONS_LEAST, count
    told = subprocess.run(["bash", "-c", COMPLETED, folder], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert told == "colored gray both\nladder\n", told
    if shutil.which("groff"):
        for page in glob.glob(folder + "/*.1"):
            told = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], stderr=subprocess.PIPE, text=True, check=True).stderr
            assert not told, told
    if shutil.which("lowdown"):
        for page, document in (("arena-protocol", "protocol"), ("arena-bot", "bots"), ("arena-api", "api")):
            with open(f"{sys.argv[1]}/arena/{page}.5", encoding="utf-8") as text, open(f"{os.path.dirname(__file__)}/../../docs/{document}.md", encoding="utf-8") as source:
                sections = re.findall(r"^\.SH (.*)$", text.read(), re.M)
                headings = re.findall(r"^## (.*)$", source.read(), re.M)
            assert sections[0] == "NAME" and len(sections) == len(headings) + 2, (page, sections, headings)
    print(f"{count} options")


with tempfile.TemporaryDirectory() as room:
    main(room)
