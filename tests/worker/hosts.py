"""Workers in network namespaces of their own, as separate hosts: each reaches the server over a link
of its own, one link is cut for longer than a lease and mended, and the season ends as on one machine.
As root.

usage: hosts.py BUILD        (with_server sets POSTGRES_TEST_*)"""

import os
import subprocess

from league import URL, Scheduler, Worker, arena, compare, control_server, outcome, played, prepare, room, run, \
    sql, wait_for

BUDGET = 60
HOSTS = 3
links = []


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


class Host:
    """A network namespace with a link to this one."""

    def __init__(self, number):
        self.name = f"arena-{os.getpid()}-{number}"
        self.link = f"ar{os.getpid() % 100000}-{number}"
        network = f"10.{200 + os.getpid() % 50}.{number}"
        self.server = network + ".1"
        ip("netns", "add", self.name)
        links.append(self)
        ip("link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("addr", "add", self.server + "/24", "dev", self.link)
        ip("link", "set", self.link, "up")
        for arguments in (["addr", "add", network + ".2/24", "dev", "eth0"], ["link", "set", "eth0", "up"],
                          ["link", "set", "lo", "up"]):
            ip("-n", self.name, *arguments)

    def worker(self, name):
        return Worker(name, host=self.server, around=("ip", "netns", "exec", self.name))

    def remove(self):
        subprocess.run(["ip", "link", "del", self.link])
        subprocess.run(["ip", "netns", "del", self.name])


def open_server():
    with open(os.environ["POSTGRES_TEST_FOLDER"] + "/data/pg_hba.conf", "a") as file:
        file.write("host all all 10.0.0.0/8 trust\n")
    sql("ALTER SYSTEM SET listen_addresses = '*'")
    control_server("-m", "fast", "restart")


def main():
    reference = "sqlite:" + os.path.join(room, "reference")
    prepare(reference, BUDGET)
    arena(reference, "season", "run", "cup", "--jobs", "2")
    expected = outcome(reference)
    hosts = [Host(number) for number in range(HOSTS)]
    open_server()
    prepare(URL, BUDGET)
    scheduler = Scheduler()
    workers = [host.worker(f"host-{number}") for number, host in enumerate(hosts)]
    wait_for("a group to be held", workers[0].leases)
    ip("link", "set", hosts[0].link, "down")
    before = played()
    wait_for("its groups to be others'", lambda: not workers[0].leases())
    ip("link", "set", hosts[0].link, "up")
    print(f"a link was down for longer than a lease after {before} games", flush=True)
    wait_for("the season to be played", lambda: played() == BUDGET)
    scheduler.wait()
    wait_for("it to be back", lambda: workers[0].count("store lost") == workers[0].count("store back"))
    for worker in workers:
        summary = worker.stop()
        print(worker.name, summary["games"], "games,", summary["refused"], "refused", flush=True)
    compare(expected, BUDGET)
    print(f"{BUDGET} games on {HOSTS} hosts: ladders, games and replays are those of one machine")


try:
    run(main)
finally:
    for host in links:
        host.remove()
