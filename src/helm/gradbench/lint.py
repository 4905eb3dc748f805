"""The ``gradbench repo lint`` verb: what is wrong with a repository of evals and tools, without building anything."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from helm.common.errors import suggest
from helm.gradbench.protocol import Outcome

FOLDERS = {"eval": "evals", "tool": "tools"}
"""The folder of each kind of program."""

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")  # what names of images may be made of, and names of logs are
_FROM = re.compile(r"^FROM\s+(?:--\S+\s+)*(?P<image>\S+)(?:\s+AS\s+(?P<stage>\S+))?\s*$", re.IGNORECASE)
_START = re.compile(r"^(ENTRYPOINT|CMD)\s", re.IGNORECASE)
_BAD_OUTCOMES = [outcome.value for outcome in Outcome if outcome is not Outcome.SUCCESS]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong."""

    file: Path
    line: int | None
    """Counted from 1; None for a whole file or folder."""

    text: str

    def __str__(self) -> str:
        place = self.file.as_posix() if self.line is None else f"{self.file.as_posix()}:{self.line}"
        return f"{place}: {self.text}"


def lint(root: Path) -> list[Finding]:
    """Return what is wrong below ``root``, in the order of the files."""
    evals = _folders(root / FOLDERS["eval"])
    found = [finding for kind in FOLDERS for folder in _folders(root / FOLDERS[kind]) for finding in _program(folder)]
    names = [folder.name for folder in evals]
    for folder in _folders(root / FOLDERS["tool"]):
        found += _supported(folder / "evals.txt", names)
    return [*found, *_scripts(root)]


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def _program(folder: Path) -> Iterator[Finding]:
    """The folder of one eval or tool: its name and its Dockerfile."""
    if not _NAME.fullmatch(folder.name):
        yield Finding(folder, None, "a name must be of small letters, digits and single hyphens")
    file = folder / "Dockerfile"
    if not file.is_file():
        yield Finding(folder, None, "there is no Dockerfile")
        return
    stages: set[str] = set()
    starts = False
    for number, line in _instructions(file.read_text(encoding="utf-8", errors="replace")):
        starts |= _START.match(line) is not None
        matched = _FROM.match(line)
        if matched is None:
            continue
        image = matched["image"]
        if image not in stages and "$" not in image and image != "scratch" and not _is_pinned(image):
            yield Finding(
                file, number, f"the image {image} has no tag or digest, so that builds differ from day to day"
            )
        if matched["stage"]:
            stages.add(matched["stage"])
    if not starts:
        yield Finding(file, None, "there is neither ENTRYPOINT nor CMD, so that the image starts nothing")


def _instructions(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, continued ones as one."""
    begun, start = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("#"):
            continue
        start = start or number
        if line.rstrip().endswith("\\"):
            begun += line.rstrip()[:-1] + " "
            continue
        yield start, (begun + line).strip()
        begun, start = "", 0


def _is_pinned(image: str) -> bool:
    last = image.rpartition("/")[2]
    return "@sha256:" in last or (":" in last and not last.endswith(":latest"))


def _supported(file: Path, evals: Sequence[str]) -> Iterator[Finding]:
    """A tool's ``evals.txt``: known evals, sorted, each once, with outcomes that there are."""
    before = ""
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.is_file() else []
    for number, line in enumerate(lines, start=1):
        name, _, outcomes = line.partition(" ")
        if name not in evals:
            yield Finding(file, number, f'there is no eval "{name}".{suggest(name, evals)}')
        if name == before:
            yield Finding(file, number, f'the eval "{name}" is listed twice')
        elif name < before:
            yield Finding(file, number, f'the eval "{name}" comes after "{before}": the list is not sorted')
        for word in outcomes.split("+") if outcomes else []:
            if word not in _BAD_OUTCOMES:
                yield Finding(file, number, f'there is no bad outcome "{word}".{suggest(word, _BAD_OUTCOMES)}')
        before = max(before, name)


def _scripts(root: Path) -> Iterator[Finding]:
    """Shell scripts that git tracks and that no shell can read."""
    if not all(map(shutil.which, ("git", "bash", "sh"))):
        return
    listed = subprocess.run(["git", "ls-files", "-z", "*.sh"], cwd=root, capture_output=True, check=False).stdout
    for name in sorted(listed.decode(errors="replace").split("\0")):
        if not name or not (root / name).is_file():
            continue
        first = (root / name).read_bytes().split(b"\n", 1)[0]
        shell = "bash" if b"bash" in first else "sh"
        process = subprocess.run([shell, "-n", name], cwd=root, capture_output=True, text=True, check=False)
        if process.returncode:
            yield Finding(Path(name), None, process.stderr.strip().splitlines()[0].removeprefix(f"{name}: "))


__all__ = ["FOLDERS", "Finding", "lint"]
