"""Reads datasets of the Hugging Face Hub as files at a pinned commit. Scripts of a repository are never run.

A repository that has only a script is read from the branch `refs/convert/parquet`, where the Hub keeps the same rows as
Parquet files. Files are stored in `<cache folder>/hub/<name>/<commit>/`; existing ones are used without contacting the Hub. A
local folder in the layout of the Hub is read like a repository, and so is, offline, the Hugging Face cache.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from helm.common.data.content_spool import ContentSpool
from helm.common.data.data_addresses import HUB, offline_variable
from helm.common.data.data_session import UsedDataSet, current_session, current_survey, note_companion, note_data_set
from helm.common.data.downloads import DownloadError, OfflineError, ensure_downloaded
from helm.common.data.hub_files import (
    Configuration,
    DataFiles,
    choose_configuration,
    configurations,
    find_data_files,
    read_front_matter,
)
from helm.common.data.hub_folders import (
    HubFolder,
    NotCachedError,
    file_url,
    is_local_folder,
    license_of,
    open_cached,
    open_local_folder,
)
from helm.common.data.hub_tables import class_labels_of, read_rows, read_some_rows
from helm.common.errors import HelmError, suggest
from helm.common.hierarchical_logger import hlog

CONVERTED_BRANCH = "refs/convert/parquet"
"""The branch where the Hub keeps Parquet files of any dataset, including those with scripts."""


class HubDatasetError(HelmError):
    """A dataset of the Hub has no such split, or cannot be read without running its script."""


class _NotHere(HelmError):
    """The listing of files is itself missing, in a survey."""


@dataclass(frozen=True)
class HubSplit:
    """The rows of one split."""

    rows: list[dict[str, Any]]
    """The rows in the order of the files, as values by column name."""

    class_labels: dict[str, list[str]] = field(default_factory=dict)
    """The names of the numbers in columns of class labels."""

    commit: str = ""
    """The commit at which the dataset was read."""

    files: list[str] = field(default_factory=list)
    """The files that were read, by their names in the repository."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class _Repository:
    """The files of a dataset at one commit."""

    path: str
    revision: str
    """The revision that was requested."""
    commit: str
    files: list[str]
    sha256: dict[str, str]
    """The hashes of large files, as stated by the Hub."""
    license: str | None
    folder: str
    """The folder where the files are stored."""

    def local(self, name: str) -> str:
        """Return the local path of a file, which is downloaded if necessary."""
        target = os.path.join(self.folder, *name.split("/"))
        if offline_variable() and not os.path.exists(target):
            try:
                cached = open_cached(self.path, self.commit)
            except NotCachedError:
                cached = None
            if cached is not None and name in cached.files:
                return cached.local(name)
        url = file_url(self.path, self.commit, name)
        ensure_downloaded(url, target, sha256=self.sha256.get(name), license=self.license)
        return target

    def commit_of(self, names: Sequence[str]) -> str:
        return self.commit


_Files = _Repository | HubFolder


def load_hub_split(
    path: str,
    split: str,
    config: str | None = None,
    revision: str | None = None,
    data_files: DataFiles | None = None,
    data_dir: str | None = None,
    cache_dir: str | None = None,
    columns: Sequence[str] | None = None,
    select: Callable[[int], Sequence[int]] | None = None,
    spool: ContentSpool | None = None,
) -> HubSplit:
    """Return the rows of one split of a dataset.

    Args:
        path: `owner/name`, or the old form `name`; or a local folder, absolute or beginning with `./` or `../`.
        revision: a commit, tag or branch; None means `main`. The commit of a name is stored with the files and used again.
            Local folders have no revisions.
        data_files: patterns of file names, a list of them (all for `train`), or a mapping from splits to patterns.
        data_dir: only files in this folder are used, with splits by their names.
        cache_dir: the scenario's folder; None means `helm` in the user's cache folder.
        columns: the columns to read (Parquet); None means all.
        select: maps the number of rows to the positions of those to keep, in the desired order; None keeps all. The other
            rows are never in memory all at once (Parquet).
        spool: where contents of rows are kept meanwhile (Parquet); None leaves them in the rows.

    Raises:
        DownloadError, GatedDataError, OfflineError: Files cannot be downloaded.
        HubDatasetError: There is no such split, or only a script.
        ConfigError: A configuration or pattern matches nothing, or a folder does not exist.
        HubFolderError: Files of a local folder cannot be used.
    """
    root = os.path.join(cache_dir or default_cache_folder(), "hub", path.replace("/", "--"))
    survey = current_survey()
    try:
        repository, names, chosen = _find(path, split, config, revision, data_files, data_dir, root)
        local = [repository.local(name) for name in names]
    except _NotHere:
        return HubSplit([])
    if survey and any(map(survey.is_empty, local)):
        return HubSplit([], commit=repository.commit_of(names), files=names)
    labels = class_labels_of(local) or (dict(chosen.class_labels) if chosen else {})
    if select is None:
        rows = read_rows(local, labels, columns, spool)
        num_rows = len(rows)
    else:
        rows, num_rows = read_some_rows(local, labels, select, columns, spool)
    commit = repository.commit_of(names)
    used = UsedDataSet(path, split, config, repository.revision, commit, num_rows, repository.license)
    note_data_set(used)
    lock = current_session().lock
    if lock is not None and not is_local_folder(path):  # for a folder without commits, the lock file has each file
        part = "/".join(
            [config or "default", *([data_dir] if data_dir else []), *map(str, _as_list(data_files)), split]
        )
        lock.check_data_set(path, used.revision, used.commit, used.license, part, used.num_rows)
    return HubSplit(rows, labels, commit, names)


