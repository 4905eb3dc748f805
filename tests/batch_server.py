"""Batch APIs on loopback, in OpenAI's (and Azure's) and Anthropic's dialect, that misbehave on demand.

    server = BatchServer()
    server.answer = lambda route, body: "the answer"
    server.faults = {"create": ["429", "hang"], "poll": ["500"], "results": ["truncated"]}   # each once, in turn

What it has taken, made and answered stays in `files` and `batches` for tests to look at. A batch ends after
`polls_until_end` looks at it.
"""

import json
import re
import threading
import time
from datetime import UTC, datetime
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cluster_support import without_timings

NUM_QUESTIONS = 12
QUESTIONS = [
    {
        "input": {"text": f"Question {i}?"},
        "references": [
            {"output": {"text": "hi there"}, "tags": ["correct"]},
            {"output": {"text": "no"}, "tags": []},
        ],
        "split": "test" if i > 4 else "train",
    }
    for i in range(NUM_QUESTIONS + 5)
]
DEPLOYMENTS = """
model_deployments:
  - name: own/chat
    client_spec: {class_name: helm.clients.openai_client.OpenAIClient, args: {base_url: ORIGIN/v1, api_key: k}}
  - name: own/completions
    client_spec:
      class_name: helm.clients.openai_client.OpenAILegacyCompletionsClient
      args: {base_url: ORIGIN/v1, api_key: k}
  - name: own/responses
    client_spec:
      class_name: helm.clients.openai_responses_client.OpenAIResponseClient
      args: {base_url: ORIGIN/v1, api_key: k}
  - name: own/azure
    client_spec: {class_name: helm.clients.azure_openai_client.AzureOpenAIClient, args: {endpoint: ORIGIN, api_key: k}}
  - name: own/anthropic
    client_spec: {class_name: helm.clients.anthropic_client.AnthropicMessagesClient, args: {base_url: ORIGIN, api_key: k}}
  - name: own/always
    batch_api: true
    client_spec:
      class_name: helm.clients.openai_client.OpenAIClient
      args: {base_url: ORIGIN/v1, api_key: k, openai_model_name: chat}
  - name: own/never
    batch_api: false
    client_spec: {class_name: helm.clients.openai_client.OpenAIClient, args: {base_url: ORIGIN/v1, api_key: k}}
"""


def write_inputs(folder, origin):
    """Deployments of every dialect at `origin`, and questions `a`, `b` and `c`."""
    (folder / "prod_env").mkdir()
    (folder / "prod_env/model_deployments.yaml").write_text(DEPLOYMENTS.replace("ORIGIN", origin))
    for name in ("a", "b", "c"):
        lines = [{**q, "input": {"text": f"{name}: {q['input']['text']}"}} for q in QUESTIONS]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def entry(folder, name, model):
    return f"custom_mcqa:path={folder}/{name}.jsonl,num_train_instances=1,model={model}"


def by_prompt(route, body):
    """An answer that depends on the question, so that a mix-up shows."""
    question = re.findall(r"(\w): Question (\d+)\?", json.dumps(body))[-1]
    return " A" if int(question[1]) % 3 else f" B{question[0]}"


def files(tmp_path, name, suite="s"):
    """The run of questions `name`: file name -> text, without times."""
    (folder,) = [p for p in (tmp_path / "benchmark_output/runs" / suite).iterdir() if f"{name}.jsonl" in p.name]
    found = {}
    for path in sorted(folder.iterdir()):
        text = re.sub(r'"request_(time|datetime)": [0-9.e+-]+', r'"request_\1": TIME', without_timings(path))
        text = re.sub(r'"name": "inference_\w*runtime".*?"stddev": [0-9.e+-]+', "TIME", text, flags=re.DOTALL)
        found[path.name] = text
    return found


def records(tmp_path):
    paths = sorted((tmp_path / "prod_env/batches").glob("*.json"))
    return [json.loads(path.read_text()) for path in paths]


