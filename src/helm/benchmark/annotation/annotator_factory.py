"""Creates annotators from their specs."""

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from helm.benchmark.annotation.annotator import Annotator, AnnotatorSpec
from helm.common.cache_backend_config import CacheBackendConfig
from helm.common.credentials_utils import provide_api_key
from helm.common.hierarchical_logger import hlog
from helm.common.object_spec import create_object, inject_object_spec_args

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient


class AnnotatorFactory:
    """Creates annotators and fills in the constructor parameters that their specs lack.

    By name: `cache_config`, `api_key`, `endpoint`, `file_storage_path` and `auto_client`, the first four under the
    short name of the annotator: the last part of its class path in lower case without `annotator`.

    Args:
        credentials: read only when an annotator asks for something in it.
        file_storage_path: files of annotators go to `output/<short name>` in it.
        cache_backend_config: where annotators, and the judges they ask, cache responses.
    """

    def __init__(
        self, credentials: Mapping[str, Any], file_storage_path: str, cache_backend_config: CacheBackendConfig
    ):
        self.credentials = credentials
        self.file_storage_path = file_storage_path
        self.cache_backend_config = cache_backend_config

    @cached_property
    def _auto_client(self) -> "AutoClient":
        from helm.clients.auto_client import AutoClient

        return AutoClient(self.credentials, self.file_storage_path, self.cache_backend_config)

    @property
    def num_wanted(self) -> int:
        """The total number of requests that the judges' endpoints currently accept. 0 if no endpoint is known."""
        clients = list(self._auto_client.clients.values())
        return sum({id(c.limiter): c.limiter.window for c in clients if c.limiter is not None}.values())

    def get_annotator(self, annotator_spec: AnnotatorSpec) -> Annotator:
        """Create an annotator. Raises: what its class path or constructor raises."""
        short_name = annotator_spec.class_name.split(".")[-1].lower().replace("annotator", "")
        constants = {"cache_config": self.cache_backend_config.get_cache_config(short_name)}
        providers: dict[str, Callable[[], Any]] = {
            "api_key": lambda: self._api_key(short_name, annotator_spec.args.get("endpoint")),
            "endpoint": lambda: self.credentials.get(f"{short_name}Endpoint"),
            "file_storage_path": lambda: os.path.join(self.file_storage_path, "output", short_name),
            "auto_client": lambda: self._auto_client,
        }
        return create_object(inject_object_spec_args(annotator_spec, constants, providers))

    def _api_key(self, short_name: str, endpoint: str | None) -> str | None:
        """Return the key from the credentials. An endpoint named in an entry does not get it."""
        if endpoint is None or endpoint == self.credentials.get(f"{short_name}Endpoint"):
            return provide_api_key(self.credentials, short_name)
        if f"{short_name}ApiKey" in self.credentials:
            hlog(
                f"{short_name}ApiKey is not sent to {endpoint}, which an entry names. If it is for that service, put "
                f'{short_name}Endpoint: "{endpoint}" into credentials.conf.'
            )
        return None
