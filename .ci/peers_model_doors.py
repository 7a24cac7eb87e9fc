"""Holds the program against what else can stand where a model server should: web pages, other protocols, broken streams, silence.

usage: peers_model_doors.py BINARY [PART OF A CASE'S NAME]
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
import time

from peers_model_asked import KEY, Case, Home, invalid, run

TEXT = "The documents do not say anything about it."


def http(status, body=b"", *headers, kind="application/json", length=None):
    body = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body) if length is None else length}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def page(status="200 OK", text="<html><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Use your account.</p></body></html>"):
    return http(status, text, kind="text/html; charset=utf-8")


def chunk(delta, finish=None):
    return json.dumps({"id": "x", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


def stream(*events, end="\n\n", head="data: ", done=True):
    """A stream of these events, as an HTTP reply that ends with its connection."""
    events = [*events, *(["[DONE]"] if done else [])]
    body = b"".join(e if isinstance(e, bytes) else (head + e + end).encode() for e in events)
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + body


def words(text=TEXT):
    return [chunk({"content": word}) for word in text.split(" ") for word in (word + " ",)]


SAID = [*words(), chunk({}, "stop")]


def forever(first, again, seconds=0.0):
    def reply(connection):
        connection.sendall(first)
        while True:
            connection.sendall(again)
            time.sleep(seconds)

    return reply


def pause(seconds):
    return lambda _: time.sleep(seconds)


def date_in(seconds):
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + seconds))


class Door:
    """A TCP server that answers the requests of one case, each with the next reply of its script; the last one is used again and again."""

    def __init__(self, script, secure=None, backlog=16, close=True):
        self.script, self.secure, self.requests, self.close = list(script), secure, [], close
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


def good(name, *script, requests=None, **more):
    return Case(name, script=script, answer=TEXT, outcome="not_found", requests=requests or len(script), **more)


def lost(name, *script, requests=1, error=(), bound=10, **more):
    return Case(name, script=script, outcome="error", code=6, requests=requests, error=error, bound=bound, **more)


def no_escapes(asked):
    return ["an escape character was printed"] if "\x1b" in asked.err + asked.out else []


def odd_streams():
    yield good("line ends of two characters", stream(*SAID, end="\r\n\r\n"))
    yield good("line ends of the old kind", stream(*SAID, end="\r\r"))
    yield good("no blank behind data:", stream(*SAID, head="data:"))
    yield good("a byte order mark before it", stream(b"\xef\xbb\xbf", *SAID))
    yield good("comments, names, ids, retry", stream(b": hello\n\n", b"retry: 1000\nid: 7\nevent: message\n", *SAID, b": bye\n\n"))
    yield good("data over two lines", stream(b'data: {"choices":[{"index":0,\ndata: "delta":{"content":"' + TEXT.encode() + b'"},"finish_reason":"stop"}]}\n\n'))
    yield good("no end mark", stream(*SAID, done=False))
    yield good("no blank line at the end", stream(*SAID, b"data: [DONE]", done=False))
    yield good("events behind the end mark", stream(*SAID, "[DONE]", *words("And more.")))
    yield good("more bytes than it says it has", [http("200 OK", b"", kind="text/event-stream", length=10_000_000), stream(*SAID).partition(b"\r\n\r\n")[2]])
    yield good("one byte at a time", [lambda c: [c.sendall(bytes([b])) for b in stream(*SAID)]])
    yield good("no content type", stream(*SAID).replace(b"Content-Type: text/event-stream\r\n", b""))
    yield good("content type of a text", stream(*SAID).replace(b"text/event-stream", b"text/plain"))
    yield good("events without choices", stream('{"choices":[]}', "{}", '{"choices":null}', *SAID, '{"choices":[],"usage":{}}'))
    yield good("bytes that are no UTF-8, then a good reply", stream(b'data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}\n\n', done=False), stream(*SAID), requests=2)
    yield good("broken JSON once", stream(*words("Some words"), '{"choices":[{"del', *SAID), stream(*SAID), stderr=("trying again",))
    yield good("an error in mid-stream once", stream(*words("Some words"), '{"error":{"message":"overloaded","code":500}}', done=False), stream(*SAID))
    yield good("an error event once", stream(b'event: error\ndata: {"message":"overloaded","code":500}\n\n', done=False), stream(*SAID))
    yield lost("a refusal in mid-stream", stream('{"error":{"message":"no","type":"invalid_request_error","code":400}}', done=False), error=("refused",))
    yield lost("nested deeper than any reply", stream('{"choices":' + "[" * 200_000, done=False), requests=4, bound=30)
    yield lost("one line without an end", forever(stream(done=False) + b"data: ", b"x" * 1_000_000), requests=None, bound=120)
    yield lost("words without an end", forever(stream(done=False), ("data: " + chunk({"content": "word " * 200}) + "\n\n").encode() * 100), requests=None, bound=120)


def odd_replies():
    whole = {"choices": [{"message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}]}
    yield good("not streamed", http("200 OK", whole))
    yield good("not streamed, content in parts", http("200 OK", {"choices": [{"message": {"content": [{"type": "text", "text": TEXT}]}}]}))
    yield good("not streamed, cut, then whole", http("200 OK", json.dumps(whole)[:50], length=500), http("200 OK", whole))
    yield good("an error with status 200, then an answer", http("200 OK", {"error": {"message": "busy", "code": 503}}), http("200 OK", whole))
    for name, body in {"no bytes": b"", "an empty object": {}, "an empty list": [], "null": b"null", "a text": '"hello"', "no choices": {"choices": []}}.items():
        yield lost(f"200 with {name}", http("200 OK", body), requests=None, bound=30)
    yield lost("204", http("204 No Content"), requests=None, bound=30)
    yield lost("a web page", page(), requests=None, error=("OpenAI-compatible",), bound=30)
    yield lost("a web page, 404", page("404 Not Found", "<html><title>404 Not Found</title><center>nginx</center></html>"), error=("404", "base URL"))
    yield good("a web page, 502, then an answer", page("502 Bad Gateway", "<html><title>502</title>nginx</html>"), http("200 OK", whole))
    for status in (301, 302, 307, 308):
        yield lost(f"redirect, {status}", http(f"{status} Moved", b"", "Location: https://login.example/?next=1"), error=("redirects", "login.example"))
    yield lost("redirect to nowhere", http("302 Found"), error=("redirects",))
    yield lost("another protocol", b"SSH-2.0-OpenSSH_9.6\r\n", requests=None, bound=30)
    yield lost("it hangs up at once", b"", requests=4, bound=30)
    yield lost("endless headers", forever(b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"x" * 8000 + b"\r\n"), requests=None, bound=30)
    yield lost("colours in the error", http("400 Bad Request", {"error": {"message": "\x1b[31mred\x1b[0m \x07\u202eback"}}), error=("refused",), further=no_escapes)
    yield lost("the key in the error", http("401 Unauthorized", {"error": {"message": f"Incorrect API key: {KEY}"}}), error=("[key]",))
    yield lost("the key in a redirect", http("302 Found", b"", f"Location: https://x.example/{KEY}?key={KEY}"), error=("redirects",))
    yield good("Retry-After as a date", [lambda c: c.sendall(http("429 Slow Down", b"", f"Retry-After: {date_in(4)}"))], http("200 OK", whole), least=3)
    for value in ("-1", "soon", "NaN", "", "Thu, 01 Jan 1970 00:00:00 GMT"):
        yield good(f"Retry-After: {value}", http("429 Slow Down", b"", f"Retry-After: {value}"), http("200 OK", whole), bound=10)
    for value in ("1e300", "99999999999999999999", "inf"):
        yield lost(f"Retry-After: {value}", http("429 Slow Down", b"", f"Retry-After: {value}"), requests=None, error=("rate limit",), bound=30)


def silent():
    """What takes long: the bounds on waiting themselves."""
    again = "trying again"
    yield good("stops for good in mid-stream, once", [stream(*words("Some"), done=False), pause(100)], stream(*SAID), least=59, bound=90, stderr=("no byte for 60 s", again))
    yield lost("never says a word", pause(1000), requests=2, least=359, bound=400, error=("no reply within 180 s",))
    # A sign of life stretches a wait, but not for ever.
    for name, sign in {"comments": b": still here\n\n", "empty events": b'data: {"choices":[]}\n\n', "empty words": f"data: {chunk({'content': ''})}\n\n".encode()}.items():
        yield lost(f"sends only {name}", forever(stream(done=False), sign, 1), requests=None, bound=2000)
        yield lost(f"sends only {name} after some words", forever(stream(*words(), done=False), sign, 1), requests=None, bound=2000)


def certificate(folder, *constraints):
    """A certificate that signs itself, and a context that shows it. Without constraints it is what the usual openssl command makes."""
    pair = f"{folder}/{len(constraints)}"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
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
    yield lost("a certificate of its own that may sign", whole, requests=0, error=(*tls, "certificate"), also=("https", context, {"SSL_CERT_FILE": path}))
    yield lost("https to a port without it", whole, requests=None, error=tls, also=("https", None))
    yield lost("http to a port with https", whole, requests=None, error=("http",), also=("http", context), bound=30)


def main(binary, only=""):
    home = Home(binary)
    doors = {}
    with tempfile.TemporaryDirectory() as folder:
        everything = [*odd_streams(), *odd_replies(), *(secured(folder) if shutil.which("openssl") else [])]
        if only == "silent":
            everything, only = [*silent()], ""
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
