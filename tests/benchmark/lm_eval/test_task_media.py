"""Pictures and sounds of tasks, from columns and from task code, to a server on loopback and into scores."""

import base64
import io
import json
import wave
from textwrap import dedent

import pytest

from helm.benchmark.declarative.lm_eval_task import LMEvalTaskError
from helm.benchmark.lm_eval.run_spec import make_file_run_spec
from helm.benchmark.lm_eval.worker.failures import TaskFailure
from helm.benchmark.lm_eval.worker.media import as_sent, without_media
from helm.benchmark.run import main
from helm.common.formats.png import write_png
from scripted_chat_server import ScriptedChatServer

pytest.importorskip("jinja2")
pyarrow = pytest.importorskip("pyarrow")

RED, BLUE = write_png([[(255, 0, 0)] * 4] * 4), write_png([[(0, 0, 255)] * 4] * 4)

TASK = """
    task: colours
    dataset_path: parquet
    dataset_kwargs: {data_files: {test: rows.parquet}}
    test_split: test
    output_type: generate_until
    doc_to_text: "{{question}}"
    doc_to_target: answer
    generation_kwargs: {until: ["\\n"], max_gen_toks: 8}
    metric_list: [{metric: exact_match, aggregation: mean}]
    """


class SeeingServer(ScriptedChatServer):
    """Says which colour the last picture has, or how many sounds it hears."""

    def answer(self, body):
        self.bodies.append(body)
        parts = body["messages"][-1]["content"]
        if isinstance(
            parts, str
        ):  # before a run with media, a question without any shows that the model does not guess
            parts = [{"type": "text", "text": parts}]
        pictures = [
            base64.b64decode(p["image_url"]["url"].partition(",")[2]) for p in parts if p["type"] == "image_url"
        ]
        sounds = [p for p in parts if p["type"] == "input_audio"]
        said = {RED: "red", BLUE: "blue"}.get(pictures[-1], "grey") if pictures else f"{len(sounds)} sound"
        message = {"role": "assistant", "content": said}
        return {"id": "x", "object": "chat.completion", "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}  # fmt: skip


@pytest.fixture
def server(tmp_path, monkeypatch):
    server = SeeingServer({})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    yield server
    server.close()


def write(folder, further, rows, code=None):
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "rows.parquet")
    (folder / "task.yaml").write_text(dedent(TASK) + dedent(further), encoding="utf-8")
    if code:
        (folder / "utils.py").write_text(dedent(code), encoding="utf-8")


def run(folder, *flags):
    main(["-r", "lm_eval:path=task.yaml,model=openai-compat/m", "-m", "10", "--suite", "s", "--disable-cache", *flags])
    (run,) = (folder / "benchmark_output" / "runs" / "s").glob("lm_eval*")
    stats = {one["name"]["name"]: one.get("mean") for one in json.loads((run / "stats.json").read_text())}
    return stats, json.loads((run / "scenario_state.json").read_text())["request_states"]


def content(data, path="a.png"):
    return {"bytes": data, "path": path}


def kinds(body):
    if isinstance(body["messages"][-1]["content"], str):
        return []
    return [part["text"] if part["type"] == "text" else part["type"] for part in body["messages"][-1]["content"]]


def test_pictures_of_columns_stand_at_their_places(server, tmp_path):
    rows = [
        {"question": "Left <image> and right <image>?", "one": content(BLUE), "two": content(RED), "answer": "red"},
        {"question": "Which?", "one": content(BLUE), "two": None, "answer": "red"},
    ]
    write(tmp_path, "doc_to_image: [one, two]\n", rows)
    stats, states = run(tmp_path)
    assert stats["exact_match"] == 0.5 and stats["no_completion"] == 0
    asked = sorted(kinds(body) for body in server.bodies)
    assert [one for one in asked if "Which?" in one or "Left " in one][::-1] == [
        ["image_url", "Which?"],
        ["Left ", "image_url", " and right ", "image_url", "?"],
    ]
    documents = [state["instance"]["extra_data"]["doc"] for state in states]
    assert [doc["one"] for doc in documents] == [None, None] or [doc["one"]["bytes"] for doc in documents] == [
        None,
        None,
    ]


