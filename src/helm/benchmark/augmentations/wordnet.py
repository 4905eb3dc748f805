"""Finds base forms of English words, from the files of WordNet."""

import os
from collections.abc import Sequence

_FILES = {"n": "noun", "v": "verb", "s": "adj", "r": "adv"}

_ENDINGS: dict[str, Sequence[tuple[str, str]]] = {
    "n": [
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"),
        ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ],
    "v": [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    "s": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "r": [],
}  # fmt: skip
"""Endings of inflected words, and the endings of their base forms; from WordNet's own documentation (morphy)."""


class WordNetForms:
    """Contains the words of WordNet, and traces inflected ones back to them.

    `folder` contains `index.noun`, `noun.exc` and so on, as in WordNet 3.0. Raises: OSError if one of them is missing.
    """

    def __init__(self, folder: str):
        self._words: dict[str, set[str]] = {}
        self._exceptions: dict[str, dict[str, list[str]]] = {}
        for pos, name in _FILES.items():
            with open(os.path.join(folder, f"index.{name}"), encoding="utf-8") as file:
                # Lines that begin with a space are the license.
                self._words[pos] = {line.split(" ", 1)[0] for line in file if not line.startswith(" ")}
            with open(os.path.join(folder, f"{name}.exc"), encoding="utf-8") as file:
                entries = [line.split() for line in file]
            self._exceptions[pos] = {entry[0]: entry[1:] for entry in entries if entry}

    def base_forms(self, word: str, pos: str) -> list[str]:
        """Return the words of WordNet of which `word`, in lower case, may be a form; itself first if it is one.

        `pos`: `n`, `v`, `r` (adverb) or `s` (adjective).
        """
        known = self._words[pos]
        irregular = self._exceptions[pos].get(word)
        if irregular is not None:
            return [form for form in dict.fromkeys([word, *irregular]) if form in known]
        forms = [word[: len(word) - len(old)] + new for old, new in _ENDINGS[pos] if word.endswith(old)]
        return [form for form in dict.fromkeys([word, *forms]) if form in known]
