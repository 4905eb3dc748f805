"""HELM can store responses in MongoDB; this package refuses that and names the alternatives."""

from typing import NoReturn

from helm.common.errors import ConfigError


def refuse_mongo() -> NoReturn:
    """Raise ConfigError with the alternatives."""
    raise ConfigError(
        "Responses cannot be cached in MongoDB (--mongo-uri). Leave it out to keep them in files in the folder given "
        "with --local-path, or share them between machines with --cache-uri and a PostgreSQL or Redis database."
    )


class MongoKeyValueStore:
    """HELM's class for MongoDB; its constructor raises ConfigError."""

    def __init__(self, uri: str, collection_name: str):
        refuse_mongo()
