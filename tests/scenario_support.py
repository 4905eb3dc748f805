"""One case of `helm-scenarios/fixtures_*.json`, run as `helm-run` would: recipe, scenario, data from a server, requests.

with case_environment(case, tmp_path, monkeypatch) as environment:
    mismatches = compare_case(case, environment)
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from data_server import DataServer, add_case, data_server, prepare_folders

FIXTURE_FILES = [
    "helm-scenarios/fixtures_classic.json",
    "helm-scenarios/fixtures_classic2.json",
    "helm-scenarios/fixtures_finance_long_sql_other.json",
    "helm-scenarios/fixtures_lite_capabilities.json",
    "helm-scenarios/fixtures_safety_instruct.json",
    "helm-scenarios/fixtures_ruler.json",
]
PASSAGE_QUESTION_CASES = {
    *("bbq", "bbq_b", "civil_comments", "news_qa", "news_qa_b", "boolq", "boolq_b", "lsat_qa", "lsat_qa_b", "babi_qa"),
    *("verifiability_judgment", "opinions_qa_b", "narrative_qa", "natural_qa_b"),
    *("natural_qa_longans", "natural_qa_longans_b", "tydiqa", "xquad", "xquad_vi", "indicqa"),
    *("melt_question_answering_mlqa", "melt_question_answering_mlqa_weak", "melt_question_answering_mlqa_medium"),
    *("melt_question_answering_xquad", "melt_knowledge_vimmrc", "melt_knowledge_vimmrc_shuffled"),
    *("mental_health", "medalign", "medcalc_bench", "pubmed_qa"),
}
"""Cases whose inputs are `PassageQuestionInput` in crfm-helm 0.5.16, where such an input never equals its perturbed copy."""

_MODEL = "simple/model1"
_MAX_TOKENS = 100
_NUM_EVAL_INSTANCES = 2
_NUM_REQUESTS = 6


@dataclass(frozen=True)
class CaseEnvironment:
    """Folders of one case, and the server that has its data."""

    server: DataServer
    working_folder: Path
    output_path: Path

    def cache_folder(self, scenario_name: str) -> Path:
        return self.output_path / "scenarios" / scenario_name


@contextmanager
def case_environment(case: dict[str, Any], tmp_path: Path, monkeypatch: Any) -> Iterator[CaseEnvironment]:
    """A working folder with the user's own files, and all downloads served; nothing else can be reached."""
    from helm.common.commands.output_path import benchmark_output_path

    with data_server() as server:
        add_case(server, case)
        for name in ("HELM_OFFLINE", "HF_HUB_OFFLINE", "HF_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {**server.environment(), "XDG_CACHE_HOME": str(tmp_path / "cache")}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        environment = CaseEnvironment(server, tmp_path, tmp_path / "benchmark_output")
        prepare_folders(case, tmp_path, environment.cache_folder(case["scenario_name"]))
        with benchmark_output_path(str(environment.output_path)):
            yield environment


def compare_case(case: dict[str, Any], environment: CaseEnvironment) -> None:
    """Fails at the first thing that is not as in the case: RunSpec, scenario, instances, requests."""
    run_spec = make_run_spec(case)
    check_run_spec(case, run_spec)
    scenario, instances = load_instances(run_spec, environment)
    check_scenario(case, scenario)
    check_instances(case, instances)
    check_requests(case, run_spec, instances)


def make_run_spec(case: dict[str, Any]) -> Any:
    from helm.benchmark.run_spec import get_run_spec_function

    function = get_run_spec_function(case["run_spec_function"])
    assert function is not None, f"no run spec function '{case['run_spec_function']}'"
    return function(**case["args"])


def check_run_spec(case: dict[str, Any], run_spec: Any) -> None:
    expected = json.loads(json.dumps(case["run_spec"]))
    for spec in [expected["scenario_spec"], *expected["metric_specs"], *expected.get("annotators", [])]:
        spec.setdefault("args", {})
    got = compact_run_spec(run_spec)
    if case["run_spec_function"] == "big_bench":  # its metric names come from a set
        for spec in [*got["metric_specs"], *expected["metric_specs"]]:
            spec["args"] = {k: sorted(v) if k == "names" else v for k, v in spec["args"].items()}
    assert got == expected, "the RunSpec differs"


def compact_run_spec(run_spec: Any) -> dict[str, Any]:
    """A RunSpec as the vectors write it: the adapter's fields that are not the default, annotators only if any."""
    from helm.benchmark.adaptation.adapter_spec import AdapterSpec

    defaults = asdict(AdapterSpec())
    result = {
        "name": run_spec.name,
        "scenario_spec": _compact(run_spec.scenario_spec),
        "adapter_spec": {k: v for k, v in asdict(run_spec.adapter_spec).items() if v != defaults[k]},
        "metric_specs": [_compact(spec) for spec in run_spec.metric_specs],
        "groups": list(run_spec.groups),
    }
    if run_spec.annotators:
        result["annotators"] = [_compact(spec) for spec in run_spec.annotators]
    return json.loads(json.dumps(result))


def _compact(spec: Any) -> dict[str, Any]:
    return {"class_name": spec.class_name, "args": dict(spec.args)}


def load_instances(run_spec: Any, environment: CaseEnvironment) -> Any:
    """The scenario and its instances, read by its own loader from the server."""
    from helm.benchmark.scenarios.scenario import create_scenario, get_scenario_cache_path

    scenario = create_scenario(run_spec.scenario_spec)
    return scenario, scenario.get_instances(get_scenario_cache_path(str(environment.output_path), scenario.name))


def check_scenario(case: dict[str, Any], scenario: Any) -> None:
    assert (scenario.name, scenario.tags) == (case["scenario_name"], case["scenario_tags"])
    assert scenario.description and scenario.definition_path
    try:
        metadata = scenario.get_metadata()
    except NotImplementedError:
        assert case["metadata"] is None, "the scenario has no metadata"
        return
    assert case["metadata"] is not None, f"the original has no metadata, but here is {metadata}"
    got = {name: getattr(metadata, name) for name in ("name", "main_metric", "main_split", "display_name")}
    expected = dict(case["metadata"])
    taxonomy = expected.pop("taxonomy", None)
    assert got == {name: expected.get(name) for name in got}
    if taxonomy is not None:
        assert asdict(metadata.taxonomy) == {**dict.fromkeys(asdict(metadata.taxonomy)), **taxonomy}


def check_instances(case: dict[str, Any], instances: list[Any]) -> None:
    check_input_types(case, [instance.input for instance in instances])
    got = [compact_instance(instance) for instance in instances[: len(case["instances"])]]
    for i, (instance, expected) in enumerate(zip(got, case["instances"], strict=False)):
        assert instance == expected, f"instance {i} differs"
    assert len(instances) == case["num_instances"]
    assert instances_digest(instances) == case["instances_sha256"], "the digest of all instances differs"


def check_input_types(case: dict[str, Any], inputs: list[Any]) -> None:
    """The class decides whether copies that a perturbation leaves unchanged are asked."""
    expected = "PassageQuestionInput" if case["id"] in PASSAGE_QUESTION_CASES else "Input"
    assert {type(input).__name__ for input in inputs} <= {expected}


def compact_instance(instance: Any) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if instance.input.messages is not None:
        result["messages"] = instance.input.messages
    else:
        result["input"] = instance.input.text
    result.update(references=references_of(instance.references), split=instance.split)
    for name in ("sub_split", "id", "extra_data"):
        if getattr(instance, name) is not None:
            result[name] = getattr(instance, name)
    if instance.contrast_inputs is not None:
        result["contrast_inputs"] = [contrast.text for contrast in instance.contrast_inputs]
    if instance.contrast_references is not None:
        result["contrast_references"] = [references_of(references) for references in instance.contrast_references]
    return json.loads(json.dumps(result))


def references_of(references: list[Any]) -> list[Any]:
    return [[reference.output.text, list(reference.tags)] for reference in references]


def instances_digest(instances: list[Any]) -> str:
    rows = [[instance.split, instance.input.text, references_of(instance.references)] for instance in instances]
    lines = [json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in rows]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def check_requests(case: dict[str, Any], run_spec: Any, instances: list[Any]) -> None:
    got = make_requests(run_spec, instances)
    for i, (request, expected) in enumerate(zip(got, case["prompts"], strict=False)):
        assert request == expected, f"request {i} differs"
    assert len(got) == len(case["prompts"])


def make_requests(run_spec: Any, instances: list[Any]) -> list[dict[str, Any]]:
    """The first requests of all train and the first two evaluation instances, for a model of 2048 tokens of context."""
    from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
    from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
    from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT
    from helm.benchmark.scenarios.scenario import EVAL_SPLITS, TRAIN_SPLIT, with_instance_ids
    from helm.benchmark.window_services.tokenizer_service import TokenizerService
    from helm.common.local_context import LocalContext

    if _MODEL not in DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT:
        register_builtin_configs_from_helm_package()
    adapter_spec = run_spec.adapter_spec
    adapter_spec = replace(
        adapter_spec, model=_MODEL, model_deployment=_MODEL, max_tokens=min(adapter_spec.max_tokens, _MAX_TOKENS)
    )
    numbered = with_instance_ids(instances)
    train = [instance for instance in numbered if instance.split == TRAIN_SPLIT]
    evaluated = [instance for instance in numbered if instance.split in EVAL_SPLITS]
    adapter = AdapterFactory.get_adapter(adapter_spec, TokenizerService(LocalContext("prod_env")))
    states = adapter.adapt([*train, *evaluated[:_NUM_EVAL_INSTANCES]], 1)
    return [_compact_state(state) for state in states[:_NUM_REQUESTS]]


def _compact_state(state: Any) -> dict[str, Any]:
    result = {
        "instance_id": state.instance.id,
        "train_trial_index": state.train_trial_index,
        "reference_index": state.reference_index,
        "request_mode": state.request_mode,
        "prompt": state.request.prompt,
        "messages": state.request.messages,
        "output_mapping": state.output_mapping,
    }
    return json.loads(json.dumps({name: value for name, value in result.items() if value is not None}))
