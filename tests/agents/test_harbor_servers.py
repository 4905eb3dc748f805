"""Servers of MCP that a Harbor task brings: in bubblewrap, in a real container, and by an address inside."""

import json
import os
import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from agent_support import ScriptedModel, call, executor
from container_support import IMAGE, _podman, podman  # noqa: F401
from helm.agents.agents.command_line import read_programs
from helm.agents.agents.program_servers import add_servers
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.harbor.dockerfile import NotPlain
from helm.agents.harbor.task import read_task
from helm.agents.scenarios.harbor_scenario import HarborScenario
from helm.agents.tools.mcp_inside import AddressInside
from helm.common.agent_request import AgentRequest, EpisodeLimits
from helm.common.errors import ScenarioError
from helm.common.object_spec import ObjectSpec
from helm.common.sandbox.contract import SandboxLimits
from helm.common.sandbox.session import SandboxSession, is_available
from lazy_support import import_when_used
from vectors_support import vectors_dir

import_when_used("mcp")

SERVER = vectors_dir() / "agents" / "mcp" / "server.py"
needs_bubblewrap = pytest.mark.skipif(not is_available(), reason="there is no bubblewrap")
TEST_SH = "#!/bin/sh\nif [ -e done.txt ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n"
IN_SHELL = r"""#!/bin/bash
answer() { printf '{"jsonrpc": "2.0", "id": %s, "result": %s}\n' "$1" "$2"; }
info='{"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}'
tools='{"tools": [{"name": "touch", "inputSchema": {"type": "object"}}, {"name": "bash", "inputSchema": {"type": "object"}}]}'
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id": *\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) answer "$id" "$info";;
    *'"tools/list"'*) answer "$id" "$tools";;
    *'"tools/call"'*)
      touch /work/done.txt; answer "$id" "{\"content\": [{\"type\": \"text\", \"text\": \"$WORD as $(id -u)\"}]}";;
    *'"id"'*) printf '{"jsonrpc": "2.0", "id": %s, "error": {"code": -32601, "message": "no"}}\n' "$id";;
  esac
done
"""
OVER_HTTP = """
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        tool = {"name": "key", "inputSchema": {"type": "object"}}
        info = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
        text = self.headers.get("X-Key", "no key") + " for " + self.headers["Host"]
        said = {"content": [{"type": "text", "text": text}]}
        found = {"initialize": info, "tools/list": {"tools": [tool]}, "tools/call": said}.get(asked["method"])
        reply = {"result": found} if found is not None else {"error": {"code": -32601, "message": "no"}}
        data = json.dumps({"jsonrpc": "2.0", "id": asked["id"], **reply}).encode() if "id" in asked else b""
        self.send_response(200 if data else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.send_error(405)

    do_DELETE = do_GET

HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


def write_task(folder, name, toml, **files):
    given = {
        "task.toml": toml, "instruction.md": "Use the tools.", "tests/test.sh": TEST_SH,
        "environment/Dockerfile": "FROM scratch\nWORKDIR /app\nCOPY server.py /app/server.py\n", **files,
    }  # fmt: skip
    for path, text in given.items():
        target = Path(folder) / name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return str(Path(folder) / name)


def find_real(executable):
    folder = os.environ.get("HELM_TEST_AGENTS", "")
    places = [os.path.join(folder, "node_modules", ".bin"), os.path.join(folder, "bin"), os.environ["PATH"]]
    return shutil.which(executable, path=os.pathsep.join(places))


def run(place, *answers, box="HarborBox", agent="ReactLoop", program=None, executable=None, **args):
    task = read_task(place)
    of_agent = {key: value for key, value in (("program", program), ("executable", executable)) if value is not None}
    request = AgentRequest(
        task=task.name,
        messages=[{"role": "user", "content": task.steps[0].instruction}],
        model_deployment="x/y",
        agent=ObjectSpec(f"helm.agents.agents.{agent}", of_agent),
        environment=ObjectSpec(f"helm.agents.harbor.box.{box}", {"task": place, "sha256": task.sha256, **args}),
        check=ObjectSpec("helm.agents.harbor.box.HarborCheck"),
        limits=EpisodeLimits(seconds=120.0),
    )
    model = ScriptedModel(*answers)
    return executor(model, "exclude", retries=0).run_episode(request), model


def told(result):
    return [event["content"] for event in result.events if event["kind"] == "tool_result"]


@needs_bubblewrap
def test_the_tools_of_a_server_in_the_sandbox(tmp_path):
    toml = (
        '[[environment.mcp_servers]]\nname = "notes"\ntransport = "stdio"\n'
        f'command = "{sys.executable}"\nargs = ["server.py"]\n'
    )
    place = write_task(tmp_path, "task", toml, **{"environment/server.py": SERVER.read_text()})
    result, model = run(
        place,
        [
            call("put-note", {"name": "a", "text": "b"}), call("get_note", {"name": "a"}),
            call("bash", {"command": "touch done.txt"}),
        ],
        [call("submit", {"answer": "b"})],
    )  # fmt: skip
    assert told(result)[:2] == ["1 notes", "b"] and result.reward == 1, result.error
    names = [tool["function"]["name"] for tool in model.requests[0].tools]
    assert {"bash", "view", "put-note", "get_note", "submit"} <= set(names)
    (instance,) = HarborScenario(place).get_instances("")
    assert instance.extra_data["environment"]["class_name"].endswith("HarborBox")


@needs_bubblewrap
def test_a_server_that_does_not_start_is_a_failure_of_the_sandbox_with_its_words(tmp_path):
    toml = '[[environment.mcp_servers]]\nname = "lost/one"\ntransport = "stdio"\ncommand = "no-such-program"\n'
    result, model = run(write_task(tmp_path, "task", toml, **{"environment/server.py": ""}))
    assert (result.cause, result.reward) == ("sandbox", None) and not model.requests
    assert "lost/one (no-such-program) failed" in result.error and "not found" in result.error


@needs_bubblewrap
def test_an_outside_agent_is_told_of_them_in_its_own_way_or_refused(tmp_path):
    toml = '[[environment.mcp_servers]]\nname = "s"\ntransport = "stdio"\ncommand = "x"\n'
    place = write_task(tmp_path, "task", toml, **{"environment/server.py": ""})
    with pytest.raises(
        AgentError, match=r"\(s\), of which this program is not told. Use codex, claude-code, gemini-cli, or"
    ):
        run(place, agent="CommandLineAgent", program="mini-swe-agent")


SERVERS = [
    {"name": "a", "transport": "stdio", "command": "x", "args": ["-v", 'q"'], "env": {"K": "1"}, "headers": {}},
    {
        "name": "b",
        "transport": "streamable-http",
        "url": "http://b/mcp",
        "env": {},
        "headers": {"X-Key": "k"},
        "args": [],
    },
    {"name": "c", "transport": "sse", "url": "http://c/sse", "env": {}, "headers": {}, "args": []},
]


def test_the_settings_of_programs_have_the_servers():
    by_name = {}
    for name in ("codex", "claude-code", "gemini-cli"):
        known = read_programs()[name]
        files, more = add_servers(known["servers"], known.get("files", {}), SERVERS)
        text = files[known["servers"]["path"]]
        by_name[name] = tomllib.loads(text) if name == "codex" else json.loads(text)
        assert more == (["--mcp-config", known["servers"]["path"]] if name == "claude-code" else [])
    command = {"command": "x", "args": ["-v", 'q"'], "env": {"K": "1"}}
    codex, claude, gemini = by_name.values()
    assert codex["model_provider"] == "bridge" and codex["mcp_servers"] == {
        "a": command, "b": {"url": "http://b/mcp", "http_headers": {"X-Key": "k"}}, "c": {"url": "http://c/sse"}
    }  # fmt: skip
    assert claude["mcpServers"]["a"] == command and claude["mcpServers"]["b"]["type"] == "http"
    assert gemini["security"] and gemini["mcpServers"]["b"] == {"httpUrl": "http://b/mcp", "headers": {"X-Key": "k"}}


@needs_bubblewrap
@pytest.mark.slow
@pytest.mark.parametrize("name", ["codex", "claude-code", "gemini-cli"])
def test_a_real_outside_agent_uses_a_server(name, tmp_path):
    """The scripted model calls the server's tool by the name that the program has given it."""
    path = find_real(read_programs()[name]["executable"])
    if path is None:
        pytest.skip(f"{name} is not installed")
    toml = (
        '[[environment.mcp_servers]]\nname = "notes"\ntransport = "stdio"\n'
        f'command = "{sys.executable}"\nargs = ["/app/server.py"]\n'
    )
    place = write_task(tmp_path, "task", toml, **{"environment/server.py": SERVER.read_text()})

    def answer(asked):
        told = [message for message in asked.messages if message["role"] == "tool"]
        found = [
            one["function"]["name"] for one in asked.tools or [] if re.search("put[-_]note$", one["function"]["name"])
        ]
        if told or not found:
            return f"Done: {told[-1]['content'] if told else 'nothing'}"
        return [call(found[0], {"name": "a", "text": "b"}, "c1")]

    result, model = run(place, *[answer] * 10, agent="CommandLineAgent", program=name, executable=path)
    assert "1 notes" in str(result.answer), (
        result.error,
        [event for event in result.events if event.get("details")][-1],
    )


