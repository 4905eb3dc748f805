"""Scenarios of the vectors while the web misbehaves: the same instances, or an error that says what to do."""

import pytest

from data_server import Fault
from helm.common.data.data_lock import DataChangedError, DataLock
from helm.common.data.data_session import data_session
from helm.common.data.downloads import GatedDataError
from scenario_support import FIXTURE_FILES, case_environment, compare_case, load_instances, make_run_spec
from vectors_support import vector_cases

# Files, an archive, a data set of the Hub, one with a script, both a file and a data set.
IDS = ["gsm", "mmlu", "mmlu_pro", "ifeval", "banking77"]
CASES = [case for file in FIXTURE_FILES for case in vector_cases(file) if case["id"] in IDS]

FAULTS = {
    "redirect": Fault(redirect="/moved{path}", status=307),
    "truncated": Fault(truncate=1 << 30),
    "too many requests": Fault(status=429, headers={"Retry-After": "0"}),
    "server error": Fault(status=500, headers={"Retry-After": "0"}),
}


@pytest.fixture(params=CASES, ids=lambda case: case["id"])
def case(request):
    return request.param


@pytest.mark.parametrize("name", FAULTS)
def test_every_first_answer_goes_wrong_and_the_instances_are_right(case, name, tmp_path, monkeypatch):
    with case_environment(case, tmp_path, monkeypatch) as environment:
        environment.server.first = FAULTS[name]
        compare_case(case, environment)
        paths = environment.server.paths()
        assert len(paths) > len(set(paths)) or name == "redirect" and any(path.startswith("/moved") for path in paths)


def test_a_mirror_that_has_nothing_is_passed_over(case, tmp_path, monkeypatch):
    with case_environment(case, tmp_path, monkeypatch) as environment:
        url = environment.server.url
        monkeypatch.setenv("HELM_DATA_MIRROR", f"{url}/nothing,{url}/mirror,off")
        compare_case(case, environment)
        assert any(path.startswith("/nothing/https/") for path in environment.server.paths())


def test_gated_data_need_a_token(case, tmp_path, monkeypatch):
    if not case["hf_calls"]:
        pytest.skip("no data set of the Hub")
    with case_environment(case, tmp_path, monkeypatch) as environment:
        monkeypatch.setenv("HF_HOME", str(tmp_path))
        path = case["hf_calls"][0]["path"]
        environment.server.repositories[path].token = "hf_mine"
        with pytest.raises(
            GatedDataError, match=f"Accept the terms at https://huggingface.co/datasets/{path}, then give a"
        ):
            load_instances(make_run_spec(case), environment)
        monkeypatch.setenv("HELM_CREDENTIALS", "huggingfaceToken: hf_mine")
        compare_case(case, environment)


def test_bytes_that_differ_from_the_lock_file_are_refused(case, tmp_path, monkeypatch):
    with case_environment(case, tmp_path, monkeypatch) as environment:
        with data_session(DataLock("helm-data.lock")):
            compare_case(case, environment)
        for path in sorted(environment.output_path.rglob("*"), reverse=True):
            if path.is_file():
                path.unlink()
            else:
                path.rmdir()
        for url in environment.server.files:
            environment.server.files[url] += b"\n"
        for repository in environment.server.repositories.values():
            for files in repository.commits.values():
                files.update({name: body + b"\n" for name, body in files.items()})
        with data_session(DataLock("helm-data.lock")), pytest.raises(DataChangedError) as error:
            load_instances(make_run_spec(case), environment)
        assert "SHA-256" in str(error.value)
        assert "helm-data fetch --update" in str(error.value)
