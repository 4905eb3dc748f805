"""A small environment, a chat server that calls tools, and episodes without a run."""

import json
import socket
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from helm.agents.agents.agent import Agent
from helm.agents.bridge.server import Bridge
from helm.agents.checks import Check, Score
from helm.agents.errors import InfrastructureFailure
from helm.agents.executor import AgentExecutor
from helm.agents.tools.tool import Tool, ToolResult, ToolSource, tool
from helm.benchmark.run_settings import RunSettings
from helm.common.agent_request import AgentRequest
from helm.common.object_spec import ObjectSpec
from helm.common.request import GeneratedOutput, RequestResult, Usage
from helm.common.sandbox.session import SessionRefused


class Shop:
    """Sells fruit."""

    def __init__(self, stock):
        self.stock = stock

    @tool
    def count(self, item: str) -> int:
        """Count an item.

        Args:
            item: its name.
        """
        return self.stock[item]

    @tool
    def sell(self, item: str, number: int = 1) -> str:
        """Sell some of an item."""
        if self.stock[item] < number:
            raise ValueError("not enough")
        self.stock[item] -= number
        return "sold"

    def state(self):
        return {"stock": self.stock}

    def check(self, item, left):
        return {"reward": float(self.stock[item] == left), "left": float(self.stock[item])}


SHOP = ObjectSpec(
    "helm.agents.environments.python_domain.PythonDomain",
    {"class_name": "agent_support.Shop", "data": {"stock": {"apple": 5, "pear": 2}}},
)
THREE_APPLES = ObjectSpec("helm.agents.checks.DomainCheck", {"arguments": {"item": "apple", "left": 3}})


def call(name, arguments, call_id=None):
    return {"id": call_id, "name": name, "arguments": arguments}


def request(agent="helm.agents.agents.ReactLoop", args=None, **fields):
    """A request for an episode in the shop."""
    given = {"environment": SHOP, "check": THREE_APPLES, "task": "t", "model_deployment": "x/y", **fields}
    messages = given.pop("messages", [{"role": "user", "content": "Sell two apples."}])
    return AgentRequest(messages=messages, agent=ObjectSpec(agent, args or {}), **given)


class ScriptedModel:
    """A context whose model gives prepared answers in order: texts, lists of calls, results, or functions of the request."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), []

    def get_client(self, deployment):
        return None

    def make_request(self, asked):
        self.requests.append(asked)
        answer = self.answers.pop(0)
        if callable(answer):
            answer = answer(asked)
        if isinstance(answer, RequestResult):
            return answer
        output = (
            GeneratedOutput(answer, 0, [], {"reason": "stop"})
            if isinstance(answer, str)
            else GeneratedOutput("", 0, [], {"reason": "tool_calls"}, tool_calls=answer)
        )
        return RequestResult(True, [], [output], False, request_time=0.0, outcome="ok", usage=Usage(10, 5))


def executor(model, on_failure="fail", **args):
    return AgentExecutor(model, RunSettings(on_failure=on_failure), **args)


def run_episode(asked, *answers, **args):
    """The result of one episode with a scripted model, and the model."""
    model = ScriptedModel(*answers)
    return executor(model, **args).run_episode(asked), model


def kinds(result):
    return [event["kind"] for event in result.events]


class Bash(Tool):
    name = "bash"
    parameters = {"type": "object", "properties": {"command": {"type": "string"}}}

    def call(self, arguments):
        return ToolResult(f"ran {arguments['command']}")


class Long(Tool):
    name = "long"

    def call(self, arguments):
        return ToolResult("a" * 5000 + "b" * 5000)


class Dice(Tool):
    name = "dice"
    rolls = [1, 2, 3]

    def call(self, arguments):
        return ToolResult(str(self.rolls.pop(0)))


class Deadly(Tool):
    """Raises an error when it is called."""

    name = "deadly"
    error = None

    def call(self, arguments):
        if self.error is not None:
            raise self.error
        return ToolResult("alive")


class Faulty(ToolSource):
    """Cannot be opened at some tries, counted from 1."""

    bad_openings, count = [], 0

    def open(self):
        type(self).count += 1
        if self.count in self.bad_openings:
            raise InfrastructureFailure("sandbox", "gone")
        return []


class Own(Agent):
    """An agent of one's own."""

    def run(self, episode):
        text = episode.ask([{"role": "user", "content": "?"}], with_tools=False).text
        episode.call_tool("sell", json.loads(text))


class FunctionAsProgram(Agent):
    """Calls a function, with the port and the token of the bridge, as if it were an outside program."""

    function = staticmethod(lambda port, token: None)

    def run(self, episode):
        listener = socket.create_server(("127.0.0.1", 0))
        with Bridge(episode, listener, lambda: None) as bridge:
            type(self).function(listener.getsockname()[1], bridge.token)
        if bridge.error is not None:
            raise bridge.error


class FileCheck(Check):
    """Whether a file of the environment has a text."""

    def __init__(self, path, text):
        self.path, self.text = path, text

    def score(self, episode):
        try:
            return Score(float(episode.environment.session.read(self.path) == self.text.encode()))
        except SessionRefused:
            return Score(0.0)


class ToolCallServer:
    """Serves chat completions whose message is a function of the request's body. Counts equal requests.

    With `reads_key`, the function gets the value of the header `Idempotency-Key` as well.
    """

    def __init__(self, answer, model="m", reads_key=False):
        self.counts, self.bodies = Counter(), []
        outer, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    outer.counts[json.dumps(body, sort_keys=True)] += 1
                    outer.bodies.append(body)
                found = answer(body, self.headers["Idempotency-Key"]) if reads_key else answer(body)
                status, message = found if isinstance(found, tuple) else (200, found)
                if status != 200:
                    return self.reply(status, {"error": {"message": message}})
                for number, each in enumerate(message.get("tool_calls", [])):
                    each.update(id=f"c{len(body['messages'])}_{number}", type="function")
                reason = "tool_calls" if message.get("tool_calls") else "stop"
                choice = {
                    "index": 0,
                    "message": {"role": "assistant", "content": None, **message},
                    "finish_reason": reason,
                }
                usage = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
                self.reply(200, {"id": "r", "choices": [choice], "usage": usage})

            def do_GET(self):
                self.reply(200, {"object": "list", "data": [{"id": model, "max_model_len": 65536}]})

            def reply(self, status, value):
                data = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *args: None  # an answer that raises is a dropped connection
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def function_call(name, arguments):
    return {"function": {"name": name, "arguments": json.dumps(arguments)}}


class Desk:
    """Holds files, and runs made-up commands."""

    def __init__(self, files):
        self.files = files

    @tool
    def shell(self, command: str) -> str:
        """Run a command."""
        if command == "boom":
            raise ValueError("exit code 3 <script>alert(1)</script>")
        if command == "colours":
            return "\x1b[31mred\x1b[0m plain \x1b[2J\x1b]0;title\x07\x1b[1;32mbold green\x1b[0m <b>no markup</b>"
        return "\n".join(f"{command}: line {number}" for number in range(30 if command == "long" else 2))

    @tool
    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        """Replace a text in a file."""
        self.files[path] = self.files[path].replace(old_str, new_str)
        return "done"

    def state(self):
        return {"files": self.files}

    def check(self):
        return {"reward": float("fixed" in self.files["a.py"]), "lines": float(len(self.files["a.py"].splitlines()))}
