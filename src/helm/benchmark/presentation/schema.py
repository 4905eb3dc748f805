"""Former location of `helm.results.schema`."""

from helm.results.schema import *  # noqa: F403
