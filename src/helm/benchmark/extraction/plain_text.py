"""Text as a reader sees it: without the marks of Markdown, LaTeX and HTML, and with the ASCII form of characters."""

import re
import unicodedata
from functools import cache

_MARKUP = re.compile(
    r"~~[^~\n]{1,200}~~|\*+|`+|~~|\$+|\\[()\[\]]|__|^[ \t]{0,8}#{1,3}(?=[ \t])|^[ \t]{0,8}>(?=[ \t])"
    r"|</?(?:b|i|u|em|strong|p|span|div|br|sub|sup|mark|center|code)(?: [^<>\n]{0,80})?/?>"
    r"|\\(?:displaystyle|left|right|bf|rm|Large|large|quad|qquad)(?![A-Za-z])",
    re.MULTILINE,
)
_BRACES = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathbb|mathsf|mbox|operatorname|emph|boldsymbol) ?\{|[{}]"
)


@cache
def _translation() -> dict[int, str]:
    table = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width forms
    table |= {0x24B6 + i: chr(65 + i) for i in range(26)}  # letters in circles
    for code in range(0x0660, 0x10000):
        if unicodedata.category(chr(code)) == "Nd":
            table[code] = str(unicodedata.decimal(chr(code)))
    for code in (0x2212, 0x2010, 0x2011, 0xFE63):
        table[code] = "-"
    for code in (0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0x00AD):
        table[code] = ""
    return table | {0x066B: ".", 0x066C: ","}


def to_ascii_forms(text: str) -> str:
    """Replace digits of other scripts, full-width characters and the minus sign by those of ASCII."""
    return text if text.isascii() else text.translate(_translation())


def strip_markup(text: str) -> str:
    r"""Remove what Markdown, HTML and LaTeX add to words; `\text{B}` becomes `B`. Takes linear time."""
    text = _MARKUP.sub("", to_ascii_forms(text))
    if "\\" not in text:
        return text
    parts: list[str] = []
    closing: list[int] = []
    position = depth = 0
    for match in _BRACES.finditer(text):
        mark = match[0]
        if mark == "{":
            depth += 1
        elif mark == "}":
            if closing and closing[-1] == depth:
                closing.pop()
                parts.append(text[position : match.start()])
                position = match.end()
            depth = max(0, depth - 1)
        else:
            depth += 1
            closing.append(depth)
            parts.append(text[position : match.start()])
            position = match.end()
    parts.append(text[position:])
    return "".join(parts)


_CLOSING = re.compile(
    r"(?i)[\s*_>]{0,8}(?:let me know|feel free|if you(?:'d| would| have| need| want)\b|would you like|do you want|"
    r"is there anything|(?:i )?hope this helps|happy to help|please let me know|don't hesitate)"
)


def is_closing(line: str) -> bool:
    """Return whether a line or paragraph only takes leave, as `Let me know if you need more!`, and answers nothing."""
    return _CLOSING.match(line.replace("’", "'")) is not None
