"""An environment for agents in pods of Kubernetes: what a plugin for another place looks like."""

import json
import re
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from helm.agents.environments.box import Box
from helm.agents.errors import AgentError
from helm.common.agent_request import EpisodeLimits
from helm.common.errors import ConfigError
from helm.common.sandbox.container_engine import OWNER_LABEL, describe_owner, is_dead
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.dialing import reaches
from helm.common.sandbox.exec_session import REAPER, ExecSession
from helm.common.sandbox.session_contract import Session, SessionEnded, SessionRefused

LABEL = "helm-episode"
"""All pods of this module have this label."""

_POLICY = "helm-no-network"
_NETWORK_LABEL = "helm-network"
_SPARE_S = 3600
_CONTROL_S = 60.0
_LOOK_EVERY_S = 0.5
_POLICY_S = 10.0
"""How long a cluster may take until its policy holds for a new pod."""

_HOPELESS = ("ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "CreateContainerConfigError")
_ENDED = re.compile(r"command terminated with exit code (\d+)\s*$")
_NEEDED = (("create", "pods", ""), ("get", "pods", ""), ("delete", "pods", ""), ("create", "pods", "exec"))

_SERVER = 'echo "$KUBERNETES_SERVICE_HOST $KUBERNETES_SERVICE_PORT"'
"""Prints the address of the cluster's own server, which every pod is told."""


class KubectlError(SandboxError):
    """A command of kubectl failed."""


class Kubectl:
    """The program `kubectl`, with the user's own configuration.

    Args:
        context: of that configuration; None takes the current one.
        namespace: where pods are made; None takes the context's.
    Raises: SandboxError if it is not installed.
    """

    def __init__(self, context: str | None, namespace: str | None):
        program = shutil.which("kubectl")
        if program is None:
            raise SandboxError(
                "kubectl is not installed (apt-get install kubernetes-client, or see kubernetes.io/docs)."
            )
        self.words = [program, *([f"--context={context}"] if context else [])]
        self.words += [f"--namespace={namespace}"] if namespace else []

    def call(self, *words: str, data: bytes = b"", wall_s: float = _CONTROL_S) -> bytes:
        """Run a command, and return what it printed. Raises: KubectlError."""
        try:
            done = subprocess.run([*self.words, *words], input=data, capture_output=True, timeout=wall_s, check=False)
        except subprocess.TimeoutExpired as e:
            raise KubectlError(f"kubectl {words[0]} did not end within {wall_s:g} s.") from e
        except OSError as e:
            raise KubectlError(f"kubectl cannot be started: {e.strerror or e}.") from e
        if done.returncode:
            said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()[-1000:]
            raise KubectlError(f"kubectl {words[0]} failed: {said}")
        return done.stdout

    def make(self, manifest: Mapping[str, Any], verb: str = "create") -> None:
        """Give the cluster an object. Raises: KubectlError."""
        self.call(verb, "--filename=-", data=json.dumps(manifest).encode())

    def pod(self, name: str) -> dict[str, Any]:
        """Return what the cluster knows about a pod. Raises: KubectlError."""
        found: dict[str, Any] = json.loads(self.call("get", f"pod/{name}", "--output=json"))
        return found


class KubernetesBox(Box):
    """A pod that lives as long as the episode, with a shell that keeps its state, and tools for files.

    It has no network unless that is asked for, no account of the cluster, and its memory, processors and disk are bounded; how
    many processes it may have is the cluster's setting. All commands have the user of the image. Outside agents cannot run in
    it, since nothing on this machine is visible from a pod. The pod ends by itself some time after the episode's limit, also
    when this machine is gone.

    Args:
        image: the name of an image that the cluster can fetch or has. It needs `sh`, `base64`, `find`, `head` and `stat`.
        files: maps absolute paths to texts.
        workdir: where commands start. Default: the image's.
        environment: variables of all commands.
        memory_mb: memory in MiB.
        cpus: number of processors.
        storage_mb: size of all files that it writes, in MiB.
        network: whether it reaches the network.
        context: of kubectl's configuration. Default: the current one.
        namespace: where pods are made. Default: the context's.
        start_seconds: longest time until the pod is ready, which includes fetching the image.
    """

    name = "kubernetes"

    def __init__(
        self,
        image: str,
        files: Mapping[str, str] | None = None,
        workdir: str | None = None,
        environment: Mapping[str, str] | None = None,
        memory_mb: int = 2048,
        cpus: float = 1.0,
        storage_mb: int = 4096,
        network: bool = False,
        context: str | None = None,
        namespace: str | None = None,
        start_seconds: float = 600.0,
    ):
        super().__init__(files, workdir or "/")
        self._image, self._given_workdir, self._environment = image, workdir, dict(environment or {})
        self._memory_mb, self._cpus, self._storage_mb, self._network = memory_mb, cpus, storage_mb, network
        self._context, self._namespace, self._start_seconds = context, namespace, start_seconds
        self._pod: PodSession | None = None

    @classmethod
    def check_machine(cls) -> None:
        try:
            Kubectl(None, None).call("version", "--client")
        except SandboxError as e:
            raise ConfigError(f"These tasks need a cluster of Kubernetes: {e}") from e

    @property
    def memory_mb(self) -> int | None:
        return self._memory_mb

    def open_session(self, limits: EpisodeLimits) -> Session:
        kubectl = Kubectl(self._context, self._namespace)
        _prepare(self._context, self._namespace)
        if not self._network:
            kubectl.make(_no_network(), "apply")
        manifest = self.manifest(int(limits.seconds) + _SPARE_S)
        self._pod = PodSession(kubectl, manifest, self._given_workdir, self._environment, self._start_seconds)
        self.workdir = self._pod.workdir
        if not self._network:
            try:
                _check_network(self._pod)
            except SandboxError:
                self._pod.close()
                raise
        return self._pod

    def manifest(self, seconds: int) -> dict[str, Any]:
        """Return the description of the pod. `seconds`: how long it may live."""
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": f"helm-{secrets.token_hex(8)}",
                "labels": {LABEL: "true", _NETWORK_LABEL: "full" if self._network else "none"},
                "annotations": {OWNER_LABEL: describe_owner()},
            },
            "spec": {
                "restartPolicy": "Never",
                "activeDeadlineSeconds": seconds,
                "terminationGracePeriodSeconds": 0,
                "automountServiceAccountToken": False,
                "enableServiceLinks": False,
                "containers": [{
                    "name": "main",
                    "image": self._image,
                    "imagePullPolicy": "IfNotPresent",
                    "command": ["sh", "-c", REAPER],
                    "resources": {"limits": {
                        "memory": f"{self._memory_mb}Mi", "cpu": f"{self._cpus:g}",
                        "ephemeral-storage": f"{self._storage_mb}Mi",
                    }},
                    "securityContext": {
                        "allowPrivilegeEscalation": False,
                        "capabilities": {"drop": ["NET_RAW", "MKNOD", "AUDIT_WRITE"]},
                        "seccompProfile": {"type": "RuntimeDefault"},
                    },
                }],
            },
        }  # fmt: skip

    def share(self, paths: Sequence[str], memory_mb: int) -> None:
        raise AgentError("A pod sees no folders of this machine, so no outside agents can run in KubernetesBox.")

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name, "sandbox": "kubernetes", "image": self._image,
            "image_digest": self._pod.image_id if self._pod is not None else None,
            "memory_mb": self._memory_mb, "cpus": self._cpus, "storage_mb": self._storage_mb,
            "network": "full" if self._network else "none",
        }  # fmt: skip


