"""What people call data sets: every name makes run specs, is found by --list, and is suggested when it is mistyped."""

from functools import cache

import pytest

from helm.benchmark.assembly import run_listing_text
from helm.benchmark.assembly.run_entries import run_entries_to_run_specs
from helm.benchmark.assembly.run_listing import describe
from helm.benchmark.assembly.run_listing_text import describe_run_spec, list_run_specs
from helm.benchmark.catalogue.names import (
    aliases,
    expand_names,
    find_alias,
    fold,
    names_without_scenario,
    suggest_run_spec,
    why_missing,
)
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.declarative.recipe import placeholders_for_fetched_texts
from helm.benchmark.presentation.run_entry import RunEntry
from helm.benchmark.run_spec import get_run_spec_function_names
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.common.commands.output_path import set_benchmark_output_path
from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec, parse_object_spec
from registries_support import empty_registries

MODEL = "simple/model1"
ALIASES = aliases()
BY_NAME = pytest.mark.parametrize("alias", ALIASES, ids=[alias.name for alias in ALIASES])

TYPED = [
    "gsm8k", "math500", "math-500", "hellaswag", "winogrande", "piqa", "arc_easy", "arc_challenge", "openbookqa", "siqa",
    "boolq", "drop", "squad", "triviaqa", "nq", "humaneval", "bbh", "mmlu_pro", "gpqa_diamond", "gpqa_main", "ifeval",
    "truthfulqa_mc1", "aime", "aime24", "aime25", "musr", "race", "wikitext", "cnn_dailymail", "xsum", "commonsenseqa",
    "hendrycks_math", "humaneval+", "human_eval_plus", "mbpp", "mbpp+", "mbpp_sanitized", "truthfulqa_mc2", "copa", "multirc",
    "lambada", "lambada_openai", "supergpqa", "super-gpqa", "wikitext2", "sciq",
]  # fmt: skip
"""Names that people type and that run here."""

TYPED_WITHOUT_SCENARIO = [
    "mgsm",
    "wic",
    "truthfulqa_gen",
]


look_up_once = cache(run_listing_text.look_up)
"""Each list is of all run specs, and nothing here changes what is said of one."""


@pytest.fixture(scope="module", autouse=True)
def catalogue():
    """Once: registered for each test, the lists of models would become longer and longer."""
    with empty_registries():
        register_builtin_configs_from_helm_package()
        yield


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run_listing_text, "look_up", look_up_once)
    set_benchmark_output_path(str(tmp_path / "output"))
    yield tmp_path
    set_benchmark_output_path("benchmark_output")


def run_specs(entry):
    with placeholders_for_fetched_texts():
        return construct_run_specs(parse_object_spec(entry), as_command=True)


@BY_NAME
def test_every_name_makes_run_specs_and_is_found(alias):
    expected = [ObjectSpec(alias.target.class_name, spec.args) for spec in expand_names(ObjectSpec(alias.name))]
    assert expected and all(set(alias.target.args) <= set(spec.args) for spec in expected)
    made = run_specs(f"{alias.name}:model={MODEL}")
    assert len({run_spec.name for run_spec in made}) == len(expected)
    for name in alias.names():
        assert find_alias(name) is alias and find_alias(name.upper().replace("_", "-")) is alias
        shown = list_run_specs(name)
        assert alias.target.class_name in shown and name in shown


def test_no_name_is_hidden_by_a_run_spec():
    known = set(get_run_spec_function_names())
    assert not [name for alias in ALIASES for name in alias.names() if name in known]
    assert not [name for name in names_without_scenario() if name in known or find_alias(name)]


@pytest.mark.parametrize("name", TYPED)
def test_what_people_type_runs(name):
    assert run_specs(f"{name}:model={MODEL}")
    assert "0 run specs" not in list_run_specs(name)


@pytest.mark.parametrize("name", TYPED_WITHOUT_SCENARIO)
def test_a_common_name_without_scenario_is_found_with_what_to_do_instead(name):
    assert "No scenario yet" in list_run_specs(name) and "lm_eval:path=FILE" in list_run_specs(name)
    with pytest.raises(ConfigError) as caught:
        run_specs(f"{name}:model={MODEL}")
    assert "There is no scenario for it." in caught.value.__notes__[0]
    with pytest.raises(ConfigError, match="There is no scenario for"):
        describe(name)


