"""Anthropic's and Amazon's models behind the gateway of Stanford Health Care."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.stanfordhealthcare_http_model_client import StanfordHealthCareHTTPModelClient
from helm.common.request import GeneratedOutput, Request
from helm.common.request_options import EXTRA_BODY, PLAIN_PROMPT


class StanfordHealthCareClaudeClient(StanfordHealthCareHTTPModelClient):
    """The answer is the text of the first part of its `content`; stop sequences are applied here."""

    takes_options = frozenset((PLAIN_PROMPT, EXTRA_BODY))

    def get_request(self, request: Request) -> dict[str, Any]:
        return {
            "model_id": self.model,
            "prompt_text": self._text_prompt(request),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
        }

    def parse_response(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        return [GeneratedOutput(text=response["content"][0]["text"], logprob=0, tokens=[])]
