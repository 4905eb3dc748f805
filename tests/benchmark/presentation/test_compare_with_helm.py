"""Our summaries of our runs and of the original's equal the original's; needs PEER_PYTHON (`make compare`)."""

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks/compare_with_helm.py"


def load_script() -> ModuleType:
    import sys

    spec = importlib.util.spec_from_file_location("compare_with_helm", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = sys.modules["compare_with_helm"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.peer
@pytest.mark.slow
@pytest.mark.skipif("PEER_PYTHON" not in os.environ, reason="PEER_PYTHON names no environment with crfm-helm")
def test_no_file_differs_from_the_originals(tmp_path: Path) -> None:
    found = load_script().compare(os.environ["PEER_PYTHON"], tmp_path, num_instances=5)
    assert found and not {title: differences for title, differences in found.items() if differences}


def test_the_comparison_sees_what_differs(tmp_path: Path) -> None:
    script = load_script()
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder, value in ((ours, "0.5"), (theirs, "0.25")):
        (folder / "groups").mkdir(parents=True)
        (folder / "groups/a.json").write_text(f'[{{"value": {value}}}]')
        (folder / "same.json").write_text('{"a": 1.0}')
    (ours / "index.html").write_text("ours only")
    (ours / "more.json").write_text("1")
    (theirs / "b.tex").write_text("theirs only")
    assert list(script.compare_files(ours, theirs)) == [
        "groups/a.json $[0].value: 0.5 here, 0.25 there",
        "more.json: only here",
        "b.tex: only there",
    ]
    differences = list(script.find_differences({"a": [1, 2.0]}, {"b": 1, "a": [1.0, 2.0 + 1e-12, 3]}))
    assert len(differences) == 3 and "keys" in differences[0] and "2 items here, 3 there" in differences[1]
