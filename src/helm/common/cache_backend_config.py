"""The settings of where responses are cached, in one shard per host organization."""

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from helm.common.cache import BlackHoleCacheConfig, CacheConfig, MongoCacheConfig, SharedCacheConfig, SqliteCacheConfig


class CacheBackendConfig(ABC):
    """Provides the cache settings of each shard."""

    @abstractmethod
    def get_cache_config(self, shard_name: str) -> CacheConfig:
        pass


@dataclass(frozen=True)
class SqliteCacheBackendConfig(CacheBackendConfig):
    """A folder with one SQLite file per shard."""

    path: str

    def get_cache_config(self, shard_name: str) -> CacheConfig:
        return SqliteCacheConfig(path=os.path.join(self.path, f"{shard_name}.sqlite"))


@dataclass(frozen=True)
class MongoCacheBackendConfig(CacheBackendConfig):
    """HELM's class for MongoDB; this package has no such cache and refuses to use it."""

    uri: str

    def get_cache_config(self, shard_name: str) -> CacheConfig:
        return MongoCacheConfig(uri=self.uri, collection_name=shard_name)


@dataclass(frozen=True)
class SharedCacheBackendConfig(CacheBackendConfig):
    """A cache in PostgreSQL or Redis, shared between machines."""

    uri: str

    def get_cache_config(self, shard_name: str) -> CacheConfig:
        return SharedCacheConfig(uri=self.uri, shard=shard_name)


@dataclass(frozen=True)
class BlackHoleCacheBackendConfig(CacheBackendConfig):
    """No cache."""

    def get_cache_config(self, shard_name: str) -> CacheConfig:
        return BlackHoleCacheConfig()


def choose_cache_backend(spec: Any) -> CacheBackendConfig:
    """Where responses are cached: the place that a spec of an executor gives; a shared one goes before the others.

    Raises: ConfigError for both of HELM's.
    """
    sqlite, mongo = spec.sqlite_cache_backend_config, spec.mongo_cache_backend_config
    if sqlite and mongo:
        from helm.common.errors import ConfigError

        raise ConfigError("At most one of sqlite_cache_backend_config and mongo_cache_backend_config can be set.")
    return spec.shared_cache_backend_config or sqlite or mongo or BlackHoleCacheBackendConfig()
