"""Event logs of OpenAI's evals, and JSON lines with one sample each."""

from pathlib import Path

import pytest

from helm.common.errors import HelmError
from importing_support import import_all, import_one, means, write_lines

SPEC = {
    "spec": {
        "completion_fns": ["gpt-x"], "eval_name": "sums.dev.v0", "base_eval": "sums", "split": "dev", "run_id": "240101",
        "run_config": {"seed": 7}, "created_by": "", "created_at": "2024-01-01 00:00:00",
    }
}  # fmt: skip


def event(sample, kind, **data):
    return {
        "run_id": "240101", "event_id": 0, "sample_id": f"sums.dev.{sample}", "type": kind, "data": data,
        "created_by": "", "created_at": "2024-01-01 00:00:01+00:00",
    }  # fmt: skip


PROMPT = [{"role": "system", "content": "Add."}, {"role": "user", "content": "1+1"}]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_events_are_grouped_by_sample_in_whatever_order_threads_wrote_them(tmp_path):
    rows = [
        SPEC,
        event(0, "sampling", prompt=PROMPT, sampled=["2"], usage={"prompt_tokens": 5, "completion_tokens": 1}),
        event(1, "sampling", prompt="2+2", sampled="5"),
        event(0, "match", correct=True, expected="2", picked="2"),
        event(2, "error", type="TimeoutError", message="no answer"),
        event(1, "match", correct=False, expected=["4", "four"], picked=None),
        event(1, "metrics", closeness=0.5),
        {"final_report": {"accuracy": 0.5, "boostrap_std": 0.1}},
    ]
    run, result = import_one(write_lines(tmp_path / "log.jsonl", rows))
    assert result.name == "sums.dev.v0:model=gpt-x"
    assert result.notes == []
    assert means(run) == {"accuracy": 0.5, "closeness": 0.5}
    states = {state.instance.id: state for state in run.iterate_request_states()}
    assert states["sums.dev.0"].request.messages == PROMPT
    assert states["sums.dev.0"].result.usage.prompt_tokens == 5
    assert [r.output.text for r in states["sums.dev.1"].instance.references] == ["4", "four"]
    assert states["sums.dev.2"].result.error == "no answer"
    requests = run.coverage().requests
    assert (requests.answered, requests.failed, requests.excluded) == (2, 1, 1)


def test_a_log_without_a_report_says_so(tmp_path):
    _, result = import_one(write_lines(tmp_path / "a.jsonl", [SPEC, event(0, "match", correct=True)]))
    assert result.notes == ["the log has no final_report, so the evaluation did not end"]


def test_events_without_a_spec_are_refused(tmp_path):
    with pytest.raises(HelmError, match="no line has the key 'spec'"):
        import_all(write_lines(tmp_path / "a.jsonl", [event(0, "match", correct=True)]))


def test_rows_become_a_run_for_each_task_and_model(tmp_path):
    rows = [
        {"id": "a", "input": "1+1", "ideal": "2", "output": "2", "scores": {"exact": True, "f1": 0.9}, "model": "x/y"},
        {"id": "b", "input": "1+2", "ideal": "3", "output": "4", "scores": {"exact": False, "f1": 0.1}, "model": "x/y"},
        {"id": "a", "input": "1+1", "ideal": "2", "error": "rate limit", "model": "z"},
        {"id": "a", "prompt": PROMPT, "response": "2", "correct": True, "task": "other"},
    ]
    path = write_lines(tmp_path / "my.rows.jsonl", rows)
    found = {result.name: result for result in import_all(path, model="default")}
    assert list(found) == ["my:model=x_y", "my:model=z", "other:model=default"]
    assert found["my:model=x_y"].scores == {"exact": 0.5, "f1": 0.5}
    assert found["my:model=z"].scores == {} and found["my:model=z"].num_failed == 1
    assert found["other:model=default"].scores == {"correct": 1}


def test_rows_without_ids_are_numbered_and_epochs_are_trials(tmp_path):
    rows = [{"input": "?", "output": "!", "score": i, "id": "a", "epoch": i} for i in range(3)]
    run, _ = import_one(write_lines(tmp_path / "a.jsonl", rows), model="m")
    assert means(run) == {"score": 1}
    run, _ = import_one(write_lines(tmp_path / "b.jsonl", [{"output": "!", "score": 1}] * 2), model="m")
    assert [state.instance.id for state in run.iterate_request_states()] == ["id0", "id1"]


def test_a_row_without_a_model_is_refused(tmp_path):
    with pytest.raises(HelmError, match=r"a.jsonl:1: the line names no model; name one with --model"):
        import_all(write_lines(Path(tmp_path / "a.jsonl"), [{"output": "x", "score": 1}]))


def test_unequal_numbers_of_trials_count_by_instance(tmp_path):
    rows = [{"id": "a", "output": "!", "score": 1, "epoch": i} for i in range(3)]
    rows.append({"id": "b", "output": "!", "score": 0, "epoch": 0})
    run, _ = import_one(write_lines(tmp_path / "a.jsonl", rows), model="m")
    assert means(run) == {"score": 0.5}
