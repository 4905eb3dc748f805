"""Helper functions that plugins import, credentials, and the sampling of instances."""

import dataclasses

import pytest

import helm.benchmark.scenarios.scenario as scenario_module
import helm.common.general as general
from helm.benchmark.runner import downsample_eval_instances
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.credentials_utils import provide_api_key
from helm.common.hierarchical_logger import format_time
from vectors_support import vector_cases


def _function(name):
    if name == "format_time":
        return format_time
    return getattr(general, name, None) or getattr(scenario_module, name)


def test_vector_general():
    for case in vector_cases("helm-core/general.json"):
        call = _function(case["function"])
        if "error" in case:
            with pytest.raises(Exception) as raised:
                call(*case["args"], **case.get("kwargs", {}))
            assert case["error"]["type"] in [cls.__name__ for cls in type(raised.value).__mro__], case
            if not case["error"].get("loose"):
                assert str(raised.value).startswith(case["error"]["message"].split(" (")[0]), case
            continue
        result = call(*case["args"], **case.get("kwargs", {}))
        if isinstance(result, tuple):
            result = list(result)
        if dataclasses.is_dataclass(result):
            result = result.text
        assert result == case["result"], case


def test_vector_credentials(tmp_path, monkeypatch):
    for number, case in enumerate(vector_cases("helm-core/credentials.json")):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "credentials.conf").write_text(case["credentials.conf"], encoding="utf-8")
        monkeypatch.delenv("HELM_CREDENTIALS", raising=False)
        credentials = general.get_credentials(str(folder))
        assert provide_api_key(credentials, case["host_organization"], case["model"]) == case["result"], case


def test_credentials_come_from_the_environment_first(tmp_path, monkeypatch):
    (tmp_path / "credentials.conf").write_text("openaiApiKey: file", encoding="utf-8")
    monkeypatch.setenv("HELM_CREDENTIALS", "openaiApiKey: environment")
    assert general.get_credentials(str(tmp_path)) == {"openaiApiKey": "environment"}


def test_malformed_credentials_are_not_quoted(tmp_path, monkeypatch):
    monkeypatch.delenv("HELM_CREDENTIALS", raising=False)
    (tmp_path / "credentials.conf").write_text("openaiApiKey: [\nsecret-key", encoding="utf-8")
    with pytest.raises(ValueError, match=r"credentials\.conf is not valid HOCON \(line") as raised:
        general.get_credentials(str(tmp_path))
    assert "secret" not in str(raised.value)


def test_vector_downsample():
    for case in vector_cases("helm-core/downsample.json"):
        instances = []
        for split, count in case["splits"]:
            for _ in range(count):
                instances.append(Instance(Input(), [], split=split, id=str(len(instances))))
        result = downsample_eval_instances(instances, case["max_eval_instances"], case["eval_splits"])
        train, evaluation = result[: case["num_train"]], result[case["num_train"] :]
        assert all(instance.split == "train" for instance in train), case
        assert [int(instance.id) for instance in evaluation] == case["eval_ids"], case
