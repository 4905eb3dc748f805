"""The files of which images are built."""

import hashlib
import os
from collections.abc import Mapping
from contextlib import closing

from helm.common.processes.end_of_process import ScratchFolder
from helm.common.sandbox.container_engine import ContainerEngine


def build_of_files(engine: ContainerEngine, files: Mapping[str, bytes], pull: bool, build_seconds: float) -> str:
    """Return the identifier of the image that a Dockerfile and the files beside it describe. Raises: SandboxError.

    Args:
        engine: builds it, if it has not yet.
        files: contents by relative path.
        pull: whether images that it begins with may be fetched.
        build_seconds: longest time of building.
    """
    with closing(ScratchFolder("helm-image-")) as scratch:
        folder = str(scratch.path)
        for name, data in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
            if data[:2] == b"#!" or name.endswith(".sh"):
                os.chmod(path, 0o755)
        return engine.build_image(tag_of(files), folder, pull, build_seconds)


def read_files(folder: str) -> dict[str, bytes]:
    """Return the contents of the files of a folder by relative path. Links are left out."""
    files = {}
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            path = os.path.join(parent, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    files[os.path.relpath(path, folder).replace(os.sep, "/")] = file.read()
    return files


def tag_of(files: Mapping[str, bytes]) -> str:
    """Return the name of the image of some files, which changes with them."""
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode("utf-8", "surrogatepass"))
    return f"localhost/helm-task:{digest.hexdigest()[:32]}"
