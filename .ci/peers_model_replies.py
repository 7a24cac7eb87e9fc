"""Replies that a program must bear from what stands where a model server should, and what must come of each."""

import json
import time

from peers_model_asked import KEY, Case

TEXT = "The documents do not say anything about it."


def http(status, body=b"", *headers, kind="application/json", length=None):
    body = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    lines = [
        f"HTTP/1.1 {status}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body) if length is None else length}",
        "Connection: close",
        *headers,
    ]
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


def good(name, *script, requests=None, **more):
    return Case(name, script=script, answer=TEXT, outcome="not_found", requests=requests or len(script), **more)


def lost(name, *script, requests=1, error=(), bound=10, **more):
    return Case(name, script=script, requests=requests, error=error, bound=bound, **{"outcome": "error", "code": 6, **more})


def no_escapes(asked):
    return ["an escape character was printed"] if "\x1b" in asked.err + asked.out else []


def odd_streams():
    yield good("line ends of two characters", stream(*SAID, end="\r\n\r\n"))
    yield good("line ends of the old kind", stream(*SAID, end="\r\r"))
    yield good("no blank behind data:", stream(*SAID, head="data:"))
    yield good("a byte order mark before it", stream(b"\xef\xbb\xbf", *SAID))
    yield good("comments, names, ids, retry", stream(b": hello\n\n", b"retry: 1000\nid: 7\nevent: message\n", *SAID, b": bye\n\n"))
    yield good(
        "data over two lines",
        stream(b'data: {"choices":[{"index":0,\ndata: "delta":{"content":"' + TEXT.encode() + b'"},"finish_reason":"stop"}]}\n\n'),
    )
    yield good("no end mark", stream(*SAID, done=False))
    yield good("no blank line at the end", stream(*SAID, b"data: [DONE]", done=False))
    yield good("events behind the end mark", stream(*SAID, "[DONE]", *words("And more.")))
    yield good(
        "more bytes than it says it has",
        [http("200 OK", b"", kind="text/event-stream", length=10_000_000), stream(*SAID).partition(b"\r\n\r\n")[2]],
    )
    yield good("one byte at a time", [lambda c: [c.sendall(bytes([b])) for b in stream(*SAID)]])
    yield good("no content type", stream(*SAID).replace(b"Content-Type: text/event-stream\r\n", b""))
    yield good("content type of a text", stream(*SAID).replace(b"text/event-stream", b"text/plain"))
    yield good("events without choices", stream('{"choices":[]}', "{}", '{"choices":null}', *SAID, '{"choices":[],"usage":{}}'))
    yield good(
        "bytes that are no UTF-8, then a good reply",
        stream(b'data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}\n\n', done=False),
        stream(*SAID),
        requests=2,
    )
    yield good("broken JSON once", stream(*words("Some words"), '{"choices":[{"del', *SAID), stream(*SAID), stderr=("trying again",))
    yield good(
        "an error in mid-stream once",
        stream(*words("Some words"), '{"error":{"message":"overloaded","code":500}}', done=False),
        stream(*SAID),
    )
    yield good("an error event once", stream(b'event: error\ndata: {"message":"overloaded","code":500}\n\n', done=False), stream(*SAID))
    yield lost(
        "a refusal in mid-stream",
        stream('{"error":{"message":"no","type":"invalid_request_error","code":400}}', done=False),
        error=("refused",),
    )
    yield lost("nested deeper than any reply", stream('{"choices":' + "[" * 200_000, done=False), requests=4, bound=30)
    yield lost("one line without an end", forever(stream(done=False) + b"data: ", b"x" * 1_000_000), requests=None, bound=120)
    yield lost(
        "words without an end",
        forever(stream(done=False), ("data: " + chunk({"content": "word " * 200}) + "\n\n").encode() * 100),
        requests=None,
        bound=120,
    )


