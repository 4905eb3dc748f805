"""RunSpecs and instances of HELM's audio scenarios, with sounds from made-up data sets."""

import base64
import hashlib

import pytest
import yaml

import data_server
from multimodal_support import check_requests, parts_of, references_of
from scenario_support import (
    case_environment,
    check_run_spec,
    check_scenario,
    load_instances,
    make_run_spec,
)
from vectors_support import load_vectors

FIXTURES = load_vectors("helm-vision-audio/fixtures_audio.json")
MEDIA = {name: base64.b64decode(medium["base64"]) for name, medium in FIXTURES["media"].items()}


def with_sounds(value, folder):
    """The rows as Parquet files of the Hub have them."""
    if isinstance(value, dict):
        if "$audio" in value:
            return {"bytes": MEDIA[value["$audio"]], "path": value["path"]}
        return {key: with_sounds(item, folder) for key, item in value.items()}
    if isinstance(value, str):
        return value.replace("$CACHE", folder)
    return [with_sounds(item, folder) for item in value] if isinstance(value, list) else value


def repository_files(entries):
    """Names of splits such as `gnoise.1` are in the README only, as in the real data sets."""
    files, configs = {}, []
    for entry in entries:
        folder = entry["config"] or "data"
        splits = dict(entry["splits"])
        if "session1" in splits:  # the vector has two of the five sessions
            splits |= {f"session{i}": [] for i in range(len(splits) + 1, 6)}
        named = [{"split": split, "path": f"{folder}/{split}-*"} for split in splits]
        configs.append({"config_name": entry["config"] or "default", "data_files": named})
        for split, rows in splits.items():
            files[f"{folder}/{split}-00000-of-00001.parquet"] = data_server.parquet_bytes(rows)
    files["README.md"] = f"---\n{yaml.safe_dump({'configs': configs})}---\n# Data\n".encode()
    return files


@pytest.fixture(autouse=True)
def media_of_cases(monkeypatch):
    text = data_server.content_bytes

    def content(value):
        is_media = isinstance(value, dict) and value.get("encoding") == "media"
        return MEDIA[value["media"]] if is_media else text(value)

    monkeypatch.setattr(data_server, "repository_files", repository_files)
    monkeypatch.setattr(data_server, "content_bytes", content)


def served(environment, case):
    """Serve what the original read from its address without storing it."""
    for url, answer in (case.get("http") or {}).items():
        environment.server.add_file(url, MEDIA[answer["media"]] if isinstance(answer, dict) else answer.encode())


@pytest.mark.parametrize("case", FIXTURES["cases"], ids=lambda case: case["id"])
def test_run_spec_and_instances_are_those_of_the_vectors(case, tmp_path, monkeypatch):
    folder = tmp_path / "benchmark_output/scenarios" / case["scenario_name"]
    case = with_sounds(case, str(folder))
    with case_environment(case, tmp_path, monkeypatch) as environment:
        served(environment, case)
        run_spec = make_run_spec(case)
        check_run_spec(case, run_spec)
        if case.get("error"):  # HELM fails with a KeyError for `Female`, which means the same as `female` here
            assert case["run_spec_function"] == "fleurs_fairness"
            return
        scenario, instances = load_instances(run_spec, environment)
        check_scenario(case, scenario)
        got = [
            {
                "input": parts_of(instance.input, f"{folder}/"),
                "references": references_of(instance, f"{folder}/"),
                "split": instance.split,
                **{name: value for name in ("id", "extra_data") if (value := getattr(instance, name)) is not None},
            }
            for instance in instances
        ]
        expected = case["instances"]
        if case["run_spec_function"] == "speech_robust_bench" and case["args"]["level"] != 1:
            # HELM gives all levels the same names, and reads the files of whichever ran first.
            for part in (part for instance in expected for part in instance["input"]):
                stem, dot, ending = part["location"].rpartition(".")
                part["location"] = f"{stem}_level{case['args']['level']}{dot}{ending}"
        assert got == expected
        if case["run_spec_function"] != "speech_robust_bench":  # see above
            check_requests(case, run_spec, instances, f"{folder}/")
        check_sounds(case, folder, {part["location"] for one in got for part in one["input"] if "location" in part})


def check_sounds(case, folder, used):
    """The sounds that instances name are what the original wrote: equal samples, or as long."""
    import soundfile

    for name in used & set(case.get("written_files") or {}):
        expected = case["written_files"][name]
        info = soundfile.info(str(folder / name))
        assert (info.format, info.samplerate, info.channels, info.frames) == tuple(
            expected[key] for key in ("format", "samplerate", "channels", "frames")
        ), name
        if "sha256_of_int16_samples" in expected:
            samples, _ = soundfile.read(str(folder / name), dtype="int16")
            assert samples[: len(expected["first_samples"])].tolist() == expected["first_samples"]
            if case["id"] == "voxceleb2":  # decoders of AAC round differently
                continue
            assert hashlib.sha256(samples.tobytes()).hexdigest() == expected["sha256_of_int16_samples"], name


RUN_SPECS = [
    case
    for case in load_vectors("helm-vision-audio/run_specs.json")["cases"]
    if case["module"] in ("audio_run_specs", "speech_disorder_audio_run_specs")
]


@pytest.mark.parametrize("case", RUN_SPECS, ids=lambda case: f"{case['run_spec_function']}-{case['args']}")
def test_run_specs_for_other_arguments_are_those_of_the_vectors(case):
    check_run_spec(case, make_run_spec(case))
