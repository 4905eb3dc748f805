"""Finds the program in an answer."""

import ast
import re
import textwrap
import warnings
from dataclasses import dataclass

from helm.benchmark.extraction.extractor import Extractor, Question

_FENCE = re.compile(r"^[ \t>]{0,40}(?P<mark>`{3,20}|~{3,20})[ \t]{0,10}(?P<info>[^\n`]{0,200})$", re.MULTILINE)
_INLINE = re.compile(r"```(?:(?:python|py)[ \t])?([^`\n]{1,2000})```")
_TAGGED = re.compile(
    r"\[PYTHON\](?P<code>[^\[]*(?:\[(?!/PYTHON\])[^\[]*)*+)(?:\[/PYTHON\]|\Z)|<(?P<tag>code|python|solution|pre)>\s?(?P<body>[^<]*(?:<(?!/(?:code|python|solution|pre)>)[^<]*)*+)(?:</(?:code|python|solution|pre)>|\Z)"
)
_OTHER_LANGUAGES = frozenset(
    "bash sh shell zsh console text txt plaintext output json yaml markdown md diff latex html css sql log pycon".split()
)
_DEFINES = re.compile(r"^[ \t]*(?:async[ \t]+def|def|class)[ \t]+(?P<name>\w+)", re.MULTILINE)
_IS_TEST = re.compile(r"(?i)test|check|main$")
_BEGINS_CODE = re.compile(r"(?:def|class|async def|import|from|@)\s?\w|if __name__")
_GOES_ON = re.compile(
    r"(?:def|class|async def|import|from|@|if|for|while|try|except|else|elif|finally|with|return|"
    r"#|[\])}]|'''|\"\"\")|\w+(?:\[[^\]\n]{0,100}\]|\.\w+)?\s?[-+*/|]?=(?!=)|\w+\(|\w+:\s?\w+\s?="
)
_LONGEST_PARSED = 50_000
_MOST_INNER_FENCES = 8


@dataclass(frozen=True)
class _Block:
    language: str

    code: str


class CodeExtractor(Extractor):
    """Finds the program: the code block that defines the function asked for, else the last one that defines any.

    Without such a block, the longest one counts; without any fence, the lines from the first `def`, `class`, `import` or
    decorator on. A fence that is not closed ends with the text.

    Args:
        as_body: whether the metrics append the answer to the header of a function, as for HumanEval, so that a complete
            program is rendered after `pass`, and a bare body with the indentation of a body.
        languages: names of the language in fences; a block in a language of another name counts only if there is no other.
        form: see `Extractor`.
    """

    most_characters = 1 << 20

    def __init__(self, as_body: bool = False, languages: list[str] | None = None, form: str | None = None):
        super().__init__(form)
        self.as_body = as_body
        self.languages = ["python", "py", "python3"] if languages is None else languages

    def extract(self, text: str, question: Question | None = None) -> str | None:
        code = super().extract(text, question)
        if code is not None or not self.as_body or not text.strip() or "```" in text:
            return code
        return None

    def find(self, text: str, question: Question) -> str | None:
        blocks = _find_blocks(text)
        if blocks:
            return self._choose(blocks, question.entry_point)
        tagged = [match["code"] or match["body"] for match in _TAGGED.finditer(text)]
        tagged = [code.strip("\n") for code in tagged if code and code.strip()]
        if tagged:
            return self._choose([_Block("", code) for code in tagged], question.entry_point)
        inline = _INLINE.findall(text)
        if inline:
            return str(inline[-1]).strip()
        return _find_unfenced(text) or (_as_statements(text) if self.as_body else None)

    def _choose(self, blocks: list[_Block], entry_point: str | None) -> str | None:
        blocks = [block for block in blocks if block.code.strip()]
        ranked = (
            [block for block in blocks if block.language in self.languages],
            [block for block in blocks if not block.language],
            [block for block in blocks if block.language not in _OTHER_LANGUAGES],
        )
        if entry_point:
            defining = re.compile(
                rf"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+{re.escape(entry_point)}\b|{re.escape(entry_point)}[ \t]*=)",
                re.MULTILINE,
            )
            for block in reversed(blocks):
                if defining.search(block.code):
                    return block.code
        candidates = next((group for group in ranked if group), blocks)
        with_definition = [
            block for block in candidates if any(not _IS_TEST.search(name) for name in _DEFINES.findall(block.code))
        ]
        if with_definition:
            return with_definition[-1].code
        return max(candidates, key=lambda block: len(block.code)).code if candidates else None

    def render(self, answer: str, question: Question) -> str:
        if self.as_body:
            body = textwrap.dedent(answer.strip("\n"))
            if re.search(r"^(?:def|class|async def|import|from|@)\b|^@", body, re.MULTILINE):
                answer = f"pass\n\n{body}"
            else:
                answer = textwrap.indent(_as_body(answer), "    ").strip()
        return super().render(answer, question)


