"""The context of a command that does everything in its own process."""

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from helm.common.cache import CacheConfig
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig, CacheBackendConfig
from helm.common.context import VERSION as VERSION
from helm.common.context import Context
from helm.common.errors import ConfigError
from helm.common.request import Request, RequestResult
from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
)
from helm.proxy.retry import retry_request

if TYPE_CHECKING:
    from helm.clients.client import Client
    from helm.common.clip_score_request import CLIPScoreRequest, CLIPScoreResult
    from helm.common.critique_request import CritiqueRequest, CritiqueRequestResult
    from helm.common.file_upload_request import FileUploadRequest, FileUploadResult
    from helm.common.moderations_api_request import ModerationAPIRequest, ModerationAPIRequestResult
    from helm.common.nudity_check_request import NudityCheckRequest, NudityCheckResult
    from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult
    from helm.tokenizers.tokenizer import Tokenizer

CACHE_FOLDER = "cache"


class LazyCredentials(Mapping[str, Any]):
    """The credentials of a folder, read on first use: most runs need none, and their parser is slow to import."""

    def __init__(self, base_path: str):
        self._base_path = base_path
        self._lock = threading.Lock()
        self._values: dict[str, Any] | None = None

    def _read(self) -> dict[str, Any]:
        with self._lock:
            if self._values is None:
                from helm.common.general import get_credentials

                self._values = get_credentials(self._base_path)
            return self._values

    def __getitem__(self, key: str) -> Any:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return f"LazyCredentials({self._base_path!r})"  # never the values


class LocalContext(Context):
    """Owns the clients and tokenizers of this process, which are created on first use.

    Args:
        base_path: the folder with `credentials.conf` and `cache/`; it is created if missing.
        cache_backend_config: where responses are cached; by default nowhere.
    """

    def __init__(
        self,
        base_path: str = "prod_env",
        cache_backend_config: CacheBackendConfig = BlackHoleCacheBackendConfig(),
    ):
        from helm.clients.auto_client import AutoClient
        from helm.tokenizers.auto_tokenizer import AutoTokenizer

        self.base_path = base_path
        self.cache_backend_config = cache_backend_config
        storage_path = os.path.join(base_path, CACHE_FOLDER)
        try:
            os.makedirs(storage_path, exist_ok=True)
        except OSError as e:
            raise ConfigError(f"Cannot create the folder {storage_path} for caches: {e.strerror}.") from e
        credentials = LazyCredentials(base_path)
        self.client: AutoClient = AutoClient(credentials, storage_path, cache_backend_config)
        self.tokenizer: AutoTokenizer = AutoTokenizer(credentials, cache_backend_config)
        self._side_clients: dict[str, Any] = {}
        self._lock = threading.Lock()

    def get_general_info(self) -> Any:
        """Return the version of the protocol and the available models."""
        from helm.benchmark.model_metadata_registry import ALL_MODELS_METADATA
        from helm.proxy.services.service import GeneralInfo

        return GeneralInfo(version=VERSION, all_models=list(ALL_MODELS_METADATA))

    def expand_query(self, query: Any) -> Any:
        """See `helm.proxy.services.service.expand_query`."""
        from helm.proxy.services.service import expand_query

        return expand_query(query)

    def make_request(self, request: Request) -> RequestResult:
        return self.client.make_request(request)

    def get_client(self, model_deployment: str) -> "Client":
        return self.client.get_client(model_deployment)

    def tokenize(self, request: TokenizationRequest) -> TokenizationRequestResult:
        return self.tokenizer.tokenize(request)

    def decode(self, request: DecodeRequest) -> DecodeRequestResult:
        return self.tokenizer.decode(request)

    def get_tokenizer(self, tokenizer_name: str) -> "Tokenizer | None":
        return self.tokenizer.get_tokenizer(tokenizer_name)

    def _side_client(self, create: Callable[[], Any]) -> Any:
        with self._lock:
            if create.__name__ not in self._side_clients:
                self._side_clients[create.__name__] = create()
            return self._side_clients[create.__name__]

    def upload(self, request: "FileUploadRequest") -> "FileUploadResult":
        return self._side_client(self.client.get_gcs_client).upload(request)

    def check_nudity(self, request: "NudityCheckRequest") -> "NudityCheckResult":
        return self._side_client(self.client.get_nudity_check_client).check_nudity(request)

    def compute_clip_score(self, request: "CLIPScoreRequest") -> "CLIPScoreResult":
        return self._side_client(self.client.get_clip_score_client).compute_score(request)

    def get_toxicity_scores(self, request: "PerspectiveAPIRequest") -> "PerspectiveAPIRequestResult":
        return retry_request(self._side_client(self.client.get_toxicity_classifier_client).get_toxicity_scores)(request)

    def get_moderation_results(self, request: "ModerationAPIRequest") -> "ModerationAPIRequestResult":
        return retry_request(self._side_client(self.client.get_moderation_api_client).get_moderation_results)(request)

    def make_critique_request(self, request: "CritiqueRequest") -> "CritiqueRequestResult":
        if request.model:
            from helm.clients.critique_clients import ModelCritiqueClient

            return ModelCritiqueClient(self.client, request.model).make_critique_request(request)
        return self._side_client(self.client.get_critique_client).make_critique_request(request)

    def get_cache_config(self, shard_name: str) -> CacheConfig:
        return self.cache_backend_config.get_cache_config(shard_name)
