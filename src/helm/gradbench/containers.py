"""Images of evals and tools, and the programs that run them: Docker or Podman."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence

from helm.common.errors import ConfigError
from helm.common.sandbox.container_engine import limit_options

REGISTRY_VARIABLE = "GRADBENCH_REGISTRY"
"""Environment variable with the host of the registry that image names begin with."""

LATEST = "latest"
_DEFAULT_REGISTRY = "ghcr.io"
_ENGINES = ("docker", "podman")
_REFERENCE = re.compile(r"(?P<name>[a-z0-9]+(?:-[a-z0-9]+)*)(?P<version>:\w[\w.-]{0,127}|@sha256:[0-9a-f]{64})?")


def engine() -> str:
    """Return the program that runs images: ``docker``, or ``podman`` where only that is installed."""
    return next((name for name in _ENGINES if shutil.which(name)), _ENGINES[0])


def image_name(kind: str, name: str, tag: str = LATEST) -> str:
    """Name of the image of an eval or a tool."""
    return f"{_repository(kind, name)}:{tag}"


def _repository(kind: str, name: str) -> str:
    registry = os.environ.get(REGISTRY_VARIABLE) or _DEFAULT_REGISTRY
    return f"{registry}/gradbench/{kind}-{name}"


def run_command(
    kind: str, name: str, arguments: Sequence[str] = (), tag: str = LATEST, platform: str | None = None
) -> list[str]:
    """The words of the command that starts an eval or a tool in its image."""
    options = ["--platform", platform] if platform else []
    return [engine(), "run", *options, "--rm", "--interactive", image_name(kind, name, tag), *arguments]


def tool_image(reference: str) -> str:
    """Return the whole name of the image of a tool.

    Args:
        reference: the tool's name, perhaps with ``:TAG`` or ``@sha256:DIGEST``; with a digest all see the same tool.
    Raises: ConfigError for another text.
    """
    matched = _REFERENCE.fullmatch(reference)
    if matched is None:
        raise ConfigError(
            f"'{reference}' names no image of a tool. Write its name, NAME:TAG or NAME@sha256:DIGEST, with 64 digits and "
            "letters from a to f."
        )
    return _repository("tool", matched["name"]) + (matched["version"] or f":{LATEST}")


def tool_command(reference: str) -> list[str]:
    """Return the words of the command that starts a tool in its image, without a network.

    Args:
        reference: as for `tool_image`.
    Raises: ConfigError for another text, or when neither Docker nor Podman is installed.
    """
    image = tool_image(reference)
    program = engine()
    if shutil.which(program) is None:
        raise ConfigError(f"The image '{reference}' needs {' or '.join(_ENGINES)}, and neither is installed.")
    limits = limit_options() if program == "podman" else []
    return [program, "run", "--rm", "--interactive", "--network", "none", *limits, image]
