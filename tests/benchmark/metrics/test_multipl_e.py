"""MultiPL-E: what is run for an answer, and where."""

import pytest

from helm.benchmark.metrics.multipl_e_metric import LANGUAGES, MultiPLEMetric, make_program, passes
from helm.common.errors import ConfigError

PROMPT = "# Add.\nsub add {\n"
TESTS = "}\nexit(add(1, 2) == 3 ? 0 : 1);"


@pytest.mark.parametrize(
    "completion, program",
    [
        ("  1\n}\nmore", f"{PROMPT}  1\n{TESTS}"),
        ("  1", f"{PROMPT}  1\n{TESTS}"),
        ("Sure:\n```perl\n  1\n```", f"{PROMPT}  1\n\n{TESTS}"),
        ("```perl\nsub add {\n  1\n```\nor\n```\nsub add {\n  2\n```", f"sub add {{\n  2\n\n{TESTS}"),
    ],
)
def test_the_program_of_an_answer(completion, program):
    assert make_program(PROMPT, completion, TESTS, ["\n}"]) == program


@pytest.mark.sandbox
def test_programs_run_in_the_sandbox():
    right = make_program(PROMPT, "  return $_[0] + $_[1];", TESTS, [])
    wrong = make_program(PROMPT, "  return $_[0];", TESTS, [])
    slow = make_program(PROMPT, "  while (1) {}", TESTS, [])
    assert passes(LANGUAGES["pl"], right, 10)
    assert not passes(LANGUAGES["pl"], wrong, 10)
    assert not passes(LANGUAGES["pl"], slow, 0)


def test_languages_that_cannot_run_are_named(monkeypatch):
    with pytest.raises(ConfigError, match="no language 'perl'"):
        MultiPLEMetric("perl")
    monkeypatch.setattr("shutil.which", lambda program: None)
    with pytest.raises(ConfigError, match="Programs in 'rs' need rustc, which is not installed"):
        MultiPLEMetric("rs")