def _as_list(data_files: DataFiles | None) -> list[Any]:
    if data_files is None:
        return []
    return [data_files] if isinstance(data_files, (str, Mapping)) else list(data_files)


def list_hub_splits(
    path: str,
    config: str | None = None,
    revision: str | None = None,
    data_files: DataFiles | None = None,
    data_dir: str | None = None,
    cache_dir: str | None = None,
) -> list[str]:
    """Return the names of the splits of a dataset. Arguments and errors are those of `load_hub_split`."""
    root = os.path.join(cache_dir or default_cache_folder(), "hub", path.replace("/", "--"))
    try:
        return list(_find_splits(path, config, revision, data_files, data_dir, root)[1])
    except _NotHere:
        return []


def _find(
    path: str,
    split: str,
    config: str | None,
    revision: str | None,
    data_files: DataFiles | None,
    data_dir: str | None,
    root: str,
) -> tuple[_Files, list[str], Configuration | None]:
    """Return the repository and the files in it that contain the split."""
    repository, by_split, chosen = _find_splits(path, config, revision, data_files, data_dir, root)
    if split not in by_split:
        where = f" (configuration {config})" if config else ""
        raise HubDatasetError(
            f"The data set {path}{where} has no split '{split}', but {', '.join(by_split) or 'none that can be read'}."
            + suggest(split, list(by_split))
        )
    if isinstance(repository, HubFolder):
        repository.check_complete(by_split[split], [str(name) for name in _as_list(data_files)])
    return repository, by_split[split], chosen


def _find_splits(
    path: str,
    config: str | None,
    revision: str | None,
    data_files: DataFiles | None,
    data_dir: str | None,
    root: str,
) -> tuple[_Files, dict[str, list[str]], Configuration | None]:
    """Return the repository and the files of each of its splits."""
    is_local = is_local_folder(path)
    repository = open_local_folder(path, revision) if is_local else _resolve(path, revision or "main", root)
    if data_files is None and data_dir is None and not is_local and _has_script(repository):
        repository, by_split, chosen = _converted(path, config, root, repository)
    else:
        known = configurations(_front_matter(repository))
        if is_local and not (known or data_files or data_dir) and _has_script(repository):
            raise HubDatasetError(
                f"The data set {path} is made by a script, which is never run. Use data_files to say which files hold the rows."
            )
        chosen = None if data_files or data_dir else choose_configuration(known, config, f"The data set {path}")
        folder = data_dir
        if chosen is None and config is not None and not data_files and not data_dir:
            folder = config  # if the README does not define it, a configuration is a folder
            if not any(name.startswith(config + "/") for name in repository.files):
                raise HubDatasetError(
                    f"The data set {path} has no configuration '{config}' and no folder of that name."
                )
        by_split = find_data_files(repository.files, chosen, data_files, folder, source=f"The data set {path}")
    return repository, by_split, chosen


def default_cache_folder() -> str:
    """Return `$XDG_CACHE_HOME/helm`, by default `~/.cache/helm`."""
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "helm")


