"""Holds the program against llmock, a model server that breaks on demand and judges how a client took it.

usage: peers_model_llmock.py BINARY [chat|responses]
"""

import sys

from peers_model_asked import Case, Home, fetch, free_port, invalid, run, started

ANSWER = "Total revenue was $2,647.2 million"
CITED = f'{ANSWER}. <cite doc="annual-report.pdf" page="4">Total revenue was $2,647.2 million</cite>'
UNCITED = "The documents do not say anything about it."
READ = {"name": "get_page_content", "arguments": {"doc_name": "annual-report.pdf", "pages": "4"}}

TWO_PARTS = f"First of all something to begin with.\n\n{UNCITED}"


def withdrawn(asked):
    first, last = (asked.out.count(part) for part in TWO_PARTS.split("\n\n"))
    return [] if (first, last, asked.err.count("is withdrawn")) == (2, 1, 1) else [f"the terminal shows {asked.out!r}"]


def read():
    return {"type": "reply", "tool_calls": [READ]}


def says(text=CITED, **more):
    return {"type": "reply", "text": text, **more}


def fail(status, times=1, **more):
    return {"type": "fail", "status": status, "times": times, **more}


def broken(kind, after=3, times=1, **more):
    return {"type": "stream_fault", "kind": kind, "after_chunks": after, "times": times, **more}


def good(name, *faults, requests=2, **more):
    """The page is read and the answer is cited, whatever went wrong in between. A reply that a fault spoils is used up with it."""
    spoilt = sum(f["times"] for f in faults if f["type"] in ("stream_fault", "tool_fault") and f.get("kind") != "stall")
    replies = [{**read(), "times": 1 + spoilt}, says()]
    return Case(name, script=[*replies, *faults], answer=ANSWER, verified=1, requests=requests, **more)


def lost(name, *faults, requests=1, **more):
    return Case(name, script=[*faults], outcome="error", code=6, requests=requests, **more)


def cases():
    yield good("tool call, cited answer")
    yield Case("plain text", script=[says(UNCITED)], answer=UNCITED, outcome="not_found", requests=1)
    # llmock chooses tool and arguments itself; then it says something without any citation, also when asked for citations.
    yield Case("a call with made-up arguments", answer="", further=lambda a: [] if a.report.get("tool_calls") else ["no tool was called"])

    yield good("429 twice, Retry-After", fail(429, 2, retry_after=1), requests=4, least=2, stderr=("rate limit", "trying again in"))
    yield good("429 once, Retry-After under a second", fail(429, retry_after=0.3), requests=3)
    yield good("500 twice", fail(500, 2), requests=4, stderr=("server failed", "trying again in"))
    for status in (408, 409, 502, 503, 504, 529):
        yield good(f"{status} once", fail(status, retry_after=0.1), requests=3)
    # Waits that the server names cost time, not tries.
    yield good("429 five times, Retry-After", fail(429, 5, retry_after=0.3), requests=7, least=10, bound=90, stderr=("rate limit",))
    yield lost("429 with a long Retry-After", fail(429, None, retry_after=3600), requests=1, bound=10, error=("rate limit",))
    yield lost(
        "429, no credit",
        fail(429, None, code="insufficient_quota", message="You exceeded your current quota."),
        error=("credit", "429"),
        bound=10,
    )
    for status in (500, 503):
        yield lost(f"{status} storm", fail(status, None), requests=4, error=("server failed", str(status)))
    yield lost("400", fail(400, None), error=("refused", "400"), bound=10)
    yield lost("401, wrong key", fail(401, None, message="Incorrect API key provided."), error=("key", "401"), bound=10)
    yield lost("402", fail(402, None), error=("credit",), bound=10)
    yield lost("403", fail(403, None), error=("key", "403"), bound=10)
    yield lost(
        "404, unknown model",
        fail(404, None, code="model_not_found", message="The model does not exist."),
        error=("model", "gpt-4o"),
        bound=10,
    )
    yield lost("413", fail(413, None), error=("longer than the model can read",), bound=10)
    yield lost("422", fail(422, None), error=("refused", "422"), bound=10)
    yield lost("501", fail(501, None), error=("501",), bound=10)
    yield Case("wrong path", path="/v2", outcome="error", code=6, error=("404", "no such address", "/v2/"), bound=10)
    too_long = fail(400, 1, code="context_length_exceeded", message="This model's maximum context length is 4096 tokens.")
    yield lost("context too long at once", {**too_long, "times": None}, error=("longer than the model can read",), bound=10)

    for kind in ("truncate", "disconnect", "malformed"):
        for after in (0, 1, 3):
            yield good(f"{kind} in the call after {after}", broken(kind, after), requests=3)
        yield lost(f"{kind} storm", says(times=None), broken(kind, 3, None), requests=4)
        yield Case(
            f"{kind} in the answer",
            script=[says(UNCITED, times=2), broken(kind, 4)],
            answer=UNCITED,
            outcome="not_found",
            requests=2,
            stderr=("trying again in",),
        )
        # A pipe gets the accepted answer alone; a terminal shows what comes as it comes, and is told that it counts no more.
        parts = [says(TWO_PARTS, times=2), broken(kind, 12)]
        yield Case(f"{kind}, plain", script=parts, answer=TWO_PARTS, shown="plain", requests=2)
        yield Case(f"{kind}, terminal", script=parts, shown="terminal", requests=2, further=withdrawn)
        yield Case(f"{kind} storm, plain", script=[says(times=None), broken(kind, 3, None)], code=6, shown="plain", requests=4)
    yield good("stall of 5 s", broken("stall", 2, stall_seconds=5), least=5)
    yield good("first token after 5 s", {"type": "slow_first_token", "seconds": 5}, least=5)
    yield good("reply after 5 s", {"type": "delay", "seconds": 5}, least=5)
    # Servers are known that end after a whole call without a finish reason; llmock calls it a fault to take it.
    yield Case(
        "a whole call without a finish reason",
        script=[read(), says(), broken("truncate", 6)],
        answer=ANSWER,
        verified=1,
        requests=2,
        also=("chat", "cut is whole"),
    )
    yield good("malformed arguments", {"type": "tool_fault", "kind": "malformed_arguments", "times": 1}, requests=3)
    yield good("unknown tool", {"type": "tool_fault", "kind": "unknown_tool", "times": 1}, requests=3)
    yield Case(
        "answer cut by the output limit", script=[read(), says(finish_reason="length", times=3)], answer=ANSWER, outcome="limit", code=5
    )
    yield Case(
        "content filter",
        script=[says("I cannot", finish_reason="content_filter", times=3)],
        outcome="error",
        code=6,
        error=("filter",),
        also=("chat",),
    )
    yield Case("empty answers", script=[says("", times=9)], outcome="error", code=6, requests=2)
    yield Case("calls without end", script=[{**read(), "times": None}], arguments=("--max-turns", "4"), outcome="limit", code=5, requests=4)
    stopped = {"outcome": "interrupted", "code": 130}
    yield Case("Ctrl-C in a stalled stream", script=[says(), broken("stall", 3, stall_seconds=20)], interrupt=2, **stopped)
    yield Case("Ctrl-C before the first byte", script=[{"type": "delay", "seconds": 20}], interrupt=2, **stopped)
    yield Case("Ctrl-C in a wait", script=[fail(429, None, retry_after=20)], interrupt=2, **stopped)


