"""Texts of HELM that are not part of this package: prompts of its judges, word lists, lists of prompts.

`helm_prompts.json` names HELM's source files at one commit, their SHA-256, and the constants in them. The files are fetched
from HELM's public repository, or from a mirror, into `helm-prompts/` of the output folder. They are parsed, never imported or
run: only literals are read.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from helm.common.commands.output_path import get_benchmark_output_path
from helm.common.data.data_session import BlockedFetch
from helm.common.data.data_stamps import sha256_of
from helm.common.data.downloads import ensure_downloaded
from helm.common.data.python_literals import LiteralError, find_literals
from helm.common.errors import ConfigError, HelmError, suggest

NAME = "helm-prompts"
"""The name of these texts for `helm-data`, and of their folder in the output folder."""

FETCH_COMMAND = f"helm-data fetch {NAME}"

HELM_WORDING = "helm"
"""The value of the argument `prompts` of annotators and critiques, and of `judges=`, that selects HELM's wording."""

_MAX_FILE_BYTES = 1 << 20
_TABLE = os.path.join(os.path.dirname(__file__), "helm_prompts.json")


class HelmPromptError(HelmError):
    """A text of HELM is missing or is not what the table says; the message names the file and the constant."""


@dataclass(frozen=True)
class Constant:
    """One literal in a file."""

    name: str
    """`NAME`, `CLASS.NAME`, or `FUNCTION()/NAME` for a local variable."""

    kind: str
    """`str`, or `list` of strings."""

    characters: int
    """The length of the text, or the sum of the lengths of the items."""

    items: int | None = None
    """The number of items of a list."""

    def describes(self, value: Any) -> bool:
        """Return whether a value has this kind, length and number of items."""
        if self.kind == "str":
            return isinstance(value, str) and len(value) == self.characters
        if self.kind != "list" or not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            return False
        return len(value) == self.items and sum(len(item) for item in value) == self.characters


@dataclass(frozen=True)
class HelmFile:
    """One file of HELM's repository."""

    path: str

    url: str

    sha256: str

    constants: Sequence[Constant]
    """Empty if the whole file is one text."""

    @property
    def local_path(self) -> str:
        """Where the file is on this machine, or would be."""
        return os.path.join(get_benchmark_output_path(), NAME, *self.path.split("/"))


@lru_cache(maxsize=1)
def helm_files() -> dict[str, HelmFile]:
    """Return the files of the table by their path in the repository."""
    return read_table(_TABLE)


def read_table(path: str) -> dict[str, HelmFile]:
    """Read a table of files. Raises: HelmPromptError for a path that leads out of the folder."""
    with open(path, encoding="utf-8") as file:
        table = json.load(file)
    base = f"https://raw.githubusercontent.com/{table['repository']}/{table['commit']}"
    found: dict[str, HelmFile] = {}
    for row in table["files"]:
        parts = row["path"].split("/")
        if "\\" in row["path"] or not all(part and part.strip(".") for part in parts):
            raise HelmPromptError(f"{path}: '{row['path']}' is not a path within a repository.")
        constants = [Constant(**constant) for constant in row.get("constants") or ()]
        found[row["path"]] = HelmFile(row["path"], f"{base}/{row['path']}", row["sha256"], constants)
    return found


# ---- Fetching


def fetch_helm_prompts() -> int:
    """Download all files of the table that are missing, and read every constant once; return the number of texts.

    Raises: DownloadError, OfflineError, DataChangedError like `ensure_downloaded`; HelmPromptError.
    """
    return sum(1 for file in helm_files().values() for _ in _fetch(file))


def _fetch(file: HelmFile) -> Iterator[Any]:
    ensure_downloaded(file.url, file.local_path, sha256=file.sha256, max_bytes=_MAX_FILE_BYTES)
    if not file.constants:
        yield read_helm_text(file.path)
    for constant in file.constants:
        yield read_helm_constant(file.path, constant.name)


def missing_helm_prompts(paths: Iterable[str] | None = None) -> list[BlockedFetch]:
    """Return what would have to be fetched, of some files or of all. Those present are noted as used, and checked.

    Raises: DownloadError or DataChangedError for a file with other bytes.
    """
    missing = []
    for path in helm_files() if paths is None else paths:
        file = _find(path)
        if os.path.exists(file.local_path):
            ensure_downloaded(file.url, file.local_path, sha256=file.sha256, max_bytes=_MAX_FILE_BYTES)
        else:
            missing.append(BlockedFetch(file.url, file.local_path))
    return missing


def require_helm_prompts(paths: Sequence[str], user: str) -> None:
    """Raise ConfigError that names the command if one of the files is missing. `user` begins the message."""
    missing = missing_helm_prompts(paths)
    if missing:
        raise ConfigError(f"{user} needs texts of HELM that are not in {missing[0].path}. Get them: {FETCH_COMMAND}")


def check_wording(name: str, prompts: str | None) -> bool:
    """Return whether an annotator uses HELM's wording. Raises: ConfigError for another value than `helm` or None."""
    if prompts not in (None, HELM_WORDING):
        raise ConfigError(f"{name}: prompts takes {HELM_WORDING}, for HELM's wording, or nothing, not {prompts!r}.")
    return prompts == HELM_WORDING


# ---- Reading


def read_helm_text(path: str) -> str:
    """Return a file as text.

    Args:
        path: the path in HELM's repository.

    Raises:
        ConfigError: The table has no such file, or it has not been fetched; the message names the command.
        HelmPromptError: The file has other bytes than the table says.
    """
    file = _find(path)
    local_path = file.local_path
    if not os.path.isfile(local_path):
        raise ConfigError(f"{local_path} is missing. Get it: {FETCH_COMMAND}")
    if os.path.getsize(local_path) > _MAX_FILE_BYTES or sha256_of(local_path) != file.sha256:
        raise HelmPromptError(
            f"{local_path} is not HELM's file: its SHA-256 is not {file.sha256}. Remove it, and get it: {FETCH_COMMAND}"
        )
    with open(local_path, "rb") as stream:
        try:
            return stream.read().decode("utf-8")
        except UnicodeDecodeError as e:
            raise HelmPromptError(f"{local_path} is not a text in UTF-8: {e}") from e


def read_helm_constant(path: str, name: str) -> Any:
    """Return a constant of one of HELM's source files: a text, or a list of texts. Nothing is run.

    Args:
        path: the path in HELM's repository, such as `src/helm/benchmark/annotation/live_qa_annotator.py`.
        name: `NAME`, `CLASS.NAME`, or `FUNCTION()/NAME` for a local variable.

    Raises:
        ConfigError: The table has no such file or constant, or the file has not been fetched.
        HelmPromptError: The file has other bytes, or the constant is missing, is no literal, or has another kind or length.
    """
    known = {constant.name: constant for constant in _find(path).constants}
    if name not in known:
        raise ConfigError(f"{_TABLE}: {path} has no constant '{name}'.{suggest(name, known)}")
    text = read_helm_text(path)
    local_path = _find(path).local_path
    try:
        literals = find_literals(text, name, local_path)
    except LiteralError as e:
        raise HelmPromptError(str(e)) from e
    for value in literals:
        if known[name].describes(value):
            return value
    raise HelmPromptError(f"{local_path}: {name} is not what the table says: {known[name]}.")


def _find(path: str) -> HelmFile:
    file = helm_files().get(path)
    if file is None:
        raise ConfigError(f"{_TABLE} has no file '{path}'.{suggest(path, helm_files())}")
    return file
