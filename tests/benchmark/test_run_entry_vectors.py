"""Golden vectors: run entries to run specs, conf files and filters, registries and adapter specs."""

import dataclasses
from typing import Any

import pytest

from helm.benchmark import model_deployment_registry, model_metadata_registry
from helm.benchmark.adaptation import common_adapter_specs
from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.augmentations.data_augmenter import DataAugmenterSpec
from helm.benchmark.config_registry import register_configs_from_directory
from helm.benchmark.presentation.run_entry import RunEntries, RunEntry, read_run_entries
from helm.benchmark.run import run_entries_to_run_specs
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.common.general import asdict_without_nones
from helm.common.object_spec import parse_object_spec
from registries_support import empty_registries
from vectors_support import load_vectors, vector_cases, vectors_dir


@pytest.fixture
def environment(plugin):
    """What the vectors were made in: no built-in catalogue, the two folders of the vectors, and their plugin."""
    with empty_registries():
        for folder in ("env_simple", "env"):
            register_configs_from_directory(str(vectors_dir() / "helm-core" / folder))
        yield


def differences(value: Any, default: Any) -> dict[str, Any]:
    """The fields of a dataclass that differ from a default, as plain JSON values."""
    plain, plain_default = dataclasses.asdict(value), dataclasses.asdict(default)
    return {key: item for key, item in plain.items() if item != plain_default[key]}


def compact(run_spec: RunSpec) -> dict[str, Any]:
    """A run spec as the vectors write it."""
    full = dataclasses.asdict(run_spec)
    result = {key: full[key] for key in ("name", "scenario_spec", "metric_specs", "groups")}
    result["adapter_spec"] = differences(run_spec.adapter_spec, AdapterSpec())
    if run_spec.data_augmenter_spec != DataAugmenterSpec():
        augmenter_spec = full["data_augmenter_spec"]
        if augmenter_spec["should_perturb_references"] is None:  # a field that the original does not have
            del augmenter_spec["should_perturb_references"]
        result["data_augmenter_spec"] = augmenter_spec
    if run_spec.annotators is not None:
        result["annotators"] = full["annotators"]
    assert run_spec.executor_spec is None
    return result


def check_error(error: Exception, expected: dict[str, Any]) -> None:
    """The class (or a subclass of a class of that name) and the text, unless the vector says that any error will do."""
    if expected.get("loose"):
        return
    assert expected["type"] in [cls.__name__ for cls in type(error).__mro__], repr(error)
    if expected.get("message_is_prefix"):
        assert str(error).startswith(expected["message"])
    else:
        assert str(error) == expected["message"]


def test_vectors_run_entries(environment):
    for case in vector_cases("helm-core/run_entries.json"):
        entry = case["entry"]
        if "error" in case:
            with pytest.raises(Exception) as raised:
                construct_run_specs(parse_object_spec(entry))
            check_error(raised.value, case["error"])
            continue
        run_specs = construct_run_specs(parse_object_spec(entry))
        if "summary" in case:
            found = [[s.name, s.adapter_spec.model, s.adapter_spec.model_deployment] for s in run_specs]
            assert found == case["summary"], entry
        else:
            assert [compact(run_spec) for run_spec in run_specs] == case["run_specs"], entry


def summarize(run_spec: RunSpec) -> dict[str, Any]:
    spec = run_spec.adapter_spec
    keys = ("model", "model_deployment", "max_eval_instances", "num_train_trials", "max_train_instances")
    return {"name": run_spec.name, **{key: getattr(spec, key) for key in keys}, "groups": run_spec.groups}


def test_vectors_run_entries_flags(environment, tmp_path):
    for case in vector_cases("helm-core/run_entries_flags.json"):
        try:
            if "conf" in case:
                paths = [tmp_path / f"{case['id']}_{index}.conf" for index in range(len(case["conf"]))]
                for path, text in zip(paths, case["conf"], strict=True):
                    path.write_text(text, encoding="utf-8")
                entries = read_run_entries([str(path) for path in paths]).entries
                if "parsed_entries" in case:
                    assert [dataclasses.asdict(entry) for entry in entries] == case["parsed_entries"], case["id"]
            else:
                entries = RunEntries([RunEntry(**entry) for entry in case["entries"]]).entries
            found = [summarize(run_spec) for run_spec in run_entries_to_run_specs(entries, **case["flags"])]
        except AssertionError:
            raise
        except Exception as e:
            assert "error" in case, f"{case['id']}: {e!r}"
            check_error(e, case["error"])
        else:
            assert "error" not in case, f"{case['id']}: expected {case['error']}"
            assert found == case["summary"], case["id"]


def describe_deployment(deployment: Any) -> dict[str, Any]:
    result = asdict_without_nones(deployment)
    return {**result, "host_organization": deployment.host_organization, "engine": deployment.engine}


def call_registry(function: str, args: list, kwargs: dict[str, Any]) -> Any:
    if function == "get_model_metadata(...).deployment_names":
        return model_metadata_registry.get_model_metadata(*args).deployment_names
    if function == "get_model_deployment":
        return describe_deployment(model_deployment_registry.get_model_deployment(*args, **kwargs))
    module = model_deployment_registry
    if not hasattr(module, function):
        module = model_metadata_registry
    return getattr(module, function)(*args, **kwargs)


def test_vectors_deployments(environment):
    for case in vector_cases("helm-core/deployments.json"):
        arguments = (case["function"], case["args"], case.get("kwargs", {}))
        if "error" in case:
            with pytest.raises(Exception) as raised:
                call_registry(*arguments)
            check_error(raised.value, case["error"])
        else:
            assert call_registry(*arguments) == case["result"], case


def test_vectors_adapter_specs():
    for case in vector_cases("helm-core/adapter_specs.json"):
        function = getattr(common_adapter_specs, case["function"])
        if "error" in case:
            with pytest.raises(Exception) as raised:
                function(*case["args"], **case["kwargs"])
            assert case["error"]["type"] in [cls.__name__ for cls in type(raised.value).__mro__]
            if case["error"]["message"]:
                check_error(raised.value, case["error"])
            continue
        result = function(*case["args"], **case["kwargs"])
        if isinstance(result, AdapterSpec):
            result = differences(result, AdapterSpec())
        assert result == case["result"], case


def test_vectors_say_which_environment_they_need():
    for file in ("run_entries.json", "run_entries_flags.json", "deployments.json"):
        assert load_vectors(f"helm-core/{file}")["environment"] == ["env_simple", "env", "plugin"]
