"""SciCode as tasks for agents."""

import os
from collections.abc import Mapping
from typing import Any

from helm.agents.scicode.problem import EXTRA
from helm.benchmark.scenarios.data_rows import numbered, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, VALID_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ScenarioError
from helm.common.formats.json_reading import read_json

SPLITS = {"test": TEST_SPLIT, "validation": VALID_SPLIT}

_PATH = "SciCode1/SciCode"
_GIVEN = {
    "13.6": "795a2b57c2d9bb12ca4eaf16d6b8e1f202015a89a886628858abf42a1b18a94e",
    "62.1": "bc9931d88a7d5950091b72a996a25b8be6c936fd136b01005e22c3d45b0008a2",
    "76.3": "4758300d96ea726cdc0fbf749f1bc437030d2a3e8b43bde232ecdeaf636cd367",
}
"""The steps whose code is given, and the SHA-256 of its file."""

_GIVEN_URL = "https://raw.githubusercontent.com/scicode-bench/SciCode/588b4069d73d211434790bdf4f5a3b80c7830912/eval/data/{number}.txt"
_TARGETS_URL = (
    "https://drive.usercontent.google.com/download?id=17G_k65N_6yFFZ2O-jQH00Lh6iaw3z-AW&export=download&confirm=t"
)
_TARGETS_SHA256 = "48b0272a88b17dbd29777c217e1b4fb2b019b92e11cc2add847409db9541b890"


class SciCodeScenario(Scenario):
    """Problems of science; the code of each step is written with that of the earlier ones, and tested in the sandbox.

    Args:
        split: `test` (65 problems, 288 scored steps) or `validation` (15 problems, with code).
        background: whether the model is told the science behind a step, which published numbers have to state.
        targets: the HDF5 file with the values that tests expect; None downloads it (1 GB) from the authors' folder at Google
            Drive.
        path: a JSON-lines file in the layout of the data set in its place.
        timeout: limit in seconds for the tests of one step.
    """

    name = "scicode"
    description = "Problems of science that are solved step by step, by functions that are tested (SciCode)."
    tags = ["code"]

    def __init__(
        self,
        split: str = "test",
        background: bool = False,
        targets: str | None = None,
        path: str | None = None,
        timeout: float = 1800.0,
    ):
        super().__init__()
        if split not in SPLITS:
            raise ScenarioError(f"scicode: split is one of {', '.join(SPLITS)}, not {split!r}.")
        self._data_split, self._background, self._timeout = split, background, timeout
        self._targets, self._path = targets, path

    def get_instances(self, output_path: str) -> list[Instance]:
        import importlib.util

        from helm.common.optional_dependencies import handle_module_not_found_error

        if importlib.util.find_spec("h5py") is None:
            handle_module_not_found_error(ModuleNotFoundError("h5py", name="h5py"), [EXTRA])
        rows = self._rows(output_path)
        targets = self._find_targets(output_path)
        instances = []
        for where, row in numbered(self._path or _PATH, rows, "row"):
            with reading(where):
                instances.append(self._instance(row, targets, output_path))
        return instances

    def _rows(self, folder: str) -> list[Mapping[str, Any]]:
        if self._path is None:
            from helm.common.data.hub_datasets import load_hub_split

            return list(load_hub_split(_PATH, self._data_split, cache_dir=folder).rows)
        with open(self._path, "rb") as file:
            return [read_json(line) for line in file if line.strip()]

    def _find_targets(self, folder: str) -> str:
        if self._targets is not None:
            if not os.path.isfile(self._targets):
                raise ScenarioError(f"scicode: there is no file {self._targets}; targets is the file test_data.h5.")
            return os.path.abspath(self._targets)
        from helm.common.data.downloads import ensure_downloaded

        path = os.path.join(folder, "test_data.h5")
        ensure_downloaded(_TARGETS_URL, path, sha256=_TARGETS_SHA256)
        return os.path.abspath(path)

    def _instance(self, row: Mapping[str, Any], targets: str, folder: str) -> Instance:
        number = str(row["problem_id"])
        steps, tests = [], {}
        for one in row["sub_steps"]:
            step: dict[str, Any] = {
                "number": str(one["step_number"]),
                "description": str(one["step_description_prompt"]),
                "background": str(one.get("step_background") or ""),
                "header": str(one["function_header"]),
                "ending": str(one.get("return_line") or ""),
                "code": str(one.get("ground_truth_code") or ""),
            }
            if step["number"] in _GIVEN:
                step["code"], step["is_given"] = self._given(step["number"], folder), True
            else:
                tests[step["number"]] = [str(test) for test in one["test_cases"]]
            steps.append(step)
        environment = {"steps": steps, "packages": str(row["required_dependencies"]), "background": self._background}
        check = {"tests": tests, "targets": targets, "timeout": self._timeout}
        task = {
            "task": f"scicode{number}",
            "messages": [{"role": "user", "content": str(row["problem_description_main"])}],
            "agent": {"class_name": "helm.agents.scicode.problem.SciCodeSteps"},
            "environment": {"class_name": "helm.agents.scicode.problem.SciCodeProblem", "args": environment},
            "check": {"class_name": "helm.agents.scicode.checks.SciCodeCheck", "args": check},
            "limits": {"turns": len(steps) + 1},
        }
        return Instance(
            Input(text=str(row["problem_description_main"])),
            references=[],
            split=SPLITS[self._data_split],
            id=f"scicode{number}",
            extra_data=task,
        )

    def _given(self, number: str, folder: str) -> str:
        from helm.common.data.downloads import ensure_downloaded

        path = os.path.join(folder, f"{number}.txt")
        ensure_downloaded(_GIVEN_URL.format(number=number), path, sha256=_GIVEN[number], license="Apache-2.0")
        with open(path, encoding="utf-8") as file:
            return file.read()

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="scicode_step_rate",
            main_split=SPLITS[self._data_split],
            display_name="SciCode",
            description=self.description,
        )
