"""IFBench: instructions about the form of the response."""

import re
import string
from itertools import pairwise

from helm.benchmark.metrics.ifbench.registry import bare_words, check, lines_of, sentences

_PAIRS = {")": "(", "]": "[", "}": "{"}
_EMOJI = re.compile(
    "[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55\u231a\u231b\u23e9-\u23f3\ufe0f]"
)
_DEPTH_OF_BRACKETS, _DEPTH_OF_QUOTES = 5, 3


@check("count:punctuation")
def _punctuation(response: str) -> bool:
    """Every mark, besides one interrobang."""
    for interrobang in ("?!", "!?", "‽"):
        if interrobang in response:
            rest = response.replace(interrobang, "", 1)
            return all(mark in rest for mark in ".,!?;:")
    return False


@check("format:parentheses")
def _parentheses(response: str) -> bool:
    open_ones: list[str] = []
    deepest = 0
    for letter in response:
        if letter in _PAIRS.values():
            open_ones.append(letter)
            deepest = max(deepest, len(open_ones))
        elif letter in _PAIRS and open_ones and open_ones[-1] == _PAIRS[letter]:
            open_ones.pop()
    return deepest >= _DEPTH_OF_BRACKETS


@check("format:quotes")
def _quotes(response: str) -> bool:
    """Three levels, one in the other, of which all are closed."""
    open_ones: list[str] = []
    deepest = 0
    for letter in response:
        if letter in "\"'":
            if open_ones and open_ones[-1] == letter:
                open_ones.pop()
                if deepest - len(open_ones) >= _DEPTH_OF_QUOTES:
                    return True
            else:
                open_ones.append(letter)
                deepest = max(deepest, len(open_ones))
    return False


@check("format:options")
def _options(response: str, options: str) -> bool:
    separator = "/" if "/" in options else " or " if " or " in options else ","
    around = string.punctuation + string.whitespace
    known = [option.strip(around).lower() for option in options.split(separator)]
    return response.strip(around).lower() in known


@check("format:newline")
def _newline(response: str) -> bool:
    return len(lines_of(response)) == len(response.split())


@check("format:emoji")
def _emoji(response: str) -> bool:
    parts = [bare for part in sentences(response) if (bare := part.strip(string.punctuation + string.whitespace))]
    following = [*parts[1:], ""]
    return bool(parts) and all(_EMOJI.match(a[-1]) or _EMOJI.match(b) for a, b in zip(parts, following, strict=True))


@check("format:line_indent")
def _line_indent(response: str) -> bool:
    indents = [len(line) - len(line.lstrip(" ")) for line in lines_of(response)]
    return all(a < b for a, b in pairwise(indents))


@check("format:quote_unquote")
def _quote_unquote(response: str) -> bool:
    parts = response.replace("“", '"').replace("”", '"').split('"')
    return len(parts) % 2 == 1 and all(re.search(r"\w", part) for part in parts[2::2])


@check("format:list")
def _list(response: str, sep: str) -> bool:
    return sum(line.strip().startswith(sep) for line in lines_of(response)) > 1


@check("format:thesis")
def _thesis(response: str) -> bool:
    match = re.search(r"<(i|em)>(.*?)</\1>(.*)", response, re.DOTALL)
    return bool(match and match[2].strip() and match[3].strip())


@check("format:sub-bullets")
def _sub_bullets(response: str) -> bool:
    return all("-" in bullet for bullet in response.split("*")[1:])


@check("format:no_bullets_bullets")
def _no_bullets_bullets(response: str) -> bool:
    lines = lines_of(response)
    first = next((i for i, line in enumerate(lines) if line.strip().startswith("*")), len(lines))
    before = sentences("\n".join(lines[:first]))
    num_bullets = sum(line.strip().startswith("*") for line in lines[first:])
    return sum(sentence.strip().endswith(".") for sentence in before) > 1 and num_bullets > 1


@check("format:title_case")
def _title_case(response: str) -> bool:
    return not any(word[0].islower() for word in re.findall(r"[^\W_][\w']*", response))


@check("format:output_template")
def _output_template(response: str) -> bool:
    return all(label in response for label in ("My Answer:", "My Conclusion:", "Future Outlook:"))


@check("format:no_whitespace")
def _no_whitespace(response: str) -> bool:
    return not any(letter.isspace() for letter in response)


@check("custom:sentence_alphabet")
def _sentence_alphabet(response: str) -> bool:
    firsts = [words[0][0] for sentence in sentences(response) if (words := bare_words(sentence))]
    return firsts == list(string.ascii_lowercase)
