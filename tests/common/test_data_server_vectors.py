"""All data of the scenario vectors, fetched by the loaders' own functions from the server that stands in for the web."""

import pytest

from data_server import content_bytes, owner_of
from helm.common.data.hub_datasets import load_hub_split
from helm.common.general import ensure_file_downloaded
from scenario_support import FIXTURE_FILES, case_environment
from vectors_support import vector_cases

CASES = [case for file in FIXTURE_FILES for case in vector_cases(file)]


def kind_of(download):
    return {"unzip": "unzip", "untar": "untar"}.get(download.get("unpack"))


@pytest.mark.parametrize("case", [c for c in CASES if c["downloads"]], ids=lambda case: case["id"])
def test_vector_downloads(case, tmp_path, monkeypatch):
    targets = [download["to"].rstrip("/") for download in case["downloads"]]
    with case_environment(case, tmp_path, monkeypatch):
        folder = tmp_path / "folder"
        for download in case["downloads"]:
            ensure_file_downloaded(
                download["url"],
                str(folder / download["to"]),
                bool(download.get("unpack")),
                unpack_type=kind_of(download),
            )
        for name, content in case["files"].items():
            path = folder / name
            if owner_of(name, targets) is None or "/unzipped_" in name or content == "":
                continue  # the user's own; made of another file by the loader
            assert path.read_bytes() == content_bytes(content), name


@pytest.mark.parametrize("case", [c for c in CASES if c.get("hf")], ids=lambda case: case["id"])
def test_vector_data_sets(case, tmp_path, monkeypatch):
    with case_environment(case, tmp_path, monkeypatch):
        for call in case["hf_calls"]:
            names = ("path", "config", "data_files", "data_dir")
            entry = next(e for e in case["hf"] if all(e.get(name) == call.get(name) for name in names))
            for split in [call["split"]] if "split" in call else list(entry["splits"]):
                arguments = {name: call.get(name) for name in (*names, "revision")}
                found = load_hub_split(split=split, cache_dir=str(tmp_path / "data"), **arguments)
                assert found.rows == entry["splits"][split]
                assert found.class_labels == entry.get("class_labels", {})
