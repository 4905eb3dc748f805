"""Renders what models write (Markdown, code, formulas) as markup in which nothing can act.

HTML in the text stays text, pictures become links, links lead to http and https only, and formulas become MathML made of the
elements and attributes listed here.
"""

import html
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from helm.benchmark.server.formatting import visible
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markupsafe import Markup

MAX_CHARACTERS = 20_000
"""Longer texts are not rendered, because the time is not linear in their length."""

_MAX_FORMULA_CHARACTERS = 1000
_MAX_ALL_FORMULAS_CHARACTERS = 10_000
"""For the formulas of a text together; further ones are shown as source."""

_CODE_WITHOUT_FENCE = re.compile(r"[:{(][ \t]*\n(?: {2,}|\t)[A-Za-z_#/\"']")
"""A block of a program: as Markdown, its comments would be headings."""

_MATH_ELEMENTS = frozenset(
    "math maction menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt "
    "mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none".split()
)
_MATH_ATTRIBUTES = frozenset(
    "accent accentunder columnalign columnlines columnspacing display displaystyle fence form largeop linethickness lspace "
    "mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace scriptlevel separator stretchy symmetric "
    "width".split()
)
_MATH_VALUE = re.compile(r"[a-z -]{1,80}|[+-]?\d?(\.\d{1,4})?(em|ex|pt|px)?")
"""Words, and lengths below ten units: larger ones could cover the page."""


def render_markup(text: str, only_with_formulas: bool = False) -> "Markup | None":
    """Render a text as HTML; None if there is nothing in it to render, or it is too long.

    Args:
        text: what a model or a scenario wrote.
        only_with_formulas: whether a text without formulas counts as having nothing to render.
    """
    if len(text) > MAX_CHARACTERS or ("```" not in text and _CODE_WITHOUT_FENCE.search(text)):
        return None
    from markupsafe import Markup

    parser = _parser()
    env: dict[str, Any] = {}
    tokens = parser.parse(text, env)
    if all(_is_plain(token) for token in tokens) or (only_with_formulas and not any(map(_has_formula, tokens))):
        return None
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):  # headings of an answer are none of the page
            token.tag = "p"
            if token.nesting > 0:
                token.attrSet("class", "heading")
        elif token.type in ("th_open", "td_open"):
            alignment = str(token.attrs.pop("style", ""))
            token.attrs.update({"class": "num"} if alignment.endswith("right") else {})
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", "nofollow noopener noreferrer")
    return Markup(visible(parser.renderer.render(tokens, parser.options, env)))


def _is_plain(token: Any) -> bool:
    """Return whether a text is as good as written: with nothing but lines, and stars that may be products."""
    if token.type == "inline":
        return all(child.type in ("text", "softbreak", "hardbreak", "em_open", "em_close") for child in token.children)
    return token.type in ("paragraph_open", "paragraph_close")


def _has_formula(token: Any) -> bool:
    return token.type == "math_block" or any(child.type.startswith("math_inline") for child in token.children or ())


@cache
def _parser() -> "MarkdownIt":
    with needs_extra("server"):
        from markdown_it import MarkdownIt
        from mdit_py_plugins.dollarmath import dollarmath_plugin
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"])
    # Indented text of a model is rarely code, and a definition of a link would vanish.
    parser.disable(["html_block", "html_inline", "image", "code", "reference"])
    parser.validateLink = _is_safe_link  # type: ignore[method-assign]
    dollarmath_plugin(parser, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
    parser.inline.ruler.before("escape", "math_brackets", _read_inline_brackets)
    parser.block.ruler.before(
        "fence", "math_block_brackets", _read_block_brackets, {"alt": ["paragraph", "blockquote", "list"]}
    )
    for name in ("math_inline", "math_inline_double", "math_block"):
        parser.add_render_rule(name, _render_formula)
    parser.add_render_rule("fence", _render_fence)
    return parser


def _is_safe_link(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))


# --- formulas -----------------------------------------------------------------------------------------------------------


def _read_inline_brackets(state: Any, silent: bool) -> bool:
    r"""Read `\(…\)` or `\[…\]` within a line of text, as a rule of markdown-it."""
    opening = state.src[state.pos : state.pos + 2]
    if opening not in (r"\(", r"\["):
        return False
    end = state.src.find(r"\)" if opening == r"\(" else r"\]", state.pos + 2, state.posMax)
    if end < 0 or not state.src[state.pos + 2 : end].strip():
        return False
    if not silent:
        token = state.push("math_inline" if opening == r"\(" else "math_inline_double", "math", 0)
        token.content = state.src[state.pos + 2 : end]
    state.pos = end + 2
    return True


def _read_block_brackets(state: Any, first: int, last: int, silent: bool) -> bool:
    r"""Read `\[…\]` that begins and ends a line, as a rule of markdown-it."""
    start = state.bMarks[first] + state.tShift[first]
    if not state.src.startswith(r"\[", start):
        return False
    end = state.src.find(r"\]", start + 2, state.eMarks[last - 1])
    if end < 0 or "\n\n" in state.src[start:end]:
        return False
    line = first
    while state.eMarks[line] < end:
        line += 1
    if state.src[end + 2 : state.eMarks[line]].strip():
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.block, token.content, token.map = True, state.src[start + 2 : end], [first, line + 1]
        state.line = line + 1
    return True


def _render_formula(_renderer: Any, tokens: Any, number: int, _options: Any, env: Any) -> str:
    token = tokens[number]
    is_block = token.type != "math_inline"
    source = token.content.strip()
    shown = _typeset(source, is_block, env) or f'<code class="formula">{html.escape(source)}</code>'
    return f"<p>{shown}</p>\n" if token.type == "math_block" else shown


_ENVIRONMENT = re.compile(r"\\(begin|end)\{(aligned|gathered|gather|gather\*)\}")


def _rename(found: "re.Match[str]") -> str:
    return rf"\{found[1]}{{{'align*' if found[2] == 'aligned' else 'matrix'}}}"


def _typeset(source: str, is_block: bool, env: Any) -> str | None:
    """Return a formula as MathML; None if it cannot be read as LaTeX, or there are too many."""
    env["formulas"] = env.get("formulas", 0) + len(source)
    if len(source) > _MAX_FORMULA_CHARACTERS or env["formulas"] > _MAX_ALL_FORMULAS_CHARACTERS:
        return None
    with needs_extra("server"):
        from latex2mathml.converter import convert_to_element
    try:
        tree = convert_to_element(_ENVIRONMENT.sub(_rename, source), display="block" if is_block else "inline")
        # An ampersand is left where an environment is not known.
        return None if any(part.text == "&" for part in tree.iter()) else _write_math(tree)
    except Exception:  # anything may be wrong with what a model wrote, and its source says as much
        return None


def _write_math(element: Any) -> str:
    """Write a tree with what is known to do nothing. The package's own writer does not escape text."""
    inside = _escape_math(element.text) + "".join(_write_math(child) + _escape_math(child.tail) for child in element)
    if element.tag not in _MATH_ELEMENTS:
        return inside
    attributes = "".join(
        f' {name}="{value}"'
        for name, value in element.attrib.items()
        if name in _MATH_ATTRIBUTES and _MATH_VALUE.fullmatch(value)
    )
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>"


def _escape_math(text: str | None) -> str:
    return html.escape(html.unescape(text or ""))  # symbols are character references


def _render_fence(_renderer: Any, tokens: Any, number: int, _options: Any, _env: Any) -> str:
    return f'<pre tabindex="0"><code>{html.escape(tokens[number].content)}</code></pre>\n'
