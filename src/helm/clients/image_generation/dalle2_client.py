"""DALL-E 2."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from helm.clients.http.http_client import Answer, Call, ProviderClient
from helm.clients.http.request_failure import RequestFailure
from helm.clients.image_generation.image_generation_client_utils import is_refused, refused_result
from helm.clients.image_generation.openai_images_client import OpenAIImagesProtocol
from helm.clients.moderation_api_client import ModerationAPIClient
from helm.clients.openai_client import OPENAI_BASE_URL
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.file_caches.file_cache import FileCache
from helm.common.request import FILTERED, REFUSED, Request, RequestResult


class ImageSizeError(ConfigError, AssertionError):
    """A model does not make pictures of this size. HELM raises AssertionError."""


class DALLE2Client(OpenAIImagesProtocol, ProviderClient):
    """DALL-E 2, which OpenAI offered until 12 May 2026; another provider's address may still have it.

    Prompts are moderated first. A flagged or rejected prompt has the completions that HELM gives it: no pictures, and
    OpenAI's policy as the finish reason.

    Args:
        api_key: the key; None reads `$OPENAI_API_KEY`.
        cache_config: where answers are cached.
        file_cache: where pictures are stored.
        moderation_api_client: moderates the prompts; None leaves that to the provider.
        org_id: the organization that pays.
        base_url: the address; None means OpenAI's own.
    """

    MAX_PROMPT_LENGTH: int = 1000
    VALID_IMAGE_SIZES: ClassVar[list[str]] = ["256x256", "512x512", "1024x1024"]
    DEFAULT_IMAGE_SIZE_STR: ClassVar[str] = "512x512"

    CONTENT_POLICY_VIOLATED_FINISH_REASON: str = (
        "The prompt violates OpenAI's content policy. "
        "See https://labs.openai.com/policies/content-policy for more information."
    )

    # What OpenAI says of prompts that it rejects; with the last two, HELM has counted them as rejected since.
    PROMPT_FLAGGED_ERROR: str = (
        "Your request was rejected as a result of our safety system. "
        "Your prompt may contain text that is not allowed by our safety system."
    )
    PROMPT_FLAGGED_ERROR2: str = (
        "Something went wrong with your generation. You may try again or ask for a different prompt"
    )
    PROMPT_FLAGGED_ERROR3: str = (
        "The server had an error while processing your request. Sorry about that! You can retry your request, or contact us "
        "through our help center at help.openai.com if the error persists."
    )

    BASE_URL = OPENAI_BASE_URL
    KEY_VARIABLE = "OPENAI_API_KEY"
    CREDENTIAL = "openaiApiKey"
    KEEPS_ROUTE = False
    takes_options = frozenset()

    _ENDED = (
        "OpenAI retired DALL-E 2 and 3 on 12 May 2026: only answers that are cached are left. Its models of today are those "
        "of helm.clients.image_generation.openai_images_client.OpenAIImagesClient, such as gpt-image-1."
    )

    def __init__(
        self,
        api_key: str | None,
        cache_config: CacheConfig | None,
        file_cache: FileCache,
        moderation_api_client: ModerationAPIClient | None = None,
        org_id: str | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, api_key, base_url, {"OpenAI-Organization": org_id} if org_id else None)
        self.file_cache = file_cache
        self.moderation_api_client = moderation_api_client

    def fail_if_invalid_request(self, request: Request) -> None:
        """Raise ConfigError for a prompt that is too long, and for too many pictures."""
        if len(request.prompt) > self.MAX_PROMPT_LENGTH:
            raise ConfigError(f"The maximum length of the prompt is {self.MAX_PROMPT_LENGTH} characters.")
        if not 1 <= request.num_completions <= 10:
            raise ConfigError("`num_completions` must be between 1 and 10.")

    def get_content_policy_violated_result(self, request: Request) -> RequestResult:
        """Return the result of a request that OpenAI's policy forbids."""
        return refused_result(request, self.CONTENT_POLICY_VIOLATED_FINISH_REASON)

    def get_size_str(self, request: Request) -> str:
        """Return the size to ask for. Raises: ImageSizeError."""
        parameters = request.image_generation_parameters
        width = parameters.output_image_width if parameters else None
        height = parameters.output_image_height if parameters else None
        if width is None or height is None:  # HELM: a width alone has no effect
            return self.DEFAULT_IMAGE_SIZE_STR
        size = f"{width}x{height}"
        if size not in self.VALID_IMAGE_SIZES:
            raise ImageSizeError(f"Valid image sizes are {self.VALID_IMAGE_SIZES}")
        return size

    def make_request(self, request: Request) -> RequestResult:
        result = super().make_request(request)
        if result.success and any(map(is_refused, result.completions)):
            return self.get_content_policy_violated_result(request)
        if not result.success and result.error is not None:
            is_ended = result.outcome == REFUSED and self.endpoint.base_url == OPENAI_BASE_URL
            return replace(result, error=f"DALL-E error: {result.error}{f' {self._ENDED}' if is_ended else ''}")
        return result

    def _complete(self, request: Request) -> RequestResult:
        self._check_request(request)
        self.fail_if_invalid_request(request)
        if self.moderation_api_client is not None and self.moderation_api_client.will_be_flagged(request.prompt):
            return self.get_content_policy_violated_result(request)
        return super()._complete(request)

    def _exchange(self, request: Request, call: Call) -> Answer:
        try:
            return super()._exchange(request, call)
        except RequestFailure as failure:
            texts = (self.PROMPT_FLAGGED_ERROR, self.PROMPT_FLAGGED_ERROR2, self.PROMPT_FLAGGED_ERROR3)
            if any(text in failure.message for text in texts):
                failure.outcome = FILTERED
            raise

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        return {
            "model": "dall-e-2",
            "prompt": request.prompt,
            "n": num_images,
            "size": self.get_size_str(request),
            "response_format": "b64_json",
        }

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        key = super()._cache_key(raw, request, num_there)
        del key["model"]  # HELM: it is not part of the key
        return key

    def _cached_form(self, answer: Mapping[str, Any], kept: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        rows = [
            {**{k: v for k, v in row.items() if k != "b64_json"}, "file_path": picture["file_path"]}
            for row, picture in zip(answer["data"], kept, strict=True)
        ]
        return {**answer, "data": rows}

    def _read_cached(self, response: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return [{"file_path": row["file_path"]} for row in response["data"]]
