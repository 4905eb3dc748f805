"""Runs of 200 questions against a chat server whose answers and right scores are known, from run entry to files."""

import json
import random
import textwrap

import pytest

import answer_styles as styles
from helm.benchmark import run
from helm.results import load
from scripted_chat_server import ScriptedChatServer

NUMBER = 200


@pytest.fixture
def scripted(tmp_path, monkeypatch):
    """Starts a server for a script; returns a function that runs an entry, and gives the run."""
    from helm.clients.pacing.limiter import forget_limiters

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_RETRIES", "0")
    servers = []

    def serve(script, judge=None):
        forget_limiters()
        server = ScriptedChatServer(script, judge)
        servers.append(server)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)

        def helm(entry, *flags):
            entry += ",model=openai-compat/m"
            run.main(["-r", entry, "-m", str(NUMBER), "--disable-cache", *flags])
            (found,) = load("benchmark_output/runs/default")
            return found

        helm.server = server
        return helm

    yield serve
    for server in servers:
        server.close()
    forget_limiters()


def scores(run_results, metric):
    return {
        entry.instance_id: stat.mean
        for entry in run_results.per_instance_stats()
        for stat in entry.stats
        if stat.name.name == metric
    }


def instance_texts(run_results):
    return {state.instance.id: state.instance.input.text for state in run_results.iterate_request_states()}


def check(run_results, metric, truth):
    """Compare the score of each instance with what is known of it, by a piece of its question."""
    found, texts = scores(run_results, metric), instance_texts(run_results)
    assert len(found) == NUMBER
    expected = {
        key: float(next(right for piece, right in truth.items() if piece in text)) for key, text in texts.items()
    }
    outputs = {state.instance.id: state.result.completions[0].text for state in run_results.iterate_request_states()}
    assert not [(outputs[key], value) for key, value in found.items() if value != expected[key]]
    (stat,) = [stat for stat in run_results.stats() if stat.name.name == metric and stat.name.perturbation is None]
    assert stat.mean == pytest.approx(sum(truth.values()) / NUMBER)


def message(text, rng):
    """A message with the text; some servers give the thinking in a field of its own."""
    found = {"content": text}
    if rng.random() < 0.25 and "<think>" not in text:
        found["reasoning_content"] = "The answer is 12345. Answer: A. ```python\ndef nothing(): pass\n```"
    return found


def write_gsm(tmp_path):
    """Write 200 problems; returns what the model says to each, and whether it is right."""
    rng = random.Random(17)
    folder = tmp_path / "benchmark_output" / "scenarios" / "gsm"
    folder.mkdir(parents=True)
    rows, script, truth = [], {}, {}
    for i in range(NUMBER):
        gold = rng.choice([rng.randint(2, 99), rng.randint(1000, 99999)])
        said = gold if rng.random() < 0.7 else gold + rng.randint(1, 50)
        piece = f"Problem number {i}x."
        rows.append({"question": f"{piece} How many?", "answer": f"Some steps.\n#### {gold:,}"})
        script[piece] = message(styles.NUMBERS[i % len(styles.NUMBERS)](said, rng), rng)
        truth[piece] = said == gold
        if i % 23 == 0:
            script[piece], truth[piece] = {"content": styles.NOTHING[i % len(styles.NOTHING)]}, False
    train = [{"question": f"Example {i}?", "answer": f"One step.\n#### {i}"} for i in range(5)]
    for name, found in (("gsm_data_train", train), ("gsm_data_test", rows)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in found))
    return script, truth


def test_numbers_of_grade_school_problems(scripted, tmp_path):
    script, truth = write_gsm(tmp_path)
    found = scripted(script)("gsm:prompt=chat")
    check(found, "final_number_exact_match", truth)
    states = list(found.iterate_request_states())
    assert {state.result.completions[0].text for state in states} <= {item["content"] for item in script.values()} | {
        ""
    } | {item["content"].split("</think>")[-1].strip() for item in script.values()}
    assert sum(state.extracted == [None] for state in states) == 9
    answers = found.coverage().answers
    assert answers.answers == NUMBER and answers.refused == 3


