"""The Python of the README does what the README shows."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
_BLOCK = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


def without_times(text: str) -> list[str]:
    """The lines with single spaces, and without what depends on the machine."""
    text = re.sub(r"\d+(\.\d+)? m?s\b", "TIME", text)
    return [" ".join(re.sub(r"-{2,}", "-", line).split()) for line in text.splitlines() if line.strip()]


def test_the_block_prints_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ((code, shown),) = _BLOCK.findall(README.read_text(encoding="utf-8"))
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "example.py", "exec"), {"__name__": "__main__"})
    assert without_times(printed.getvalue()) == without_times(shown)
