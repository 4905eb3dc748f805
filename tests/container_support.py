"""A real Podman for tests, with storage of its own and one image, made of programs of this machine; no registry is asked."""

import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache

import pytest

IMAGE = "localhost/helm-test:1"
_PROGRAMS = (
    "bash sh cat chmod cp dirname env find grep head id ls mkdir mv rm sed sleep sort stat tr base64 touch wc tail "
    "git git-daemon"
)


@cache
def configure():
    """Return the environment variables by which Podman uses its own storage, and a runtime that works in a container."""
    folder = tempfile.mkdtemp(prefix="helm-podman-")
    storage = f'[storage]\ndriver = "vfs"\ngraphroot = "{folder}/store"\nrunroot = "{folder}/run"\n'
    runtime = "runc" if shutil.which("runc") else "crun"
    engine = f'[engine]\nruntime = "{runtime}"\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\n'
    for name, text in {"storage.conf": storage, "containers.conf": engine}.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    return folder, {
        "CONTAINERS_STORAGE_CONF": os.path.join(folder, "storage.conf"),
        "CONTAINERS_CONF": os.path.join(folder, "containers.conf"),
    }


def _make_root(folder):
    for name in ("bin", "tmp", "etc", "proc", "sys", "dev", "root"):
        os.makedirs(os.path.join(folder, name))
    for name in _PROGRAMS.split():
        found = shutil.which(name, path="/usr/bin:/bin:/usr/lib/git-core")
        if found is None:
            continue
        target = os.path.join(folder, "bin", name)
        shutil.copy(os.path.realpath(found), target)
        linked = subprocess.run(["ldd", target], capture_output=True, text=True, check=False).stdout
        for library in re.findall(r"(/\S+)", linked):
            inside = folder + library
            if library != f"{target}:" and not os.path.exists(inside) and os.path.exists(library):
                os.makedirs(os.path.dirname(inside), exist_ok=True)
                shutil.copy(library, inside)
    with open(os.path.join(folder, "etc", "passwd"), "w") as file:
        file.write("root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/tmp:/bin/sh\n")
    os.chmod(os.path.join(folder, "tmp"), 0o1777)


@cache
def find_problem():
    """Return why no container can be run here; None if one was."""
    if shutil.which("podman") is None:
        return "podman is not installed"
    folder, variables = configure()
    environment = {**os.environ, **variables}
    root = os.path.join(folder, "root")
    _make_root(root)
    archive = os.path.join(folder, "root.tar")
    with tarfile.open(archive, "w") as file:
        file.add(root, arcname=".")
    limits = ["--ulimit", "nofile=1024", "--ulimit", "nproc=1024"]
    for words in (
        ["import", "--change", "ENV PATH=/bin", archive, IMAGE],
        ["run", "--rm", "--network=none", *limits, IMAGE, "sh", "-c", "exit 0"],
    ):
        done = subprocess.run(
            ["podman", *words], env=environment, capture_output=True, text=True, check=False, timeout=120
        )
        if done.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            return f"podman does not work here: {done.stderr.strip()[-200:]}"
    return None


@pytest.fixture(scope="session")
def _podman():
    problem = find_problem()
    if problem is not None:
        pytest.skip(problem)
    folder, variables = configure()
    yield variables
    environment = {**os.environ, **variables}
    subprocess.run(["podman", "rm", "--all", "--force"], env=environment, capture_output=True, check=False)
    subprocess.run(["podman", "rmi", "--all", "--force"], env=environment, capture_output=True, check=False)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def podman(_podman, monkeypatch):
    """Podman with one image, for this process and its children."""
    for name, value in _podman.items():
        monkeypatch.setenv(name, value)
    return _podman