@pytest.mark.parametrize(
    "typed, entry",
    [
        ("gsm8k", "gsm"),
        ("GSM-8K", "gsm"),
        ("gsm8k:max_train_instances=2", "gsm:max_train_instances=2"),
        ("hellaswag", "commonsense:dataset=hellaswag,method=multiple_choice_joint"),
        (
            "hellaswag:method=multiple_choice_separate_original",
            "commonsense:dataset=hellaswag,method=multiple_choice_separate_original",
        ),
        ("MMLU-Pro", "mmlu_pro"),
        ("gpqa diamond", "gpqa:subset=gpqa_diamond"),
        ("hendrycks_math:subject=algebra,level=5", "math:subject=algebra,level=5"),
    ],
)
def test_an_alias_makes_the_run_specs_of_the_entry_that_it_stands_for(typed, entry):
    separator = "," if ":" in typed else ":"
    other = "," if ":" in entry else ":"
    assert run_specs(f"{typed}{separator}model={MODEL}") == run_specs(f"{entry}{other}model={MODEL}")


def test_an_alias_of_many_runs_one_for_each_value_that_is_not_given():
    names = {run_spec.name for run_spec in run_specs(f"hendrycks_math:level=5,model={MODEL}")}
    assert len(names) == 7 and all("level=5" in name for name in names)
    entries = [RunEntry("bbh:task=navigate"), RunEntry("musr")]
    made = run_entries_to_run_specs(entries, models_to_run=[MODEL, "simple/tutorial"], as_command=True)
    assert len(made) == 2 * (1 + 3)


def test_a_name_of_a_run_spec_stands_for_itself_even_if_it_is_an_alias(monkeypatch):
    from helm.benchmark import run_spec

    with run_spec._REGISTRY.isolated():
        run_spec.run_spec_function("gsm8k")(lambda: None)
        assert expand_names(parse_object_spec("gsm8k:a=1")) == [parse_object_spec("gsm8k:a=1")]
    assert expand_names(parse_object_spec("gsm8k:a=1")) == [parse_object_spec("gsm:a=1")]


def test_the_table_is_read_for_other_names_only(tmp_path):
    """As a command does: nothing of it is loaded for a name of HELM's."""
    import subprocess
    import sys

    program = (
        "from helm.benchmark.catalogue import names\n"
        "from helm.common.object_spec import parse_object_spec\n"
        "names.expand_names(parse_object_spec('mmlu:subject=anatomy'))\n"
        "assert names._table.cache_info().misses == 0\n"
        "names.expand_names(parse_object_spec('gsm8k'))\n"
        "assert names._table.cache_info().misses == 1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path)


@pytest.mark.parametrize(
    "name, meant",
    [
        ("hellaswg", "hellaswag"),
        ("gsm8kk", "gsm8k"),
        ("humanevel", "humaneval"),
        ("mmlu_prp", "mmlu_pro"),
        ("tweet_eval_hate", "raft:subset=tweet_eval_hate"),
    ],
)
def test_aliases_and_values_of_arguments_are_suggested(name, meant):
    text = suggest_run_spec(name)
    assert text == f" Did you mean '{meant}'?"
    with pytest.raises(ConfigError) as caught:
        run_specs(f"{name}:model={MODEL}")
    assert caught.value.__notes__ == [text.strip()]


def test_a_run_spec_without_its_required_arguments_says_how_to_run_all():
    with pytest.raises(ConfigError) as caught:
        run_specs(f"mmlu:model={MODEL}")
    assert caught.value.__notes__ == ["All of them: -c mmlu."]
    with pytest.raises(ConfigError) as caught:
        run_specs(f"big_bench_hard:model={MODEL}")
    assert caught.value.__notes__ == ["All of them: bbh."]


def test_search_looks_at_values_of_arguments():
    shown = list_run_specs("tweet_eval")
    assert "raft:subset" in shown and "(subset=tweet_eval_hate)" in shown and "1 run spec." in shown


def test_a_description_of_an_alias_is_that_of_its_entry():
    text = describe_run_spec("hellaswag")
    assert text.startswith("commonsense\n") and "hellaswag stands for commonsense:dataset=hellaswag," in text
    assert "helm-run -r hellaswag:model=" in text and "HellaSwagScenario" in text
    assert "bbh stands for big_bench_hard:task=* (27 runs for each model)." in describe_run_spec("bbh")
    assert "stands for" not in describe_run_spec("gsm")


def test_case_and_punctuation_make_no_difference_but_a_plus_does():
    assert fold("Math-500") == fold("math_500") == fold("MATH500")
    assert fold("humaneval+") == fold("humaneval_plus") != fold("humaneval")
    assert why_missing("MT-Bench") and not why_missing("humaneval")
    assert run_specs(f"HumanEval+:model={MODEL}")[0].name == f"humaneval_plus:model={MODEL.replace('/', '_')}"
