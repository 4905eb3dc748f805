"""Manages the data of scenarios apart from runs: finds what is present or missing, downloads, packs and unpacks them."""

import gzip
import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import (
    Any,
    BinaryIO,
    TypeVar,
    cast,
)

from helm.benchmark.declarative.recipe import placeholders_for_fetched_texts
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import Instance, create_scenario, get_scenario_cache_path
from helm.common.data.data_lock import DataLock, render_lock
from helm.common.data.data_session import (
    BlockedFetch,
    SourceLog,
    current_session,
    forbid_fetching,
    log_sources,
    survey_sources,
)
from helm.common.data.data_stamps import STAMP_ENDING, read_stamp, read_stamp_file, stamp_path
from helm.common.data.downloads import OfflineError, sha256_of
from helm.common.errors import ConfigError, HelmError

T = TypeVar("T")

MANIFEST_NAME = "helm-data-bundle.json"
_LOCK_NAME = "helm-data.lock"
_DATA = "data/"
_VERSION = 1


@dataclass(frozen=True)
class ScenarioData:
    """The data of one scenario on this machine."""

    name: str
    """The run entry, without its model arguments."""

    sources: SourceLog
    """What it uses that is present."""

    missing: list[BlockedFetch] = field(default_factory=list)

    error: Exception | None = None
    """Why it cannot be loaded, although nothing is missing."""

    num_instances: dict[str, int] = field(default_factory=dict)
    """Maps split to number of instances; empty if it could not be loaded."""

    @property
    def is_ready(self) -> bool:
        return not self.missing and self.error is None


def make_offline(make: Callable[[], T]) -> tuple[T | None, list[BlockedFetch]]:
    """Return the result of a recipe with downloads disabled, and what it would download.

    Missing texts are replaced by their names; the result is None if the recipe cannot do without them.
    """
    session = current_session()
    number = len(session.blocked)
    with forbid_fetching():
        try:
            return make(), []
        except OfflineError:
            missing = session.blocked[number:]
        try:
            with placeholders_for_fetched_texts():
                return make(), missing
        except OfflineError:
            return None, missing


def survey_scenario(name: str, run_spec: RunSpec, output_path: str) -> ScenarioData:
    """Return what a scenario would use, and what of that is missing. Downloads nothing, and leaves its folder unchanged."""
    with log_sources() as sources:
        try:
            scenario = create_scenario(run_spec.scenario_spec)
        except Exception as e:
            return ScenarioData(name, sources, error=e)
        folder = os.path.join(output_path, "scenarios", scenario.name)
        survey, instances, error = survey_sources(scenario.get_instances, folder)
    if survey.missing:
        return ScenarioData(name, sources, survey.missing)
    return ScenarioData(name, sources, error=error, num_instances=_count(instances or []))


def fetch_scenario(name: str, run_spec: RunSpec, output_path: str) -> ScenarioData:
    """Download what a scenario needs by loading it. Raises: whatever its loader raises."""
    with log_sources() as sources:
        scenario = create_scenario(run_spec.scenario_spec)
        instances = scenario.get_instances(get_scenario_cache_path(output_path, scenario.name))
    return ScenarioData(name, sources, num_instances=_count(instances))


def _count(instances: Sequence[Instance]) -> dict[str, int]:
    return dict(sorted(Counter(str(instance.split) for instance in instances).items()))


# ---- Bundles


class BundleError(HelmError):
    """A data bundle is damaged, or contradicts the local data."""


def export_data(scenarios: Sequence[ScenarioData], output_path: str, bundle_path: str, lock: DataLock) -> list[str]:
    """Pack all files that the scenarios use, and their part of the lock file, into one tar file (`.gz`: compressed).

    Returns the paths that were left out because they are outside the output folder: data that users obtained
    themselves, and files of other programs. The same data yield the same bytes. Raises: BundleError if something is
    missing.
    """
    unready = [scenario.name for scenario in scenarios if not scenario.is_ready]
    if unready:
        raise BundleError(
            f"Some data are missing: {', '.join(unready)}. See helm-data check; get them with helm-data fetch."
        )
    log = SourceLog()
    for scenario in scenarios:
        log.add(scenario.sources)
    root = os.path.abspath(output_path)
    paths: list[str] = []
    outside: list[str] = []
    for path in dict.fromkeys([*(used.path for used in log.files.values()), *sorted(log.companions)]):
        (paths if os.path.abspath(path).startswith(root + os.sep) else outside).append(path)
    contents: dict[str, str | bytes] = {}  # name in the bundle -> path, or content
    for path in paths:
        contents.update({_member_name(file, root): file for file in _files_of(path)})
        stamp = read_stamp(path)
        if stamp is not None:
            contents[_member_name(stamp_path(path), root)] = stamp.render_without_times().encode()
    urls = [used.url for used in log.files.values()]
    pairs = [(used.name, used.revision) for used in log.data_sets.values()]
    manifest = {"version": _VERSION, "files": {name: _describe(content) for name, content in sorted(contents.items())}}
    temporary = f"{bundle_path}.tmp"
    try:
        with _open_for_writing(temporary, bundle_path.endswith((".gz", ".tgz"))) as stream:
            with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
                _add(archive, MANIFEST_NAME, (json.dumps(manifest, indent=2) + "\n").encode())
                _add(archive, _LOCK_NAME, render_lock(lock.part_for(urls, pairs)).encode())
                for name, content in sorted(contents.items()):
                    _add(archive, _DATA + name, content)
        os.replace(temporary, bundle_path)
    except OSError as e:
        raise BundleError(f"{bundle_path} cannot be written: {e.strerror}.") from e
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
    return outside


