"""Results for the tests of the viewer, and a server that shows them on loopback."""

import contextlib
import html
import http.client
import io
import json
import re
import struct
import threading
import time
import wave
import zlib
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import compare_support
from compare_support import make_ad_run, make_episode_run, write_json, zeros_and_ones
from helm.benchmark.server.viewer import Rendered, Settings, Viewer
from helm.results.index.index_folder import IndexFolder
from helm.results.index.index_worker import Indexer
from results_support import edit_json

VECTOR_RUNS = Path(__file__).parent / "vectors/helm-core/runs"

TEXTS = {
    "id0": "Where does the river begin?",
    "id1": "中国的首都是哪里",
    "id2": "Café crème brûlée",
    "id3": "x < y & z",
}
ANSWERS = {"id0": "in the mountains", "id1": "北京", "id2": None, "id3": "  ", "id4": "no idea, river or not"}


def make_run(suite: Path, scores: Any, model: str = "a/one", task: str = "task", **settings: Any) -> Path:
    """A finished run of a language model, in a group of its own scenario, as boards have a column for each group."""
    settings.setdefault("groups", (task.partition(":")[0],))
    return compare_support.make_run(suite, scores, model, task, **settings)


def make_output(folder: Path) -> Path:
    """A suite with all three kinds of subject; returns the output folder."""
    suite = folder / "runs" / "mixed"
    answers: dict[str, str | None] = dict(ANSWERS)
    make_run(suite, zeros_and_ones(6, 12), "a/one", "quiz", texts=TEXTS, answers=answers, perturbed={"id0": 0.0})
    make_run(suite, zeros_and_ones(3, 12), "b/two", "quiz", texts=TEXTS, perturbed={"id0": 0.0})
    make_run(suite, {f"id{i}": [1.0, 0.0] for i in range(5)}, "a/one", "trials")
    times = {"primal n=10": [0.001] * 8, "gradient n=10": [0.003] * 8, "gradient n=100": [0.02, 0.03, 0.021] * 3}
    make_ad_run(suite, "fast/tool", times)
    make_ad_run(
        suite, "slow/tool", {**{name: [5 * t for t in found] for name, found in times.items()}, "gradient n=100": []}
    )
    for policy, reduction in (("llvm/greedy", 1.2), ("llvm/O0", 0.5)):
        for program in ("crc32", "sha256"):
            path = make_episode_run(suite, policy, program, reduction)
            edit_json(path / "scenario_state.json", lambda state, r=reduction: add_observations(state, r))
    return folder


def add_observations(state: Any, reduction: float) -> None:
    """What LLVM is asked to observe, and the program's text."""
    result = state["request_states"][0]["result"]
    result["initial_observations"] = {"IrInstructionCount": 240, "Ir": "define i32 @before() {\n}"}
    result["observations"] = {
        "IrInstructionCount": round(120 / reduction), "IrInstructionCountOz": 120, "Ir": "define i32 @after() {\n}",
    }  # fmt: skip
    result["num_actions_tried"], result["elapsed_s"] = 40, 1.5


def write_vector_runs(suite: Path, name: str) -> None:
    """The runs of a golden vector, as HELM wrote them."""
    for run in json.loads((VECTOR_RUNS / f"{name}.json").read_text())["runs"]:
        folder = suite / run["directory"].rpartition("/")[2]
        folder.mkdir(parents=True)
        for file_name, content in run.items():
            if not file_name.endswith(".json"):
                continue
            if file_name == "scenario_state.json" and "adapter_spec" not in content:
                content = {"adapter_spec": run["run_spec.json"]["adapter_spec"], **content}
            write_json(folder / file_name, content)


@contextlib.contextmanager
def viewer(output_path: Path, **settings: Any) -> Iterator[Viewer]:
    """One that makes indexes as it goes."""
    indexer = Indexer(IndexFolder(str(output_path)), in_background=False)
    try:
        yield Viewer(indexer, Settings(waits=True, **settings))
    finally:
        indexer.close()


def show(shown: Viewer, address: str) -> Rendered:
    """The page at an address."""
    path, _, query = address.partition("?")
    return shown.respond(path, query)


def html_of(shown: Viewer, address: str) -> str:
    """The page at an address, which must be there."""
    rendered = show(shown, address)
    assert rendered.status == 200, rendered.html
    return rendered.html


def text_of(page: str) -> str:
    """What a reader sees, on one line."""
    body = re.sub(r"<(style|script|title)\b.*?</\1>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<wbr>", "", re.sub(r"<(?!wbr)[^>]*>", " ", body))))


