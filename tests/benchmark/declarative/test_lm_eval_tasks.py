"""Task files in the format of lm-evaluation-harness: read, turned into run specs, run and scored."""

import json
import random
from textwrap import dedent

import pytest

from data_server import data_server, parquet_bytes
from helm.benchmark.declarative.lm_eval_reading import is_lm_eval_task, read_lm_eval_task
from helm.benchmark.declarative.lm_eval_run_spec import register_lm_eval_task
from helm.benchmark.declarative.lm_eval_task import FILTERS, LMEvalTaskError
from helm.benchmark.lm_eval.method_run_spec import make_lm_eval_run_spec
from helm.benchmark.lm_eval.task_worker import TaskError
from helm.benchmark.metrics.lm_eval_metrics import FILTER_FUNCTIONS, apply_filter, exact_match
from helm.benchmark.run import main
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.scenarios.scenario import create_scenario
from helm.benchmark.specs import ScenarioSpec
from helm.common.errors import ConfigError, HelmError, ScenarioError

pytest.importorskip("jinja2")

SUMS = """
    task: sums
    tag: [arithmetic]
    dataset_path: json
    dataset_kwargs: {data_files: {train: train.jsonl, test: test.jsonl}}
    output_type: generate_until
    training_split: train
    test_split: test
    doc_to_text: "Question: {{question}}\\nAnswer:"
    doc_to_target: "{{answer}} #### {{answer.split()[-1]}}"
    num_fewshot: 2
    fewshot_config: {sampler: first_n}
    description: "Add the numbers.\\n\\n"
    generation_kwargs: {until: ["Question:", "</s>"], do_sample: false, max_gen_toks: 64}
    filter_list:
      - name: strict-match
        filter:
          - {function: regex, regex_pattern: "#### (-?[0-9]+)"}
          - {function: take_first}
      - name: flexible
        filter:
          - {function: regex, regex_pattern: "(-?[0-9]+)", group_select: -1}
          - {function: take_first}
    metric_list:
      - metric: exact_match
        aggregation: mean
        higher_is_better: true
        ignore_case: true
        regexes_to_ignore: [",", "(?s).*#### "]
    metadata: {version: 3.0}
    """

COLORS = """
    task: colors
    dataset_path: json
    dataset_kwargs: {data_files: {validation: valid.json}}
    output_type: multiple_choice
    validation_split: validation
    doc_to_text: "The {{thing.name}} is"
    doc_to_choice: options
    doc_to_target: label
    metric_list:
      - {metric: acc, aggregation: mean, higher_is_better: true}
      - {metric: acc_norm, aggregation: mean, higher_is_better: true}
    """


def write(folder, name, text):
    path = folder / name
    path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    return str(path)


def write_lines(folder, name, rows):
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def sums(tmp_path):
    rows = [{"question": f"{i} + {i}?", "answer": f"It is {2 * i}"} for i in range(8)]
    write_lines(tmp_path, "train.jsonl", rows[:4])
    write_lines(tmp_path, "test.jsonl", rows[4:])
    return write(tmp_path, "sums.yaml", SUMS)


@pytest.fixture
def colors(tmp_path):
    rows = [
        {"thing": {"name": "sky"}, "options": ["blue", "green"], "label": 0},
        {"thing": {"name": "grass"}, "options": ["blue", "green"], "label": 1},
    ]
    (tmp_path / "valid.json").write_text(json.dumps(rows), encoding="utf-8")
    return write(tmp_path, "colors.yaml", COLORS)


def instances_of(run_spec, tmp_path):
    return create_scenario(run_spec.scenario_spec).get_instances(str(tmp_path))


def texts(instance):
    return [(reference.output.text, reference.is_correct) for reference in instance.references]


def test_generation_task_becomes_a_run_spec(sums):
    spec = get_run_spec_function("lm_eval")(path=sums, method="generation")
    assert spec.name == "lm_eval:task=sums"
    assert spec.groups == ["sums", "arithmetic"]
    adapter = spec.adapter_spec
    assert (adapter.method, adapter.max_tokens, adapter.temperature) == ("generation", 64, 0.0)
    assert (adapter.max_train_instances, adapter.sample_train) == (2, False)
    assert adapter.stop_sequences == ["Question:", "</s>"]
    assert spec.metric_specs[0].args["metrics"][0]["args"]["ignore_case"] is True


