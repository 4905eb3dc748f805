"""LiveCodeBench: problems of programming contests, by release and by date."""

import os
import re
from collections.abc import Iterator
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

FILES = ("test.jsonl", "test2.jsonl", "test3.jsonl", "test4.jsonl", "test5.jsonl", "test6.jsonl")
"""The files of the data set; `release_vN` is the first N."""

NUM_PROBLEMS = {
    "release_v1": 400,
    "release_v2": 511,
    "release_v3": 612,
    "release_v4": 713,
    "release_v5": 880,
    "release_v6": 1055,
}
"""The number of problems of each release."""

_URL = "https://huggingface.co/datasets/livecodebench/code_generation_lite/resolve/main"
_DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?")

# The frames are ours, in the form of the published ones.
_WITH_STARTER = "\n\nComplete this code. Put the whole program into one code block.\n```python\n{starter}\n```"
_WITH_INPUT = (
    "\n\nThe program reads standard input and writes standard output; it does not call itself on examples. "
    "Put the whole program into one code block.\n```python\n# your program\n```"
)


class LiveCodeBenchScenario(Scenario):
    """Write a Python program for a problem of LeetCode, AtCoder or Codeforces.

    Input text is the problem and the form of the answer; the reference has no text, only the place of the tests, which stay in
    the data set's files (several GB).

    Args:
        release: `release_v1` to `release_v6`.
        start: the first contest date, `2024-08` or `2024-08-15`; None for all.
        end: the date before which contests were, in the same form; None for all.
    """

    name = "livecodebench"
    description = "Problems of programming contests (LiveCodeBench), by release and by date."
    tags = ["code"]

    def __init__(self, release: str = "release_v6", start: str | None = None, end: str | None = None):
        super().__init__()
        if release not in NUM_PROBLEMS:
            raise ScenarioError(f"livecodebench: release is one of {', '.join(NUM_PROBLEMS)}, not {release!r}.")
        for name, date in (("start", start), ("end", end)):
            if date is not None and not _DATE.fullmatch(str(date)):
                raise ScenarioError(f"livecodebench: {name} is a date such as 2024-08 or 2024-08-15, not {date!r}.")
        self.release, self.start, self.end = release, start, end

    def get_instances(self, output_path: str) -> list[Instance]:
        files = FILES[: list(NUM_PROBLEMS).index(self.release) + 1]
        instances = [
            instance for file in files for instance in self._read(os.path.join(output_path, file), f"{_URL}/{file}")
        ]
        if not instances:
            raise ScenarioError(f"livecodebench: {self.release} has no problem from {self.start} until {self.end}.")
        return instances

    def _read(self, path: str, url: str) -> Iterator[Instance]:
        ensure_file_downloaded(source_url=url, target_path=path)
        with open(path, "rb") as file:
            offset = 0
            for line in file:
                row = _read_row(line, path, offset)
                date = row["contest_date"][:10]
                if (self.start is None or date >= self.start) and (self.end is None or date < self.end):
                    yield _make_instance(row, path, offset)
                offset += len(line)

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            display_name="LiveCodeBench",
            description=self.description,
            main_metric="pass",
            main_split=TEST_SPLIT,
            taxonomy=TaxonomyInfo(
                task="code generation",
                what="programming contests",
                when="2023 to 2025",
                who="problem setters",
                language="Python",
            ),
        )


_COLUMNS = (
    *("question_content", "platform", "question_id", "contest_date", "starter_code", "difficulty"),
    *("public_test_cases", "private_test_cases"),
)


def _read_row(line: bytes, path: str, offset: int) -> dict[str, Any]:
    try:
        row = read_json(line)
    except ValueError as e:
        raise ScenarioError(f"{path}: the line at byte {offset} is not JSON: {e}") from e
    missing = [name for name in _COLUMNS if not isinstance(row, dict) or not isinstance(row.get(name), str)]
    if missing:
        raise ScenarioError(f"{path}: the row at byte {offset} has no text '{missing[0]}'.")
    return row


def _make_instance(row: dict[str, Any], path: str, offset: int) -> Instance:
    starter = row["starter_code"]
    frame = _WITH_STARTER.replace("{starter}", starter) if starter.strip() else _WITH_INPUT
    tests = {"path": os.path.abspath(path), "offset": offset, "question_id": row["question_id"]}
    return Instance(
        Input(text=f"{row['question_content'].strip()}{frame}"),
        [CodeReference(Output(text=""), [CORRECT_TAG], tests)],
        split=TEST_SPLIT,
        sub_split=row["difficulty"],
        id=row["question_id"],
        extra_data={"platform": row["platform"], "contest_date": row["contest_date"]},
    )
