"""Packs pages of a static site into compressed files that a page can load with `<script>`, also from a disk.

A page that was opened from a disk may not fetch other files, but it may load scripts. So a shard is a script with one call,
`helmShard("KEY", "BASE64")`, of a raw deflate stream that contains one JSON object: page -> [title, markup].
"""

import base64
import json
import re
import zlib
from collections.abc import Iterable

from helm.common.files import write_text_atomically

DEFAULT_EXPORT_MB = 100
"""The size up to which an export adds pages of instances, in megabytes."""

_MEASURED_EVERY = 4
"""Pages between two measurements: measuring flushes a copy of the compressor, which takes longer than compressing a page."""

_CALL = re.compile(r'helmShard\("([^"]*)", "([^"]*)"\);\n')


class Shard:
    """A shard that is being filled.

    Args:
        key: its name, made of harmless characters.
    """

    def __init__(self, key: str):
        self.key = key
        self._compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
        self._parts: list[bytes] = []
        self._num_bytes = 0
        self._num_unmeasured = 0
        self._names: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def add(self, name: str, content: object) -> None:
        """Add a page, or any other JSON value; a name is added once."""
        if name in self._names:
            return
        start = "," if self._names else "{"
        self._names.add(name)
        self._feed(f"{start}{json.dumps(name)}:{json.dumps(content, separators=(',', ':'))}".encode())

    def _feed(self, data: bytes) -> None:
        self._parts.append(self._compressor.compress(data))
        self._num_unmeasured += 1

    def measure(self) -> int:
        """Return the size of the file that it would be, in bytes; a few pages may not be counted yet."""
        if self._num_unmeasured >= _MEASURED_EVERY or not self._num_bytes:
            done = b"".join(self._parts)
            self._parts = [done]
            self._num_bytes = len(done) + len(self._compressor.copy().flush())
            self._num_unmeasured = 0
        return self._num_bytes * 4 // 3

    def write(self, path: str) -> int:
        """Write the file. Returns its size in bytes."""
        self._feed(b"}" if self._names else b"{}")
        self._parts.append(self._compressor.flush())
        text = f'helmShard("{self.key}", "{base64.b64encode(b"".join(self._parts)).decode()}");\n'
        write_text_atomically(path, text)
        return len(text)


def write_shard(path: str, key: str, content: Iterable[tuple[str, object]]) -> int:
    """Write a shard at once. Returns its size in bytes."""
    shard = Shard(key)
    for name, value in content:
        shard.add(name, value)
    return shard.write(path)


def read_shard(path: str) -> dict[str, object]:
    """Return what a shard contains. Raises: ValueError for a file that is none."""
    with open(path, encoding="ascii") as file:
        found = _CALL.fullmatch(file.read())
    if found is None:
        raise ValueError(f"{path} is no shard of a static site.")
    content = json.loads(zlib.decompress(base64.b64decode(found[2]), -15))
    if not isinstance(content, dict):
        raise ValueError(f"{path}: expected an object.")
    return content