@needs_bubblewrap
def test_a_server_at_an_address_inside(tmp_path):
    limits = SandboxLimits(wall_s=600.0, memory_bytes=512 << 20, processes=64, open_files=256)
    session = SandboxSession(["/app"], "/app", limits)
    url = "http://localhost:8123/mcp"
    try:
        session.write("/app/server.py", OVER_HTTP.encode())
        session.run_in_shell("python3 server.py 8123 >/dev/null 2>&1 &", wall_s=10.0)
        server = AddressInside("web", session, url, "streamable-http", {"X-Key": "k1"}, seconds=10.0)
        (tool,) = server.open()
        assert [tool.call({}).content for _ in range(3)] == ["k1 for localhost:8123"] * 3
        session.run_in_shell("pkill -f server.py", wall_s=10.0)
        with pytest.raises(InfrastructureFailure, match=r"The MCP server web \(http://localhost:8123/mcp\) failed"):
            tool.call({})
        server.close()
    finally:
        session.close()


def test_a_server_in_a_container(tmp_path, podman):  # noqa: F811
    toml = (
        '[agent]\nuser = "nobody"\n[environment]\nworkdir = "/work"\n'
        '[environment.env]\nWORD = "plain"\n'
        '[[environment.mcp_servers]]\nname = "hand"\ntransport = "stdio"\ncommand = "bash"\nargs = ["/srv/server"]\n'
        '[environment.mcp_servers.env]\nWORD = "made"\n'
    )
    docker = f"FROM {IMAGE}\nWORKDIR /work\nRUN chmod 777 /work\nCOPY server /srv/server\n"
    place = write_task(tmp_path, "task", toml, **{"environment/Dockerfile": docker, "environment/server": IN_SHELL})
    answers = ([call("touch", {}), call("hand_bash", {})], [call("submit", {"answer": "b"})])
    result, _ = run(place, *answers, box="HarborContainer", engine="podman")
    assert told(result)[:2] == ["made as 65534"] * 2 and result.reward == 1, result.error


def test_addresses_that_nothing_reaches_are_refused_by_name(tmp_path, podman):  # noqa: F811
    toml = '[[environment.mcp_servers]]\nname = "far"\ntransport = "http"\nurl = "http://{}:1/mcp"\n'
    docker = {"environment/Dockerfile": f"FROM {IMAGE}\n"}
    compose = {"environment/compose.yaml": f"services: {{main: {{}}, tools: {{image: '{IMAGE}'}}}}"}
    far = write_task(tmp_path, "far", toml.format("example.org"), **docker)
    near = write_task(tmp_path, "near", toml.format("tools"), **docker, **compose)
    with pytest.raises(NotPlain, match="beside it"):
        read_task(write_task(tmp_path, "here", toml.format("localhost"), **{"environment/server.py": ""})).plain_image()
    with pytest.raises(
        ScenarioError, match="server of MCP far is at example.org, which it reaches with a network only"
    ):
        HarborScenario(far, environment="podman").get_instances("")
    assert HarborScenario(far, environment="podman", network=True).get_instances("")
    assert HarborScenario(near, environment="podman").get_instances("")
