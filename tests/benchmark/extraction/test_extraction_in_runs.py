"""Extraction as a stage of a run, in its files, on pages, and in rescoring."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from helm.benchmark import run
from helm.benchmark.commands import rescore
from helm.benchmark.extraction.choice import EXTRACTORS, choose_extraction
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.benchmark.specs import ExtractorSpec, MetricSpec
from helm.common.errors import ConfigError
from helm.common.object_spec import parse_object_spec
from helm.results import load
from scripted_chat_server import ScriptedChatServer
from viewer_support import html_of, viewer

pytestmark = pytest.mark.usefixtures("built_in_catalogue")

ANSWERS = ["**B**", "(B)", "The answer is B) two.", "I am not sure.", "Answer: A"]


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Runs five questions whose right answer is B; `helm` takes the keys of the entry."""
    from helm.clients.pacing.limiter import forget_limiters

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    script = {f"Question {i}?": {"content": text, "reasoning_content": "Hm."} for i, text in enumerate(ANSWERS)}
    server = ScriptedChatServer(script)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    folder = tmp_path / "benchmark_output" / "scenarios" / "custom_mcqa"
    folder.mkdir(parents=True)
    with open(folder / "q.jsonl", "w") as file:
        for text in script:
            references = [
                {"output": {"text": t}, "tags": ["correct"] if t == "two" else []} for t in ("one", "two", "three")
            ]
            file.write(json.dumps({"input": {"text": text}, "references": references, "split": "test"}) + "\n")

    def helm(keys=""):
        entry = f"custom_mcqa:path=q.jsonl,num_output_tokens=50,model=openai-compat/m{keys}"
        run.main(["-r", entry, "-m", "10", "--disable-cache"])
        return load("benchmark_output/runs/default")[0]

    helm.server = server
    yield helm
    server.close()
    forget_limiters()


def score(found):
    (stat,) = [s for s in found.stats() if s.name.name == "exact_match" and s.name.perturbation is None]
    return stat.mean


def contents(found):
    names = ("run_spec.json", "scenario_state.json", "stats.json", "per_instance_stats.json", "coverage.json")
    return {name: open(found.file_path(name), "rb").read() for name in names}


def test_metrics_see_the_answer_and_the_files_keep_everything(runs):
    found = runs(",extraction=letter")
    assert score(found) == pytest.approx(3 / 5)
    spec = json.loads(contents(found)["run_spec.json"])
    assert spec["extractor_spec"] == {"class_name": EXTRACTORS["letter"], "args": {}}
    states = {state.instance.input.text: state for state in found.iterate_request_states()}
    texts = [states[f"Question {i}?"].result.completions[0].text for i in range(5)]
    assert texts == ANSWERS
    assert [states[f"Question {i}?"].extracted for i in range(5)] == [["B"], ["B"], ["B"], [None], ["A"]]
    assert all(state.result.completions[0].thinking.text == "Hm." for state in states.values())
    answers = found.coverage().answers
    assert (answers.answers, answers.unparsable, answers.cut_at_max_tokens) == (5, 1, 0)


def test_a_run_without_extractor_has_none_of_it(runs):
    found = runs()
    assert score(found) == 0
    files = contents(found)
    assert b"extract" not in files["run_spec.json"] and b"extracted" not in files["scenario_state.json"]
    assert found.coverage().answers.unparsable == 5
    assert found.coverage().answers.warning == "5 of 5 answers were without the label of a choice; try prompt=chat"


def test_where_nothing_is_wrong_coverage_says_nothing_of_answers(runs):
    for message in runs.server.script.values():
        message["content"] = "B"
    assert b'"answers"' not in contents(runs())["coverage.json"]


def test_rescoring_extracts_without_asking_and_takes_it_back(runs, capsys):
    found = runs()
    before, asked = contents(found), len(runs.server.bodies)
    rescore.main(["--suite", "default", "--extraction", "auto"])
    assert len(runs.server.bodies) == asked
    (found,) = load("benchmark_output/runs/default")
    assert score(found) == pytest.approx(3 / 5)
    assert found.run_spec.extractor_spec.class_name == EXTRACTORS["letter"]
    assert [None] in [state.extracted for state in found.iterate_request_states()]
    rescore.main(["--suite", "default"])  # the run's own extraction
    assert score(load("benchmark_output/runs/default")[0]) == pytest.approx(3 / 5)
    rescore.main(["--suite", "default", "--extraction", "none"])
    assert contents(load("benchmark_output/runs/default")[0]) == before


def test_rescoring_into_another_suite_leaves_the_run_alone(runs):
    before = contents(runs())
    rescore.main(
        ["--suite", "default", "--extraction", "regex", "--extraction-pattern", r"\b([ABC])\b", "--to-suite", "other"]
    )
    assert contents(load("benchmark_output/runs/default")[0]) == before
    (found,) = load("benchmark_output/runs/other")
    assert found.run_spec.extractor_spec.args == {"pattern": r"\b([ABC])\b"} and score(found) == pytest.approx(3 / 5)


def test_rescoring_dry_changes_nothing(runs):
    before = contents(runs())
    rescore.main(["--suite", "default", "--extraction", "letter", "--dry-run"])
    assert contents(load("benchmark_output/runs/default")[0]) == before


