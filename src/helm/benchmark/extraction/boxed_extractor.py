r"""Finds the final answer of a LaTeX solution: the content of its last `\boxed{...}`."""

import re

from helm.benchmark.extraction.answer_cues import find_cues
from helm.benchmark.extraction.extractor import Extractor, Question

_MARK = re.compile(r"\\(?:boxed|fbox)\s{0,4}(?P<brace>\{)?|\\.|[{}]", re.DOTALL)
_BARE = re.compile(r"\s?([A-Za-z0-9])(?![A-Za-z0-9])")
_MATH = re.compile(
    r"\$\$([^$]{1,2000})\$\$|\$([^$\n]{1,2000})\$|\\\(([^\n]{1,2000}?)\\\)|\\\[(.{1,2000}?)\\\]", re.DOTALL
)


class BoxedExtractor(Extractor):
    r"""Finds the content of the last `\boxed{...}` or `\fbox{...}`, with braces nested to any depth.

    Without a box, the formula or the words after the last `answer is`, `Answer:` and the like.
    """

    def find(self, text: str, question: Question) -> str | None:
        boxed = find_boxed(text)
        if boxed:
            return boxed[-1][1]
        for cue in reversed(find_cues(text)):
            line = text[cue.end :].lstrip(" \t\n*:").partition("\n")[0][:2000].strip()
            formula = _MATH.match(line)
            found = next((group for group in formula.groups() if group), "") if formula else _strip_sentence(line)
            if found.strip():
                return found.strip()
        return None


def find_boxed(text: str) -> list[tuple[int, str]]:
    """Return position and content of each box that is closed and not empty, in the order in which they begin."""
    found: list[tuple[int, str]] = []
    opened: list[tuple[int, int] | None] = []
    for match in _MARK.finditer(text):
        mark = match[0]
        if match["brace"]:
            opened.append((match.start(), match.end()))
        elif mark == "{":
            opened.append(None)
        elif mark == "}":
            box = opened.pop() if opened else None
            if box is not None:
                content = text[box[1] : match.start()].strip()
                if content and "\\boxed" not in content:
                    found.append((box[0], content))
        elif mark.startswith(("\\boxed", "\\fbox")):
            bare = _BARE.match(text, match.end())
            if bare:
                found.append((match.start(), bare[1]))
    return sorted(found)


def _strip_sentence(line: str) -> str:
    line = line.replace("**", "").replace("`", "").strip()
    return line[:-1].rstrip() if line.endswith((".", "。")) else line
