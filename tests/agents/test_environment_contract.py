"""The contract of environments: our own keep it, so does the example that speaks to a cluster, and what breaks it is found."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from container_support import IMAGE, _podman, podman  # noqa: F401
from helm.agents.environments.bubblewrap_box import BubblewrapBox
from helm.agents.environments.container_box import ContainerBox
from helm.agents.environments.contract import ContractBroken, Subject, check_environment, rules_for
from helm.agents.environments.environment import Environment
from helm.agents.environments.python_domain import PythonDomain
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.tools.tool import tool
from helm.common.agent_request import EpisodeLimits
from helm.common.errors import ConfigError
from helm.common.sandbox.session import SandboxSession, is_available
from helm.common.sandbox.session_contract import SessionEnded, SessionRefused

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "kubernetes_environment"

with_bubblewrap = pytest.mark.skipif(not is_available(), reason="there is no bubblewrap")


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-contract-secret")


class Shelf:
    """A domain of one shelf."""

    def __init__(self, books):
        self.books = books

    @tool
    def add(self, book: str) -> str:
        """Add a book."""
        self.books.append(book)
        return "added"

    def state(self):
        return self.books


DOMAIN = Subject(lambda: PythonDomain(f"{__name__}.Shelf", {"books": ["one"]}))
BUBBLEWRAP = Subject(BubblewrapBox, kill=lambda box: box.session._leader.kill())


def kill_container(box):
    subprocess.run(["podman", "kill", box.session._id], capture_output=True, check=True)


def list_containers():
    return subprocess.run(["podman", "ps", "-aq"], capture_output=True, text=True, check=True).stdout.split()


CONTAINER = Subject(lambda: ContainerBox(IMAGE, engine="podman", workdir="/app"), kill_container, list_containers)


@pytest.mark.parametrize("rule", rules_for(DOMAIN), ids=str)
def test_python_domains_keep_the_contract(rule):
    rule.check(DOMAIN)


@with_bubblewrap
@pytest.mark.parametrize("rule", rules_for(BUBBLEWRAP), ids=str)
def test_bubblewrap_keeps_the_contract(rule):
    rule.check(BUBBLEWRAP)


@pytest.mark.slow
@pytest.mark.usefixtures("podman")
@pytest.mark.parametrize("rule", rules_for(CONTAINER), ids=str)
def test_containers_keep_the_contract(rule):
    rule.check(CONTAINER)


class Cluster:
    """A cluster of the stand-in for kubectl."""

    def __init__(self, folder, module):
        self.folder, self.module = folder, module

    def pods(self):
        return os.listdir(self.folder / "pods")

    def set(self, name, text=""):
        (self.folder / name).write_text(text)

    def box(self, image="debian:13", **args):
        return self.module.KubernetesBox(image, workdir="/app", **args)

    def kill(self, box):
        for name in self.pods():
            os.kill(json.loads((self.folder / "pods" / name).read_text())["pid"], signal.SIGKILL)

    @property
    def subject(self):
        return Subject(self.box, self.kill, self.pods)


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """A cluster without pods, which a program named kubectl gives access to."""
    folder, programs = tmp_path / "cluster", tmp_path / "bin"
    (folder / "pods").mkdir(parents=True)
    programs.mkdir()
    program = programs / "kubectl"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {ROOT}/tests/kubectl_stand_in.py "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("KUBECTL_STAND_IN", str(folder))
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import kubernetes_box

    kubernetes_box._prepare.cache_clear()
    made = Cluster(folder, kubernetes_box)
    yield made
    made.kill(None)


QUICK = ("starts and says what it is", "tells output and status", "gives input", "leaves nothing", "its tools work")
RULES_OF_PODS = [
    pytest.param(
        rule, id=str(rule), marks=() if rule.name in QUICK else pytest.mark.slow
    )  # each is a process of Python or ten
    for rule in rules_for(replace(CONTAINER, make=BubblewrapBox))
]


@with_bubblewrap
@pytest.mark.parametrize("rule", RULES_OF_PODS)
def test_pods_keep_the_contract(rule, cluster):
    rule.check(cluster.subject)
    assert cluster.pods() == []


def started(box):
    box.start(EpisodeLimits(seconds=60.0))
    return box


@with_bubblewrap
@pytest.mark.parametrize("status", [0, 1])
def test_a_broken_connection_to_a_pod_is_no_answer(cluster, status):
    box = started(cluster.box())
    session = box.session
    session.write("/app/x", b"x")
    try:
        for seconds, use in (
            (0.5, lambda: session.run(["sh", "-c", "echo begun; sleep 2; echo on"], wall_s=20)),
            (0, lambda: session.write("/app/y", b"y" * 1_000_000)),
            (0.5, lambda: session.run_in_shell("sleep 2; echo on", wall_s=20)),
        ):
            cluster.set("drop", f"{status} {seconds}")
            with pytest.raises(SessionEnded, match="broke|did not begin"):
                use()
        assert session.run_in_shell("echo on", wall_s=20).output == b"on\n"
    finally:
        box.close()


@with_bubblewrap
def test_a_pod_is_described_and_what_it_lacks_is_said(cluster):
    box = started(cluster.box(environment={"GIVEN": "yes"}, files={"/data/a.txt": "one\n"}, context="c", namespace="n"))
    try:
        (name,) = cluster.pods()
        spec = json.loads((cluster.folder / "pods" / name).read_text())["manifest"]["spec"]
        assert spec["activeDeadlineSeconds"] == 3660 and spec["automountServiceAccountToken"] is False
        assert spec["containers"][0]["resources"]["limits"]["memory"] == "2048Mi"
        assert box.describe()["image_digest"].startswith("sha256:") and box.describe()["network"] == "none"
        assert box.session.run(["sh", "-c", "echo $GIVEN; cat /data/a.txt"], wall_s=20).output == b"yes\none\n"
        with pytest.raises(AgentError, match="no outside agents"):
            box.share(["/x"], 1)
        box.session.user = "nobody"
        with pytest.raises(SessionRefused, match="the user 'nobody'"):
            box.session.run(["true"], wall_s=5)
    finally:
        box.close()


@with_bubblewrap
def test_a_cluster_that_enforces_no_policies_is_refused(cluster, monkeypatch):
    import socket

    monkeypatch.setattr(cluster.module, "_POLICY_S", 0.2)
    cluster.set("open")
    with socket.create_server(("127.0.0.1", 0)) as server:
        cluster.set("port", str(server.getsockname()[1]))
        with pytest.raises(InfrastructureFailure, match="this cluster enforces no network policies"):
            started(cluster.box())
        assert cluster.pods() == []
        box = started(cluster.box(network=True))
        assert box.describe()["network"] == "full"
        box.close()


@with_bubblewrap
def test_what_a_cluster_refuses_is_said(cluster, monkeypatch):
    with pytest.raises(InfrastructureFailure, match="Pending: ImagePullBackOff: Back-off pulling image"):
        started(cluster.box("missing"))
    cluster.set("denied", "create pods --subresource=exec")
    cluster.module._prepare.cache_clear()
    with pytest.raises(InfrastructureFailure, match="does not let you create pods/exec"):
        started(cluster.box())
    assert cluster.pods() == []
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ConfigError, match="kubectl is not installed"):
        cluster.module.KubernetesBox.check_machine()


@with_bubblewrap
def test_pods_of_a_killed_command_are_deleted_and_others_are_not(cluster):
    mine = started(cluster.box())
    (kept,) = cluster.pods()
    path = cluster.folder / "pods" / kept
    pod = json.loads(path.read_text())
    notes = pod["manifest"]["metadata"]["annotations"]
    dead = {**pod, "pid": None}
    dead["manifest"] = json.loads(json.dumps(pod["manifest"]))
    dead["manifest"]["metadata"]["name"] = "helm-dead"
    dead["manifest"]["metadata"]["annotations"] = {name: f"{owner}1" for name, owner in notes.items()}
    (path.parent / "helm-dead").write_text(json.dumps(dead))
    cluster.module._prepare.cache_clear()
    other = started(cluster.box())
    assert "helm-dead" not in cluster.pods() and kept in cluster.pods() and len(cluster.pods()) == 2
    for box in (mine, other):
        box.close()


class Forgetful(BubblewrapBox):
    """Its sessions do what a careless author's might."""

    def open_session(self, limits):
        session = super().open_session(limits)
        session.__class__ = self.kind
        return session


