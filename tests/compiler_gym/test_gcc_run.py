"""`helm-run` with gcc as the subject."""

import json
import shutil

import pytest

from helm.benchmark import run
from helm.benchmark.run_specs.compiler_gym_run_specs import get_gcc_spec
from helm.common.errors import ConfigError

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a gcc on the machine")


def test_a_run_reports_the_sizes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entries = ["gcc:program=crc32,model=gcc/O0", "gcc:program=crc32,model=gcc/Os"]
    run.main(["-r", *entries, "-m", "10", "--suite", "s"])
    sizes = {}
    for level in ("O0", "Os"):
        folder = tmp_path / "benchmark_output" / "runs" / "s" / f"gcc:program=crc32,model=gcc_{level}"
        stats = {stat["name"]["name"]: stat for stat in json.loads((folder / "stats.json").read_text())}
        assert stats["episode_failed"]["sum"] == 0
        sizes[level] = stats["obj_size"]["mean"]
        state = json.loads((folder / "scenario_state.json").read_text())["request_states"][0]
        assert f" -{level} -w -c" in state["result"]["observations"]["command_line"]
    assert 0 < sizes["Os"] < sizes["O0"]


def test_the_name_of_a_run_tells_what_differs_from_the_defaults():
    assert get_gcc_spec("a/b.c", reward="asm_size").name == "gcc:program=a_b.c,reward=asm_size"
    assert get_gcc_spec("a/b.c").groups == ["compiler_gym", "gcc_b"]
    with pytest.raises(ConfigError, match="Run spec 'gcc': max_steps takes a whole number"):
        get_gcc_spec("crc32", max_steps=-1)
