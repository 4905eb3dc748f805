"""Decides whether two LaTeX answers to a mathematics problem are equivalent, up to notation."""

from helm.common.formats.boxed_answer import get_answer, last_boxed_only_string, remove_boxed

__all__ = [
    "canonicalize", "get_answer", "is_equiv", "is_equiv_chain_of_thought", "last_boxed_only_string", "remove_boxed",
]  # fmt: skip


def is_equiv(str1: str | None, str2: str | None) -> float:
    """Return 1.0 if both texts have the same canonical form, else 0.0; raw texts are compared if either has none."""
    if str1 is None or str2 is None:
        return float(str1 is None and str2 is None)
    try:
        return float(canonicalize(str1) == canonicalize(str2))
    except (IndexError, AssertionError, ValueError):
        return float(str1 == str2)


def is_equiv_chain_of_thought(str1: str, str2: str) -> float:
    """Return `is_equiv` of the boxed answers. HELM: two texts without boxed answer are equivalent."""
    return is_equiv(get_answer(str1), get_answer(str2))


def canonicalize(text: str) -> str:
    """Return the canonical form. Raises: IndexError or ValueError for texts that have none."""
    text = text.replace("\n", "").replace("\\!", "").replace("\\\\", "\\")
    text = text.replace("tfrac", "frac").replace("dfrac", "frac").replace("\\left", "").replace("\\right", "")
    text = text.replace("^{\\circ}", "").replace("^\\circ", "").replace("\\$", "")
    text = _drop_unit(text).replace("\\%", "")
    text = text.replace(" .", " 0.").replace("{.", "{0.")
    if not text:
        return text
    if text[0] == ".":
        text = "0" + text
    sides = text.split("=")
    if len(sides) == 2 and len(sides[0]) <= 2:
        text = sides[1]
    text = _brace_roots(text).replace(" ", "")
    text = _brace_fractions(text)
    if text == "0.5":
        text = "\\frac{1}{2}"
    return _fraction_of_slash(text)


def _drop_unit(text: str) -> str:
    r"""Drop a unit at the end, written as `\text{ cm}`."""
    pieces = text.split("\\text{ ")
    if len(pieces) > 2:
        raise ValueError(f"More than one unit in {text!r}")
    return pieces[0]


def _brace_roots(text: str) -> str:
    r"""Add missing braces around the character after `\sqrt`."""
    first, *rest = text.split("\\sqrt")
    return first + "".join(
        "\\sqrt" + (piece if piece[0] == "{" else "{" + piece[0] + "}" + piece[1:]) for piece in rest
    )


def _brace_fractions(text: str) -> str:
    r"""Add missing braces around the two characters after `\frac`."""
    first, *rest = text.split("\\frac")
    parts: list[str] = [first]
    for piece in rest:
        if piece[0] == "{":
            parts.append("\\frac" + piece)
        elif len(piece) < 2:
            return text
        elif piece[1] == "{":
            parts.append("\\frac{" + piece[0] + "}" + piece[1:])
        else:
            parts.append("\\frac{" + piece[0] + "}{" + piece[1] + "}" + piece[2:])
    return "".join(parts)


def _fraction_of_slash(text: str) -> str:
    r"""Return `\frac{a}{b}` for a plain `a/b` of integers."""
    pieces = text.split("/")
    if len(pieces) != 2:
        return text
    try:
        a, b = int(pieces[0]), int(pieces[1])
    except ValueError:
        return text
    return f"\\frac{{{a}}}{{{b}}}" if text == f"{a}/{b}" else text