def test_the_same_run_without_the_preset_says_what_is_wrong(scripted, tmp_path, capsys):
    script, _ = write_gsm(tmp_path)
    found = scripted(script)("gsm:max_train_instances=0")
    answers = found.coverage().answers
    assert answers.cut_at_stop["\n\n"] > 40
    count = answers.cut_at_stop["\n\n"]
    warning = f"{count} of {NUMBER} answers were cut at `\\n\\n` before they gave an answer; try prompt=chat"
    assert answers.warning == warning
    assert warning in capsys.readouterr().out


def test_results_in_python_say_what_is_wrong_and_what_differs(scripted, tmp_path):
    import helm

    script, _ = write_gsm(tmp_path)
    server = scripted(script).server
    arguments = {"model": f"{server.url}#m", "limit": 60, "cache": False, "progress": "none"}
    plain = helm.evaluate("gsm8k", **arguments)
    chat = helm.evaluate("gsm8k", **arguments, prompt="chat")
    ((name, warning),) = plain.warnings.items()
    assert name == "gsm:model=openai-compat_m" and warning.endswith("try prompt=chat")
    assert f"warning: {name}: {warning}" in repr(plain) and "try prompt=chat" in plain._repr_html_()
    assert chat.warnings == {} and "warning" not in repr(chat)
    (refused,) = chat.compare(plain).refused
    assert "max_tokens 2048 and 400; " in refused and "chat.mode 'auto' and None; " in refused
    assert chat.compare(plain, allow=["prompts"]).report.results


def test_tables_of_helms_schema_say_when_they_show_another_metric(scripted, tmp_path, capsys, monkeypatch):
    from helm.benchmark.presentation import summarize

    monkeypatch.setenv("COLUMNS", "80")  # the end of a line falls into the name of a command
    script, _ = write_gsm(tmp_path)
    scripted(script)("gsm:prompt=chat")
    capsys.readouterr()
    summarize.main(["--suite", "default"])
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "gsm: HELM's tables show exact_match_indicator; helm-run, helm-compare and helm-server show final_number"
        in shown
    )
    summarize.main(["--suite", "default", "--auto-generate-schema"])
    assert "HELM's tables show" not in capsys.readouterr().out


def choices_of(rng, i):
    return [f"{rng.randint(100, 999)}{name} unit {i}" for name in "kmgt"]


def write_mmlu(tmp_path, letter_styles):
    import csv

    rng = random.Random(18)
    data = tmp_path / "benchmark_output" / "scenarios" / "mmlu" / "data"
    for name in ("auxiliary_train", "dev", "val", "test"):
        (data / name).mkdir(parents=True)
    script, truth, rows = {}, {}, []
    for i in range(NUMBER):
        texts, gold = choices_of(rng, i), rng.choice("ABCD")
        said = gold if rng.random() < 0.6 else rng.choice([x for x in "ABCD" if x != gold])
        piece = f"Question number {i}x?"
        rows.append([piece, *texts, gold])
        script[piece] = message(letter_styles[i % len(letter_styles)](said, texts["ABCD".index(said)], rng), rng)
        truth[piece] = said == gold
        if i % 29 == 0:
            script[piece], truth[piece] = {"content": styles.NOTHING[i % len(styles.NOTHING)]}, False
    for name, found in (
        ("dev", [[f"Example {i}?", "one", "two", "three", "four", "B"] for i in range(5)]),
        ("test", rows),
    ):
        with open(data / name / f"astronomy_{name}.csv", "w", newline="") as file:
            csv.writer(file).writerows(found)
    (data / "val" / "astronomy_val.csv").write_text("")
    return script, truth, rows


