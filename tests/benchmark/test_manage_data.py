"""`helm-data`, and what `helm-run` notes of its data."""

import json
import os
import shutil
import sys
import tarfile

import pytest

from data_server import Fault, add_case, data_server, jsonl_bytes, parquet_bytes, tar_bytes
from helm.benchmark import run
from helm.benchmark.commands import manage_data
from helm.benchmark.declarative import catalogue
from registries_support import empty_registries
from vectors_support import vector_cases

RULES = "https://example.org/rules.txt"
ARCHIVE = "https://example.org/more.tar.gz"

PLUGIN = '''
"""A scenario with a data set of the Hub, a file and an archive, and a recipe that reads a file of its own."""

import os

from helm.benchmark.adaptation.common_adapter_specs import get_generation_adapter_spec
from helm.benchmark.metrics.common_metric_specs import get_exact_match_metric_specs
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG, Input, Instance, Output, Reference, Scenario, ScenarioSpec, get_scenario_cache_path,
)
from helm.common.general import ensure_file_downloaded
from helm.common.data.hub_datasets import load_hub_split
from helm.common.commands.output_path import get_benchmark_output_path


class FetchedScenario(Scenario):
    name = "fetched"
    description = "Questions from three places."
    tags = []

    def __init__(self, subset="all"):
        super().__init__()
        self.subset = subset

    def get_instances(self, output_path):
        rows = []
        for hub_split in ("train", "test"):
            for row in load_hub_split("owner/set", hub_split, cache_dir=output_path):
                rows.append((row["q"], hub_split))
        ensure_file_downloaded("https://example.org/more.tar.gz", os.path.join(output_path, "more"), unpack=True)
        for name in sorted(os.listdir(os.path.join(output_path, "more"))):
            rows.append((name, "test"))
        return [
            Instance(Input(q), [Reference(Output(q), [CORRECT_TAG])], split=split)
            for q, split in rows if self.subset in ("all", split)
        ]


@run_spec_function("fetched")
def get_fetched_spec(subset: str = "all") -> RunSpec:
    path = os.path.join(get_scenario_cache_path(get_benchmark_output_path(), "fetched"), "rules.txt")
    ensure_file_downloaded("https://example.org/rules.txt", path)
    with open(path) as file:
        instructions = file.read()
    return RunSpec(
        name=f"fetched:subset={subset}",
        scenario_spec=ScenarioSpec("fetched_plugin.FetchedScenario", {"subset": subset}),
        adapter_spec=get_generation_adapter_spec(instructions),
        metric_specs=get_exact_match_metric_specs(),
        groups=["fetched"],
    )
'''


@pytest.fixture(scope="module", autouse=True)
def plugin(tmp_path_factory):
    from helm.benchmark import run_spec

    folder = tmp_path_factory.mktemp("plugin")
    (folder / "fetched_plugin.py").write_text(PLUGIN)
    sys.path.insert(0, str(folder))
    run_spec.discover_run_spec_functions()  # else what is imported inside would be lost with the registry
    with run_spec._REGISTRY.isolated():
        yield
    sys.path.remove(str(folder))
    sys.modules.pop("fetched_plugin", None)


