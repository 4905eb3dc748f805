"""Reads the programs that clients name by `file:///PATH`: regular files of a sane size, in folders that may be read."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from helm.compiler_gym.errors import StatusError

FOLDERS_VARIABLE = "HELM_COMPILER_PROGRAM_FOLDERS"
"""Folders below which programs may be read, as in PATH; unset: anywhere; empty: nowhere. Worker processes inherit it."""
MAX_PROGRAM_BYTES = 256 << 20
"""The largest size of a program: as much as a service keeps of all programs together."""
_FILE_SCHEME = "file:///"


def limit_to(folders: Sequence[str]) -> None:
    """Let this process and its children read programs only below these folders; an empty list allows none."""
    os.environ[FOLDERS_VARIABLE] = os.pathsep.join(os.path.realpath(folder) for folder in folders)


def path_in_uri(uri: str) -> str:
    """Return the path after `file:///`; an absolute path makes four slashes.

    Raises: StatusError for any other scheme.
    """
    if not uri.startswith(_FILE_SCHEME):
        raise StatusError(
            "INVALID_ARGUMENT", f'Invalid benchmark data URI. Only the file:/// scheme is supported: "{uri}"'
        )
    return uri[len(_FILE_SCHEME) :]


def read_program_file(path: Path) -> bytes:
    """Read a program's file.

    Raises: StatusError (NOT_FOUND or INVALID_ARGUMENT) when it does not exist, is not a regular file, is too long, or is
        outside of the folders.
    """
    _check_folder(path)
    try:
        # Checked first, because opening a named pipe would wait for a process that writes into it.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise StatusError("INVALID_ARGUMENT", f'Not a regular file: "{path}"')
            contents = file.read(MAX_PROGRAM_BYTES + 1)
    except FileNotFoundError:
        raise StatusError("NOT_FOUND", f'File not found: "{path}"') from None
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or error
        raise StatusError("INVALID_ARGUMENT", f'Error reading file: "{path}": {cause}') from error
    if len(contents) > MAX_PROGRAM_BYTES:
        raise StatusError("INVALID_ARGUMENT", f'File is longer than {MAX_PROGRAM_BYTES >> 20} MiB: "{path}"')
    return contents


def _check_folder(path: Path) -> None:
    """Check that a path is in an allowed folder. Links are resolved first, so that none leads out of it."""
    allowed: str | None = os.environ.get(FOLDERS_VARIABLE)
    if allowed is None:
        return
    folders = [Path(folder) for folder in allowed.split(os.pathsep) if folder]
    if not any(Path(os.path.realpath(path)).is_relative_to(folder) for folder in folders):
        where = f"below {', '.join(map(str, folders))}" if folders else "from no folder"
        raise StatusError(
            "INVALID_ARGUMENT",
            f'The service may not read "{path}": it reads programs {where} (--program_folder). Send the contents instead.',
        )
