"""`gradbench pin`. The engine stands in for one that needs a registry: it takes down its words and answers as Podman does."""

import sys

import pytest
import yaml

from helm.gradbench.main import main

ENGINE = """#!{python}
import os, sys
words = sys.argv[1:]
with open({calls!r}, "a") as calls:
    calls.write(" ".join(words) + "\\n")
if words[0] == "pull" and "missing" in words[-1]:
    sys.exit("manifest unknown")
if words[0] == "image" and "local" not in words[-1]:
    name = words[-1].rpartition(":")[0]
    print("other.example/tool@sha256:" + "f" * 64)
    print(name + "@sha256:" + "0123456789abcdef" * 4)
"""
DIGEST = "sha256:" + "0123456789abcdef" * 4


@pytest.fixture
def calls(tmp_path, monkeypatch):
    engine, calls = tmp_path / "bin" / "podman", tmp_path / "calls"
    engine.parent.mkdir()
    engine.write_text(ENGINE.format(python=sys.executable, calls=str(calls)))
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", str(engine.parent))
    monkeypatch.setenv("GRADBENCH_REGISTRY", "registry.example")
    return calls


def pin(*words):
    with pytest.raises(SystemExit) as ended:
        main(["pin", *map(str, words)])
    return ended.value.code


def test_images_are_pulled_and_named_by_digest(tmp_path, calls, capsys):
    path = tmp_path / "prod_env" / "model_deployments.yaml"
    path.parent.mkdir()
    own = {"name": "mine/tool", "client_spec": {"class_name": "x"}}
    path.write_text(yaml.safe_dump({"model_deployments": [own, {"name": "pinned/ad-hpp", "client_spec": {}}]}))
    assert pin("codipack:v2", "ad-hpp", "-o", path) == 0
    assert capsys.readouterr().out == f"pinned/codipack {DIGEST}\npinned/ad-hpp {DIGEST}\n"
    kept, *pinned = yaml.safe_load(path.read_text())["model_deployments"]
    assert kept == own
    assert [row["name"] for row in pinned] == ["pinned/codipack", "pinned/ad-hpp"]
    assert pinned[0]["client_spec"]["args"] == {"image": f"codipack@{DIGEST}", "name": "codipack"}
    pulls = [line for line in calls.read_text().splitlines() if line.startswith("pull")]
    repository = "registry.example/gradbench/tool-"
    assert pulls == [f"pull --quiet {repository}codipack:v2", f"pull --quiet {repository}ad-hpp:latest"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing", "podman pull --quiet registry.example/gradbench/tool-missing:latest failed: manifest unknown"),
        ("local", "podman knows no digest of registry.example/gradbench/tool-local:latest"),
        ("--Bad", "names no image of a tool"),
    ],
)
def test_nothing_is_written_when_one_has_no_digest(tmp_path, calls, capsys, name, message):
    path = tmp_path / "model_deployments.yaml"
    path.write_text("model_deployments: []\n")
    assert pin("-o", path, "--", "codipack", name) == 1
    assert message in capsys.readouterr().err
    assert path.read_text() == "model_deployments: []\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [("a: [", "is not YAML"), ("models: []", "the one key model_deployments"), ("model_deployments: [1]", "a list of")],
)
def test_a_file_of_another_form_is_left_alone(tmp_path, calls, capsys, text, message):
    path = tmp_path / "model_deployments.yaml"
    path.write_text(text)
    assert pin("codipack", "-o", path) == 1
    assert message in capsys.readouterr().err
    assert path.read_text() == text and not calls.exists()


def test_without_an_engine(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", "/no-such-folder")
    assert pin("codipack", "-o", tmp_path / "file.yaml") == 1
    assert "needs docker or podman, and neither is installed" in capsys.readouterr().err
