"""Models behind Megatron-LM's text generation server."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.http.http_client import NO_PROMPT_LOGPROBS, Reading
from helm.clients.protocols.openai_protocol import cut_at_stop
from helm.clients.protocols.text_api_client import TextAPIClient
from helm.common.cache import CacheConfig
from helm.common.request import GeneratedOutput, Request
from helm.common.request_options import EXTRA_BODY, PLAIN_PROMPT


class MegatronClient(TextAPIClient):
    """`PUT /api`, once for each completion. The server returns the prompt in front of the text; stop sequences are applied here.

    Args:
        tokenizer, tokenizer_name: not needed; HELM passes them.
        cache_config: where responses are cached.
        base_url: the server's address; None means http://localhost:5000.
    """

    BASE_URL = "http://localhost:5000"
    METHOD = "PUT"
    GIVES_MANY = False
    takes_options = frozenset((PLAIN_PROMPT, EXTRA_BODY))
    lacks = NO_PROMPT_LOGPROBS

    def __init__(
        self,
        tokenizer: Any = None,
        tokenizer_name: str | None = None,
        cache_config: CacheConfig | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, None, base_url, needs_key=False)

    def _path(self, request: Request) -> str:
        return "api"

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        if request.top_p != 1:
            raise self._refusal(f"this server takes no top_p, and the request has {request.top_p}", "api")
        return {
            "prompts": [self._text_prompt(request)],
            "tokens_to_generate": request.max_tokens,
            "temperature": request.temperature,
            "top_k": request.top_k_per_token,
        }

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        return [GeneratedOutput(text=text, logprob=0, tokens=[]) for text in response["text"]]

    def _read(self, request: Request, response: Mapping[str, Any]) -> Reading:
        outputs = self._outputs(response)
        if not request.echo_prompt:
            generated = [GeneratedOutput(output.text[len(request.prompt) :], 0, []) for output in outputs]
            outputs = [cut_at_stop(output, request.stop_sequences) for output in generated]
        return outputs, None
