"""`grader=` and `user=`: the models that judge, and those that play the user, chosen when a run is started."""

from dataclasses import replace

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.annotation.judge_models import AnnotatorModelInfo
from helm.benchmark.assembly.role_run_expanders import GraderRunExpander, UserRunExpander
from helm.benchmark.assembly.run_entries import run_entries_to_run_specs
from helm.benchmark.catalogue.catalogue_setup import CatalogueSetup, register_catalogue
from helm.benchmark.executing.execution import ExecutorInterface
from helm.benchmark.presentation.run_entry import RunEntry
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.benchmark.running.judge_settings import apply_judges
from helm.benchmark.specs import AnnotatorSpec, MetricSpec, ScenarioSpec
from helm.common.errors import ConfigError
from helm.common.executor_spec import ExecutorSpec
from helm.common.object_spec import parse_object_spec
from registries_support import empty_registries

SERVER = "http://localhost:8000/v1#qwen"
QWEN = {"model_name": "openai-compat/qwen", "model_deployment": "openai-compat/qwen@http://localhost:8000/v1"}
SIMPLE = {"model_name": "simple/model1", "model_deployment": "simple/model1"}
JURY = {name: {"model_name": f"a/{name}", "model_deployment": f"h/{name}"} for name in ("gpt", "llama", "claude")}


@pytest.fixture(autouse=True)
def catalogue():
    with empty_registries():
        register_catalogue(CatalogueSetup("prod_env", [], [], [], []))
        yield


def construct(entry):
    (run_spec,) = construct_run_specs(parse_object_spec(entry), as_command=True)
    return run_spec


def run_specs_of(*entries, **flags):
    return run_entries_to_run_specs([RunEntry(entry, 1, None) for entry in entries], as_command=True, **flags)


def test_the_grader_is_in_the_run_spec_and_in_its_name():
    run_spec = construct(f"simple_safety_tests:model=simple/model1,grader={SERVER}")
    assert run_spec.annotators[0].args == {"annotator_models": {"gpt": QWEN}}
    assert run_spec.name == "simple_safety_tests:model=simple_model1,grader=openai-compat_qwen"


@pytest.mark.parametrize("value", ['["simple/model1", "http://localhost:8000/v1#qwen"]', f"simple/model1|{SERVER}"])
def test_several_graders_make_a_jury(value):
    run_spec = construct(f"simple_safety_tests:model=simple/model1,grader={value}")
    assert run_spec.annotators[0].args == {"annotator_models": {"gpt": SIMPLE, "grader2": QWEN}}
    assert run_spec.name.endswith(",grader=simple_model1+openai-compat_qwen")


@pytest.mark.parametrize(
    "graders, expected",
    [
        (["simple/model1"], {"gpt": SIMPLE}),
        (["simple/model1", SERVER], {"gpt": SIMPLE, "llama": QWEN}),
    ],
)
def test_a_jury_and_its_metric_get_the_same_graders(graders, expected):
    annotator = AnnotatorSpec("helm.benchmark.annotation.medi_qa_annotator.MediQAAnnotator", {"annotator_models": JURY})
    arguments = {"metric_name": "m", "scenario_name": "medi_qa", "annotator_models": JURY}
    metric = MetricSpec("helm.benchmark.metrics.llm_jury_metrics.LLMJuryMetric", arguments)
    before = RunSpec("r", ScenarioSpec("s"), AdapterSpec(), [metric], annotators=[annotator])
    (run_spec,) = GraderRunExpander(graders).expand(before)
    assert run_spec.annotators[0].args == {"annotator_models": expected}
    assert run_spec.metric_specs[0].args == {**arguments, "annotator_models": expected}


@pytest.mark.parametrize(
    "entry, message",
    [
        (
            "live_qa:model=simple/model1,grader=simple/modle1",
            "unknown model 'simple/modle1'. Did you mean 'simple/model1'",
        ),
        ("live_qa:model=simple/model1,grader=simple/model1|baseline/ppm", "LiveQAAnnotator asks one judge, not 2"),
        ("live_qa:model=simple/model1,grader=simple/model1|simple/model1", "named twice"),
        ("live_qa:model=simple/model1,grader=http://localhost:8000/v1", "names no model"),
        ("live_qa:model=simple/model1,grader=[1", "not a list in JSON"),
        ("live_qa:model=simple/model1,grader=7", "takes the name of a model"),
        ("simple_mcqa:model=simple/model1,grader=simple/model1", "no model judges the answers of 'simple_mcqa:"),
        ("simple_mcqa:model=simple/model1,user=simple/model1", "has no simulated user"),
        ("simple_mcqa:model=simple/model1,user=simple/model1|baseline/ppm", "takes one model, not 2"),
    ],
)
def test_a_wrong_role_is_refused_in_one_line(entry, message):
    with pytest.raises(ConfigError) as caught:
        construct(entry)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_the_flag_is_for_all_runs_with_a_judge_that_do_not_say_it_themselves():
    entries = [
        "simple_safety_tests:model=simple/model1",
        "live_qa:grader=baseline/ppm,model=simple/model1",
        "simple_mcqa:model=simple/model1",
    ]
    first, second, third = run_specs_of(*entries, grader=["simple/model1"])
    assert first.annotators[0].args == {"annotator_models": {"gpt": SIMPLE}}
    assert second.annotators[0].args["annotator_models"]["gpt"]["model_name"] == "baseline/ppm"
    assert second.name.count("grader=") == 1
    assert third == run_specs_of(entries[2])[0]


@pytest.mark.parametrize(
    "flags, message",
    [
        ({"grader": ["simple/model1"]}, "--grader: no model judges"),
        ({"user": "simple/model1"}, "--user: none of these"),
    ],
)
def test_a_flag_for_a_role_that_no_run_has_is_refused(flags, message):
    with pytest.raises(ConfigError, match=message):
        run_specs_of("simple_mcqa:model=simple/model1", **flags)


def test_the_grader_goes_before_judges_yaml():
    chosen, other = run_specs_of("live_qa:model=simple/model1,grader=simple/model1", "live_qa:model=simple/model1")
    judges = {"*": AnnotatorModelInfo("my/judge", "my/judge")}
    one, two = apply_judges([chosen, other], judges)
    assert one == chosen
    assert two.annotators[0].args["annotator_models"]["gpt"]["model_name"] == "my/judge"


class TalkingExecutor(ExecutorInterface):
    """An executor whose subject talks to a user."""

    def __init__(self, user_model=None):
        self.user_model = user_model

    def execute(self, scenario_state, journal=None):
        return scenario_state


def test_a_simulated_user_gets_its_model():
    spec = ExecutorSpec(f"{__name__}.TalkingExecutor")
    before = replace(construct("simple_mcqa:model=simple/model1"), executor_spec=spec)
    (run_spec,) = UserRunExpander(SERVER).expand(before)
    assert run_spec.executor_spec.args == {"user_model": QWEN}
    assert run_spec.name == "simple_mcqa:model=simple_model1,user=openai-compat_qwen"
