"""Runs a script for the Claude Agent SDK up to the point where its command line would be started, and prints that command as JSON.
usage: peers_claude.py SCRIPT [ARGUMENT ...]"""

import json
import runpy
import sys

import claude_agent_sdk
from claude_agent_sdk._internal.transport.subprocess_cli import SubprocessCLITransport


async def query(*, prompt, options):
    options.cli_path = "claude"
    command = SubprocessCLITransport(prompt=prompt, options=options)._build_command()
    print(json.dumps({"prompt": prompt, "command": command}))
    yield claude_agent_sdk.AssistantMessage(content=[claude_agent_sdk.TextBlock(text="asked")], model="none")


claude_agent_sdk.query = query
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