@pytest.fixture
def server(monkeypatch, tmp_path):
    with data_server() as server, empty_registries():
        for name in ("HELM_OFFLINE", "HF_HUB_OFFLINE", "HF_TOKEN", "HELM_DEBUG"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {**server.environment(), "HF_HOME": str(tmp_path)}.items():
            monkeypatch.setenv(name, value)
        server.add_file(RULES, b"Repeat.")
        server.add_file(ARCHIVE, tar_bytes({"f/x": b"1", "f/y": b"2"}))
        server.add_dataset(
            "owner/set",
            {"train.jsonl": jsonl_bytes([{"q": "a"}]), "test.jsonl": jsonl_bytes([{"q": "b"}, {"q": "c"}])},
            license="mit",
        )
        monkeypatch.chdir(tmp_path)
        yield server


def helm_data(capsys, *arguments, status=0):
    plugins = [] if arguments[0] in ("import",) or len(arguments) == 1 else ["--plugins", "fetched_plugin"]
    code = 0
    try:
        manage_data.main([*arguments, *plugins])
    except SystemExit as e:
        code = e.code
    captured = capsys.readouterr()
    assert code == status, captured.out + captured.err
    return captured.out if status == 0 else captured.out + captured.err


def helm_run(*arguments):
    run.main(
        ["-r", "fetched:model=simple/model1", "--plugins", "fetched_plugin", "-m", "10", "--suite", "s", *arguments]
    )


RUN = os.path.join("benchmark_output", "runs", "s", "fetched:subset=all,model=simple_model1")


def test_a_run_notes_what_it_used(server, tmp_path):
    helm_run()
    noted = json.loads((tmp_path / RUN / "data_sources.json").read_text())
    commit = server.repositories["owner/set"].names["main"]
    assert noted["data_sets"] == [
        {"name": "owner/set", "split": "train", "revision": "main", "commit": commit, "rows": 1, "license": "mit"},
        {"name": "owner/set", "split": "test", "revision": "main", "commit": commit, "rows": 2, "license": "mit"},
    ]
    assert [(file["url"].rpartition("/")[2], file["path"]) for file in noted["files"]] == [
        ("more.tar.gz", "scenarios/fetched/more"),
        ("rules.txt", "scenarios/fetched/rules.txt"),
        ("test.jsonl", f"scenarios/fetched/hub/owner--set/{commit}/test.jsonl"),
        ("train.jsonl", f"scenarios/fetched/hub/owner--set/{commit}/train.jsonl"),
    ]
    assert all(len(file["sha256"]) == 64 for file in noted["files"])
    first = (tmp_path / RUN / "data_sources.json").read_text()
    helm_run("--offline")
    assert (tmp_path / RUN / "data_sources.json").read_text() == first
    assert "HELM_OFFLINE" not in os.environ


def test_a_run_without_data_has_no_such_file(server, tmp_path):
    run.main(["-r", "simple_mcqa:model=simple/model1", "-m", "1", "--suite", "s"])
    folder = next((tmp_path / "benchmark_output" / "runs" / "s").glob("simple_mcqa*"))
    assert not (folder / "data_sources.json").exists()
    assert not (tmp_path / "benchmark_output" / "helm-data.lock").exists()


def test_a_run_on_changed_data_is_refused(server, tmp_path, capsys):
    helm_run()
    (tmp_path / "benchmark_output" / "scenarios" / "fetched" / "rules.txt").write_text("Other rules.")
    with pytest.raises(SystemExit) as e:
        helm_run()
    assert e.value.code == 1
    message = capsys.readouterr().err
    assert "is not what benchmark_output/helm-data.lock says" in message and "helm-data fetch --update" in message


def test_offline_all_that_is_missing_is_listed_at_once(server, tmp_path, capsys):
    (tmp_path / "benchmark_output" / "scenarios" / "fetched").mkdir(parents=True)
    (tmp_path / "benchmark_output" / "scenarios" / "fetched" / "rules.txt").write_text("Repeat.")
    with pytest.raises(SystemExit):
        helm_run("--offline")
    message = capsys.readouterr().err
    assert "2 downloads were not made, because fetching is forbidden here:" in message
    assert "  https://huggingface.co/api/datasets/owner/set/revision/main?blobs=true -> " in message
    assert f"  {ARCHIVE} -> {tmp_path / 'benchmark_output' / 'scenarios' / 'fetched' / 'more'}" in message
    assert server.requests == []


def test_check_fetch_list(server, tmp_path, capsys):
    helm_data(capsys, "fetch", "fetched:subset=test,model=openai/gpt-4", "simple_mcqa")
    out = helm_data(capsys, "check", "fetched:subset=test", "simple_mcqa")
    assert "fetched:subset=test: ready, 4 test instances from 4 files (" in out
    assert "simple_mcqa: ready, 79 test, 11 train instances, nothing to fetch" in out and "2 of 2 ready." in out
    out = helm_data(capsys, "list", "fetched")
    assert "  owner/set train: 1 rows at commit " in out and ", mit\n" in out
    assert f"  {ARCHIVE}: " in out and "sha256 " in out
    assert RULES in helm_data(capsys, "list")


def test_check_says_what_is_missing_and_fetches_nothing(server, tmp_path, capsys):
    (tmp_path / "benchmark_output" / "scenarios" / "fetched").mkdir(parents=True)
    (tmp_path / "benchmark_output" / "scenarios" / "fetched" / "rules.txt").write_text("Repeat.")
    out = helm_data(capsys, "check", "fetched", "simple_mcqa", status=1)
    assert "fetched: 2 to fetch\n" in out and f"  {ARCHIVE} -> " in out and "1 of 2 ready." in out
    assert server.requests == []


def test_fetch_goes_on_after_a_failure_and_names_it(server, capsys):
    server.add_fault(ARCHIVE, Fault(status=404), times=9)
    out = helm_data(capsys, "fetch", "fetched", "simple_mcqa", status=1)
    assert "fetched: failed. " in out and "HTTP status 404" in out and "simple_mcqa: " in out


def test_update_accepts_changed_data(server, tmp_path, capsys):
    helm_data(capsys, "fetch", "fetched")
    server.add_file(ARCHIVE, tar_bytes({"f/z": b"3"}))
    helm_data(capsys, "fetch", "fetched")
    helm_data(capsys, "fetch", "fetched", "-o", "elsewhere", "--data-lock", "benchmark_output/helm-data.lock", status=1)
    out = helm_data(capsys, "fetch", "--update", "fetched")
    assert "3 test, 1 train instances" in out
    helm_data(capsys, "fetch", "fetched", "-o", "elsewhere", "--data-lock", "benchmark_output/helm-data.lock")


def test_a_bundle_carries_the_data_to_a_machine_without_a_network(server, tmp_path, capsys, monkeypatch):
    helm_data(capsys, "fetch", "fetched")
    out = helm_data(capsys, "export", "bundle.tar.gz", "fetched")
    assert "1 scenarios packed into bundle.tar.gz (" in out
    body = (tmp_path / "bundle.tar.gz").read_bytes()
    os.utime(tmp_path / "benchmark_output" / "scenarios" / "fetched" / "rules.txt", (5, 5))
    helm_data(capsys, "export", "bundle.tar.gz", "fetched")
    assert (tmp_path / "bundle.tar.gz").read_bytes() == body
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    for name in ("HELM_DATA_MIRROR", "HF_ENDPOINT"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HELM_OFFLINE", "1")
    out = helm_data(capsys, "import", "../bundle.tar.gz")
    assert "files unpacked into benchmark_output, 0 were there already." in out
    helm_run()
    locks = [tmp_path / folder / "benchmark_output" / "helm-data.lock" for folder in (".", "other")]
    assert locks[0].read_text() == locks[1].read_text()
    assert "0 files unpacked" in helm_data(capsys, "import", "../bundle.tar.gz")
    (tmp_path / "other" / "benchmark_output" / "scenarios" / "fetched" / "more" / "x").write_text("changed")
    assert "has another file than" in helm_data(capsys, "import", "../bundle.tar.gz", status=1)


def rewrite(path, change):
    """Copy a bundle with `change(name, body)` applied to each member; None leaves it out."""
    members = []
    with tarfile.open(path) as archive:
        for member in archive:
            body = archive.extractfile(member).read()
            for name, new in change(member.name, body):
                members.append((name, new))
    path.write_bytes(b"")
    with tarfile.open(path, "w") as archive:
        import io

        for name, body in members:
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))


