"""The MCP Inspector on the command line, over stdio and HTTP.
usage: peers_inspector.py BINARY NODE_FOLDER"""

import json
import subprocess
import sys

from peers_server import Tally, call, http_server

BINARY, NODE = sys.argv[1:]


def inspect(target, *args):
    command = [f"{NODE}/node_modules/.bin/node", f"{NODE}/node_modules/@modelcontextprotocol/inspector/cli/build/cli.js", "--cli"]
    done = subprocess.run([*command, *target, *args], capture_output=True, text=True, timeout=60, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else {"failed": done.stderr or done.stdout}


def main():
    tally = Tally()
    page = {"doc_name": "annual-report.pdf", "pages": "2"}
    asked = [f"--tool-arg={key}={value}" for key, value in page.items()]
    with http_server(BINARY) as url:
        for door, target in [("stdio", [BINARY, "mcp"]), ("http", [url, "--transport", "http"])]:
            listed = inspect(target, "--method", "tools/list")
            tally.equal(f"{door}: tools/list", len(listed.get("tools", [])), 4)
            called = inspect(target, "--method", "tools/call", "--tool-name", "get_page_content", *asked)
            content = called.get("content", [{"text": called}])
            tally.equal(f"{door}: tools/call", content[0]["text"], call(BINARY, [], "get_page_content", page))
            prompts = inspect(target, "--method", "prompts/list")
            tally.equal(f"{door}: prompts/list", len(prompts.get("prompts", [])), 2)
            read = inspect(target, "--method", "resources/read", "--uri", "pagewise://annual-report.pdf/page/2")
            tally.check(f"{door}: resources/read", "contents" in read, str(read))
    tally.end("MCP Inspector")


main()