def broken(**methods):
    kind = type("Broken", (SandboxSession,), methods)
    return Subject(type("Box", (Forgetful,), {"kind": kind}))


def _run_as_answer(self, argv, **options):
    try:
        return SandboxSession.run(self, argv, **options)
    except SessionEnded:
        return None


def _timeout_as_end(self, argv, **options):
    found = SandboxSession.run(self, argv, **options)
    return replace(found, status="ok", returncode=found.returncode or 0)


def _run_by_shell_string(self, argv, **options):
    return SandboxSession.run(self, ["sh", "-c", " ".join(argv)], **options)


def _text_only(self, path, max_bytes=1 << 20):
    return SandboxSession.read(self, path, max_bytes).decode("utf-8", "replace").encode()


def _no_refusal(self, path, max_bytes=1 << 20):
    try:
        return SandboxSession.read(self, path, max_bytes)
    except SessionRefused:
        return b""


BREACHES = {
    "an ended sandbox is no answer": broken(run=_run_as_answer),
    "ends what takes too long": broken(run=_timeout_as_end),
    "passes arguments unchanged": broken(run=_run_by_shell_string),
    "moves files": broken(read=_text_only),
    "refuses what is not possible": broken(read=_no_refusal),
    "stops everything": broken(stop_all=lambda self: None),
    "is interrupted from another thread": broken(interrupt=lambda self: None),
    "lists and empties folders": broken(empty=lambda self, path: None),
    "cuts long output": broken(
        run=lambda self, argv, **o: SandboxSession.run(self, argv, **{**o, "output_bytes": 1 << 22})
    ),
    "gives input": broken(run=lambda self, argv, **o: SandboxSession.run(self, argv, **{**o, "stdin": b""})),
    "leaves nothing": Subject(type("Box", (BubblewrapBox,), {"close": lambda self: None})),
    "keeps keys out": Subject(lambda: BubblewrapBox(environment={"K": os.environ["OPENAI_API_KEY"]})),
    "reaches no network unless it says so": Subject(
        type("Box", (BubblewrapBox,), {"describe": lambda self: {"name": "x"}})
    ),
    "closes without a start": Subject(type("Box", (BubblewrapBox,), {"close": lambda self: self._session.close()})),
}


