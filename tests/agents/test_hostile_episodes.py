"""What an agent tries from inside its episode: one run of the command, in which each task is one attempt."""

import json
import os
import re
import socket
import subprocess
import sys
import threading

import pytest

pytest.importorskip("jinja2")

from agent_support import ToolCallServer, function_call  # noqa: E402
from helm.common.sandbox.session import is_available  # noqa: E402
from viewer_support import check_inert, html_of, viewer  # noqa: E402

pytestmark = pytest.mark.skipif(not is_available(), reason="there is no bubblewrap")

SECRET = "s3cret-of-the-host"
HTML = "</pre><script>alert(1)</script><img src=x onerror=alert(2)>"
REACH = """\
python3 - <<'END'
import os, socket
for place in (("127.0.0.1", {port}), ("10.0.0.1", 80), ("1.1.1.1", 53), ("169.254.169.254", 80), ("localhost", {port})):
    try:
        socket.create_connection(place, 2)
        print("reached", place)
    except OSError:
        print("closed")
try:
    print("reached", socket.getaddrinfo("example.org", 80))
except OSError:
    print("closed")
with open("/proc/net/dev") as file:
    print([line.split(":")[0].strip() for line in file if ":" in line])
END
"""
ATTEMPTS = {
    "network": [("bash", {"command": REACH})],
    "files of the host": [
        ("bash", {"command": "cat {secret} /etc/shadow /root/.bashrc /proc/1/root{secret}; ls -A {folder}"}),
        ("view", {"path": "{secret}"}),
    ],
    "keys in the environment": [
        ("bash", {"command": "env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; echo over"}),
    ],
    "fork bomb": [
        ("bash", {"command": "bomb() { bomb | bomb & }; bomb; sleep 1"}),
        ("bash", {"command": "echo alive", "restart": True}),
    ],
    "disk": [
        ("bash", {"command": "cd /app; for n in 1 2; do head -c 50000000 /dev/zero > $n; done; stat -c %s 2; rm 1 2"}),
        ("bash", {"command": "head -c 900000000 /dev/zero > /usr/big; echo x > /etc/passwd; echo over"}),
    ],
    "output flood": [("bash", {"command": "echo begin; head -c 60000000 /dev/zero | tr '\\0' x; echo end"})],
    "terminal escapes": [("bash", {"command": "printf '\\033]0;pwned\\007\\033[2J\\033[31mred\\033[0m\\r\\x1b[1A'"})],
    "symlinks": [
        (
            "bash",
            {
                "command": "mkdir -p /logs/artifacts; ln -s {secret} /logs/artifacts/a; ln -s /etc /logs/artifacts/b; "
                "ln -s ../../../../../etc/hostname '/logs/artifacts/..c'; echo mine > '/logs/artifacts/.. d'; ln -s {secret} l"
            },
        ),
        ("view", {"path": "/app/l"}),
    ],
    "the viewer": [
        ("bash", {"command": f"printf '%s\\n' '{HTML}'; mkdir -p /logs/artifacts; touch '/logs/artifacts/<img src=x>'"}),
    ],
}  # fmt: skip
"""The calls of each attempt."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The results by attempt, the folder of the run, what the command printed, and the connections that reached this machine."""
    folder = tmp_path_factory.mktemp("hostile")
    secret = folder / "secret"
    secret.write_text(SECRET)
    listener = socket.create_server(("127.0.0.1", 0))
    reached = []

    def accept():
        while True:
            try:
                reached.append(listener.accept())
            except OSError:
                return

    threading.Thread(target=accept, daemon=True).start()
    words = {"{port}": str(listener.getsockname()[1]), "{secret}": str(secret), "{folder}": str(folder)}
    for number, name in enumerate(ATTEMPTS):
        files = {
            "task.toml": 'artifacts = ["l"]\n[environment]\nmemory_mb = 512\nstorage_mb = 64\n',
            "instruction.md": f"Attempt {number}: {name}",
            "environment/Dockerfile": "FROM scratch\nWORKDIR /app\n",
            "tests/test.sh": "#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n",
        }
        for path, text in files.items():
            target = folder / "tasks" / f"t{number}" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)

    def filled(value):
        for word, text in words.items():
            value = value.replace(word, text) if isinstance(value, str) else value
        return value

    def answer(body):
        asked = next(m["content"] for m in body["messages"] if m["role"] == "user")
        calls = ATTEMPTS[asked.partition(": ")[2]]
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        if turn < len(calls):
            name, arguments = calls[turn]
            given = {key: filled(value) for key, value in arguments.items()}
            return {"tool_calls": [function_call(name, given)]}
        return {"tool_calls": [function_call("submit", {"answer": "over"})]}

    server = ToolCallServer(answer)
    environment = {
        **os.environ, "OPENAI_API_KEY": SECRET, "HELM_TEST_SECRET": SECRET, "AWS_SECRET_ACCESS_KEY": SECRET
    }  # fmt: skip
    command = [
        sys.executable, "-m", "helm.benchmark.run", "--suite", "s", "-m", "99", "--no-probe", "-n", "2", "--progress", "lines",
        "-r", f"terminal_tasks:path=tasks,seconds=60,model={server.url}#m",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=300, check=False)
    server.close()
    listener.close()
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-3000:]
    (path,) = (folder / "benchmark_output" / "runs" / "s").glob("terminal_tasks*")
    states = json.loads((path / "scenario_state.json").read_text())["request_states"]
    results = {state["instance"]["input"]["text"].partition(": ")[2]: state["result"] for state in states}
    return results, path, done.stdout + done.stderr, reached


