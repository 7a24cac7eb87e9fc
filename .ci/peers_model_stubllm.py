"""Holds the program against stubllm, a model server that follows fixtures.

usage: peers_model_stubllm.py BINARY
"""

import json
import pathlib
import sys
import tempfile

from peers_model_asked import Case, Home, fetch, free_port, run, started
from peers_model_proxy import proxy, unstreamed

ANSWER = "Total revenue was $2,647.2 million"
CITED = f'{ANSWER}. <cite doc="annual-report.pdf" page="4">Total revenue was $2,647.2 million</cite>'
UNCITED = "The documents do not say anything about it."


def call(name="get_page_content", arguments='{"doc_name": "annual-report.pdf", "pages": "4"}', id="call_1"):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls(*calls, **more):
    return {"tool_calls": list(calls or (call(),)), **more}


def says(content=CITED, **more):
    return {"content": content, **more}


def fail(status, message="An error occurred.", code=None, **more):
    return {"http_status": status, "error_message": message, "error_code": code, **more}


def good(name, *replies, requests=2, **more):
    return Case(name, script=replies or (calls(), says()), answer=ANSWER, verified=1, requests=requests, **more)


def lost(name, *replies, requests=1, **more):
    return Case(name, script=replies, outcome="error", code=6, requests=requests, **more)


def tools(number):
    def further(asked):
        made = [c["name"] for c in asked.report.get("tool_calls", [])]
        return [] if len(made) == number else [f"tool calls: {made}"]

    return further


def whole(asked):
    found = asked.report.get("answer_raw", "").count(UNCITED)
    return [] if found == 400 else [f"{found} of 400 paragraphs"]


