"""SWE-bench: issues of real repositories, which an agent resolves in a container."""

import json
import os
from collections.abc import Iterable
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, numbered, read_json_lines, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ScenarioError, suggest

SUBSETS = {
    "verified": ("SWE-bench/SWE-bench_Verified", "c104f840cc67f8b6eec6f759ebc8b2693d585d4a", 500),
    "verified_mini": ("SWE-bench/SWE-bench_Verified_Mini", "b316c349947c29963fce3f4a65967c9807a4b673", 50),
    "lite": ("SWE-bench/SWE-bench_Lite", None, 300),
    "multilingual": ("SWE-bench/SWE-bench_Multilingual", None, 300),
    "full": ("SWE-bench/SWE-bench", None, 2294),
}
"""The data sets of the Hub by name: repository, revision (None for the newest, which is then recorded), number of issues."""

_TASK = (
    "The folder {workdir} holds the repository {repo}. Resolve this issue by changing its files; tests that are not here will be "
    "run. Do not change existing tests. Submit a short summary when you are done.\n\n{issue}"
)
_WORKDIR = "/testbed"
_NEEDED = ("instance_id", "repo", "base_commit", "problem_statement", "test_patch", "FAIL_TO_PASS", "PASS_TO_PASS")
_FOR_RUNNING = ("eval_script", "log_parser")


class SweBenchScenario(Scenario):
    """Resolve an issue in a repository: the tests that belong to its resolution pass, and others do not break.

    Input text: the issue. The agent works in the issue's image, without a network; its difference to the base commit is tested in
    a fresh container of the same image. The instance's sub-split is the repository. Source: SWE-bench, in the form of its version
    5, whose rows have `image`, `eval_script` and `log_parser`.

    Args:
        subset: one of `SUBSETS`.
        path: a `.jsonl` file with rows of that form, in place of a subset.
        instances: ids to take; empty takes all.
        engine: docker, podman, or auto for the first of them that works.
        pull: whether images may be fetched, of 1 to 4 GB each.
    """

    name = "swe_bench"
    description = "Issues of repositories, resolved in containers"
    tags = ["agents", "code"]

    def __init__(
        self,
        subset: str = "verified",
        path: str | None = None,
        instances: Iterable[str] = (),
        engine: str = "auto",
        pull: bool = False,
    ):
        super().__init__()
        check_choice("swe_bench", "subset", subset, SUBSETS)
        self._subset, self._path, self._wanted = subset, path, list(instances)
        self._engine, self._pull = engine, pull

    def get_instances(self, output_path: str) -> list[Instance]:
        found: dict[str, Instance] = {}
        known: list[str] = []
        for where, row in self._rows(output_path):
            with reading(where):
                known.append(str(row["instance_id"]))
                if not self._wanted or row["instance_id"] in self._wanted:
                    found[str(row["instance_id"])] = self._make_instance(row, where)
        missing = [name for name in self._wanted if name not in found]
        if missing:
            close = suggest(missing[0], known)
            raise ScenarioError(f"swe_bench: {self._path or self._subset} has no {', '.join(missing[:5])}.{close}")
        return list(found.values())

    def _rows(self, output_path: str) -> Iterable[tuple[str, Any]]:
        if self._path is not None:
            if not os.path.isfile(self._path):
                raise ScenarioError(f"swe_bench: there is no file {self._path}.")
            return read_json_lines(self._path)
        from helm.common.data.hub_datasets import load_hub_split

        repository, revision, _ = SUBSETS[self._subset]
        rows = load_hub_split(repository, split="test", revision=revision, cache_dir=output_path)
        return numbered(repository, rows)

    def _make_instance(self, row: dict[str, Any], where: str) -> Instance:
        for name in (*_NEEDED, *_FOR_RUNNING):
            if not isinstance(row.get(name), (str, list)):
                more = " Rows of SWE-bench 5 have it." if name in _FOR_RUNNING else ""
                raise ScenarioError(f"{where}: lacks '{name}'.{more}")
        name = str(row["instance_id"])
        image = row.get("image") or f"docker.io/swebench/sweb.eval.x86_64.{name.lower().replace('__', '_1776_')}:latest"
        check = {
            "base_commit": row["base_commit"],
            "eval_script": row["eval_script"],
            "log_parser": row["log_parser"],
            "fail_to_pass": _tests(row["FAIL_TO_PASS"]),
            "pass_to_pass": _tests(row["PASS_TO_PASS"]),
            "test_patch": row["test_patch"],
            "eval_type": row.get("eval_type") or "pass_and_fail",
        }
        environment = {
            "image": image,
            "workdir": _WORKDIR,
            "memory_mb": 8192,
            "engine": self._engine,
            "pull": self._pull,
        }
        told = _TASK.format(workdir=_WORKDIR, repo=row["repo"], issue=row["problem_statement"])
        extra: dict[str, Any] = {}
        if row.get("patch"):
            calls = [
                {"name": "create", "arguments": {"path": "/tmp/solution.diff", "text": row["patch"]}},
                {"name": "bash", "arguments": {"command": f"cd {_WORKDIR} && git apply /tmp/solution.diff"}},
            ]
            extra["solution"] = {"calls": calls, "answer": "done"}
        return Instance(
            Input(text=str(row["problem_statement"])),
            references=[],
            split=TEST_SPLIT,
            sub_split=str(row["repo"]),
            extra_data={
                "task": name,
                "messages": [{"role": "user", "content": told}],
                "agent": {"class_name": "helm.agents.agents.ReactLoop"},
                "environment": {
                    "class_name": "helm.agents.environments.container_box.ContainerBox",
                    "args": environment,
                },
                "check": {"class_name": "helm.agents.swe_bench.check.SweBenchCheck", "args": check},
                "limits": {"turns": 100, "seconds": 3600.0},
                **extra,
            },
            id=name,
        )

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_success",
            main_split=TEST_SPLIT,
            display_name="SWE-bench",
            description=self.description,
        )


def _tests(value: Any) -> list[str]:
    """Return names of tests: a list, or its text in JSON."""
    found = json.loads(value) if isinstance(value, str) else value
    return [str(name) for name in found]
