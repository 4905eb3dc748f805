"""Tasks of a library folder run by name, with code of their own, from the command line to the export."""

import json
import math
import random
from textwrap import dedent

import pytest

from helm.benchmark.commands.export import main as export
from helm.benchmark.commands.manage_data import main as manage_data
from helm.benchmark.commands.rescore import main as rescore
from helm.benchmark.declarative.lm_eval_task import LMEvalTaskError
from helm.benchmark.lm_eval.adapter import LMEvalAdapter
from helm.benchmark.lm_eval.metric import responses_of
from helm.benchmark.lm_eval.run_spec import make_file_run_spec
from helm.benchmark.lm_eval.task_files import read_task_file
from helm.benchmark.lm_eval.task_library import find_library
from helm.benchmark.lm_eval.task_worker import TaskError
from helm.benchmark.run import main
from helm.benchmark.scenarios.scenario import create_scenario, with_instance_ids
from helm.common.data.data_session import data_session
from helm.common.errors import ConfigError
from helm.common.request import GeneratedOutput, RequestResult, Token

pytest.importorskip("jinja2")

FILES = {
    "sums/_sums_yaml": """
        dataset_path: json
        dataset_kwargs: {data_files: {test: sums.jsonl}}
        test_split: test
        output_type: multiple_choice
        doc_to_text: "{{question}} ="
        doc_to_choice: options
        doc_to_target: label
        process_docs: !function utils.process_docs
        metric_list: [{metric: acc, aggregation: mean}, {metric: spread, aggregation: !function utils.spread}]
        process_results: !function utils.process_results
        """,
    "sums/small.yaml": "include: _sums_yaml\ntask: sums_small\ntag: [sums_tag]\n",
    "sums/large.yaml": "include: _sums_yaml\ntask: sums_large\ntag: [sums_tag]\ndoc_to_text: '{{question}} makes'\n",
    "sums/utils.py": """
        from lm_eval.utils import eval_logger

        def process_docs(dataset):
            eval_logger.info("made")
            print("noise on standard output")
            return dataset.map(lambda doc: {"options": [str(doc["n"]), str(2 * doc["n"])], "label": 1}).select(range(3))

        def process_results(doc, results):
            likelihoods = [likelihood for likelihood, is_greedy in results]
            return {"acc": likelihoods[1] > likelihoods[0], "spread": tuple(likelihoods)}

        def spread(items):
            return max(b - a for a, b in items)
        """,
    "sums/_group.yaml": """
        group: sums
        task:
          - sums_small
          - task: sums_large
            num_fewshot: 1
            fewshot_config: {samples: [{question: 0 + 0, n: 0, options: ['0', '1'], label: 0}]}
        aggregate_metric_list: [{metric: acc, weight_by_size: true}]
        """,
}  # fmt: skip