def cases():
    yield good("tool call, cited answer")
    yield good("tool call, cited answer, not streamed", also=("not streamed",))
    yield Case("plain text", script=(says(UNCITED),), answer=UNCITED, outcome="not_found", requests=1)
    yield Case("plain text, not streamed", script=(says(UNCITED),), answer=UNCITED, outcome="not_found", requests=1, also=("not streamed",))
    # stubllm gives each call of a turn the index 0, and a stream of calls has no finish reason.
    two = (call(id="call_1"), call("get_document_structure", '{"doc_name": "annual-report.pdf"}', id="call_2"))
    yield good("two calls with one index", calls(*two), says(), further=tools(2))
    yield good("two calls, not streamed", calls(*two), says(), further=tools(2), also=("not streamed",))
    yield good(
        "two calls with one id",
        calls(call(), call("get_document_structure", '{"doc_name": "annual-report.pdf"}')),
        says(),
        further=tools(2),
    )
    yield good("no id", calls(call(id="")), says())
    yield good("arguments as an object", calls(call(arguments={"doc_name": "annual-report.pdf", "pages": "4"})), says())
    yield good("empty arguments, then right ones", calls(call("browse_documents", "")), calls(), says(), requests=3)
    yield good("arguments that are no JSON, then right ones", calls(call(arguments="{'doc_name': ")), calls(), says(), requests=3)
    yield good("unknown tool, then a right one", calls(call("read_everything", "{}")), calls(), says(), requests=3)
    yield good("the same call again", calls(), calls(), says(), requests=3)
    yield good(
        "429 without Retry-After, twice",
        fail(429, "Rate limit exceeded."),
        fail(429, "Rate limit exceeded."),
        calls(),
        says(),
        requests=4,
        least=1,
    )
    yield good("500, then success", fail(500), calls(), says(), requests=3)
    yield good(
        "503 while the model loads, then success",
        fail(503, "Loading model"),
        fail(503, "Loading model"),
        calls(),
        says(),
        requests=4,
        stderr=("loading the model",),
    )
    yield good("429 between the turns", calls(), fail(429, "Slow down."), says(), requests=3)
    yield lost("429 storm without Retry-After", fail(429, "Rate limit exceeded."), requests=4, least=3, error=("rate limit", "429"))
    yield lost("500 storm", fail(500), requests=4, error=("server failed", "500"))
    yield lost("401, wrong key", fail(401, "Incorrect API key provided: sk-proj-***."), error=("key", "401"), bound=10)
    yield lost(
        "401 that repeats the key",
        fail(401, "Incorrect API key provided: sk-proj-Peers0123456789SecretKey"),
        error=("key", "401"),
        bound=10,
    )
    yield lost("401 without a key", fail(401, "Missing bearer token"), key="", error=("wants a key",), bound=10)
    yield lost("no credit", fail(429, "You exceeded your current quota.", "insufficient_quota"), error=("credit",), bound=10)
    yield lost(
        "unknown model", fail(404, "The model `x` does not exist", "model_not_found"), error=("does not know the model", "gpt-4o"), bound=10
    )
    yield lost(
        "context too long",
        fail(400, "This model's maximum context length is 8192 tokens.", "context_length_exceeded"),
        error=("longer than the model can read",),
        bound=10,
    )
    # What was read is shortened, and the question is asked again.
    long = fail(400, "This model's maximum context length is 8192 tokens.", "context_length_exceeded")
    yield Case(
        "context too long after reading",
        script=(calls(call(arguments='{"doc_name": "annual-report.pdf", "pages": "4-12"}')), long, says()),
        answer=ANSWER,
        requests=3,
    )
    yield Case("wrong path", path="/wrong/v1", outcome="error", code=6, error=("404", "/wrong/v1/chat/completions"), bound=10)
    yield good("a base URL with the whole path", path="/v1/chat/completions")
    yield good("a base URL with a slash at the end", path="/v1/")
    yield good("first byte after 5 s", calls(latency_ms=5000), says(), least=5)
    yield good("first byte after 5 s, not streamed", calls(latency_ms=5000), says(), least=5, also=("not streamed",))
    yield good("slow chunks", calls(), says(stream_chunk_delay_ms=200), least=3)
    yield good("no pause between chunks", calls(stream_chunk_delay_ms=0), says(stream_chunk_delay_ms=0))
    yield Case("empty content", script=(says(""),), outcome="error", code=6, requests=2)
    yield Case("empty content, then an answer", script=(says(""), says(UNCITED)), answer=UNCITED, outcome="not_found", requests=2)
    yield Case("a long answer", script=(says("\n\n".join([UNCITED] * 400), stream_chunk_delay_ms=0),), requests=1, further=whole)
    yield Case(
        "characters of many scripts",
        script=(says("В документах об этом ничего нет. 文書にはありません 🙈", stream_chunk_delay_ms=0),),
        answer="文書にはありません 🙈",
        requests=1,
    )
    yield Case(
        "Ctrl-C in a slow stream", script=(says(stream_chunk_delay_ms=1000),), interrupt=2, outcome="interrupted", code=130, requests=1
    )
    yield Case("Ctrl-C before the first byte", script=(says(latency_ms=20000),), interrupt=2, outcome="interrupted", code=130, requests=1)


def fixtures(everything):
    return [{"name": c.model, "match": {"model": c.model}, "sequence": list(c.script)} for c in everything if c.script]


def main(binary):
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    home = Home(binary)
    everything = list(cases())
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fixtures.json"
        path.write_text(json.dumps({"fixtures": fixtures(everything)}))
        command = [f"{sys.prefix}/bin/stubllm", "serve", "--port", str(port), "--fixture-file", str(path), "--log-level", "error"]
        with started(command, f"{base}/health"), proxy(base, unstreamed) as (whole_replies, _):

            def ask(case):
                address = whole_replies if "not streamed" in case.also else base
                return home.ask(address + case.path, case.model, *case.arguments, key=case.key, bound=case.bound, interrupt=case.interrupt)

            def count(case):
                return fetch(f"{base}/_stats")["fixture_call_counts"].get(case.model, 0)

            failed = run("stubllm", everything, ask, count)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(sys.argv[1])
