"""Repeated scans of very many runs find the same as a first one, and look at the files of few."""

import os
import time
from pathlib import Path

import pytest

from helm.results.index.index_scan import Scanner, scan_runs


def add_run(path: Path, text: str = "{}") -> Path:
    path.mkdir(parents=True)
    for name in ("run_spec.json", "stats.json"):
        (path / name).write_text(text)
    return path


def rest() -> None:
    """Wait until the clock of the file system tells changes apart."""
    time.sleep(0.12)


@pytest.fixture
def runs(tmp_path):
    for suite in ("a", "b/nested"):
        for number in range(4):
            add_run(tmp_path / "runs" / suite / f"run{number}")
    rest()
    return tmp_path / "runs"


@pytest.fixture
def scanner(runs):
    found = Scanner(str(runs), few_runs=2)
    assert len(found.scan().signatures) == 8 and found.is_large
    return found


def test_nothing_new(runs, scanner):
    scan = scanner.scan()
    assert scan.changed == set() and scan.signatures == scan_runs(str(runs)).signatures
    assert not scanner.has_new_runs()


@pytest.mark.parametrize("scan_of", ["scan", "scan_new_runs"])
def test_new_and_removed_runs_and_suites(runs, scanner, scan_of):
    add_run(runs / "a/new")
    add_run(runs / "c/first")
    for path in (runs / "b/nested/run1").iterdir():
        path.unlink()
    (runs / "b/nested/run1").rmdir()
    assert scanner.has_new_runs()
    scan = getattr(scanner, scan_of)()
    assert scan.changed == {"a/new", "c/first", "b/nested/run1"}
    assert scan.signatures == scan_runs(str(runs)).signatures
    rest()
    scanner.scan()
    assert not scanner.has_new_runs()
    add_run(runs / "c/second")
    assert scanner.scan_new_runs().changed == {"c/second"}


def test_a_removed_suite(runs, scanner):
    (runs / "b").rename(runs.parent / "b")
    scan = scanner.scan()
    assert set(scan.signatures) == {f"a/run{n}" for n in range(4)} and len(scan.changed) == 4
    rest()
    scanner.scan()
    assert not scanner.has_new_runs()


def test_a_file_that_is_replaced_is_noticed_at_once(runs, scanner):
    (runs / "a/.new").write_text("[1]")
    os.replace(runs / "a/.new", runs / "a/run3/stats.json")
    assert scanner.scan().changed == {"a/run3"}
    rest()
    scanner.scan()
    assert scanner.scan().changed == set()


def test_a_file_that_is_overwritten_is_noticed_in_turn(runs, scanner):
    (runs / "b/nested/run3/stats.json").write_text("[1]")
    found = [scanner.scan().changed for _ in range(5)]
    assert {"b/nested/run3"} in found and sum(map(len, found)) == 1


def test_a_run_that_was_only_begun_appears_with_its_first_file(runs, scanner):
    begun = runs / "a/begun"
    begun.mkdir()
    (begun / "requests.journal").write_text("")
    assert scanner.scan().changed == set()
    rest()
    scanner.scan()
    (begun / "stats.json").write_text("[]")
    assert scanner.scan().changed == {"a/begun"}


def test_one_suite_alone(runs):
    scanner = Scanner(str(runs), "b/nested", few_runs=2)
    assert set(scanner.scan().signatures) == {f"b/nested/run{n}" for n in range(4)}
    add_run(runs / "a/new")
    add_run(runs / "b/nested/new")
    assert scanner.scan_new_runs().changed == {"b/nested/new"}
    assert scanner.scan().signatures == scan_runs(str(runs), "b/nested").signatures


def test_links_out_of_the_folder_are_not_followed(runs, scanner, tmp_path):
    add_run(tmp_path / "elsewhere/run")
    (runs / "a/link").symlink_to(tmp_path / "elsewhere/run")
    scan = scanner.scan()
    assert scan.changed == set() and scan.outside == ["a/link"]
    rest()
    assert scanner.scan().outside == ["a/link"]
