"""`gradbench repo lint`: what is wrong with a repository, and nothing about one that is right."""

import subprocess

import pytest

from helm.gradbench import main as gradbench
from helm.gradbench.images import write_image_folders

GOOD = 'FROM debian:12\nENTRYPOINT ["cat"]\n'


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with the eval gmm and the tool fast, and a function that lints it."""
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "-q"], check=True)
    write(tmp_path, {"evals/gmm/Dockerfile": GOOD, "evals/det/Dockerfile": GOOD, "tools/fast/Dockerfile": GOOD})
    return tmp_path


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def lint(capsys):
    with pytest.raises(SystemExit) as exit_:
        gradbench.main(["repo", "lint"])
    return exit_.value.code, capsys.readouterr().out.splitlines()


def test_what_init_writes_is_right(repository, capsys):
    write_image_folders(repository)
    assert lint(capsys) == (0, [])


@pytest.mark.parametrize(
    ("file", "text", "finding"),
    [
        (
            "tools/Fast_one/Dockerfile",
            GOOD,
            "tools/Fast_one: a name must be of small letters, digits and single hyphens",
        ),
        ("tools/slow/evals.txt", "gmm\n", "tools/slow: there is no Dockerfile"),
        (
            "tools/fast/Dockerfile",
            "FROM debian\nCMD true\n",
            "tools/fast/Dockerfile:1: the image debian has no tag or digest, so that builds differ from day to day",
        ),
        (
            "tools/fast/Dockerfile",
            "# made by hand\nFROM \\\n  --platform=linux/amd64 debian:latest AS base\nFROM base\nCMD true\n",
            "tools/fast/Dockerfile:2: the image debian:latest has no tag or digest, so that builds differ from day to day",
        ),
        (
            "evals/gmm/Dockerfile",
            "FROM debian:12\n",
            "evals/gmm/Dockerfile: there is neither ENTRYPOINT nor CMD, so that the image starts nothing",
        ),
        ("tools/fast/evals.txt", "gnm\n", "tools/fast/evals.txt:1: there is no eval \"gnm\". Did you mean 'gmm'?"),
        ("tools/fast/evals.txt", "det\ndet\n", 'tools/fast/evals.txt:2: the eval "det" is listed twice'),
        (
            "tools/fast/evals.txt",
            "gmm\ndet\n",
            'tools/fast/evals.txt:2: the eval "det" comes after "gmm": the list is not sorted',
        ),
        (
            "tools/fast/evals.txt",
            "gmm error+timeuot\n",
            "tools/fast/evals.txt:1: there is no bad outcome \"timeuot\". Did you mean 'timeout'?",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(repository, capsys, file, text, finding):
    write(repository, {file: text})
    assert lint(capsys) == (1, [finding])


@pytest.mark.parametrize(
    "text",
    [
        'FROM scratch\nCOPY tool /tool\nENTRYPOINT ["/tool"]\n',
        f'FROM debian@sha256:{"0" * 64} AS build\nFROM build\nentrypoint ["/tool"]\n',
        "ARG BASE=debian:12\nFROM ${BASE}\nCMD true\n",
        "FROM localhost:5000/base:2\nCMD true\n",
    ],
)
def test_other_ways_to_be_right(repository, capsys, text):
    write(repository, {"tools/fast/Dockerfile": text, "tools/fast/evals.txt": "det error+timeout\ngmm\n"})
    assert lint(capsys) == (0, [])


def test_a_script_that_no_shell_can_read_is_named(repository, capsys):
    write(repository, {"good.sh": "echo\n", "bad.sh": "#!/bin/bash\nif true\n", "untracked.sh": "if true\n"})
    subprocess.run(["git", "add", "good.sh", "bad.sh"], check=True)
    code, (line,) = lint(capsys)
    assert code == 1 and line.startswith("bad.sh: ") and "syntax error" in line