def _as_body(code: str) -> str:
    """Return a body with no indentation, whether its first line has lost its own or not."""
    return next((body for body in _bodies(code) if _statements(body) is not None), textwrap.dedent(code))


def _bodies(code: str) -> list[str]:
    """Return the text without common indentation, and as it was if its first line has lost its indentation."""
    lines = code.strip("\n").split("\n")
    rest = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    found = [textwrap.dedent("\n".join(lines))]
    if rest and min(rest) > 0 and not lines[0][:1].isspace():
        found.append(textwrap.dedent("\n".join([" " * min(rest) + lines[0], *lines[1:]])))
    return found


def _statements(body: str) -> list[ast.stmt] | None:
    """Return the statements of a body; None if it is none, or longer than any program."""
    if len(body) > _LONGEST_PARSED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function = ast.parse("def f():\n" + textwrap.indent(body, "    ")).body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return function.body if isinstance(function, ast.FunctionDef) else None


def _find_blocks(text: str) -> list[_Block]:
    """Return the fenced blocks; a fence closes with as many marks as it has opened with, or more."""
    found: list[_Block] = []
    opened: re.Match[str] | None = None
    fences = list(_FENCE.finditer(text))
    last = -1
    for i, match in enumerate(fences):
        if i <= last:
            continue
        if opened is None:
            opened = match
        elif _closes(match, opened):
            last = _end_of_program(text, opened, fences, i)
            found += _blocks_in(_block(opened, text[opened.end() : fences[last].start()]))
            opened = None
    if opened is not None:
        content = text[opened.end() :].rstrip()
        found.append(_block(opened, content.removesuffix(opened["mark"])))
    return found


def _closes(fence: "re.Match[str]", opened: "re.Match[str]") -> bool:
    return fence["mark"].startswith(opened["mark"]) and not fence["info"].strip()


def _end_of_program(text: str, opened: "re.Match[str]", fences: list["re.Match[str]"], first: int) -> int:
    """Return which fence closes a block: a later one if it is only then a program, because a docstring has fences."""
    content = text[opened.end() : fences[first].start()]
    if content.count('"""') % 2 == 0 and content.count("'''") % 2 == 0:
        return first
    for i in range(first + 1, min(first + 1 + _MOST_INNER_FENCES, len(fences))):
        if _closes(fences[i], opened) and _is_program(_block(opened, text[opened.end() : fences[i].start()]).code):
            return i
    return first


def _is_program(code: str) -> bool:
    if len(code) > _LONGEST_PARSED:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _blocks_in(block: _Block) -> list[_Block]:
    """Return the blocks in a block of Markdown, which the whole answer may be; else the block itself."""
    inner = _find_blocks(block.code) if block.language in ("markdown", "md") else []
    return inner or [block]


def _block(fence: "re.Match[str]", content: str) -> _Block:
    indent = len(fence[0]) - len(fence[0].lstrip(" "))
    lines = content.strip("\n").split("\n")
    if indent:
        lines = [line[indent:] if line[:indent].isspace() else line for line in lines]
    words = fence["info"].strip().lower().strip("{}.").split()
    return _Block(words[0] if words else "", "\n".join(lines).rstrip())


def _find_unfenced(text: str) -> str | None:
    """Return the lines of code in a text without fences: from the first that begins code to the last that goes on."""
    lines = text.split("\n")
    start = next((i for i, line in enumerate(lines) if _BEGINS_CODE.match(line) and _is_code_line(line)), None)
    if start is None:
        return None
    end = start
    for i in range(start, len(lines)):
        line = lines[i]
        if not line.strip():
            continue
        if line[0] in " \t" or (_GOES_ON.match(line) and _is_code_line(line)):
            end = i
        else:
            break
    code = re.sub(r"\s*```\s*$", "", "\n".join(lines[start : end + 1]))
    return code if _DEFINES.search(code) or "=" in code or "(" in code else None


def _is_code_line(line: str) -> bool:
    """Return whether a line that begins with a keyword is code and no prose, such as `From the example, we see that`."""
    words = line.split()
    if words[0] in ("from", "import"):
        return (
            re.match(r"(?:from\s[\w.]+\simport\s|import\s[\w.]+(?:\sas\s\w+)?(?:\s?,\s?[\w.]+)*\s*(?:#.*)?$)", line)
            is not None
        )
    if words[0] in ("def", "class", "async"):
        return "(" in line or ":" in line
    if words[0] in ("if", "for", "while", "with", "try", "try:", "else:", "else", "elif", "except", "finally:"):
        return ":" in line
    return True


def _as_statements(text: str) -> str | None:
    """Return a text that is the body of a function, or None for prose."""
    for body in _bodies(text):
        if any(not isinstance(statement, ast.Expr) for statement in _statements(body) or ()):
            return text
    return None
