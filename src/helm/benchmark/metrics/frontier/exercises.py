"""Builds and runs the tests of an exercise in one of several languages, in the sandbox."""

import re
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helm.common.errors import ConfigError, suggest
from helm.common.sandbox import SandboxLimits, get_sandbox, run

_MEMORY, _ADDRESS_SPACE = 2 << 30, 64 << 30

# Its last line is proof that the tests ran to their end: a solution that ends the program early does not know the token.
_PYTHON = """\
import sys, unittest
token = sys.stdin.readline().strip()
sys.stdin.close()
result = unittest.TextTestRunner(stream=sys.stderr).run(unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:]))
print(token, result.testsRun > 0 and result.wasSuccessful())
"""


# The same for compiled tests: the linker puts this around their `main`, which does not return when a solution ends the program.
_ENDING = """\
#include <string.h>
#include <unistd.h>
int __real_main(int argc, char **argv, char **environment);
int __wrap_main(int argc, char **argv, char **environment) {
    char token[33];
    int out = dup(1), length = 0, status;
    while (length < 33 && read(0, token + length, 1) == 1) length++;
    status = __real_main(argc, argv, environment);
    if (!status && length == 33) {
        write(out, "\\n", 1);
        write(out, token, length);
    }
    return status;
}
"""


# The same for a package of Go, which itself fails a test that calls os.Exit, but not a program that ends while it starts or by
# a system call.
_GO_ENDING = """\
package PACKAGE

import (
	endingOS "os"
	endingTesting "testing"
)

func TestMain(m *endingTesting.M) {
	token, path := endingOS.Getenv("ENDING_TOKEN"), endingOS.Getenv("ENDING_FILE")
	endingOS.Unsetenv("ENDING_TOKEN")
	status := m.Run()
	if status == 0 {
		file, err := endingOS.OpenFile(path, endingOS.O_APPEND|endingOS.O_WRONLY, 0)
		if err != nil {
			panic(err)
		}
		file.WriteString("\\n" + token + "\\n")
		file.Close()
	}
	endingOS.Exit(status)
}
"""
_GO_PACKAGE = re.compile(r"^package\s+(\w+)", re.MULTILINE)
_GO_TEST_MAIN = re.compile(r"^func\s+TestMain\b", re.MULTILINE)


def _go_endings(files: Mapping[str, str], test_files: Sequence[str]) -> dict[str, str]:
    """Return a file for each folder of tests, except one whose tests have a `TestMain` of their own."""
    found: dict[str, str] = {}
    for folder in sorted({name.rpartition("/")[0] for name in test_files}):
        texts = [
            content
            for name, content in files.items()
            if name.rpartition("/")[0] == folder and name.endswith("_test.go")
        ]
        package = next((match[1] for text in texts if (match := _GO_PACKAGE.search(text))), None)
        if package is not None and not any(_GO_TEST_MAIN.search(text) for text in texts):
            name = f"{folder}/ending_of_tests_test.go".lstrip("/")
            found[name] = _GO_ENDING.replace("PACKAGE", package)
    return found


@dataclass(frozen=True)
class Language:
    program: str
    """The program that has to be installed."""

    script: str
    """A fixed shell script that builds and runs the tests."""

    tells_end: bool = False
    """Whether each program of tests writes the token of the run when its tests have passed."""


LANGUAGES: Mapping[str, Language] = {
    "python": Language("", ""),
    "cpp": Language(
        "g++",
        "gcc -w -c ../ending.c -o ../ending.o && "
        "g++ -std=c++17 -DEXERCISM_RUN_ALL_TESTS -I. $(find . -name '*.cpp') ../ending.o -Wl,--wrap=main -o ../tests && "
        "exec ../tests",
        tells_end=True,
    ),
    "go": Language(
        "go",
        'read -r ENDING_TOKEN; export ENDING_TOKEN ENDING_FILE="$PWD/../ended"; '
        'export GOCACHE="$PWD/../cache" GOFLAGS=-mod=mod GOPROXY=off; '
        ': > "$ENDING_FILE" && go test ./... && cat "$ENDING_FILE"',
        tells_end=True,
    ),
    "rust": Language(
        "cargo",
        "gcc -w -c ../ending.c -o ../ending.o && "
        'RUSTFLAGS="-C link-arg=$PWD/../ending.o -C link-arg=-Wl,--wrap=main" '
        "exec cargo test --offline --quiet --test '*' -- --include-ignored",
        tells_end=True,
    ),
}


@dataclass(frozen=True)
class TestsOutcome:
    """What running the tests gave."""

    passed: bool

    output: str
    """What was printed, without the token of the run."""


class ExerciseTests:
    """Runs the tests of exercises in a language.

    Args:
        language: one of `LANGUAGES`, whose compiler or interpreter has to be installed.
        timeout: limit in seconds for building and running the tests.

    Raises: ConfigError for another language, or one that is not installed; SandboxError without a sandbox.
    """

    def __init__(self, language: str, timeout: float = 180.0):
        if language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise ConfigError(
                f"polyglot_edits has no language '{language}', only {known}.{suggest(language, LANGUAGES)}"
            )
        program = LANGUAGES[language].program
        if program and shutil.which(program) is None:
            raise ConfigError(f"Exercises in '{language}' need {program}, which is not installed.")
        self.language, self.timeout = language, float(timeout)
        get_sandbox()
        if program and not run(["/bin/sh", "-c", f"command -v {program}"]).is_success:
            raise ConfigError(
                f"{shutil.which(program)} cannot be used in the sandbox, which does not see home folders: install {program} for "
                "all users."
            )

    def run(self, files: Mapping[str, str], test_files: Sequence[str]) -> TestsOutcome:
        """Build and run the tests; they pass only if they ran to their end."""
        limits = SandboxLimits(
            wall_s=self.timeout,
            memory_bytes=_MEMORY,
            address_space_bytes=_ADDRESS_SPACE,
            processes=256,
            scratch_bytes=1 << 30,
        )
        token = secrets.token_hex(16)
        if self.language == "python":
            modules = [name.removesuffix(".py").replace("/", ".") for name in test_files]
            result = run(
                [get_sandbox().python, "run_tests.py", *modules],
                stdin=f"{token}\n".encode(),
                files={**files, "run_tests.py": _PYTHON},
                limits=limits,
            )
            passed = f"{token} True" in result.stdout.decode("utf-8", "replace").split("\n")
        else:
            language = LANGUAGES[self.language]
            added = _go_endings(files, test_files) if self.language == "go" else {}
            inside = {f"exercise/{name}": content for name, content in {**files, **added}.items()}
            # Each file of tests is a program of its own in Rust, each folder in Go; in C++ all are one.
            number = {"rust": len(test_files), "go": len(added)}.get(self.language, 1)
            result = run(
                ["/bin/sh", "run.sh"],
                stdin=f"{token}\n".encode() * number,
                files={**inside, "run.sh": f"cd exercise && {language.script}\n", "ending.c": _ENDING},
                limits=limits,
            )
            told = result.stdout.decode("utf-8", "replace").split("\n").count(token)
            passed = result.is_success and (not language.tells_end or told >= number)
        said = (result.stdout + b"\n" + result.stderr).decode("utf-8", "replace").replace(token, "").strip()
        ended = "" if result.status == "ok" else f"\nended by {result.status}"
        return TestsOutcome(passed, said + ended)
