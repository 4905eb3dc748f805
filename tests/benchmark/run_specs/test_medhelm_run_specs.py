"""MedHELM: benchmarks that a file describes, and juries of one's own."""

import json
import textwrap

import pytest

from helm.benchmark.annotation.medhelm_judges import read_jury
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.scenarios.scenario import create_scenario
from helm.common.errors import ConfigError, ScenarioError

CONFIG = """
name: knee
description: Questions about knees.
prompt_file: prompt.txt
dataset_file: table.csv
max_tokens: 7
metrics:
- name: exact_match
"""
JURY = "{name: gpt, model_name: openai/gpt-4o}"
JURY_METRIC = f"""
- name: jury_score
  prompt_file: jury.txt
  judges: [{JURY}]
"""
TABLE = 'question,correct_answer,incorrect_answers\nDoes it hurt?,yes,"[""no"", 2]"\n"So, really?",no,\n'


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write files into the working directory; `files(config=..., ...)` returns the path of the config."""
    monkeypatch.chdir(tmp_path)

    def write(
        config=CONFIG, prompt="Say: {question}\n", table=TABLE, jury='<rubric_criteria>{"a": ["?"]}</rubric_criteria>'
    ):
        for name, text in {"knee.yaml": config, "prompt.txt": prompt, "table.csv": table, "jury.txt": jury}.items():
            (tmp_path / name).write_text(text)
        return str(tmp_path / "knee.yaml")

    return write


def make(config_path):
    return get_run_spec_function("medhelm_configurable_benchmark")(config_path=config_path)


def test_a_benchmark_of_ones_own(files, tmp_path):
    run_spec = make(files())
    assert (run_spec.name, run_spec.groups, run_spec.annotators) == ("knee", ["knee"], [])
    adapter = run_spec.adapter_spec
    assert (adapter.method, adapter.max_tokens, adapter.max_train_instances, adapter.output_prefix) == (
        "generation",
        7,
        0,
        "",
    )
    scenario = create_scenario(run_spec.scenario_spec)
    assert (scenario.name, scenario.description) == ("knee", "Questions about knees.")
    shown = [
        (i.split, i.input.text, [(r.output.text, r.tags) for r in i.references])
        for i in scenario.get_instances(str(tmp_path))
    ]
    assert shown == [
        ("test", "Say: Does it hurt?\n", [("yes", ["correct"]), ("no", []), ("2", [])]),
        ("test", "Say: So, really?\n", [("no", ["correct"])]),
    ]
    assert scenario.get_metadata().main_metric == "exact_match"


def test_files_are_found_beside_the_config(files, tmp_path, monkeypatch):
    config = files()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert make(config).name == "knee"


@pytest.mark.parametrize(
    ("metrics", "classes"),
    [
        ("- name: rouge_l\n- name: BERTScore-F", ["SummarizationMetric", "BasicGenerationMetric0"]),
        ("- name: exact_match" + JURY_METRIC, ["BasicGenerationMetric4", "LLMJuryMetric"]),
        (JURY_METRIC, ["LLMJuryMetric", "BasicGenerationMetric0"]),
    ],
    ids=["summarization once", "jury behind", "jury alone"],
)
def test_metrics_are_those_of_the_original(files, metrics, classes):
    run_spec = make(files(CONFIG.replace("- name: exact_match", metrics.strip("\n"))))
    shown = [
        spec.class_name.rpartition(".")[2] + (str(len(spec.args["names"])) if "names" in spec.args else "")
        for spec in run_spec.metric_specs
    ]
    assert [name for name in shown if name not in ("BasicReferenceMetric", "InstancesPerSplitMetric")] == classes


def test_a_jury_has_the_prompt_and_its_criteria(files):
    run_spec = make(files(CONFIG.replace("- name: exact_match", JURY_METRIC.strip("\n"))))
    [annotator] = run_spec.annotators
    assert annotator.class_name == "helm.benchmark.annotation.model_as_judge.LLMAsJuryAnnotator"
    assert annotator.args["annotation_criteria"] == {"a": ["?"]}
    assert annotator.args["annotator_models"] == {"gpt": {"model_name": "openai/gpt-4o", "model_deployment": "gpt"}}
    json.dumps(annotator.args)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"config": CONFIG.replace("description", "descripton")},
            "'description' is missing. Did you mean 'descripton'",
        ),
        ({"config": CONFIG.replace("exact_match", "exact_mach")}, "not 'exact_mach'. Did you mean 'exact_match'"),
        ({"config": CONFIG.replace("7", "many")}, "max_tokens must be a positive whole number, not 'many'"),
        ({"config": CONFIG.replace("table.csv", "tabel.csv")}, "there is no file tabel.csv"),
        ({"config": "- a list"}, "must hold a mapping"),
        ({"config": CONFIG.replace("- name: exact_match", "- name: jury_score")}, "needs 'prompt_file' and 'judges'"),
        ({"config": CONFIG.replace("- name: exact_match", JURY_METRIC), "jury": "no rubric"}, "rubric_criteria"),
        (
            {"config": CONFIG.replace("- name: exact_match", JURY_METRIC.replace("model_name", "model"))},
            "judge 1 needs",
        ),
    ],
)
def test_a_wrong_config_says_what_is_wrong(files, changes, message):
    with pytest.raises(ConfigError) as error:
        make(files(**changes))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"prompt": "Say {questoin}"},
            "no such column, only question, correct_answer, incorrect_answers. Did you mean",
        ),
        ({"table": "question\nWhy?\n"}, "needs a column correct_answer"),
        ({"table": "question,correct_answer\nWhy?,\n"}, "row 2 has no correct_answer"),
        (
            {"table": "question,correct_answer,incorrect_answers\nWhy?,a,b\n"},
            "row 2: incorrect_answers is not a JSON list",
        ),
        ({"table": "question,correct_answer,incorrect_answers\nWhy?,a,5\n"}, "must be a JSON list, not 5"),
        ({"table": "question,correct_answer\n"}, "has no rows"),
    ],
)
def test_a_wrong_table_says_what_is_wrong(files, tmp_path, changes, message):
    scenario = create_scenario(make(files(**changes)).scenario_spec)
    with pytest.raises(ScenarioError) as error:
        scenario.get_instances(str(tmp_path))
    assert message in str(error.value)


# ---- jury_config_path of the other recipes


def test_judges_of_a_file_replace_those_of_the_leaderboard(tmp_path):
    path = tmp_path / "jury.yaml"
    path.write_text("judges:\n- {name: own, model: a/b, model_deployment: c/b}\n")
    run_spec = get_run_spec_function("aci_bench")(jury_config_path=str(path))
    judges = {"own": {"model_name": "a/b", "model_deployment": "c/b"}}
    [annotator] = run_spec.annotators
    [jury] = [spec for spec in run_spec.metric_specs if spec.class_name.endswith("LLMJuryMetric")]
    assert annotator.args["annotator_models"] == jury.args["annotator_models"] == judges
    assert run_spec.name == "aci_bench"
    default = get_run_spec_function("aci_bench")()
    assert sorted(default.annotators[0].args["annotator_models"]) == ["claude", "gpt", "llama"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("judges: []", "must hold a list of judges"),
        ("- a", "must hold a list of judges"),
        ("judges: [{name: a, model: b}]", "judge 1 needs the texts name, model, model_deployment"),
        (
            "judges: [{name: a, model: b, model_deployment: c}, {name: a, model: b, model_deployment: c}]",
            "two judges are named 'a'",
        ),
    ],
)
def test_a_wrong_jury_says_what_is_wrong(tmp_path, text, message):
    path = tmp_path / "jury.yaml"
    path.write_text(textwrap.dedent(text))
    with pytest.raises(ConfigError) as error:
        read_jury(str(path))
    assert str(path) in str(error.value) and message in str(error.value)


def test_the_names_of_the_original_read_the_same_files(files, tmp_path):
    from helm.benchmark.run_specs.medhelm.benchmark_config import JuryMetricConfig, get_benchmark_config_from_path

    from helm.benchmark.run_specs.medhelm_run_specs import get_annotator_models_from_config, get_judges_config

    config = get_benchmark_config_from_path(files(CONFIG + JURY_METRIC.strip("\n")))
    assert (config.name, config.max_tokens, config.main_metric.name) == ("knee", 7, "exact_match")
    assert isinstance(config.metrics[1], JuryMetricConfig) and config.metrics[1].judges[0].model_deployment == "gpt"
    assert len(config.get_annotator_specs()) == 1 and len(config.get_metric_specs()) == 4
    path = tmp_path / "jury.yaml"
    path.write_text("judges:\n- {name: own, model: a/b, model_deployment: c/b}\n")
    assert get_judges_config(str(path))["judges"] == [{"name": "own", "model": "a/b", "model_deployment": "c/b"}]
    assert get_annotator_models_from_config(str(path))["own"].model_deployment == "c/b"
    assert sorted(get_annotator_models_from_config(None)) == ["claude", "gpt", "llama"]


def test_a_jury_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        get_run_spec_function("aci_bench")(jury_config_path=str(tmp_path / "none.yaml"))
