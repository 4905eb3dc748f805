"""What an instance and the states of its requests say, read from files, whatever their content is."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helm.benchmark.subjects import LANGUAGE_MODEL, kind_of_request
from helm.common.evaluate_request import STATUS_OK
from helm.results.coverage import ANSWERED, FAILED, UNSENT, classify_answer


def plain_text(value: Any) -> str:
    """Return the text of an input, output or thinking: an object with `text`, or bare text as written by HELM 0.2."""
    found = value.get("text") if isinstance(value, dict) else value
    return found if isinstance(found, str) else ""


def get_extracted(state: Mapping[str, Any]) -> list[Any] | None:
    """Return the extracted answers of a request, as read from a file; None if there are none."""
    found = state.get("extracted")
    return found if isinstance(found, list) else None


def correct_texts(instance: Mapping[str, Any]) -> list[str]:
    """Return the texts of the correct references."""
    references = instance.get("references")
    return [
        plain_text(item.get("output"))
        for item in (references if isinstance(references, list) else [])
        if isinstance(item, dict) and isinstance(item.get("tags"), list) and "correct" in item["tags"]
    ]


def describe_input(instance: Mapping[str, Any]) -> str:
    """Return the text of the input or the last message, or what distinguishes an instance without text."""
    found = instance.get("input")
    text = plain_text(found)
    if text or not isinstance(found, dict):
        return text
    messages = found.get("messages")
    if isinstance(messages, list) and messages and isinstance(messages[-1], dict):
        return plain_text(messages[-1].get("content"))
    extra_data = instance.get("extra_data")
    if isinstance(extra_data, dict):
        for key in ("benchmark", "description", "function"):
            if isinstance(extra_data.get(key), str):
                return extra_data[key]
    return ""


@dataclass(frozen=True)
class Answer:
    """The answer to one request, of any kind of subject."""

    outcome: str
    """One of `answered`, `empty`, `failed`, `filtered`, `unsent`."""

    output: str = ""

    status: str | None = None
    """For AD tools and compilers, the status if not `ok`; for models, how the request failed, if the client reports it."""

    error: str | None = None

    seconds: float | None = None


def describe_answer(state: Mapping[str, Any]) -> Answer:
    """Return the outcome of a request state as in files, tolerating any content of its fields."""
    result, request = state.get("result"), state.get("request")
    request = request if isinstance(request, dict) else {}
    if not isinstance(result, dict):
        return Answer(UNSENT)
    error = result.get("error")
    error = error if isinstance(error, str) else None
    if kind_of_request(result.get("kind")) is not LANGUAGE_MODEL:
        status = result.get("status")
        seconds = _number(result.get("elapsed_s"))
        elapsed_ns = _number(result.get("elapsed_ns"))
        if elapsed_ns is not None:
            seconds = elapsed_ns / 1e9
        if not result.get("success"):
            return Answer(FAILED, "", str(status), error, seconds)
        actions, answer = result.get("actions"), result.get("answer")
        if isinstance(actions, list):
            output = " ".join(map(str, actions))
        elif "events" in result:  # an agent's episode
            output = answer if isinstance(answer, str) else ""
        else:
            output = json.dumps(result.get("output"))
        return Answer(ANSWERED, output, None if status in (None, STATUS_OK) else str(status), error, seconds)
    completions = completions_of(result)
    output = completion_text(completions[0]) if completions else ""
    has_content = (
        any(completion_text(item).strip() or item.get("multimodal_content") for item in completions)
        or bool(result.get("embedding"))
        or (request.get("max_tokens") == 0 and bool(completions))
    )
    reasons = [
        str(item["finish_reason"].get("reason")).lower()
        for item in completions
        if isinstance(item.get("finish_reason"), dict)
    ]
    told = result.get("outcome")
    told = told if isinstance(told, str) else None
    outcome = classify_answer(bool(result.get("success")), has_content, reasons, error, told)
    status = told if outcome != ANSWERED else None
    return Answer(outcome, output, status, error, _number(result.get("request_time")))


def completions_of(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the completions of a result that are objects."""
    found = result.get("completions")
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def completion_text(completion: Mapping[str, Any]) -> str:
    """Return the text of a completion; empty for anything that is not a text."""
    text = completion.get("text")
    return text if isinstance(text, str) else ""


def _number(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if is_number else None
