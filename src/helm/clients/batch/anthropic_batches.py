"""Anthropic's message batches: all requests in one call, results as lines."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from helm.clients.batch.batches import ENDED, RUNNING, Batches, BatchItem, BatchStatus, LineAnswer
from helm.common.request import CANCELLED, TIMED_OUT

ROUTE = "v1/messages/batches"
# How far the provider's clock may be behind ours when a batch is looked up by the time of its creation.
_CLOCK_TOLERANCE_S = 300.0
_PAGE = 100
_STATUSES = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The HTTP status for each type of error; all others are 500."""


class AnthropicBatches(Batches):
    """`POST /v1/messages/batches`.

    The API has no field for our key of a batch. After a try with an unknown outcome, a batch created since then with the
    same number of requests is assumed to be ours; its results, which name the requests, show whether it is.
    """

    provider = "anthropic"
    max_requests = 100_000
    max_bytes = 250_000_000
    price_share = 0.5

    def line(self, item: BatchItem) -> bytes:
        params = {name: value for name, value in item.body.items() if name != "stream"}
        return json.dumps({"custom_id": item.custom_id, "params": params}).encode("ascii")

    def group(self, item: BatchItem) -> str:
        return item.route

    def upload(self, key: str, path: str) -> str | None:
        return None

    def create(self, key: str, path: str, group: str, file_id: str | None) -> str:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
        data = b'{"requests": [' + b", ".join(lines) + b"]}"
        sent = self.endpoint.send("POST", ROUTE, data, self._check_object, is_retried=False, is_paid=False)
        return self._name(ROUTE, sent.value)

    def find(
        self, key: str, file_id: str | None, num_requests: int, made_after: float, taken: Sequence[str]
    ) -> str | None:
        found = None
        for batch in self._pages(ROUTE, "after_id", _PAGE):
            created_at = _seconds(batch.get("created_at"))
            if created_at is not None and created_at < made_after - _CLOCK_TOLERANCE_S:
                break  # newest first
            counts = batch.get("request_counts") or {}
            if sum(count for count in counts.values() if isinstance(count, int)) == num_requests:
                name = batch.get("id")
                if isinstance(name, str) and name not in taken:
                    found = name
        return found

    def poll(self, batch_id: str) -> BatchStatus:
        route = f"{ROUTE}/{batch_id}"
        batch = self._get(route)
        self._name(route, batch)
        counts = batch.get("request_counts") or {}
        done = int(counts.get("succeeded") or 0)
        failed = sum(int(counts.get(name) or 0) for name in ("errored", "canceled", "expired"))
        said, began_at = str(batch.get("processing_status")), _seconds(batch.get("created_at"))
        if said != "ended":
            return BatchStatus(RUNNING, said, done, failed, began_at)
        return BatchStatus(ENDED, said, done, failed, began_at, _seconds(batch.get("ended_at")), [batch_id])

    def download(self, batch_id: str, file: str) -> bytes:
        return self._download(f"{ROUTE}/{batch_id}/results")

    def read_line(self, line: Mapping[str, Any]) -> LineAnswer:
        custom_id, result = str(line["custom_id"]), line["result"]
        kind = result["type"]
        if kind == "succeeded":
            return LineAnswer(custom_id, 200, result["message"])
        if kind == "errored":
            error = result["error"]
            inner = error.get("error") if isinstance(error.get("error"), dict) else error
            return LineAnswer(custom_id, _STATUSES.get(str(inner.get("type")), 500), {"error": inner})
        outcome = {"expired": TIMED_OUT, "canceled": CANCELLED}[kind]
        return LineAnswer(custom_id, failure=self.endpoint.failure(outcome, ROUTE, f"the request was {kind}."))

    def cancel(self, batch_id: str) -> None:
        self._post(f"{ROUTE}/{batch_id}/cancel", {}, is_retried=True)


def _seconds(text: Any) -> int | None:
    """Convert an Anthropic timestamp to whole seconds since 1970."""
    try:
        return int(datetime.fromisoformat(text).timestamp())
    except (TypeError, ValueError):
        return None
