"""A stand-in for kubectl and a cluster: pods are sandboxes of bubblewrap on this machine, described by files in a folder.

It knows what an environment asks for: `version`, `auth can-i`, `apply`, `create`, `get`, `exec` and `delete`. Files in the folder
change the cluster: `denied` holds what is not allowed, `open` makes it ignore network policies, `port` is that of its server, and
`drop` breaks the connection of the next command, with a status and seconds in it.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time

HOME = os.environ["KUBECTL_STAND_IN"]
PODS = os.path.join(HOME, "pods")
IS_ROOT = os.geteuid() == 0


def fail(words, status=1):
    print(words, file=sys.stderr)
    sys.exit(status)


def told(name):
    try:
        with open(os.path.join(HOME, name)) as file:
            return file.read()
    except FileNotFoundError:
        return None


def path_of(name):
    return os.path.join(PODS, name.removeprefix("pod/"))


def read_pod(name):
    try:
        with open(path_of(name)) as file:
            return json.load(file)
    except FileNotFoundError:
        fail(f'Error from server (NotFound): pods "{name.removeprefix("pod/")}" not found')


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def shown(pod):
    main = {"name": "main", "imageID": f"sha256:{'0' * 64}", "ready": False}
    if pod["pid"] is None:
        main["state"] = {"waiting": {"reason": "ImagePullBackOff", "message": "Back-off pulling image"}}
        status = {"phase": "Pending"}
    elif is_alive(pod["pid"]):
        main |= {"state": {"running": {}}, "ready": True}
        status = {"phase": "Running"}
    else:
        main["state"] = {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}
        status = {"phase": "Failed"}
    return {**pod["manifest"], "status": {**status, "containerStatuses": [main]}}


def create():
    manifest = json.load(sys.stdin)
    if manifest["kind"] == "NetworkPolicy":
        with open(os.path.join(HOME, "policy"), "w") as file:
            json.dump(manifest["spec"], file)
        return
    container = manifest["spec"]["containers"][0]
    pid = None
    if container["image"] != "missing":
        policy = json.loads(told("policy") or "null")
        labels = policy["podSelector"]["matchLabels"].items() if policy else ()
        is_cut = policy and labels <= manifest["metadata"]["labels"].items() and told("open") is None
        reader, writer = os.pipe()
        words = ["bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--as-pid-1", "--clearenv"]
        words += [
            "--info-fd",
            str(writer),
            *([] if IS_ROOT else ["--unshare-user"]),
            *(["--unshare-net"] if is_cut else []),
        ]
        words += ["--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev", "--dir", "/tmp"]
        for name in ("bin", "lib", "lib64"):
            words += ["--symlink", f"usr/{name}", f"/{name}"]
        null = subprocess.DEVNULL
        subprocess.Popen(
            [*words, *container["command"]],
            stdin=null,
            stdout=null,
            stderr=null,
            pass_fds=[writer],
            start_new_session=True,
        )
        os.close(writer)
        with os.fdopen(reader) as file:
            pid = json.load(file)["child-pid"]
    with open(path_of(manifest["metadata"]["name"]), "w") as file:
        json.dump({"manifest": manifest, "pid": pid}, file)


def enter(pid):
    """Join the namespaces of a process. Only what is started then is in those of its processes."""
    names = [*([] if IS_ROOT else ["user"]), "ipc", "uts", "net", "pid", "mnt"]
    spaces = [os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in names]
    join = ctypes.CDLL(None, use_errno=True).setns
    for space in spaces:
        if join(space, 0):
            fail(f"error: unable to upgrade connection: {os.strerror(ctypes.get_errno())}")
    os.chdir("/")


def execute(name, argv):
    pod = read_pod(name)
    if not is_alive(pod["pid"]):
        fail("error: cannot exec into a container in a completed pod; current phase is Failed")
    variables = {
        "PATH": "/usr/bin:/bin", "KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": told("port") or "1",
    }  # fmt: skip
    drop = told("drop")
    if drop is not None:
        os.unlink(os.path.join(HOME, "drop"))
    enter(pod["pid"])
    process = subprocess.Popen(argv, env=variables)
    if drop is not None:
        status, seconds = drop.split()
        time.sleep(float(seconds))
        process.kill()  # so that nothing more comes through its pipes, which a real client would have closed
        os._exit(int(status))
    status = process.wait()
    status = 128 - status if status < 0 else status
    if status:
        fail(f"command terminated with exit code {status}", status)


def delete(name):
    pod = read_pod(name)
    if pod["pid"] is not None and is_alive(pod["pid"]):
        os.kill(pod["pid"], signal.SIGKILL)
        while is_alive(pod["pid"]):
            time.sleep(0.01)
    os.unlink(path_of(name))


def main(words):
    words = [word for word in words if not word.startswith(("--context=", "--namespace="))]
    os.makedirs(PODS, exist_ok=True)
    if words[0] == "version":
        print("Client Version: v1.33.0")
    elif words[:2] == ["auth", "can-i"]:
        is_denied = " ".join(words[2:]) in (told("denied") or "").splitlines()
        print("no" if is_denied else "yes")
        sys.exit(is_denied)
    elif words[0] in ("apply", "create"):
        create()
    elif words[:2] == ["get", "pods"]:
        print(json.dumps({"items": [shown(read_pod(name)) for name in os.listdir(PODS)]}))
    elif words[0] == "get":
        print(json.dumps(shown(read_pod(words[1]))))
    elif words[0] == "exec":
        place = words.index("--")
        execute(next(word for word in words[1:place] if not word.startswith("-")), words[place + 1 :])
    elif words[0] == "delete":
        delete(words[1])
    else:
        fail(f"error: unknown command {words[0]!r}")


main(sys.argv[1:])
