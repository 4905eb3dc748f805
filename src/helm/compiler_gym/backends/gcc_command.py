"""How a gcc is called: a program of this machine, or one in a container."""

import os
from collections.abc import Sequence
from pathlib import Path

DOCKER = "docker:"
"""What a gcc in an image of docker begins with, for example `docker:gcc:11.2.0`."""

_INSIDE = "/helm"
_MAX_CPU_S = 600
"""A container outlives the command that started it, when that is killed; so long at the most."""


def is_in_container(command: str) -> bool:
    return command.startswith(DOCKER)


def make_command(command: str, arguments: Sequence[str], folder: Path | None = None) -> list[str]:
    """The words that run a gcc on the files of a folder.

    Args:
        command: name or path of a gcc, or `docker:IMAGE` for the `gcc` in an image. The container sees no other folder
            and no network, runs as the present user, and is removed afterwards.
        folder: absolute; where the words are to be run. None: gcc is to read and write no file.
    """
    if not is_in_container(command):
        return [command, *arguments]
    limits = ["--rm", "--network=none", f"--user={os.getuid()}:{os.getgid()}", f"--ulimit=cpu={_MAX_CPU_S}"]
    files = [] if folder is None else [f"--volume={folder}:{_INSIDE}", f"--workdir={_INSIDE}"]
    return ["docker", "run", *limits, *files, command.removeprefix(DOCKER), "gcc", *arguments]
