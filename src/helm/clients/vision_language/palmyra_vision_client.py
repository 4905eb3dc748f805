"""Writer's models that see, at an address that Writer gives its customers."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.client import generate_uid_for_multimodal_prompt
from helm.clients.protocols.openai_protocol import base64_of, mime_type
from helm.clients.protocols.text_api_client import TextAPIClient
from helm.common.cache import CacheConfig
from helm.common.media_object import IMAGE_TYPE, TEXT_TYPE, MultimediaObject
from helm.common.request import GeneratedOutput, Request
from helm.common.request_options import EXTRA_BODY, PLAIN_PROMPT
from helm.tokenizers.tokenizer import Tokenizer


class PalmyraVisionClient(TextAPIClient):
    """Sends the texts and pictures of a prompt, in their order, once for each completion.

    The service takes nothing else: neither a temperature nor a length. Stop sequences are applied to its answers.

    Args:
        tokenizer: not needed; HELM passes it.
        tokenizer_name: not needed; HELM passes it.
        endpoint: the whole address; None makes every request fail with the name of the credential that has it.
        cache_config: where responses are cached.
        api_key: the key, if the address needs one; None reads `WRITER_API_KEY`.
    """

    BASE_URL = "https://writer.invalid"
    KEY_VARIABLE = "WRITER_API_KEY"
    CREDENTIAL = "writerApiKey"
    GIVES_MANY = False
    takes_options = frozenset((PLAIN_PROMPT, EXTRA_BODY))

    def __init__(
        self,
        tokenizer: Tokenizer | None = None,
        tokenizer_name: str | None = None,
        endpoint: str | None = None,
        cache_config: CacheConfig | None = None,
        api_key: str | None = None,
    ):
        super().__init__(cache_config, api_key, endpoint, needs_key=False)
        self._key_extras = {}  # HELM's keys have no address, and each customer has only one
        if not endpoint:
            self.missing_key = (
                "Writer's service for pictures has an address for each customer. Put writerEndpoint: ADDRESS into "
                "credentials.conf of the folder given with --local-path."
            )

    def _path(self, request: Request) -> str:
        return ""

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        if request.messages:
            raise self._refusal("this API takes texts and pictures, not messages")
        if request.multimodal_prompt is None:
            return {"parts": [{"type": "Text", "value": request.prompt}]}
        return {"parts": self._parts(request.multimodal_prompt)}

    def _parts(self, prompt: MultimediaObject) -> list[dict[str, Any]]:
        parts = []
        for media in prompt.media_objects:
            if media.is_type(TEXT_TYPE):
                parts.append({"type": "Text", "value": media.text})
            elif media.is_type(IMAGE_TYPE) and media.is_local_file:
                parts.append({"type": "InlineData", "value": base64_of(media), "contentType": mime_type(media)})
            else:
                raise self._refusal(f"the prompt holds {media.content_type}, which cannot be sent there")
        return parts

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        key = super()._cache_key({name: value for name, value in raw.items() if name != "parts"}, request, num_there)
        prompt = request.multimodal_prompt
        # HELM: neither the model nor anything else is part of the key.
        return {**key, "prompt": request.prompt if prompt is None else generate_uid_for_multimodal_prompt(prompt)}

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        return [GeneratedOutput(choice["text"], logprob=0, tokens=[]) for choice in response["choices"]]
