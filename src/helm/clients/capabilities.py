"""Probes what a deployment supports with a few requests of one or two tokens each."""

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from helm.clients.capability_names import (  # noqa: F401 (public here)
    CONTEXT_LENGTH,
    DECLARED_NAMES,
    EMBEDDINGS,
    IMAGES,
    INSTEAD,
    LOGPROBS,
    MESSAGES,
    NEEDS,
    PROMPT_LOGPROBS,
    SOUNDS,
    TEXT,
    TOOLS,
    WANTS,
)
from helm.clients.client import Client
from helm.common.errors import suggest
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import MALFORMED, REFUSED, SERVER, Request, RequestResult
from helm.common.sending import trying_once

_TOOL = {
    "type": "function",
    "function": {
        "name": "look_up",
        "description": "Looks a word up.",
        "parameters": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
    },
}
_SERVERS = {"vllm": "vLLM", "sglang": "SGLang", "llamacpp": "llama.cpp", "tgi": "TGI", "library": "Ollama"}
"""Servers by the field `owned_by` of `GET /models`, as far as they set it."""

SERVER_FLAGS: dict[str, dict[str, str]] = {
    PROMPT_LOGPROBS: {
        "vLLM": "gives them without a flag on /v1/completions, for a model that generates",
        "SGLang": "gives them without a flag on /v1/completions",
        "TGI": "gives them only on its own route /generate, with --enable-prefill-logprobs",
        "llama.cpp": "does not give them (the server of llama-cpp-python does, with --logits_all true)",
        "Ollama": "does not give them",
    },
    LOGPROBS: {"vLLM": "--max-logprobs N", "SGLang": "no flag needed", "llama.cpp": "no flag needed"},
    MESSAGES: {
        "vLLM": "--chat-template FILE",
        "SGLang": "--chat-template FILE",
        "llama.cpp": "--jinja --chat-template-file FILE",
        "TGI": "a tokenizer with a chat template",
    },
    IMAGES: {
        "vLLM": "a model that sees, and --limit-mm-per-prompt",
        "SGLang": "a model that sees, and --enable-multimodal",
        "llama.cpp": "--mmproj FILE",
        "TGI": "a model that sees",
    },
    TOOLS: {
        "vLLM": "--enable-auto-tool-choice --tool-call-parser NAME",
        "SGLang": "--tool-call-parser NAME",
        "llama.cpp": "--jinja",
    },
    EMBEDDINGS: {"vLLM": "--runner pooling", "SGLang": "--is-embedding", "llama.cpp": "--embedding"},
    CONTEXT_LENGTH: {
        "vLLM": "--max-model-len N",
        "SGLang": "--context-length N",
        "llama.cpp": "--ctx-size N",
        "TGI": "--max-total-tokens N",
        "Ollama": "OLLAMA_CONTEXT_LENGTH=N",
    },
}
"""For a capability and a server, the flags to start the server with."""

_TIMEOUT_S = 60.0
_MOST_NAMES = 8


@dataclass(frozen=True)
class Capability:
    """The result of probing one capability."""

    name: str

    works: bool | None
    """None if unknown, because the server could not be asked."""

    reason: str = ""
    """Why it does not work."""


@dataclass(frozen=True)
class Capabilities:
    """The capabilities of one deployment."""

    deployment: str

    capabilities: list[Capability] = field(default_factory=list)

    context_length: int | None = None
    """The maximum of prompt and answer together, in tokens; None if the server does not report it."""

    server: str | None = None
    """vLLM, SGLang, llama.cpp, ...; None if the server does not report it."""

    hint: str | None = None
    """The likely cause if nothing works."""

    def get(self, name: str) -> Capability | None:
        return next((capability for capability in self.capabilities if capability.name == name), None)

    def why_not(self, method: str) -> str | None:
        """Return why runs of an adapter method cannot work; None if they can, or if that is unknown."""
        needed = self.get(NEEDS.get(method, ""))
        if needed is None or needed.works is not False:
            return None
        return f"needs {needed.name}: {needed.reason}"

    def advice(self, method: str) -> str:
        """Return advice for a method that cannot run: a flag of the server, or another method."""
        parts = [flag_for(NEEDS[method], self.server)] if method in NEEDS else []
        if method in INSTEAD:
            parts.append(f"The method {INSTEAD[method]} needs {NEEDS[INSTEAD[method]]} only.")
        return " ".join(part for part in parts if part)


