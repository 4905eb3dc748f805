"""The text of a web page in the form of Markdown that the converter html2text gives it, without links and empty lines.

References of Image2Struct's web pages have texts in this form.
"""

import re
from html.parser import HTMLParser

_HIDDEN = ("head", "script", "style")
_BLOCKS = ("p", "div", "pre", "ol", "ul", "blockquote", "li", "h1", "h2", "h3", "h4", "h5", "h6")
"""Elements with a line of their own. All others, such as `section`, do not end a line."""

_ENDS_LINE = ("dt", "dd", "tr")
_EMPHASIS = {"b": "**", "strong": "**", "i": "_", "em": "_", "u": "_", "del": "~~", "s": "~~", "strike": "~~"}
_MARKS = {"code": "`", "kbd": "`", "tt": "`", "q": '"'}
_LIST_MARKS = ((re.compile(r"^(\s*\d+)\.(?=\s)"), r"\1\\."), (re.compile(r"^(\s*)([-+](?=\s|$)|-(?=--))"), r"\1\\\2"))
"""What would begin an item is no item."""


class _Reader(HTMLParser):
    """Collects lines, each with the number of quotations that it is in."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[tuple[int, str]] = []
        self._line = ""
        self._hidden = self._quotes = self._verbatim = 0
        self._lists: list[int | None] = []
        self._cells: int | None = None
        self._is_first_row = True
        self._opening = ""
        self._has_closed = False

    def finish(self) -> str:
        self.close()
        self._end_line()
        result: list[str] = []
        gap = False
        for quotes, line in self.lines:
            text = re.sub(r"\s+", " ", line).strip()
            if not text:
                gap = True
                continue
            if gap and quotes and result and result[-1].startswith(">"):
                result.append(">" * quotes)
            gap = False
            result.append(f"{'> ' * quotes}{text}")
        return "\n".join(result)

    def _end_line(self) -> None:
        self._flush()
        self.lines.append((self._quotes, self._line))
        self._line = ""

    def _begin_block(self) -> None:
        self._end_line()
        self.lines.append((self._quotes, ""))

    def _flush(self) -> None:
        self._line += self._opening
        self._opening = ""
        self._has_closed = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in _HIDDEN:
            self._hidden += 1
        if self._hidden:
            return
        if tag in _BLOCKS:
            self._begin_block()
        if tag == "blockquote":
            self._quotes += 1
        elif tag == "pre":
            self._verbatim += 1
        elif tag in ("ol", "ul"):
            start = values.get("start") or "1"
            self._lists.append((int(start) if start.isdecimal() and len(start) < 10 else 1) if tag == "ol" else None)
        elif tag == "li":
            self._begin_item()
        elif tag in ("br", "dl"):
            self._end_line()
        elif tag == "hr":
            self._end_line()
            self._line = "* * *"
            self._end_line()
        elif re.fullmatch("h[1-6]", tag):
            self._line = "#" * int(tag[1]) + " "
        elif tag == "img":
            self._add_picture(values)
        elif tag == "table":
            self._is_first_row = True
        elif tag == "tr":
            self._cells = 0
        elif tag in ("td", "th"):
            if self._cells:
                self._add("| ")
            self._cells = (self._cells or 0) + 1
        elif tag in _EMPHASIS:
            self._opening += _EMPHASIS[tag]
        elif tag in _MARKS:
            self._add(_MARKS[tag])

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
            return
        if self._hidden:
            return
        if tag in _EMPHASIS:
            self._close(_EMPHASIS[tag])
        elif tag in _MARKS:
            self._add(_MARKS[tag])
        elif tag in _BLOCKS:
            self._begin_block()
        elif tag in _ENDS_LINE:
            self._end_line()
        if tag == "blockquote":
            self._quotes = max(0, self._quotes - 1)
        elif tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)
        elif tag in ("ol", "ul") and self._lists:
            self._lists.pop()
        elif tag == "tr" and self._cells:
            if self._is_first_row:
                self.lines.append((self._quotes, "|".join(["---"] * self._cells)))
            self._is_first_row, self._cells = False, None

    def _begin_item(self) -> None:
        number = self._lists[-1] if self._lists else None
        self._line = "* " if number is None else f"{number}. "
        if number is not None:
            self._lists[-1] = number + 1

    def _add_picture(self, values: dict[str, str | None]) -> None:
        source = values.get("src")
        if source is not None:
            source = re.sub(r"([()])", r"\\\1", source)
            self._add(f"![{values.get('alt') or ''}]({source})")

    def _close(self, mark: str) -> None:
        """End an emphasis; blanks before its mark come after it."""
        if self._opening:
            self._flush()
        text = self._line.rstrip(" ")
        blanks = self._line[len(text) :]
        self._line = text + mark + blanks
        self._has_closed = not blanks

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        if self._verbatim:
            for i, part in enumerate(data.split("\n")):
                if i:
                    self._end_line()
                self._add(part)
            return
        text = re.sub(r"\s+", " ", data)
        for pattern, escaped in _LIST_MARKS:
            text = pattern.sub(escaped, text)
        if self._opening:  # blanks after the mark come before it
            stripped = text.lstrip(" ")
            if not stripped:
                self._line += text
                return
            self._line += text[: len(text) - len(stripped)]
            text = stripped
        elif self._has_closed and text[:1].isalnum():
            text = f" {text}"
        self._add(text)

    def _add(self, text: str) -> None:
        self._flush()
        self._line += text


def text_of_html(html: str) -> str:
    """Return the text: headings with `#`, items with `*` or numbers, cells between `|`, quotations after `>`."""
    reader = _Reader()
    reader.feed(html)
    return reader.finish()
