"""What `arena rate` prints, compared whole with tests/golden/rate.txt.

usage: reports.py BUILD
"""
import os
import subprocess
import sys
import tempfile

build = os.path.abspath(sys.argv[1])
room = tempfile.mkdtemp(prefix="reports-")

MATCHES = "first,second,first_wins,draws,second_wins\n"
GAMES = "game,group,player,seat,rank\n"
FILES = {
    "none": GAMES,
    "one": MATCHES + "a,b,1,0,0\n",
    "apart": MATCHES + "a,b,5,1,0\nc,d,2,0,5\n",
    "three": GAMES + "1,1,Zo\u00eb,0,1\n1,1,bob,1,1\n1,1,cy,2,3\n2,1,bob,0,1\n2,1,cy,1,2\n"
                     "2,1,Zo\u00eb,2,3\n3,2,bob,0,1\n3,2,cy,1,2\n",
}
OPTIONS = ([], ["--prior", "none"], ["--prior", "50"], ["--live"], ["--live", "--k-min", "16"], ["--json"],
           ["--live", "--json"])


def arena(*arguments, status=0):
    done = subprocess.run([build + "/bin/arena", *arguments], capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, ARENA_HOME=room + "/home"))
    assert done.returncode == status, (arguments, done)
    return done.stdout if status == 0 else done.stderr


def rate():
    made = ""
    for name, text in FILES.items():
        path = f"{room}/{name}.csv"
        with open(path, "w") as file:
            file.write(text)
        for options in OPTIONS:
            made += f"==== {name} {' '.join(options)}\n" + arena("rate", *options, path)
    with open(build + "/rate.txt", "w") as file:
        file.write(made)
    with open("tests/golden/rate.txt") as file:
        assert made == file.read(), f"differs from tests/golden/rate.txt: what came is in {build}/rate.txt"


rate()
subprocess.run(["rm", "-r", room], check=True)
print("reports: hold")
