"""How the command reads run entries: what it accepts and refuses beyond the golden vectors."""

import logging

import pytest

from helm.benchmark.adaptation.adapter_spec import ADAPT_EPISODE, ADAPT_EVALUATE, ADAPT_GENERATION, AdapterSpec
from helm.benchmark.assembly.run_entries import (
    check_models_to_run,
    drop_repeated_run_specs,
    run_entries_to_run_specs,
)
from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, register_model_deployment
from helm.benchmark.model_groups import get_model_groups, split_subject_name
from helm.benchmark.model_metadata_registry import AD_TOOL_TAG, COMPILER_TAG, ModelMetadata, register_model_metadata
from helm.benchmark.presentation.run_entry import RunEntry, read_run_entries
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.errors import ConfigError
from helm.common.object_spec import parse_object_spec
from registries_support import empty_registries


def make_run_spec(name: str, method: str = ADAPT_GENERATION, **args) -> RunSpec:
    adapter_spec = AdapterSpec(method=method)
    return RunSpec(name=name, scenario_spec=ScenarioSpec("a.B", args), adapter_spec=adapter_spec, metric_specs=[])


@run_spec_function("entries_typed")
def get_typed(count: int = 1, ratio: float = 0.5, text: str = "x", either: int | str | None = None) -> RunSpec:
    """Takes typed arguments."""
    return make_run_spec("entries_typed", count=count, ratio=ratio, text=text, either=either)


@run_spec_function("entries_needs")
def get_needs(path: str, limit: int | None = None) -> RunSpec:
    return make_run_spec(f"entries_needs:path={path}")


@run_spec_function("entries_tool")
def get_tool() -> RunSpec:
    return make_run_spec("entries_tool", ADAPT_EVALUATE)


@run_spec_function("entries_compiler")
def get_compiler() -> RunSpec:
    return make_run_spec("entries_compiler", ADAPT_EPISODE)


@run_spec_function("entries_own_tool")
def get_own_tool(tool: str = "hammer") -> RunSpec:
    return make_run_spec(f"entries_own_tool:tool={tool}")


@pytest.fixture(autouse=True)
def catalogue():
    def register(name: str, *tags: str, deployment: str = "") -> None:
        register_model_metadata(ModelMetadata(name, "C", name, name, "open", tags=list(tags)))
        register_model_deployment(ModelDeployment(deployment or name, ClientSpec("a.B"), model_name=name))

    with empty_registries():
        register("lm/one", "TEXT_MODEL_TAG")
        register("lm/two", "TEXT_MODEL_TAG", "ABLATION_MODEL_TAG", deployment="host/two")
        register("ad/fast", AD_TOOL_TAG)
        register("ad/slow", AD_TOOL_TAG)
        register("cc/Oz", COMPILER_TAG)
        yield


def run_command_on(*descriptions: str, **flags) -> list[RunSpec]:
    entries = [RunEntry(description, priority=None, groups=None) for description in descriptions]
    return run_entries_to_run_specs(entries, as_command=True, **flags)


def names(run_specs: list[RunSpec]) -> list[str]:
    return [run_spec.name for run_spec in run_specs]


@pytest.mark.parametrize(
    "entry, expected",
    [
        ("entries_typed:count=many", "argument 'count' takes a whole number .int., got 'many'"),
        ("entries_typed:count=1.5", "argument 'count' takes a whole number .int., got '1.5'"),
        ("entries_typed:ratio=half", "argument 'ratio' takes a number .float., got 'half'"),
    ],
)
def test_values_of_the_wrong_type_are_refused(entry, expected):
    with pytest.raises(ConfigError, match=expected) as raised:
        run_command_on(f"{entry},model=lm/one")
    assert raised.value.__notes__ == [f"(In the run entry '{entry},model=lm/one'.)"]


@pytest.mark.parametrize("entry", ["count=3", "ratio=2", "text=7", "text=7.5", "either=a", "either=4"])
def test_values_that_fit_are_accepted(entry):
    assert names(run_command_on(f"entries_typed:{entry},model=lm/one")) == ["entries_typed:model=lm_one"]


def test_unknown_and_missing_arguments():
    with pytest.raises(ConfigError, match="has no argument 'cuont'. It takes: count, ratio, text, either.*'count'"):
        run_command_on("entries_typed:cuont=1,model=lm/one")
    with pytest.raises(ConfigError, match="Did you mean 'temperature'"):
        run_command_on("entries_typed:temperatur=1,model=lm/one")
    with pytest.raises(ConfigError, match="needs the argument path"):
        run_command_on("entries_needs:limit=3,model=lm/one")


def test_tool_and_compiler_are_words_for_model():
    assert names(run_command_on("entries_tool:tool=ad/fast")) == ["entries_tool:model=ad_fast"]
    assert names(run_command_on("entries_compiler:compiler=cc/Oz")) == ["entries_compiler:model=cc_Oz"]
    with pytest.raises(ConfigError, match="names its subject twice"):
        run_command_on("entries_tool:tool=ad/fast,model=ad/slow")


def test_an_argument_of_the_recipe_wins_over_the_word_for_model():
    found = names(run_command_on("entries_own_tool:tool=saw,model=lm/one"))
    assert found == ["entries_own_tool:tool=saw,model=lm_one"]


