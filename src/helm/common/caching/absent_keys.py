"""What a cache file was found not to have, so that a process which alone writes the file need not look again."""

from collections.abc import Collection

# One bit for each of 16 million hashes: 2 MiB, in which a million keys leave 94% of all others known to be absent.
_BITS = 1 << 24

FIND_INTERVAL = """
SELECT (SELECT max(rowid) FROM "unnamed"),
       (SELECT CAST(key AS BLOB) FROM "unnamed" WHERE key < ?1 ORDER BY key DESC LIMIT 1),
       (SELECT CAST(key AS BLOB) FROM "unnamed" WHERE key > ?1 ORDER BY key LIMIT 1)
"""
"""Finds what `AbsentKeys` is made of, in one look at the file."""
FIND_LAST_ROW = 'SELECT max(rowid) FROM "unnamed"'


class AbsentKeys:
    """Knows an interval of keys that a file did not have, and which of them this process has written since.

    Each row that is written gets the next number, so the number of the last row tells whether somebody else wrote.

    Args:
        last_row: the number of the last row of the file; None if it is empty.
        smaller, larger: the keys in the file between which there are no others; None where there is none.
    """

    def __init__(self, last_row: int | None, smaller: bytes | None, larger: bytes | None):
        # Keys are ASCII. Bytes that are no text compare with them like characters beyond ASCII.
        self._smaller = "" if smaller is None else smaller.decode("utf-8", "surrogateescape")
        self._larger = None if larger is None else larger.decode("utf-8", "surrogateescape")
        self._last_row = last_row or 0
        self._written: bytearray | None = None
        self.is_sure = False
        """Whether nobody else can have written since. While this is false, `has` says nothing."""

    def covers(self, key: str) -> bool:
        """Return whether a key is in the interval."""
        return key > self._smaller and (self._larger is None or key < self._larger)

    def has(self, key: str) -> bool:
        """Return whether a key is certainly not in the file."""
        if not self.is_sure or not self.covers(key):
            return False
        bit = hash(key) % _BITS
        return self._written is None or not self._written[bit >> 3] >> (bit & 7) & 1

    def note(self, keys: Collection[str]) -> None:
        """Note keys of which a row each is going to be written."""
        if self._written is None:
            self._written = bytearray(_BITS // 8)
        written = self._written
        for key in keys:
            bit = hash(key) % _BITS
            written[bit >> 3] |= 1 << (bit & 7)
        self._last_row += len(keys)

    def agrees(self, last_row: int | None) -> bool:
        """Return whether the file's last row is the last one that was noted, so that all others are as they were."""
        return last_row == self._last_row
