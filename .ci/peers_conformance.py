"""The conformance suite, every scenario of every protocol version. A check may fail only where the list says so with its reason, and what
the list names has to fail: it never hides anything that works.
usage: peers_conformance.py BINARY NODE_FOLDER LIST"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from peers_server import Tally, http_server

VERSIONS = ["2025-06-18", "2025-11-25", "2026-07-28"]
# What must have been run and passed in each generation, however the suite names its sets.
HELD = {
    "2025-06-18": ["server-initialize", "ping", "tools-list", "tools-call-simple-text", "resources-list", "prompts-list"],
    "2025-11-25": ["server-initialize", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"],
    "2026-07-28": ["server-stateless", "tools-list", "resources-list", "prompts-list", "http-header-validation", "dns-rebinding-protection"],
}


def expected(path):
    """Scenario and check, or scenario and `*`, to the reason."""
    lines = [line for line in pathlib.Path(path).read_text().splitlines() if line.strip() and not line.startswith("#")]
    return {tuple(line.split(maxsplit=2)[:2]): line.split(maxsplit=2)[2] for line in lines}


def run(node, url, version):
    """The outcome of each check as (scenario, check, status, message)."""
    with tempfile.TemporaryDirectory() as out:
        bin_folder = f"{node}/node_modules/.bin"
        command = [f"{bin_folder}/node", f"{bin_folder}/conformance", "server", "--url", url, "--suite", "all"]
        subprocess.run([*command, "--spec-version", version, "-o", out], capture_output=True, timeout=300, check=False)
        for checks in sorted(pathlib.Path(out).glob("*/checks.json")):
            scenario = re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", checks.parent.name)
            for check in json.loads(checks.read_text()):
                yield scenario, check["id"], check["status"], check.get("errorMessage") or ""


def main():
    binary, node, path = sys.argv[1:]
    tally, reasons, used = Tally(), expected(path), set()
    with http_server(binary) as url:
        for version in VERSIONS:
            passed, outcomes = set(), list(run(node, url, version))
            for scenario, check, status, message in outcomes:
                known = next((key for key in [(scenario, check), (scenario, "*")] if key in reasons), None)
                if status == "FAILURE" and known:
                    used.add(known)
                elif status in ("SUCCESS", "FAILURE"):
                    tally.check(f"{version} {scenario} {check}", status == "SUCCESS", message)
                    passed.add(scenario)
            missing = [scenario for scenario in HELD[version] if scenario not in passed]
            tally.check(f"{version}: scenarios that must be held", not missing, f"not run: {missing}")
    for key in reasons.keys() - used:
        tally.check(" ".join(key), False, "is expected to fail and does not; take it off the list")
    print(f"expected failures: {len(used)}, each with its reason in {pathlib.Path(path).name}")
    tally.end("conformance")


main()
