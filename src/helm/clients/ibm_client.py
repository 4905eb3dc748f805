"""Models at IBM watsonx."""

import os
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from helm.clients.http.http_client import NO_PROMPT_LOGPROBS
from helm.clients.http.http_endpoint import Headers, HTTPEndpoint
from helm.clients.protocols.openai_protocol import (
    content_parts,
    json_schema_format,
    message_text,
    read_chat_choice,
    read_usage,
)
from helm.clients.protocols.text_api_client import TextAPIClient
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError, suggest
from helm.common.media_object import AUDIO_TYPE
from helm.common.request import MALFORMED, GeneratedOutput, Request, Usage
from helm.common.request_options import (
    CHAT_TEMPLATE_KWARGS,
    EXTRA_BODY,
    REASONING_EFFORT,
    RESPONSE_FORMAT,
    SEED,
    TOP_P,
    RequestOptions,
)

_VERSION = "2024-10-08"
_TOKEN_URL = "https://iam.cloud.ibm.com/identity"
# The lifetime of IBM's tokens, if a response does not contain it.
_LIFETIME_S = 3600.0
# Tokens are renewed early, so that none expires on the way to the server.
_RENEWED_BEFORE_S = 60.0
_REGIONS = {
    "Dallas": "us-south",
    "London": "eu-gb",
    "Frankfurt": "eu-de",
    "Tokyo": "jp-tok",
    "Sydney": "au-syd",
    "Toronto": "ca-tor",
}
_FINISH_REASONS = {"eos_token": "endoftext", "stop_sequence": "stop", "max_tokens": "length"}


class IbmClient(TextAPIClient):
    """The key is exchanged for a token that is valid for an hour.

    Args:
        cache_config: where responses are cached.
        region: `Dallas`, `London`, `Frankfurt`, `Tokyo`, `Sydney` or `Toronto`.
        watsonx_model_name: IBM's name of the model.
        api_key: the key; None reads `$WATSONX_API_KEY`.
        project_id: the project; None reads `$WATSONX_PROJECT_ID`.
        base_url, token_url: the addresses; None means IBM's own.
    """

    KEY_VARIABLE = "WATSONX_API_KEY"
    CREDENTIAL = "ibmApiKey"
    KEY_HEADER = ("X-Unused", "")
    GIVES_MANY = False
    lacks = NO_PROMPT_LOGPROBS

    def __init__(
        self,
        cache_config: CacheConfig | None,
        region: str,
        watsonx_model_name: str,
        api_key: str | None = None,
        project_id: str | None = None,
        base_url: str | None = None,
        token_url: str | None = None,
    ):
        if region not in _REGIONS:
            raise ConfigError(f"region takes {', '.join(_REGIONS)}, not '{region}'.{suggest(region, _REGIONS)}")
        usual_url = f"https://{_REGIONS[region]}.ml.cloud.ibm.com/ml/v1"
        super().__init__(cache_config, api_key, base_url or usual_url)
        self._key_extras = {"base_url": self.endpoint.public_url} if base_url else {}
        self._project_id = project_id or os.environ.get("WATSONX_PROJECT_ID")
        self._model = watsonx_model_name
        self._tokens = HTTPEndpoint(token_url or _TOKEN_URL, secret=self.endpoint.secret)
        self._lock = threading.Lock()
        self._token: tuple[str, float] = ("", 0.0)

    def _headers(self, path: str, raw: Mapping[str, Any]) -> Headers:
        return self._authorization

    def _authorization(self, renews: bool) -> Mapping[str, str]:
        """Return the header with a token for the key. `renews` requests a new one, because the last was rejected.

        Raises RequestFailure if there is none.
        """
        with self._lock:
            token, valid_until = self._token
            if renews or time.time() > valid_until - _RENEWED_BEFORE_S:
                token, lifetime_s = self._get_token()
                self._token = (token, time.time() + lifetime_s)
            return {"Authorization": f"Bearer {token}"}

    def _get_token(self) -> tuple[str, float]:
        """Request a token, and return it with its lifetime in seconds."""
        form = {"grant_type": "urn:ibm:params:oauth:grant-type:apikey", "apikey": self.endpoint.secret}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}

        def check(answer: Any) -> None:
            if not isinstance(answer, dict) or not isinstance(answer.get("access_token"), str):
                raise self._tokens.failure(MALFORMED, "token", "the answer holds no access_token.")

        answer = self._tokens.send("POST", "token", urlencode(form).encode(), check, headers).value
        lifetime_s = answer.get("expires_in")
        return answer["access_token"], float(lifetime_s) if isinstance(lifetime_s, (int, float)) else _LIFETIME_S

    def _common(self) -> dict[str, Any]:
        if not self._project_id:
            raise ConfigError("IBM watsonx needs ibmProjectId in credentials.conf, or WATSONX_PROJECT_ID.")
        return {"model_id": self._model, "project_id": self._project_id}


