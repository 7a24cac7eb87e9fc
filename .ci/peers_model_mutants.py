"""Holds the program against replies with something changed at random: values, pieces, bytes. Whatever they are, it must end in good order.

usage: peers_model_mutants.py BINARY [HOW MANY [SEED [chat|responses]]]
"""

import concurrent.futures
import copy
import json
import random
import sys

from peers_model_asked import Case, Home, faults, invalid
from peers_model_doors import Door
from peers_model_replies import call, chunk, http, stream

ODD = [
    None,
    True,
    "",
    "x",
    "\x00",
    "\x1b[31m",
    "1",
    0,
    -1,
    1.5,
    1e300,
    2**31,
    2**63,
    2**64,
    -(2**63),
    10**30,
    [],
    {},
    [[]],
    [None],
    {"a": None},
    "é" * 1000,
]
CITED = 'Total revenue was $2,647.2 million. <cite doc="annual-report.pdf" page="4">Total revenue was $2,647.2 million</cite>'
# No answer to a request takes longer than its four tries with their waits; the rest is for a loaded machine.
BOUND = 120


def events(rng):
    """One of the replies that servers give, as objects."""
    usage = {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920, "prompt_tokens_details": {"cached_tokens": 5}}
    end = {"id": "x", "choices": [], "usage": usage, "created": 1, "model": "m"}
    reply = rng.choice(
        [
            [chunk({"role": "assistant", "content": ""}), chunk({"content": CITED}), chunk({}, "stop")],
            [chunk({"role": "assistant", "content": None, "tool_calls": [call()]}), chunk({}, "tool_calls")],
            [chunk({"reasoning_content": "So."}), chunk({"tool_calls": [call(), call(index=1, id="call_2")]}, "tool_calls")],
            [chunk({"content": CITED}), '{"error":{"message":"overloaded","type":"server_error","code":500,"param":null}}'],
            [chunk({"content": f"<tool_call>{json.dumps({'name': 'get_document', 'arguments': {'doc_name': 'x'}})}</tool_call>"}, "stop")],
        ]
    )
    return [*(json.loads(e) for e in reply), end]


def items(rng):
    """One of the replies of the Responses interface, as objects."""
    text = {"type": "output_text", "text": CITED, "annotations": []}
    message = {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [text]}
    arguments = call()["function"]["arguments"]
    function = {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "call_1",
        "name": "get_page_content",
        "arguments": arguments,
        "status": "completed",
    }
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "abc"}
    usage = {"input_tokens": 900, "output_tokens": 20, "total_tokens": 920, "input_tokens_details": {"cached_tokens": 5}}
    end = {"id": "resp_1", "object": "response", "model": "m", "error": None, "incomplete_details": None, "usage": usage}
    said = [
        {"type": "response.output_item.added", "output_index": 0, "item": {**message, "content": []}},
        {"type": "response.content_part.added", "item_id": "msg_1", "output_index": 0, "content_index": 0, "part": {**text, "text": ""}},
        {"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0, "delta": CITED},
        {"type": "response.output_item.done", "output_index": 0, "item": message},
    ]
    called = [
        {"type": "response.output_item.done", "output_index": 0, "item": thought},
        {"type": "response.output_item.added", "output_index": 1, "item": {**function, "arguments": ""}},
        {"type": "response.function_call_arguments.delta", "item_id": "fc_1", "output_index": 1, "delta": arguments},
        {"type": "response.output_item.done", "output_index": 1, "item": function},
    ]
    failed = {"code": "server_error", "message": "overloaded"}
    reply = rng.choice(
        [
            [*said, {"type": "response.completed", "response": {**end, "status": "completed", "output": [message]}}],
            [*called, {"type": "response.completed", "response": {**end, "status": "completed", "output": [thought, function]}}],
            [
                *said,
                {
                    "type": "response.incomplete",
                    "response": {**end, "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
                },
            ],
            [*said[:3], {"type": "response.failed", "response": {**end, "status": "failed", "error": failed}}],
            [*said[:3], {"type": "error", **failed, "param": None}],
        ]
    )
    return [{"type": "response.created", "response": {**end, "status": "in_progress", "output": []}}, *reply]


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from places(inner, (*path, key))


def changed(rng, value):
    """The same value with one place replaced, removed or doubled."""
    path = rng.choice([p for p in places(value) if p])
    value = copy.deepcopy(value)
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    kind = rng.random()
    if kind < 0.7:
        holder[path[-1]] = copy.deepcopy(rng.choice(ODD))
    elif kind < 0.85:
        del holder[path[-1]]
    elif isinstance(holder, list):
        holder.insert(path[-1], copy.deepcopy(holder[path[-1]]))
    else:
        holder[f"{path[-1]}_"] = holder.pop(path[-1])
    return value


def reply(rng, api):
    objects = events(rng) if api == "chat" else items(rng)
    for _ in range(rng.randint(1, 3)):
        objects = changed(rng, objects) or objects
    if not isinstance(objects, list):
        objects = [objects]
    if rng.random() < 0.15:
        status = rng.choice(["200 OK", "400 Bad Request", "404 Not Found", "422 X", "500 X"])
        body = rng.choice([*objects, {"error": changed(rng, {"message": "no", "type": "x", "code": "y", "param": "model"})}, objects])
        return http(status, body, *(["Retry-After: 0"] if status.startswith("5") else []))
    whole = stream(*(json.dumps(o) for o in objects), done=api == "chat")
    head, blank, body = whole.partition(b"\r\n\r\n")
    if rng.random() < 0.3:
        at = rng.randrange(len(body))
        body = rng.choice([body[:at], body[:at] + bytes([rng.randrange(256)]) + body[at + 1 :], body[:at] + body[at // 2 :]])
    return head + blank + body


def main(binary, number="200", seed="1", api="chat"):
    home = Home(binary)
    interface = [] if api == "chat" else ["--api", api]

    def ask(n):
        rng = random.Random(int(seed) * 1_000_000 + n)
        door = Door([reply(rng, api) for _ in range(6)])
        case = Case(f"mutant {n}", outcome=("answered", "not_found", "limit", "error"), code=(0, 5, 6), bound=BOUND)
        asked = home.ask(f"http://127.0.0.1:{door.port}/v1", "m", "--max-turns", "3", *interface, bound=BOUND)
        bodies = [request.partition(b"\r\n\r\n")[2] for request in door.requests if request.startswith(b"POST")]
        return faults(case, asked, None) + [what for body in bodies for what in invalid(json.loads(body))], asked, door

    failed, outcomes = 0, {}
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        for n, (found, asked, door) in enumerate(pool.map(ask, range(int(number)))):
            outcomes[asked.report.get("outcome")] = outcomes.get(asked.report.get("outcome"), 0) + 1
            if found:
                failed += 1
                print(f"FAIL mutant {n} of seed {seed}: {'; '.join(found)}\n     {asked.err.strip()[-600:]}")
                for sent in door.script[: len(door.requests)]:
                    print(f"     {sent[:1500]!r}")
    print(f"{number} mutants, {api}, seed {seed}: {outcomes}, {failed} not as they must be")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
