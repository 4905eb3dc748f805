"""OpenAI's batch API, which Azure, Groq and others share: upload a file, create a batch from it, download the results."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.batch.batches import ENDED, RUNNING, Batches, BatchItem, BatchStatus, LineAnswer
from helm.clients.http.answer_errors import find_error
from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.http.request_failure import RequestFailure, Said
from helm.common.request import AUTH, CANCELLED, RATE_LIMITED, REFUSED, SERVER, TIMED_OUT

_KEY = "helm_batch"
"""The metadata field that holds our key of the batch."""
_ENDED = ("completed", "failed", "expired", "cancelled")
_LINE_OUTCOMES = {"batch_expired": TIMED_OUT, "batch_cancelled": CANCELLED}
# Batches are identified by our key, so this only ends the search through older ones; it may be generous.
_CLOCK_TOLERANCE_S = 3600.0
_PAGE = 100


class OpenAIBatches(Batches):
    """Files and batches below `base_url`.

    Args:
        endpoint: the server; routes are relative to its URL.
        price_share: the price of requests in a batch as a share of the usual price; None means a half.
        line_prefix: the prefix of routes in lines; OpenAI requires `/v1/`, Azure `/`.
        query: the suffix of every route, such as Azure's version of the API.
        route_prefix: the prefix of the routes of files and batches.
    """

    provider = "openai"
    price_share = 0.5

    def __init__(
        self,
        endpoint: HTTPEndpoint,
        price_share: float | None = None,
        line_prefix: str = "/v1/",
        query: str = "",
        route_prefix: str = "",
    ):
        super().__init__(endpoint, price_share)
        self._line_prefix = line_prefix
        self._query = query
        self._route_prefix = route_prefix

    def _route(self, route: str) -> str:
        return f"{self._route_prefix}{route}{self._query}"

    def _line_url(self, item: BatchItem) -> str:
        return f"{self._line_prefix}{item.route}"

    def line(self, item: BatchItem) -> bytes:
        body = {name: value for name, value in item.body.items() if name != "stream"}
        line = {"custom_id": item.custom_id, "method": "POST", "url": self._line_url(item), "body": body}
        return json.dumps(line).encode("ascii")

    def group(self, item: BatchItem) -> str:
        """Return the route and the model: a batch takes one of each."""
        return f"{self._line_url(item)} {item.body.get('model')}"

    def upload(self, key: str, path: str) -> str | None:
        from urllib3.filepost import encode_multipart_formdata

        with open(path, "rb") as file:
            fields: dict[str, Any] = {
                "purpose": "batch",
                "file": (f"helm-{key}.jsonl", file.read(), "application/jsonl"),
            }
        data, content_type = encode_multipart_formdata(fields)
        headers, route = {"Content-Type": content_type}, self._route("files")
        sent = self.endpoint.send("POST", route, data, self._check_object, headers, is_paid=False)
        return self._name(route, sent.value)

    def create(self, key: str, path: str, group: str, file_id: str | None) -> str:
        route = self._route("batches")
        body = {
            "input_file_id": file_id,
            "endpoint": group.partition(" ")[0],
            "completion_window": "24h",
            "metadata": {_KEY: key},
        }
        return self._name(route, self._post(route, body, is_retried=False))

    def find(
        self, key: str, file_id: str | None, num_requests: int, made_after: float, taken: Sequence[str]
    ) -> str | None:
        for batch in self._pages(self._route("batches"), "after", _PAGE):
            metadata = batch.get("metadata")
            is_ours = isinstance(metadata, dict) and metadata.get(_KEY) == key
            if (is_ours or (file_id and batch.get("input_file_id") == file_id)) and isinstance(batch.get("id"), str):
                return batch["id"]
            created_at = batch.get("created_at")
            if isinstance(created_at, (int, float)) and created_at < made_after - _CLOCK_TOLERANCE_S:
                return None  # the newest come first
        return None

    def poll(self, batch_id: str) -> BatchStatus:
        route = self._route(f"batches/{batch_id}")
        batch = self._get(route)
        self._name(route, batch)
        said, counts = str(batch.get("status")), batch.get("request_counts") or {}
        done, failed = (int(counts.get(name) or 0) for name in ("completed", "failed"))
        began_at = batch.get("in_progress_at") or batch.get("created_at")
        if said not in _ENDED:
            return BatchStatus(RUNNING, said, done, failed, began_at)
        ended_at = next((batch[f"{word}_at"] for word in _ENDED if batch.get(f"{word}_at")), None)
        files = [batch[name] for name in ("output_file_id", "error_file_id") if batch.get(name)]
        problem, bad_lines = self._problem(route, batch) if said == "failed" else (None, [])
        return BatchStatus(ENDED, said, done, failed, began_at, ended_at, files, problem, bad_lines)

    def _problem(self, route: str, batch: Mapping[str, Any]) -> tuple[RequestFailure, list[tuple[int, str]]]:
        """Return why the batch was not started, and which lines are at fault."""
        errors = (batch.get("errors") or {}).get("data") or []
        texts, bad_lines, outcome = [], [], REFUSED
        for error in errors:
            text = f"{error.get('code')}: {error.get('message')}"
            texts.append(text)
            if isinstance(error.get("line"), int):
                bad_lines.append((error["line"], text))
            if Said(text, str(error.get("code"))).is_about_credit:
                outcome = AUTH
            elif "limit" in str(error.get("code")):  # the limit of enqueued tokens
                outcome = RATE_LIMITED
        cause = "; ".join(texts[:3]) or "no reason is given"
        return self.endpoint.failure(outcome, route, f"the batch was not begun: {cause}"), bad_lines

    def download(self, batch_id: str, file: str) -> bytes:
        return self._download(self._route(f"files/{file}/content"))

    def read_line(self, line: Mapping[str, Any]) -> LineAnswer:
        custom_id, response, error = str(line["custom_id"]), line.get("response"), line.get("error")
        if isinstance(response, dict) and find_error({"error": error}) is None:
            return LineAnswer(custom_id, int(response["status_code"]), response["body"])
        if not isinstance(error, dict):
            raise ValueError("neither a response nor an error")
        outcome = _LINE_OUTCOMES.get(str(error.get("code")), SERVER)
        cause = f"{error.get('code')}: {error.get('message')}"
        return LineAnswer(custom_id, failure=self.endpoint.failure(outcome, "", cause))

    def cancel(self, batch_id: str) -> None:
        self._post(self._route(f"batches/{batch_id}/cancel"), {}, is_retried=True)


class AzureBatches(OpenAIBatches):
    """Azure's batch API at the address of a resource; `model` in the lines is a deployment of the type Global Batch."""

    max_requests = 100_000

    def _line_url(self, item: BatchItem) -> str:
        route = item.route.partition("?")[0]
        _, _, behind = route.partition("deployments/")
        return self._line_prefix + (behind.partition("/")[2] or route)
