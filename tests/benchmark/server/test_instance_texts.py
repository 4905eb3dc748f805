"""What an instance's page makes of texts: prompts from the question on, answers rendered, judges in prose, tokens in words."""

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2")

from compare_support import zeros_and_ones  # noqa: E402
from helm.benchmark.server.answer_markup import MAX_CHARACTERS, render_markup  # noqa: E402
from helm.benchmark.server.instance_texts import (  # noqa: E402
    describe_annotations,
    message_texts,
    prompt_texts,
    tell_cost,
    tell_tokens,
)
from results_support import edit_json  # noqa: E402
from viewer_support import html_of, make_run, text_of, viewer  # noqa: E402

EXAMPLES = "".join(f"Question: What is {i} + {i}?\nAnswer: {2 * i}\n\n" for i in range(9))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("**b** and `c`", "<p><strong>b</strong> and <code>c</code></p>"),
        ("```python\n# no heading < 3\n```", '<pre tabindex="0"><code># no heading &lt; 3\n</code></pre>'),
        ("# T\n\ntext", '<p class="heading">T</p>'),
        ("a\n\n- b\n- c", "<li>b</li>"),
        ("|a|b|\n|-|-:|\n|1|2|", '<td class="num">2</td>'),
        ("costs $5 and $6, so $x=1$", "costs $5 and $6, so <math"),
        (r"so \(\frac{1}{2}\)", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"),
        ("\\[\nx\n- y\n\\]", '<math display="block"><mrow><mi>x</mi><mo>−</mo><mi>y</mi></mrow></math>'),
        (r"$$\begin{aligned}a&=b\\c&=d\end{aligned}$$", "<mtable"),
        (r"$\begin{unknown}a&b\end{unknown}$", r'<code class="formula">\begin{unknown}a&amp;b\end{unknown}</code>'),
        (f"${'x+' * 600}y$", '<code class="formula">x+x+'),
        ("[a](https://a.org)", '<a href="https://a.org" rel="nofollow noopener noreferrer">a</a>'),
        ("![a](https://a.org/x.png) **b**", '!<a href="https://a.org/x.png" rel="nofollow noopener noreferrer">a</a>'),
        ("[a](/run) **b**", "<p>[a](/run) <strong>"),
        ("<b>a</b> **b**", "&lt;b&gt;a&lt;/b&gt;"),
    ],
)
def test_markup(text: str, part: str) -> None:
    assert part in str(render_markup(text))


@pytest.mark.parametrize(
    "text",
    [
        "", "A", "two\nlines\n\nand a third", "2*3*4 = 24", "def f(x):\n    # comment\n    return x**2 * **y", "costs $5 and $6",
        "**b** " * MAX_CHARACTERS, "a \\( b", "\\[ never closed",
    ],
)  # fmt: skip
def test_what_looks_as_it_is_written_is_left_so(text: str) -> None:
    assert render_markup(text) is None


def test_a_question_is_rendered_for_its_formulas_only() -> None:
    assert render_markup("**b**", only_with_formulas=True) is None
    assert "<math" in str(render_markup("**b** $x$", only_with_formulas=True))


def test_a_long_prompt_opens_at_the_question() -> None:
    before, question = prompt_texts(EXAMPLES + "Question: Why?\nAnswer:", "Why?", 9, None, "")
    assert before.fold == "What is before the question, 27 lines, 9 worked examples" and before.text == EXAMPLES
    assert (question.text, question.fold) == ("Question: Why?\nAnswer:", "")
    # The limit of a text takes nothing from the question, which is at the end.
    before, question = prompt_texts(EXAMPLES + "Question: Why?\nAnswer:", "Why?", 9, 100, "")
    assert before.hidden == len(EXAMPLES) - 100 and question.text == "Question: Why?\nAnswer:"
    # Without a question in it, all of a long prompt is folded; a short one never is.
    (found,) = prompt_texts(EXAMPLES, "Why?", 9, None, "")
    assert found.fold == "The whole prompt as sent, 28 lines, 9 worked examples"
    (found,) = prompt_texts("a\nWhy?", "Why?", 9, None, "")
    assert not found.fold