class IbmChatClient(IbmClient):
    """`POST /text/chat`."""

    TAKES_TOOLS = True
    takes_options = frozenset((TOP_P, SEED, RESPONSE_FORMAT, REASONING_EFFORT, CHAT_TEMPLATE_KWARGS, EXTRA_BODY))
    sends_messages = True

    def _path(self, request: Request) -> str:
        return f"text/chat?version={_VERSION}"

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        return {
            **self._common(),
            "messages": self._messages(request),
            **({"tools": request.tools} if request.tools else {}),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "stop": request.stop_sequences,
            "presence_penalty": request.presence_penalty,
            "frequency_penalty": request.frequency_penalty,
        }

    def _adjust(self, raw: dict[str, Any], request: Request, options: RequestOptions) -> dict[str, Any]:
        if request.response_format is not None and request.response_format.json_schema is not None:
            return {**raw, RESPONSE_FORMAT: json_schema_format(request.response_format.json_schema, strict=False)}
        return raw

    def _messages(self, request: Request) -> list[Any]:
        if request.messages:
            return request.messages
        if request.multimodal_prompt is None:
            return [{"role": "user", "content": request.prompt}]
        for media in request.multimodal_prompt.media_objects:
            if media.is_type(AUDIO_TYPE):
                raise self._refusal(f"the prompt holds {media.content_type}, which cannot be sent there")
        return [{"role": "user", "content": content_parts(request.multimodal_prompt, self.endpoint)}]

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        outputs = []
        for choice in response["choices"]:
            output = read_chat_choice(choice, splits_thinking=False)
            if message_text(choice["message"]) is None and not output.tool_calls:
                raise ValueError("no content")
            outputs.append(output)
        return outputs

    def _usage(self, response: Mapping[str, Any]) -> Usage | None:
        return read_usage(response)


class IbmTextClient(IbmClient):
    """`POST /text/generation`."""

    takes_options = TextAPIClient.takes_options | {SEED}
    OPTION_FIELDS = {SEED: "parameters.random_seed"}

    def _path(self, request: Request) -> str:
        return f"text/generation?version={_VERSION}"

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        parameters: dict[str, Any] = {
            "decoding_method": "greedy" if request.temperature == 0 else "sample",
            "max_new_tokens": request.max_tokens,
            "stop_sequences": request.stop_sequences,
        }
        if request.temperature != 0:
            parameters.update(temperature=request.temperature, top_p=request.top_p)
        return {**self._common(), "input": self._text_prompt(request), "parameters": parameters}

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        outputs = []
        for result in response["results"]:
            reason = str(result.get("stop_reason"))
            outputs.append(
                GeneratedOutput(
                    result["generated_text"],
                    logprob=0,
                    tokens=[],
                    finish_reason={"reason": _FINISH_REASONS.get(reason, reason)},
                )
            )
        return outputs

    def _usage(self, response: Mapping[str, Any]) -> Usage | None:
        result = response["results"][0]
        if not all(isinstance(result.get(name), int) for name in ("input_token_count", "generated_token_count")):
            return None
        return Usage(result["input_token_count"], result["generated_token_count"])