def main(binary, api="chat"):
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    home = Home(binary)
    with started([f"{sys.prefix}/bin/llmock", "serve", "--port", str(port), "--log-level", "error"], f"{base}/health"):
        # Some are about what only the older interface can say.
        everything = [c for c in cases() if api == "chat" or "chat" not in c.also]
        path = {"chat": "/v1/chat/completions", "responses": "/v1/responses"}[api]
        interface = [] if api == "chat" else ["--api", api]

        def ask(case):
            if case.script:
                fetch(f"{base}/_llmock/scenario", {"behaviors": [{**b, "match": {"model": case.model}} for b in case.script]})
            arguments = [*interface, *case.arguments]
            return home.ask(
                base + case.path, case.model, *arguments, key=case.key, bound=case.bound, interrupt=case.interrupt, shown=case.shown
            )

        def seen():
            return [r for r in fetch(f"{base}/_llmock/requests")["requests"] if r["method"] == "POST"]

        def judge(case):
            # What llmock itself has to say of the client: Retry-After kept, no storm, nothing tried again in vain, no cut stream taken for whole.
            requests = [r for r in seen() if r["model"] == case.model]
            mine = {r["seq"] for r in requests}
            wrong = [f"it asked {r['path']}" for r in requests if r["path"] != path and case.path == "/v1"]
            wrong += [f"request {n}: {what}" for n, r in enumerate(requests, 1) if r["body"] for what in invalid(r["body"])]
            findings = [f for f in fetch(f"{base}/_llmock/verdict")["findings"] if set(f["requests"]) & mine]
            # After the last try a cut stream is an error, which llmock cannot see.
            given_up = "truncated_stream_accepted" if case.code == 6 or "cut is whole" in case.also else None
            return wrong + [f"llmock: {f['title']}" for f in findings if f["severity"] == "error" and f["code"] != given_up]

        failed = run(
            f"llmock {api}" if interface else "llmock", everything, ask, lambda case: sum(r["model"] == case.model for r in seen()), judge
        )
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
