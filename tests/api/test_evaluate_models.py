"""What `helm.evaluate` takes as a model: names, addresses and functions of all kinds."""

import asyncio
import json
import threading
from pathlib import Path

import pytest

import helm
from counting_server import CountingServer
from tutorial_support import AddingServer, make_questions

ROWS = [{"input": f"question {i}", "target": f"QUESTION {i}"} for i in range(20)]


def evaluate(tasks, model, **kwargs):
    return helm.evaluate(tasks, model, progress="none", **kwargs)


def score(results):
    (value,) = results.scores()["score"]
    return value


def test_a_function_gets_the_prompt():
    assert score(evaluate(ROWS, lambda prompt: prompt.upper())) == 1.0


def test_a_function_may_get_messages():
    def answer(messages: list[dict]) -> str:
        assert [m["role"] for m in messages] == ["user"]
        return messages[-1]["content"].upper()

    assert score(evaluate(ROWS, answer)) == 1.0
    assert score(evaluate(ROWS, helm.model(takes="messages")(lambda chat: chat[-1]["content"].upper()))) == 1.0


def test_a_function_may_get_batches():
    sizes = []

    @helm.model(batch_size=8)
    def answer(prompts: list[str]) -> list[str]:
        sizes.append(len(prompts))
        threading.Event().wait(0.01)
        return [prompt.upper() for prompt in prompts]

    assert score(evaluate(ROWS, answer)) == 1.0
    assert sum(sizes) == 20 and max(sizes) <= 8 and len(sizes) < 20


def test_a_function_may_be_asynchronous_and_then_calls_overlap():
    running, most = 0, 0

    async def answer(prompt: str) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.02)
        running -= 1
        return prompt.upper()

    assert score(evaluate(ROWS, answer)) == 1.0
    assert most > 1


def test_calls_of_a_plain_function_do_not_overlap_unless_asked_for():
    lock, most = threading.Lock(), []

    def answer(prompt):
        most.append(lock.acquire(blocking=False))
        threading.Event().wait(0.01)
        if most[-1]:
            lock.release()
        return prompt.upper()

    evaluate(ROWS, answer)
    assert all(most)
    reached = threading.Barrier(2, timeout=20)

    def meet(prompt):
        if prompt in ("question 0", "question 1"):
            reached.wait()
        else:
            threading.Event().wait(0.01)  # so that threads are worth while
        return prompt.upper()

    rows = ROWS[2:] + ROWS[:2]
    assert score(evaluate(rows, meet, num_threads=20)) == 1.0


def test_a_function_gets_the_options_that_it_names_and_stops_are_cut():
    seen = []

    def answer(prompt, max_tokens, stop, temperature=None):
        seen.append((max_tokens, stop, temperature))
        return "QUESTION 0\nand so on"

    results = evaluate("simple_classification", answer, limit=1)
    assert seen == [(5, ["\n"], 0.0)]
    assert list(results.instances()["output"]) == ["QUESTION 0"]
    assert list(results.instances()["finish_reason"]) == ["stop"]


def test_two_functions_of_one_name_and_code_are_refused():
    def make(value):
        return lambda prompt: str(value)

    with pytest.raises(helm.ConfigError, match="Two different functions are both named"):
        evaluate(ROWS, [make(object()), make(object())])
    results = evaluate(ROWS, [make("a"), make("b")])  # these differ in a value that can be told apart
    assert len(results) == 2 and len(set(results.scores()["model"])) == 2


def test_an_exception_of_a_function_is_the_cause_of_the_error():
    with pytest.raises(helm.EvaluationError, match=r"1 of 2 runs failed.*\n.*ZeroDivisionError: no luck") as error:
        evaluate([ROWS, three], broken_on_rows)
    cause = error.value.__cause__
    while cause.__cause__ is not None:
        cause = cause.__cause__
    assert type(cause) is ZeroDivisionError
    (failure,) = error.value.results.failures
    assert (failure.state, failure.stage) == ("failed", "execution")
    assert "ZeroDivisionError" in json.loads((Path(failure.path) / "error.json").read_text())["traceback"]
    assert list(error.value.results.scores()["state"]) == ["failed", "done"]
    returned = evaluate([ROWS, three], broken_on_rows, on_error="return")
    assert len(returned.failures) == 1 and len(returned.runs) == 1
    assert "failed: rows-" in repr(returned)


def three():
    return [{"input": "fine", "target": "FINE"}]


def broken_on_rows(prompt):
    if prompt.startswith("question"):
        raise ZeroDivisionError("no luck")
    return prompt.upper()


