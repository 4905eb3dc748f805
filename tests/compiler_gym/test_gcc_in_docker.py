"""A gcc in a container, through a program that stands in for docker."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from helm.benchmark import run
from helm.compiler_gym.backends.gcc import GccProgram
from helm.compiler_gym.backends.gcc_command import make_command
from helm.compiler_gym.errors import ServiceInitError

_DOCKER = """
import json, os, sys
words = sys.argv[1:]
with open(os.environ["DOCKER_LOG"], "a") as log:
    log.write(json.dumps(words) + "\\n")
assert words.pop(0) == "run"
folder = None
while words[0].startswith("--"):
    name, _, value = words.pop(0).partition("=")
    if name == "--volume":
        folder = value.removesuffix(":/helm")
if words[0] != "gcc:11.2.0":
    sys.exit(f"Unable to find image '{words[0]}' locally")
os.chdir(folder or "/")
os.execv(os.environ["REAL_GCC"], words[1:])
"""


@pytest.fixture
def docker_log(tmp_path, monkeypatch):
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("needs gcc")
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "docker").write_text(f"#!{sys.executable}\n{_DOCKER}")
    (folder / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("REAL_GCC", gcc)
    monkeypatch.setenv("DOCKER_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def test_the_container_sees_one_folder_and_no_network():
    words = make_command("docker:gcc:11.2.0", ["-O2", "-c", "src.c"], Path("/tmp/x"))
    assert words[:3] == ["docker", "run", "--rm"] and words[-5:] == ["gcc:11.2.0", "gcc", "-O2", "-c", "src.c"]
    assert "--network=none" in words and "--volume=/tmp/x:/helm" in words
    assert not [word for word in make_command("docker:gcc", ["--version"]) if "volume" in word]
    assert make_command("gcc-14", ["-c"], Path("/tmp")) == ["gcc-14", "-c"]


def test_an_image_that_is_not_there_is_told(docker_log):
    with pytest.raises(ServiceInitError, match="docker:gcc:9 --version failed: Unable to find image 'gcc:9'"):
        GccProgram("docker:gcc:9")


def test_without_docker_the_error_names_the_image(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServiceInitError, match="Cannot run the compiler docker:gcc:9: .*docker"):
        GccProgram("docker:gcc:9")


def test_a_run_with_a_gcc_in_a_container(docker_log, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run.main(["-r", "compiler:env=gcc:docker:gcc:11.2.0,policy=Os,benchmarks=crc32", "--suite", "s", "-m", "9"])
    (path,) = (tmp_path / "benchmark_output" / "runs" / "s").glob("comp*")
    (state,) = json.loads((path / "scenario_state.json").read_text())["request_states"]
    result = state["result"]
    assert result["success"] and result["validation"]["status"] == "valid"
    assert result["observations"]["command_line"] == "docker:gcc:11.2.0 -Os -w -c src.c -o obj.o"
    calls = [json.loads(line) for line in docker_log.read_text().splitlines()]
    assert any("-static" in call for call in calls)
