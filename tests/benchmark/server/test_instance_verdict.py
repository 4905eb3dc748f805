"""The first thing on the page of an instance: right or wrong, what was chosen, or why there is no answer."""

import re
from pathlib import Path

import pytest

pytest.importorskip("jinja2")

from compare_support import zeros_and_ones  # noqa: E402
from results_support import edit_json  # noqa: E402
from viewer_support import html_of, make_run, text_of, viewer  # noqa: E402

RUN = "s/quiz:model=a_one"


def page_of(folder: Path, unit: str, change=None, scores=None, **given) -> str:
    path = make_run(folder / "runs" / "s", scores or zeros_and_ones(2, 5), "a/one", "quiz", **given)
    if change is not None:
        edit_json(path / "scenario_state.json", change)
    with viewer(folder) as shown:
        return html_of(shown, f"/instance/{RUN}?id={unit}")


def verdict_of(page: str) -> tuple[str, str]:
    (found,) = re.findall(r'<div class="verdict ([a-z]*)">(.*?)</div>', page, flags=re.DOTALL)
    return found[0], " ".join(text_of(found[1]).split())


def make_choices(state):
    """Two choices, A and B, of which the first is correct, as multiple-choice questions have them."""
    for item in state["request_states"]:
        item["instance"]["references"] = [
            {"output": {"text": "Paris"}, "tags": ["correct"]},
            {"output": {"text": "Rome"}, "tags": []},
        ]
        item["output_mapping"] = {"A": "Paris", "B": "Rome"}


def test_a_right_choice_is_said_and_marked(tmp_path: Path) -> None:
    page = page_of(tmp_path, "id0", make_choices, answers={"id0": "A"})
    assert verdict_of(page) == ("good", "✓ Right Chose A. EM is 1.")
    assert 'aria-label="Neighbours"' in page and "next wrong: id2" in text_of(page)


def test_a_wrong_choice_names_the_key_and_both_are_marked(tmp_path: Path) -> None:
    page = page_of(tmp_path, "id3", make_choices, answers={"id3": "B"})
    assert verdict_of(page) == ("bad", "✗ Wrong Chose B. The key is A. EM is 0.")
    references = page[page.index('<ul class="references">') :]
    assert re.findall(r'<li class="(\w+)">', references) == ["correct", "chosen"]
    assert re.findall(r'<span class="tag label">(\w)</span>', references) == ["A", "B"]
    assert "next wrong: id4" in text_of(page)


def test_an_answer_without_a_choice(tmp_path: Path) -> None:
    page = page_of(tmp_path, "id3", make_choices, answers={"id3": "I cannot say"})
    assert verdict_of(page) == ("bad", "✗ Wrong The answer names no choice. The key is A. EM is 0.")


def test_free_answers_are_quoted_if_short(tmp_path: Path) -> None:
    page = page_of(tmp_path, "id3", answers={"id3": "in the <b>mountains"})
    assert verdict_of(page) == ("bad", "✗ Wrong Answered “in the <b>mountains”. Correct is “yes”. EM is 0.")
    assert "<b>" not in page
    long = verdict_of(page_of(tmp_path / "long", "id3", answers={"id3": "word " * 100}))
    assert long == ("bad", "✗ Wrong EM is 0.")


def test_a_failure_is_no_wrong_answer(tmp_path: Path) -> None:
    kind, text = verdict_of(page_of(tmp_path, "id2", answers={"id2": None}))
    assert kind == "warn" and text.startswith("Failed") and "not as wrong" in text and "Wrong" not in text


def test_a_score_between_is_a_number_without_colour(tmp_path: Path) -> None:
    scores = {f"id{i}": [value] for i, value in enumerate((0.25, 0.5, 1.0, 0.0))}
    for unit, word in (("id0", "0.25"), ("id2", "1"), ("id3", "0")):
        kind, text = verdict_of(page_of(tmp_path / unit, unit, scores=scores))
        assert kind == "" and re.match(rf"{word}0* EM\.", text), text


def test_every_instance_has_a_verdict(tmp_path: Path) -> None:
    def empty(entries):
        for entry in entries:
            entry["stats"] = []

    path = make_run(tmp_path / "runs" / "s", zeros_and_ones(2, 5), "a/one", "quiz", metric="loudness")
    with viewer(tmp_path) as shown:
        page = html_of(shown, f"/instance/{RUN}?id=id0")
    assert verdict_of(page)[1].startswith("No main score Loudness 1") and "No main score is known" in page
    edit_json(path / "per_instance_stats.json", empty)
    with viewer(tmp_path) as shown:
        kind, text = verdict_of(html_of(shown, f"/instance/{RUN}?id=id0"))
    assert kind == "" and text.startswith("Not scored") and text.endswith("There are no scores for this instance.")


def test_long_prompts_are_folded(tmp_path: Path) -> None:
    def lengthen(state):
        for item in state["request_states"]:
            item["request"]["prompt"] = "Question\n" * 30
            item["num_train_instances"] = 5

    page = page_of(tmp_path, "id0", lengthen)
    assert "<summary>The whole prompt as sent, 31 lines, 5 worked examples</summary>" in page
