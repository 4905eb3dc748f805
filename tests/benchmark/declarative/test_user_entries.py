"""A user's YAML file, from `--plugins` to the table."""

import json
from pathlib import Path

import pytest

from helm.benchmark import run
from helm.benchmark.declarative import catalogue
from helm.benchmark.presentation import summarize
from helm.benchmark.run_spec import get_run_spec_function, get_run_spec_function_names
from helm.benchmark.scenarios.scenario import create_scenario
from helm.common.errors import ConfigError

CAPITALS = """\
description: Capitals of countries.
params:
  region: {type: str, default: all, choices: [all, europe, asia]}
source:
  files: [{path: capitals.csv}]
filter:
- {unless: {region: all}, field: region, eq: "${region}"}
input: "What is the capital of {country}?"
references: {options: {from: [a, b, c]}}
correct: {by: letter, field: answer}
split: {field: split}
metadata: {main_metric: exact_match, main_split: test, display_name: Capitals}
run:
  adapter: {preset: multiple_choice_joint, instructions: Answer with a letter., input_noun: Question, output_noun: Answer}
  metrics: [exact_match]
"""

ROWS = """\
country,region,a,b,c,answer,split
France,europe,Paris,Rome,Oslo,A,train
Japan,asia,Seoul,Tokyo,Delhi,B,test
Italy,europe,Paris,Rome,Oslo,B,test
"""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("capitals.yaml").write_text(CAPITALS, encoding="utf-8")
    Path("capitals.csv").write_text(ROWS, encoding="utf-8")
    with catalogue.isolated():
        yield


def read(path: str):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def test_a_file_of_entries_runs_and_is_shown(capsys):
    entry = "capitals:region=europe,model=baseline/random"
    run.main(["--plugins", "capitals.yaml", "-r", entry, "-m", "5", "--suite", "s"])
    folder = "benchmark_output/runs/s/capitals:region=europe,model=baseline_random"
    states = read(f"{folder}/scenario_state.json")["request_states"]
    assert [state["instance"]["input"]["text"] for state in states] == ["What is the capital of Italy?"]
    assert "What is the capital of France?\nA. Paris" in states[0]["request"]["prompt"]
    spec = read(f"{folder}/run_spec.json")["scenario_spec"]
    assert spec == {
        "class_name": "helm.benchmark.scenarios.capitals_scenario.CapitalsScenario",
        "args": {"region": "europe"},
    }
    assert read(f"{folder}/scenario.json")["name"] == "capitals"
    capsys.readouterr()
    summarize.main(["--plugins", "capitals.yaml", "--suite", "s"])
    assert "Capitals" in capsys.readouterr().out


def test_a_wrong_argument_is_an_error_with_the_nearest_value(capsys):
    with pytest.raises(SystemExit):
        run.main(["--plugins", "capitals.yaml", "-r", "capitals:region=europa,model=simple/model1", "-m", "1"])
    assert "argument 'region' takes all, europe, asia, not 'europa'. Did you mean 'europe'?" in capsys.readouterr().err


def test_a_wrong_file_is_an_error_with_its_line(capsys):
    Path("capitals.yaml").write_text(
        CAPITALS.replace("metrics: [exact_match]", "metrics: [exact_mach]"), encoding="utf-8"
    )
    with pytest.raises(SystemExit):
        run.main(["--plugins", "capitals.yaml", "-r", "capitals:model=simple/model1", "-m", "1"])
    error = capsys.readouterr().err
    assert "capitals.yaml:15: run.metrics[0]: there is no bundle of metrics 'exact_mach'" in error
    assert "Traceback" not in error


def test_the_class_of_an_entry_can_be_subclassed_and_has_a_signature():
    (file,) = catalogue.register_file("capitals.yaml")
    from helm.benchmark.scenarios.capitals_scenario import CapitalsScenario  # type: ignore[import-not-found]

    class Shouted(CapitalsScenario):
        name = "shouted"

    scenario = Shouted(region="asia")
    assert [i.input.text for i in scenario.get_instances("folder")] == ["What is the capital of Japan?"]
    assert scenario.get_metadata().display_name == "Capitals"
    with pytest.raises(TypeError, match="unexpected keyword argument 'regio'"):
        CapitalsScenario(regio="asia")
    with pytest.raises(ConfigError, match="takes all, europe, asia"):
        CapitalsScenario(region="africa")


