"""Reads plain Dockerfiles, which need no container: files are copied, folders made, variables set, and nothing is run."""

import fnmatch
import json
import posixpath
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from helm.common.errors import HelmError


class NotPlain(HelmError):
    """The Dockerfile does something for which a container is needed."""


@dataclass
class PlainImage:
    """What a plain Dockerfile describes."""

    base: str = ""
    """The image that it begins with. Its programs are not here; those of this machine take their place."""

    workdir: str = "/"

    files: dict[str, bytes] = field(default_factory=dict)
    """Maps absolute paths to contents."""

    folders: list[str] = field(default_factory=list)

    environment: dict[str, str] = field(default_factory=dict)

    user: str | None = None


_IGNORED = ("LABEL", "EXPOSE", "MAINTAINER", "STOPSIGNAL", "CMD", "ENTRYPOINT", "SHELL", "ARG")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def read_plain_dockerfile(text: str, context: Mapping[str, bytes]) -> PlainImage:
    """Return what a Dockerfile describes.

    Args:
        text: the file.
        context: maps the paths of the files beside it, relative to its folder, to contents.

    Raises: NotPlain for the first instruction that a container is needed for.
    """
    image = PlainImage()
    for instruction, rest in _instructions(text):
        if instruction == "FROM":
            if image.base:
                raise NotPlain("it builds in several stages")
            image.base = rest.split()[0] if rest.split() else ""
        elif instruction == "WORKDIR":
            image.workdir = posixpath.join(image.workdir, _expand(rest.strip('"'), image.environment))
            image.folders.append(image.workdir)
        elif instruction == "ENV":
            image.environment.update(_pairs(rest, image.environment))
        elif instruction == "USER":
            image.user = rest
        elif instruction == "RUN":
            image.folders += _made_folders(rest, image)
        elif instruction in ("COPY", "ADD"):
            _copy(rest, image, context)
        elif instruction not in _IGNORED:
            raise NotPlain(f"it has the instruction {instruction}")
    if not image.base:
        raise NotPlain("it has no FROM")
    return image


def _instructions(text: str) -> list[tuple[str, str]]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\[ \t]*\n", " ", "\n".join(lines))
    found = []
    for line in joined.splitlines():
        name, _, rest = line.strip().partition(" ")
        if name:
            found.append((name.upper(), rest.strip()))
    return found


def _words(text: str) -> list[str]:
    if text.startswith("["):
        try:
            found = json.loads(text)
        except ValueError:
            raise NotPlain(f"it has a list that is no JSON: {text[:80]}") from None
        return [str(word) for word in found]
    try:
        return shlex.split(text)
    except ValueError:
        raise NotPlain(f"it has a line that cannot be read: {text[:80]}") from None


def _expand(text: str, variables: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: variables.get(match[1] or match[2], ""), text)


def _pairs(rest: str, variables: Mapping[str, str]) -> dict[str, str]:
    words = _words(rest)
    if words and "=" not in words[0]:
        name, _, value = rest.partition(" ")
        return {name: _expand(value.strip(), variables)}
    return {name: _expand(value, variables) for name, _, value in (word.partition("=") for word in words)}


def _made_folders(rest: str, image: PlainImage) -> list[str]:
    words = _words(rest)
    if words[:2] != ["mkdir", "-p"] or any(
        re.search(r"[;&|<>$`*?]", word) or word.startswith("-") for word in words[2:]
    ):
        raise NotPlain(f"it runs a command: {rest[:80]}")
    return [posixpath.join(image.workdir, word) for word in words[2:]]


def _copy(rest: str, image: PlainImage, context: Mapping[str, bytes]) -> None:
    words = _words(rest)
    options = [word for word in words if word.startswith("--")]
    if any(not word.startswith(("--chown=", "--chmod=")) for word in options):
        raise NotPlain(f"it copies from elsewhere: {rest[:80]}")
    *sources, target = [word for word in words if not word.startswith("--")] or [""]
    if not sources:
        raise NotPlain(f"it copies nothing: {rest[:80]}")
    is_folder = target.endswith("/") or target in (".", "..") or len(sources) > 1
    target = posixpath.normpath(posixpath.join(image.workdir, _expand(target, image.environment)))
    for source in sources:
        if "://" in source or source.startswith("git@"):
            raise NotPlain(f"it fetches {source[:80]}")
        _copy_one(posixpath.normpath(source.lstrip("/")), target, is_folder, image, context)


def _copy_one(source: str, target: str, is_folder: bool, image: PlainImage, context: Mapping[str, bytes]) -> None:
    if source == ".." or source.startswith("../"):
        raise NotPlain(f"it copies {source}, which is not beside it")
    if source in context:
        name = posixpath.join(target, posixpath.basename(source)) if is_folder else target
        image.files[name] = context[source]
        return
    prefix = "" if source == "." else source + "/"
    below = (
        {path: data for path, data in context.items() if path.startswith(prefix)}
        if source == "." or "*" not in source
        else {}
    )
    if below:
        image.files.update({posixpath.join(target, path[len(prefix) :]): data for path, data in below.items()})
        return
    matching = [path for path in context if fnmatch.fnmatchcase(path, source) and path.count("/") == source.count("/")]
    if not matching:
        if "*" not in source:
            raise NotPlain(f"it copies {source}, which is not there")
        return
    for path in matching:
        image.files[posixpath.join(target, posixpath.basename(path))] = context[path]
