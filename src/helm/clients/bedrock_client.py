"""Models at Amazon Bedrock, through its common protocol `converse`."""

import json
import os
import re
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

from helm.clients.http.aws_signature import AWSCredentials, sign
from helm.clients.http.http_client import NO_PROMPT_LOGPROBS
from helm.clients.http.http_endpoint import Headers
from helm.clients.http.request_failure import RequestFailure
from helm.clients.protocols.message_parts import CALL, IMAGE, RESULT, TEXT, Part, read_messages
from helm.clients.protocols.openai_protocol import base64_of, mime_type
from helm.clients.protocols.text_api_client import TextAPIClient
from helm.clients.protocols.thinking import thinking_budget, why_no_budget
from helm.common.cache import CacheConfig
from helm.common.media_object import IMAGE_TYPE, TEXT_TYPE
from helm.common.optional_dependencies import needs_extra
from helm.common.request import AUTH, FILTERED, GeneratedOutput, Request, Thinking, Usage
from helm.common.request_options import EXTRA_BODY, REASONING_EFFORT, TOP_P, RequestOptions

KEY_VARIABLE = "AWS_BEARER_TOKEN_BEDROCK"
_REGION_VARIABLES = ("AWS_REGION", "AWS_DEFAULT_REGION")
_FINISH_REASONS = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "tool_use": "tool_calls"}
_EFFORT_FIELD = re.compile(r"openai\.gpt-oss")
_NOVA_WITH_EFFORT = re.compile(r"amazon\.nova-2")
_EFFORT_AS_NUMBER = re.compile(r"anthropic\.claude")
_FILTER_REASONS = ("content_filtered", "guardrail_intervened")


