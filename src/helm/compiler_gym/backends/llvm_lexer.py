"""Textual IR as tokens."""

import re

TOKEN_KINDS = (
    "unknown",
    "local_identifier",
    "global_identifier",
    "attribute_group",
    "metadata",
    "label",
    "string",
    "float",
    "integer",
    "type",
    "keyword",
    "punctuation",
)
"""In the order of their ids."""

_CATEGORIES = {
    "local_identifier": "identifier",
    "global_identifier": "identifier",
    "attribute_group": "identifier",
    "metadata": "identifier",
    "label": "identifier",
    "string": "literal",
    "float": "literal",
    "integer": "literal",
}
_NAME = r'(?:"[^"]*"|[-a-zA-Z$._0-9]+)'
_TOKEN = re.compile(
    rf"""
    (?P<blank>\s+|;[^\n]*)
    |(?P<label>(?:"[^"]*"|[-a-zA-Z$._0-9]+):)
    |(?P<local_identifier>%{_NAME})
    |(?P<global_identifier>[@$]{_NAME})
    |(?P<attribute_group>\#[0-9]+)
    |(?P<metadata>!(?:[-a-zA-Z$._0-9\\]+)?)
    |(?P<string>c?"[^"]*")
    |(?P<float>-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|0x[KLMHR]?[0-9A-Fa-f]+)
    |(?P<integer>-?[0-9]+)
    |(?P<type>(?:i[0-9]+|ptr|void|half|bfloat|float|double|fp128|x86_fp80|x86_mmx|ppc_fp128|label|token|metadata|opaque)\b)
    |(?P<keyword>[a-zA-Z_][-a-zA-Z0-9_.]*)
    |(?P<punctuation>\.\.\.|[=,(){{}}\[\]<>*|:&+/~^?\#-])
    |(?P<unknown>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def lex(text: str) -> list[tuple[int, str, str, str]]:
    r"""Split textual IR into tokens, without blanks and comments: (id of the kind, kind, category, the token itself).

    The category is `identifier`, `literal`, or the kind itself. A string ends at the next quotation mark, because LLVM
    prints one inside a string as `\22`.
    """
    tokens = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind is not None and kind != "blank":
            tokens.append((TOKEN_KINDS.index(kind), kind, _CATEGORIES.get(kind, kind), match.group()))
    return tokens
