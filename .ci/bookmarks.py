#!/usr/bin/env python3
"""Checks that every trustworthy bookmark is in the tree, on its page.

usage: bookmarks.py BINARY FOLDER...
A bookmark counts as trustworthy when its title is printed on the page that it points to, in a file most of whose bookmarks are so.
It is in the tree as the title of a node that starts there or among the node's folded headings. Needs PyMuPDF.
"""
import json, pathlib, subprocess, sys
import unicodedata

import pymupdf

LEAST = 0.99


def fold(text):
    return "".join(c for c in unicodedata.normalize("NFKC", text).replace("\u00ad", "").lower() if c.isalnum())


def titles(nodes, out):
    for node in nodes:
        for title in [node["title"], *node.get("key_items", [])]:
            out.setdefault(node["start_index"], []).append(fold(title))
        titles(node.get("nodes", []), out)
    return out


def main():
    binary, folders = sys.argv[1], sys.argv[2:]
    found = wanted = 0
    for pdf in sorted(p for f in folders for p in pathlib.Path(f).glob("*.pdf")):
        document = pymupdf.open(pdf)
        marks = [(m[1], m[2]) for m in document.get_toc() if 1 <= m[2] <= len(document) and len(fold(m[1])) >= 3]
        if len(marks) < 4:
            continue
        pages = {page: fold(document[page - 1].get_text()) for page in {page for _, page in marks}}
        printed = [(title, page) for title, page in marks if fold(title) in pages[page]]
        if len(printed) * 2 < len(marks):
            continue
        done = subprocess.run([binary, "tree", str(pdf), "--json"], capture_output=True, text=True)
        tree = titles(json.loads(done.stdout)["structure"], {})
        missed = [(t, p) for t, p in printed if not any(fold(t)[:150] in got for got in tree.get(p, []))]
        found += len(printed) - len(missed)
        wanted += len(printed)
        if missed:
            print(f"{pdf.name}: {len(missed)} of {len(printed)} missed, such as {missed[:3]}")
    share = found / max(1, wanted)
    print(f"bookmarks in the tree on their page: {found} of {wanted} = {share:.4f} (bar {LEAST})")
    sys.exit(share < LEAST)


main()