def flag_for(name: str, server: str | None = None) -> str:
    """Return the flags that enable a capability of a server, or of all known servers if the server is unknown."""
    flags = SERVER_FLAGS.get(name, {})
    if server is not None:
        return f"{server}: {flags[server]}." if server in flags else ""
    return "; ".join(f"{known}: {flag}" for known, flag in flags.items()) + "." if flags else ""


def declared_capabilities(deployment: str, declared: Mapping[str, Any]) -> Capabilities:
    """Read the field `capabilities` of a deployment. Capabilities that it does not name are unknown."""
    found = [
        Capability(DECLARED_NAMES[name], works, "" if works else "the deployment says so")
        for name, works in declared.items()
        if name != "context_length"
    ]
    return Capabilities(deployment, found, declared.get("context_length"))


ALL: Sequence[str] = (TEXT, LOGPROBS, MESSAGES, PROMPT_LOGPROBS, IMAGES, TOOLS, EMBEDDINGS)


def probe(client: Client, model: str, deployment: str, names: Sequence[str] = ALL) -> Capabilities:
    """Probe capabilities with one request each, without retries. The client should have no cache.

    A refused request means that the capability does not work; failures and unreachable servers leave it unknown. Exceptions
    of the client are passed on.
    """
    asker = _Asker(client, model, deployment)
    with trying_once(_TIMEOUT_S):
        found: list[Capability] = []
        for name in names:
            found.append(asker.ask(name))
            if len(found) == len({TEXT, LOGPROBS, MESSAGES}) and not any(c.works for c in found):
                return Capabilities(deployment, found, hint=_hint_of_models(client, model))  # nothing else will
        length, server = _describe_model(client, model)
    return Capabilities(deployment, found, length, server)


_COLOURS = {"blue": b"\x00\x00\xff", "yellow": b"\xff\xff\x00", "red": b"\xff\x00\x00", "green": b"\x00\x80\x00"}
"""Colours of pictures, and their pixels."""

_SHOWN_CHARACTERS = 30

_TOKENS_OF_A_COLOUR = 256
"""Enough for a model that thinks before it says one word."""


def _colours_in(text: str) -> set[str]:
    return {name for name in _COLOURS if name in text.lower()}


class _Asker:
    def __init__(self, client: Client, model: str, deployment: str):
        self._client = client
        self._plain = Request(
            model=model, model_deployment=deployment, prompt="The capital of France is", max_tokens=4, temperature=0
        )
        self._results: dict[str, RequestResult] = {}

    def ask(self, name: str) -> Capability:
        lacking = self._client.lacks.get(name)
        if lacking is not None:
            return Capability(name, False, lacking)
        plain = self._plain
        if name == TEXT or name == LOGPROBS:
            result = self._results.get(TEXT) or self._send(plain)
            self._results[TEXT] = result
            return _judge(name, result, _no_tokens if name == LOGPROBS else _nothing)
        if name == MESSAGES:
            return _judge(
                name, self._send(replace(plain, prompt="", messages=[{"role": "user", "content": "Say hi."}]))
            )
        if name == PROMPT_LOGPROBS:
            return _judge(name, self._send(replace(plain, echo_prompt=True, max_tokens=0)), _no_tokens)
        if name == TOOLS:
            question = "Call look_up with the word cat."
            result = self._send(replace(plain, prompt=question, tools=[_TOOL], max_tokens=64))
            return _judge(name, result, _no_call)
        if name == EMBEDDINGS:
            result = self._send(replace(plain, embedding=True))
            return _judge(name, result, lambda found: "" if found.embedding else "the answer holds no embedding")
        assert name == IMAGES, name
        return self._ask_about_pictures()

    def _ask_about_pictures(self) -> Capability:
        """Show pictures of one colour each. Only answers that name every colour show that it sees.

        Some servers drop pictures, and counted tokens do not show that a model looks at them: it may be blind, and guess.
        """
        answers: list[RequestResult] = []
        for color in _COLOURS.values():
            result = self._show(color)
            if not result.success or not result.completions:
                return _judge(IMAGES, result) if not answers else Capability(IMAGES, None, result.error or "no answer")
            answers.append(result)
        texts = [answer.completions[0].text.strip() for answer in answers]
        if all(_colours_in(text) == {name} for text, name in zip(texts, _COLOURS, strict=True)):
            return Capability(IMAGES, True, "")
        said = ", ".join(repr(text[:_SHOWN_CHARACTERS]) for text in texts)
        reason = f"shown {', '.join(_COLOURS)}, it answers {said}"
        without = self._show(None)
        counts = [result.usage.prompt_tokens for result in (answers[0], without) if result.success and result.usage]
        if len(counts) < 2:
            return Capability(IMAGES, None, f"{reason}, and the server does not count the tokens of the prompt")
        if counts[0] <= counts[1]:
            return Capability(IMAGES, False, f"{reason}, and the prompt counts no tokens for them: they are ignored")
        return Capability(IMAGES, None, f"{reason}, though their tokens are counted")

    def _show(self, color: bytes | None) -> RequestResult:
        """Ask for the colour of an image (red, green and blue bytes), or without an image if `color` is None."""
        *names, last = _COLOURS
        question = f"Which colour is it: {', '.join(names)} or {last}? Answer with one word."
        media = [MediaObject("text/plain", text=question)]
        with tempfile.TemporaryDirectory() as folder:
            if color is not None:
                path = os.path.join(folder, "picture.png")
                with open(path, "wb") as file:
                    file.write(_picture(color))
                media.insert(0, MediaObject("image/png", location=path))
            prompt = MultimediaObject(media)
            return self._send(replace(self._plain, prompt="", multimodal_prompt=prompt, max_tokens=_TOKENS_OF_A_COLOUR))

    def _send(self, request: Request) -> RequestResult:
        from helm.common.budgets.spending import get_ledger

        ledger = get_ledger()
        with ledger.paying(request):
            result = self._client.make_request(request)
            ledger.record(request.model_deployment, result)
        return result


