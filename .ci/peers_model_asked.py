"""Asks one question of a model server with the built program, and holds what comes of it against what must come of it."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass

DOCUMENT = pathlib.Path(__file__).resolve().parent.parent / "examples/documents/annual-report.pdf"
QUESTION = "What was total revenue in fiscal 2025?"
# No part of it may be in anything that is printed.
KEY = "sk-proj-Peers0123456789SecretKey"
# A wait that the case gives no bound for, in seconds. Runs go in parallel on small machines.
BOUND = 30


@dataclass
class Case:
    """What is asked, and what must come of it. Each has a model name of its own, so that cases on one server do not meet."""

    name: str
    # One, or several that are all right.
    outcome: str | tuple = "answered"
    code: int | tuple = 0
    # Words that the error must hold, and words that stderr must hold, in any case of letters.
    error: tuple = ()
    stderr: tuple = ()
    answer: str = ""
    # How many citations must have which status.
    verified: int | None = None
    # Requests for an answer that the server must have seen; None: the server cannot tell, or it does not matter.
    requests: int | None = None
    bound: float = BOUND
    least: float = 0
    key: str = KEY
    arguments: tuple = ()
    # What the server has to do; each server has its own form.
    script: object = None
    path: str = "/v1"
    model: str = ""
    # Seconds after which Ctrl-C is sent.
    interrupt: float | None = None
    # Gets what came of it, and gives what is not as it must be.
    further: object = None
    # How the answer is shown: json, plain (stdout is a pipe) or terminal.
    shown: str = "json"
    also: tuple = ()

    def __post_init__(self):
        self.model = self.model or self.name.replace(" ", "-").replace(",", "")


@dataclass
class Asked:
    seconds: float
    code: int
    out: str
    err: str
    report: dict
    # After Ctrl-C.
    stopping: float | None = None


class Home:
    """A home with nobody's settings and one library for all runs."""

    def __init__(self, binary):
        self.binary = str(pathlib.Path(binary).resolve())
        self.folder = tempfile.TemporaryDirectory()
        keep = {k: v for k, v in os.environ.items() if k in ("PATH", "TMPDIR", "LANG", "SYSTEMROOT")}
        self.environment = {**keep, "HOME": self.folder.name, "NO_PROXY": "", "no_proxy": ""}
        self.library = f"{self.folder.name}/library.db"
        subprocess.run(
            [self.binary, "add", str(DOCUMENT), "--library", self.library, "--quiet"],
            check=True,
            env=self.environment,
            stdout=subprocess.DEVNULL,
        )

    def ask(self, base_url, model, *arguments, key=KEY, bound=BOUND, interrupt=None, when=None, then=None, environment=None, shown="json"):
        """One run. When `when`, given the seconds since the start, says so, `then` is done; Ctrl-C is sent unless it says otherwise."""
        when = when or (interrupt is not None and (lambda seconds: seconds >= interrupt))
        command = [
            self.binary,
            "ask",
            QUESTION,
            "--doc",
            str(DOCUMENT),
            "--library",
            self.library,
            "--model",
            model,
            "--base-url",
            base_url,
        ]
        command += [*(["--json"] if shown == "json" else []), *arguments]
        variables = {**self.environment, **({"OPENAI_API_KEY": key} if key is not None else {}), **(environment or {})}
        started = time.monotonic()
        screen, terminal = pty.openpty() if shown == "terminal" else (None, subprocess.PIPE)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=terminal, stderr=subprocess.PIPE, env=variables)
        stopped = None
        try:
            if when:
                while process.poll() is None and not when(time.monotonic() - started) and time.monotonic() - started < bound:
                    time.sleep(0.02)
                if then:
                    then()
                else:
                    stopped = time.monotonic()
                    process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=bound)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            err += f"\nKILLED after {bound} s".encode()
        ended = time.monotonic()
        out = read_screen(screen, terminal) if screen else out
        out, err = out.decode(), err.decode()
        try:
            report = json.loads(out) if shown == "json" else {}
        except ValueError:
            report = {}
        return Asked(ended - started, process.returncode, out, err, report, ended - stopped if stopped else None)


def read_screen(screen, terminal):
    """What a program that has ended has written to its terminal."""
    os.close(terminal)
    out = b""
    with contextlib.suppress(OSError), open(screen, "rb", buffering=0) as file:
        while part := file.read(65536):
            out += part
    return out.replace(b"\r\n", b"\n")


