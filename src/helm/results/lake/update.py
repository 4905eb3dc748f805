"""Brings a lake up to date: only runs whose files changed are read."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from helm.common.optional_dependencies import needs_extra
from helm.results.index.index_scan import signature_of
from helm.results.lake.manifest import (
    MANIFEST_NAME,
    TABLES,
    VERSION,
    LakePart,
    LakeRun,
    Manifest,
    format_manifest,
    parse_manifest,
    read_version,
)
from helm.results.lake.part_writer import PartiallyWritten, PartWriter, describe
from helm.results.lake.place import LakePlace, lake_place
from helm.results.rows import suite_of
from helm.results.run_files.run_folder import RunFolder
from helm.results.run_results import RunResults

_PART_ROWS = 4_000_000
"""Rows of all tables after which a part ends: a part is written anew when one of its runs changes."""

_PART_RUNS = 10_000

_SMALL_ROWS = _PART_ROWS // 8
_MAX_SMALL_PARTS = 8
"""A suite with this many parts of fewer rows than that has them joined, so that few new runs a day do not make many files."""


@dataclass
class LakeChange:
    """What an update did, as numbers of runs."""

    added: int = 0

    changed: int = 0

    removed: int = 0

    unchanged: int = 0

    problems: list[tuple[str, str]] = field(default_factory=list)
    """Runs that cannot be read, with the reason; the lake has only their row in `runs`."""

    def describe(self) -> str:
        """One line: `3 runs added, 1 changed, 0 removed, 12 as before`."""
        return f"{self.added} runs added, {self.changed} changed, {self.removed} removed, {self.unchanged} as before"


_Found = Mapping[str, tuple[RunResults, str]]
"""The runs of a suite as they are now, with their signatures, by folder."""


def update_lake(address: str, runs: Iterable[RunResults], whole_suites: Collection[str] | None = ()) -> LakeChange:
    """Write the runs that are new or changed to the lake, which is created if there is none.

    Args:
        address: a folder, or an fsspec URL.
        runs: the runs to have in it.
        whole_suites: suites of which `runs` has all runs, so that others of them are removed; None: all suites.

    Raises:
        LakeError: The manifest is damaged, or the store cannot be used.
        OptionalDependencyNotInstalled: The extra `export` is missing, or for a store `fsspec`.
    """
    with needs_extra("export"):
        import pyarrow.parquet  # noqa: F401
    place = lake_place(address)
    with place.locked():
        return _update(place, runs, whole_suites)


def _update(place: LakePlace, runs: Iterable[RunResults], whole_suites: Collection[str] | None) -> LakeChange:
    old, change = _read(place), LakeChange()
    found: dict[str, dict[str, tuple[RunResults, str]]] = defaultdict(dict)
    for run in runs:
        found[suite_of(run)][run.folder_name] = (run, signature_of(RunFolder(run.path, "", None)))
    parts: list[LakePart] = []
    by_suite: dict[str, list[LakePart]] = defaultdict(list)
    for part in old.parts:
        by_suite[part.suite].append(part)
    for suite in sorted(found.keys() | by_suite.keys()):
        is_whole = whole_suites is None or suite in whole_suites
        parts += _update_suite(place, suite, by_suite[suite], found[suite], is_whole, change)
    new = Manifest(parts)
    content = format_manifest(new)
    if content != format_manifest(old) or not _exists(place):
        with place.create(MANIFEST_NAME) as file:
            file.write(content)
    _remove_others(place, new)
    return change


def _exists(place: LakePlace) -> bool:
    try:
        place.read(MANIFEST_NAME)
    except FileNotFoundError:
        return False
    return True


def _read(place: LakePlace) -> Manifest:
    """Return the manifest; one without parts if there is none, or one of another version, whose parts are not used."""
    try:
        content = place.read(MANIFEST_NAME)
    except FileNotFoundError:
        return Manifest()
    return parse_manifest(content, place.address) if read_version(content, place.address) == VERSION else Manifest()


def _update_suite(
    place: LakePlace, suite: str, parts: Sequence[LakePart], found: _Found, is_whole: bool, change: LakeChange
) -> list[LakePart]:
    """Return the parts of a suite after an update."""
    fresh = dict(found)
    kept_parts: list[LakePart] = []
    stale: list[tuple[LakePart, list[int]]] = []
    for part in parts:
        kept = []
        for number, run in enumerate(part.runs):
            now = found.get(run.folder)
            if now is None and is_whole:
                change.removed += 1
            elif now is not None and now[1] != run.signature:
                change.changed += 1
            else:
                kept.append(number)
                fresh.pop(run.folder, None)
                change.unchanged += now is not None
        if len(kept) == len(part.runs):
            kept_parts.append(part)
        elif kept:
            stale.append((part, kept))
    change.added += len(fresh) - sum(run.folder in fresh for part in parts for run in part.runs)
    kept_parts += _write_fresh(place, suite, [fresh[name] for name in sorted(fresh)], change)
    small = [part for part in kept_parts if part.size < _SMALL_ROWS]
    if stale or len(small) >= _MAX_SMALL_PARTS:
        joined = small if len(small) >= _MAX_SMALL_PARTS else []
        sources = [*stale, *((part, list(range(len(part.runs)))) for part in joined)]
        kept_parts = [part for part in kept_parts if part not in joined]
        kept_parts += [_copy(place, suite, batch) for batch in _batches(sources)]
    return kept_parts


def _batches(sources: Sequence[tuple[LakePart, list[int]]]) -> Iterator[list[tuple[LakePart, list[int]]]]:
    """Yield parts to copy together, so that none becomes much larger than a part should be."""
    batch: list[tuple[LakePart, list[int]]] = []
    rows = runs = 0
    for source in sources:
        if batch and (rows >= _PART_ROWS or runs >= _PART_RUNS):
            yield batch
            batch, rows, runs = [], 0, 0
        batch.append(source)
        rows += sum(sum(source[0].runs[number].rows) for number in source[1])
        runs += len(source[1])
    if batch:
        yield batch


def _part_id(suite: str, runs: Iterable[tuple[str, str]]) -> str:
    return hashlib.sha256(repr((VERSION, suite, list(runs))).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _write_fresh(
    place: LakePlace, suite: str, runs: Sequence[tuple[RunResults, str]], change: LakeChange
) -> Iterator[LakePart]:
    """Write parts with these runs."""
    rest = list(runs)
    broken: dict[str, str] = {}
    while rest:
        part = LakePart(_part_id(suite, [(run.folder_name, signature) for run, signature in rest]), suite, [])
        done: list[LakeRun] = []
        problems: list[tuple[str, str]] = []
        rows = 0
        try:
            with PartWriter(place, part) as writer:
                for run, signature in rest:
                    entry, problem = writer.add_run(run, signature, broken.get(run.folder_name))
                    done.append(entry)
                    rows += sum(entry.rows)
                    if problem is not None:
                        problems.append((run.folder_name, problem))
                    if rows >= _PART_ROWS or len(done) >= _PART_RUNS:
                        break
        except PartiallyWritten as e:
            broken[e.folder] = describe(e.cause)
            continue
        change.problems += problems
        rest = rest[len(done) :]
        yield LakePart(part.id, suite, done)


def _copy(place: LakePlace, suite: str, sources: Sequence[tuple[LakePart, list[int]]]) -> LakePart:
    """Write a part with runs of others, given by their numbers in those."""
    from pyarrow import parquet

    runs = [part.runs[number] for part, numbers in sources for number in numbers]
    new = LakePart(_part_id(suite, [(run.folder, run.signature) for run in runs]), suite, runs)
    with PartWriter(place, new) as writer:
        for position, table in enumerate(TABLES):
            target = writer.tables[table]
            for part, numbers in sources:
                if not part.num_rows(table):
                    continue
                wanted = _ranges(part, position, set(numbers))
                with place.open(part.file_name(table)) as file:
                    start = 0
                    for batch in parquet.ParquetFile(file).iter_batches(batch_size=1 << 16):
                        for first, last in wanted:
                            low, high = max(first - start, 0), min(last - start, batch.num_rows)
                            if low < high:
                                if first >= start:
                                    target.begin_run()
                                target.add_batch(batch.slice(low, high - low))
                        start += batch.num_rows
    return new


def _ranges(part: LakePart, position: int, wanted: set[int]) -> list[tuple[int, int]]:
    """Return where the rows of the wanted runs are in the file of a table."""
    ranges, start = [], 0
    for number, run in enumerate(part.runs):
        end = start + run.rows[position]
        if number in wanted and end > start:
            ranges.append((start, end))
        start = end
    return ranges


def _remove_others(place: LakePlace, manifest: Manifest) -> None:
    """Remove the files of parts that the manifest does not name, and what killed updates left."""
    for table in TABLES:
        named = set(manifest.files(table))
        place.remove_leftovers(table)
        for name in place.list(table):
            if name not in named and name.endswith(".parquet"):
                place.remove(name)