@contextmanager
def _open_for_writing(path: str, compressed: bool) -> Iterator[BinaryIO]:
    with open(path, "wb") as file:
        if not compressed:
            yield file
            return
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as stream:
            yield cast(BinaryIO, stream)


def _describe(content: str | bytes) -> dict[str, Any]:
    if isinstance(content, bytes):
        return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    return {"sha256": sha256_of(content), "bytes": os.path.getsize(content)}


def _files_of(path: str) -> Iterator[str]:
    """Return a file, or all files of a folder."""
    if os.path.isfile(path):
        yield path
        return
    for folder, _, names in os.walk(path):
        yield from (os.path.join(folder, name) for name in names if os.path.isfile(os.path.join(folder, name)))


def _member_name(path: str, root: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")


def _add(archive: tarfile.TarFile, name: str, content: str | bytes) -> None:
    """Add a file without times and owners, so that the same data yield the same bytes."""
    info = tarfile.TarInfo(name)
    if isinstance(content, bytes):
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
        return
    info.size = os.path.getsize(content)
    with open(content, "rb") as file:
        archive.addfile(info, file)


def import_data(bundle_path: str, output_path: str, lock: DataLock) -> tuple[int, int]:
    """Unpack a bundle into an output folder; returns how many files were written, and how many existed already.

    Every file must match the bundle's list, none may be missing, none may differ from an existing one, and the bundle's
    sources must not contradict `lock`, which receives them. Nothing is written before all checks pass.

    Raises: BundleError; DataChangedError.
    """
    os.makedirs(output_path, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".import.", dir=output_path) as work:
        manifest = _unpack_bundle(bundle_path, work)
        data = os.path.join(work, "data")
        moves: list[tuple[str, str]] = []
        for name in manifest:
            target = os.path.join(output_path, *name.split("/"))
            if not os.path.exists(target):
                moves.append((os.path.join(data, *name.split("/")), target))
            elif not name.endswith(".source.json") and sha256_of(target) != manifest[name]["sha256"]:
                raise BundleError(
                    f"{bundle_path} has another file than {target}. Nothing was imported; remove that one first."
                )
        locked = DataLock(os.path.join(work, _LOCK_NAME))
        _check_stamps(bundle_path, data, manifest, locked)
        lock.merge_from(locked)
        for source, target in moves:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.move(source, target)
    return len(moves), len(manifest) - len(moves)


def _check_stamps(bundle_path: str, data: str, manifest: Mapping[str, Any], locked: DataLock) -> None:
    """Check that the stamp next to a file agrees with the bundle's lock file, and with the file."""
    for name in manifest:
        stamp = read_stamp_file(os.path.join(data, *name.split("/"))) if name.endswith(STAMP_ENDING) else None
        if stamp is None:
            continue
        known = locked.file(stamp.url)
        target = name.removesuffix(STAMP_ENDING).replace("/.", "/").removeprefix(".")
        content = manifest.get(target, {}).get("sha256")
        if known is None or known.sha256 != stamp.sha256 or (stamp.content_sha256 or content) != content:
            raise BundleError(f"{bundle_path}: {target} does not match what its lock file says about {stamp.url}.")


def _unpack_bundle(bundle_path: str, work: str) -> dict[str, dict[str, Any]]:
    """Unpack into `work`, checking each file; returns the bundle's list."""
    try:
        with tarfile.open(bundle_path, "r:*") as archive:
            first = archive.next()
            if first is None or first.name != MANIFEST_NAME:
                raise BundleError(f"{bundle_path} is not a bundle of data: it does not begin with {MANIFEST_NAME}.")
            manifest = _manifest(archive, first, bundle_path)
            found = set()
            while (member := archive.next()) is not None:
                if member.name == _LOCK_NAME and member.isfile():
                    archive.extract(member, work, filter="data")
                    continue
                name = member.name.removeprefix(_DATA)
                if not (member.isfile() and member.name.startswith(_DATA) and name in manifest):
                    raise BundleError(f"{bundle_path} holds '{member.name}', which it does not list.")
                archive.extract(member, work, filter="data")
                path = os.path.join(work, "data", *name.split("/"))
                if sha256_of(path) != manifest[name]["sha256"]:
                    raise BundleError(f"{bundle_path}: {name} is damaged: its SHA-256 is not the one that is listed.")
                found.add(name)
    except (OSError, EOFError, tarfile.TarError) as e:
        raise BundleError(f"{bundle_path} cannot be read: {e}") from e
    missing = sorted(set(manifest) - found)
    if missing or not os.path.exists(os.path.join(work, _LOCK_NAME)):
        raise BundleError(f"{bundle_path} is not complete: {', '.join(missing[:3]) or _LOCK_NAME} is missing.")
    return manifest


def _manifest(archive: tarfile.TarFile, member: tarfile.TarInfo, bundle_path: str) -> dict[str, dict[str, Any]]:
    stream = archive.extractfile(member)
    try:
        content: Any = json.load(stream) if stream else None
        if content["version"] != _VERSION:
            raise ConfigError(
                f"{bundle_path} is a bundle of version {content['version']}; this version reads {_VERSION}."
            )
        files = content["files"]
        for name, entry in files.items():
            if not isinstance(entry["sha256"], str) or name.startswith("/") or ".." in name.split("/") or "\\" in name:
                raise ValueError(f"'{name}'")
        return dict(files)
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise BundleError(f"{bundle_path}: its list of files is damaged: {type(e).__name__} {e}") from e
