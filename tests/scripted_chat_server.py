"""A chat server in OpenAI's protocol that answers known questions with prepared messages, and stops as servers do."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class ScriptedChatServer:
    """Serves `POST .../chat/completions` on a free port of the loopback interface.

    Args:
        script: maps a piece of text that only one question has to a message: `content`, and perhaps
            `reasoning_content` and `finish_reason`.
        judge: function from the prompt to the text of a reply, for the model `judge`.
    """

    def __init__(self, script, judge=None):
        self.script, self.judge, self.bodies = script, judge, []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path.endswith("/chat/completions"):
                    self.reply(200, outer.answer(body))
                else:
                    self.reply(404, {"detail": "Not Found"})

            def do_GET(self):
                self.reply(
                    200, {"object": "list", "data": [{"id": name, "max_model_len": 65536} for name in ("m", "judge")]}
                )

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
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def answer(self, body):
        self.bodies.append(body)
        last = body["messages"][-1]["content"]
        if body["model"] == "judge":
            message = {"content": self.judge(last)}
        else:
            # The question is the last one of the prompt; examples come before it.
            found = max(self.script, key=last.rfind)
            message = dict(self.script[found]) if found in last else {"content": "Hello!"}
        reason = message.pop("finish_reason", "stop")
        text = message.get("content") or ""
        stops = body.get("stop") or []
        for stop in [stops] if isinstance(stops, str) else stops:
            text = text.partition(stop)[0]
        words = text.split(" ")
        limit = body.get("max_tokens") or body.get("max_completion_tokens") or len(words)
        if len(words) > limit:
            text, reason = " ".join(words[:limit]), "length"
        message = {"role": "assistant", **message, "content": text}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        return {
            "id": "x", "object": "chat.completion", "model": body["model"], "usage": usage,
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        }  # fmt: skip

    def close(self):
        self._server.shutdown()
        self._server.server_close()
