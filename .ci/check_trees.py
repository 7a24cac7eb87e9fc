#!/usr/bin/env python3
"""Holds what must be true of every tree against all documents of some folders, as they are stored and as an agent gets them.

usage: check_trees.py BINARY FOLDER ...

Each folder is added to a library of its own. Of every document that could be added: pages in range, children inside their parents,
siblings in order, ids unique and in pre-order, titles and key items not blank, summaries not equal to the title, every page covered, and
every node in the joined parts of get_document_structure exactly once, under its parent, with only its ancestors repeated.
"""

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Longest reply to an agent, in characters as sent.
REPLY = 100_000


def run(binary, library, *args):
    command = [binary, "--library", library, *args]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def nodes_of(structure, parent=None):
    """(parent's id, node) in document order."""
    for node in structure:
        yield parent, node
        yield from nodes_of(node.get("nodes", []), node["node_id"])


def faults_of_tree(tree):
    pages = tree["page_count"]
    if not tree["structure"]:
        yield "no section"
    spans = {None: (1, pages)}
    last_start = {}
    covered = set()
    for number, (parent, node) in enumerate(nodes_of(tree["structure"]), start=1):
        name = f"{node['node_id']} {node['title'][:40]!r}"
        start, end = node["start_index"], node["end_index"]
        first, last = spans[parent]
        if not 1 <= start <= end <= pages:
            yield f"{name}: pages {start}-{end} of {pages}"
        if not first <= start <= end <= last:
            yield f"{name}: pages {start}-{end} are not inside {first}-{last}"
        if start < last_start.get(parent, 1):
            yield f"{name}: starts before its sibling"
        if node["node_id"] != f"{number:04}":
            yield f"{name}: is node {number}"
        if not node["title"].strip() or any(not item.strip() for item in node.get("key_items", [])):
            yield f"{name}: blank title or key item"
        if node.get("summary", "x").strip() in ("", node["title"].strip()):
            yield f"{name}: summary says nothing"
        if "nodes" in node and not node["nodes"]:
            yield f"{name}: an empty list of nodes"
        spans[node["node_id"]] = (start, end)
        last_start[parent] = start
        covered.update(range(start, end + 1))
    missing = set(range(1, pages + 1)) - covered
    if missing:
        yield f"pages in no section: {sorted(missing)[:10]}"


def faults_of_parts(binary, library, name, tree):
    """Joins the parts as an agent would and compares them with the tree."""
    expected = [(parent, node["node_id"]) for parent, node in nodes_of(tree["structure"])]
    joined = []
    seen = {}
    part, total = 1, 1
    while part <= total:
        arguments = json.dumps({"doc_name": name, "part": part})
        reply = run(binary, library, "call", "get_document_structure", arguments).rstrip("\n")
        if len(reply) > REPLY:
            yield f"part {part} has {len(reply)} characters"
        envelope = json.loads(reply)
        total = envelope["total_parts"]
        fresh = 0
        for parent, node in nodes_of(envelope["structure"]):
            if node["node_id"] not in seen:
                fresh += 1
                seen[node["node_id"]] = parent
                joined.append((parent, node["node_id"]))
            elif seen[node["node_id"]] != parent:
                yield f"{node['node_id']} stands under two parents"
            elif fresh:
                yield f"{node['node_id']} is repeated in part {part} behind new nodes"
            elif "summary" in node or "key_items" in node:
                yield f"{node['node_id']} is repeated whole in part {part}"
        part += 1
    if joined != expected:
        lost = len(set(expected) - set(joined))
        yield f"joined parts differ from the tree: {len(joined)} of {len(expected)} nodes, {lost} lost"


def check(binary, library, name):
    tree = json.loads(run(binary, library, "tree", name, "--json"))
    faults = [*faults_of_tree(tree), *faults_of_parts(binary, library, name, tree)]
    return [f"{name}: {fault}" for fault in faults], sum(1 for _ in nodes_of(tree["structure"]))


def main():
    binary, folders = sys.argv[1], [Path(folder) for folder in sys.argv[2:]]
    faults = []
    for folder in folders:
        with tempfile.TemporaryDirectory() as desk:
            library = str(Path(desk) / "library.db")
            run(binary, library, "add", str(folder), "--quiet")
            names = [d["name"] for d in json.loads(run(binary, library, "list", "--json")) if d["status"] == "completed"]
            with ThreadPoolExecutor() as workers:
                checked = list(workers.map(lambda name: check(binary, library, name), names))
        found = [fault for document, _ in checked for fault in document]
        faults += found
        print(f"{folder.name}: {len(names)} trees, {sum(nodes for _, nodes in checked)} nodes, {len(found)} faults")
        if not names:
            faults.append(f"{folder}: no document could be added")
    for fault in faults[:50]:
        print(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