def faults(case, asked, requests):
    """What is not as it must be."""
    found = []

    def must(true, what):
        if not true:
            found.append(what)

    must("KILLED" not in asked.err, f"it hung: still running after {case.bound} s")
    must(asked.seconds <= case.bound, f"it took {asked.seconds:.1f} s; the bound is {case.bound}")
    must(asked.seconds >= case.least, f"it took {asked.seconds:.1f} s; the server asked for {case.least}")
    must("panicked" not in asked.err, "it panicked")
    for secret in (case.key or "", KEY):
        must(not secret.strip() or secret.strip() not in asked.out + asked.err, "the key was printed")
    codes, outcomes = ((x if isinstance(x, tuple) else (x,)) for x in (case.code, case.outcome))
    must(asked.code in codes, f"exit {asked.code}, not {case.code}")
    lines = asked.err.splitlines()
    if case.shown == "json":
        must(asked.out.count("\n") == 1 and asked.report, f"stdout is not one JSON object: {asked.out[:200]!r}")
        must(asked.report.get("outcome") in outcomes, f"outcome {asked.report.get('outcome')}, not {case.outcome}")
    elif case.shown == "plain":
        must(asked.out == (case.answer and case.answer + "\n"), f"stdout is not the answer, once: {asked.out[:200]!r}")
    said = asked.report.get("error") or (lines[-1] if lines else "")
    for word in case.error:
        must(word.lower() in (asked.report.get("error") or asked.err).lower(), f"the error does not say {word!r}: {said}")
    for word in case.stderr:
        must(word.lower() in asked.err.lower(), f"stderr does not say {word!r}: {asked.err!r}")
    if outcomes == ("answered",):
        must(not asked.report.get("error"), f"an answer with an error: {said}")
    if case.answer and case.shown == "json":
        must(asked.report.get("answer", "").count(case.answer) == 1, f"the answer is {asked.report.get('answer')!r}")
    if case.verified is not None:
        statuses = [c["status"] for c in asked.report.get("citations", [])]
        must(statuses == ["verified"] * case.verified, f"citations: {statuses}")
    if case.requests is not None:
        must(requests == case.requests, f"{requests} requests, not {case.requests}")
    if asked.stopping is not None:
        must(asked.stopping <= 1.0, f"Ctrl-C took {asked.stopping:.2f} s")
    if case.further:
        found += case.further(asked)
    return found


def invalid(body):
    """What a strict server would refuse in the messages of a request."""
    if "input" in body:
        return invalid_items(body["input"])
    found, open_calls, seen = [], [], set()
    messages = body.get("messages", [])
    for at, message in enumerate(messages):
        role, calls = message.get("role"), message.get("tool_calls") or []
        if role == "tool":
            if message.get("tool_call_id") not in open_calls:
                found.append(f"message {at} is a result of no open call")
            else:
                open_calls.remove(message["tool_call_id"])
        elif open_calls:
            found.append(f"calls without a result before message {at}: {open_calls}")
            open_calls = []
        if not isinstance(message.get("content"), str) and not (role == "assistant" and calls and message.get("content") is None):
            found.append(f"the content of message {at} ({role}) is {message.get('content')!r}")
        if calls and role != "assistant":
            found.append(f"message {at} ({role}) calls tools")
        for call in calls:
            try:
                arguments = json.loads(call["function"]["arguments"])
            except (TypeError, ValueError):
                arguments = None
            if not isinstance(arguments, dict):
                found.append(f"arguments of {call['id']}: {call['function']['arguments']!r}")
            if not call["id"] or call["id"] in seen:
                found.append(f"the id {call['id']!r} again")
            seen.add(call["id"])
            open_calls.append(call["id"])
    if open_calls:
        found.append(f"calls without a result at the end: {open_calls}")
    if not messages or messages[-1]["role"] not in ("user", "tool"):
        found.append("it does not end with a question or a result")
    return found


def is_object(text):
    try:
        return isinstance(json.loads(text), dict)
    except (TypeError, ValueError):
        return False


def invalid_items(items):
    """The same for the items of a Responses request."""
    found = [f"item {at} is no object: {i!r}" for at, i in enumerate(items) if not isinstance(i, dict)]
    items = [i for i in items if isinstance(i, dict)]
    calls = [str(i.get("call_id") or "") for i in items if i.get("type") == "function_call"]
    results = [str(i.get("call_id") or "") for i in items if i.get("type") == "function_call_output"]
    found += [f"calls {calls}, but results {results}"] if sorted(calls) != sorted(results) else []
    found += [f"the id {c!r} again" for c in set(calls) if not c or calls.count(c) > 1]
    known = set()
    for at, item in enumerate(items):
        if item.get("type") == "function_call":
            known.add(str(item.get("call_id")))
            if not is_object(item.get("arguments")):
                found.append(f"arguments of {item.get('call_id')}: {item.get('arguments')!r}")
        elif item.get("type") == "function_call_output" and str(item.get("call_id")) not in known:
            found.append(f"item {at} is a result before its call")
    last = items[-1] if items else {}
    if last.get("role") != "user" and last.get("type") != "function_call_output":
        found.append("it does not end with a question or a result")
    return found


def run(server, cases, ask, count, judge=None, workers=6):
    """Asks all cases, some at a time; prints a line for each and gives how many are not as they must be."""
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for case, asked in zip(cases, pool.map(ask, cases)):
            requests = count(case)
            found = faults(case, asked, requests) + (judge(case) if judge else [])
            failed += bool(found)
            outcome = asked.report.get("outcome") or f"({case.shown})"
            print(
                f"{'FAIL' if found else 'ok  '} {server:16} {case.name:38} {outcome:11} exit {asked.code:3} {asked.seconds:5.1f} s  {requests} requests",
                flush=True,
            )
            if asked.report.get("error"):
                print(f"     says: {asked.report['error']}")
            for what in found:
                print(f"     {what}")
            if found:
                print("     stderr: " + asked.err.strip().replace("\n", "\n             "))
    return failed


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fetch(url, body=None, timeout=10):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, method="GET" if body is None else "POST"), timeout=timeout) as reply:
        return json.load(reply)


@contextlib.contextmanager
def started(command, health, seconds=30, **options):
    """A server process that answers at `health` before anything is asked of it; it ends with the block."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        for _ in range(seconds * 10):
            with contextlib.suppress(OSError):
                fetch(health, timeout=2)
                break
            if process.poll() is not None:
                sys.exit(f"{command[0]} ended with {process.returncode}")
            time.sleep(0.1)
        else:
            sys.exit(f"{command[0]} did not start within {seconds} s")
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
