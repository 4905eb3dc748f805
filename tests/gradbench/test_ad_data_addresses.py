"""Problems of ADBench's format from an address, with its checksum."""

import hashlib
import zipfile

import pytest

from helm.common.errors import HelmError
from helm.gradbench.evals.ba import BaEval
from helm.gradbench.evals.data_files import local_data
from helm.gradbench.evals.lstm import LstmEval

PROBLEM = "2 3 4\n" + "\n".join([" ".join(["0.5"] * 11), "1 2 3", "0.4", "5 6", ""])


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "ba.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("ba/ba1_n2_m3_p4.txt", PROBLEM)
        file.writestr("ba/ba3_n2_m3_p4.txt", PROBLEM)
    return path


def address(path, checksum=None):
    return f"file://{path}#sha256={checksum or hashlib.sha256(path.read_bytes()).hexdigest()}"


def test_problems_are_those_of_the_archive(archive):
    eval_ = BaEval(data=address(archive), min=1, max=3)
    assert [evaluation.description for evaluation in eval_.evaluations()] == ["ba1_n2_m3_p4"] * 2 + ["ba3_n2_m3_p4"] * 2
    archive_address = address(archive)
    archive.unlink()
    assert local_data(archive_address).is_dir()  # it is fetched once


def test_other_bytes_and_a_missing_checksum_are_refused(archive):
    with pytest.raises(HelmError, match="sha256|SHA-256|checksum"):
        list(BaEval(data=address(archive, "0" * 64)).evaluations())
    with pytest.raises(HelmError, match="lacks its checksum"):
        local_data(f"file://{archive}")


def test_a_text_comes_from_an_address_too(archive):
    text = archive.with_name("text.txt")
    text.write_text("to be or not to be\n")
    evaluation = next(LstmEval(l=(1,), c=(8,), text=address(text)).evaluations())
    assert len(evaluation.input["sequence"]) == 8
