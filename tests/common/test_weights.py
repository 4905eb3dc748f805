"""Weights of networks: their digests are checked, and recorded where their publisher states none."""

from pathlib import Path

import pytest

from helm.common.errors import MetricError
from helm.common.networks import weights


@pytest.fixture
def row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict:
    monkeypatch.setenv(weights.MODELS_FOLDER_VARIABLE, str(tmp_path / "models"))
    source = tmp_path / "net.pth"
    source.write_bytes(b"weights")
    row = {"url": f"file://{source}", "sha256": None, "use": "a test"}
    monkeypatch.setattr(weights, "get_rows", lambda: {"net": row})
    return row


def test_the_first_digest_is_recorded_and_a_changed_file_is_refused(row: dict) -> None:
    path = Path(weights.fetch("net"))
    assert weights.fetch("net") == str(path) and path.read_bytes() == b"weights"
    path.write_bytes(b"other weights")
    with pytest.raises(
        MetricError, match=r"net\.pth: the SHA-256 digest of the weights 'net' begins with .*Remove the file"
    ):
        weights.fetch("net")


def test_another_file_than_the_published_one_is_refused(row: dict) -> None:
    row["sha256"] = "0123abcd"
    with pytest.raises(MetricError, match="expected 0123abcd"):
        weights.fetch("net")
    with pytest.raises(MetricError, match="no row 'nett'.*'net'"):
        weights.get_row("nett")
