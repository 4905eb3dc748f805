"""Helpers for tests of window services."""

from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.common.cache_backend_config import CacheBackendConfig


def get_tokenizer_service(local_path: str, cache_backend_config: CacheBackendConfig) -> TokenizerService:
    """Return a tokenizer service in this process, with credentials and caches in `local_path`."""
    from helm.common.local_context import LocalContext

    return TokenizerService(LocalContext(local_path, cache_backend_config))
