"""The files and commands of docs/tutorial-compilers.md, as a reader would use them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

_TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial-compilers.md"
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _read_files() -> dict[str, str]:
    """File name -> content, for each block that follows a line ending in ``File `name`:``."""
    text = _TUTORIAL.read_text(encoding="utf-8")
    files = {}
    for match in re.finditer(r"File `([^`]+)`:\s*$", text, re.MULTILINE):
        block = _FENCE.search(text, match.end())
        assert block is not None, match.group(1)
        files[match.group(1)] = block.group(2)
    return files


def _read_commands() -> list[str]:
    text = _TUTORIAL.read_text(encoding="utf-8")
    blocks = [block.group(2) for block in _FENCE.finditer(text) if not block.group(1)]
    return [
        line
        for block in blocks
        for line in block.splitlines()
        if line.startswith(("helm-run ", "helm-compiler-validate "))
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tutorial")
    for name, content in _read_files().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    deployment = next(
        b.group(2) for b in _FENCE.finditer(_TUTORIAL.read_text()) if b.group(2).startswith("  - name: stack")
    )
    with open(folder / "prod_env" / "model_deployments.yaml", "a") as file:
        file.write(deployment)
    return folder


def _means(folder: Path, suite: str, run: str) -> dict[str, float]:
    path = folder / "benchmark_output" / "runs" / suite / run / "stats.json"
    return {stat["name"]["name"]: stat["mean"] for stat in json.loads(path.read_text())}


_LARGE = ("sets", "stress")
"""Suites of several programs with hundreds of compilations, and what reads them."""


def _run_commands(folder: Path, is_large: bool) -> None:
    commands = _read_commands()
    assert len(commands) == 7
    commands = [command for command in commands if command.endswith(_LARGE) == is_large]
    assert len(commands) == (3 if is_large else 4)
    modules = {"helm-run": "helm.benchmark.run", "helm-compiler-validate": "helm.compiler_gym.checks.validate_main"}
    for command in commands:
        words = [word.replace("$PWD", str(folder)) for word in command.split()]
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        process = subprocess.run(
            [sys.executable, "-m", modules[words[0]], *words[1:]],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert process.returncode == 0, process.stdout + process.stderr


def test_the_commands_of_the_tutorial_work(folder):
    _run_commands(folder, is_large=False)
    oz, greedy = (_means(folder, "first", f"llvm:program=sha256,model=llvm_{name}") for name in ("Oz", "greedy"))
    assert oz["instruction_count_reduction_oz"] == 1.0
    assert greedy["instruction_count_reduction_oz"] > 1.0
    mine = _means(folder, "mine", "llvm:program=crc32,model=llvm_mine")
    assert mine["episode_failed"] == 0 and mine["instruction_count_reduction_oz"] > 0.9
    (stack,) = (folder / "benchmark_output" / "runs" / "stack").glob("stack:*")
    figures = _means(folder, "stack", stack.name)
    assert (figures["size"], figures["episode_reward"], figures["num_actions"]) == (2, 5, 3)


@pytest.mark.slow
def test_the_commands_about_sets_of_programs_work(folder):
    _run_commands(folder, is_large=True)
    best = _means(folder, "sets", "compiler:env=llvm,benchmarks=embedded,max_programs=4,model=llvm_Oz")
    assert best["instruction_count_reduction_oz_geomean"] == 1.0 and best["validated"] == 1.0
    (random_programs,) = (folder / "benchmark_output" / "runs" / "stress").glob("compiler:*")
    assert _means(folder, "stress", random_programs.name)["validated"] == 1.0
