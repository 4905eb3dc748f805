"""What a deployment can do, found out by asking it: a few requests of one or two tokens."""

import base64
import os
import tempfile
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, List, Optional

from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import Request, RequestResult

_PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_TOOL = {
    "type": "function",
    "function": {
        "name": "look_up",
        "description": "Looks a word up.",
        "parameters": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
    },
}
TEXT = "text"
MESSAGES = "messages"
LOGPROBS = "logprobs"
PROMPT_LOGPROBS = "prompt log-probabilities"
IMAGES = "images"
TOOLS = "tools"

NEEDS: Dict[str, str] = {
    "generation": TEXT,
    "multiple_choice_joint": TEXT,
    "multiple_choice_joint_chain_of_thought": TEXT,
    "ranking_binary": TEXT,
    "ehr_instruction": TEXT,
    "chat": MESSAGES,
    "language_modeling": PROMPT_LOGPROBS,
    "multiple_choice_separate_original": PROMPT_LOGPROBS,
    "multiple_choice_separate_calibrated": PROMPT_LOGPROBS,
    "generation_multimodal": IMAGES,
    "multiple_choice_joint_multimodal": IMAGES,
}
"""Adapter method -> what it needs."""


@dataclass(frozen=True)
class Capability:
    """One thing that was tried."""

    name: str

    works: bool

    reason: str = ""
    """Why not."""


@dataclass(frozen=True)
class Capabilities:
    """Of one deployment."""

    deployment: str

    capabilities: List[Capability] = field(default_factory=list)

    context_length: Optional[int] = None
    """Tokens of prompt and answer together; None: the server does not say."""

    def why_not(self, method: str) -> Optional[str]:
        """Why runs of an adapter method cannot work; None: they can, or the method is not known."""
        needed = NEEDS.get(method)
        for capability in self.capabilities:
            if capability.name == needed and not capability.works:
                return f"needs {needed}: {capability.reason}"
        return None


def probe(client: Any, model: str, deployment: str) -> Capabilities:
    """Ask a client, whose answers should not come from a cache. What fails in one way or another does not work.

    Raises: what the client raises.
    """
    plain = Request(
        model=model, model_deployment=deployment, prompt="The capital of France is", max_tokens=4, temperature=0
    )
    results: Dict[str, RequestResult] = {}

    def ask(name: str, request: Request, problem: Callable[[RequestResult], str] = lambda result: "") -> Capability:
        result = results[name] = client.make_request(request)
        reason = (result.error or "the request failed") if not result.success else problem(result)
        return Capability(name, not reason, reason)

    def no_tokens(result: RequestResult) -> str:
        return "" if result.completions[0].tokens else "the answer holds no tokens with log-probabilities"

    def no_call(result: RequestResult) -> str:
        return "" if result.completions[0].tool_calls else "the model was asked to call a function, and did not"

    found = [ask(TEXT, plain)]
    if found[0].works:
        reason = no_tokens(results[TEXT])
        found.append(Capability(LOGPROBS, not reason, reason))
    messages = [{"role": "user", "content": "Say hi."}]
    found.append(ask(MESSAGES, replace(plain, prompt="", messages=messages)))
    if not found[0].works and not found[-1].works:
        return Capabilities(deployment, found)  # nothing else will
    found.append(ask(PROMPT_LOGPROBS, replace(plain, echo_prompt=True, max_tokens=0), no_tokens))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.png")
        with open(path, "wb") as file:
            file.write(_PICTURE)
        media = [MediaObject("image/png", location=path), MediaObject("text/plain", text="Which colour is it?")]
        found.append(ask(IMAGES, replace(plain, prompt="", multimodal_prompt=MultimediaObject(media))))
    question = "Call look_up with the word cat."
    found.append(ask(TOOLS, replace(plain, prompt=question, tools=[_TOOL], max_tokens=64), no_call))
    return Capabilities(deployment, found, _context_length(client, model))


def _context_length(client: Any, model: str) -> Optional[int]:
    """What `GET /models` says; servers call it by different names."""
    import json

    from helm.clients.http_client import HTTPClient
    from helm.clients.request_failure import RequestFailure

    if not isinstance(client, HTTPClient):
        return None
    try:
        answer = client.endpoint.send("GET", "models", None, None, None, lambda data, kind: json.loads(data))
    except RequestFailure:
        return None
    data = answer.get("data") if isinstance(answer, dict) else None
    entries = data if isinstance(data, list) else []
    for entry in entries:
        if isinstance(entry, dict) and (len(entries) == 1 or str(entry.get("id", "")).endswith(model.split("/")[-1])):
            values = [entry.get(name) for name in ("max_model_len", "context_length", "context_window")]
            values.append((entry.get("meta") or {}).get("n_ctx_train"))
            return next((value for value in values if isinstance(value, int) and value > 0), None)
    return None