def odd_replies():
    whole = {"choices": [{"message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}]}
    yield good("not streamed", http("200 OK", whole))
    yield good("not streamed, content in parts", http("200 OK", {"choices": [{"message": {"content": [{"type": "text", "text": TEXT}]}}]}))
    yield good("not streamed, cut, then whole", http("200 OK", json.dumps(whole)[:50], length=500), http("200 OK", whole))
    yield good(
        "an error with status 200, then an answer", http("200 OK", {"error": {"message": "busy", "code": 503}}), http("200 OK", whole)
    )
    for name, body in {
        "no bytes": b"",
        "an empty object": {},
        "an empty list": [],
        "null": b"null",
        "a text": '"hello"',
        "no choices": {"choices": []},
    }.items():
        yield lost(f"200 with {name}", http("200 OK", body), requests=None, bound=30)
    yield lost("204", http("204 No Content"), requests=None, bound=30)
    yield lost("a web page", page(), requests=None, error=("OpenAI-compatible",), bound=30)
    yield lost(
        "a web page, 404",
        page("404 Not Found", "<html><title>404 Not Found</title><center>nginx</center></html>"),
        error=("404", "base URL"),
    )
    yield good("a web page, 502, then an answer", page("502 Bad Gateway", "<html><title>502</title>nginx</html>"), http("200 OK", whole))
    for status in (301, 302, 307, 308):
        yield lost(
            f"redirect, {status}",
            http(f"{status} Moved", b"", "Location: https://login.example/?next=1"),
            error=("redirects", "login.example"),
        )
    yield lost("redirect to nowhere", http("302 Found"), error=("redirects",))
    yield lost("another protocol", b"SSH-2.0-OpenSSH_9.6\r\n", requests=None, bound=30)
    yield lost("it hangs up at once", b"", requests=4, bound=30)
    yield lost("endless headers", forever(b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"x" * 8000 + b"\r\n"), requests=None, bound=30)
    yield lost(
        "colours in the error",
        http("400 Bad Request", {"error": {"message": "\x1b[31mred\x1b[0m \x07\u202eback"}}),
        error=("refused",),
        further=no_escapes,
    )
    yield lost("the key in the error", http("401 Unauthorized", {"error": {"message": f"Incorrect API key: {KEY}"}}), error=("[key]",))
    yield lost("the key in a redirect", http("302 Found", b"", f"Location: https://x.example/{KEY}?key={KEY}"), error=("redirects",))
    yield good(
        "Retry-After as a date",
        [lambda c: c.sendall(http("429 Slow Down", b"", f"Retry-After: {date_in(4)}"))],
        http("200 OK", whole),
        least=3,
    )
    for value in ("-1", "soon", "NaN", "", "Thu, 01 Jan 1970 00:00:00 GMT"):
        yield good(f"Retry-After: {value}", http("429 Slow Down", b"", f"Retry-After: {value}"), http("200 OK", whole), bound=10)
    for value in ("1e300", "99999999999999999999", "inf"):
        yield lost(
            f"Retry-After: {value}", http("429 Slow Down", b"", f"Retry-After: {value}"), requests=None, error=("rate limit",), bound=30
        )


def call(arguments='{"doc_name": "annual-report.pdf", "pages": "4"}', name="get_page_content", **more):
    return {"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}, **more}


def calls(*calls, finish="tool_calls"):
    return stream(chunk({"role": "assistant", "content": None, "tool_calls": list(calls)}), chunk({}, finish))


def written(text):
    """A reply that holds nothing but text."""
    return stream(chunk({"content": text}), chunk({}, "stop"))


def made(number):
    return lambda asked: [] if len(asked.report.get("tool_calls", [])) == number else [f"calls: {asked.report.get('tool_calls')}"[:300]]


def odd_calls():
    right = {"name": "get_page_content", "arguments": {"doc_name": "annual-report.pdf", "pages": "4"}}
    for index in (-1, "0", None, 4_000_000_000_000):
        yield good(f"a call with the index {index!r}", calls(call(index=index)), stream(*SAID), further=made(1))
    yield good(
        "a call in the older form",
        stream(chunk({"function_call": call()["function"]}), chunk({}, "function_call")),
        stream(*SAID),
        further=made(1),
    )
    yield good("a call written in tags", written(f"<tool_call>{json.dumps(right)}</tool_call>"), stream(*SAID), further=made(1))
    yield good("a call written in a fenced block", written(f"```json\n{json.dumps(right)}\n```"), stream(*SAID), further=made(1))
    yield good("finish reason stop behind a call", calls(call(), finish="stop"), stream(*SAID), further=made(1))
    yield good(
        "arguments of five megabytes", calls(call(json.dumps({"doc_name": "a" * 5_000_000, "pages": "1"}))), stream(*SAID), further=made(1)
    )
    yield good("arguments nested 50,000 deep", calls(call('{"a":' * 50_000 + "1" + "}" * 50_000)), stream(*SAID), further=made(1))
    yield good("a name with colours", calls(call(name="\x1b[31mred\n[tool] other")), stream(*SAID), further=no_escapes)
    yield good("only reasoning, then an answer", stream(chunk({"reasoning_content": "So."}), chunk({}, "stop")), stream(*SAID))
    yield lost("only reasoning, without an end tag", written("<think>So."), requests=2, error=("empty answer",))
    yield lost("a refusal", stream(chunk({"refusal": "I cannot help with that."}), chunk({}, "stop")), error=("refused",))
    yield good("a call announced, but not sent", stream(chunk({"content": "I will look."}), chunk({}, "tool_calls")), stream(*SAID))
    for name, text in {
        "Mistral": f"[TOOL_CALLS] {json.dumps([right])}",
        "Llama": f"<|python_tag|>{json.dumps({'name': right['name'], 'parameters': right['arguments']})}",
        "a template that begins the reply": f"{json.dumps(right)}\n</tool_call>",
    }.items():
        yield good(f"a call written as by {name}", written(text), stream(*SAID), further=made(1))
    refusal = {"error": {"code": 400, "message": "Failed to initialize samplers: failed to parse grammar", "type": "invalid_request_error"}}
    yield good("a grammar that the server cannot make", http("400 Bad Request", refusal), stream(*SAID))
    counts = '{"choices":[],"usage":{"prompt_tokens":-5,"completion_tokens":1e300,"total_tokens":"x"}}'
    yield good("token counts of nobody", stream(*SAID, counts))
    for parameter in ("stream_options", "tool_choice"):
        refusal = http("400 Bad Request", {"error": {"message": f"Unrecognized request argument supplied: {parameter}"}})
        yield good(f"a server that does not know {parameter}", refusal, stream(*SAID), arguments=("--max-turns", "1"))


def wanted():
    """What does not hold yet."""
    no_tools = {"error": {"message": "registry.ollama.ai/library/x does not support tools", "type": "api_error"}}
    yield lost("a model without tools", http("400 Bad Request", no_tools), error=("call tools",))
    yield lost("an hour's wait is said", http("429 Slow Down", b"", "Retry-After: 3600"), error=("60 min",))
    yield lost("another protocol, asked once", b"SSH-2.0-OpenSSH_9.6\r\n", requests=1, error=("http",))


def silent():
    """What takes long: the bounds on waiting themselves."""
    again = "trying again"
    yield good(
        "stops for good in mid-stream, once",
        [stream(*words("Some"), done=False), pause(100)],
        stream(*SAID),
        least=59,
        bound=90,
        stderr=("no byte for 60 s", again),
    )
    yield lost("never says a word", pause(1000), requests=2, least=359, bound=400, error=("no reply within 180 s",))
    # A sign of life stretches a wait, but not for ever: at the latest, the limit on a run's time ends it.
    for name, sign in {
        "comments": b": still here\n\n",
        "empty events": b'data: {"choices":[]}\n\n',
        "empty words": f"data: {chunk({'content': ''})}\n\n".encode(),
    }.items():
        yield lost(
            f"sends only {name}", forever(stream(done=False), sign, 1), requests=None, bound=660, outcome=("error", "limit"), code=(5, 6)
        )
        yield lost(
            f"sends only {name} after some words",
            forever(stream(*words(), done=False), sign, 1),
            requests=None,
            bound=660,
            outcome=("error", "limit"),
            code=(5, 6),
        )
