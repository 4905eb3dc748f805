"""Errors that are the user's to mend: commands print them without a traceback and exit with status 1."""

import difflib
from typing import Iterable


class HelmError(Exception):
    """What failed, which one, what was expected, what to do. Shown to the user as it stands."""

    instance_id: str | None = None
    """The instance it happened at, where there is one; written to `error.json`."""


class ConfigError(HelmError, ValueError):
    """A run entry, a configuration file, an argument or a name in one of them is wrong."""


class ScenarioError(HelmError):
    """A scenario yields no usable instances, or an instance lacks what its adapter or metric needs."""


class MetricError(HelmError):
    """A metric could not be computed; the message names the metric and the instance."""


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `name`, or None when none is close."""
    matches = difflib.get_close_matches(name, list(candidates), n=1, cutoff=0.5)
    return matches[0] if matches else None


def suggest(name: str, candidates: Iterable[str]) -> str:
    """`" Did you mean 'x'?"` for the nearest candidate, or the empty string."""
    match = nearest(name, candidates)
    return f" Did you mean '{match}'?" if match else ""


def with_instance_id(error: HelmError, instance_id: str | None) -> HelmError:
    """The same error, marked with the instance it happened at."""
    error.instance_id = instance_id
    return error
