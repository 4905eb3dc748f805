"""``gradbench pin``: writes deployments that name images of tools by digest, so that every run has the same programs."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from helm.common.errors import ConfigError, HelmError
from helm.common.files import write_text_atomically
from helm.gradbench.containers import tool_command, tool_image

_TOOL_CLIENT = "helm.gradbench.tool_client.ToolClient"
_LIST_DIGESTS = "{{range .RepoDigests}}{{println .}}{{end}}"


def find_digest(reference: str) -> str:
    """Pull the image of a tool, and return its digest, ``sha256:...``.

    Args:
        reference: the tool's name, perhaps with ``:TAG``.
    Raises: ConfigError for another text, or where neither Docker nor Podman is installed; HelmError when the image cannot be
        pulled, or has no digest because it was built here.
    """
    engine, image = tool_command(reference)[0], tool_image(reference)
    _ask(engine, "pull", "--quiet", image)
    repository = image.rpartition(":")[0]
    for line in _ask(engine, "image", "inspect", "--format", _LIST_DIGESTS, image).split():
        name, _, digest = line.partition("@")
        if name == repository and digest:
            return digest
    raise HelmError(f"{engine} knows no digest of {image}.")


def _ask(engine: str, *arguments: str) -> str:
    process = subprocess.run(
        [engine, *arguments],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if process.returncode:
        raise HelmError(f"{engine} {' '.join(arguments)} failed: {process.stderr.strip()[-2000:]}")
    return process.stdout


def pin(references: Sequence[str], path: Path) -> dict[str, str]:
    """Write a deployment ``pinned/NAME`` for each tool to a file of deployments, and keep all others in it.

    The file is written once, after all images were found. Returns the digests by tool.

    Args:
        references: names of tools, as for `find_digest`.
        path: the file, such as ``prod_env/model_deployments.yaml``.
    Raises: ConfigError when the file has another form; otherwise as `find_digest`.
    """
    import yaml

    deployments = _read(path)
    digests = {reference.partition(":")[0]: find_digest(reference) for reference in references}
    for name, digest in digests.items():
        client = {"class_name": _TOOL_CLIENT, "args": {"image": f"{name}@{digest}", "name": name}}
        pinned = {"name": f"pinned/{name}", "client_spec": client}
        deployments = [row for row in deployments if row.get("name") != pinned["name"]] + [pinned]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text_atomically(str(path), yaml.safe_dump({"model_deployments": deployments}, sort_keys=False))
    return digests


def _read(path: Path) -> list[dict[str, Any]]:
    import yaml

    if not path.exists():
        return []
    try:
        found = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not YAML: {error}") from None
    rows = found.get("model_deployments") if isinstance(found, dict) and len(found) == 1 else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ConfigError(f"{path} must have the one key model_deployments, with a list of deployments.")
    return rows