def test_failures_of_single_answers_follow_the_policy():
    def moody(prompt):
        if prompt.endswith("7"):
            raise ValueError("not this one")
        return prompt.upper()

    results = evaluate(ROWS, moody, on_failure="exclude")
    assert score(results) == 1.0
    assert results.scores()[["answered", "asked"]].values.tolist() == [[18, 20]]
    assert score(evaluate(ROWS, moody, on_failure="count-as-wrong", suite="other")) == 0.9


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda prompt: None, "returned nothing .None. where the text of an answer was expected"),
        (lambda prompt: 4, "returned a value of type int"),
        (helm.model(batch_size=4)(lambda prompts: "x"), "expected a list of as many answers"),
    ],
)
def test_what_is_no_answer_is_refused(function, message):
    with pytest.raises(helm.EvaluationError, match=message):
        evaluate(ROWS[:2], function)


@pytest.mark.parametrize(
    "model, message",
    [
        (7, "model is a value of type int: expected a name"),
        ("", "model is an empty text"),
        ([], "model is an empty list"),
        ("http://localhost:8000/v1", r"expected http://localhost:8000/v1#NAME"),
        (lambda: "x", "takes no argument, so it cannot be a model"),
        ("python/no_such_module.answer", "Cannot import the module 'no_such_module'"),
        ("python/json.dupms", "has no model function 'dupms'. Did you mean 'dumps'"),
    ],
)
def test_what_is_no_model_is_refused(model, message):
    with pytest.raises(helm.ConfigError, match=message):
        evaluate(ROWS, model)


def test_an_address_is_a_model():
    server = CountingServer(delay_s=0.001)
    try:
        for _ in range(2):
            results = evaluate("simple_mcqa", f"{server.url}#tiny", limit=6)
        (row,) = results.scores().to_dict("records")
        assert row["model"] == f"openai-compat/tiny@{server.url}"
        assert (row["answered"], row["asked"]) == (6, 6)
        assert max(server.counts.values()) == 1  # the second call was answered by the cache
        evaluate("simple_mcqa", f"{server.url}/#tiny", limit=6, cache=False)
        assert max(server.counts.values()) == 2
    finally:
        server.close()


def test_a_budget_ends_a_call_and_the_next_one_continues():
    from helm.common.budgets.spending import BudgetExceeded

    server = CountingServer(delay_s=0.001)
    try:
        arguments = {"limit": 10, "num_threads": 1, "cache": False}
        with pytest.raises(BudgetExceeded) as error:
            evaluate("simple_mcqa", f"{server.url}#tiny", max_tokens_total=35, **arguments)
        assert [failure.state for failure in error.value.results.failures] == ["stopped"]
        asked = sum(server.counts.values())
        assert 0 < asked < 10
        assert not evaluate("simple_mcqa", f"{server.url}#tiny", **arguments).failures
        assert sum(server.counts.values()) == 10
    finally:
        server.close()


def test_options_of_chat_models_are_arguments_that_may_hold_anything(own_folder):
    make_questions(own_folder / "benchmark_output")
    server = AddingServer()
    try:
        results = evaluate(
            ["gsm", [{"input": "Ann has 7 coins and gets 8 more.", "target": "15"}]],
            f"http://localhost:{server.port}/v1#tiny",
            limit=3,
            no_probe=True,
            prompt="chat",
            system_prompt="Be brief, exact\nand kind, please.",
            extra_body={"top_k": 5, "list": [1, 2]},
        )
    finally:
        server.close()
    assert len(server.bodies) == 4
    for body in server.bodies:
        assert body["messages"][0] == {"role": "system", "content": "Be brief, exact\nand kind, please."}
        assert (body["top_k"], body["list"]) == (5, [1, 2])
    extracted = results.instances()["extracted"]
    assert extracted.notna()[:3].all() and results.scores()["score"][0] == 1.0
    name = results.runs[0].name
    assert "system_prompt=" in name and "extra_body=" in name and "prompt=chat" in name


def test_a_preset_may_stand_behind_the_keys_that_change_it():
    given = []

    def answer(messages: list[dict], max_tokens, stop):
        given.append((messages, max_tokens, stop))
        return messages[-1]["content"].partition("\n")[0].upper()

    keys = {"max_tokens": 7, "extraction": "last_line", "prompt": "cot"}
    spec = helm_rows_spec()
    for tasks in (ROWS, spec):
        given.clear()
        results = evaluate(tasks, answer, limit=2, **keys)
        assert {max_tokens for _, max_tokens, _ in given} == {7} and not any(stop for _, _, stop in given)
        assert all("Think step by step before you answer." in messages[-1]["content"] for messages, _, _ in given)
        assert results.runs[0].run_spec.adapter_spec.max_tokens == 7


class Few:
    def __init__(self, examples):
        self.examples = examples

    def __call__(self, prompt):
        return prompt.upper()

    def ask(self, prompt):
        return prompt.upper()


