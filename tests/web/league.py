# SPDX-License-Identifier: MIT
"""An arena on the network for the tests of this folder: a home of its own, a daemon, bots, uploads."""
import http.client
import io
import json
import os
import re
import shutil
import socket
import subprocess
import tarfile
import tempfile
import time


def free_address():
    """An address of this machine with a port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"127.0.0.1:{free.getsockname()[1]}"


def pack(files, kind="w:gz", prefix=""):
    """An archive of {name: (bytes, mode)}."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=kind) as archive:
        for name, (data, mode) in files.items():
            entry = tarfile.TarInfo(prefix + name)
            entry.size, entry.mode = len(data), mode
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def bot(built, name, version="1", author="any", more=(), **keys):
    """The files of a bot that plays at random."""
    with open(f"{built}/bots/random/random", "rb") as file:
        program = file.read()
    manifest = {"name": name, "version": version, "author": author, "language": "C", "run": ["./random"], **keys}
    return {"bot.json": (json.dumps(manifest).encode(), 0o644), "random": (program, 0o755), **dict(more)}


def smuggled(token):
    """Requests with a second one, which asks for the token's account, in a body whose length can be read in two ways."""
    inner = b"GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token.encode() + b"\r\n\r\n"
    size = b"%d" % len(inner)
    for head in (b"GET /live HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" %
                 (len(inner) + 5),
                 b"GET /live HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: " + size + b"\r\n\r\n",
                 b"GET /live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n",
                 b"GET /live HTTP/1.1\nHost: x\r\nContent-Length: " + size + b"\r\n\r\n",
                 b"GET /live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\nContent-Length: " + size + b"\r\n\r\n",
                 b"GET /live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\nContent-Length: " + size + b"\r\n\r\n",
                 b"GET /live HTTP/1.1\r\nHost: x\r\nX: y\r\n Content-Length: " + size + b"\r\n\r\n",
                 b"GET /live HTTP/1.1\r\nHost: x\r\nContent-Length: +" + size + b"\r\n\r\n",
                 b"POST /live HTTP/1.1\r\nHost: x\r\nContent-Length: " + size + b"\r\nConnection: Content-Length\r\n\r\n"):
        yield head + inner


def everything(connection, text):
    """What comes back on a connection for a text, up to its end: also what was told before it was closed on the other side."""
    got = b""
    try:
        connection.sendall(text)
    except OSError:
        pass
    try:
        while part := connection.recv(65536):
            got += part
    except OSError:
        pass
    connection.close()
    return got


# Names of other hosts, and heads by which some servers take another address than the one that was asked.
OTHER_HOSTS = [{"Host": "evil.example"}, {"Host": "evil.example:81"}, {"X-Forwarded-Host": "evil.example"},
               {"Forwarded": "host=evil.example"}, {"X-Original-URL": "/evil"}, {"X-Rewrite-URL": "/evil"},
               {"X-HTTP-Method-Override": "DELETE"}, {"Origin": "https://evil.example"}]


class League:
    """A home with a daemon that serves the API; `with League(BUILD) as league:` ends all."""

    def __init__(self, build, *options, listen="127.0.0.1:0", before=()):
        self.build = os.path.abspath(build)
        self.program = f"{self.build}/bin/arena"
        self.scratch = tempfile.mkdtemp(prefix="league-")
        self.home = f"{self.scratch}/home"
        self.environment = dict(os.environ, ARENA_HOME=self.home)
        self.options, self.before = options, before  # what starts the daemon, such as chrt
        self.daemon = None
        self.listen = listen
        self.address = self.host = ""
        self.port = 0

    def arena(self, *arguments, status=0):
        done = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=self.environment, check=False, timeout=300)
        assert done.returncode == status, (arguments, done)
        return done.stdout if status == 0 else done.stderr

    def author(self, name):
        """Makes an account; returns a token."""
        self.arena("author", "new", name)
        return self.arena("author", "token", name).strip()

    def begin(self):
        with open(f"{self.scratch}/log", "ab") as log:
            begun = log.tell()
            self.daemon = subprocess.Popen([*self.before, self.program, "serve", "--web", self.listen, *self.options],
                                           env=self.environment, stdout=log, stderr=log)
        for _ in range(600):
            found = re.search(r"listens at (http://(\S+):(\d+))\n", self.log(begun))
            if found:
                self.address, self.host, self.port = found[1], found[2], int(found[3])
                # The daemon writes this page when it begins; the desk may come after it.
                if self.ask("/live")[0] == 200 and self.ask("/api/v1/status")[0] != 503:
                    return self
            time.sleep(0.05)
        raise SystemExit(self.log())

    def log(self, begun=0):
        with open(f"{self.scratch}/log", encoding="utf-8") as file:
            file.seek(begun)
            return file.read()

    def web(self, name="web"):
        """The process id of the web process, or of the desk."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    line = file.read().split(b"\0")
            except OSError:
                continue
            if name.encode() in line[1:6] and f"{self.home}/web/desk".encode() in line:
                return int(pid)
        return 0

    def ask(self, path, token=None, body=None, method=None, headers=()):
        """One request: (status, headers, body, which is read if it is JSON)."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        fields = dict(headers, **({"Authorization": f"Bearer {token}"} if token else {}))
        try:
            connection.request(method or ("GET" if body is None else "POST"), path, body, fields)
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        if re.search(r"[/+]json", answer.getheader("Content-Type", "")):
            data = json.loads(data)
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, data

    def upload(self, token, name, version="1", **keys):
        return self.ask(f"/api/v1/bots/{name}", token, pack(bot(self.build, name, version, **keys)))

    def wait(self, number, token, seconds=120):
        """The submission when it has ended."""
        for _ in range(seconds * 10):
            status, _, answer = self.ask(f"/api/v1/submissions/{number}", token)
            if status == 200 and answer["state"] in ("admitted", "refused"):
                return answer
            time.sleep(0.1)
        raise SystemExit(f"submission {number} does not end")

    def __enter__(self):
        return self.begin()

    def __exit__(self, kind, *_):
        self.daemon.terminate()
        status = self.daemon.wait(60)
        log = self.log()
        if kind or status or "Sanitizer" in log:
            print(log)
        assert status == 0 and "Sanitizer" not in log
        shutil.rmtree(self.scratch)