def test_prompt_is_what_the_harness_writes(sums, tmp_path):
    from helm.benchmark.adaptation.prompt import Prompt

    spec = make_lm_eval_run_spec(sums)
    train, test = [[one for one in instances_of(spec, tmp_path) if one.split == split] for split in ("train", "test")]
    adapter = spec.adapter_spec
    blocks = [
        adapter.input_prefix + one.input.text + adapter.input_suffix + adapter.output_prefix
        + one.references[0].output.text + adapter.output_suffix
        for one in train[:2]
    ]  # fmt: skip
    prompt = Prompt(
        global_prefix=adapter.global_prefix,
        instance_prefix=adapter.instance_prefix,
        instructions_block=adapter.instructions,
        train_instance_blocks=blocks,
        eval_instance_block=test[0].input.text + adapter.output_prefix.rstrip(),
    )
    assert prompt.text == (
        "Add the numbers.\n\n"
        "Question: 0 + 0?\nAnswer: It is 0 #### 0\n\n"
        "Question: 1 + 1?\nAnswer: It is 2 #### 2\n\n"
        "Question: 4 + 4?\nAnswer:"
    )


def test_choices_become_references(colors, tmp_path):
    spec = make_lm_eval_run_spec(colors)
    first, second = instances_of(spec, tmp_path)
    assert first.input.text == "The sky is" and first.split == "valid"
    assert texts(first) == [("blue", True), ("green", False)]
    assert texts(second) == [("blue", False), ("green", True)]
    assert spec.adapter_spec.method == "multiple_choice_separate_original"
    assert spec.adapter_spec.output_prefix == " "


def test_choices_can_be_lettered_for_models_without_log_likelihoods(colors):
    spec = make_lm_eval_run_spec(colors, method="multiple_choice_joint", num_fewshot=0)
    assert spec.name == "lm_eval:task=colors,method=multiple_choice_joint"
    with pytest.raises(LMEvalTaskError, match="multiple_choice_joint"):
        make_lm_eval_run_spec(colors, method="generation")


def test_examples_of_the_evaluated_split_are_not_evaluated(colors, tmp_path):
    spec = make_lm_eval_run_spec(colors, num_fewshot=1)
    assert [one.split for one in instances_of(spec, tmp_path)] == ["train", "valid"]


def test_include_and_a_function_in_it(tmp_path, colors):
    write(tmp_path, "_base_yaml", COLORS)
    path = write(tmp_path, "more.yaml", 'include: _base_yaml\ntask: more\nfewshot_delimiter: "\\n"\n')
    task = read_lm_eval_task(path)
    assert (task.task, task.fewshot_delimiter, task.doc_to_choice) == ("more", "\n", "options")
    write(tmp_path, "_base_yaml", "task: base\ndataset_path: json\n\ndoc_to_text: !function utils.text\n")
    with pytest.raises(LMEvalTaskError, match=r"_base_yaml:4: doc_to_text: '!function utils.text' is Python code"):
        read_lm_eval_task(path)