class RunningServer:
    """A server on loopback, for requests as they come over the network."""

    def __init__(self, host: str, port: int):
        self.host, self.port = host, port

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def request(
        self, path: str, headers: Mapping[str, str] | None = None, method: str = "GET"
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers in lower case, and body; the path is sent as it is."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host=bool(headers and "Host" in headers))
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()


@contextlib.contextmanager
def serve(output_path: Path, in_background: bool = False, **options: Any) -> Iterator[RunningServer]:
    """The application behind a real server."""
    uvicorn = pytest.importorskip("uvicorn")
    pytest.importorskip("starlette")
    from helm.benchmark.server.app import create_app

    indexer = Indexer(IndexFolder(str(output_path)), in_background=in_background)
    app = create_app(Viewer(indexer), **options)
    config = uvicorn.Config(
        app, "127.0.0.1", 0, log_level="error", access_log=False, lifespan="off", server_header=False
    )
    listening = config.bind_socket()
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        end = time.monotonic() + 20
        while not server.started and time.monotonic() < end:
            time.sleep(0.01)
        assert server.started
        yield RunningServer(*listening.getsockname()[:2])
    finally:
        server.should_exit = True
        thread.join(20)
        indexer.close()


# --- pictures and sounds ------------------------------------------------------------------------------------------------


def png(grey: int = 128) -> bytes:
    """A picture of one grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes([0, grey])))
        + chunk(b"IEND", b"")
    )


def wav() -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(1600))
    return buffer.getvalue()


def put(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


# --- results that somebody wrote to do harm ----------------------------------------------------------------------------

EVIL = (
    "<script>alert('evil')</script><img src=x onerror=alert(1)>\"'><svg onload=alert(2)> javascript:alert(3) "
    "{{7*7}} \u202e\x00\x1b[31m"
)
EVIL_MARKUP = "\n\n".join([
    EVIL, f"# {EVIL}", f"**bold** *{EVIL}* `{EVIL}` ~~{EVIL}~~", f"```{EVIL}\n{EVIL}\n```", f"> {EVIL}", f"- {EVIL}\n- {EVIL}",
    f"| {EVIL} | b |\n|---|--:|\n| {EVIL} | {EVIL} |",
    "[a](javascript:alert(1)) [b](JAVASCRIPT&colon;alert(1)) [c](data:text/html,x)",
    "[d](//evil.example) [e](/instances) [f](vbscript:x) [g](https://evil.example/\"onclick=x 'a\"b') <javascript:alert(1)>",
    "![i](https://evil.example/x.png) ![j](data:image/svg+xml,x) <https://evil.example/<script>>",
    "[k]: javascript:alert(1)\n\n[k]",
    "&#x202e; &#60;script&#62; &lt;script&gt; &#0; &#27;", f"$x<\\text{{{EVIL}}}$",
    f"\\({EVIL}\\)", f"\\[\n{EVIL}\n\\]", f"$$\n{EVIL}\n$$",
    r"\(\href{javascript:alert(1)}{x}\) \(\style{position:fixed}{x}\) \(\class{top}{x}\) \(\color{red\" onclick=\"x}{y}\)",
    r"\(\text{&lt;script&gt;alert(1)&lt;/script&gt;} \unicode{x3c}script\) \(\hspace{9999em} \raise{99em}{x} \rule{99em}{99em}\)",
    r"\(\text{<img src=x onerror=alert(1)>} \mbox{</math><script>}\) \begin{matrix}<b>&</b>\end{matrix} \(\frac{\)",
    r"$$\begin{matrix}<b>&amp;lt;</b>\\ a\end{matrix}$$ \(&#x3c;script&#x3e; &lt;script>\) \(\operatorname{<a href=x>}\)",
])  # fmt: skip
"""What could become more than text where Markdown and formulas are rendered."""
KNOWN_ELEMENTS = set(
    "html head meta title link script noscript body a header nav div span form fieldset legend label select option button p "
    "main footer kbd dialog h1 h2 h3 h4 dl dt dd section table caption thead tbody tr th td input pre code details summary ul "
    "li progress svg line text g path circle rect figure figcaption mark wbr strong b aside ol img "
    "audio video ins del image em blockquote hr br s".split()
)
KNOWN_MATH = set(
    "math mrow mi mn mo mtext mpadded mfrac msqrt msup msub msubsup munder mstyle mspace mtable mtr mtd".split()
)


class Elements(HTMLParser):
    """Collects what would do something."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        if tag == "title":
            return
        if tag not in KNOWN_ELEMENTS | KNOWN_MATH or (
            tag in KNOWN_MATH and {"href", "class", "id"} & dict(attributes).keys()
        ):
            self.wrong.append(f"<{tag}>")
        for name, value in attributes:
            if name.startswith("on") or name == "style":
                self.wrong.append(f"{tag} {name}")
            if tag == "a" and name == "href" and (value or "").startswith(("http://", "https://")):
                if "nofollow" not in (dict(attributes).get("rel") or ""):
                    self.wrong.append(f"followed {value}")
            elif name in ("href", "src", "action") and not re.match(r"[/.#]|[a-z]+/|index|view\.html#", value or ""):
                self.wrong.append(f"{tag} {name}={value!r}")
        if tag in ("img", "image", "audio", "video") and not re.match(
            r"/media/|(\.\./)*media/", dict(attributes).get("src") or dict(attributes).get("href") or ""
        ):
            self.wrong.append(tag)
        source = dict(attributes).get("src") or ""
        if tag == "script" and not re.fullmatch(r"(/|(\.\./)*)static/(viewer|board|site)\.js", source):
            self.wrong.append("script")


def check_inert(page: str) -> None:
    parser = Elements()
    parser.feed(page)
    assert not parser.wrong, parser.wrong[:5]
    assert "\x00" not in page and "\x1b" not in page and "\u202e" not in page and "alert(3) 49" not in page


def nested(depth: int) -> Any:
    value: Any = "deep"
    for _ in range(depth):
        value = [value]
    return value