def test_a_registered_entry_is_listed_and_found():
    catalogue.register_file("capitals.yaml")
    catalogue.register_file("capitals.yaml")
    assert "capitals" in get_run_spec_function_names()
    function = get_run_spec_function("capitals")
    assert function is not None and function.__name__ == "get_capitals_spec"
    run_spec = function()
    assert run_spec.name == "capitals:region=all" and run_spec.groups == ["capitals"]
    assert len(create_scenario(run_spec.scenario_spec).get_instances(".")) == 3


@pytest.mark.parametrize("name", ["mmlu", "hellaswag", "simple_mcqa"])
def test_a_name_that_is_taken_is_refused(name):
    Path("taken.yaml").write_text(f"name: {name}\n{CAPITALS}", encoding="utf-8")
    with pytest.raises(ConfigError, match=f"the name '{name}' is taken"):
        catalogue.register_file("taken.yaml")


def test_a_class_path_that_is_taken_is_refused():
    text = CAPITALS + "scenario: {class: helm.benchmark.scenarios.gsm_scenario.GSM8KScenario}\n"
    Path("taken.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="the class path .*GSM8KScenario is taken"):
        catalogue.register_file("taken.yaml")


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("{country}", "{contry}", "row 0, input: there is no column 'contry'.*Did you mean 'country'"),
        ("field: answer", "field: b", "row 0, references: the correct option is 'Rome' .by letter."),
        ("path: capitals.csv", "path: nothing.csv", "there is no file nothing.csv"),
        ("split: {field: split}", "split: {field: region}", "row 0, split: the split is 'europe', but must be one of"),
        ("field: region, eq", "field: regin, eq", "filter: there is no column 'regin'.*Did you mean 'region'"),
    ],
    ids=["column", "correct option", "file", "split", "filter"],
)
def test_data_that_does_not_fit_is_an_error_that_names_the_row(old, new, message):
    Path("capitals.yaml").write_text(
        CAPITALS.replace(old, new).replace("default: all", "default: europe"), encoding="utf-8"
    )
    catalogue.register_file("capitals.yaml")
    function = get_run_spec_function("capitals")
    assert function is not None
    with pytest.raises(Exception, match=message):
        create_scenario(function().scenario_spec).get_instances(".")


def test_values_that_cannot_go_together_are_refused():
    text = CAPITALS.replace(
        "  metrics:", "  cases: [{when: {region: asia}, error: \"nobody knows '${region}'.\"}]\n  metrics:"
    )
    Path("capitals.yaml").write_text(text, encoding="utf-8")
    catalogue.register_file("capitals.yaml")
    function = get_run_spec_function("capitals")
    assert function is not None and function(region="europe").groups == ["capitals"]
    with pytest.raises(ConfigError, match="Run spec 'capitals': nobody knows 'asia'."):
        function(region="asia")


def test_the_constructor_may_take_more_than_run_specs_say():
    text = CAPITALS + "scenario: {params: {seed: {type: int, default: 1}}}\nsteps: [{shuffle: {seed: '${seed}'}}]\n"
    Path("capitals.yaml").write_text(text, encoding="utf-8")
    catalogue.register_file("capitals.yaml")
    function = get_run_spec_function("capitals")
    assert function is not None
    spec = function().scenario_spec
    assert spec.args == {"region": "all"}
    orders = set()
    for seed in range(8):
        scenario = create_scenario(type(spec)(spec.class_name, {**spec.args, "seed": seed}))
        orders.add(tuple(instance.input.text for instance in scenario.get_instances(".")))
    assert len(orders) > 2
    Path("wrong.yaml").write_text(text.replace("default: 1", "doc: none"), encoding="utf-8")
    with pytest.raises(ConfigError, match="scenario.params.seed: 'seed' needs a default"):
        catalogue.register_file("wrong.yaml")
