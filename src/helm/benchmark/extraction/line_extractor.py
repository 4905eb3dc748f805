"""Finds a short answer: after `Answer:`, or in the last line."""

import re

from helm.benchmark.extraction.answer_cues import find_cues
from helm.benchmark.extraction.boxed_extractor import find_boxed
from helm.benchmark.extraction.extractor import Extractor, Question
from helm.benchmark.extraction.plain_text import is_closing, strip_markup

_PERIOD = re.compile(r"(?<=[^\s.])\.$")
_SENTENCES = re.compile(r"\.\s|\.[^\W\d]\.$")
_FENCE = re.compile(r"^\s{0,10}(?:`{3,}|~{3,})[^\n]{0,50}$", re.MULTILINE)
_BULLET = re.compile(r"^(?:[-*•]\s|\d{1,3}[.)]\s)")


class LastLineExtractor(Extractor):
    """Finds what follows the last `Answer:` or `The answer is` in its line, or else the last line that is not empty.

    Marks of Markdown, quotation marks around the whole answer and the period after a single sentence are removed.
    """

    def find(self, text: str, question: Question) -> str | None:
        boxed = find_boxed(text)
        text = _FENCE.sub("", text)
        cues = find_cues(text)
        if boxed and (not cues or boxed[-1][0] >= cues[-1].start):
            return _clean(boxed[-1][1]) or None
        for cue in reversed(cues):
            lines = text[cue.end :].lstrip(" \t:：*_").split("\n", 3)
            line = next((line for line in lines[:3] if line.strip(" \t*_")), "")
            cleaned = _clean(line.replace("</answer>", "").replace("</final_answer>", ""))
            if cleaned:
                return cleaned
        for line in reversed(text.strip().split("\n")):
            cleaned = _clean(line)
            if cleaned and not is_closing(cleaned):
                return cleaned
        return None


def _clean(line: str) -> str:
    line = _BULLET.sub("", strip_markup(line).strip()).strip()
    line = line if _SENTENCES.search(line) else _PERIOD.sub("", line)
    if len(line) > 1 and (line[0], line[-1]) in {('"', '"'), ("'", "'"), ("“", "”"), ("«", "»"), ("‘", "’")}:
        line = _PERIOD.sub("", line[1:-1].strip())
    return line.rstrip("。").strip()