class BedrockClient(TextAPIClient):
    """`POST /model/MODEL/converse`, once for each completion.

    A Bedrock key (`$AWS_BEARER_TOKEN_BEDROCK`, or the credential) takes precedence over a user's key (`$AWS_ACCESS_KEY_ID`,
    `$AWS_SECRET_ACCESS_KEY`, `$AWS_SESSION_TOKEN`), which signs requests. AWS's other credentials (profiles, roles) require
    the extra `aws`, which finds them.

    Args:
        cache_config: where responses are cached.
        bedrock_model_id: AWS's name of the model; None means `MODEL_PREFIX` and the second part of the model's name.
        region: the AWS region; None means `$AWS_REGION`, or else us-east-1.
        api_key: the Bedrock key; None reads `$AWS_BEARER_TOKEN_BEDROCK`.
        base_url: the address; None means the region's own.
    """

    KEY_VARIABLE = KEY_VARIABLE
    CREDENTIAL = "amazonApiKey"
    GIVES_MANY = False
    TAKES_TOOLS = True
    MODEL_PREFIX = ""
    lacks = NO_PROMPT_LOGPROBS
    takes_options = frozenset((TOP_P, REASONING_EFFORT, EXTRA_BODY))
    sends_messages = True
    OPTION_FIELDS = {}

    def __init__(
        self,
        cache_config: CacheConfig | None,
        bedrock_model_id: str | None = None,
        region: str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
    ):
        found = next((os.environ[name] for name in _REGION_VARIABLES if os.environ.get(name)), "us-east-1")
        self._region = region or found
        super().__init__(
            cache_config,
            api_key,
            base_url or f"https://bedrock-runtime.{self._region}.amazonaws.com",
            needs_key=False,
        )
        self._key_extras = {"base_url": self.endpoint.public_url} if base_url else {}
        self._model_id = bedrock_model_id
        self._session: Any | None = None
        self._lock = threading.Lock()

    def _model(self, request: Request) -> str:
        return self._model_id or self.MODEL_PREFIX + request.model_engine

    def _path(self, request: Request) -> str:
        return f"model/{quote(self._model(request), safe='')}/converse"

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        system, messages = self._messages(request)
        config: dict[str, Any] = {
            "maxTokens": request.max_tokens,
            "temperature": request.temperature,
            "topP": request.top_p,
        }
        if request.stop_sequences:
            config["stopSequences"] = request.stop_sequences
        raw: dict[str, Any] = {"messages": messages, "inferenceConfig": config}
        if system:
            raw["system"] = system
        if request.tools:
            functions = [tool.get("function", tool) for tool in request.tools]
            specs = [
                {"name": f.get("name"), "inputSchema": {"json": f.get("parameters") or {"type": "object"}}}
                for f in functions
            ]
            raw["toolConfig"] = {"tools": [{"toolSpec": spec} for spec in specs]}
        return raw

    def why_not(self, request: Request) -> str | None:
        reason = super().why_not(request)
        effort = request.options.reasoning_effort if request.options is not None else None
        if reason is not None or effort is None:
            return reason
        model = self._model(request)
        if _EFFORT_AS_NUMBER.search(model):
            return why_no_budget(request)
        if _EFFORT_FIELD.search(model) or _NOVA_WITH_EFFORT.search(model):
            return None
        return (
            f"{request.model_deployment}: which field of Bedrock holds the {REASONING_EFFORT} of {model} is unknown here; put "
            'it into extra_body={"additionalModelRequestFields": ...}'
        )

    def _adjust(self, raw: dict[str, Any], request: Request, options: RequestOptions) -> dict[str, Any]:
        effort, model = options.reasoning_effort, self._model(request)
        if effort is None:
            return raw
        fields: dict[str, Any] = {"reasoning_effort": effort}
        if _NOVA_WITH_EFFORT.search(model):
            is_off = effort == "none"
            config = {"type": "disabled"} if is_off else {"type": "enabled", "maxReasoningEffort": effort}
            fields = {"reasoningConfig": config}
        elif _EFFORT_AS_NUMBER.search(model):
            budget = thinking_budget(effort, request.max_tokens)
            if not budget:
                return raw
            fields = {"thinking": {"type": "enabled", "budget_tokens": budget}}
            # Claude thinks at its own temperature only.
            kept = {k: v for k, v in raw["inferenceConfig"].items() if k not in ("temperature", "topP")}
            raw = {**raw, "inferenceConfig": kept}
        return {**raw, "additionalModelRequestFields": fields}

    def _messages(self, request: Request) -> Any:
        if request.messages:
            messages = read_messages(request.messages, self._refusal)
            system = [self._block(part) for message in messages if message.role == "system" for part in message.parts]
            others = [
                {"role": message.role, "content": [self._block(part) for part in message.parts]}
                for message in messages
                if message.role != "system"
            ]
            return system, others
        if request.multimodal_prompt is None:
            return [], [{"role": "user", "content": [{"text": request.prompt}]}]
        content: list[dict[str, Any]] = []
        for media in request.multimodal_prompt.media_objects:
            if media.is_type(TEXT_TYPE):
                content.append({"text": media.text})
            elif media.is_type(IMAGE_TYPE) and media.is_local_file:
                image_format = mime_type(media).partition("/")[2]
                content.append({"image": {"format": image_format, "source": {"bytes": base64_of(media)}}})
            else:
                raise self._refusal(f"the prompt holds {media.content_type}, which cannot be sent there")
        return [], [{"role": "user", "content": content}]

    def _block(self, part: Part) -> dict[str, Any]:
        if part.kind == TEXT:
            return {"text": part.text}
        if part.kind == IMAGE and part.data is not None:
            return {"image": {"format": part.mime_type.partition("/")[2], "source": {"bytes": part.data}}}
        if part.kind == CALL:
            return {"toolUse": {"toolUseId": part.id, "name": part.name, "input": part.arguments or {}}}
        if part.kind == RESULT:
            return {"toolResult": {"toolUseId": part.id, "content": [{"text": part.text}]}}
        raise self._refusal(f"a message holds {part.kind} at an address, which cannot be sent there")

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        return super()._cache_key({"modelId": self._model(request), **raw}, request, num_there)

    def _headers(self, path: str, raw: Mapping[str, Any]) -> Headers:
        return None if self.endpoint.secret else partial(self._signed_headers, self.endpoint.url(path), raw)

    def _signed_headers(self, url: str, raw: Mapping[str, Any], renews: bool) -> Mapping[str, str]:
        """Return the signed headers.

        Raises:
            OptionalDependencyNotInstalled: The package boto3 is missing.
            RequestFailure: AWS's library finds no credentials (auth).
        """
        from datetime import UTC, datetime

        headers = {"Content-Type": "application/json"}
        credentials = self._find_credentials()
        data = json.dumps(raw).encode("ascii")
        return sign(credentials, self._region, "bedrock", "POST", url, headers, data, datetime.now(UTC))

    def _find_credentials(self) -> AWSCredentials:
        """Return the environment's credentials, or else those that AWS's own library finds and renews."""
        key, secret = (os.environ.get(name) for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"))
        if key and secret:
            return AWSCredentials(key, secret, os.environ.get("AWS_SESSION_TOKEN") or None)
        with needs_extra("aws"):
            import boto3
        with self._lock:
            if self._session is None:
                self._session = boto3.Session(region_name=self._region)
            found = self._session.get_credentials()
            if found is None:
                raise RequestFailure(
                    AUTH,
                    f"{self.endpoint.public_url}: AWS finds no credentials. Set {KEY_VARIABLE}, or AWS_ACCESS_KEY_ID and "
                    "AWS_SECRET_ACCESS_KEY, or run `aws configure`.",
                )
            frozen = found.get_frozen_credentials()
            return AWSCredentials(frozen.access_key, frozen.secret_key, frozen.token)

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        parts, reason = response["output"]["message"]["content"], str(response.get("stopReason"))
        if not parts and reason in _FILTER_REASONS:
            raise self.endpoint.failure(FILTERED, "", f"the content filter withheld the answer: {reason}.")
        thoughts = [part["reasoningContent"]["reasoningText"]["text"] for part in parts if "reasoningContent" in part]
        calls = [
            {"id": call["toolUseId"], "name": call["name"], "arguments": call["input"]}
            for call in (part["toolUse"] for part in parts if "toolUse" in part)
        ]
        return [
            GeneratedOutput(
                text="".join(part["text"] for part in parts if "text" in part),
                logprob=0,
                tokens=[],
                finish_reason={"reason": _FINISH_REASONS.get(reason, reason)},
                thinking=Thinking("".join(thoughts)) if thoughts else None,
                tool_calls=calls or None,
            )
        ]

    def _usage(self, response: Mapping[str, Any]) -> Usage | None:
        usage = response.get("usage") or {}
        if not all(isinstance(usage.get(f"{kind}Tokens"), int) for kind in ("input", "output")):
            return None
        read, written = (usage.get(f"cache{word}InputTokens") or 0 for word in ("Read", "Write"))  # not in inputTokens
        return Usage(usage["inputTokens"] + read + written, usage["outputTokens"], None, read or None, written or None)


class BedrockNovaClient(BedrockClient):
    """Amazon's Nova models."""

    MODEL_PREFIX = "amazon."


class BedrockTitanClient(BedrockClient):
    """Amazon's Titan models."""

    MODEL_PREFIX = "amazon."


class BedrockMistralClient(BedrockClient):
    """Mistral AI's models."""

    MODEL_PREFIX = "mistral."


class BedrockLlamaClient(BedrockClient):
    """Meta's models."""

    MODEL_PREFIX = "meta."


class BedrockPalmyraClient(BedrockClient):
    """Writer's models."""

    MODEL_PREFIX = "us.writer."
