"""HELM can keep responses in a MongoDB; here that is refused, with what to use instead."""

from typing import NoReturn

from helm.common.errors import ConfigError


def refuse_mongo() -> NoReturn:
    """Raises: ConfigError, always."""
    raise ConfigError(
        "Responses cannot be cached in MongoDB (--mongo-uri). Leave it out, and they are in files of the folder given with "
        "--local-path; or share them between machines with --cache-uri and a PostgreSQL or Redis."
    )


class MongoKeyValueStore:
    """The name that HELM has. Raises: ConfigError when it is made."""

    def __init__(self, uri: str, collection_name: str):
        refuse_mongo()
