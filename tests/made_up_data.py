"""Made-up data of a scenario, written down in YAML in the form of the real data, and the instances it should become.

- id: medbullets
  scenario: {class: medbullets_scenario.MedBulletsScenario, args: {...}}     # below helm.benchmark.scenarios
  web: {'https://...': content}             # what the web has
  hub: [{path: ..., config: ..., splits: {train: [rows]}}]                  # what the Hub has
  local: {data/table.csv: content}          # what the user has, in the working directory
  instances: [{split: test, input: ..., references: [[text, [tags]]], id: ..., sub_split: ..., extra_data: {...}}]

A content is a text, or a mapping with one key: json, jsonl, xlsx (rows), feather (rows), parquet (rows), zip (name ->
content), gzip (text), latin1 (text), sqlite (SQL), docx (paragraphs of `[text, colour]` pieces).
"""

import gzip
import io
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from data_server import DataServer, data_server, jsonl_bytes, parquet_bytes, repository_files, zip_bytes

SCENARIOS = "helm.benchmark.scenarios."
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def content_bytes(content: Any) -> bytes:
    if isinstance(content, str):
        return content.encode()
    [(kind, value)] = content.items()
    makers = {
        "json": lambda: json.dumps(value).encode(),
        "jsonl": lambda: jsonl_bytes(value),
        "xlsx": lambda: _excel_bytes(value),
        "feather": lambda: _feather_bytes(value),
        "parquet": lambda: parquet_bytes(value),
        "zip": lambda: zip_bytes({name: content_bytes(inner) for name, inner in value.items()}),
        "gzip": lambda: gzip.compress(value.encode(), mtime=0),
        "latin1": lambda: value.encode("latin-1"),
        "sqlite": lambda: _sqlite_bytes(value),
        "docx": lambda: _word_bytes(value),
    }
    return makers[kind]()


def _excel_bytes(rows: list[list[Any]]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _feather_bytes(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow
    import pyarrow.feather

    buffer = io.BytesIO()
    pyarrow.feather.write_feather(pyarrow.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def _sqlite_bytes(sql: str) -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.executescript(sql)
    return connection.serialize()


def _word_bytes(paragraphs: list[list[Any]]) -> bytes:
    from xml.sax.saxutils import escape

    def run(piece: Any) -> str:
        text, color = (piece, None) if isinstance(piece, str) else piece
        style = f'<w:rPr><w:color w:val="{color}"/></w:rPr>' if color else ""
        return f'<w:r>{style}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'

    body = "".join(f"<w:p>{''.join(map(run, pieces))}</w:p>" for pieces in paragraphs)
    document = f'<?xml version="1.0"?><w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
    types = (
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>'
    )
    relations = (
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    )
    files = {"[Content_Types].xml": types, "_rels/.rels": relations, "word/document.xml": document}
    return zip_bytes({name: text.encode() for name, text in files.items()})


@contextmanager
def made_up_world(case: Mapping[str, Any], tmp_path: Path, monkeypatch: Any) -> Iterator[DataServer]:
    """A working directory with the user's files, and a web and a Hub that have the case's data and nothing else."""
    with data_server() as server:
        for url, content in case.get("web", {}).items():
            server.add_file(url, content_bytes(content))
        for entry in case.get("hub", []):
            server.add_dataset(entry["path"], repository_files([entry]), entry.get("revision"))
        for name, content in case.get("local", {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content_bytes(content))
        for name in ("HELM_OFFLINE", "HF_HUB_OFFLINE", "HF_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {**server.environment(), "XDG_CACHE_HOME": str(tmp_path / "cache")}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        yield server


def load_scenario(case: Mapping[str, Any]) -> Any:
    from helm.common.object_spec import get_class_by_name

    return get_class_by_name(SCENARIOS + case["scenario"]["class"])(**case["scenario"].get("args", {}))


def read_instances(scenario: Any, output_path: Path) -> list[dict[str, Any]]:
    """The scenario's instances, as fixtures write them."""
    output_path.mkdir(parents=True, exist_ok=True)
    return [_shown(instance) for instance in scenario.get_instances(str(output_path))]


def _shown(instance: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {"split": instance.split, "input": instance.input.text}
    if instance.references:
        shown["references"] = [[reference.output.text, reference.tags] for reference in instance.references]
    for name in ("sub_split", "id", "extra_data"):
        if getattr(instance, name) is not None:
            shown[name] = getattr(instance, name)
    return shown
