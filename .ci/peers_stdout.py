"""Every tool, good and bad input, and messages that are none, over stdio in raw lines: stdout holds JSON-RPC and nothing else, and the
server ends with its input.
usage: peers_stdout.py BINARY"""

import json
import subprocess
import sys

from peers_server import Tally, calls

CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


def messages():
    yield {"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": CLIENT}
    yield {"jsonrpc": "2.0", "method": "notifications/initialized"}
    at = 0
    for tool, arguments in calls():
        at += 1
        yield {"jsonrpc": "2.0", "id": at, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    for method, params in [
        ("tools/list", {}),
        ("prompts/list", {}),
        ("resources/list", {}),
        ("resources/read", {"uri": "file:///etc/passwd"}),
        ("prompts/get", {"name": "nobody"}),
        ("tools/call", {"name": "get_document", "arguments": [1]}),
        ("tools/call", {}),
        ("no/such/method", {}),
    ]:
        at += 1
        yield {"jsonrpc": "2.0", "id": at, "method": method, "params": params}


def main():
    tally = Tally()
    sent = list(messages())
    lines = [json.dumps(message) for message in sent]
    # What no client should send must not bring anything else onto stdout either.
    lines[3:3] = ["not JSON", "{}", '{"jsonrpc": "2.0"}', "[]", '{"jsonrpc": "2.0", "id": 1e999, "method": 3}']
    for flags in [[], ["-vvv"], ["--include-management"]]:
        done = subprocess.run(
            [sys.argv[1], "mcp", *flags], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=120, check=False
        )
        answered = set()
        for line in done.stdout.splitlines():
            try:
                message = json.loads(line)
                holds = message.get("jsonrpc") == "2.0" and ("result" in message or "error" in message or "method" in message)
                answered.add(message.get("id"))
            except (ValueError, AttributeError):
                holds = False
            tally.check(f"a line of stdout {flags}", holds, line[:200])
        wanted = {message["id"] for message in sent if "id" in message}
        tally.check(f"every request is answered {flags}", wanted <= answered, f"not answered: {sorted(map(str, wanted - answered))}")
        tally.equal(f"it ends well {flags}", done.returncode, 0)
    gone = subprocess.run([sys.argv[1], "mcp"], input="", capture_output=True, text=True, timeout=60, check=False)
    tally.equal("a host that goes at once", [gone.returncode, gone.stdout, gone.stderr], [0, "", ""])
    tally.end("stdout")


main()
