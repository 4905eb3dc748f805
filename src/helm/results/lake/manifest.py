"""The contents of a lake: its format, its tables, and which runs are in which files.

A lake is a folder, here or in an object store:

    lake.json                           the manifest
    runs/suite=SUITE/PART.parquet       the same parts for each of the four tables
    scores/... instances/... responses/...

A part holds whole runs of one suite, in the order of the manifest, and never changes: an update writes new parts, then the
manifest, and removes the parts that it no longer names. So a reader of the manifest sees all of an update or nothing of it.
"""

import re
from urllib.parse import quote

import msgspec

from helm.common.errors import HelmError
from helm.results.rows import ROW_KINDS

MANIFEST_NAME = "lake.json"
FORMAT = "helm-lake"
VERSION = 1
"""Increased when a table, a column or its meaning changes; an update then writes all parts anew."""

TABLES = tuple(ROW_KINDS)

_PART_ID = re.compile(r"[0-9a-f]{16,64}")


class LakeError(HelmError):
    """A lake cannot be read or written; the message says where it is, what is wrong and what to do."""


class LakeRun(msgspec.Struct, frozen=True, array_like=True):
    """A run in a part."""

    folder: str
    """The name of its folder in the suite."""

    signature: str
    """Changes whenever a file of the run changes."""

    rows: tuple[int, ...]
    """The number of its rows in each of `TABLES`."""


class LakePart(msgspec.Struct, frozen=True):
    """Some runs of a suite, in one file for each table that has rows of them."""

    id: str

    suite: str

    runs: list[LakeRun]

    def num_rows(self, table: str) -> int:
        position = TABLES.index(table)
        return sum(run.rows[position] for run in self.runs)

    @property
    def size(self) -> int:
        """The number of rows in all tables."""
        return sum(sum(run.rows) for run in self.runs)

    def file_name(self, table: str) -> str:
        """The place of one of its files within the lake. `suite=` is the notation of Hive, which readers of Parquet know."""
        return f"{table}/suite={quote(self.suite, safe='')}/{self.id}.parquet"


def _describe_tables() -> dict[str, dict[str, str]]:
    return {name: dict(kind.columns) for name, kind in ROW_KINDS.items()}


class Manifest(msgspec.Struct):
    """Everything that is in a lake."""

    parts: list[LakePart] = []
    format: str = FORMAT
    version: int = VERSION
    tables: dict[str, dict[str, str]] = msgspec.field(default_factory=_describe_tables)
    """The types of the columns, for other programs."""

    def files(self, table: str) -> list[str]:
        """The files of a table, those without rows left out."""
        return [part.file_name(table) for part in self.parts if part.num_rows(table)]


class _Header(msgspec.Struct):
    format: str
    version: int


def read_version(content: bytes, address: str) -> int:
    """Return the version of a manifest, of whatever version. Raises LakeError if it is none."""
    try:
        header = msgspec.json.decode(content, type=_Header)
    except msgspec.DecodeError as e:
        raise LakeError(f"{address}: {MANIFEST_NAME} is not the manifest of a lake: {e}.") from e
    if header.format != FORMAT:
        raise LakeError(f"{address}: {MANIFEST_NAME} has the format '{header.format}'; expected '{FORMAT}'.")
    return header.version


def parse_manifest(content: bytes, address: str) -> Manifest:
    """Read a manifest of this version. Raises LakeError if it is damaged or of another version."""
    version = read_version(content, address)
    if version != VERSION:
        raise LakeError(
            f"{address} has version {version} of the tables, and this program reads version {VERSION}. "
            "helm-export --what all --format parquet writes it anew from the runs."
        )
    try:
        found = msgspec.json.decode(content, type=Manifest)
    except msgspec.DecodeError as e:
        raise LakeError(f"{address}: {MANIFEST_NAME} is damaged: {e}.") from e
    for part in found.parts:
        if not _PART_ID.fullmatch(part.id):
            raise LakeError(f"{address}: {MANIFEST_NAME} names a part '{part.id}', which is no name of a part.")
        if any(len(run.rows) != len(TABLES) or min(run.rows) < 0 for run in part.runs):
            raise LakeError(f"{address}: {MANIFEST_NAME} counts the rows of part {part.id} wrongly.")
    return found


def format_manifest(manifest: Manifest) -> bytes:
    """Return the same bytes for the same contents."""
    manifest.parts.sort(key=lambda part: (part.suite, part.id))
    return msgspec.json.format(msgspec.json.encode(manifest, order="sorted"), indent=1) + b"\n"
