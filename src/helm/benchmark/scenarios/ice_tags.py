"""Removes the markup of the International Corpus of English from its texts."""

import re

_DELETED = [
    re.compile(pattern)
    for pattern in (
        r"[WS]\d[A-F]-\d{3} *", r" <l> ", r"<#> ", r"BBB\S+ \S+RRR *", r"BBB\S+ *", r"RRR\S+ *", r"UUU", r"III\S+ *",
    )
]  # fmt: skip
_REPLACED: list[tuple["re.Pattern[str]", str]] = [
    (re.compile(pattern), text)
    for pattern, text in (
        (r"<\/*mention>", '"'),
        (r"</\*\*>", "*"),
        (r"</\*\*/>", "*"),
        (r"&eacute;", "é"),
        (r" <,+>", ","),
        (r"&ersand;", "&"),
        (r"&obrack;", "("),
        (r"&cbrack;", ")"),
        (r"&percent;", "%"),
        (r"&hash;", "#"),
        (r"&dash", "-"),  # HELM: the semicolon after it stays.
        (r"&ldquo;", '"'),
        (r"&atsign;", "@"),
        (r"\n+[\n ]+", "\n\n"),
        (r"\S+><\+_(\S+)>", r"\1"),
    )
]
_UNTAGGED = re.compile(
    r"<\/*(I|ICE.+|[\[\]\{\}]\d*|X|@|quote|foreign|indig|smallcaps|roman|sb|ss|footnote|p|h|bold|it|ul|\+|\=|\?|sp|}|ea|"
    r"slang)>"
)
_CUT = ("O", "-", "&", ".", "fnr", "marginalia", "del", "w")
"""Tags that are removed together with their content."""


def remove_tags(text: str) -> str:
    """Return a text of the corpus as it would be printed: without comments and deletions, with character codes replaced."""
    text = text.strip()
    for pattern in _DELETED:
        text = pattern.sub("", text)
    for pattern, replacement in _REPLACED:
        text = pattern.sub(replacement, text)
    text = _UNTAGGED.sub("", text)
    for tag in _CUT:
        text = _cut(text, f"<{tag}>", f"</{tag}>")
    return text.strip()


def _cut(text: str, start_tag: str, end_tag: str) -> str:
    """Remove every end tag with everything back to the last start tag before it."""
    end = text.find(end_tag)
    while end != -1:
        start = text.rfind(start_tag, 0, end)
        text = text[: end if start == -1 else start] + text[end + len(end_tag) :]
        end = text.find(end_tag)
    return text