def test_letters_of_multiple_choice_questions(scripted, tmp_path):
    script, truth, _ = write_mmlu(tmp_path, styles.LETTERS)
    found = scripted(script)("mmlu:subject=astronomy,prompt=chat")
    check(found, "exact_match", truth)
    assert found.coverage().answers.unparsable >= 1


def write_custom(tmp_path, rows):
    folder = tmp_path / "benchmark_output" / "scenarios" / "custom_mcqa"
    folder.mkdir(parents=True)
    with open(folder / "q.jsonl", "w") as file:
        for text, *options, gold in rows:
            references = [
                {"output": {"text": option}, "tags": ["correct"] if letter == gold else []}
                for letter, option in zip("ABCD", options, strict=True)
            ]
            file.write(json.dumps({"input": {"text": text}, "references": references, "split": "test"}) + "\n")


def test_letters_after_long_reasoning(scripted, tmp_path):
    script, truth, rows = write_mmlu(tmp_path, styles.LONG_LETTERS)
    write_custom(tmp_path, rows)
    found = scripted(script)("gpqa_like:prompt=chat", "--plugins", "chat_answers_plugin")
    check(found, "chain_of_thought_correctness", truth)


@pytest.mark.slow
def test_programs_in_a_sandbox(scripted, tmp_path):
    rng = random.Random(19)
    folder = tmp_path / "benchmark_output" / "scenarios" / "code"
    folder.mkdir(parents=True)
    rows, script, truth = [], {}, {}
    for i in range(NUMBER):
        name, added = f"add_{i}x", rng.randint(1, 99)
        is_right = rng.random() < 0.65
        header = f"def {name}(x: int) -> int:\n"
        doc = f'    """Add {added} to x.\n\n    >>> {name}(1)\n    {1 + added}\n    """\n'
        body = f"    total = x + {added if is_right else added + 1}\n    return total"
        rows.append({
            "task_id": f"HumanEval/{i}", "prompt": f"from typing import List\n\n\n{header}{doc}", "entry_point": name,
            "canonical_solution": f"    return x + {added}\n",
            "test": f"def check(candidate):\n    assert candidate(1) == {1 + added}\n    assert candidate(-5) == {added - 5}\n",
        })  # fmt: skip
        code = header + (doc if i % 2 else "") + body
        if i % 11 == 0:
            code = textwrap.dedent(body) if i % 2 else body
            text = f"```python\n{code}\n```" if i % 3 else code
        else:
            text = styles.PROGRAMS[i % len(styles.PROGRAMS)](code, rng)
        script[f"def {name}("] = {"content": text}
        truth[f"def {name}("] = is_right
    (folder / "HumanEval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = scripted(script)("code:dataset=humaneval,prompt=chat")
    check(found, "pass", truth)


def test_a_judge_reads_the_whole_answer(scripted, tmp_path):
    script, truth, rows = write_mmlu(tmp_path, styles.LONG_LETTERS)
    write_custom(tmp_path, rows)

    def judge(prompt):
        piece = next(piece for piece in truth if piece in prompt)
        said = prompt.partition(" ANSWER ")[2].rpartition(" END ")[0].strip()
        visible = script[piece]["content"].rpartition("</think>")[2].strip()
        is_whole = said in (visible, script[piece]["content"].strip())
        score = (5 if truth[piece] else 2) if is_whole else 1
        return json.dumps({"tone": {"score": score, "explanation": "read"}})

    found = scripted(script, judge)("judged_chat:prompt=chat", "--plugins", "chat_answers_plugin")
    assert found.run_spec.extractor_spec is None
    ratings = scores(found, "rating")
    texts = instance_texts(found)
    right = {key: next(value for piece, value in truth.items() if piece in text) for key, text in texts.items()}
    empty = {s.instance.id for s in found.iterate_request_states() if not s.result.completions[0].text.strip()}
    assert len(ratings) == NUMBER and len(empty) <= 5
    assert not [key for key, value in ratings.items() if key not in empty and value != (5 if right[key] else 2)]
