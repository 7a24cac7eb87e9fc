"""Answers a question from your pagewise library with the OpenAI Agents SDK (openai-agents 0.8.0 or newer).

    python openai_agents.py "What was total revenue?" annual-report.pdf

OPENAI_API_KEY is read from the environment; OPENAI_BASE_URL and OPENAI_DEFAULT_MODEL choose another server and model.
"""

import asyncio
import os
import sys

from agents import Agent, Runner, set_default_openai_api, set_tracing_disabled
from agents.mcp import MCPServerStdio

set_default_openai_api("chat_completions")  # what every OpenAI-compatible server speaks
set_tracing_disabled(True)  # a trace would carry the pages that are read to OpenAI


async def main(question, document):
    # The SDK hands on only a few variables by itself; pagewise finds your library by some of the others.
    command = {"command": "pagewise", "args": ["mcp", "--doc", document], "env": dict(os.environ)}
    async with MCPServerStdio(command, cache_tools_list=True, client_session_timeout_seconds=240) as server:
        # The question, with how to read and cite.
        prompt = await server.get_prompt("ask_document", {"doc_name": document, "question": question})
        agent = Agent(name="Reader", mcp_servers=[server])
        result = await Runner.run(agent, prompt.messages[0].content.text, max_turns=20)
        print(result.final_output)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
