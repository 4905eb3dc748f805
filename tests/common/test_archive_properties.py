"""Archives with random damage: unpacked, or refused with the one error; never anything outside, never another error."""

import gzip
import random

import pytest

from data_server import tar_bytes, zip_bytes, zstd_bytes
from helm.common.data.archives import UnpackError, unpacked

FILES = {"folder/a.txt": b"some text\n" * 50, "folder/b/c.json": b'{"a": 1}', "d": bytes(range(256)) * 8}
BODIES = {
    "unzip": zip_bytes(FILES),
    "untar": tar_bytes(FILES),
    "untar plain": tar_bytes(FILES, compressed=False),
    "ungz": gzip.compress(FILES["d"], mtime=0),
    "unzstd": zstd_bytes(FILES["d"]),
}


def damaged(body, generator):
    """Some bytes changed, cut out, repeated, or the end cut off."""
    changed = bytearray(body)
    for _ in range(generator.randrange(1, 4)):
        start = generator.randrange(len(changed))
        length = generator.randrange(1, 20)
        way = generator.randrange(4)
        if way == 0:
            changed[start] = generator.randrange(256)
        elif way == 1:
            del changed[start : start + length]
        elif way == 2:
            changed[start:start] = changed[start : start + length]
        else:
            del changed[max(1, start) :]
    return bytes(changed)


@pytest.mark.parametrize("kind", BODIES)
def test_damaged_archives_are_refused_or_stay_inside(kind, tmp_path):
    generator = random.Random(0)
    outside = tmp_path / "outside"
    outside.mkdir()
    for number in range(150):
        work = outside / str(number)
        work.mkdir()
        raw = work / "raw"
        raw.write_bytes(damaged(BODIES[kind], generator))
        try:
            result = unpacked(str(raw), kind.split()[0], str(work))
        except UnpackError as e:
            assert str(e).startswith("could not be unpacked (")
        else:
            assert result.startswith(str(work))
    assert {path.name for path in outside.iterdir()} == {str(number) for number in range(150)}
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]