CODE = """
def look(doc):
    assert doc["one"].size == (4, 4)
    return [doc["one"].convert("L").resize((2, 2))] if doc["changes"] else [doc["one"]]
"""


@pytest.mark.sandbox
def test_task_code_sees_pictures_and_may_change_them(server, tmp_path, capsys):
    pytest.importorskip("PIL")
    rows = [
        {"question": "Which?", "one": content(RED), "changes": False, "answer": "red"},
        {"question": "Which one?", "one": content(RED), "changes": True, "answer": "grey"},
    ]
    write(tmp_path, "doc_to_image: !function utils.look\n", rows, CODE)
    with pytest.raises(SystemExit):
        run(tmp_path)
    digest = next(word for word in capsys.readouterr().err.split() if word.startswith("sha256:"))
    stats, _ = run(tmp_path, "--trust-task-code", digest)
    assert stats["exact_match"] == 1.0


def test_sounds_are_sent(server, tmp_path):
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(b"\0\0" * 80)
    rows = [
        {"question": "What do you hear? <audio>", "sound": content(written.getvalue(), "a.wav"), "answer": "1 sound"}
    ]
    write(tmp_path, "doc_to_audio: sound\n", rows)
    stats, _ = run(tmp_path)
    assert stats["exact_match"] == 1.0
    assert kinds(server.bodies[-1]) == ["What do you hear? ", "input_audio"]
    sent = server.bodies[-1]["messages"][-1]["content"][1]["input_audio"]
    assert base64.b64decode(sent["data"]) == written.getvalue()


def test_samples_become_a_wave_file():
    (sent,) = as_sent({"array": [0.0, 1.0, -1.0], "sampling_rate": 8000, "path": None}, "audio")
    with wave.open(io.BytesIO(base64.b64decode(sent["content"]))) as file:
        assert (file.getframerate(), file.getnframes()) == (8000, 3)
        assert file.readframes(3) == b"\x00\x00\xff\x7f\x01\x80"


@pytest.mark.parametrize("value", [7, "https://example.org/a.png", {"bytes": None, "path": "a.png"}, {"array": [0.0]}])
def test_what_cannot_be_sent_is_named(value):
    with pytest.raises(TaskFailure, match="is no image that can be sent"):
        as_sent(value, "image")


def test_data_urls_and_bytes():
    url = "data:image/png;base64," + base64.b64encode(RED).decode()
    assert as_sent([url, RED, None, content(RED)], "image") == as_sent([RED] * 3, "image")
    assert without_media({"a": [content(RED)], "b": (1,)}) == {"a": [content(None)], "b": [1]}


@pytest.mark.parametrize(
    "further, shots, message",
    [
        (
            "doc_to_image: [one]\ndoc_to_choice: [a, b]\noutput_type: multiple_choice\n",
            None,
            "doc_to_image: no endpoint gives",
        ),
        ("doc_to_image: [one]\n", 2, "examples with pictures or sounds cannot be shown"),
        ("doc_to_image: 7\n", None, "doc_to_image: a text or a list is expected"),
    ],
)
def test_what_is_not_possible_is_refused_with_its_key(tmp_path, further, shots, message):
    text = dedent(TASK).replace("output_type: generate_until\n", "") if "output_type" in further else dedent(TASK)
    (tmp_path / "rows.parquet").touch()
    (tmp_path / "task.yaml").write_text(text + further, encoding="utf-8")
    with pytest.raises(LMEvalTaskError, match=message):
        make_file_run_spec(str(tmp_path / "task.yaml"), num_fewshot=shots)


def test_an_unknown_column_is_named(server, tmp_path):
    write(tmp_path, "doc_to_image: [photo]\n", [{"question": "?", "one": content(RED), "answer": "red"}])
    with pytest.raises(SystemExit):
        run(tmp_path)
