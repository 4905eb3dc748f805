"""What `helm.evaluate` takes as a task, and that it does what `helm-run` does."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import helm
from helm.benchmark import run

ROWS = [{"input": "2+2=", "target": "4"}, {"input": "2+3=", "target": "5"}, {"input": "1+1=", "target": "3"}]


def solve(prompt):
    return str(eval(prompt.splitlines()[-1].rstrip("=")))


def three_rows():
    yield from ROWS


def evaluate(*args, **kwargs):
    return helm.evaluate(*args, progress="none", **kwargs)


def scores(results):
    return {(row["task"], row["metric"]): row["score"] for row in results.scores().to_dict("records")}


def read(path):
    return json.loads(Path(path).read_text())


def without_times(states):
    text = json.dumps(states)
    for state in json.loads(text)["request_states"]:
        state["result"]["request_time"] = state["result"]["request_datetime"] = 0
        yield state


def test_an_entry_gives_the_files_that_the_command_gives(tmp_path):
    run.main(
        ["-r", "simple_mcqa:model=simple/model1", "-m", "5", "--suite", "s", "-o", "command", "--local-path", "one"]
    )
    results = evaluate("simple_mcqa", "simple/model1", limit=5, suite="s", output_path="api", local_path="two")
    assert [r.name for r in results.runs] == ["simple_mcqa:model=simple_model1"] and len(results) == 1
    ours, theirs = (
        tmp_path / folder / "runs" / "s" / "simple_mcqa:model=simple_model1" for folder in ("api", "command")
    )
    assert sorted(p.name for p in ours.iterdir()) == sorted(p.name for p in theirs.iterdir())
    for name in ("run_spec.json", "scenario.json", "coverage.json"):
        assert (ours / name).read_bytes() == (theirs / name).read_bytes()
    name = "scenario_state.json"
    assert list(without_times(read(ours / name))) == list(without_times(read(theirs / name)))


def test_keys_of_run_entries_are_arguments_and_an_entry_keeps_its_own():
    results = evaluate(
        ["simple_mcqa:max_train_instances=2", "simple_classification"],
        "simple/model1",
        limit=2,
        max_train_instances=0,
        temperature=0.5,
    )
    specs = [r.run_spec.adapter_spec for r in results.runs]
    assert [(spec.max_train_instances, spec.temperature) for spec in specs] == [(2, 0.5), (0, 0.5)]


def test_entries_may_name_their_models():
    results = evaluate(["simple_mcqa:model=simple/model1", "simple_mcqa:model=baseline/ppm"], limit=2)
    assert [r.run_spec.adapter_spec.model for r in results.runs] == ["simple/model1", "baseline/ppm"]
    with pytest.raises(helm.ConfigError, match=r"names the model 'simple/model1', and model is 'baseline/ppm'"):
        evaluate("simple_mcqa:model=simple/model1", "baseline/ppm")
    with pytest.raises(helm.ConfigError, match="must be set"):
        evaluate("simple_mcqa")


def test_several_models_run_on_each_task():
    results = evaluate(["simple_mcqa", ROWS], ["simple/model1", solve_choice], limit=2)
    assert len(results) == 4 and not results.failures


def solve_choice(prompt):
    return "A"


def test_rows_are_asked_as_they_are_and_scored():
    asked = []
    results = evaluate(ROWS, lambda prompt: asked.append(prompt) or solve(prompt))
    assert sorted(asked) == sorted(row["input"] for row in ROWS)
    (score,) = scores(results).values()
    assert score == pytest.approx(2 / 3)


def test_rows_have_a_file_of_their_own_that_a_later_process_reads(tmp_path):
    (found,) = evaluate({"sums": ROWS}, solve).runs
    spec = found.run_spec
    assert spec.name == f"sums:model={spec.adapter_spec.model.replace('/', '_')}"
    stored = tmp_path / "benchmark_output" / "scenarios" / "rows" / f"{spec.scenario_spec.args['sha256']}.jsonl"
    assert [json.loads(line) for line in stored.read_text().splitlines()] == ROWS
    other = evaluate(replace(spec, name="again"), "simple/model1")
    assert not other.failures and len(other.instances()) == 3
    stored.write_text("{}")
    with pytest.raises(helm.EvaluationError, match="was changed"):
        evaluate(replace(spec, name="again"), "simple/model1")


def test_rows_with_choices_are_multiple_choice_questions():
    rows = [
        {"input": "Which is even?", "choices": ["3", "4"], "target": "4"},
        {"input": "Which is odd?", "choices": ["8", "7"], "target": "B"},
        {"input": "Which is prime?", "choices": ["9", "11"], "target": 1},
    ]
    asked = []
    results = evaluate(rows, lambda prompt: asked.append(prompt) or "B", metrics=[chosen])
    (found,) = results.runs
    assert set(scores(results).values()) == {1.0}
    assert "Which is even?\nA. 3\nB. 4\nAnswer:" in "".join(asked)
    assert found.run_spec.adapter_spec.method == "multiple_choice_joint"


@helm.metric
def chosen(output, target, choices):
    assert output in choices
    return output == target


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_frame_is_a_task(package):
    module = pytest.importorskip(package)
    frame = module.DataFrame({"question": ["2+2=", "2+3="], "solution": ["4", None], "level": [1, 2]})
    results = evaluate(frame, solve, columns={"input": "question", "target": "solution"})
    states = list(results.runs[0].iterate_request_states())
    assert [s.instance.input.text for s in sorted(states, key=lambda s: s.instance.id)] == ["2+2=", "2+3="]
    assert sorted(s.instance.extra_data["level"] for s in states) == [1, 2]
    assert sorted(len(s.instance.references) for s in states) == [0, 1]


def test_a_function_is_a_task():
    assert scores(evaluate(three_rows, solve)) == {("three_rows", "exact_match"): pytest.approx(2 / 3)}
    with pytest.raises(helm.HelmError, match="'nothing' gave no rows"):
        evaluate({"nothing": nothing}, solve)
    with pytest.raises(helm.HelmError, match="'text' returned a value of type str: expected rows"):
        evaluate(text, solve)


def nothing():
    return []


def text():
    return "2+2="


def test_a_function_may_give_instances_and_rows_may_be_chats():
    from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference

    def instances():
        yield Instance(Input("2+2="), [Reference(Output("4"), [CORRECT_TAG])], split="test")

    assert set(scores(evaluate(instances, solve)).values()) == {1.0}
    chat = [{"role": "system", "content": "Add."}, {"role": "user", "content": "2+2="}]

    def answer(messages: list[dict]) -> str:
        assert messages == chat
        return "4"

    assert set(scores(evaluate([{"input": chat, "target": "4"}], answer)).values()) == {1.0}


class Solver:
    def __call__(self, prompt: str) -> str:
        return solve(prompt)

    def method(self, prompts: list[str]) -> list[str]:
        return [solve(prompt) for prompt in prompts]


def test_methods_objects_and_partial_functions_are_models():
    from functools import partial

    for model in (Solver(), Solver().method, partial(lambda sign, prompt: solve(prompt), "+")):
        assert set(scores(evaluate(ROWS[:2], model)).values()) == {1.0}


def test_a_run_spec_is_a_task_and_its_model_may_be_replaced():
    from helm.benchmark.run_specs.simple_run_specs import get_simple1_run_spec

    spec = get_simple1_run_spec()
    own = evaluate(replace(spec, name="own"), limit=1).runs[0].run_spec
    assert (own.name, own.adapter_spec.model) == ("own", "simple/model1")
    other = evaluate(spec, "baseline/ppm", num_outputs=1).runs[0].run_spec
    assert (other.adapter_spec.model, other.adapter_spec.num_outputs) == ("baseline/ppm", 1)


def test_metrics_are_added_to_entries_and_lead_those_of_rows():
    results = evaluate(["simple_mcqa", ROWS], "simple/model1", metrics=[length], limit=2)
    assert [metric for _, metric in scores(results)] == ["exact_match", "length"]
    assert all("length" in {stat.name.name for stat in found.stats()} for found in results.runs)


def length(output):
    return len(output)


@pytest.mark.parametrize(
    "tasks, message",
    [
        ([], "tasks is empty"),
        (7, "tasks is a value of type int"),
        (["simple_mcqa", 7], r"tasks\[1\] is a value of type int"),
        ("simple_mcq", "Unknown run spec name: simple_mcq"),
        ({"input": "2+2="}, "is a single row: put it into a list"),
        ({"sums": "simple_mcqa"}, "'sums' names a str, which has its own name"),
        ([{"question": "2+2="}], "Row 0 of tasks has no input; it has question"),
        ({"sums": [{"input": "a"}, {"imput": "2+2="}]}, "Row 1 of sums has no input.*Did you mean 'imput'"),
        ([{"input": "a", "split": "tset"}], "Did you mean 'test'"),
        ([{"input": "a", "choices": ["x", "y"], "target": "z"}], "target 'z' is none of the choices 'x', 'y'"),
        ([{"input": object()}], "cannot be stored: a value of type object"),
        ([{"input": "a", "id": 1}, {"input": "b", "id": 1}], "have the same id '1'"),
    ],
)
def test_what_is_no_task_is_refused_with_its_place(tasks, message):
    with pytest.raises(helm.HelmError, match=message) as error:
        evaluate(tasks, "simple/model1")
    notes = " ".join(getattr(error.value, "__notes__", []))
    assert "simple_mcqa" in notes or tasks != "simple_mcq"


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"limt": 1}, "Did you mean 'limit'"),
        ({"num_thread": 1}, "Did you mean 'num_threads'"),
        ({"max_train_instance": 1}, "Did you mean 'max_train_instances'"),
        ({"limit": 0}, "limit is a number of instances"),
        ({"num_threads": "4"}, "num_threads takes a whole number, not '4'"),
        ({"num_threads": 0}, "^num_threads takes 1 or more"),
        ({"max_cost": -1}, "^max_cost takes 0 or more"),
        ({"on_error": "ignore"}, "on_error is raise or return"),
        ({"on_failure": "igore"}, "^on_failure takes"),
        ({"suite": "../x"}, "^suite takes the name of a folder"),
        ({"max_eval_instances": 3}, "it is called limit"),
        ({"dry_run": True}, "use helm-run --dry-run"),
        ({"grader": ["simple/model1"]}, "^grader: no model judges"),
        ({"price": ["x"]}, "^price takes IN,OUT"),
        ({"output_path": "s3://bucket"}, "output_path takes a folder"),
        ({"columns": {"inptu": "x"}}, "Did you mean 'input'"),
        ({"columns": {"input": "inpt"}}, "has no column 'inpt'.*Did you mean 'input'"),
    ],
)
def test_wrong_arguments_are_named_before_anything_runs(arguments, message, tmp_path):
    with pytest.raises(helm.ConfigError, match=message):
        evaluate(ROWS, "simple/model1", **arguments)
    assert not (tmp_path / "benchmark_output" / "runs").exists()


def test_completed_runs_may_be_skipped():
    calls = []
    for _ in range(2):
        results = evaluate(ROWS, lambda prompt: calls.append(prompt) or "4", skip_completed_runs=True)
    assert len(calls) == 3 and results.scores()["state"][0] == "skipped"


def test_a_row_without_end_is_refused():
    endless = []
    endless.append(endless)
    with pytest.raises(helm.ConfigError, match="Row 0 of tasks cannot be stored: its lists are nested too deeply"):
        evaluate([{"input": "a", "more": endless}], solve)
