"""The weights of the networks that image metrics run, by the rows of `weights.yaml`."""

import os
from collections.abc import Mapping
from functools import cache
from typing import Any

from helm.common.errors import MetricError, suggest
from helm.common.optional_dependencies import needs_extra

MODELS_FOLDER_VARIABLE = "HELM_MODELS"


def get_models_folder() -> str:
    """Return the folder of downloaded weights: `$HELM_MODELS`, or `.cache/helm/models` in the home folder."""
    return os.environ.get(MODELS_FOLDER_VARIABLE) or os.path.join(os.path.expanduser("~"), ".cache", "helm", "models")


@cache
def get_rows() -> dict[str, dict[str, Any]]:
    """Return `weights.yaml`: by name, where a network's weights come from, and what they must be."""
    from helm.common.files import load_yaml

    return load_yaml(os.path.join(os.path.dirname(__file__), "weights.yaml"))


def get_row(name: str) -> Mapping[str, Any]:
    """Return the row of a network. Raises: MetricError for an unknown name."""
    rows = get_rows()
    if name not in rows:
        raise MetricError(f"weights.yaml has no row {name!r}.{suggest(name, list(rows))}")
    return rows[name]


def fetch(name: str) -> str:
    """Return the path of a row's file, fetched once. Its digest is recorded beside it, and checked each time.

    Raises: DownloadError; MetricError if the file is not the one that the row describes.
    """
    from helm.common.data.downloads import ensure_downloaded, sha256_of
    from helm.common.files import write_text_atomically

    row = get_row(name)
    path = os.path.join(get_models_folder(), name, os.path.basename(row["url"].rstrip("/")) or name)
    ensure_downloaded(row["url"], path, is_data=False)
    record = path + ".sha256"
    expected, is_new = str(row["sha256"] or ""), not os.path.exists(record)
    if not is_new:
        with open(record, encoding="ascii") as file:
            expected = file.read().strip()
    found = sha256_of(path)
    if not found.startswith(expected):
        raise MetricError(
            f"{path}: the SHA-256 digest of the weights '{name}' begins with {found[: len(expected)]}, expected {expected}. "
            f"Remove the file to fetch it again from {row['url']}."
        )
    if is_new:
        write_text_atomically(record, f"{found}\n")
    return path


def load_tensors(name: str) -> Mapping[str, Any]:
    """Return a row's state dict, read without executing anything. Needs the extra `heim`."""
    with needs_extra("heim"):
        import torch
    return torch.load(fetch(name), map_location="cpu", weights_only=True)