@pytest.mark.parametrize("change, message", [
    (lambda name, body: [(name, body + b"x" if name.endswith("rules.txt") else body)], "rules.txt is damaged"),
    (lambda name, body: [] if name.endswith("rules.txt") else [(name, body)], "is not complete: scenarios/fetched/rules.txt"),
    (lambda name, body: [(name, body), ("data/../../x", b"")] if name.endswith("rules.txt") else [(name, body)],
     "which it does not list"),
    (lambda name, body: [(name, body)] if "manifest" in name else [("other", body)], "is not a bundle of data"),
    (lambda name, body: [(name, body.replace(b'"files": {', b'"files": {"../x": {"sha256": ""},') if "bundle" in name
                          else body)], "its list of files is damaged"),
    (lambda name, body: [(name, body.replace(b'"sha256": "', b'"sha256": "0') if name.endswith(".lock") else body)],
     "does not match what its lock file says about"),
])  # fmt: skip
def test_damaged_and_hostile_bundles_are_refused(server, tmp_path, capsys, change, message):
    helm_data(capsys, "fetch", "fetched")
    helm_data(capsys, "export", "bundle.tar", "fetched")
    rewrite(tmp_path / "bundle.tar", change)
    out = helm_data(capsys, "import", "bundle.tar", "-o", "new", status=1)
    assert message in out
    assert not any(path.is_file() for path in (tmp_path / "new").rglob("*"))


