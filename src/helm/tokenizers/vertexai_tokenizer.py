"""The tokenizers of Google's models on Vertex AI, through its API."""

import base64
from functools import cached_property
from typing import Any

from helm.common.cache import CacheConfig
from helm.common.optional_dependencies import needs_extra
from helm.tokenizers.hosted_tokenizer import HostedTokenizer, TokenizerUnavailableError, field


class VertexAITokenizer(HostedTokenizer):
    """`computeTokens`, which gives ids and strings. Decoding is not possible: use NoDecodingWindowService.

    Args:
        project_id: the credential `googleProjectId`.
        location: the credential `googleLocation`, for example `us-central1`.
    """

    def __init__(
        self,
        cache_config: CacheConfig | None,
        project_id: str | None = None,
        location: str | None = None,
        base_url: str | None = None,
    ):
        self.project_id = project_id
        self.location = location or "us-central1"
        super().__init__(cache_config, None, base_url or f"https://{self.location}-aiplatform.googleapis.com/v1")

    @cached_property
    def _account(self) -> Any:
        """The account that Google's own library finds on this machine."""
        with needs_extra("google"):
            import google.auth
        return google.auth.default(scopes=["https://www.googleapis.com/auth/cloud-platform"])[0]

    def _headers(self, tokenizer: str) -> dict[str, str]:
        if not self.project_id:
            raise TokenizerUnavailableError(
                f"Tokenizer '{tokenizer}' asks Vertex AI and needs a project: set googleProjectId in credentials.conf."
            )
        account = self._account  # first, because its message is clearest if the package is missing
        import google.auth.exceptions
        import google.auth.transport.urllib3
        import urllib3

        try:
            if not account.valid:
                account.refresh(google.auth.transport.urllib3.Request(urllib3.PoolManager()))
        except google.auth.exceptions.GoogleAuthError as e:
            raise TokenizerUnavailableError(f"Tokenizer '{tokenizer}': Google did not accept any account: {e}") from e
        return {"Authorization": f"Bearer {account.token}"}

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["tokenizer"]
        model = f"projects/{self.project_id}/locations/{self.location}/publishers/google/models/"
        route = f"{model}{self._get_tokenizer_name(name)}:computeTokens"
        answer = self._call(route, name, {"instances": [{"prompt": request["text"]}]})
        values: list[Any] = []
        for info in field(answer, "tokensInfo", list, name):
            if request["encode"]:
                values += [int(value) for value in info.get("tokenIds", [])]
            else:
                values += [base64.b64decode(t).decode("utf-8", errors="replace") for t in info.get("tokens", [])]
        return {"tokens": values}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        raise TokenizerUnavailableError(
            f"Tokenizer '{request['tokenizer']}': Vertex AI cannot decode tokens. Set window_service_spec of the "
            "deployment to helm.benchmark.window_services.no_decoding_window_service.NoDecodingWindowService."
        )
