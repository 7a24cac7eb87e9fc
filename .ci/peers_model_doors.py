"""Holds the program against what else can stand where a model server should: web pages, other protocols, broken streams, silence.

usage: peers_model_doors.py BINARY [silent | wanted | PART OF A CASE'S NAME]     silent: the bounds on waiting, which take long
"""

import contextlib
import json
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

from peers_model_asked import Home, invalid, run
from peers_model_replies import SAID, good, http, lost, odd_calls, odd_replies, odd_streams, silent, stream, wanted


class Door:
    """A TCP server that answers the requests of one case, each with the next reply of its script; the last one is used again and again."""

    def __init__(self, script, secure=None, backlog=16):
        self.script, self.secure, self.requests = list(script), secure, []
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=backlog)
        self.port = self.socket.getsockname()[1]
        if script:
            threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with contextlib.suppress(OSError), connection:
            if self.secure:
                connection = self.secure.wrap_socket(connection, server_side=True)
            elif connection.recv(1, socket.MSG_PEEK) == b"\x16":
                # A TLS handshake: a web server without TLS answers it as any request it cannot read.
                connection.sendall(http("400 Bad Request", b"this is no HTTP"))
                return
            head, _, body = self.read_until(connection, b"\r\n\r\n")
            length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")), 0)
            while len(body) < length and (more := connection.recv(65536)):
                body += more
            self.requests.append(head + b"\r\n\r\n" + body)
            reply = self.script[min(len(self.requests), len(self.script)) - 1]
            for part in reply if isinstance(reply, list) else [reply]:
                connection.sendall(part) if isinstance(part, bytes) else part(connection)

    @staticmethod
    def read_until(connection, end):
        got = b""
        while end not in got:
            more = connection.recv(65536)
            if not more:
                raise OSError("gone")
            got += more
        return got.partition(end)


def certificate(folder, *constraints):
    """A certificate that signs itself, and a context that shows it. Without constraints it is what the usual openssl command makes."""
    pair = f"{folder}/{len(constraints)}"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
    ]
    command += [word for c in constraints for word in ("-addext", c)]
    subprocess.run([*command, "-keyout", f"{pair}.key", "-out", f"{pair}.pem"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{pair}.pem", f"{pair}.key")
    return f"{pair}.pem", context


def secured(folder):
    whole = stream(*SAID)
    tls = ("no secure connection", "https")
    path, context = certificate(folder, "basicConstraints=critical,CA:FALSE")
    yield lost("a certificate of its own", whole, requests=0, error=(*tls, "certificate"), also=("https", context))
    yield good("a certificate of its own, made known", whole, also=("https", context, {"SSL_CERT_FILE": path}))
    path, context = certificate(folder)
    yield lost(
        "a certificate of its own that may sign",
        whole,
        requests=0,
        error=(*tls, "certificate"),
        also=("https", context, {"SSL_CERT_FILE": path}),
    )
    yield lost("https to a port without it", whole, requests=None, error=tls, also=("https", None))
    yield lost("http to a port with https", whole, requests=None, error=("http",), also=("http", context), bound=30)


def main(binary, only=""):
    home = Home(binary)
    doors = {}
    with tempfile.TemporaryDirectory() as folder:
        everything = [*odd_streams(), *odd_replies(), *odd_calls(), *(secured(folder) if shutil.which("openssl") else [])]
        if only in ("silent", "wanted"):
            everything, only = [*(silent() if only == "silent" else wanted())], ""
        everything = [c for c in everything if only in c.name]

        def ask(case):
            scheme, context, environment = [*case.also, *("http", None, {})[len(case.also) :]]
            door = doors[case.name] = Door(case.script, context)
            base = f"{scheme}://127.0.0.1:{door.port}{case.path}"
            return home.ask(base, "some-model", *case.arguments, key=case.key, bound=case.bound, environment=environment)

        def judge(case):
            bodies = [request.partition(b"\r\n\r\n")[2] for request in doors[case.name].requests]
            return [f"request {n}: {what}" for n, body in enumerate(bodies, 1) if body for what in invalid(json.loads(body))]

        failed = run("doors", everything, ask, lambda case: len(doors[case.name].requests), judge)
        if not only:
            # Nobody takes the connection: the queue of the door is full.
            door = Door([], backlog=0)
            waiting = [socket.socket() for _ in range(4)]
            for one in waiting:
                one.setblocking(False)
                one.connect_ex(("127.0.0.1", door.port))
            case = lost("no connection is taken", requests=0, bound=40, least=9, error=("did not accept a connection in time",))
            failed += run("doors", [case], lambda c: home.ask(f"http://127.0.0.1:{door.port}/v1", "some-model", bound=c.bound), lambda _: 0)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