def test_of_many_messages_those_before_the_question_are_folded() -> None:
    turns = [{"role": role, "content": f"{role} {i}"} for i in range(3) for role in ("user", "assistant")]
    parts = {"role": "user", "content": [{"type": "text", "text": "Now:"}, {"type": "text", "text": "Why?"}]}
    found = message_texts([*turns, parts], "Why?", None, "")
    assert [bool(text.fold) for text in found] == [True] * 6 + [False]
    assert found[1].fold == "Message 2, assistant, before the question" and found[-1].text == "Now:\n\nWhy?"
    assert [text.speaker for text in found[:2]] == ["user", "assistant"]
    assert not any(text.fold for text in message_texts([turns[0], parts], "Why?", None, ""))
    assert message_texts([{"role": "a b", "content": {"x": 1}}], "", None, "")[0].speaker == ""


def test_tokens_and_cost_are_words() -> None:
    usage: dict[str, Any] = {
        "prompt_tokens": 12_345, "completion_tokens": 67, "reasoning_tokens": 60, "cached_prompt_tokens": 0,
        "cache_write_tokens": None,
    }  # fmt: skip
    assert tell_tokens(usage) == "12,345 in the prompt, 67 in the answer (60 of them thinking)"
    usage["cached_prompt_tokens"] = 12_000
    assert tell_tokens(usage).startswith("12,345 in the prompt (12,000 of them from the provider's cache), ")
    assert tell_tokens({"prompt_tokens": "many", "other": 1}) == ""
    assert tell_cost(usage, "nobody/knows") == "" and tell_cost({"prompt_tokens": 1}, "openai/x") == ""


def test_the_cost_is_that_of_the_price(monkeypatch: pytest.MonkeyPatch) -> None:
    from helm.benchmark import price_registry

    price = price_registry.Price("a/one", input=2.0, output=10.0, date=None, source="")  # type: ignore[arg-type]
    monkeypatch.setattr(price_registry, "get_price", {"a/one": price}.get)
    found = tell_cost({"prompt_tokens": 1_000_000, "completion_tokens": 100_000}, "a/one")
    assert found == "$3.00 at the list price, without discounts"


def test_a_judge_speaks_in_prose() -> None:
    judged = {
        "prompt_text": "Judge this. " * 20,
        "gpt": {"score": 0.5, "is_right": True, "reasoning": "Because **so**. " * 9, "why": None},
        "marks": [1, 2], "deep": {"a": {"b": {"c": {"d": [1]}}}},
    }  # fmt: skip
    (found,) = describe_annotations([{"annotations": {"judge": judged}}], None)
    facts = dict(found.facts)
    assert (
        facts["Gpt · score"] == "0.500"
        and facts["Gpt · is right"] == "yes"
        and facts["Gpt · why"] == "nothing was given"
    )
    assert (facts["Marks · 1"], facts["Marks · 2"]) == ("1", "2")
    asked, reason = found.texts[:2]
    assert asked.fold == "What the judge was asked, 240 characters" and asked.markup is None
    assert reason.title == "Gpt · reasoning" and not reason.fold and "<strong>so</strong>" in str(reason.markup)
    assert found.raw.fold == "As JSON" and '"is_right": true' in found.raw.text
    (large,) = describe_annotations([{"annotations": {"tests": list(range(1000))}}], None)
    assert not large.facts and not large.raw.fold


def test_the_page_shows_all_of_it(tmp_path: Path) -> None:
    def change(state: Any) -> None:
        first = state["request_states"][0]
        first["request"]["prompt"] = EXAMPLES + "Question: What is id0?\nAnswer:"
        first["result"]["completions"][0].update(text="It is **bold**.", thinking={"text": "Let me see."})
        first["result"]["usage"] = {"prompt_tokens": 7, "completion_tokens": 3}
        first["annotations"] = {
            "judge": {"reasoning": "It is not what was asked for, by a long way, and so it is wrong."}
        }

    edit_json(make_run(tmp_path / "runs" / "s", zeros_and_ones(1, 2)) / "scenario_state.json", change)
    with viewer(tmp_path) as shown:
        page = html_of(shown, "/instance/s/task:model=a_one?id=id0")
    assert "<summary>Thinking, 11 characters</summary>" in page and "<strong>bold</strong>" in page
    assert "<summary>As written</summary>" in page and "It is **bold**." in page
    assert re.search(r"<summary>What is before the question, 27 lines</summary>.*from the question on", page, re.DOTALL)
    text = text_of(page)
    assert "Tokens 7 in the prompt, 3 in the answer" in text and "Reasoning It is not what was asked for" in text
