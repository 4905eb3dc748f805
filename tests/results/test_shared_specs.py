"""Run specs of many runs, and runs, that are read in little memory."""

import json
import tracemalloc
from array import array
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.run_spec import RunSpec
from helm.common.codec import render_json
from helm.results.run_files.compact_run import CompactRun, CompactRunReader, StatNames
from helm.results.run_files.json_items import decode_json
from helm.results.run_files.run_folder import RunFileError
from helm.results.run_files.run_schema import STAT_NUMBERS
from helm.results.run_files.shared_specs import SharedSpecReader

SPEC: dict[str, Any] = {
    "name": "task:model=lab/a",
    "scenario_spec": {"class_name": "x.Scenario", "args": {"subject": "law", "shots": [1, 2.5]}},
    "adapter_spec": {
        "method": "generation",
        "instructions": "Answer the question.",
        "stop_sequences": ["\n"],
        "substitutions": [{"source": "a", "target": "b"}],
        "model": "lab/a",
        "chat": {"mode": "on"},
    },
    "metric_specs": [{"class_name": "x.Metric", "args": {"names": ["exact_match"]}}],
    "data_augmenter_spec": {"perturbation_specs": [], "seeds_per_instance": 2},
    "groups": ["qa"],
    "annotators": None,
    "epochs": {"number": 3},
    "unknown": {"of": "a later version"},
}


def encode(**changes: Any) -> bytes:
    return json.dumps({**SPEC, **changes}, indent=2).encode()


def test_a_spec_is_what_it_is_when_it_is_read_alone() -> None:
    reader = SharedSpecReader()
    for data in (
        encode(),
        encode(name="other"),
        encode(groups=[]),
        encode(scenario_spec={"class_name": "y"}),
        encode(),
    ):
        assert reader.decode(data, "p") == decode_json(data, "p", RunSpec)
    found = reader.decode(encode(), "p")
    assert found.name == "task:model=lab_a" and found.adapter_spec.max_tokens == 100


def test_equal_parts_are_one_object() -> None:
    reader = SharedSpecReader()
    first = reader.decode(encode(), "p")
    adapter_spec = {**SPEC["adapter_spec"], "model": "lab/b"}
    second = reader.decode(encode(name="second", adapter_spec=adapter_spec), "p")
    assert second.scenario_spec is first.scenario_spec and second.metric_specs is first.metric_specs
    assert second.adapter_spec.model == "lab/b" and first.adapter_spec.model == "lab/a"
    assert second.adapter_spec.instructions is first.adapter_spec.instructions
    assert second.adapter_spec.stop_sequences is first.adapter_spec.stop_sequences
    assert hash(second.adapter_spec) == hash(
        decode_json(json.dumps(adapter_spec).encode(), "p", type(first.adapter_spec))
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"name": "x"}',
        encode(name=3),
        encode(groups="qa"),
        encode(adapter_spec={"max_tokens": "many"}),
        encode(scenario_spec={"args": {}}),
        encode()[:-5],
        b'{"name": "\xff"}',
    ],
)
def test_a_wrong_spec_has_the_same_error(data: bytes) -> None:
    with pytest.raises(RunFileError) as expected:
        decode_json(data, "some/run_spec.json", RunSpec)
    with pytest.raises(RunFileError) as found:
        SharedSpecReader().decode(data, "some/run_spec.json")
    assert str(found.value) == str(expected.value)


def test_numbers_that_json_lacks_are_read() -> None:
    data = encode(scenario_spec={"class_name": "x.Scenario", "args": {"threshold": float("inf")}})
    assert SharedSpecReader().decode(data, "p").scenario_spec.args == {"threshold": float("inf")}


@pytest.mark.parametrize("folder", ["", "missing"])
def test_statistics_in_a_file_are_those_in_memory(tmp_path: Path, folder: str) -> None:
    reader = CompactRunReader(str(tmp_path / folder))
    names = StatNames([MetricName(name, split) for split in ("valid", "test") for name in ("a", "b", "c")])
    missing = [default is None for _, default in STAT_NUMBERS]  # NaN stands for None
    numbers = array("d", [float("nan") if missing[n % len(missing)] and n % 2 else n for n in range(6 * len(missing))])
    spec = decode_json(encode(), "p", RunSpec)
    in_memory, in_file = CompactRun("p", spec, names, numbers), reader.make_run("p", spec, names, numbers)
    assert in_file.stats == in_memory.stats and len(in_file.stats) == 6
    assert in_file.numbers.tobytes() == numbers.tobytes()
    assert in_file.render_stats("\n  ") == render_json(in_memory.stats, "\n  ")
    for name in ("a", "c", "unknown"):
        assert in_file.stats_named(name) == in_memory.stats_named(name)
    assert [stat.name.split for stat in in_file.stats_named("b")] == ["valid", "test"]


@pytest.mark.parametrize(
    "numbers", [(), (1.0, 0.1, 1e-300, -0.0), (1e17, 5e-324, 2.5, 3.0), (float("inf"), 1.0, 2.0, 3.0)]
)
def test_statistics_are_written_as_from_objects(numbers: tuple[float, ...]) -> None:
    names = StatNames([MetricName('100% "sure"', "test", None, None)] if numbers else [])
    known = array("d", [1.0, *numbers, *numbers][: len(STAT_NUMBERS)] if numbers else [])
    run = CompactRun("p", decode_json(encode(), "p", RunSpec), names, known)
    assert run.render_stats("\n") == render_json(run.stats, "\n")


def test_a_run_takes_little_memory(tmp_path: Path) -> None:
    reader = CompactRunReader(str(tmp_path))
    names = StatNames([MetricName(f"m{n}") for n in range(100)])
    numbers = array("d", bytes(8 * 100 * len(STAT_NUMBERS)))
    reader.make_run("first", reader.specs.decode(encode(), "p"), names, numbers)
    grown = []
    for attempt in range(3):  # threads of other tests may be at work, too
        tracemalloc.start()
        try:
            kept = []
            for number in range(200):
                adapter_spec = {**SPEC["adapter_spec"], "model": f"lab/{attempt}/{number}"}
                spec = reader.specs.decode(encode(name=f"r{number}", adapter_spec=adapter_spec), "p")
                kept.append(reader.make_run(f"runs/s/r{number}", spec, names, numbers))
            grown.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
    assert min(grown) / len(kept) < numbers.itemsize * len(numbers)  # what the numbers alone would take
