"""What readers of run files take from the dataclasses that were written, and what they leave out."""

import dataclasses
import importlib
import json
from pathlib import Path

import msgspec
import pytest

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.scenarios.scenario import Input, Instance, Reference
from helm.common.request import Request
from helm.results.run_files.run_schema import drop_nones, mirror, project, stat_from_getter

SOURCE = Path(__file__).parent.parent.parent / "src"

TEXTS = "texts are not needed"
NUMBERS = "only the value counts"
COUNTED = "counted or timed elsewhere, in tables and pages of their own"
TOLD_APART = "values are told apart by name alone"
LATER = "pages read it from the files themselves"
SMALL = "one or two settings of many are needed"

# Reader and dataclass: why, and what it leaves out. A field that is new in a dataclass belongs into its readers or here.
LEFT_OUT = {
    "run_display._MetricName MetricName": (TOLD_APART, "perturbation"),
    "run_display._Stat Stat": (NUMBERS, "count sum sum_squared min max variance stddev"),
    "run_display._Token Token": (TEXTS, "logprob"),
    "run_display._Completion GeneratedOutput": (LATER, "logprob finish_reason tool_calls"),
    "run_display._Result RequestResult": (
        COUNTED,
        "embedding cached request_time request_datetime error_flags batch_size batch_request_time outcome usage",
    ),
    "run_display._SubjectResult EvaluateResult": (
        COUNTED, "kind timings elapsed_ns resolved_input machine runs_by_process",
    ),
    "run_display._SubjectResult EpisodeResult": (
        COUNTED,
        "kind rewards initial_observations observations num_actions_tried elapsed_s policy_s validation baselines "
        "is_budget_used_up program_sha256 dialog failed_actions failed_trials",
    ),
    "run_display._AdapterSpec AdapterSpec": (SMALL, "*"),
    "run_display._State RequestState": (LATER, "num_train_instances prompt_truncated num_conditioning_tokens"),
    "run_display._SubjectState RequestState": (LATER, "num_train_instances prompt_truncated num_conditioning_tokens"),
    "run_display._ScenarioState ScenarioState": (LATER, "annotator_specs"),
    "run_display._SubjectScenarioState ScenarioState": (LATER, "annotator_specs"),
    "coverage_note._Requests RequestCounts": (SMALL, "*"),
    "coverage_note._Coverage Coverage": (SMALL, "*"),
    "instance_values._Name MetricName": ("the entry around it has the perturbation", "perturbation"),
    "instance_values._Stat Stat": (NUMBERS, "count sum sum_squared min max variance stddev"),
    "instance_values._Instance Instance": (TEXTS, "references contrast_inputs contrast_references"),
    "instance_values._StateInstance RequestState": (
        "only the instance is needed",
        "reference_index request_mode train_trial_index output_mapping request result num_train_instances "
        "prompt_truncated num_conditioning_tokens annotations extracted epoch",
    ),
    "instance_values._AskedStateFields RequestState": (
        "only what was asked is needed",
        "output_mapping result num_train_instances prompt_truncated num_conditioning_tokens annotations extracted",
    ),
    "instance_values._AnsweredStateFields RequestState": (
        "only what was asked and answered is needed",
        "output_mapping num_train_instances prompt_truncated num_conditioning_tokens annotations",
    ),
    "timings._Result EvaluateResult": (
        "only times are needed", "kind output error status elapsed_ns resolved_input machine runs_by_process",
    ),
    "coverage_note._Answers AnswerCounts": (
        "the warning says it", "answers cut_at_max_tokens cut_at_stop refused empty empty_after_thinking unparsable",
    ),
    "covered_states._Output Output": (TEXTS, "multimedia_content"),
    "covered_states._Instance Instance": (
        "only references are counted",
        "input split sub_split id perturbation contrast_inputs contrast_references extra_data",
    ),
    "covered_states.CoveredRequest Request": (
        "only what says that no text was asked for",
        "model_deployment model embedding prompt temperature num_completions top_k_per_token stop_sequences top_p "
        "presence_penalty frequency_penalty random messages multimodal_prompt image_generation_parameters "
        "response_format tools options continuation",
    ),
    "covered_states._Token Token": (NUMBERS, "logprob"),
    "covered_states._Completion GeneratedOutput": ("not counted", "logprob thinking tool_calls"),
    "covered_states.CoveredAnswer RequestResult": (
        "not counted", "cached request_time request_datetime error_flags batch_size batch_request_time usage",
    ),
    "covered_states._Measured EvaluateResult": (
        "only success is counted",
        "kind output timings error elapsed_ns resolved_input machine runs_by_process",
    ),
    "covered_states._Measured EpisodeResult": (
        "only success is counted",
        "kind actions rewards initial_observations observations error num_actions_tried elapsed_s policy_s validation "
        "baselines is_budget_used_up program_sha256 dialog failed_actions failed_trials",
    ),
    "covered_states._Measured AgentResult": (
        "only success is counted",
        "kind cause error limit answer reward rewards checks state artifacts events usage counts elapsed_s working_s "
        "environment divergence resumed_at",
    ),
    "covered_states._AnsweredStateFields RequestState": (
        "the instance is decoded only once; the others are not counted",
        "instance request_mode train_trial_index output_mapping num_train_instances num_conditioning_tokens "
        "extracted epoch",
    ),
    "covered_states._MeasuredStateFields RequestState": (
        "as above, and every request is one",
        "instance request_mode train_trial_index output_mapping request num_train_instances num_conditioning_tokens "
        "extracted epoch",
    ),
    "helm_runs._RunSpec RunSpec": (
        "only how outputs were judged",
        "name scenario_spec adapter_spec data_augmenter_spec groups annotators executor_spec extractor_spec epochs",
    ),
    "helm_runs._Request EvaluateRequest": ("large, and not reported", "input input_from"),
    "helm_runs._Result EvaluateResult": (
        "large, or not reported", "kind output error elapsed_ns resolved_input runs_by_process",
    ),
    "helm_runs._Instance Instance": (
        "only its id is needed",
        "input references split sub_split perturbation contrast_inputs contrast_references extra_data",
    ),
    "helm_runs._RequestState RequestState": (
        "AD tools have none of it",
        "reference_index request_mode train_trial_index output_mapping num_train_instances prompt_truncated "
        "num_conditioning_tokens annotations extracted epoch",
    ),
    "helm_runs._AdapterSpec AdapterSpec": (SMALL, "*"),
    "helm_runs._ScenarioState ScenarioState": ("AD tools have none", "annotator_specs"),
    "helm_runs._StatName MetricName": (TOLD_APART, "split sub_split perturbation"),
    "helm_runs._Stat Stat": (NUMBERS, "count sum_squared min max mean variance stddev"),
    "helm_runs._InstanceStats PerInstanceStats": ("AD tools have neither", "perturbation train_trial_index"),
}  # fmt: skip