def test_a_bundle_that_is_none(server, tmp_path, capsys):
    (tmp_path / "x.tar").write_text("no")
    assert "cannot be read" in helm_data(capsys, "import", "x.tar", status=1)
    assert "cannot be read" in helm_data(capsys, "import", "absent.tar", status=1)
    assert "Some data are missing: fetched" in helm_data(capsys, "export", "y.tar", "fetched", status=1)


def test_bad_entries_are_named(server, capsys):
    assert "Did you mean 'fetched'? (In the run entry 'fetchd'.)" in helm_data(capsys, "check", "fetchd", status=1)
    assert "has no argument 'sbset'" in helm_data(capsys, "check", "fetched:sbset=x", status=1)
    assert "helm-data check needs run entries" in helm_data(capsys, "check", "--local-path", "x", status=1)


def test_check_knows_what_the_catalogue_says(server, tmp_path, capsys):
    out = helm_data(capsys, "check", "gpqa:subset=gpqa_main", status=1)
    assert "Gated: accept the terms at https://huggingface.co/datasets/Idavidrein/gpqa, and give a token" in out


def test_check_says_when_the_catalogue_expects_other_sizes(server, tmp_path, capsys):
    add_case(
        server, next(case for case in vector_cases("helm-scenarios/fixtures_classic2.json") if case["id"] == "live_qa")
    )
    out = helm_data(capsys, "fetch", "live_qa")
    assert "test instances from " in out and "The catalogue expects 104 test." in out
    assert "The catalogue expects 104 test." in helm_data(capsys, "check", "live_qa")


def test_texts_of_recipes_are_checked_and_carried_like_data(server, tmp_path, capsys, monkeypatch):
    case = next(case for case in vector_cases("helm-scenarios/fixtures_classic2.json") if case["id"] == "big_bench")
    add_case(server, case)
    entry = f"big_bench:task={case['args']['task']}"
    url = case["downloads"][0]["url"]
    out = helm_data(capsys, "check", entry, status=1)
    assert f"{url} -> " in out and server.requests == []
    helm_data(capsys, "fetch", entry)
    assert "1 of 1 ready." in helm_data(capsys, "check", entry)


def test_offline_a_recipe_that_lacks_a_text_does_not_hide_what_others_lack(server, capsys):
    with pytest.raises(SystemExit):
        run.main(
            [
                "-r",
                "fetched:model=simple/model1",
                "gsm:model=simple/model1",
                "--plugins",
                "fetched_plugin",
                "-m",
                "1",
                "--offline",
            ]
        )
    message = capsys.readouterr().err
    assert f"{RULES} -> " in message and message.count("grade_school_math/data//") == 2


def test_every_entry_without_arguments_of_its_own_can_be_checked_without_a_network(server, tmp_path, monkeypatch):
    """None crashes, hangs or fetches; what cannot be loaded says why."""
    import inspect

    from helm.benchmark.catalogue.scenario_data import make_offline, survey_scenario
    from helm.benchmark.declarative.catalogue import names
    from helm.benchmark.run_spec import get_run_spec_function
    from helm.benchmark.run_spec_factory import construct_recipe
    from helm.common.errors import HelmError
    from helm.common.object_spec import ObjectSpec

    wrong, number = [], 0
    for name in names():
        parameters = inspect.signature(get_run_spec_function(name)).parameters.values()
        if any(p.default is p.empty and p.kind is not p.VAR_KEYWORD for p in parameters):
            continue
        if name == "unitxt":
            continue  # it takes any arguments, and needs some
        run_spec, missing = make_offline(lambda name=name: construct_recipe(ObjectSpec(name)))
        data = survey_scenario(name, run_spec, "output") if run_spec else None
        number += 1
        if data is None and not missing:
            wrong.append(f"{name}: no recipe")
        if data is not None and not (data.is_ready or data.missing or missing or isinstance(data.error, HelmError)):
            wrong.append(f"{name}: {type(data.error).__name__}: {data.error}")
    assert not wrong and number > 100
    assert server.requests == []


ENTRY = """\
description: Capitals.
params:
  dataset: {type: str}
source:
  hf: {path: "${dataset}", splits: {train: train, test: test}}
input: "{question}"
references: {answers: [answer]}
metadata: {main_metric: exact_match, main_split: test, display_name: Capitals}
run:
  adapter: {preset: generation, instructions: Answer., input_noun: Question, output_noun: Answer}
  metrics: [exact_match]
"""