def told(result):
    """The results of the attempt's calls; the last one is that of `submit`."""
    return [event for event in result["events"] if event["kind"] == "tool_result"][:-1]


def check_network(result):
    *lines, interfaces = told(result)[0]["content"].strip().splitlines()
    assert lines == ["closed"] * 6 and interfaces == "['lo']"


def check_host_files(result):
    text, viewed = (event["content"] for event in told(result))
    assert text.count("No such file or directory") + text.count("Permission denied") == 5, text
    assert "No such file" in viewed


def check_keys(result):
    content = told(result)[0]["content"]
    assert content.strip().endswith("over") and "HOME=/home/agent" in content
    assert not re.search(r"API_KEY|SECRET|benchmark_output", content)


def check_fork_bomb(result):
    assert told(result)[-1]["content"] == "alive\n"


def check_disk(result):
    full, other = (event["content"] for event in told(result))
    size = int(next(line for line in full.splitlines() if line.isdigit()))
    assert "No space left on device" in full and size <= (64 << 20) - 50_000_000
    assert other.count("Read-only file system") + other.count("Permission denied") == 2 and "over" in other


def check_flood(result):
    (event,) = told(result)
    assert len(event["content"]) < 20_000 and event["cut_bytes"] > 0
    assert event["content"].startswith("begin\n") and event["content"].endswith("end\n")


def check_escapes(result):
    assert "pwned" in told(result)[0]["content"]  # the transcript has what was printed; who shows it makes it inert


def check_symlinks(result):
    assert told(result)[-1]["is_error"]
    assert [item["path"] for item in result["artifacts"]] == ["/logs/artifacts/.. d"]


def check_viewer(result):
    assert told(result)[0]["content"] == HTML + "\n" and [item["path"] for item in result["artifacts"]] == [
        "/logs/artifacts/<img src=x>"
    ]


CHECKS = {
    "network": check_network, "files of the host": check_host_files, "keys in the environment": check_keys,
    "fork bomb": check_fork_bomb, "disk": check_disk, "output flood": check_flood, "terminal escapes": check_escapes,
    "symlinks": check_symlinks, "the viewer": check_viewer,
}  # fmt: skip


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_an_attempt_has_no_effect_and_its_episode_is_scored(run, attempt):
    result = run[0][attempt]
    assert (result["success"], result["outcome"], result["reward"]) == (True, "submitted", 1.0), result["error"]
    CHECKS[attempt](result)
    assert SECRET not in json.dumps(result)


def test_nothing_of_them_is_left_outside(run):
    """No secret in any file or line, no control character on the terminal, no connection, and pages that do nothing."""
    _, path, printed, reached = run
    assert not reached and b"\x1b]" not in printed and b"\x1b[2J" not in printed and SECRET.encode() not in printed
    kept = [file for file in path.rglob("*") if file.is_file()]
    assert kept and not any(SECRET.encode() in file.read_bytes() for file in kept)
    assert not any(file.is_symlink() for file in path.rglob("*"))
    with viewer(path.parents[2]) as shown:
        (entry,) = shown.entries()
        for number in range(len(ATTEMPTS)):
            page = html_of(shown, f"/instance/{entry}?id=t{number}")
            check_inert(page)
            assert "alert(1)" not in page or "&lt;script&gt;alert(1)" in page