@pytest.fixture
def library(tmp_path, monkeypatch):
    for name, text in FILES.items():
        path = tmp_path / "library" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    rows = [{"question": f"{n} + {n}", "n": n} for n in range(1, 5)]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "library" / "sums" / "sums.jsonl").write_text(text, encoding="utf-8")
    monkeypatch.setenv("HELM_LM_EVAL", str(tmp_path / "library"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "library"


def test_a_group_runs_by_name_and_becomes_one_number(library, tmp_path, capsys):
    entry = ["-r", "lm_eval:task=sums,model=baseline/ppm", "-m", "10", "--suite", "s"]
    with pytest.raises(SystemExit):
        main(entry)
    said = capsys.readouterr().err
    digest = next(word for word in said.split() if word.startswith("sha256:"))
    assert "sums/utils.py" in said
    main([*entry, "--trust-task-code", digest])
    folder = tmp_path / "benchmark_output" / "runs" / "s"
    names = sorted(path.name for path in folder.glob("lm_eval*"))
    assert names == [
        "lm_eval:task=sums_large,group=sums,model=baseline_ppm", "lm_eval:task=sums_small,model=baseline_ppm",
    ]  # fmt: skip
    states = json.loads((folder / names[0] / "scenario_state.json").read_text())["request_states"]
    assert states[1]["request"]["prompt"] == "0 + 0 makes 0\n\n1 + 1 makes 2"
    assert len(states) == 6
    stats = {one["name"]["name"]: one["mean"] for one in json.loads((folder / names[1] / "stats.json").read_text())}
    assert stats["no_completion"] == 0 and math.isfinite(stats["spread"])
    lock = json.loads((tmp_path / "benchmark_output" / "helm-data.lock").read_text())
    assert list(lock["trusted_code"]) == [digest]
    main([*entry, "--suite", "again"])  # without the flag: the lock file remembers

    assert export(["--suite", "s", "--format", "lm-eval", "--to", str(tmp_path / "out")]) in (0, None)
    results = json.loads((tmp_path / "out" / "baseline__ppm" / "results.json").read_text())
    group = results["groups"]["sums"]
    both = [results["results"][name]["acc,none"] for name in ("sums_small", "sums_large")]
    assert group["acc,none"] == pytest.approx(sum(both) / 2)
    assert group["acc_interval,none"][0] <= group["acc,none"] <= group["acc_interval,none"][1]
    assert results["group_subtasks"]["sums"] == ["sums_small", "sums_large"]
    assert results["n-shot"] == {"sums_small": 0, "sums_large": 1}


def test_changed_code_needs_consent_again(library, tmp_path, capsys):
    (library / "sums" / "utils.py").write_text("process_docs = process_results = spread = None\n")
    with pytest.raises(SystemExit):
        main(
            [
                "-r",
                "lm_eval:task=sums_small,model=baseline/ppm",
                "-m",
                "9",
                "--suite",
                "s",
                "--trust-task-code",
                "sha256:" + "0" * 64,
            ]
        )
    assert "--trust-task-code sha256:" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(
            ["-r", "lm_eval:task=sums_small,model=baseline/ppm", "-m", "9", "--suite", "s", "--trust-task-code", "yes"]
        )
    assert "takes digests as they are printed" in capsys.readouterr().err


def test_rescoring_and_fetching_need_the_same_consent(library, tmp_path, capsys):
    with pytest.raises(SystemExit):
        manage_data(["fetch", "lm_eval:task=sums_small"])
    digest = next(word for word in capsys.readouterr().err.split() if word.startswith("sha256:"))
    assert not manage_data(["fetch", "lm_eval:task=sums_small", "--trust-task-code", digest])
    main(["-r", "lm_eval:task=sums_small,model=baseline/ppm", "-m", "9", "--suite", "s"])
    lock = tmp_path / "benchmark_output" / "helm-data.lock"
    kept = lock.read_bytes()
    assert not rescore(["--suite", "s", "--dry-run"])
    assert "none changed" in capsys.readouterr().out

    lock.unlink()
    with pytest.raises(SystemExit):
        rescore(["--suite", "s"])
    said = capsys.readouterr()
    assert f"--trust-task-code {digest}" in said.err + said.out
    assert not rescore(["--suite", "s", "--dry-run", "--trust-task-code", digest]) and not lock.exists()
    assert not rescore(["--suite", "s", "--trust-task-code", digest])
    assert json.loads(lock.read_text())["trusted_code"] == json.loads(kept)["trusted_code"]


def test_names_groups_tags_and_patterns(library):
    found = find_library(str(library))
    assert [one.name for one in found.expand("sums")] == ["sums_small", "sums_large"]
    assert [one.name for one in found.expand("sums_tag")] == ["sums_large", "sums_small"]
    assert [one.name for one in found.expand("sums_l*")] == ["sums_large"]
    with pytest.raises(LMEvalTaskError, match="no task, group or tag 'sums_smal'.*Did you mean 'sums_small'"):
        found.expand("sums_smal")


def test_a_wheel_is_unpacked_once_by_its_digest(library, tmp_path, monkeypatch):
    import zipfile

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    wheel = tmp_path / "lm_eval-9.9.9-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in FILES:
            archive.write(library / name, f"lm_eval/tasks/{name}")
        archive.writestr("lm_eval/tasks/../../escaped.txt", "x")
    found = find_library(str(wheel))
    assert found.label == "lm_eval==9.9.9" and "sums_small" in found.tasks
    assert not list(tmp_path.rglob("escaped.txt"))
    with pytest.raises(ConfigError, match="neither a folder nor a wheel"):
        find_library(str(tmp_path / "other.whl"))


# ---- Requests and scores of each kind


def write_task(folder, text, rows):
    (folder / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    path = folder / "task.yaml"
    head = "task: t\ndataset_path: json\ndataset_kwargs: {data_files: {test: rows.json}}\ntest_split: test\n"
    path.write_text(head + dedent(text), encoding="utf-8")
    return str(path)


class Windows:
    """A window service with a token for each character."""

    max_sequence_length = max_request_length = max_sequence_and_generated_tokens_length = 1000
    prefix_token = ""
    waits_on_io = False

    def encode(self, text):
        from types import SimpleNamespace

        return SimpleNamespace(tokens=list(text))

    def decode(self, tokens, text=None):
        return "".join(tokens)


def requests_and_scores(path, answer, **options):
    """The states of all requests, and the scores when `answer` gives their completions."""
    from helm.benchmark.adaptation.adapter_spec import AdapterSpec
    from helm.benchmark.adaptation.scenario_state import ScenarioState
    from helm.benchmark.metrics.metric import create_metric
    from metrics_support import make_metric_service

    spec = make_file_run_spec(path, **options)
    instances = with_instance_ids(create_scenario(spec.scenario_spec).get_instances(""))
    adapter = LMEvalAdapter(spec.adapter_spec, None)
    adapter.__dict__["window_service"] = Windows()
    states = adapter.adapt(instances, 1)
    answered = [state.with_result(RequestResult(True, [], answer(state), False)) for state in states]
    scenario_state = ScenarioState(AdapterSpec(), answered)
    result = create_metric(spec.metric_specs[0]).evaluate(scenario_state, make_metric_service(), "", 1)
    return states, {stat.name.name: stat.mean for stat in result.aggregated_stats}


def characters(text, logprob=-1.0):
    return [GeneratedOutput(text, 0, [Token(letter, logprob) for letter in text])]


def by_character(state):
    return characters(state.request.prompt) if state.request.echo_prompt else characters(" x")


def test_mutual_information_asks_for_the_choices_alone(tmp_path):
    path = write_task(
        tmp_path,
        """
        output_type: multiple_choice
        doc_to_text: "{{q}}"
        doc_to_choice: ["aa", "b"]
        doc_to_target: 0
        metric_list: [{metric: acc}, {metric: acc_mutual_info}, {metric: acc_norm}, {metric: brier_score}]
        """,
        [{"q": "Q"}],
    )
    states, scores = requests_and_scores(path, by_character)
    assert [state.request.prompt for state in states] == ["Q aa", "Q b", "aa", "b"]
    assert [(state.reference_index, state.request_mode) for state in states[2:]] == [
        (0, "calibration"),
        (1, "calibration"),
    ]
    # log-likelihoods -3 and -2, without context -2 and -1; by character of the choice -1.5 and -2
    p = 1 / (1 + math.e)
    assert scores == {
        "acc": 0,
        "acc_norm": 1,
        "acc_mutual_info": 1,
        "brier_score": pytest.approx(2 * (1 - p) ** 2),
        "no_completion": 0,
    }


def test_rolling_likelihoods_by_words_and_bytes(tmp_path):
    path = write_task(
        tmp_path,
        'output_type: loglikelihood_rolling\ndoc_to_text: ""\ndoc_to_target: text\n'
        "metric_list: [{metric: word_perplexity}, {metric: byte_perplexity}, {metric: bits_per_byte}]\n",
        [{"text": "one two"}, {"text": "é"}],
    )
    states, scores = requests_and_scores(path, by_character)
    assert [state.request.prompt for state in states] == ["one two", "é"]
    assert scores["word_perplexity"] == pytest.approx(math.exp(8 / 3))
    assert scores["byte_perplexity"] == pytest.approx(math.exp(8 / 9))
    assert scores["bits_per_byte"] == pytest.approx(8 / 9 / math.log(2))


def test_greedy_likelihood_asks_what_the_model_writes(tmp_path):
    path = write_task(
        tmp_path,
        'output_type: loglikelihood\ndoc_to_text: "{{q}}"\ndoc_to_target: " {{a}}"\n'
        "metric_list: [{metric: perplexity}, {metric: acc}]\n",
        [{"q": "Q", "a": "x"}, {"q": "Q", "a": "y"}],
    )
    states, scores = requests_and_scores(path, by_character)
    assert [(state.request.prompt, state.request.max_tokens) for state in states[:2]] == [("Q x", 0), ("Q", 2)]
    assert scores == {"perplexity": pytest.approx(math.exp(2)), "acc": 0.5, "no_completion": 0}


def test_failed_requests_are_counted_and_not_scored(tmp_path):
    path = write_task(
        tmp_path,
        'doc_to_text: "{{q}}"\ndoc_to_target: a\nrepeats: 3\ngeneration_kwargs: {until: ["X"], do_sample: true, top_p: 0.9}\n'
        "filter_list: [{name: vote, filter: [{function: majority_vote}, {function: take_first}]}]\n",
        [{"q": "Q", "a": "1"}, {"q": "R", "a": "2"}],
    )

    def answer(state):
        return [] if state.request.prompt == "R" else [*characters("0"), *characters("1"), *characters("1")]

    states, scores = requests_and_scores(path, answer)
    request = states[0].request
    assert (request.num_completions, request.temperature, request.top_p, request.stop_sequences) == (3, 1.0, 0.9, ["X"])
    assert scores == {"exact_match": 1, "no_completion": 0.5}


def test_prompts_as_messages(tmp_path):
    path = write_task(
        tmp_path,
        'doc_to_text: "{{q}}"\ndoc_to_target: a\ndescription: D\ngen_prefix: So\nnum_fewshot: 1\n'
        "fewshot_config: {sampler: first_n, samples: [{q: Q0, a: A0}]}\n",
        [{"q": "Q", "a": "1"}],
    )

    def messages(**options):
        states, _ = requests_and_scores(path, lambda state: characters("1"), apply_chat_template=True, **options)
        assert states[0].request.prompt == ""
        return [(one["role"], one["content"]) for one in states[0].request.messages]

    ending = [("user", "Q"), ("assistant", "So")]
    assert messages(system_instruction="S") == [("system", "S\n\nD"), ("user", "Q0"), ("assistant", "So A0"), *ending]
    together = [("system", "D"), ("user", "Q0 So A0\n\nQ"), ("assistant", "So")]
    assert messages(fewshot_as_multiturn=False) == together


def test_a_document_that_does_not_fit_is_named(tmp_path):
    path = write_task(tmp_path, 'doc_to_text: "{{q}}"\ndoc_to_target: a\n', [{"q": "Q", "a": "1"}, {"a": "1"}])
    spec = make_file_run_spec(path)
    with pytest.raises(TaskError, match="task t: prompt, document 1: UndefinedError: 'q' is undefined"):
        create_scenario(spec.scenario_spec).get_instances("")


def test_answers_without_logprobs_are_an_error(tmp_path):
    from helm.common.errors import MetricError

    path = write_task(
        tmp_path,
        'output_type: multiple_choice\ndoc_to_text: "{{q}}"\ndoc_to_choice: [a, b]\ndoc_to_target: 0\n',
        [{"q": "Q"}],
    )
    with pytest.raises(MetricError, match="no tokens with log-probabilities"):
        requests_and_scores(path, lambda state: [GeneratedOutput("a", 0, [])])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("doc_to_tekst: x", r"task.yaml:\d+: doc_to_tekst: this key cannot be used here. Did you mean 'doc_to_text'"),
        ("num_fewshot: two", "num_fewshot: a whole number is expected, not 'two'"),
        ("metric_list: [acc]", "metric_list.0: a mapping with 'metric' is expected"),
        ("metric_list: [{metric: acc, aggregation: meen}]", "not 'meen'.*Did you mean 'mean'"),
        ("filter_list: [{name: x, filter: [{function: lowercas}]}]", "not 'lowercas'.*Did you mean 'lowercase'"),
        ("output_type: generate", "not 'generate'.*Did you mean 'generate_until'"),
        ("generation_kwargs: {num_beams: 4}", "beam search"),
        ("process_docs: !function nothere.f", "nothere.py, which is not there"),
        ("process_docs: sort", "process_docs: the name of a function is expected"),
    ],
)
def test_what_cannot_be_run_is_refused_with_file_line_and_key(line, message, tmp_path):
    keys = {"doc_to_text": "q", "doc_to_target": "a"}
    text = "".join(f"{key}: {value}\n" for key, value in keys.items()) + line + "\n"
    path = write_task(tmp_path, text, [{"q": "Q", "a": "1"}])
    with pytest.raises(LMEvalTaskError, match=message):
        make_file_run_spec(path)


def test_code_is_not_read_from_elsewhere(library, tmp_path):
    from helm.benchmark.lm_eval.task_code import collect_code, read_code

    (tmp_path / "secret.txt").write_text("secret")
    (library / "sums" / "link.txt").symlink_to(tmp_path / "secret.txt")
    utils = library / "sums" / "utils.py"
    text = utils.read_text() + f"open({str(tmp_path / 'secret.txt')!r}); open('../../secret.txt'); open('link.txt')\n"
    utils.write_text(text)
    read = read_task_file(str(library / "sums" / "small.yaml"), str(library))
    code = collect_code(read.config(), read.root)
    assert "sums/utils.py" in code.files and not any(b"secret" == content for content in code.files.values())
    with data_session(), pytest.raises(ConfigError, match="not in the folder of its task"):
        read_code(str(library), {"digest": "sha256:" + "0" * 64, "files": ["../secret.txt"]})


def test_a_task_may_make_its_documents_with_a_file_of_its_own(tmp_path, monkeypatch):
    from helm.benchmark.lm_eval.task_code import collect_code

    (tmp_path / "words.lark").write_text("stone river", encoding="utf-8")
    (tmp_path / "made.py").write_text(
        "import os\nfrom datasets import Dataset, load_metric\n\nload_metric('f1')\n\n"
        "def documents(**_):\n"
        "    with open(os.path.join(os.path.dirname(__file__), 'words.lark')) as file:\n"
        "        return {'test': Dataset.from_list([{'q': word} for word in file.read().split()])}\n"
    )
    path = tmp_path / "made.yaml"
    path.write_text(
        'task: made\ndataset_path: ""\ndataset_name: ""\ntest_split: test\ncustom_dataset: !function made.documents\n'
        'doc_to_text: "{{q}}"\ndoc_to_target: q\n',
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    read = read_task_file(str(path))
    digest = collect_code(read.config(), read.root).digest
    with data_session(trusted_code={digest}):
        spec = make_file_run_spec(str(path))
        assert [one.input.text for one in create_scenario(spec.scenario_spec).get_instances("")] == ["stone", "river"]


def test_a_data_file_may_be_named_in_one_file_and_opened_in_another(library):
    from helm.benchmark.lm_eval.task_code import collect_code

    folder = library / "sums"
    (folder / "inner").mkdir()
    (folder / "inner" / "prompts.json").write_text("[]", encoding="utf-8")
    (folder / "inner" / "code.py").write_text(
        "import os\nfrom lm_eval.tasks.sums.reader import read\n\n"
        "def process_docs(dataset):\n    read(os.path.join(os.path.dirname(__file__), 'prompts.json'))\n    return dataset\n"
    )
    (folder / "reader.py").write_text("def read(path):\n    return open(path).read()\n")
    (folder / "inner" / "task.yaml").write_text(
        "task: inner\ndataset_path: x\ntest_split: test\ndoc_to_text: q\ndoc_to_target: a\n"
        "process_docs: !function code.process_docs\n"
    )
    read = read_task_file(str(folder / "inner" / "task.yaml"), str(library))
    assert "sums/inner/prompts.json" in collect_code(read.config(), read.root).files


def test_draws_of_task_code_are_those_of_that_program(tmp_path, monkeypatch):
    """Both generators have fixed seeds, and the documents of examples are processed first, even if none are shown."""
    from helm.benchmark.lm_eval.task_code import collect_code

    (tmp_path / "draws.py").write_text(
        "import random\nimport numpy\n\ndef documents(dataset):\n"
        "    return dataset.map(lambda doc: {'q': f'{random.random():.4f} {numpy.random.rand():.4f}'})\n"
    )
    write_lines = [json.dumps({"q": "", "a": "x"}) + "\n"] * 2
    (tmp_path / "rows.jsonl").write_text("".join(write_lines), encoding="utf-8")
    path = tmp_path / "drawn.yaml"
    text = (
        "task: drawn\ndataset_path: json\ndataset_kwargs: {data_files: {train: rows.jsonl, test: rows.jsonl}}\n"
        "test_split: test\nprocess_docs: !function draws.documents\ndoc_to_text: q\ndoc_to_target: a\n"
    )
    path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    read = read_task_file(str(path))
    trusted = {collect_code(read.config(), read.root).digest}
    inputs = []
    for more in ("", "training_split: train\n"):
        path.write_text(text + more, encoding="utf-8")
        with data_session(trusted_code=trusted):
            spec = make_file_run_spec(str(path))
            inputs.append([one.input.text for one in create_scenario(spec.scenario_spec).get_instances("")])
    # What random.seed(0) and numpy.random.seed(1234) give first; the training split has the first two.
    assert inputs == [["0.8444 0.1915", "0.7580 0.6221"], ["0.4206 0.4377", "0.2589 0.7854"]]


def test_a_generator_that_task_code_keeps_has_drawn_twice_before(tmp_path, monkeypatch):
    """As in that program: for the documents of examples, and for a first look at those that are evaluated."""
    from helm.benchmark.lm_eval.task_code import collect_code

    (tmp_path / "kept.py").write_text(
        "import random\n\ngenerator = random.Random(0)\n\ndef documents(dataset):\n"
        "    return dataset.map(lambda doc: {'q': f'{generator.random():.4f}'})\n"
    )
    (tmp_path / "rows.jsonl").write_text('{"q": "", "a": "x"}\n' * 2, encoding="utf-8")
    path = tmp_path / "kept.yaml"
    path.write_text(
        "task: kept\ndataset_path: json\ndataset_kwargs: {data_files: {test: rows.jsonl}}\ntest_split: test\n"
        "process_docs: !function kept.documents\ndoc_to_text: q\ndoc_to_target: a\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    read = read_task_file(str(path))
    with data_session(trusted_code={collect_code(read.config(), read.root).digest}):
        spec = make_file_run_spec(str(path))
        inputs = [one.input.text for one in create_scenario(spec.scenario_spec).get_instances("")]
    generator = random.Random(0)
    assert inputs == [f"{generator.random():.4f}" for _ in range(6)][4:]


def test_responses_of_an_unanswered_instance_are_none(tmp_path):
    path = write_task(tmp_path, 'doc_to_text: "{{q}}"\ndoc_to_target: a\n', [{"q": "Q", "a": "1"}])
    spec = make_file_run_spec(path)
    (instance,) = create_scenario(spec.scenario_spec).get_instances("")
    assert responses_of(instance, []) is None


def test_a_file_may_include_a_task_of_the_library_whose_code_imports_other_code_of_it(tmp_path, monkeypatch):
    """`metadata` of the file reaches the function that makes the documents; a failure says so."""
    from helm.benchmark.lm_eval.task_code import collect_code

    folder = tmp_path / "lm_eval" / "tasks" / "rivers"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "words.py").write_text("def words(number):\n    return ['river'] * number\n", encoding="utf-8")
    (folder / "made.py").write_text(
        "from lm_eval.tasks.rivers.parts.words import words\n\n"
        "def documents(number=None, **_):\n"
        "    assert number, 'No number is given.'\n"
        "    return {'test': [{'q': word} for word in words(number)]}\n",
        encoding="utf-8",
    )
    (folder / "rivers.yaml").write_text(
        'task: rivers\ndataset_path: ""\ntest_split: test\ncustom_dataset: !function made.documents\n'
        'doc_to_text: "{{q}}"\ndoc_to_target: q\n',
        encoding="utf-8",
    )
    mine = tmp_path / "mine.yaml"
    mine.write_text("include: lm_eval/tasks/rivers/rivers.yaml\ntask: mine\nmetadata: {number: 2}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for path, texts in ((mine, ["river", "river"]), (folder / "rivers.yaml", None)):
        read = read_task_file(str(path))
        assert read.root == str(tmp_path / "lm_eval" / "tasks")
        with data_session(trusted_code={collect_code(read.config(), read.root).digest}):
            scenario = create_scenario(make_file_run_spec(str(path)).scenario_spec)
            if texts is not None:
                assert [one.input.text for one in scenario.get_instances("")] == texts
                continue
            with pytest.raises(
                TaskError, match=r"No number is given.*It gets the keys of `metadata`.*download nothing"
            ):
                scenario.get_instances("")
    own = tmp_path / "own.yaml"
    (tmp_path / "own.py").write_text("def text(doc):\n    return doc['q']\n", encoding="utf-8")
    own.write_text("include: lm_eval/tasks/rivers/rivers.yaml\ntask: own\ndoc_to_text: !function own.text\n")
    assert read_task_file(str(own)).root == str(tmp_path)
    assert find_library(str(tmp_path / "lm_eval")).root == find_library(str(tmp_path)).root
