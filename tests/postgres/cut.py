# SPDX-License-Identifier: MIT
"""Stands between the arena and its server, and cuts the connection at a COMMIT: cut.py PORT SERVER_PORT
EVERY LOG. Of the COMMITs that pass, each EVERYth is cut: in turns after the server has done it, whose
answer is then lost, and before it hears of it. If EVERY is 0, only the first replay is cut: the server gets
half of the message, and never learns that its client is gone. Prints "ready", and writes a line a cut to LOG."""

import select
import socket
import sys
import threading
import time

port, server_port, every = (int(text) for text in sys.argv[1:4])
log = open(sys.argv[4], "w", buffering=1)
lock = threading.Lock()
commits = cuts = 0
TCP_REPAIR = 19


def fate():
    """What is done to this COMMIT: None, "after" or "before"."""
    global commits, cuts
    with lock:
        commits += 1
        if commits % every:
            return None
        cuts += 1
        how = "after" if cuts % 2 else "before"
        log.write(how + "\n")
        return how


def vanish(server):
    """Ends a connection without a packet, as a machine does that loses its power. Needs root."""
    global cuts
    cuts += 1
    time.sleep(0.5)  # a delayed acknowledgment would be answered with a reset
    server.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
    log.write("half\n")


def serve(client):
    server = socket.create_connection(("127.0.0.1", server_port))
    try:
        while True:
            for ready in select.select([client, server], [], [])[0]:
                data = ready.recv(65536)
                if not data:
                    return
                if every == 0 and cuts == 0 and ready is client and b"INSERT INTO replay" in data:
                    server.sendall(data[:-100])
                    vanish(server)
                    return
                if every and ready is client and data.startswith(b"Q") and b"COMMIT\0" in data:
                    how = fate()
                    if how == "before":
                        return
                    server.sendall(data)
                    if how == "after":
                        server.recv(65536)
                        return
                else:
                    (server if ready is client else client).sendall(data)
    except OSError:
        pass
    finally:
        client.close()
        server.close()


listener = socket.create_server(("127.0.0.1", port))
print("ready", flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
