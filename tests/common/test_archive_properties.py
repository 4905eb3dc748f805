"""Archives with random damage: unpacked, or refused with the one error; never anything outside, never another error."""

import gzip
import os
import random
import sys

import pytest

from data_server import tar_bytes, zip_bytes, zstd_bytes
from helm.common.data.archives import UnpackError, move_into_place, open_compressed, unpack_kind, unpacked
from helm.common.errors import ConfigError
from helm.common.optional_dependencies import OptionalDependencyNotInstalled

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


def content(path):
    """What a file or folder holds: the bytes of each file by its name."""
    if path.is_file():
        return path.read_bytes()
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}


WHOLE = {**BODIES, "unzstd frames": zstd_bytes(FILES["d"][:300]) + zstd_bytes(FILES["d"][300:])}


@pytest.mark.parametrize("kind", WHOLE)
def test_whole_archives_become_what_was_packed(kind, tmp_path):
    (tmp_path / "raw").write_bytes(WHOLE[kind])
    result = unpacked(str(tmp_path / "raw"), kind.split()[0], str(tmp_path))
    assert content(tmp_path / result) == (FILES["d"] if kind.startswith(("ungz", "unzstd")) else FILES)


@pytest.mark.parametrize("source, target, unpack, kind", [
    ("https://example.org/a.zip?dl=1", "a", True, "unzip"), ("https://example.org/a.txt.gz?x=1#y", "a", False, "ungz"),
    ("part#1.tar.gz", "a", True, "untar"), ("what?.zst", "a", False, "unzstd"), ("part#1.gz", "a.gz", False, None),
    ("a.gz", "a", True, "ungz"), ("a.zip", "a", False, None),
])  # fmt: skip
def test_the_ending_is_that_of_an_addresss_path_or_of_a_file_whose_name_has_its_signs(source, target, unpack, kind):
    assert unpack_kind(source, target, unpack, None) == kind


@pytest.mark.parametrize("kind", ["unzip", "untar", "untar plain", "ungz", "unzstd"])
def test_exactly_as_much_as_is_allowed_is_unpacked(kind, tmp_path, monkeypatch):
    body = bytes(1 << 20)
    packed = {
        "unzip": zip_bytes({"a": body}),
        "untar": tar_bytes({"a": body}),
        "untar plain": tar_bytes({"a": body}, compressed=False),
        "ungz": gzip.compress(body),
        "unzstd": zstd_bytes(body),
    }[kind]
    (tmp_path / "raw").write_bytes(packed)
    monkeypatch.setenv("HELM_MAX_UNPACKED_MIB", "1")
    assert os.path.getsize(unpacked(str(tmp_path / "raw"), kind.split()[0], str(tmp_path))) == 1 << 20


def test_a_malformed_limit_is_the_users_mistake_and_not_the_archives(tmp_path, monkeypatch):
    (tmp_path / "raw").write_bytes(BODIES["unzip"])
    monkeypatch.setenv("HELM_MAX_UNPACKED_MIB", "many")
    with pytest.raises(ConfigError, match="HELM_MAX_UNPACKED_MIB takes a whole number of MiB"):
        unpacked(str(tmp_path / "raw"), "unzip", str(tmp_path))


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python has zstd of its own")
def test_a_missing_zstandard_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(OptionalDependencyNotInstalled, match=r"\[data\]"):
        open_compressed(str(tmp_path / "a.zst"), "zst")


def test_what_is_not_compressed_is_read_as_it_is(tmp_path):
    (tmp_path / "a").write_bytes(b"x\r\n")
    with open_compressed(str(tmp_path / "a"), "") as file:
        assert file.read() == b"x\r\n"


def test_a_file_that_took_its_place_can_be_read_by_all(tmp_path):
    (tmp_path / "result").write_bytes(b"x")
    (tmp_path / "result").chmod(0o600)
    move_into_place(str(tmp_path / "result"), str(tmp_path / "target"))
    assert (tmp_path / "target").stat().st_mode & 0o777 == 0o644
    assert not (tmp_path / "result").exists()


def test_the_folder_that_was_first_is_kept_and_the_later_one_removed(tmp_path):
    for name in ("first", "later"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    move_into_place(str(tmp_path / "later"), str(tmp_path / "first"))
    assert content(tmp_path / "first") == {"file": b"first"}
    assert not (tmp_path / "later").exists()


def test_a_place_that_cannot_be_written_is_an_error_and_the_result_stays(tmp_path):
    (tmp_path / "result").mkdir()
    with pytest.raises(FileNotFoundError):
        move_into_place(str(tmp_path / "result"), str(tmp_path / "missing" / "target"))
    assert (tmp_path / "result").is_dir()