def _closed_over(value):
    return lambda prompt: (value, prompt.upper())[1]


def _with_default(value):
    def answer(prompt, *, examples=value):
        return prompt.upper()

    return answer


def _with_closure(examples):
    def answer(prompt):
        return f"{examples}{prompt}".upper()

    return answer


@pytest.mark.parametrize(
    "make",
    [
        Few,
        lambda value: Few(value).ask,
        _with_default,
        _with_closure,
        lambda value: _closed_over(_with_default(value)),
        lambda value: _closed_over(_with_closure(value)),
    ],
)
def test_functions_that_hold_other_values_are_other_models(make):
    from helm.common.live_functions import function_name

    values = [["a", "b"], ["a", "c"], {"a": 1}, {"a": 2}, {"a": {"b": [1]}}, {1, 2}, {1, 3}, None, "a"]
    names = [function_name(make(value), with_state=True) for value in values]
    assert len(set(names)) == len(values)
    assert names == [function_name(make(value), with_state=True) for value in values]
    assert len(evaluate(ROWS[:2], [make(["a"]), make(["b"])]).runs) == 2


def test_what_cannot_be_told_apart_is_said_once(caplog):
    lock = threading.Lock()
    with caplog.at_level("INFO", logger="helm"):
        for _ in range(2):
            evaluate(ROWS[:1], Few([lock]))
    (line,) = [r.getMessage() for r in caplog.records if "cannot be told apart" in r.getMessage()]
    assert "'Few' holds a value of type lock" in line and "another name" in line


def _that_appends(calls):
    return lambda prompt: calls.append(prompt) or "a"


def _that_counts(calls):
    def answer(prompt):
        calls[prompt] = calls.get(prompt, 0) + 1
        return "a"

    return answer


def _that_appends_inside(calls):
    def answer(prompt):
        def note():
            calls.append(prompt)

        note()
        return "a"

    return answer


@pytest.mark.parametrize(
    ("make", "calls"),
    [(_that_appends, []), (_that_counts, {}), (_that_appends_inside, [])],
    ids=["appends", "counts", "appends_inside"],
)
def test_a_record_of_its_calls_does_not_rename_a_function(make, calls):
    from helm.common.live_functions import function_name

    model = make(calls)
    name = function_name(model, with_state=True)
    model("What?")
    assert calls and function_name(model, with_state=True) == name


def test_of_a_huge_state_the_beginning_and_the_length_count(caplog, monkeypatch):
    from helm.common import live_functions

    monkeypatch.setattr(live_functions, "_MOST_VALUES", 10)
    loop: list = [1]
    loop += [loop, loop]  # which has no end
    tables = [list(range(30)), [0, 5, *range(2, 30)], list(range(31)), [*range(29), "z"], {1: list(range(30))}, loop]
    with caplog.at_level("INFO", logger="helm"):
        names = [live_functions.function_name(_with_closure(table), with_state=True) for table in tables]
    assert names[0] == names[3] and len(set(names)) == len(tables) - 1
    assert "of type list (after the first 10 values)" in caplog.text


def helm_rows_spec():
    from helm.benchmark.run_spec_factory import construct_recipe
    from helm.common.object_spec import parse_object_spec

    return construct_recipe(parse_object_spec("synthetic_reasoning_natural:difficulty=easy"))


def test_a_function_gets_the_options_that_it_names():
    given = []

    def answer(prompt, seed, top_p):
        given.append((seed, top_p))
        return "A"

    evaluate(ROWS, answer, limit=1, seed=3, top_p=0.5, num_outputs=2)
    assert given == [(3, 0.5), (4, 0.5)]
    with pytest.raises(Exception, match="takes no seed"):
        evaluate(ROWS, lambda prompt: "A", limit=1, seed=3)


def test_a_function_of_messages_gets_a_conversation():
    given = []

    def answer(messages: list[dict]) -> str:
        given.append([message["role"] for message in messages])
        return "A"

    evaluate(
        "simple_mcqa",
        answer,
        limit=1,
        prompt="chat",
        system_prompt="Be brief.",
        max_train_instances=1,
        fewshot_as_turns=True,
    )
    assert given == [["system", "user", "assistant", "user"]]
    with pytest.raises(Exception, match="takes chat messages only"):
        evaluate(ROWS, answer, limit=1, chat="off")


def test_what_no_task_can_raise_ends_an_asynchronous_call_all_the_same():
    def without_next():
        raise StopIteration("no more")

    async def call():
        return await helm.evaluate_async(without_next, str.upper, progress="none")

    with pytest.raises(RuntimeError, match="A function raised StopIteration: no more"):
        asyncio.run(call())
