"""IBM's Granite models that think, at vLLM's server."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from helm.clients.protocols.openai_protocol import cut_at_stop
from helm.clients.vllm_client import VLLMChatClient
from helm.common.request import GeneratedOutput, Request, Thinking

_EXTRA_BODY = "extra_body"
_BOTH = re.compile(r"<think>(.*?)</think>\s*<response>(.*)", re.DOTALL)
_THOUGHT = re.compile(r"<think>(.*?)(?:</think>|\Z)", re.DOTALL)


class VLLMGraniteThinkingClient(VLLMChatClient):
    """Asks for thoughts in `<think>` and an answer in `<response>`. For the arguments, see VLLMChatClient."""

    def _raw_request(self, request: Request) -> dict[str, Any]:
        return {**super()._raw_request(request), _EXTRA_BODY: {"chat_template_kwargs": {"thinking": True}}}

    def _body(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        body = super()._body(raw)
        return {**body.pop(_EXTRA_BODY), **body}

    def _read_choice(self, request: Request, choice: Mapping[str, Any]) -> GeneratedOutput:
        output = super()._read_choice(replace(request, stop_sequences=[], echo_prompt=False), choice)
        thinking, answer = self._parse_thinking(output.text)
        output = replace(output, text=answer, logprob=0, tokens=[], thinking=Thinking(thinking))
        return cut_at_stop(output, request.stop_sequences)

    def _parse_thinking(self, input: str) -> tuple[str, str]:
        """Split what the model wrote into thoughts and answer; either may be cut off.

        HELM: a text that begins with something else is all thoughts.
        """
        both = _BOTH.match(input)
        if both is not None:
            answer, is_closed, rest = both[2].rpartition("</response>")
            return both[1], answer if is_closed else rest
        thought = _THOUGHT.match(input)
        return (thought[1] if thought is not None else input), ""
