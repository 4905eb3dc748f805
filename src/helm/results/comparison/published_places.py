"""Where published runs are: folders on this machine, releases and suites, and the same at an address."""

import hashlib
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import quote, urlsplit

from helm.common.commands.output_path import check_folder_name, is_address
from helm.common.data.download_errors import DownloadError
from helm.common.data.downloads import ensure_downloaded
from helm.common.data.hub_datasets import default_cache_folder
from helm.common.errors import ConfigError
from helm.common.formats.json_reading import read_json
from helm.results.run_files.run_folder import (
    PER_INSTANCE_STATS_FILE_NAME,
    RUN_SPEC_FILE_NAME,
    STATS_FILE_NAME,
    find_runs,
    stored_names,
)
from helm.results.run_results import RunResults

MAX_FILE_BYTES = 1 << 30
SUITES_FILE_NAME = "runs_to_run_suites.json"
"""Maps the names of the runs of a release, or of a suite, to the suites that have them."""

_DEPLOYMENT = re.compile(r"(?<=[:,])model_deployment=[^,]*(,|$)")
_PLACE = re.compile(r"(?P<root>.+)/(?:releases|runs)/[^/]+/*")
_ABSENT = (403, 404)
"""What object stores answer for a file that is not there."""


def match_key(name: str) -> str:
    """Return the name of a run without the deployment of its model: another provider of the same model is the same run."""
    return _DEPLOYMENT.sub("", name.replace("/", "_")).rstrip(",:")


def find_published(place: str, names: Iterable[str] = ()) -> dict[str, RunResults]:
    """Return published runs by `match_key`.

    Files of more than 1 GiB are refused. Links that lead out of a folder are not followed, nor are names of runs and suites
    that are no names of folders.

    Args:
        place: a suite, `runs/`, a release, or an output folder; or the address of a release (`https://.../releases/V`) or of a
            suite (`https://.../runs/SUITE`). What an address gives is kept in the cache folder.
        names: the runs that are wanted. Of an address, only these are fetched.

    Raises:
        ConfigError: There are no runs.
        DownloadError: They cannot be fetched.
    """
    if is_address(place):
        runs = _at_address(place, {match_key(name) for name in names})
    elif not os.path.isdir(place):
        raise ConfigError(f"--published: there is no folder {place}.")
    elif (root := _release_root(place)) is not None:
        runs = _of_release(place, root)
    else:
        runs = [RunResults(folder.path) for folder in find_runs(place, outside=[], depth=5)]
    return _by_key(runs, place)


def _by_key(runs: Iterable[RunResults], place: str) -> dict[str, RunResults]:
    found: dict[str, RunResults] = {}
    for run in runs:
        for name in run.file_names:
            if os.path.getsize(run.file_path(name)) > MAX_FILE_BYTES:
                raise ConfigError(f"--published: {run.file_path(name)} has more than {MAX_FILE_BYTES} bytes.")
        if RUN_SPEC_FILE_NAME in run.file_names and STATS_FILE_NAME in run.file_names:
            other = found.setdefault(match_key(run.name), run)
            if other is not run:
                raise ConfigError(
                    f"--published: {other.path} and {run.path} are the same run; name the folder of one suite, or a release."
                )
    if not found:
        raise ConfigError(f"--published: there are no runs in {place}.")
    return found


def _release_root(place: str) -> str | None:
    """Return the folder with `runs/` if this folder is a release, which has no runs of its own; else None."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(place)))
    is_release = (
        os.path.isfile(os.path.join(place, SUITES_FILE_NAME))
        and os.path.basename(os.path.dirname(os.path.abspath(place))) == "releases"
    )
    return root if is_release else None


def _of_release(place: str, root: str) -> list[RunResults]:
    suites = _read_suites(os.path.join(place, SUITES_FILE_NAME))
    paths = (os.path.join(root, "runs", suite, name) for name, suite in suites.items())
    return [RunResults(path) for path in paths if os.path.isdir(path) and not os.path.islink(path)]


def _at_address(place: str, wanted: set[str]) -> list[RunResults]:
    match = _PLACE.fullmatch(place)
    if urlsplit(place).scheme not in ("http", "https") or match is None:
        raise ConfigError(
            f"--published: {place} is no address of published runs; expected https://.../releases/VERSION or "
            "https://.../runs/SUITE."
        )
    root = match["root"]
    cache = os.path.join(default_cache_folder(), "published", hashlib.sha256(place.encode()).hexdigest()[:32])
    listing = os.path.join(cache, SUITES_FILE_NAME)
    _fetch(f"{place.rstrip('/')}/{SUITES_FILE_NAME}", listing)
    try:
        suites = _read_suites(listing)
    except ConfigError:
        os.unlink(listing)  # it is fetched again the next time
        raise
    runs = []
    for name, suite in suites.items():
        if match_key(name) not in wanted:
            continue
        folder, address = (
            os.path.join(cache, suite, name),
            f"{root}/runs/{quote(suite, safe='')}/{quote(name, safe='')}",
        )
        for file_name in (RUN_SPEC_FILE_NAME, STATS_FILE_NAME):
            _fetch(f"{address}/{file_name}", os.path.join(folder, file_name))
        for file_name in stored_names(PER_INSTANCE_STATS_FILE_NAME):
            try:
                _fetch(f"{address}/{file_name}", os.path.join(folder, file_name))
                break
            except DownloadError as e:
                if e.status not in _ABSENT:
                    raise
        runs.append(RunResults(folder))
    return runs


def _fetch(url: str, path: str) -> None:
    ensure_downloaded(url, path, is_data=False, max_bytes=MAX_FILE_BYTES)


def _read_suites(path: str) -> dict[str, str]:
    """Return the suite of each run of a release. Raises: ConfigError for another file."""
    if os.path.getsize(path) > MAX_FILE_BYTES:
        raise ConfigError(f"--published: {path} has more than {MAX_FILE_BYTES} bytes.")
    with open(path, "rb") as file:
        try:
            suites = read_json(file.read())
        except ValueError as e:
            raise ConfigError(f"--published: {path} is no JSON: {e}.") from e
    if not isinstance(suites, dict) or not all(isinstance(suite, str) for suite in suites.values()):
        raise ConfigError(f"--published: {path} does not map names of runs to their suites.")
    found = {}
    for name, suite in suites.items():
        with suppress(ConfigError):  # no run that we could have has such a name
            check_folder_name(name, "The name of a run")
            check_folder_name(suite, "The name of a suite")
            found[name] = suite
    return found