class PodSession(ExecSession):
    """A pod in which commands run by `kubectl exec`. It is deleted at the end.

    Args:
        kubectl: the client.
        manifest: of the pod.
        workdir: where commands start; None takes the image's.
        environment: variables of all commands.
        start_seconds: longest time until it is ready.
    Raises: SandboxError if it does not become ready.
    """

    def __init__(
        self,
        kubectl: Kubectl,
        manifest: Mapping[str, Any],
        workdir: str | None,
        environment: Mapping[str, str],
        start_seconds: float,
    ):
        super().__init__(workdir or ".", environment)
        self._kubectl, self._name = kubectl, str(manifest["metadata"]["name"])
        try:
            kubectl.make(manifest)
            self.image_id = self._wait_until_ready(time.monotonic() + start_seconds)
            if workdir is not None:
                self.make_folder(workdir)
            else:
                self.workdir = (
                    self.run(["sh", "-c", "pwd"], wall_s=_CONTROL_S).output.decode("utf-8", "replace").rstrip("\n")
                )
        except (SandboxError, KeyError, ValueError) as e:
            self.close()
            raise SandboxError(f"The pod {self._name} does not start: {e}") from e

    def client_words(self, argv: Sequence[str]) -> list[str]:
        return [*self._kubectl.words, "exec", "--stdin", f"pod/{self._name}", "--container=main", "--", *argv]

    def status_by_client(self, returncode: int, said: str) -> int | None:
        # Without its words, the status of kubectl says nothing: a broken connection gives 0 or 1.
        found = _ENDED.search(said)
        return int(found[1]) if found else 127 if "unable to start container process" in said else None

    def check_alive(self) -> None:
        try:
            status = self._kubectl.pod(self._name)["status"]
        except (SandboxError, KeyError, ValueError) as e:
            raise SessionEnded(f"The pod is gone, or the cluster does not answer: {e}") from e
        if status.get("phase") != "Running" or "running" not in _main_of(status).get("state", {}):
            raise SessionEnded(f"The pod has ended: {_reason(status)}")

    def release(self) -> None:
        with suppress(KubectlError):
            self._kubectl.call("delete", f"pod/{self._name}", "--ignore-not-found", "--wait=false", "--grace-period=0")

    def listen(self, port: int) -> socket.socket:
        raise SessionRefused("No port of a pod can be reached from this machine.")

    def _wait_until_ready(self, end: float) -> str:
        """Return the digest of its image."""
        while True:
            status = self._kubectl.pod(self._name).get("status", {})
            main = _main_of(status)
            if main.get("ready") and "running" in main.get("state", {}):
                return str(main.get("imageID") or "")
            waiting = main.get("state", {}).get("waiting", {})
            if status.get("phase") in ("Failed", "Succeeded") or waiting.get("reason") in _HOPELESS:
                raise SandboxError(_reason(status))
            if time.monotonic() > end:
                raise SandboxError(f"It is not ready in time: {_reason(status)}")
            time.sleep(_LOOK_EVERY_S)


