"""The agent SDKs with pagewise over MCP, the Python examples, and every snippet of README that another agent is told to use.
usage: peers_agents.py BINARY REPOSITORY"""

import asyncio
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio
from openai import AsyncOpenAI

from peers_model import answer, scripted_model, tool_call
from peers_server import Tally, call

BINARY, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
HERE = pathlib.Path(__file__).parent
SECTION = "## Use it from another agent"
TOOLS = ["browse_documents", "get_document", "get_document_structure", "get_page_content"]
QUESTION = "What was total revenue?"
FINAL = 'It was high <cite doc="annual-report.pdf" page="3"/>.'


def script(document):
    """A model that reads as it should, goes wrong once, and answers."""
    return [
        tool_call(1, "get_document_structure", {"doc_name": document}),
        tool_call(2, "get_page_content", {"doc_name": document, "pages": "999"}),
        tool_call(3, "get_page_content", {"doc_name": document, "pages": "3"}),
        answer(FINAL),
    ]


def hold_requests(tally, name, requests, document):
    """What was sent to the model in a loop over `script`."""
    tally.equal(f"{name}: requests", len(requests), 4)
    tools = [tool["function"]["name"] for tool in requests[0].get("tools", [])] if requests else []
    tally.equal(f"{name}: tools are offered", tools, TOOLS)
    outputs = [message["content"] for message in (requests[-1]["messages"] if requests else []) if message["role"] == "tool"]
    wanted = [call(BINARY, [], step["tool_calls"][0]["function"]["name"], json.loads(step["tool_calls"][0]["function"]["arguments"]))
              for step in script(document)[:3]]
    tally.equal(f"{name}: outputs come back", [text_of(output) for output in outputs], wanted)


def text_of(content):
    """The text of a tool message, in any of the shapes that the SDK sends it."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content)
    try:
        value = json.loads(content)
    except ValueError:
        return content
    return value["text"] if isinstance(value, dict) and value.get("type") == "text" else content


async def openai_loop(tally):
    with scripted_model(script("annual-report.pdf")) as (url, requests):
        async with MCPServerStdio({"command": BINARY, "args": ["mcp"], "env": dict(os.environ)}) as server:
            model = OpenAIChatCompletionsModel(model="scripted", openai_client=AsyncOpenAI(base_url=url, api_key="none"))
            agent = Agent(name="Reader", instructions="Read and cite.", mcp_servers=[server], model=model)
            result = await Runner.run(agent, QUESTION)
    tally.equal("openai-agents: final answer", result.final_output, FINAL)
    tally.check("openai-agents: the question is sent", QUESTION in json.dumps(requests[0]["messages"]))
    hold_requests(tally, "openai-agents", requests, "annual-report.pdf")


def run_python(path, environment, *args, claude=False):
    command = [sys.executable, *([str(HERE / "peers_claude.py")] if claude else []), str(path), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment, cwd=path.parent)


def hold_openai_script(tally, name, path, environment, document, *args):
    with scripted_model(script(document)) as (url, requests):
        done = run_python(path, environment | {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}, *args)
    tally.equal(f"{name}: prints the answer", done.stdout.strip() or done.stderr, FINAL)
    hold_requests(tally, name, requests, document)
    tally.check(f"{name}: says how to read", bool(requests) and "get_page_content" in json.dumps(requests[0]["messages"]))


def hold_claude_script(tally, name, path, environment, *args):
    done = run_python(path, environment, *args, claude=True)
    tally.check(f"{name}: runs", done.returncode == 0 and done.stdout.rstrip().endswith("asked"), done.stderr)
    command = json.loads(done.stdout.splitlines()[0])["command"] if done.returncode == 0 else []
    value = {flag: command[at + 1] for at, flag in enumerate(command[:-1]) if flag.startswith("--")}
    server = json.loads(value.get("--mcp-config", "{}")).get("mcpServers", {}).get("pagewise", {})
    tally.equal(f"{name}: server", [server.get("type"), server.get("command")], ["stdio", os.path.realpath(BINARY)])
    tally.equal(f"{name}: tools, by name", value.get("--allowedTools"), ",".join(f"mcp__pagewise__{tool}" for tool in TOOLS))
    if args:
        tally.equal(f"{name}: documents", server.get("args", [])[1:3], ["--doc", args[-1]])


def snippets():
    """(language, text) of the section, in order."""
    text = (REPOSITORY / "README.md").read_text()
    _, section = text.split(f"\n{SECTION}\n")
    section = re.split(r"\n## ", section)[0]
    return re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL)


def hold_snippet(tally, name, language, text, folder, environment):
    if language == "python":
        path = folder / f"{re.sub(r'[^a-z0-9]', '_', name)}.py"
        path.write_text(text)
        if "claude_agent_sdk" in text:
            hold_claude_script(tally, name, path, environment)
        elif "from agents" in text:
            hold_openai_script(tally, name, path, environment, "report.pdf")
        else:
            done = run_python(path, environment)
            tally.check(f"{name}: runs", done.returncode == 0, done.stderr)
            tally.check(f"{name}: prints", done.stdout.strip() or "print(" not in text, done.stderr)
    elif language == "json":
        tally.check(f"{name}: is JSON", isinstance(json.loads(text), dict))
    elif language == "sh":
        for line in text.splitlines():
            # The server runs already, and what cargo runs is run by the tests.
            if line and "--http" not in line and not line.startswith(("cargo ", "pip ", "#")):
                done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=120, check=False, env=environment, cwd=folder)
                tally.check(f"{name}: {line}", done.returncode == 0, done.stderr)
    else:
        tally.check(f"{name}: is Rust, which the tests run", language == "rust", language)


def hold_readme(tally, folder, environment):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with subprocess.Popen([BINARY, "mcp", "--http", address], stderr=subprocess.PIPE, env=environment) as server:
        server.stderr.readline()
        all_snippets = snippets()
        for number, (language, text) in enumerate(all_snippets, 1):
            text = text.replace("127.0.0.1:8787", address)
            hold_snippet(tally, f"readme {number} {language}", language, text, folder, environment)
        server.terminate()
    python = " ".join(text for language, text in all_snippets if language == "python")
    tally.check("readme: a snippet for each door", all(word in python for word in ["from mcp", "from agents", "claude_agent_sdk", '"call"']), python)


def main():
    set_tracing_disabled(True)
    tally = Tally()
    asyncio.run(openai_loop(tally))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "bin").mkdir()
        (folder / "bin" / "pagewise").symlink_to(BINARY)
        environment = dict(os.environ) | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        examples = REPOSITORY / "examples" / "python"
        for path in sorted(examples.glob("*.py")):
            tally.check(f"{path.name}: under 40 lines", len(path.read_text().splitlines()) < 40)
        hold_openai_script(tally, "openai_agents.py", examples / "openai_agents.py", environment, "annual-report.pdf", QUESTION, "annual-report.pdf")
        hold_claude_script(tally, "claude_agent.py", examples / "claude_agent.py", environment, QUESTION, "annual-report.pdf")
        # README speaks of report.pdf; here it is one of the samples, in a library of its own.
        home = folder / "home"
        home.mkdir()
        environment |= {"HOME": str(home)}
        shutil.copy(REPOSITORY / "examples" / "documents" / "annual-report.pdf", folder / "report.pdf")
        (folder / "call.json").write_text('{"doc_name": "report.pdf", "pages": "1"}')
        subprocess.run([BINARY, "add", "report.pdf"], check=True, capture_output=True, env=environment, cwd=folder)
        os.environ["HOME"] = str(home)
        hold_readme(tally, folder, environment)
    tally.end("agents and README")


main()
