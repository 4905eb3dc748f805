"""Reads paragraphs of Word documents (.docx), with their colours, using only the standard library."""

import zipfile
from dataclasses import dataclass
from xml.etree import ElementTree

from helm.common.errors import ScenarioError

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
# Limits decompression, since a document may come from anywhere.
_MOST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Run:
    """A piece of text in one style."""

    text: str
    color: str | None
    """Six hexadecimal digits, upper case. None means the colour of the paragraph."""


@dataclass(frozen=True)
class Paragraph:
    runs: list[Run]

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


def read_paragraphs(path: str) -> list[Paragraph]:
    """Return the paragraphs of the body in order, except those of tables. Raises: ScenarioError that names the file."""
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo("word/document.xml").file_size > _MOST_BYTES:
                raise ScenarioError(f"{path}: its text is larger than {_MOST_BYTES} bytes.")
            document = archive.read("word/document.xml")
        if b"<!DOCTYPE" in document:
            raise ScenarioError(f"{path}: its text declares a document type, which Word documents never do.")
        body = ElementTree.fromstring(document).find(f"{_WORD}body")
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError) as e:
        raise ScenarioError(f"{path} is not a Word document: {e}") from e
    if body is None:
        raise ScenarioError(f"{path}: the Word document has no body.")
    return [Paragraph([_run(run) for run in paragraph.iter(f"{_WORD}r")]) for paragraph in body.findall(f"{_WORD}p")]


def _run(run: ElementTree.Element) -> Run:
    color = run.find(f"{_WORD}rPr/{_WORD}color")
    value = color.get(f"{_WORD}val") if color is not None else None
    return Run("".join(map(_text, run)), value.upper() if value else None)


def _text(part: ElementTree.Element) -> str:
    if part.tag == f"{_WORD}t":
        return part.text or ""
    if part.tag == f"{_WORD}tab":
        return "\t"
    return "\n" if part.tag in (f"{_WORD}br", f"{_WORD}cr") else ""
