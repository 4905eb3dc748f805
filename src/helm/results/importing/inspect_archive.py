"""Reads `.eval` files of inspect_ai: ZIP archives of JSON values, which are not trusted and never unpacked to disk."""

import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from helm.common.data.archives import UnpackError, check_unpacked_size
from helm.common.optional_dependencies import needs_extra
from helm.results.importing.imported_run import LogError
from helm.results.importing.json_lines import MAX_VALUE_BYTES

_ZSTANDARD = 93
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_ENCRYPTED = 0x1
_MAX_ENTRIES = 5_000_000


class EvalArchive:
    """The entries of an `.eval` file by name. Create it with `open_archive`."""

    def __init__(self, path: str, archive: zipfile.ZipFile):
        self._path, self._archive = path, archive
        entries = archive.infolist()
        if len(entries) > _MAX_ENTRIES:
            raise LogError(f"{path}: {len(entries):,} entries; at most {_MAX_ENTRIES:,} are read.")
        try:
            check_unpacked_size(path, sum(entry.file_size for entry in entries))
        except (ValueError, UnpackError) as e:
            raise LogError(f"{path}: {e}.") from e
        self._entries = {entry.filename: entry for entry in entries}
        """A repeated entry replaces the earlier one, as in the program that writes these files."""

    @property
    def names(self) -> list[str]:
        return list(self._entries)

    def read(self, name: str) -> bytes | None:
        """Return the content of an entry; None if there is none of this name.

        Raises LogError if it is damaged, encrypted, compressed in an unknown way, or larger than it says.
        """
        entry = self._entries.get(name)
        if entry is None:
            return None
        where = f"{self._path}: {name}"
        if entry.file_size > MAX_VALUE_BYTES:
            raise LogError(f"{where}: {entry.file_size:,} bytes in one value; at most {MAX_VALUE_BYTES:,} are read.")
        if entry.flag_bits & _ENCRYPTED:
            raise LogError(f"{where}: the entry is encrypted.")
        try:
            if entry.compress_type == _ZSTANDARD and sys.version_info < (3, 14):
                return self._read_zstandard(entry)
            with self._archive.open(entry) as file:
                data = file.read(entry.file_size + 1)
        except LogError:
            raise
        except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, zlib.error, ValueError) as e:
            raise LogError(f"{where}: cannot be unpacked: {e}.") from e
        return self._checked(data, entry)

    def _read_zstandard(self, entry: zipfile.ZipInfo) -> bytes:
        with needs_extra("data"):
            import zstandard
        with open(self._path, "rb") as file:
            file.seek(entry.header_offset)
            header = file.read(_LOCAL_HEADER.size)
            if len(header) < _LOCAL_HEADER.size:
                raise ValueError("the archive is cut off")
            magic, name_size, extra_size = _LOCAL_HEADER.unpack(header)
            if magic != b"PK\x03\x04":
                raise ValueError("its header is damaged")
            file.seek(name_size + extra_size, 1)
            packed = file.read(entry.compress_size)
        try:
            reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(packed)
            return self._checked(reader.read(entry.file_size + 1), entry)
        except zstandard.ZstdError as e:
            raise ValueError(str(e)) from e

    def _checked(self, data: bytes, entry: zipfile.ZipInfo) -> bytes:
        if len(data) != entry.file_size:
            raise LogError(
                f"{self._path}: {entry.filename}: it has {'more' if len(data) > entry.file_size else 'fewer'} than the "
                f"{entry.file_size:,} bytes that the archive states."
            )
        if zlib.crc32(data) != entry.CRC:
            raise LogError(f"{self._path}: {entry.filename}: damaged: its checksum is wrong.")
        return data


@contextmanager
def open_archive(path: str) -> Iterator[EvalArchive]:
    """Open an `.eval` file. Raises LogError if it is no ZIP archive or would unpack to too much, OSError."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as e:
        raise LogError(f"{path}: not a ZIP archive, or cut off: {e}.") from e
    with archive:
        yield EvalArchive(path, archive)
