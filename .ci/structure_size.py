#!/usr/bin/env python3
"""Counts the characters that an agent reads to see the structure of all documents of a folder.

usage: structure_size.py BINARY FOLDER MOST
Adds the documents to a library of its own, asks for all parts of `get_document_structure` of each and adds up the structure in the replies.
Fails when it is more than MOST characters.
"""
import json, pathlib, subprocess, sys, tempfile


def run(binary, library, *args):
    done = subprocess.run([binary, "--library", library, *args], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{args[0]} failed: {done.stderr}")
    return done.stdout


def main():
    binary, folder, most = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    total = 0
    with tempfile.TemporaryDirectory() as work:
        library = f"{work}/library.db"
        for pdf in sorted(folder.glob("*.pdf")):
            run(binary, library, "add", str(pdf))
            part, parts, size = 1, 1, 0
            while part <= parts:
                call = json.dumps({"doc_name": pdf.name, "part": part})
                reply = json.loads(run(binary, library, "call", "get_document_structure", call))
                parts = reply["total_parts"]
                size += len(json.dumps(reply["structure"], ensure_ascii=False, separators=(",", ":")))
                part += 1
            print(f"{pdf.name}: {size} characters in {parts} part(s)")
            total += size
    print(f"structures: {total} characters (at most {most})")
    sys.exit(total > most)


main()
