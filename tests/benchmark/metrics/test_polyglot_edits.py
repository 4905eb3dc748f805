"""Edits that models write as text, and the tests of exercises in compiled languages."""

import shutil

import pytest

from helm.benchmark.metrics.frontier import exercises
from helm.benchmark.metrics.frontier.edits import EditError, apply_diff, apply_whole
from helm.benchmark.metrics.polyglot_edits_metric import PolyglotEditsMetric
from helm.common.errors import ConfigError

FILES = {"src/add.py": "def add(a, b):\n    pass\n", "util.py": "x = 1\n"}


def block(path, old, new):
    return f"{path}\n```python\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n"


@pytest.mark.parametrize("heading", ["src/add.py", "**src/add.py**", "### `src/add.py`:", "add.py"])
def test_whole_files_belong_to_the_line_before(heading):
    found = apply_whole(f"Done.\n\n{heading}\n```python\ndef add(a, b):\n    return a + b\n```\nBye.", FILES)
    assert found == {**FILES, "src/add.py": "def add(a, b):\n    return a + b\n"}


def test_a_block_inside_a_longer_fence_is_content():
    text = "util.py\n````\nx = '''\n```\ny\n```\n'''\n````"
    assert apply_whole(text, FILES)["util.py"] == "x = '''\n```\ny\n```\n'''\n"


def test_the_only_file_needs_no_name():
    assert apply_whole("```\nx = 0\n```\nBetter:\n```\nx = 2\n```", {"util.py": "x = 1\n"}) == {"util.py": "x = 2\n"}
    with pytest.raises(EditError, match="no code block belongs"):
        apply_whole("```\nx = 2\n```", FILES)
    with pytest.raises(EditError, match="no code block belongs"):
        apply_whole("../../etc/passwd\n```\nx\n```", FILES)


def test_blocks_are_applied_in_order():
    text = block("src/add.py", "    pass\n", "    return a\n") + block("", "return a\n", "return a + b\n")
    assert apply_diff(text, FILES)["src/add.py"] == "def add(a, b):\n    return a + b\n"
    assert apply_diff(block("util.py", "", "y = 2\n"), FILES)["util.py"] == "x = 1\ny = 2\n"
    assert apply_diff(block("util.py", "x = 1\n", ""), FILES)["util.py"] == ""


@pytest.mark.parametrize(
    "text, message",
    [
        ("x = 2", "there is no block"),
        (block("other.py", "x = 1\n", "x = 2\n"), "block 1 belongs to no file"),
        (block("util.py", "y = 1\n", "x = 2\n"), "block 1 searches for are 0 times in util.py"),
        (block("src/add.py", "a", "b"), "there is no block"),
        (
            block("src/add.py", "", "") + block("src/add.py", "    pass\n    pass\n", "x\n"),
            "block 2 searches for are 0 times",
        ),
    ],
)
def test_blocks_that_cannot_be_applied(text, message):
    with pytest.raises(EditError, match=message):
        apply_diff(text, FILES)


def test_unknown_languages():
    with pytest.raises(ConfigError, match="Did you mean 'python'"):
        PolyglotEditsMetric("pyhton")


@pytest.mark.sandbox
def test_a_compiler_that_the_sandbox_does_not_see_is_named(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda program: f"/home/me/bin/{program}")
    monkeypatch.setitem(exercises.LANGUAGES, "go", exercises.Language("go-of-mine", ""))
    with pytest.raises(ConfigError, match="/home/me/bin/go-of-mine cannot be used in the sandbox"):
        PolyglotEditsMetric("go")


@pytest.mark.sandbox
@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.parametrize(
    "answer, expected",
    [
        ("return a + b;", True),
        ("return a - b;", False),
        ("return a +", False),
        ("exit(0);", False),
        ("_exit(0);", False),
        ('puts("passed"); fflush(stdout); _exit(0);', False),
    ],
)
def test_exercises_in_cpp_are_built_and_run(answer, expected):
    files = {
        "add.cpp": '#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n#include "add.h"\n'
        f"int add(int a, int b) {{ {answer} }}\n",
        "add.h": "int add(int, int);\n",
        "add_test.cpp": '#include "add.h"\n#include "test/check.hpp"\nint main() { return check(add(1, 2) == 3); }\n',
        "test/check.hpp": "inline int check(bool ok) { return ok ? 0 : 1; }\n",
    }
    assert exercises.ExerciseTests("cpp", timeout=60).run(files, ["add_test.cpp"]).passed is expected


@pytest.mark.sandbox
@pytest.mark.skipif(shutil.which("cargo", path="/usr/bin:/usr/local/bin") is None, reason="no cargo for all users")
@pytest.mark.parametrize("answer, expected", [("a + b", True), ("a - b", False), ("std::process::exit(0)", False)])
def test_exercises_in_rust_are_built_and_run(answer, expected):
    files = {
        "Cargo.toml": '[package]\nname = "add"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": f"pub fn add(a: i64, b: i64) -> i64 {{ let _ = (a, b); {answer} }}\n",
        "tests/add.rs": "#[test]\nfn adds() { assert_eq!(add::add(1, 2), 3); }\n"
        "#[test]\n#[ignore]\nfn adds_more() { assert_eq!(add::add(2, 2), 4); }\n",
    }
    assert exercises.ExerciseTests("rust", timeout=120).run(files, ["tests/add.rs"]).passed is expected


GO = {
    "go.mod": "module add\n\ngo 1.18\n",
    "add_test.go": 'package add\n\nimport "testing"\n\n'
    'func TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
    "more/more_test.go": 'package more_test\n\nimport (\n\t"add"\n\t"testing"\n)\n\n'
    'func TestMore(t *testing.T) {\n\tif add.Add(2, 2) != 4 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
}
OWN_MAIN = "func TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}\n"


@pytest.mark.sandbox
@pytest.mark.skipif(shutil.which("go", path="/usr/bin:/usr/local/bin") is None, reason="no go for all users")
@pytest.mark.parametrize(
    "answer, expected",
    [
        ("func Add(a, b int) int { return a + b }", True),
        ('import "os"\nfunc init() { os.Exit(0) }\nfunc Add(a, b int) int { return 0 }', False),
        # Each time the compiler makes all that `testing` needs, for seconds.
        *(
            pytest.param(answer, False, marks=pytest.mark.slow)
            for answer in [
                "func Add(a, b int) int { return a - b }",
                "func Add(a, b int) int { return a +",
                "func Add(a, b int) int { return 4 }",
                'import "os"\nfunc Add(a, b int) int { os.Exit(0); return 0 }',
                'import "syscall"\nfunc Add(a, b int) int { syscall.Exit(0); return 0 }',
            ]
        ),
    ],
)
def test_exercises_in_go_are_built_and_run(answer, expected):
    files = {**GO, "add.go": f"package add\n\n{answer}\n"}
    outcome = exercises.ExerciseTests("go", timeout=120).run(files, ["add_test.go", "more/more_test.go"])
    assert outcome.passed is expected, outcome.output


@pytest.mark.sandbox
@pytest.mark.skipif(shutil.which("go", path="/usr/bin:/usr/local/bin") is None, reason="no go for all users")
def test_tests_in_go_may_have_a_main_of_their_own():
    tests = GO["add_test.go"].replace('import "testing"', 'import (\n\t"os"\n\t"testing"\n)') + OWN_MAIN
    files = {
        "go.mod": GO["go.mod"],
        "add_test.go": tests,
        "add.go": "package add\n\nfunc Add(a, b int) int { return 3 }\n",
    }
    assert exercises.ExerciseTests("go", timeout=120).run(files, ["add_test.go"]).passed
