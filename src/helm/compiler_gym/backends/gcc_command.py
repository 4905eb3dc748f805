"""The command line of a gcc, which is installed on this machine or in a container image."""

import os
from collections.abc import Sequence
from pathlib import Path

DOCKER = "docker:"
"""Prefix of a gcc in a docker image, for example `docker:gcc:11.2.0`."""

_INSIDE = "/helm"
_MAX_CPU_S = 600
"""Limit for the processor time of a container, because it outlives the command that started it when that is killed."""


def is_in_container(command: str) -> bool:
    return command.startswith(DOCKER)


def make_command(command: str, arguments: Sequence[str], folder: Path | None = None) -> list[str]:
    """Return the words of a command that runs a gcc on the files of a folder.

    Args:
        command: name or path of a gcc, or `docker:IMAGE` for the `gcc` in an image. The container has access to no other
            folder and no network, runs as the current user, and is removed afterwards.
        arguments: arguments of gcc.
        folder: absolute path of the folder in which the command is run. None: gcc reads and writes no file.
    """
    if not is_in_container(command):
        return [command, *arguments]
    limits = ["--rm", "--network=none", f"--user={os.getuid()}:{os.getgid()}", f"--ulimit=cpu={_MAX_CPU_S}"]
    files = [] if folder is None else [f"--volume={folder}:{_INSIDE}", f"--workdir={_INSIDE}"]
    return ["docker", "run", *limits, *files, command.removeprefix(DOCKER), "gcc", *arguments]