@pytest.fixture
def entry(server, tmp_path):
    """A user's YAML file whose data set is an argument, and a folder in the layout of the Hub."""
    (tmp_path / "capital.yaml").write_text(ENTRY)
    folder = tmp_path / "my" / "set" / "data"
    folder.mkdir(parents=True)
    rows = [{"question": "Capital of France?", "answer": "Paris"}, {"question": "Of Italy?", "answer": "Rome"}]
    for split in ("train", "test"):
        (folder / f"{split}-00000-of-00001.parquet").write_bytes(parquet_bytes(rows))
    with catalogue.isolated():
        yield "capital:dataset"


def check(capsys, *arguments):
    status = 0
    try:
        manage_data.main(["check", *arguments])
    except SystemExit as e:
        status = e.code
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def test_check_reads_the_plugins_it_is_given(server, entry, capsys):
    status, out = check(capsys, f"{entry}=./my/set")
    assert status == 1 and "capital" in out and "ready" not in out
    status, out = check(capsys, f"{entry}=./my/set", "--plugins", "capital.yaml")
    assert status == 0, out
    assert "capital:dataset=./my/set: ready, 2 test, 2 train instances from 2 files (" in out and "1 of 1 ready." in out
    status, out = check(capsys, f"{entry}=./my/set", "--plugins", "not_there.yaml")
    assert status == 1 and "not_there.yaml" in out and out.count("\n") == 1


@pytest.mark.parametrize("how", ["--offline", "HELM_OFFLINE", "HF_HUB_OFFLINE"])
def test_check_offline_looks_where_an_offline_run_looks(server, entry, capsys, tmp_path, monkeypatch, how):
    """In the cache of the Hub's own tools, that is, which is not asked while there is a network."""
    repository, commit = tmp_path / "hub" / "datasets--owner--capital", "a" * 40
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(commit)
    shutil.copytree(tmp_path / "my" / "set", repository / "snapshots" / commit)
    arguments = [f"{entry}=owner/capital", "--plugins", "capital.yaml"]
    status, out = check(capsys, *arguments)
    assert status == 1 and "capital:dataset=owner/capital: 1 to fetch" in out
    if how == "--offline":
        arguments.append(how)
    else:
        monkeypatch.setenv(how, "1")
    status, out = check(capsys, *arguments)
    assert status == 0 and "ready, 2 test, 2 train instances" in out
    shutil.rmtree(repository)
    status, out = check(capsys, *arguments)
    assert status == 1 and "1 to fetch" in out and "https://huggingface.co/api/datasets/owner/capital/" in out
    assert server.requests == []


def test_a_run_on_a_local_folder_has_a_name_and_notes_its_bytes(server, entry, tmp_path, capsys):
    for path in ("./my/set", str(tmp_path / "my/set")):
        arguments = ["--plugins", "capital.yaml", "-m", "2", "--suite", "s", "--offline"]
        run.main(["-r", f"{entry}={path},model=simple/model1", *arguments])
        name = f"capital:dataset={path.replace('/', '_')},model=simple_model1"
        folder = tmp_path / "benchmark_output/runs/s" / name
        spec = json.loads((folder / "run_spec.json").read_text())
        assert spec["name"] == name and spec["scenario_spec"]["args"] == {"dataset": path}
        states = json.loads((folder / "scenario_state.json").read_text())["request_states"]
        assert {state["instance"]["input"]["text"] for state in states} == {"Capital of France?", "Of Italy?"}
        noted = json.loads((folder / "data_sources.json").read_text())
        assert [(used["name"], used["split"], used["rows"]) for used in noted["data_sets"]] == [
            (path, "train", 2), (path, "test", 2),
        ]  # fmt: skip
        assert [file["url"] for file in noted["files"]] == [
            f"{path}/data/test-00000-of-00001.parquet", f"{path}/data/train-00000-of-00001.parquet",
        ]  # fmt: skip
    (tmp_path / "my/set/data/test-00000-of-00001.parquet").write_bytes(
        parquet_bytes([{"question": "?", "answer": "x"}])
    )
    capsys.readouterr()
    with pytest.raises(SystemExit):
        run.main(["-r", f"{entry}=./my/set,model=simple/model1", "-n", "1", *arguments])
    assert "is not what benchmark_output/helm-data.lock says of ./my/set/data/test" in capsys.readouterr().err
