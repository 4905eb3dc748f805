"""What the tutorial notebook needs: a chat server that can add, and made-up rows in the form of GSM8K's files."""

import json
import random
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

THINGS = ["apples", "books", "coins", "stamps", "shells"]


def make_questions(folder, number_of_tests=60):
    """Write what is otherwise downloaded into an output folder."""
    path = folder / "scenarios" / "gsm"
    path.mkdir(parents=True)
    for split, count in (("train", 10), ("test", number_of_tests)):
        draw = random.Random(split)
        rows = [_row(draw) for _ in range(count)]
        (path / f"gsm_data_{split}").write_text("".join(json.dumps(row) + "\n" for row in rows))


def _row(draw):
    a, b, things = draw.randrange(3, 90), draw.randrange(3, 90), draw.choice(THINGS)
    question = f"Ann has {a} {things} and gets {b} more. How many {things} does she have now?"
    return {"question": question, "answer": f"She has {a} + {b} = {a + b} {things}.\n#### {a + b}"}


class AddingServer:
    """A chat server that solves the last question of a prompt, and is wrong about sums above 150."""

    def __init__(self, port=0):
        self.bodies = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.bodies.append(body)
                self._answer({"choices": [_choice(body["messages"][-1]["content"])], "usage": _USAGE})

            def do_GET(self):
                self._answer({"data": [{"id": "tiny", "owned_by": "tests"}]})

            def _answer(self, value):
                data = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


_USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def _choice(prompt):
    text = "Hi."
    found = re.findall(r"has (\d+) \w+ and gets (\d+)", prompt)
    if found:
        a, b = map(int, found[-1])
        total = a + b if a + b <= 150 else a + b - 1
        text = f"She has {a} + {b} = {total}. The answer is {total}."
    return {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