def _resolve(path: str, revision: str, root: str) -> _Files:
    """Return the files of a revision, listed once and then kept in `<root>/listing/`. A lock file fixes its commit."""
    session = current_session()
    asked = revision
    if session.lock is not None and not session.lock.update:
        asked = session.lock.commit(path, revision) or revision
    listing = os.path.join(root, "listing", f"{quote(asked, safe='')}.json")
    if session.renews(listing) and os.path.exists(listing):
        os.unlink(listing)
    url = f"{HUB}/api/datasets/{path}/revision/{quote(asked, safe='')}?blobs=true"
    why_not_cached = ""
    if offline_variable() and not os.path.exists(listing):
        try:
            return replace(open_cached(path, asked), revision=revision)
        except NotCachedError as e:
            why_not_cached = f" {e}"
    try:
        ensure_downloaded(url, listing, is_data=False)
    except OfflineError as e:
        hint = f" To read the folder of that name here, write ./{path}." if os.path.isdir(path) else ""
        raise OfflineError(f"{e}{why_not_cached}{hint}") from None
    survey = current_survey()
    if survey and survey.is_empty(listing):
        raise _NotHere(f"{url} is not here")
    path_kept = os.path.abspath(listing)
    note_companion(survey.real_path(path_kept) if survey else path_kept)
    with open(listing, encoding="utf-8") as file:
        try:
            content = json.load(file)
            commit, siblings = str(content["sha"]), content["siblings"]
            files = [str(sibling["rfilename"]) for sibling in siblings]
        except (ValueError, KeyError, TypeError) as e:
            os.unlink(listing)
            raise HubDatasetError(f"{url} did not answer with a list of files: {type(e).__name__} {e}.") from e
    if not re.fullmatch(r"[0-9A-Za-z]+", commit):
        raise HubDatasetError(f"{url} names the commit '{commit[:80]}', which is not a commit.")
    for name in files:
        if name.startswith("/") or ".." in name.split("/") or "\\" in name:
            raise HubDatasetError(f"{url} names the file '{name[:80]}', which would lie outside of its folder.")
    sha256 = {
        str(sibling["rfilename"]): str(sibling["lfs"]["sha256"])
        for sibling in siblings
        if isinstance(sibling.get("lfs"), dict) and sibling["lfs"].get("sha256")
    }
    license = license_of(content.get("cardData"))
    return _Repository(path, revision, commit, files, sha256, license, os.path.join(root, commit))


def _front_matter(repository: _Files) -> dict[str, Any]:
    if "README.md" not in repository.files:
        return {}
    readme = repository.local("README.md")
    survey = current_survey()
    if survey and survey.is_empty(readme):
        raise _NotHere(f"{readme} is not here")
    with open(readme, encoding="utf-8", errors="replace") as file:
        return read_front_matter(file.read(), f"The data set {repository.path}")


def _has_script(repository: _Files) -> bool:
    return f"{os.path.basename(os.path.normpath(repository.path))}.py" in repository.files


def _converted(
    path: str, config: str | None, root: str, original: _Files
) -> tuple[_Files, dict[str, list[str]], Configuration | None]:
    """Return the files of the converted branch, which are `<configuration>/<split>/0000.parquet` and so on."""
    try:
        repository = _resolve(path, CONVERTED_BRANCH, root)
    except DownloadError as e:
        if e.status != 404:
            raise
        raise HubDatasetError(
            f"The data set {path} at {original.commit} is made by a script, which is never run, and has no converted copy "
            f"({CONVERTED_BRANCH})."
        ) from e
    by_config: dict[str, dict[str, list[str]]] = {}
    for name in sorted(repository.files):
        parts = name.split("/")
        if len(parts) == 3 and name.endswith(".parquet"):
            split = parts[1].removeprefix("partial-")
            if split != parts[1]:
                hlog(f"{path}: {name} holds only a part of the split.")
            by_config.setdefault(parts[0], {}).setdefault(split, []).append(name)
    known = {name: Configuration(name) for name in by_config}
    chosen = choose_configuration(known, config, f"The data set {path} ({CONVERTED_BRANCH})")
    if chosen is None:
        raise HubDatasetError(f"The data set {path} has no Parquet files in {CONVERTED_BRANCH}.")
    hlog(f"{path} is made by a script; its converted copy at {repository.commit} is read instead.")
    return repository, by_config[chosen.name], None