def _main_of(status: Mapping[str, Any]) -> dict[str, Any]:
    return next((one for one in status.get("containerStatuses") or [] if one.get("name") == "main"), {})


def _reason(status: Mapping[str, Any]) -> str:
    """Return what the cluster says about the state of a pod, in a line."""
    found = [str(status.get(key)) for key in ("phase", "reason", "message") if status.get(key)]
    for state in _main_of(status).get("state", {}).values():
        found += [str(state[key]) for key in ("reason", "message") if state.get(key)]
    for condition in status.get("conditions") or []:
        if condition.get("status") == "False" and condition.get("message"):
            found.append(str(condition["message"]))
    return ": ".join(dict.fromkeys(found)) or "nothing is known about it"


@cache
def _prepare(context: str | None, namespace: str | None) -> None:
    """Check our rights, and delete pods that killed commands of this machine have left; once in a process."""
    kubectl = Kubectl(context, namespace)
    for verb, kind, part in _NEEDED:
        try:
            kubectl.call("auth", "can-i", verb, kind, *([f"--subresource={part}"] if part else []))
        except KubectlError as e:
            what = f"{verb} {kind}/{part}" if part else f"{verb} {kind}"
            raise SandboxError(f"The cluster does not answer, or does not let you {what}: {e}") from e
    listed = json.loads(kubectl.call("get", "pods", f"--selector={LABEL}", "--output=json"))
    for pod in listed.get("items") or []:
        if is_dead(str((pod["metadata"].get("annotations") or {}).get(OWNER_LABEL, ""))):
            with suppress(KubectlError):
                kubectl.call("delete", f"pod/{pod['metadata']['name']}", "--ignore-not-found", "--wait=false")


def _no_network() -> dict[str, Any]:
    """Return the policy that leaves pods without a network neither ways in nor out."""
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": _POLICY},
        "spec": {"podSelector": {"matchLabels": {_NETWORK_LABEL: "none"}}, "policyTypes": ["Ingress", "Egress"]},
    }


def _check_network(pod: PodSession) -> None:
    """Raise SandboxError if the pod reaches the cluster's own server: not every cluster enforces policies."""
    host, _, port = (
        pod.run(["sh", "-c", _SERVER], wall_s=_CONTROL_S).output.decode("utf-8", "replace").strip().partition(" ")
    )
    if not port.isdigit():
        return
    end = time.monotonic() + _POLICY_S
    while reaches(pod, host, int(port)):
        if time.monotonic() > end:
            raise SandboxError(
                f"The pod has a network, although the policy {_POLICY} forbids it: this cluster enforces no network policies. "
                "Use one that does, for example with Calico or Cilium, or allow a network (network: true)."
            )
        time.sleep(_LOOK_EVERY_S)