WAITING = ("is interrupted from another thread", "leaves nothing")


@with_bubblewrap
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in WAITING else ()) for name in BREACHES]
)
def test_what_breaks_the_contract_is_found(name):
    subject = BREACHES[name]
    (rule,) = (rule for rule in rules_for(subject) if rule.name == name)
    made = []
    with pytest.raises((ContractBroken, AttributeError)):
        rule.check(replace(subject, make=lambda: made.append(subject.make()) or made[-1]))
    for box in made:
        BubblewrapBox.close(box)


def test_episodes_that_share_data_are_found():
    class Shared(Environment):
        count = 0

        def start(self, limits):
            Shared.count += 1

        def state(self):
            return Shared.count

    (finding,) = (one for one in check_environment(Subject(Shared)) if one.problem is not None)
    assert finding.rule.name == "is fresh for each episode" and "expected 4, not 5" in finding.problem


def helm_agent(*words, cwd=ROOT):
    return subprocess.run(
        [sys.executable, "-m", "helm.benchmark.commands.agent_episodes", "check-environment", *words],
        capture_output=True, text=True, cwd=cwd, timeout=120, check=False,
    )  # fmt: skip


def test_the_command_holds_a_class_to_the_contract(tmp_path):
    (tmp_path / "shelves.py").write_text(
        "from helm.agents.environments.environment import Environment\n\n\n"
        "class Shelf(Environment):\n    size = 0\n\n    def __init__(self, grows=False):\n        self.grows = grows\n\n"
        "    def start(self, limits):\n        Shelf.size += self.grows\n\n    def state(self):\n        return Shelf.size\n"
    )
    plugin = ["--plugins", str(tmp_path / "shelves.py")]
    good = helm_agent("shelves.Shelf", *plugin, cwd=tmp_path)
    assert good.returncode == 0 and "4 of 4 rules are kept." in good.stdout, good.stdout + good.stderr
    bad = helm_agent("shelves.Shelf:grows=1", *plugin, cwd=tmp_path)
    assert bad.returncode == 3 and "BROKEN  is fresh for each episode" in bad.stdout and "3 of 4" in bad.stdout
    for words, message in (
        ("shelves.Shelf:size=1", "cannot be made"),
        ("shelves.Cupboard", "names no class"),
        ("os.system:command=id", "is no class of environments"),
    ):
        wrong = helm_agent(words, *plugin, cwd=tmp_path)
        assert wrong.returncode == 1 and message in wrong.stderr + wrong.stdout, wrong.stderr