class BatchServer:
    def __init__(self):
        self.lock = threading.Lock()
        self.reset()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                outer.handle(self, "GET", b"")

            def do_POST(self):
                outer.handle(self, "POST", self.rfile.read(int(self.headers.get("Content-Length") or 0)))

            def log_message(self, *args):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def reset(self):
        self.answer = lambda route, body: "hi there"
        self.line_faults = {}  # number of a line, from 0 -> fault, for the next batch
        self.faults = {}
        self.files = {}
        self.batches = {}
        self.log = []
        self.direct = []
        self.polls_until_end = 1
        self.max_lines, self.limit_code = None, "token_limit_exceeded"
        self.has_api = True
        self.usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
        self.on_stage = lambda stage: None

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    @property
    def num_paid_lines(self):
        """How many requests were answered, in all batches together."""
        return sum(len(batch["answered"]) for batch in self.batches.values())

    @property
    def is_about_to_hang(self):
        """Whether what comes next, the making of the first batch or a look at one, runs into a fault `hang`."""
        return self.faults.get("poll" if self.batches else "create", [])[:1] == ["hang"]

    # --- HTTP ---------------------------------------------------------------------------------------------------------

    def handle(self, handler, method, data):
        path, _, query = handler.path.partition("?")
        parts = [part for part in path.split("/") if part]
        with self.lock:
            self.log.append(f"{method} {path}")
        try:
            status, body = self._route(method, parts, query, data, dict(handler.headers))
        except KeyError as e:
            status, body = 404, {"error": {"message": f"No such thing: {e}", "type": "not_found_error"}}
        if status is None:
            handler.close_connection = True
            return
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            handler.send_response(status)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)
        except OSError:
            pass  # the client has gone

    def _fault(self, stage):
        with self.lock:
            faults = self.faults.get(stage)
            return faults.pop(0) if faults else None

    def _route(self, method, parts, query, data, headers):
        if not self.has_api and ("files" in parts or "batches" in parts):
            return 404, {"detail": "Not Found"}
        if "batches" in parts and "messages" in parts:
            return self._anthropic(method, parts[parts.index("batches") + 1 :], query, data)
        if "batches" in parts:
            return self._openai_batches(method, parts[parts.index("batches") + 1 :], query, data)
        if "files" in parts:
            return self._openai_files(method, parts[parts.index("files") + 1 :], data, headers)
        body = json.loads(data)
        with self.lock:
            self.direct.append(body)
        return 200, self._answer("/".join(parts), body)

    def _simple(self, fault):
        if fault == "429":
            return 429, {"error": {"message": "Rate limit reached", "type": "rate_limit_error"}}
        if fault == "500":
            return 500, {"error": {"message": "Something broke", "type": "server_error"}}
        if fault == "400":
            return 400, {"error": {"message": "this model has no batches", "type": "invalid_request_error"}}
        if fault == "401":
            return 401, {"error": {"message": "Incorrect API key", "type": "authentication_error"}}
        if fault == "404":
            return 404, {"error": {"message": "No such file", "type": "not_found_error"}}
        if fault == "hang":
            time.sleep(2)
            return None, None
        return None

    # --- answers ------------------------------------------------------------------------------------------------------

    def _answer(self, route, body):
        text = self.answer(route, body)
        if isinstance(text, dict):
            return text
        if route.endswith("messages"):
            usage = {"input_tokens": 7, "output_tokens": 3}
            content = [{"type": "text", "text": text}]
            return {
                "type": "message",
                "role": "assistant",
                "content": content,
                "stop_reason": "end_turn",
                "usage": usage,
            }
        if route.endswith("responses"):
            output = [{"type": "message", "content": [{"type": "output_text", "text": text}]}]
            return {"status": "completed", "output": output, "usage": {"input_tokens": 7, "output_tokens": 3}}
        if route.endswith("chat/completions"):
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return {"choices": [choice], "usage": self.usage}
        return {"choices": [{"index": 0, "text": text, "finish_reason": "stop"}], "usage": self.usage}

    def _new_batch(self, kind, lines, **fields):
        with self.lock:
            name = f"{'batch' if kind == 'openai' else 'msgbatch'}_{len(self.batches)}"
            faults, self.line_faults = self.line_faults, {}
            batch = {"id": name, "lines": lines, "polls": 0, "answered": [], "faults": faults, "status": None}
            batch |= {"created_at": int(time.time()), **fields}
            self.batches[name] = batch
        return batch

    def _progress(self, batch):
        """One look at a batch; it ends when there were enough."""
        batch["polls"] += 1
        self.on_stage("polling")
        if batch["status"] is None and batch["polls"] >= self.polls_until_end:
            batch["status"] = "ended"
            batch["ended_at"] = int(time.time())

    # --- OpenAI -------------------------------------------------------------------------------------------------------

    def _openai_files(self, method, parts, data, headers):
        if method == "POST":
            self.on_stage("uploading")
            fault = self._simple(self._fault("upload"))
            if fault:
                return fault
            head = f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode()
            fields = {}
            for part in BytesParser().parsebytes(head + data).get_payload():
                fields[part.get_param("name", header="content-disposition")] = part.get_payload(decode=True)
            assert fields["purpose"] == b"batch", fields
            with self.lock:
                name = f"file_{len(self.files)}"
                self.files[name] = fields["file"]
            self.on_stage("uploaded")
            return 200, {"id": name, "object": "file"}
        name, what = parts
        assert what == "content"
        fault = self._fault("results")
        if self._simple(fault):
            return self._simple(fault)
        content = self.files[name]
        self.on_stage("downloading")
        if fault == "truncated":
            return 200, content[: len(content) - 25]
        return 200, content

    def _openai_batches(self, method, parts, query, data):
        if method == "POST" and not parts:
            return self._openai_create(json.loads(data))
        if method == "GET" and not parts:
            batches = list(self.batches.values())[::-1]
            return 200, {"object": "list", "data": [self._openai_view(batch) for batch in batches], "has_more": False}
        batch = self.batches[parts[0]]
        if parts[1:] == ["cancel"]:
            batch["status"] = batch["status"] or "cancelled"
            return 200, self._openai_view(batch)
        fault = self._simple(self._fault("poll"))
        if fault:
            return fault
        self._progress(batch)
        self._openai_end(batch)
        return 200, self._openai_view(batch)

    def _openai_create(self, body):
        fault = self._fault("create")
        if fault != "hang" and self._simple(fault):
            return self._simple(fault)
        assert body["completion_window"] == "24h" and body["endpoint"].startswith("/")
        lines = [json.loads(line) for line in self.files[body["input_file_id"]].splitlines()]
        assert len({line["custom_id"] for line in lines}) == len(lines)
        assert all(line["url"] == body["endpoint"] and line["method"] == "POST" for line in lines)
        assert len({line["body"]["model"] for line in lines}) == 1
        batch = self._new_batch("openai", lines, metadata=body.get("metadata"), file=body["input_file_id"])
        self.on_stage("created")
        if fault in ("hang", "500 after all"):
            return self._simple("hang" if fault == "hang" else "500")
        if self.max_lines is not None and len(lines) > self.max_lines:
            batch["errors"] = [{"code": self.limit_code, "message": "Enqueued token limit reached", "line": None}]
        bad = [number for number, what in batch["faults"].items() if what == "bad line"]
        if bad:
            batch["errors"] = [{"code": "invalid_body", "message": "no such field", "line": n + 1} for n in bad]
        return 200, self._openai_view(batch)

    def _openai_end(self, batch):
        if batch["status"] is None or "output" in batch or batch.get("errors"):
            return
        outputs, errors = [], []
        was_cancelled = batch["status"] == "cancelled"
        for number, line in enumerate(batch["lines"]):
            fault = batch["faults"].get(number)
            entry = {"id": f"r{number}", "custom_id": line["custom_id"], "error": None}
            if was_cancelled and number % 2:
                continue
            if fault == "expired":
                batch["status"] = "expired"
                error = {"code": "batch_expired", "message": "This request could not be executed in time."}
                errors.append({**entry, "response": None, "error": error})
            elif fault in ("400", "500", "filter"):
                status = 500 if fault == "500" else 400
                code = "content_filter" if fault == "filter" else "invalid_request_error"
                error = {"error": {"message": "it failed", "code": code}}
                errors.append({**entry, "response": {"status_code": status, "body": error}})
            elif fault != "missing":
                batch["answered"].append(line["custom_id"])
                body = self._answer(line["url"], line["body"])
                outputs.append({**entry, "response": {"status_code": 200, "request_id": "q", "body": body}})
                if fault == "twice":
                    outputs.append(outputs[-1])
            if fault == "unknown":
                outputs.append({**outputs[-1], "custom_id": "nobody"})
        batch["counts"] = {"total": len(batch["lines"]), "completed": len(batch["answered"]), "failed": len(errors)}
        for name, entries in (("output", outputs[::-1]), ("error", errors)):
            batch[name] = None
            if entries:
                batch[name] = f"{batch['id']}_{name}"
                self.files[batch[name]] = "".join(json.dumps(entry) + "\n" for entry in entries).encode()

    def _openai_view(self, batch):
        said = {None: "in_progress", "ended": "completed"}.get(batch["status"], batch["status"])
        view = {"id": batch["id"], "object": "batch", "created_at": batch["created_at"], "metadata": batch["metadata"]}
        view |= {"input_file_id": batch["file"], "request_counts": batch.get("counts", {"total": 0})}
        if batch.get("errors"):
            view |= {"status": "failed", "errors": {"object": "list", "data": batch["errors"]}, "failed_at": 1}
        else:
            view |= {"status": said, "in_progress_at": batch["created_at"]}
            if batch["status"] is not None:
                view |= {f"{said}_at": batch.get("ended_at", int(time.time()))}
                view |= {"output_file_id": batch.get("output"), "error_file_id": batch.get("error")}
        return view

    # --- Anthropic ----------------------------------------------------------------------------------------------------

    def _anthropic(self, method, parts, query, data):
        if method == "POST" and not parts:
            fault = self._fault("create")
            if fault != "hang" and self._simple(fault):
                return self._simple(fault)
            batch = self._new_batch("anthropic", json.loads(data)["requests"])
            self.on_stage("created")
            if fault in ("hang", "500 after all"):
                return self._simple("hang" if fault == "hang" else "500")
            return 200, self._anthropic_view(batch)
        if not parts:
            batches = [self._anthropic_view(batch) for batch in self.batches.values()]
            return 200, {"data": batches[::-1], "has_more": False, "first_id": None, "last_id": None}
        batch = self.batches[parts[0]]
        if parts[1:] == ["cancel"]:
            batch["status"] = "cancelled"
            return 200, self._anthropic_view(batch)
        if parts[1:] == ["results"]:
            return self._anthropic_results(batch)
        fault = self._simple(self._fault("poll"))
        if fault:
            return fault
        self._progress(batch)
        if batch["status"] is not None and "results" not in batch:
            batch["results"] = self._anthropic_lines(batch)
        return 200, self._anthropic_view(batch)

    def _anthropic_results(self, batch):
        fault = self._fault("results")
        if self._simple(fault):
            return self._simple(fault)
        self.on_stage("downloading")
        content = "".join(json.dumps(line) + "\n" for line in batch["results"]).encode()
        return 200, content[: len(content) - 25] if fault == "truncated" else content

    def _anthropic_lines(self, batch):
        lines = []
        for number, line in enumerate(batch["lines"]):
            fault = batch["faults"].get(number)
            if fault == "expired" or (batch["status"] == "cancelled" and number % 2):
                result = {"type": "expired" if fault == "expired" else "canceled"}
            elif fault in ("400", "500"):
                kind = "invalid_request_error" if fault == "400" else "api_error"
                result = {
                    "type": "errored",
                    "error": {"type": "error", "error": {"type": kind, "message": "it failed"}},
                }
            elif fault == "missing":
                continue
            else:
                batch["answered"].append(line["custom_id"])
                result = {"type": "succeeded", "message": self._answer("v1/messages", line["params"])}
            lines += [{"custom_id": line["custom_id"], "result": result}] * (2 if fault == "twice" else 1)
        return lines[::-1]

    def _anthropic_view(self, batch):
        kinds = [line["result"]["type"] for line in batch.get("results", [])]
        counts = {kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
        counts["processing"] = len(batch["lines"]) - len(kinds) if batch["status"] is None else 0
        view = {"id": batch["id"], "type": "message_batch", "request_counts": counts}
        view |= {"created_at": datetime.fromtimestamp(batch["created_at"], UTC).isoformat()}
        is_over = batch["status"] is not None
        ended_at = datetime.fromtimestamp(batch.get("ended_at", time.time()), UTC).isoformat() if is_over else None
        return {**view, "processing_status": "ended" if is_over else "in_progress", "ended_at": ended_at}
