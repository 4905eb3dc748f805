"""Whole suites and releases: every file that the original writes, with the same content."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark import model_metadata_registry as registry
from helm.benchmark.presentation.summarize import Summarizer
from vectors_support import vector_cases

CASES = vector_cases("helm-metrics/summarize_suite.json") + vector_cases("helm-metrics/summarize_release.json")


@pytest.fixture
def models_of_the_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The three registered models that the expected files show, in this order."""
    monkeypatch.setattr(registry, "ALL_MODELS_METADATA", [])
    monkeypatch.setattr(registry, "MODEL_NAME_TO_MODEL_METADATA", {})
    for name, creator, display_name, released, parameters in [
        ("simple/model1", "Helm", "Simple Model 1", date(2023, 1, 1), None),
        ("meta/llama-7b", "Meta", "LLaMA (7B)", date(2023, 2, 24), 7000000000),
        ("openai/gpt2", "OpenAI", "GPT-2 (1.5B)", date(2019, 2, 14), 1500000000),
    ]:
        registry.register_model_metadata(
            registry.ModelMetadata(name, creator, display_name, "prose", "open", released, num_parameters=parameters)
        )


def _write_runs(case: dict[str, Any]) -> None:
    for suite, runs in case["suites"].items():
        for name, files in runs.items():
            folder = Path("benchmark_output/runs") / suite / name
            folder.mkdir(parents=True)
            for file_name, content in files.items():
                (folder / file_name).write_text(json.dumps(content, indent=2))


def _normalized(path: str, content: Any) -> Any:
    """What the vectors replace: prose of adapter fields and models, the date, the arbitrary order of methods."""
    if path.endswith("/schema.json"):
        for item in content["adapter"] + content["models"]:
            item["description"] = "<prose>"
    elif path.endswith("/summary.json"):
        assert content["date"] == date.today().isoformat()
        content["date"] = "<date>"
    elif path.endswith("/groups.json"):
        for table in content:
            for row in table["rows"]:
                row[2]["value"] = ", ".join(sorted(row[2]["value"].split(", ")))
    return content


def _difference(got: Any, want: Any, where: str = "$") -> str | None:
    """The first place where two JSON values differ, in content, type or order of keys; floats to relative 1e-9."""
    if isinstance(got, float) and isinstance(want, float):
        return None if got == pytest.approx(want, rel=1e-9) else f"{where}: got {got}, want {want}"
    if isinstance(got, dict) and isinstance(want, dict):
        if list(got) != list(want):
            return f"{where}: got keys {list(got)}, want {list(want)}"
        found = (_difference(got[key], want[key], f"{where}.{key}") for key in got)
        return next((text for text in found if text), None)
    if isinstance(got, list) and isinstance(want, list):
        if len(got) != len(want):
            return f"{where}: got {len(got)} items, want {len(want)}"
        found = (_difference(got[i], want[i], f"{where}[{i}]") for i in range(len(got)))
        return next((text for text in found if text), None)
    return None if type(got) is type(want) and got == want else f"{where}: got {got!r}, want {want!r}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_summarize_vector(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, models_of_the_vectors: None
) -> None:
    monkeypatch.chdir(tmp_path)
    _write_runs(case)
    inputs = {path for path in Path("benchmark_output").rglob("*") if path.is_file()}
    Path("schema.yaml").write_text(case["schema_yaml"])
    mode = case["mode"]
    summarizer = Summarizer(
        release=mode.get("release"), suites=mode.get("suites"), suite=mode.get("suite"), schema_path="schema.yaml"
    )
    assert summarizer.run_pipeline().problems == []
    written = {str(path) for path in Path("benchmark_output").rglob("*") if path.is_file() and path not in inputs}
    assert written == set(case["outputs"])
    for path, expected in case["outputs"].items():
        text = Path(path).read_text()
        if path.endswith(".json"):
            content = json.loads(text)
            assert text == json.dumps(content, indent=2), f"{path}: layout"
            assert _difference(_normalized(path, content), expected) is None, path
        else:
            assert text == expected, path