def test_exports_and_display_files_have_the_answer(runs, tmp_path):
    from helm.benchmark.presentation import summarize
    from helm.results.rows import RESPONSES, iterate_rows

    found = runs(",extraction=letter")
    rows = list(iterate_rows([found], RESPONSES))
    assert {(row["output"], row["extracted"], row["thinking"]) for row in rows} == {
        (text, answer, "Hm.") for text, answer in zip(ANSWERS, ["B", "B", "B", None, "A"], strict=True)
    }
    summarize.main(["--suite", "default"])
    shown = json.loads(open(f"{found.path}/display_predictions.json").read())
    assert {(item["predicted_text"], item.get("extracted_text"), item.get("mapped_output")) for item in shown} == {
        ("**B**", "B", "two"), ("(B)", "B", "two"), ("The answer is B) two.", "B", "two"), ("I am not sure.", None, None),
        ("Answer: A", "A", "one"),
    }  # fmt: skip


def test_pages_show_the_thinking_the_answer_and_what_is_wrong(runs):
    found = runs(",extraction=letter")
    states = {state.result.completions[0].text: state.instance.id for state in found.iterate_request_states()}
    address = f"default/{Path(found.path).name}"
    with viewer(Path("benchmark_output")) as shown:
        page = html_of(shown, f"/run/{address}")
        assert (
            "1 of 5 answers were without an answer that the extraction finds" in page
            and "Answers that cannot be read" in page
        )
        page = html_of(shown, f"/instance/{address}?id={states['**B**']}")
        for heading in ("Thinking", "Response", "Extracted", "Read as"):
            assert f">{heading}" in page, heading
        assert "the extracted answer is the label" in page
        page = html_of(shown, f"/instance/{address}?id={states['I am not sure.']}")
        assert "no answer was found: counts as wrong" in page


# --- run entries ---


def spec_of(entry):
    (found,) = construct_run_specs(parse_object_spec(entry))
    return found


@pytest.mark.parametrize(
    "keys", ["extraction=regex,extraction_pattern=x(y)", "extraction_pattern=x(y),extraction=regex"]
)
def test_the_pattern_may_come_first(keys):
    spec = spec_of(f"gsm:model=simple/model1,{keys}")
    assert spec.extractor_spec.class_name == EXTRACTORS["regex"] and spec.extractor_spec.args == {"pattern": "x(y)"}


@pytest.mark.parametrize(("one", "other"), [("x" * 40 + "1", "x" * 40 + "2"), ("The (a)", "The [a]"), ("x-*", "x_*")])
def test_different_patterns_are_different_runs(one, other):
    entry = "gsm:model=simple/model1,extraction=regex,extraction_pattern="
    names = [spec_of(entry + pattern).name for pattern in (one, other, one)]
    assert names[0] == names[2] != names[1] and len(names[0].partition("pattern=")[2]) <= 47 + len(
        ",model=simple_model1"
    )
    assert "extraction_pattern=x.y" in spec_of(f"{entry}x.y").name.split(",")  # what is short and plain stays as it is


def test_json_takes_a_path():
    spec = spec_of("gsm:model=simple/model1,extraction=json,extraction_pattern=result.value")
    assert spec.extractor_spec.args == {"path": "result.value"}


def test_classes_of_a_multiple_choice_question_are_letters_too():
    spec = spec_of("mmlu:subject=anatomy,model=simple/model1")
    metric = MetricSpec("helm.benchmark.metrics.classification_metrics.ClassificationMetric")
    chosen = choose_extraction(replace(spec, metric_specs=[*spec.metric_specs, metric]))
    assert chosen.extractor_spec == ExtractorSpec(EXTRACTORS["letter"])


def test_the_metrics_get_the_words_they_look_for():
    assert spec_of("gsm:model=simple/model1,extraction=number").extractor_spec.args == {"form": "The answer is {}."}
    assert spec_of("mmlu:subject=anatomy,model=simple/model1,extraction=letter").extractor_spec.args == {}
    chosen = spec_of("gpqa:subset=gpqa_main,model=simple/model1,extraction=auto").extractor_spec
    assert chosen.args == {"form": "The correct answer is ({})"}
    assert spec_of("ifeval:model=simple/model1,extraction=auto").extractor_spec is None
    assert spec_of("gsm:model=simple/model1,extraction=none").extractor_spec is None


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("extraction=leter", "Did you mean 'letter'"),
        ("extraction=letter,extraction_pattern=x", "is for extraction=regex and json"),
        ("extraction=regex,extraction_pattern=(", "not a regular expression"),
    ],
)
def test_bad_values_are_named(keys, message):
    with pytest.raises(ConfigError, match=message):
        spec_of(f"gsm:model=simple/model1,{keys}")


@pytest.mark.parametrize(
    ("entry", "form"),
    [
        ("mmlu:subject=anatomy", "letter"), ("gsm", "number"), ("math:subject=algebra,level=1", "boxed"),
        ("gpqa:subset=gpqa_main", "letter"), ("code:dataset=humaneval", "code"), ("imdb", "last_line"), ("boolq", "last_line"),
        ("natural_qa:mode=closedbook", "last_line"), ("ifeval", None), ("wildbench:subset=v2", None), ("omni_math", None),
        ("summarization_xsum", None), ("blimp:phenomenon=binding,method=multiple_choice_separate_original", None),
    ],
)  # fmt: skip
def test_the_form_follows_from_the_metrics(entry, form):
    separator = "," if ":" in entry else ":"
    chosen = choose_extraction(spec_of(f"{entry}{separator}model=simple/model1"))
    assert (chosen and chosen.extractor_spec.class_name) == (form and EXTRACTORS[form])
    assert chosen is None or chosen.instruction
