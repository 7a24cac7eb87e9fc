#!/usr/bin/env python3
"""Measures the check of citations of a built program over a folder of PDFs: true citations must pass, false ones must not.

usage: citations.py BINARY FOLDER [--documents N] [--seed N] [--wrong FILE]

The text of the pages comes from `pagewise pages --json`. A scripted Chat Completions server has the program read pages with
get_page_content and then answers with many paragraphs, each a claim of its own with a citation; the status of each comes from
`pagewise ask --json`. A false citation is only made where it is surely false: the changed number stands on the page in no form.
Prints two tables and fails below the bars. Python's standard library is all it needs.
"""

import argparse
import collections
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from citations_cases import Page, changed_digits, false_cases, frame, statements_of, true_cases, value_of, writes_comma

TRUE_BAR, FALSE_BAR = 0.98, 0.99
PAGES_A_DOCUMENT = 8          # read in one call: it must fit into one reply
CHARACTERS_A_DOCUMENT = 60_000
DOCUMENTS_A_LIBRARY = 4
STATEMENTS_A_PAGE = 5


class Document:
    def __init__(self, name, path):
        self.name, self.path, self.pages, self.comma = name, path, [], None


class Model(http.server.BaseHTTPRequestHandler):
    """Answers the question "batch N": first reads the pages, then says the text of that batch."""

    protocol_version = "HTTP/1.1"
    reads, answers = [], {}

    def log_message(self, *_):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = request["messages"]
        asked = next(m for m in reversed(messages) if m["role"] == "user" and "batch" in json.dumps(m["content"]))
        batch = re.search(r"batch (\w+)", json.dumps(asked["content"])).group(1)
        if any(m["role"] == "tool" for m in messages):
            delta, finish = {"role": "assistant", "content": self.answers[batch]}, "stop"
        else:
            calls = [{"index": i, "id": f"call_{i}", "type": "function", "function": {"name": "get_page_content", "arguments": json.dumps(a)}}
                     for i, a in enumerate(self.reads)]
            delta, finish = {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        base = {"id": "x", "created": 1, "model": "scripted"}
        if request.get("stream"):
            chunk = base | {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": usage}
            body, kind = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode(), "text/event-stream"
        else:
            choice = {"index": 0, "message": delta, "finish_reason": finish}
            body, kind = json.dumps(base | {"object": "chat.completion", "choices": [choice], "usage": usage}).encode(), "application/json"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Program:
    def __init__(self, binary, home):
        self.binary, self.home = binary, pathlib.Path(home)
        (self.home / "config.toml").write_text("")
        self.environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), "PAGEWISE_CONFIG": str(self.home / "config.toml"),
                            "PAGEWISE_LIBRARY": str(self.home / "library.db"), "OPENAI_API_KEY": "sk-scripted"}

    def run(self, *arguments, seconds=120):
        return subprocess.run([self.binary, *arguments], capture_output=True, env=self.environment, timeout=seconds)

    def pages(self, path):
        try:
            done = self.run("pages", str(path), "--json", "--quiet", seconds=60)
        except subprocess.TimeoutExpired:
            return []
        return [(p["number"] if "number" in p else p["page"], p["text"]) for p in json.loads(done.stdout)] if done.returncode == 0 else []


def load(program, files, rng):
    """Documents with enough statements, one after the other."""
    for i, path in enumerate(files):
        texts = program.pages(path)
        comma = writes_comma([t for _, t in texts]) if texts else None
        if comma is None:
            continue
        document = Document(f"d{i:03}-{re.sub(r'[^A-Za-z0-9.-]', '-', path.name)}", path)
        document.comma = comma
        good = [(n, t) for n, t in texts if 300 < len(t) < 12_000 and re.search(r"\d", t)]
        start = rng.randrange(max(1, len(good) - PAGES_A_DOCUMENT))
        room = CHARACTERS_A_DOCUMENT
        for number, text in good[start:start + PAGES_A_DOCUMENT]:
            room -= len(text)
            if room < 0:
                break
            page = Page(document, number, text)
            found = statements_of(page, comma)
            page.statements = rng.sample(found, min(STATEMENTS_A_PAGE, len(found)))
            document.pages.append(page)
        if sum(len(p.statements) for p in document.pages) >= 2 and len(document.pages) >= 2:
            yield document


