"""Answers a question from your pagewise library with the Claude Agent SDK (claude-agent-sdk).

    python claude_agent.py "What was total revenue?" annual-report.pdf
"""

import asyncio
import json
import subprocess
import sys

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, TextBlock, query


def pagewise(*args):
    return json.loads(subprocess.run(["pagewise", *args, "--quiet"], capture_output=True, check=True).stdout)


def options(*documents):
    only = [flag for name in documents for flag in ("--doc", name)]
    tools = pagewise("tools", "--format", "mcp", *only)
    return ClaudeAgentOptions(
        mcp_servers=pagewise("mcp", "config", "--host", "claude-code", *only)["mcpServers"],
        allowed_tools=[f"mcp__pagewise__{tool['name']}" for tool in tools],
        tools=[],  # none of its own: it reads these documents and nothing else
        max_turns=20,
    )


async def main(question, *documents):
    async for message in query(prompt=question, options=options(*documents)):
        if isinstance(message, AssistantMessage):
            print("".join(block.text for block in message.content if isinstance(block, TextBlock)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
