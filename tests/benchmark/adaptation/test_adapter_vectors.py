"""Golden vectors: what each adapter makes of instances, and which examples are drawn."""

import json
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
from helm.benchmark.adaptation.adapters.generation_adapter import GenerationAdapter
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.common.codec import asdict_without_nones, structure
from helm.common.request import Request
from helm_core_support import error_mismatch, within_a_second
from vectors_support import vector_cases, vectors_dir

ADAPTER_FILES = sorted(path.name for path in (vectors_dir() / "helm-core" / "adapters").glob("*.json"))

_NO_SAMPLE = "Sample larger than population or is negative"


def adapter_spec_of(differences: dict[str, Any]) -> AdapterSpec:
    return structure({**asdict_without_nones(AdapterSpec()), **differences}, AdapterSpec)


def comparable(state: Any, instances: list[Instance]) -> dict[str, Any]:
    """A request state as the vectors write it."""
    defaults = asdict_without_nones(Request())
    request = {k: v for k, v in asdict_without_nones(state.request).items() if k not in defaults or v != defaults[k]}
    result = {
        "instance": next(i for i, instance in enumerate(instances) if instance is state.instance),
        "train_trial_index": state.train_trial_index,
        "request": request,
        "num_train_instances": state.num_train_instances,
    }
    for name in ("reference_index", "request_mode", "output_mapping"):
        if getattr(state, name) is not None:
            result[name] = getattr(state, name)
    for name in ("prompt_truncated", "num_conditioning_tokens"):
        if getattr(state, name):
            result[name] = getattr(state, name)
    return result


def has_empty_label(instances: list[Instance]) -> bool:
    references = [instance.first_correct_reference for instance in instances]
    return any(reference is not None and reference.output.text == "" for reference in references)


def adapt(differences, service, instances):
    return AdapterFactory.get_adapter(adapter_spec_of(differences), service).adapt(instances, parallelism=1)


@pytest.mark.parametrize("file_name", ADAPTER_FILES)
def test_adapter_vectors(file_name, vector_environment, local_context):
    service = TokenizerService(local_context)
    for case in vector_cases(f"helm-core/adapters/{file_name}"):
        instances = structure(case["instances"], list[Instance])

        error, states = None, []
        try:
            states = within_a_second(adapt, case["adapter_spec"], service, instances)
        except Exception as e:
            error = e
        if case.get("hang"):
            continue  # It ended: with requests, or with an error that says why not.
        if "error" in case:
            if error is None and has_empty_label(instances) and case["error"]["message"] == _NO_SAMPLE:
                continue  # An empty text is a label like any other.
            mismatch = error_mismatch(error, case["error"])
            assert mismatch is None, f"{case['id']}: {mismatch}"
            continue
        assert error is None, f"{case['id']}: {type(error).__name__}: {error}"
        got = [comparable(state, instances) for state in states]
        for position, (mine, theirs) in enumerate(zip(got, case["request_states"], strict=False)):
            assert mine == theirs, f"{case['id']} state {position}:\n{json.dumps(mine)}\n{json.dumps(theirs)}"
        assert len(got) == len(case["request_states"]), case["id"]
        # Numbers have the same JSON text too: 0 is not 0.0 in a file.
        theirs = case["request_states"]
        assert [json.dumps(state["request"], sort_keys=True) for state in got] == [
            json.dumps(state["request"], sort_keys=True) for state in theirs
        ], case["id"]


def labelled_instances(labels: list[Any]) -> list[Instance]:
    return [
        Instance(
            Input(text=str(i)),
            [] if label is None else [Reference(Output(text=label), tags=[CORRECT_TAG])],
            split="train",
            id=f"id{i}",
        )
        for i, label in enumerate(labels)
    ]


def test_sampling_vectors():
    for case in vector_cases("helm-core/sampling.json"):
        labels = case["labels"]
        instances = labelled_instances(labels)
        adapter = GenerationAdapter(AdapterSpec(max_train_instances=case["max_train_instances"]), None)
        for seed, expected in case["by_seed"].items():
            examples = within_a_second(adapter.sample_examples, instances, int(seed), case["sample_train"])
            got = [int(example.input.text) for example in examples]
            if isinstance(expected, list):
                assert got == expected, f"{case} seed {seed}: {got}"
                continue
            # The original hangs (labelled and unlabelled mixed) or gives up (an empty label): we draw all that was
            # asked for, labelled ones first.
            count = min(case["max_train_instances"], len(labels))
            assert len(set(got)) == len(got) == count, f"{case} seed {seed}: {got}"
            unlabelled = [labels[i] is None for i in got]
            assert unlabelled == sorted(unlabelled), f"{case} seed {seed}: {got}"
