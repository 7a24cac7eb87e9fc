#!/usr/bin/env python3
"""Compares the processor time of `add` with that of PDFium reading the same text, and looks at the peak memory.

usage: cost.py BINARY FOLDER...
Both run one after the other on each file, so that a busy machine slows both. Needs pypdfium2. Fails when `add` takes more than 1.5 times
PDFium's time over all files, or more than 200 MB on any.
"""
import os, pathlib, subprocess, sys, tempfile

MOST_TIME, MOST_MEMORY = 1.5, 200.0
READ = """
import sys, pypdfium2
document = pypdfium2.PdfDocument(sys.argv[1])
for page in document:
    page.get_textpage().get_text_range()
"""
START = "import pypdfium2"


def seconds(command):
    """Processor seconds and peak megabytes of a command."""
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    binary, folders = sys.argv[1], sys.argv[2:]
    start = min(seconds([sys.executable, "-c", START])[0] for _ in range(3))
    ours = theirs = memory = 0.0
    with tempfile.TemporaryDirectory() as work:
        files = sorted(p for f in folders for p in pathlib.Path(f).glob("*.pdf"))
        for number, pdf in enumerate(files):
            time, peak = seconds([binary, "--library", f"{work}/{number}.db", "add", str(pdf), "--quiet"])
            if peak > memory:
                memory, largest = peak, pdf.name
            ours += time
            theirs += max(0.0, seconds([sys.executable, "-c", READ, str(pdf)])[0] - start)
    print(f"add of {len(files)} files: {ours:.1f} s of processor time, PDFium's text {theirs:.1f} s: {ours / theirs:.2f} times (at most {MOST_TIME})")
    print(f"peak memory: {memory:.0f} MB, {largest} (at most {MOST_MEMORY:.0f})")
    sys.exit(ours > MOST_TIME * theirs or memory > MOST_MEMORY)


main()
