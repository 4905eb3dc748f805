"""The text of a web page in a form like Markdown, without links, blanks at the ends and empty lines."""

import re
from html.parser import HTMLParser

_HIDDEN = ("head", "script", "style", "template", "noscript")
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header html "
    "legend main nav ol option p pre section select summary table tbody tfoot thead tr ul".split()
)
_MARKS = {
    "b": "**",
    "strong": "**",
    "i": "_",
    "em": "_",
    "u": "_",
    "code": "`",
    "kbd": "`",
    "tt": "`",
    "del": "~~",
    "s": "~~",
}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0
        self._lists: list[int | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "hr":
            self.parts.append("\n* * *\n")
        elif tag == "img":
            values = dict(attrs)
            self._add(f"![{values.get('alt') or ''}]({values.get('src') or ''})")
        elif re.fullmatch("h[1-6]", tag):
            self.parts.append("\n" + "#" * int(tag[1]) + " ")
        elif tag == "li":
            number = self._lists[-1] if self._lists else None
            self.parts.append("\n* " if number is None else f"\n{number}. ")
            if number is not None:
                self._lists[-1] = number + 1
        elif tag in ("td", "th"):
            if self.parts and not self.parts[-1].endswith("\n"):
                self.parts.append(" | ")
        elif tag in _MARKS:
            self._add(_MARKS[tag])
        elif tag in _BLOCKS:
            self.parts.append("\n")
        if tag in ("ol", "ul"):
            self._lists.append(1 if tag == "ol" else None)

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in _MARKS:
            self._add(_MARKS[tag])
        elif tag in _BLOCKS or tag == "li" or re.fullmatch("h[1-6]", tag):
            self.parts.append("\n")
        if tag in ("ol", "ul") and self._lists:
            self._lists.pop()

    def handle_data(self, data: str) -> None:
        self._add(re.sub(r"\s+", " ", data))

    def _add(self, text: str) -> None:
        if not self._hidden:
            self.parts.append(text)


def text_of_html(html: str) -> str:
    """Return the text: headings with `#`, items with `*` or numbers, cells between `|`; links only as their text."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (re.sub(r"\s+", " ", line).strip() for line in "".join(reader.parts).split("\n"))
    return "\n".join(line for line in lines if line)
