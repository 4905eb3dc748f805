"""Packs pages of a static site into compressed files that a page can load with `<script>`, also from a disk.

A page that was opened from a disk may not fetch other files, but it may load scripts. So a shard is a script with one call,
`helmShard("KEY", "BASE64")`, of a raw deflate stream that contains one JSON object: page -> [title, markup].

Pages of a kind have most of their markup in common. `helmShard("KEY", "BASE64", "start")` has a stream that goes on after that of
the shard `start`, a file of its own: a reader decompresses both as one, and drops what is before the null character. So all
shards refer to text that the site has once, in a form that any inflater reads, also one without preset dictionaries (browsers).
"""

import base64
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence

from helm.common.files import write_text_atomically

DEFAULT_EXPORT_MB = 100
"""The size up to which an export adds pages of instances, in megabytes."""

_MEASURED_EVERY = 4
"""Pages between two measurements: measuring flushes a copy of the compressor, which takes longer than compressing a page."""

_CALL = re.compile(r'helmShard\("([^"]*)", "([^"]*)"(?:, "([^"]*)")?\);\n')

START = "start"
"""The key of the text that shards have in common, and the name of its file."""

# How far back a deflate stream can refer.
_WINDOW_BYTES = 32_768


def find_common_text(samples: Sequence[Iterable[object]]) -> bytes:
    """Return the lines that several samples have in common, those of most samples last, where they can be referred to longest.

    Args:
        samples: the pages of one shard each, in the form in which they are added to it.
    """
    counts: Counter[str] = Counter()
    for pages in samples:
        counts.update(list(dict.fromkeys(line for page in pages for line in _encode(page).split("\\n"))))
    common = sorted((line for line, count in counts.items() if count > 1), key=lambda line: counts[line])
    return "\\n".join(common).encode()[1 - _WINDOW_BYTES :] + b"\0"


def write_start(path: str, text: bytes) -> int:
    """Write what `find_common_text` has found. Returns the size of the file in bytes."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    # Flushed like this, a stream ends at a byte, and another one can go on from there.
    return _write_call(path, START, compressor.compress(text) + compressor.flush(zlib.Z_SYNC_FLUSH))


def _write_call(path: str, key: str, stream: bytes, start: str = "") -> int:
    text = f'helmShard("{key}", "{base64.b64encode(stream).decode()}"{start});\n'
    write_text_atomically(path, text)
    return len(text)


def _encode(content: object) -> str:
    return json.dumps(content, separators=(",", ":"))


class Shard:
    """A shard that is being filled.

    Args:
        key: its name, made of harmless characters.
        start: the text of the shard `start`, if it is to go on from there.
    """

    def __init__(self, key: str, start: bytes = b""):
        self.key = key
        self._start = f', "{START}"' if start else ""
        self._compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=start)
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
        self._feed(f"{start}{json.dumps(name)}:{_encode(content)}".encode())

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
        return _write_call(path, self.key, b"".join(self._parts), self._start)


def write_shard(path: str, key: str, content: Iterable[tuple[str, object]]) -> int:
    """Write a shard at once. Returns its size in bytes."""
    shard = Shard(key)
    for name, value in content:
        shard.add(name, value)
    return shard.write(path)


def read_shard(path: str) -> dict[str, object]:
    """Return what a shard of a run, a board or the search contains. Raises: ValueError for a file that is none."""
    stream, start = _read_call(path)
    if start:
        stream = _read_call(os.path.join(os.path.dirname(path), os.pardir, f"{start}.js"))[0] + stream
    content = json.loads(zlib.decompress(stream, -15).rpartition(b"\0")[2])
    if not isinstance(content, dict):
        raise ValueError(f"{path}: expected an object.")
    return content


def _read_call(path: str) -> tuple[bytes, str]:
    with open(path, encoding="ascii") as file:
        found = _CALL.fullmatch(file.read())
    if found is None:
        raise ValueError(f"{path} is no shard of a static site.")
    return base64.b64decode(found[2]), found[3] or ""