def projections():
    """Name of each reader and its dataclass -> what it does not take."""
    found = {}
    for path in sorted((SOURCE / "helm").rglob("*.py")):
        if "run_schema import" not in path.read_text(encoding="utf-8"):
            continue
        module = importlib.import_module(".".join(path.relative_to(SOURCE).with_suffix("").parts))
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, msgspec.Struct) and "projected" in vars(value):
                for cls in vars(value)["projected"]:
                    fields = {field.name for field in dataclasses.fields(cls)}
                    found[f"{path.stem}.{name} {cls.__name__}"] = fields - set(value.__struct_fields__)
    return found


def test_each_field_is_taken_or_named_as_left_out():
    found = projections()
    assert len(found) > 40
    wrong = []
    for reader, left_out in found.items():
        _, names = LEFT_OUT.get(reader, ("", ""))
        expected = left_out if names == "*" else set(names.split())
        wrong += [f"{reader}.{name} is neither taken nor named here" for name in sorted(left_out - expected)]
        wrong += [f"{reader}.{name} is taken, or gone" for name in sorted(expected - left_out)]
    wrong += [f"{reader}: there is no such reader" for reader in LEFT_OUT.keys() - found.keys()]
    assert not wrong, "\n".join(wrong)


def test_a_projection_takes_types_and_defaults_from_the_dataclass():
    asked = project(Request, "temperature", "top_p", "stop_sequences", "messages")
    found = msgspec.json.decode(b'{"temperature": 1, "prompt": "not read"}', type=asked)
    assert (found.temperature, found.top_p, found.stop_sequences, found.messages) == (1.0, 1.0, [], None)
    assert type(found.temperature) is float and type(found.top_p) is float
    with pytest.raises(msgspec.ValidationError, match="temperature"):
        msgspec.json.decode(b'{"temperature": "hot"}', type=asked)
    with pytest.raises(msgspec.ValidationError, match="missing required field `tags`"):
        msgspec.json.decode(b"{}", type=project(Reference, "tags"))


def test_a_projection_of_a_field_that_there_is_not_is_an_error():
    with pytest.raises(TypeError, match="there is no field 'tempreature'"):
        project(Request, "tempreature")


def test_a_projection_stands_for_the_dataclasses_in_a_field():
    text = project(Input, "text")
    found = msgspec.convert(
        {"input": {"text": "a"}, "contrast_inputs": [{"text": "b"}], "references": [{"tags": []}]},
        project(Instance, "references", input=text, contrast_inputs=text),
    )
    assert (found.input.text, found.contrast_inputs[0].text, found.references) == ("a", "b", [{"tags": []}])


def test_a_mirror_writes_what_it_has_read():
    content = {"input": {"text": "a"}, "references": [], "id": "id7", "extra_data": {"any": [1, None]}}
    found = msgspec.convert({**content, "split": None}, mirror(Instance))
    drop_nones(found)
    assert json.loads(msgspec.json.encode(found)) == content


def test_nulls_are_dropped_in_everything_inside():
    inner = mirror(Input)
    found = msgspec.convert(
        {"input": {"text": "a", "messages": None}, "references": [], "contrast_inputs": [{"messages": None}]},
        mirror(Instance, input=inner, contrast_inputs=inner),
    )
    drop_nones(found)
    assert json.loads(msgspec.json.encode(found)) == {
        "input": {"text": "a"}, "references": [], "contrast_inputs": [{"text": ""}],
    }  # fmt: skip


def test_statistics_of_plain_values_and_back():
    name, numbers = MetricName("m"), {"count": 2, "sum": 3, "sum_squared": 5.5, "min": 1, "max": 2, "mean": 1.5}
    stat = stat_from_getter(name, numbers.get)
    assert stat == Stat(name, 2, 3, 5.5, 1, 2, 1.5)
