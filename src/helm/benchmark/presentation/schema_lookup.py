"""The former place of `helm.results.schema_lookup`."""

from helm.results.schema_lookup import *  # noqa: F403
