"""Every page of the documentation does what it shows."""

import os
import re
from pathlib import Path

import pytest

from docs_support import DOCS, ROOT, Block, check_page, describe_missing, is_shown, read_blocks, read_commands

ELSEWHERE = {"tutorial-ad-tools.md", "tutorial-compilers.md"}
"""Have tests of their own, because their output is mostly timings."""

IN_CHECKOUT = {"howto-contribute-scenario.md", "howto-schema.md"}
"""Add files to the source of the package."""

LONG = {
    "coming-from-compilergym.md",
    "coming-from-harbor.md",
    "coming-from-lm-eval.md",
    "howto-ad-eval.md",
    "howto-adapter.md",
    "howto-ci.md",
    "howto-compare.md",
    "howto-compiler-backend.md",
    "howto-config-file.md",
    "howto-contribute-scenario.md",
    "howto-data.md",
    "howto-epochs.md",
    "howto-export.md",
    "howto-import.md",
    "howto-lake.md",
    "howto-lm-eval.md",
    "howto-names-and-suites.md",
    "howto-old-results.md",
    "howto-own-model-catalogue.md",
    "howto-perturbation.md",
    "howto-rescore.md",
    "howto-schema.md",
    "howto-tokenizer.md",
    "tutorial-audio-models.md",
    "tutorial-chat-models.md",
    "tutorial-data-set.md",
    "tutorial-image-models.md",
    "tutorial-vision-models.md",
}
"""Have so many commands, or so long ones, that they are slow tests. Most of what they show has quick tests of its own."""

PAGES = sorted(page.name for page in DOCS.glob("*.md"))
PAGES_WITH_COMMANDS = [
    name
    for name in PAGES
    if name not in ELSEWHERE and any(block.language in ("console", "sh") for block in read_blocks(DOCS / name))
]

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def _marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.sandbox] * ("sandbox" in name) + [pytest.mark.slow] * (name in LONG)


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in PAGES_WITH_COMMANDS])
def test_the_commands_of_the_page_print_what_it_shows(name: str, tmp_path: Path) -> None:
    assert check_page(DOCS / name, tmp_path, in_checkout=name in IN_CHECKOUT) > 0


def test_long_pages_are_pages() -> None:
    assert LONG <= set(PAGES_WITH_COMMANDS)


def anchors(page: Path) -> set[str]:
    """What `#...` may name: the headings, as they become links."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    "page", [*sorted(DOCS.glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda p: p.name
)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    broken = []
    for link in _LINK.findall(text):
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert not broken


def test_the_index_names_every_page() -> None:
    text = (DOCS / "README.md").read_text(encoding="utf-8")
    assert not [name for name in PAGES if name != "README.md" and f"({name})" not in text]


def test_output_is_compared_but_for_times_and_what_is_left_out() -> None:
    shown = "2026-01-01T00:00:00 INFO a {\n...\n} [0.1s]\nlast ... word"
    assert is_shown(shown, "2027-02-02T11:11:11 INFO a {\nx\ny\n} [12.34s]\nlast and final word \n\n")
    assert is_shown(shown, "2027-02-02T11:11:11 INFO a {\n} [1s]\nlast  word\n")
    assert not is_shown(shown, "2027-02-02T11:11:11 INFO b {\n} [1s]\nlast a word\n")
    assert not is_shown("one", "one\ntwo")


def test_commands_and_files_are_told_apart() -> None:
    assert Block("python", "# a/b.py\nx = 1\n", 1).file_name == "a/b.py"
    assert Block("python", "# A remark.\n", 1).file_name is None
    commands = read_commands(Block("console", "$ false\n$ echo $?\n1\n$ true\n", 1))
    assert [(c.text, c.shown, c.may_fail) for c in commands] == [
        ("false", None, True),
        ("echo $?", "1", False),
        ("true", None, False),
    ]


def test_what_the_machine_lacks_is_named() -> None:
    commands = ["no-such-program --now", "HELM_RETRIES=0 cat x", "export A=1"]
    output = "ModuleNotFoundError: No module named 'jax'\nscript.sh: line 3: jq: command not found"
    path = os.environ["PATH"]
    assert describe_missing(output, commands, path) == (
        " This machine lacks the program no-such-program, the program jq, the package jax."
    )
    assert describe_missing("all is well", ["cat x"], path) == ""
