"""Exercises of Exercism in several languages, solved by edits to files, as Aider's polyglot benchmark asks for."""

import os
from typing import Any

from helm.benchmark.scenarios.code_scenario import CodeReference
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    Input,
    Instance,
    Output,
    Scenario,
    ScenarioMetadata,
)
from helm.common.errors import ScenarioError
from helm.common.formats.json_reading import read_json
from helm.common.general import ensure_file_downloaded
from helm.common.taxonomy_info import TaxonomyInfo

LANGUAGES = ("python", "cpp", "go", "rust")
"""Languages whose tests run with a compiler or an interpreter alone; those of Java and JavaScript need packages."""

EDIT_FORMATS = ("whole", "diff")

_URL = "https://github.com/Aider-AI/polyglot-benchmark/archive/refs/heads/main.tar.gz"
_DOCUMENTS = ("introduction.md", "instructions.md", "instructions.append.md")
_MAX_FILE_BYTES = 1 << 20

# Ours, in the form of the published ones.
_WHOLE = (
    "Write every file that you change as a whole: a line with its path alone, then a code block with its new content.\n\n"
    "path/of/the/file\n```\nthe new content\n```"
)
_DIFF = (
    "Write every change as a block of this form, after a line with the path of the file alone. The lines to search for "
    "have to be in the file exactly as you write them, once.\n\npath/of/the/file\n```\n<<<<<<< SEARCH\nlines of the file\n"
    "=======\nnew lines\n>>>>>>> REPLACE\n```"
)
_PROMPT = (
    "{instructions}\n\nSolve the exercise in {files}. Keep the names of functions, classes and files, since tests that you do "
    "not see use them. Use nothing beyond the standard library.\n\n{contents}\n\n{form}"
)


class PolyglotEditsScenario(Scenario):
    """Edit the files of an exercise so that hidden tests pass.

    Input text is the exercise, its files as they are and the form of the answer. The reference has no text, but the tests, which
    are not stored in the files of a run. `extra_data` has `language`, `edit_format` and `files` (path to content).

    Args:
        language: one of `LANGUAGES`.
        edit_format: `whole`: whole files; `diff`: blocks that search and replace.
    """

    name = "polyglot_edits"
    description = (
        "Exercises in several languages, solved by edits to files and checked by hidden tests (Aider's polyglot)."
    )
    tags = ["code"]

    def __init__(self, language: str, edit_format: str = "whole"):
        super().__init__()
        if language not in LANGUAGES:
            raise ScenarioError(f"polyglot_edits: language is one of {', '.join(LANGUAGES)}, not {language!r}.")
        if edit_format not in EDIT_FORMATS:
            raise ScenarioError(
                f"polyglot_edits: edit_format is one of {', '.join(EDIT_FORMATS)}, not {edit_format!r}."
            )
        self.language, self.edit_format = language, edit_format

    def get_instances(self, output_path: str) -> list[Instance]:
        path = os.path.join(output_path, "exercises")
        ensure_file_downloaded(source_url=_URL, target_path=path, unpack=True, unpack_type="untar")
        folder = os.path.join(path, self.language, "exercises", "practice")
        if not os.path.isdir(folder):
            raise ScenarioError(f"polyglot_edits: {folder} is missing; the archive has another layout than expected.")
        return [self._make_instance(os.path.join(folder, name), name) for name in sorted(os.listdir(folder))]

    def _make_instance(self, folder: str, name: str) -> Instance:
        files = _read_config(os.path.join(folder, ".meta", "config.json"))
        solution = {path: _read_file(folder, path) for path in files["solution"]}
        tests = {path: _read_file(folder, path) for path in _tests_of(folder, files)}
        documents = [os.path.join(".docs", document) for document in _DOCUMENTS]
        instructions = "\n\n".join(
            _read_file(folder, document).strip()
            for document in documents
            if os.path.isfile(os.path.join(folder, document))
        )
        prompt = _PROMPT.format(
            instructions=instructions,
            files=" and ".join(solution),
            contents="\n\n".join(f"{path}\n```\n{content.rstrip()}\n```" for path, content in solution.items()),
            form=_WHOLE if self.edit_format == "whole" else _DIFF,
        )
        extra = {"language": self.language, "edit_format": self.edit_format, "files": solution}
        return Instance(
            Input(text=prompt),
            [CodeReference(Output(text=""), [CORRECT_TAG], {"files": tests, "test": files["test"]})],
            split=TEST_SPLIT,
            id=f"{self.language}/{name}",
            extra_data=extra,
        )

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            display_name="Polyglot edits",
            description=self.description,
            main_metric="pass",
            main_split=TEST_SPLIT,
            taxonomy=TaxonomyInfo(
                task="code editing",
                what="exercises of Exercism",
                when="2024",
                who="programmers",
                language="programming languages",
            ),
        )


def _read_config(path: str) -> dict[str, list[str]]:
    """Return the paths of an exercise's files by kind: `solution`, `test`, and others."""
    try:
        with open(path, "rb") as file:
            files: Any = read_json(file.read())["files"]
        found = {kind: [str(name) for name in names] for kind, names in files.items()}
        found["solution"], found["test"]  # noqa: B018
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as e:
        raise ScenarioError(f"{path} does not list the files 'solution' and 'test' of an exercise: {e!r}") from e
    return found


def _tests_of(folder: str, files: dict[str, list[str]]) -> list[str]:
    """Return what the tests consist of: the files of tests, and all others that are neither solutions nor documents."""
    others = []
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        others += [os.path.relpath(os.path.join(path, name), folder) for name in sorted(names)]
    left_out = {*files["solution"], *files.get("example", ())}
    return [name for name in others if name not in left_out and not os.path.basename(name).startswith(".")]


def _read_file(folder: str, name: str) -> str:
    path = os.path.join(folder, name)
    if not os.path.realpath(path).startswith(os.path.realpath(folder) + os.sep):
        raise ScenarioError(f"{name} leads out of {folder}.")
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(_MAX_FILE_BYTES)
