"""The Python SDK (both protocol generations) and fastmcp, over stdio and HTTP: every tool, prompt and resource, and replies that are those
of `pagewise call` to the byte.
usage: peers_clients.py BINARY"""

import asyncio
import contextlib
import json
import subprocess
import sys

import fastmcp
import mcp
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

from peers_server import DOCUMENTS, Tally, call, calls, http_server

BINARY = sys.argv[1]
SURFACES = {"default": [], "small replies, deletion": ["--include-management", "--max-result-chars", "20000"]}
REFERENCE = {(name, at): call(BINARY, flags, *asked) for name, flags in SURFACES.items() for at, asked in enumerate(calls())}


def sdk(target, mode):
    """A client of the official SDK."""
    if isinstance(target, list):
        target = mcp.StdioServerParameters(command=target[0], args=target[1:])
    return mcp.Client(target, mode=mode)


def fast(target):
    """A client of fastmcp."""
    if isinstance(target, list):
        return fastmcp.Client(StdioTransport(target[0], target[1:], keep_alive=False))
    return fastmcp.Client(StreamableHttpTransport(target))


async def hold(tally, name, surface, client):
    flags = SURFACES[surface]
    is_fast = isinstance(client, fastmcp.Client)
    listed = await client.list_tools()
    tools = listed if is_fast else listed.tools
    wanted = json.loads(subprocess.run([BINARY, "tools", "--format", "mcp", *flags[:1]], capture_output=True, check=True).stdout)
    tally.equal(f"{name}: tools", [tool.name for tool in tools], [tool["name"] for tool in wanted])
    for got, want in zip(tools, wanted):
        schema = getattr(got, "input_schema", None) or getattr(got, "inputSchema", None)
        tally.equal(f"{name}: {got.name}", [got.title, got.description, schema], [want["title"], want["description"], want["inputSchema"]])
        tally.check(f"{name}: annotations of {got.name}", got.annotations is not None)

    for at, (tool, arguments) in enumerate(calls()):
        reply = await (client.call_tool_mcp(tool, arguments) if is_fast else client.call_tool(tool, arguments))
        text, wanted_text = [block.text for block in reply.content], REFERENCE[surface, at]
        what = f"{name}: {tool} {json.dumps(arguments)}"
        tally.equal(what, text, [wanted_text])
        structured = getattr(reply, "structured_content", None) or getattr(reply, "structuredContent", None)
        tally.equal(f"{what} structured", structured, json.loads(wanted_text))
        failed = getattr(reply, "is_error", None)
        failed = getattr(reply, "isError", None) if failed is None else failed
        tally.equal(f"{what} isError", failed, "error" in json.loads(wanted_text))

    prompts = await client.list_prompts()
    names = {prompt.name for prompt in (prompts if is_fast else prompts.prompts)}
    tally.equal(f"{name}: prompts", names, {"cited_answer", "ask_document"})
    for prompt, arguments in [
        ("cited_answer", {}),
        ("cited_answer", {"format": "markdown"}),
        ("ask_document", {"doc_name": DOCUMENTS[0], "question": "What was total revenue?"}),
    ]:
        got = await client.get_prompt(prompt, arguments)
        text = got.messages[0].content.text
        tally.check(f"{name}: prompt {prompt}", all(value in text for value in arguments.values() if value != "markdown"), text)

    resources = await client.list_resources()
    uris = [str(resource.uri) for resource in (resources if is_fast else resources.resources)]
    tally.equal(f"{name}: resources", sorted(uris), [f"pagewise://{document}/tree" for document in DOCUMENTS])
    templates = await client.list_resource_templates()
    tally.equal(f"{name}: templates", len(templates if is_fast else templates.resource_templates), 2)
    for document in DOCUMENTS:
        for uri, tool, arguments in [
            (f"pagewise://{document}/tree", "get_document_structure", {"doc_name": document}),
            (f"pagewise://{document}/page/2", "get_page_content", {"doc_name": document, "pages": "2"}),
        ]:
            got = await client.read_resource(uri)
            text = (got if is_fast else got.contents)[0].text
            wanted_text = call(BINARY, flags, tool, arguments)
            if "/page/" in uri:
                wanted_text = json.loads(wanted_text)["content"][0]["text"]
            tally.equal(f"{name}: {uri}", text, wanted_text)


async def main():
    tally = Tally()
    for surface, flags in SURFACES.items():
        with http_server(BINARY, *flags) as url:
            for door, target in [("stdio", [BINARY, "mcp", *flags]), ("http", url)]:
                clients = {
                    "mcp, 2025": lambda target=target: sdk(target, "legacy"),
                    "mcp, 2026": lambda target=target: sdk(target, "2026-07-28"),
                    "mcp, by itself": lambda target=target: sdk(target, "auto"),
                    "fastmcp": lambda target=target: fast(target),
                }
                for kind, make in clients.items():
                    name = f"{kind} over {door}, {surface}"
                    try:
                        async with contextlib.AsyncExitStack() as stack:
                            client = await stack.enter_async_context(make())
                            await asyncio.wait_for(hold(tally, name, surface, client), 120)
                    except Exception as error:  # noqa: BLE001 (whatever a client raises is a failed check)
                        tally.check(name, False, repr(error))
    tally.end("Python clients")


asyncio.run(main())