def test_all_means_the_subjects_of_the_kind_of_run():
    assert get_model_groups("model")["all"] == ["lm/one", "lm/two"]
    tools = names(run_command_on("entries_tool:tool=all"))
    assert tools == ["entries_tool:model=ad_fast", "entries_tool:model=ad_slow"]
    assert names(run_command_on("entries_compiler:compiler=all")) == ["entries_compiler:model=cc_Oz"]
    assert get_model_groups()["ablation_text"] == get_model_groups()["ablation"] == ["lm/two"]


def test_a_subject_of_another_kind_is_refused_before_anything_runs():
    expected = "'entries_typed:model=ad_fast' evaluates language models, but 'ad/fast' is one of the AD tools"
    with pytest.raises(ConfigError, match=expected):
        run_command_on("entries_typed:model=ad/fast")
    with pytest.raises(ConfigError, match="evaluates AD tools, but 'cc/Oz' is one of the compilers"):
        run_command_on("entries_tool:tool=cc/Oz")


def test_the_command_accepts_deployments_where_models_are_expected():
    for entry in ("entries_typed:model=host/two", "entries_typed:model_deployment=host/two"):
        (run_spec,) = run_command_on(entry)
        assert (run_spec.adapter_spec.model, run_spec.adapter_spec.model_deployment) == ("lm/two", "host/two")
    assert names(run_command_on("entries_typed:model=host/two")) == ["entries_typed:model=lm_two"]
    assert names(run_command_on("entries_typed", models_to_run=["host/two"])) == ["entries_typed:model=lm_two"]
    with pytest.raises(ValueError, match="Invalid RunSpec"):
        construct_run_specs(parse_object_spec("entries_typed:model=host/two"))


def test_an_openai_compatible_model_keeps_its_url_out_of_the_name():
    (run_spec,) = run_command_on("entries_typed:model=openai-compat/m@http://localhost:80/v1")
    assert run_spec.name == "entries_typed:model=openai-compat_m"
    assert run_spec.adapter_spec.model_deployment == "openai-compat/m@http://localhost:80/v1"
    assert split_subject_name("openai-compat/org/m@https://h/v1") == ("org/m", "openai-compat/org/m@https://h/v1")
    assert split_subject_name("openai-compat/m") == ("openai-compat/m", None)


def test_a_group_without_members_is_warned_of(caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("helm"), "propagate", True)
    assert run_command_on("entries_typed:model=vlm") == []
    assert "model=vlm matches nothing" in caplog.text


def test_unknown_names_are_noted_with_the_nearest():
    for entry, hint in (
        ("entries_tiped:model=lm/one", "Did you mean 'entries_typed'?"),
        ("entries_typed:model=lm/onne", "Did you mean 'lm/one'?"),
        ("entries_typed:model=lm/one,newline=bar", "newline takes semicolon, br, not 'bar'. Did you mean 'br'?"),
    ):
        with pytest.raises(ConfigError) as raised:
            run_command_on(entry)
        assert raised.value.__notes__ == [hint, f"(In the run entry '{entry}'.)"]


def test_equal_run_specs_run_once_and_different_ones_of_one_name_are_refused():
    twice = run_command_on("entries_typed:model=lm/one", "entries_typed:model=lm/one")
    assert names(drop_repeated_run_specs(twice)) == ["entries_typed:model=lm_one"]
    different = run_command_on("entries_typed:model=lm/one", "entries_typed:model=lm/one,temperature=0.5")
    with pytest.raises(ConfigError, match=r"'entries_typed:model=lm_one'.*temperature \(1, 0.5\)"):
        drop_repeated_run_specs(different)


def test_models_to_run_is_checked():
    with pytest.raises(ConfigError, match="Unknown model 'lm/on' passed to --models-to-run") as raised:
        check_models_to_run([], ["lm/one", "lm/on"])
    assert raised.value.__notes__ == ["Did you mean 'lm/one'?"]
    check_models_to_run([], ["host/two", "openai/anything"])
    check_models_to_run([RunEntry("a:tool=ad/fast", None, None), RunEntry("b", None, None)], None)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("entries: [\n {description: }\n", r"runs.conf, line \d+, column \d+: not valid HOCON"),
        ("entries: 5", r"runs.conf: entries: expected a list, got int 5"),
        ("entries: [{description: 5}]", r"runs.conf: entries\[0\].description: expected a string, got int 5"),
        ('entries: [{description: "a", priority: 1.0}]', r"entries\[0\] \('a'\).priority: expected a whole number"),
        ('entries: [{description: "a", groups: "g"}]', r"entries\[0\] \('a'\).groups: expected a list of strings"),
        ("entries: [${nowhere}]", r"runs.conf.*nowhere"),
    ],
)
def test_conf_errors_say_where(tmp_path, text, expected):
    path = tmp_path / "runs.conf"
    path.write_text(text)
    with pytest.raises(ConfigError, match=expected):
        read_run_entries([str(path)])


def test_conf_files_include_others_beside_them(tmp_path):
    (tmp_path / "base.conf").write_text('suffix = "model=lm/one"\n')
    (tmp_path / "runs.conf").write_text('include "base.conf"\nentries: [{description: "a:"${suffix}, priority: 2}]\n')
    assert read_run_entries([str(tmp_path / "runs.conf")]).entries == [RunEntry("a:model=lm/one", 2, None)]
