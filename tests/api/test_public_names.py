"""What `import helm` offers, and what README.md shows of it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import helm
from docs_support import read_blocks

ROOT = Path(__file__).parents[2]


def test_every_name_is_there_typed_and_documented():
    import inspect

    from helm.api import PLACES

    assert sorted(PLACES) == sorted(helm.__all__) and set(helm.__all__) <= set(dir(helm))
    for name in helm.__all__:
        value = getattr(helm, name)
        assert inspect.getdoc(value), name
        assert PLACES[name] == value.__module__, name
        methods = (
            [value]
            if inspect.isfunction(value)
            else vars(value).values()
            if PLACES[name].startswith("helm.api")
            else []
        )
        for function in methods:
            if inspect.isfunction(function) and not function.__name__.startswith("_"):
                assert inspect.getdoc(function) and "return" in function.__annotations__, function
    with pytest.raises(AttributeError, match="module 'helm' has no attribute 'evalute'"):
        _ = helm.evalute


def test_type_checkers_see_the_names_of_the_lazy_import():
    text = (ROOT / "src" / "helm" / "__init__.py").read_text()
    for name in helm.__all__:
        assert re.search(rf"import [\w, ]*\b{name}\b", text), name


def test_the_example_of_the_readme_prints_what_it_shows(tmp_path):
    blocks = read_blocks(ROOT / "README.md")
    (position,) = [i for i, block in enumerate(blocks) if block.language == "python" and "helm.evaluate" in block.text]
    done = subprocess.run(
        [sys.executable, "-c", blocks[position].text], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert masked(done.stdout) == masked(blocks[position + 1].text)


def masked(text):
    """The text without durations and digests, which differ between machines and versions of Python."""
    text = re.sub(r"@[0-9a-f]{8}", "@DIGEST", text)
    return re.sub(r" +[\d.]+ (?:ms|s|µs)$|  +Time$|  -+$", "", text, flags=re.MULTILINE).strip()
