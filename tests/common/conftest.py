"""Servers that tests of shared caches use."""

from database_servers import postgres_uri, redis_uri

__all__ = ["postgres_uri", "redis_uri"]
