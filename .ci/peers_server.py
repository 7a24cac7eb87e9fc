"""What the checks with real clients share: counting, the server over HTTP, the command line as the reference."""

import contextlib
import json
import subprocess
import sys

DOCUMENTS = ["annual-report.pdf", "quarterly-release.pdf", "technical-manual.pdf"]


class Tally:
    """Counts checks and says which failed."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, name, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {name}: {detail}"[:1000])

    def equal(self, name, got, wanted):
        self.check(name, got == wanted, f"got {got!r}"[:450] + f", wanted {wanted!r}"[:450])

    def end(self, what):
        print(f"{what}: {self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)


@contextlib.contextmanager
def http_server(binary, *flags):
    """The server on a free port of this machine; gives its URL."""
    command = [binary, "mcp", "--http", "127.0.0.1:0", *flags]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            line = process.stderr.readline()
            yield next(word for word in line.split() if word.startswith("http://"))
        finally:
            process.terminate()


def call(binary, flags, tool, arguments):
    """The reply of `pagewise call` without its line end."""
    command = [binary, "call", tool, json.dumps(arguments), *flags]
    text = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
    return text.removesuffix("\n")


def calls():
    """Calls of every tool: what agents ask for, what they get wrong, what does not fit into one reply."""
    for document in DOCUMENTS:
        yield "get_document", {"doc_name": document}
        yield "get_document_structure", {"doc_name": document}
        yield "get_page_content", {"doc_name": document, "pages": "1-3,5"}
    yield "browse_documents", {}
    yield "browse_documents", {"sort": "relevance", "query": "quarterly earnings", "limit": 2}
    yield "browse_documents", {"limit": 1, "offset": 1, "folder_id": "root", "recursive": True}
    yield "get_document_structure", {"doc_name": "annual-report.pdf", "part": 99}
    yield "get_page_content", {"doc_name": "annual-report.pdf", "pages": "1-45"}
    yield "get_page_content", {"doc_name": "annual-report.pdf", "pages": "44-99"}
    for tool in ["get_document", "get_document_structure", "get_page_content", "remove_document"]:
        yield tool, {}
        yield tool, {"doc_name": "anual-report.pdf", "pages": "1", "doc_names": ["nobody.pdf"]}
        yield tool, {"doc_name": 7, "pages": ["x"], "doc_names": "x"}
    yield "get_document", {"doc_name": "anual-report.pdf"}
    yield "get_page_content", {"doc_name": "annual-report.pdf", "pages": "5-3"}
    yield "get_page_content", {"doc_name": "annual-report.pdf", "pages": "1-1000000000"}
    yield "get_page_content", {"doc_name": "annual-report.pdf", "pages": 4}
    yield "browse_documents", {"limit": 0}
    yield "browse_documents", {"sort": "relevance"}
    yield "remove_document", {"doc_names": ["nobody.pdf"]}
    yield "search_documents", {"query": "x"}
