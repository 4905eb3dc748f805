"""How much of a run its scores rest on: counted, written beside HELM's files, shown beside scores."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricName, PerInstanceStats, Stat
from helm.benchmark.presentation import summarize
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.codec import dump_json
from helm.common.evaluate_request import EvaluateResult
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import ErrorFlags, GeneratedOutput, Request, RequestResult, Token
from helm.results.coverage import (
    Coverage,
    CoverageCounter,
    VerdictCounts,
    classify_answer,
    count_coverage,
    read_coverage,
)
from helm.results.coverage_note import CoverageNotes
from helm.results.covered_states import iterate_covered_states
from helm.results.run_results import RunResults, load
from results_support import edit_json, helm_run
from viewer_support import VECTOR_RUNS, make_output, write_vector_runs

RIGHT = Reference(Output("yes"), tags=[CORRECT_TAG])
WRONG = Reference(Output("no"), tags=[])


def make_state(
    *texts: str,
    success: bool = True,
    error: str | None = None,
    reason: str | None = None,
    annotations: dict[str, Any] | None = None,
    references: list[Reference] | None = None,
    truncated: bool = False,
    **request: Any,
) -> RequestState:
    finish_reason = {"reason": reason} if reason else None
    completions = [GeneratedOutput(text=text, logprob=0, tokens=[], finish_reason=finish_reason) for text in texts]
    flags = None if success else ErrorFlags(is_retriable=False, is_fatal=False)
    return RequestState(
        instance=Instance(Input("?"), [RIGHT] if references is None else references, split="test", id="id0"),
        reference_index=None,
        request_mode=None,
        train_trial_index=0,
        output_mapping=None,
        request=Request(**request),
        result=RequestResult(success, [], completions, cached=False, error=error, error_flags=flags),
        num_train_instances=0,
        prompt_truncated=truncated,
        annotations=annotations,
    )


def count(*states: RequestState) -> Coverage:
    return count_coverage(states, [], [], [])


def test_every_request_has_one_outcome() -> None:
    states = [
        make_state("yes"),
        make_state("", "second"),
        make_state("x", reason="length"),
        make_state("", max_tokens=0),  # asks for log-probabilities only
        make_state(" \n"),
        make_state(""),
        make_state("", reason="length"),
        make_state("", success=False, error="timeout"),
        make_state("", success=False, error="The response was BLOCKED by content_filter"),
        make_state("", reason="content_filter"),
        replace(make_state("x"), result=None),
    ]
    coverage = count(*states)
    requests = coverage.requests
    assert (requests.asked, requests.answered, requests.empty, requests.failed, requests.filtered) == (10, 4, 3, 1, 2)
    assert (requests.unsent, requests.cut_at_max_tokens) == (1, 2)
    assert requests.asked == requests.answered + requests.empty + requests.failed + requests.filtered
    assert coverage.coverage == 0.4
    assert coverage.describe() == "4 of 10 requests answered: 3 empty, 1 failed, 2 filtered"


def test_an_embedding_is_an_answer() -> None:
    state = make_state(embedding=True)
    assert state.result is not None
    assert count(replace(state, result=replace(state.result, embedding=[0.5]))).coverage == 1


@pytest.mark.parametrize(
    ("success", "has_content", "reasons", "error", "outcome", "expected"),
    [
        (True, True, [], None, None, "answered"),
        (True, True, ["safety"], None, None, "answered"),
        (True, False, [], None, None, "empty"),
        (True, False, ["stop", "safety"], None, None, "filtered"),
        (False, True, [], None, None, "failed"),
        (False, False, ["blocked"], None, None, "filtered"),
        (False, False, [], "Against the Content Policy", None, "filtered"),
        (False, False, [], "no connection", None, "failed"),
        (False, False, ["blocked"], "blocked", "server", "failed"),
        (False, False, [], "no connection", "filtered", "filtered"),
        (True, True, ["image_safety"], None, "filtered", "filtered"),
    ],
)
def test_what_became_of_a_request(
    success: bool, has_content: bool, reasons: list[str], error: str | None, outcome: str | None, expected: str
) -> None:
    assert classify_answer(success, has_content, reasons, error, outcome) == expected


def test_outcomes_of_failures_are_counted_in_the_order_of_their_names() -> None:
    def with_outcome(outcome: str | None, success: bool = False) -> RequestState:
        state = make_state("x", success=success)
        assert isinstance(state.result, RequestResult)
        return replace(state, result=replace(state.result, outcome=outcome))

    outcomes = count(*map(with_outcome, ["timed-out", "refused", None, "timed-out"]), with_outcome("ok", True))
    assert list(outcomes.requests.outcomes.items()) == [("refused", 1), ("timed-out", 2)]
    assert (outcomes.requests.answered, outcomes.requests.failed) == (1, 4)


def test_a_picture_is_an_answer_and_no_completion_is_none() -> None:
    picture, none = make_state(""), make_state(max_tokens=0)
    assert isinstance(picture.result, RequestResult)
    content = MultimediaObject([MediaObject(content_type="image/png", location="https://example.org/a.png")])
    completion = replace(picture.result.completions[0], multimodal_content=content)
    coverage = count(replace(picture, result=replace(picture.result, completions=[completion])), none)
    assert (coverage.requests.answered, coverage.requests.empty, coverage.requests.cut_at_max_tokens) == (1, 1, 0)


def test_what_tools_did_is_counted_by_its_status() -> None:
    def measured(status: str) -> Any:
        return replace(
            make_state("x"), result=EvaluateResult(success=status == "ok", status=status), annotations={"a": {"b": 1}}
        )

    coverage = count(*map(measured, ["ok", "timeout", "error", "ok"]))
    requests = coverage.requests
    assert (requests.asked, requests.answered, requests.failed, coverage.coverage) == (4, 2, 2, 0.5)
    assert list(requests.status.items()) == [("error", 1), ("ok", 2), ("timeout", 1)]
    assert requests.across_token_boundary == 0 and coverage.annotations["a"].verdicts["b"].given == 4


def test_the_policy_and_what_it_left_out_are_kept() -> None:
    coverage = count_coverage([make_state("x")], [], [], [], "exclude", 3)
    assert (coverage.on_failure, coverage.requests.excluded) == ("exclude", 3)
    assert (count(make_state("x")).on_failure, count(make_state("x")).requests.excluded) == (None, 0)


def test_instances_and_prompts() -> None:
    twice = make_state("x", truncated=True)
    coverage = count(twice, twice, make_state("x", references=[]), make_state("x", references=[WRONG]))
    assert dump_json(coverage.instances).split() == dump_json(
        {"total": 3, "without_references": 1, "without_correct_reference": 2}
    ).split()  # fmt: skip
    assert coverage.requests.prompt_truncated == 2
    assert count(twice, make_state("x"), make_state("x")).requests.prompt_truncated == 1


def test_instances_are_told_apart_by_their_key_or_while_they_pass_by() -> None:
    counter = CoverageCounter()
    for _ in range(100):
        counter.add_state(make_state("x"))  # nobody else holds it, so its identity may come again
    assert counter.finish().instances.total == 100
    keyed = CoverageCounter()
    for number in range(100):
        keyed.add_state(make_state("x"), instance_key=number % 7)
    assert keyed.finish().instances.total == 7


def test_a_run_of_which_nothing_was_asked_has_no_share() -> None:
    coverage = count(replace(make_state("x"), result=None))
    assert (coverage.coverage, coverage.requests.unsent, coverage.requests.asked) == (None, 1, 0)
    assert count().coverage is None


@pytest.mark.parametrize(
    ("tokens", "is_inside"),
    [
        (["?", " yes"], False),
        (["?", "yes"], False),
        (["?", " ", "yes"], False),
        (["?", " y", "es"], False),
        (["? yes"], True),
        (["?y", "es"], True),
        (["?", "yes", "!"], False),
        (["es"], False),
        ([], False),
    ],
)
def test_references_that_begin_inside_of_a_token(tokens: list[str], is_inside: bool) -> None:
    state = replace(make_state("", max_tokens=0, echo_prompt=True, prompt="? yes"), reference_index=0)
    assert isinstance(state.result, RequestResult)
    completion = replace(state.result.completions[0], tokens=[Token(text=text, logprob=0.0) for text in tokens])
    state = replace(state, result=replace(state.result, completions=[completion]))
    assert count(state, state).requests.across_token_boundary == 2 * is_inside
    assert isinstance(state.request, Request)
    for other in (
        replace(state, reference_index=None),
        replace(state, reference_index=1),
        replace(state, request=replace(state.request, echo_prompt=False)),
        replace(state, result=replace(state.result, completions=[])),
    ):
        assert count(other).requests.across_token_boundary == 0


def test_judgements_that_could_not_be_read_are_counted() -> None:
    annotations: list[dict[str, Any]] = [
        {"safety": {"prompt_text": "p", "gpt_score": 0.5, "gpt_reasoning": "r"}, "jury": {"prompt_text": "p", "gpt": {"a": 1}}},
        {"safety": {"prompt_text": "p", "gpt_score": None, "gpt_reasoning": None}, "jury": {"prompt_text": "p"}},
        {"safety": {"prompt_text": None, "empty_output_score": 1.0}, "jury": {"prompt_text": "p", "gpt": {"a": 1}}},
    ]  # fmt: skip
    coverage = count(*(make_state("x", annotations=item) for item in annotations))
    assert json.loads(dump_json(coverage.annotations)) == {
        "jury": {"states": 3, "empty_output": 0, "verdicts": {"gpt": {"given": 2, "missing": 1}}},
        "safety": {"states": 3, "empty_output": 1, "verdicts": {"gpt_score": {"given": 1, "missing": 1}}},
    }


@pytest.mark.parametrize("score", [float("nan"), float("inf"), None])
def test_a_score_that_is_no_number_is_no_judgement(score: Any) -> None:
    states = [make_state("x", annotations={"judge": {"gpt_score": value}}) for value in (score, 0.5, True)]
    assert count(*states).annotations["judge"].verdicts["gpt_score"] == VerdictCounts(given=2, missing=1)


@pytest.mark.parametrize(
    ("key", "values", "given"),
    [
        ("gpt_score", ["a", None, "b"], 2),
        ("my_judgement", [None, None], 0),
        ("reasoning", ["a", "b"], None),
        ("rank", [1, None, 2.5], 2),
        ("jury", [{"a": 1}, None], 1),
    ],
)
def test_which_entries_of_an_annotation_are_judgements(key: str, values: list[Any], given: int | None) -> None:
    """Numbers, objects, and what is called a score or a judgement."""
    found = count(*(make_state("x", annotations={"judge": {key: value}}) for value in values)).annotations["judge"]
    expected = {} if given is None else {key: VerdictCounts(given=given, missing=len(values) - given)}
    assert (found.states, found.empty_output, found.verdicts) == (len(values), 0, expected)


def test_judges_and_judgements_are_in_the_order_of_their_names() -> None:
    judged = {"z": {"b": 1, "a": 2}, "a": {"empty_output_x": 1.0, "score": 1.0}}
    annotations = count(make_state("x", annotations=judged), make_state("x", annotations=2.0)).annotations
    assert list(annotations) == ["", "a", "z"] and list(annotations["z"].verdicts) == ["a", "b"]
    assert (annotations["a"].empty_output, annotations["a"].verdicts) == (1, {})
    assert annotations[""].verdicts[""] == VerdictCounts(given=1, missing=0)


@pytest.mark.parametrize("odd", [None, [], [1], {"x": None}, {"x": [{"all_caps": "A"}]}, {"x": 3}, {"": {}}])
def test_annotations_of_any_shape_are_counted(odd: Any) -> None:
    assert count(make_state("x", annotations=odd), make_state("x")).coverage == 1


def test_what_statistics_leave_out_is_counted() -> None:
    nan, empty, good = Stat(MetricName("a")).add(float("nan")), Stat(MetricName("b")), Stat(MetricName("c")).add(1)
    entries = [PerInstanceStats(f"id{i}", None, 0, [nan, empty, good]) for i in range(3)]
    counts = count_coverage([make_state("x")], [nan, good], entries, []).stats
    assert counts.nan_removed == {"a": 1}
    assert counts.nan_removed_per_instance == {"a": 3} and counts.without_value == {"b": 3}


class ToxicMetric(MetricInterface):
    def evaluate(self, *args: Any) -> Any:
        raise NotImplementedError

    def get_metadata(self) -> list[MetricMetadata]:
        return [MetricMetadata("toxicity", lower_is_better=True), MetricMetadata("exact_match", lower_is_better=False)]


class SilentMetric(ToxicMetric):
    def __init__(self, error: type[Exception] = NotImplementedError):
        self.error = error

    def get_metadata(self) -> list[MetricMetadata]:
        raise self.error


def test_worst_is_the_largest_where_lower_is_better() -> None:
    typos = PerturbationDescription("typos", robustness=True)
    state = make_state("x")
    perturbed = replace(state, instance=replace(state.instance, perturbation=typos))

    def entry(perturbation: PerturbationDescription | None, value: float) -> PerInstanceStats:
        names = [MetricName(name, "test", None, perturbation) for name in ("toxicity", "exact_match")]
        return PerInstanceStats("id0", perturbation, 0, [Stat(name).add(value) for name in names])

    entries = [entry(None, 0.25), entry(typos, 0.75)]
    metrics = [SilentMetric(), SilentMetric(AttributeError), ToxicMetric()]
    coverage = count_coverage([state, perturbed], [], entries, metrics)
    assert count_coverage([perturbed, state], [], entries, metrics).worst_case == coverage.worst_case
    assert not count_coverage([perturbed, state], [], entries, metrics[:2]).worst_case
    assert [(stat.name.name, stat.name.perturbation.name, stat.mean) for stat in coverage.worst_case] == [
        ("toxicity", "robustness", 0.75), ("toxicity", "typos", 0.75),
    ]  # type: ignore[union-attr]  # fmt: skip
    assert not count_coverage([state], [], entries, [ToxicMetric()]).worst_case  # nothing was perturbed
    sets = [Stat(MetricName("toxicity@5", "test", None, perturbation)).add(1) for perturbation in (None, typos)]
    others = [PerInstanceStats("id0", stat.name.perturbation, 0, [stat]) for stat in sets]
    found = count_coverage([state, perturbed], [], others, metrics).worst_case
    assert {stat.name.name for stat in found} == {"toxicity@5"}


PLUGIN = '''
from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, register_model_deployment
from helm.benchmark.model_metadata_registry import ModelMetadata, register_model_metadata
from helm.clients.simple_client import SimpleClient
from helm.common.request import ErrorFlags, RequestResult
from dataclasses import replace
from datetime import date


class FlakyClient(SimpleClient):
    """Some questions fail and some get no answer."""

    def make_request(self, request):
        result = super().make_request(request)
        kind = sum(map(ord, request.prompt)) % 3
        if kind == 1:
            return RequestResult(False, [], [], False, error="no", error_flags=ErrorFlags(False, False))
        if kind == 2:
            return replace(result, completions=[replace(c, text="") for c in result.completions])
        return result


register_model_metadata(ModelMetadata(
    "lab/flaky", "lab", "Flaky", "Fails", "open", date(2026, 1, 1), tags=["TEXT_MODEL_TAG"]))
register_model_deployment(ModelDeployment(
    "lab/flaky", ClientSpec("flaky.FlakyClient"), model_name="lab/flaky", tokenizer_name="simple/tokenizer1",
    max_sequence_length=2048))
'''


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(str(folder))
        patch.delitem(sys.modules, "flaky", raising=False)
        Path("flaky.py").write_text(PLUGIN)
        entries = [f"simple_short_answer_qa:model={model}" for model in ("lab/flaky", "simple/model1")]
        return folder / helm_run(*entries, flags=["--plugins", "flaky.py"])


@pytest.fixture
def suite(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("benchmark_output/runs/s")
    shutil.copytree(finished, path)
    return path


def test_a_run_with_failures_says_so_beside_its_scores(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = suite / "simple_short_answer_qa:model=lab_flaky"
    coverage = read_coverage(str(folder))
    assert coverage is not None and coverage.requests.failed and coverage.requests.empty
    assert coverage.requests.asked == coverage.instances.total
    assert dump_json(coverage) == (folder / "coverage.json").read_text()
    percent = 100 * coverage.requests.answered // coverage.requests.asked
    Path("schema.yaml").write_text(
        "metrics: [{name: exact_match, display_name: EM, lower_is_better: false}]\n"
        "metric_groups: [{name: m, display_name: M, metrics: [{name: exact_match, split: __all__}]}]\n"
        "run_groups: [{name: simple_short_answer_qa, display_name: S, metric_groups: [m]}]\n"
    )
    summarize.main(["--suite", "s", "--schema-path", "schema.yaml"])
    out = capsys.readouterr().out
    assert f"({percent}% answered)" in out and out.count("% answered)") == 1
    assert f"({percent}% answered)" in (suite / "index.html").read_text()
    files_of_the_original = [path for path in (suite / "groups").rglob("*.*") if path.suffix in (".json", ".tex")]
    assert files_of_the_original and not any("answered" in path.read_text() for path in files_of_the_original)


def test_damaged_and_missing_files_leave_the_score(suite: Path) -> None:
    folder = suite / "simple_short_answer_qa:model=lab_flaky"
    assert CoverageNotes().describe([str(folder)]).endswith("% answered")
    (folder / "coverage.json").write_text("{")
    assert CoverageNotes().describe([str(folder)]) == ""
    (folder / "coverage.json").unlink()
    assert CoverageNotes().describe([str(folder)]) == ""


def test_the_file_is_the_same_every_time_and_dry_runs_have_none(suite: Path) -> None:
    folder = suite / "simple_short_answer_qa:model=simple_model1"
    before = (folder / "coverage.json").read_bytes()
    helm_run("simple_short_answer_qa:model=simple/model1")
    assert (folder / "coverage.json").read_bytes() == before
    helm_run("simple_short_answer_qa:model=simple/model1", flags=["--dry-run"])
    assert not (folder / "coverage.json").exists()


def count_with_care(run: RunResults) -> str:
    counter = CoverageCounter()
    for state in run.iterate_request_states():
        counter.add_state(state)
    return dump_json(counter.finish())


def give_times(scenario_state: Any) -> None:
    """Vectors have words in their places."""
    for state in scenario_state["request_states"]:
        if state.get("result"):
            state["result"].update(request_time=0.5, request_datetime=1_700_000_000)


@pytest.mark.parametrize("name", sorted(path.stem for path in VECTOR_RUNS.glob("*.json")))
def test_runs_without_the_file_are_counted_alike_in_both_ways(name: str, tmp_path: Path) -> None:
    write_vector_runs(tmp_path / "suite", name)
    for run in load(str(tmp_path / "suite")):
        if "scenario_state.json" in run.file_names:
            edit_json(Path(run.path) / "scenario_state.json", give_times)
            assert list(iterate_covered_states(run.file_path("scenario_state.json"), True))
            assert dump_json(run.coverage()) == count_with_care(run)


def test_tools_and_compilers_are_counted_alike_in_both_ways(tmp_path: Path) -> None:
    for run in load(str(make_output(tmp_path))):
        assert dump_json(run.coverage()) == count_with_care(run)


def test_states_of_another_layout_are_counted_too(suite: Path) -> None:
    for folder in sorted(suite.iterdir()):
        if not (folder / "scenario_state.json").is_file():
            continue
        before = dump_json(read_coverage(str(folder)).requests)  # type: ignore[union-attr]
        (folder / "coverage.json").unlink()
        state = json.loads((folder / "scenario_state.json").read_text())
        (folder / "scenario_state.json").write_text(json.dumps(state))
        assert dump_json(RunResults(str(folder)).coverage().requests) == before