def _nothing(result: RequestResult) -> str:
    return ""


def _no_tokens(result: RequestResult) -> str:
    return "" if result.completions[0].tokens else "the answer holds no tokens with log-probabilities"


def _no_call(result: RequestResult) -> str:
    return "" if result.completions[0].tool_calls else "the model was asked to call a function, and did not"


def _judge(name: str, result: RequestResult, problem: Callable[[RequestResult], str] = _nothing) -> Capability:
    if result.success:
        reason = problem(result)
        return Capability(name, not reason, reason)
    error = result.error or "the request failed"
    is_refusal = (
        result.outcome in (None, REFUSED)
        or (result.outcome == MALFORMED and "no log-probabilities" in error)
        or (result.outcome == SERVER and "support" in error)  # some answer an image with status 500
    )
    return Capability(name, False if is_refusal else None, error)


def _picture(color: bytes) -> bytes:
    """Return a PNG of 64 by 64 pixels: some servers refuse smaller ones."""
    import struct
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + color * 64) * 64
    header = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _read_models(client: Client) -> list[dict[str, Any]] | None:
    """Return the entries of `GET /models`; None if the server does not provide them."""
    from helm.clients.http.http_client import HTTPClient
    from helm.clients.http.request_failure import RequestFailure

    if not isinstance(client, HTTPClient):
        return None
    try:
        answer = client.endpoint.send("GET", "models").value
    except RequestFailure:
        return None
    data = answer.get("data") if isinstance(answer, dict) else None
    return [entry for entry in data if isinstance(entry, dict)] if isinstance(data, list) else None


def _hint_of_models(client: Client, model: str) -> str | None:
    """Return a hint that lists the server's models if it does not have this one."""
    name = model.partition("/")[2] or model
    names = [str(entry["id"]) for entry in _read_models(client) or [] if entry.get("id")]
    if not names or name in names or model in names:
        return None
    shown = ", ".join(names[:_MOST_NAMES]) + (f" and {len(names) - _MOST_NAMES} more" if names[_MOST_NAMES:] else "")
    return f"The server has no model '{name}'.{suggest(name, names)} It has {shown}."


def _describe_model(client: Client, model: str) -> tuple[int | None, str | None]:
    """Return the context length and the server, as far as `GET /models` reports them, under different names."""
    entries = _read_models(client) or []
    name = model.split("/")[-1]
    for entry in entries:
        if len(entries) == 1 or str(entry.get("id", "")).endswith(name):
            told = entry.get("meta")
            meta = told if isinstance(told, dict) else {}
            values = [
                entry.get(key) for key in ("max_model_len", "context_length", "context_window", "max_context_length")
            ]
            values += [meta.get(key) for key in ("n_ctx", "n_ctx_train")]
            length = next((v for v in values if isinstance(v, int) and not isinstance(v, bool) and v > 0), None)
            return length, _SERVERS.get(str(entry.get("owned_by", "")).lower())
    return None, None