BAD = {
    "unknown_key": ("doc_to_tect: x", r":\d+: doc_to_tect: this key cannot be used here. Did you mean 'doc_to_text'"),
    "process_docs": ("process_docs: !function utils.process", r"process_docs: this is a Python function"),
    "output_type": ("output_type: loglikelihood_rolling", r"output_type: .*not 'loglikelihood_rolling'"),
    "metric": ("metric_list: [{metric: acc_nrm}]", r"metric_list\[0\].metric: .*Did you mean 'acc_norm'"),
    "aggregation": ("metric_list: [{metric: acc, aggregation: median}]", r"metric_list\[0\].aggregation: "),
    "metric_argument": ("metric_list: [{metric: acc, ignore_case: true}]", r"metric_list\[0\].ignore_case"),
    "filter": (
        "filter_list: [{name: x, filter: [{function: regexp}]}]",
        r"filter_list\[0\].filter\[0\].function: .*Did you mean 'regex'",
    ),
    "pattern": (
        "filter_list: [{name: x, filter: [{function: regex, regex_pattern: '('}]}]",
        r"regex_pattern: not a regular expression",
    ),
    "type": ("num_fewshot: two", r"num_fewshot: a whole number is expected, not 'two'"),
    "sampler": ("fewshot_config: {sampler: balanced}", r"fewshot_config.sampler: .*'balanced'"),
    "missing_file": ("dataset_kwargs: {data_files: nowhere.json}", r"data_files: there is no file nowhere.json"),
    "group": ("task: [a, b]", r"task: this is a group; give the file of one of its tasks: a, b"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_not_simple_is_refused_with_file_line_and_key(name, tmp_path, colors):
    line, message = BAD[name]
    key = line.split(":")[0]
    kept = [part for part in dedent(COLORS).strip().split("\n") if not part.startswith((key + ":", "  - "))]
    kept = [part for part in kept if part != "metric_list:"]
    path = write(tmp_path, "bad.yaml", "\n".join([*kept, line]) + "\n")
    with pytest.raises(LMEvalTaskError, match=r"bad.yaml:\d+: ") as caught:
        read_lm_eval_task(path)
    assert __import__("re").search(message, str(caught.value)), caught.value
    assert f"bad.yaml:{len(kept) + 1}:" in str(caught.value)


@pytest.mark.parametrize(
    "text, message",
    [
        ("{{nothing}}", "'nothing' is undefined"),
        ("{{question.__class__.__mro__}}", "unsafe|undefined"),
        ("{% for i in range(10**9) %}x{% endfor %}", "Range too big"),
        ("{{question", "unexpected end|expected token"),
    ],
)
def test_template_that_fails_names_task_split_and_row(sums, tmp_path, text, message):
    path = write(tmp_path, "bad.yaml", dedent(SUMS).replace('"Question: {{question}}\\nAnswer:"', json.dumps(text)))
    with pytest.raises(TaskError, match=rf"task sums: split train, row 0: .*({message})"):
        instances_of(make_lm_eval_run_spec(path), tmp_path)


def test_rows_without_input_or_target_are_left_out_and_counted(tmp_path, caplog):
    rows = [{"q": "1?", "a": "1"}, {"q": None, "a": "2"}, {"q": "3?", "a": None}]
    write_lines(tmp_path, "rows.jsonl", rows)
    path = write(
        tmp_path,
        "task.yaml",
        """
        task: holes
        dataset_path: json
        dataset_kwargs: {data_files: {test: rows.jsonl}}
        test_split: test
        doc_to_text: q
        doc_to_target: a
        """,
    )
    with caplog.at_level("WARNING", logger="helm"):
        assert len(instances_of(make_lm_eval_run_spec(path), tmp_path)) == 1
    assert "2 of 3 rows of test" in caplog.text


def test_a_row_that_does_not_fit_is_named(colors, tmp_path):
    rows = [{"thing": {"name": name}, "options": ["blue"], "label": i} for i, name in enumerate(["sky", "grass"])]
    (tmp_path / "valid.json").write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(
        ScenarioError, match="task colors: split validation, row 1: doc_to_target is 1, and there are 1 choices"
    ):
        instances_of(make_lm_eval_run_spec(colors), tmp_path)


def test_run_specs_of_the_first_versions_keep_their_class_path(sums, tmp_path):
    """The arguments that 0.2 recorded give the instances that the task file gives now."""
    files = {"train": [str(tmp_path / "train.jsonl")], "test": [str(tmp_path / "test.jsonl")]}
    args = {
        "task": "sums", "dataset_path": "json", "dataset_kwargs": {"data_files": files}, "eval_split": "test",
        "doc_to_text": "Question: {{question}}\nAnswer:", "doc_to_target": "{{answer}} #### {{answer.split()[-1]}}",
        "output_type": "generate_until", "fewshot_split": "train", "num_fewshot": 2, "main_metric": "exact_match",
    }  # fmt: skip
    earlier = create_scenario(ScenarioSpec("helm.benchmark.declarative.lm_eval_scenario.LMEvalScenario", args))
    wanted = instances_of(make_lm_eval_run_spec(sums), tmp_path)
    assert list(map(repr, earlier.get_instances(str(tmp_path)))) == list(map(repr, wanted))
    assert earlier.get_metadata().main_split == "test"


def test_several_targets_are_all_correct(tmp_path):
    write_lines(tmp_path, "rows.jsonl", [{"q": "Who?", "answers": ["Ada", "A. Lovelace"]}])
    path = write(
        tmp_path,
        "task.yaml",
        """
        task: names
        dataset_path: json
        dataset_kwargs: {data_files: {test: rows.jsonl}}
        test_split: test
        doc_to_text: "{{q}}"
        doc_to_target: "{{answers}}"
        """,
    )
    (instance,) = instances_of(make_lm_eval_run_spec(path), tmp_path)
    assert texts(instance) == [("Ada", True), ("A. Lovelace", True)]


def test_loglikelihood_task_has_two_methods(tmp_path):
    write_lines(tmp_path, "rows.jsonl", [{"text": "The cat sat on the mat"}])
    path = write(
        tmp_path,
        "task.yaml",
        """
        task: last_word
        dataset_path: json
        dataset_kwargs: {data_files: {test: rows.jsonl}}
        test_split: test
        output_type: loglikelihood
        doc_to_text: "{{text.split(' ')[:-1]|join(' ')}}"
        doc_to_target: "{{text.split(' ')[-1]}}"
        metric_list: [{metric: perplexity, aggregation: perplexity}, {metric: acc}]
        """,
    )
    spec = make_lm_eval_run_spec(path)
    assert spec.metric_specs[0].class_name.endswith("LMEvalLoglikelihoodMetric")
    spec = make_lm_eval_run_spec(path, method="generation")
    assert spec.name == "lm_eval:task=last_word,method=generation"
    assert spec.metric_specs[0].args == {"metrics": [{"name": "acc", "args": {}}]}
    (instance,) = instances_of(spec, tmp_path)
    assert (instance.input.text, texts(instance)) == ("The cat sat on the", [("mat", True)])


def test_delimiter_of_loglikelihood_stands_in_examples_only(tmp_path):
    write_lines(tmp_path, "rows.jsonl", [{"text": "a b"}, {"text": "c d"}])
    path = write(
        tmp_path,
        "task.yaml",
        """
        task: pairs
        dataset_path: json
        dataset_kwargs: {data_files: {test: rows.jsonl}}
        test_split: test
        output_type: loglikelihood
        doc_to_text: "{{text[0]}}"
        doc_to_target: "{{text[1:]}}"
        num_fewshot: 1
        metric_list: [{metric: acc}]
        """,
    )
    spec = make_lm_eval_run_spec(path)
    assert spec.adapter_spec.method == "generation" and spec.name == "lm_eval:task=pairs"
    assert spec.adapter_spec.output_prefix == ""
    train, test = instances_of(spec, tmp_path)
    assert (texts(train), texts(test)) == ([("  b", True)], [(" d", True)])


def test_filters():
    assert set(FILTERS) <= set(FILTER_FUNCTIONS)
    regex = {"function": "regex", "regex_pattern": r"(\d+)|(x)"}
    assert apply_filter(["a 1 b 22", "none"], [regex]) == ["1", "[invalid]"]
    assert apply_filter(["a 1 b 22", "x"], [{**regex, "group_select": -1}]) == ["22", "x"]
    assert apply_filter(["a"], [{**regex, "group_select": 3, "fallback": "?"}]) == ["?"]
    assert apply_filter([" b", "A", "A"], [{"function": "majority_vote"}, {"function": "lowercase"}]) == ["a"]
    assert apply_filter(["  a"], [{"function": "remove_whitespace"}]) == ["a"]
    assert apply_filter(["a", "b"], [{"function": "map", "mapping_dict": {"a": 1}, "default_value": 0}]) == ["1", "0"]
    assert apply_filter([], [{"function": "majority_vote"}]) == []


def test_exact_match_ignores_what_it_is_told_to():
    assert exact_match("Yes.", "yes") == 0
    assert exact_match("Yes.", "yes", ignore_case=True, ignore_punctuation=True) == 1
    assert exact_match("$1,234", "1234", regexes_to_ignore=[",", r"\$"]) == 1
    assert exact_match("a1", "a2", ignore_numbers=True) == 1
    assert exact_match("a", "a ") == 0


def test_task_files_are_told_from_entries():
    assert is_lm_eval_task({"task": "x", "dataset_path": "y"})
    assert not is_lm_eval_task({"name": "x", "task": "y"})
    assert is_lm_eval_task({"include": "base", "task": "x"})
    assert is_lm_eval_task({"group": "g", "task": ["a"]})
    assert not is_lm_eval_task({"name": "x", "source": {}, "run": {}})
    assert not is_lm_eval_task(["a"])


def test_task_of_the_hub_runs_from_the_command_line(tmp_path, monkeypatch):
    rows = [{"premise": f"p{i}", "hypothesis": f"h{i}", "label": i % 2} for i in range(6)]
    write(
        tmp_path,
        "nli.yaml",
        """
        task: nli
        dataset_path: made/nli
        dataset_name: small
        output_type: multiple_choice
        training_split: train
        validation_split: validation
        doc_to_text: "{{premise}}. {{hypothesis}}?"
        doc_to_choice: ["yes", "no"]
        doc_to_target: label
        num_fewshot: 2
        metric_list: [{metric: acc}, {metric: f1}]
        """,
    )
    readme = (
        "---\nconfigs:\n- config_name: small\n  data_files:\n"
        "  - {split: train, path: t.parquet}\n  - {split: validation, path: v.parquet}\n---\n"
    )
    labels = {"label": ["entailment", "contradiction"]}
    files = {
        "README.md": readme.encode(),
        "t.parquet": parquet_bytes(rows[:4], labels),
        "v.parquet": parquet_bytes(rows[4:], labels),
    }
    monkeypatch.chdir(tmp_path)
    with data_server() as server:
        server.add_dataset("made/nli", files)
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        main(["-r", "lm_eval:path=nli.yaml,model=baseline/ppm", "-m", "10", "--suite", "s"])
    (folder,) = (tmp_path / "benchmark_output" / "runs" / "s").glob("lm_eval*")
    assert folder.name == "lm_eval:task=nli,model=baseline_ppm"
    states = json.loads((folder / "scenario_state.json").read_text())["request_states"]
    assert len(states) == 4
    assert states[0]["request"]["prompt"].count("?") == 3
    assert states[0]["request"]["prompt"].endswith("p4. h4? yes")
    stats = {stat["name"]["name"]: stat for stat in json.loads((folder / "stats.json").read_text())}
    assert 0 <= stats["acc"]["mean"] <= 1 and 0 <= stats["f1"]["mean"] <= 1


def test_task_becomes_a_run_spec_function(sums, tmp_path, isolated_registries):
    assert register_lm_eval_task(sums) == register_lm_eval_task(sums) == "sums"
    function = get_run_spec_function("sums")
    assert function().name == "sums"
    assert function(num_fewshot="1").name == "sums:num_fewshot=1"
    other = write(tmp_path, "other.yaml", SUMS)
    with pytest.raises(ConfigError, match="there is a run spec 'sums' already"):
        register_lm_eval_task(other)


def test_plugin_may_be_a_task_file(colors, tmp_path, monkeypatch, isolated_registries):
    monkeypatch.chdir(tmp_path)
    main(["--plugins", "colors.yaml", "-r", "colors:model=baseline/ppm", "-m", "10", "--suite", "s"])
    assert (tmp_path / "benchmark_output" / "runs" / "s" / "colors:model=baseline_ppm" / "stats.json").exists()


ODD_VALUES = [
    None,
    3,
    -1.5,
    True,
    "",
    "x",
    "{{",
    [],
    {},
    [None],
    [3],
    {"a": 1},
    [[]],
    [{}],
    {"a": [None]},
    [{"metric": 1}],
]


@pytest.mark.parametrize("value", ODD_VALUES, ids=repr)
@pytest.mark.parametrize("text", [SUMS, COLORS], ids=["sums", "colors"])
def test_damaged_task_gives_an_error_of_ours_or_runs(text, value, sums, colors, tmp_path):
    import yaml

    whole = yaml.safe_load(dedent(text))
    for key in [*whole, "include", "fewshot_split", "tag", "repeats", "target_delimiter", "generation_kwargs"]:
        damaged = {**whole, key: value}
        path = write(tmp_path, "damaged.yaml", yaml.safe_dump(damaged))
        try:
            instances_of(make_lm_eval_run_spec(path), tmp_path)
        except HelmError as error:
            assert str(error)


@pytest.mark.parametrize("seed", range(30))
def test_cut_and_changed_texts_give_an_error_of_ours_or_run(seed, sums, tmp_path):
    generator = random.Random(seed)
    text = dedent(SUMS)
    start = generator.randrange(len(text))
    piece = generator.choice(["", "{", "[", "!function x.y", "\t", "\x00", "é", "- ", ": ", "&a *b", "? "])
    path = tmp_path / "cut.yaml"
    path.write_text(text[:start] + piece + text[start + generator.randrange(20) :], encoding="utf-8")
    try:
        make_lm_eval_run_spec(str(path))
    except HelmError as error:
        assert "cut.yaml" in str(error)