def batches(cases):
    """Cases whose tags are all different, so that each has a number of its own; one language a batch, as in an answer."""
    open_ones = collections.defaultdict(list)
    for case in cases:
        row = open_ones[case.language]
        place = next((b for b in row if case.key not in b and len(b) < 60), None)
        if place is None:
            place = {}
            row.append(place)
        place[case.key] = case
    return [list(b.values()) for row in open_ones.values() for b in row]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", type=pathlib.Path)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    files = sorted(p for p in options.folder.rglob("*.pdf") if p.stat().st_size < 12_000_000)
    rng.shuffle(files)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    tally, wrong, pairs, documents = collections.defaultdict(lambda: [0, 0]), [], 0, 0
    base = f"http://127.0.0.1:{server.server_port}/v1"

    def judge(group):
        nonlocal pairs
        with tempfile.TemporaryDirectory() as home:
            program = Program(options.binary, home)
            for document in group:
                copy = pathlib.Path(home) / document.name
                shutil.copyfile(document.path, copy)
                done = program.run("add", str(copy), "--quiet", seconds=300)
                if done.returncode != 0:
                    print(f"{document.name} cannot be added: {done.stderr.decode(errors='replace')[:200]}", file=sys.stderr)
                    return
            pages = [p for d in group for p in d.pages]
            Model.reads = [{"doc_name": d.name, "pages": ",".join(str(p.number) for p in d.pages)} for d in group]
            cases = []
            for page in pages:
                for s in page.statements:
                    pairs += 1
                    cases += true_cases(rng, s)
                    cases += false_cases(rng, s, pages, page.document.comma)
            rng.shuffle(cases)
            for number, batch in enumerate(batches(cases)):
                check(program, str(number), batch)
            uncited(program, pages)

    def ask(program, name, text):
        Model.answers[name] = text
        done = program.run("ask", f"What does batch {name} say?", "--json", "--model", "scripted", "--base-url", base, "--quiet")
        if done.returncode != 0:
            sys.exit(f"ask failed: {done.stderr.decode(errors='replace')[:2000]}")
        return json.loads(done.stdout)

    def note(true, kind, right, what):
        row = tally[true, kind]
        row[0] += right
        row[1] += 1
        if not right:
            wrong.append(f"{'true' if true else 'false'} {kind}: {what}")

    def check(program, name, batch):
        report = ask(program, name, "\n\n".join(c.paragraph() for c in batch))
        citations = report["citations"]
        if len(citations) != len(batch):
            sys.exit(f"{len(batch)} citations were written and {len(citations)} found:\n{report['answer_raw']}")
        for case, citation in zip(batch, citations):
            kind = f"{case.kind}, {'quoted' if case.quote else 'no quote'}"
            note(case.true, kind, case.passes(citation["status"]) == case.true, f"{citation['status']} {case.paragraph()!r}")

    def uncited(program, pages):
        """Figures without citation: those that stand on a page read are not marked, invented ones are."""
        for i, page in enumerate(p for p in pages if p.statements):
            s = rng.choice(page.statements)
            n = rng.choice(s.numbers)
            words = f"({n.phrase})" if n.parens else n.phrase
            fair = frame(rng, "en", words, s, n)
            report = ask(program, f"true{i}", f"{fair}.")
            note(True, "without citation", not report["unsupported"], f"{report['unsupported']} {fair}")
            texts = [t for _, t in changed_digits(rng, n, page, page.document.comma)]
            texts = [t for t in texts if not any(p.holds(value_of(t, page.document.comma) or 0.0, 10.0**-n.decimals) for p in pages)]
            if texts and fair.count(n.digits) == 1:
                bad = fair.replace(n.digits, texts[0], 1)
                report = ask(program, f"false{i}", f"{bad}. {s.text} [{page.document.name}, p. {page.number}].")
                note(False, "without citation", bool(report["unsupported"]), bad)

    group = []
    with tempfile.TemporaryDirectory() as home:
        for document in load(Program(options.binary, home), files, rng):
            group.append(document)
            documents += 1
            if len(group) == DOCUMENTS_A_LIBRARY or documents == options.documents:
                judge(group)
                group = []
            if documents == options.documents:
                break
        if group:
            judge(group)
    failed = False
    print(f"{documents} documents, {pairs} pairs of page and statement")
    for true, title, bar in ((True, "true citations that pass", TRUE_BAR), (False, "false citations that are seen", FALSE_BAR)):
        rows = {kind: row for (t, kind), row in tally.items() if t == true}
        right, count = (sum(r[i] for r in rows.values()) for i in (0, 1))
        share = right / max(1, count)
        failed |= share < bar or count == 0
        print(f"\n{title:44} {right:6} / {count:6}  {share:.4f}  (bar {bar})")
        for kind, (r, c) in sorted(rows.items()):
            print(f"  {kind:42} {r:6} / {c:6}  {r / c:.4f}")
    if options.wrong:
        options.wrong.write_text("\n".join(wrong))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
