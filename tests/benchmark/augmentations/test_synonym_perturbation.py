"""Synonyms, with a small WordNet, and a spaCy model that knows the parts of speech of few words."""

import json
from random import Random

import pytest

from helm.benchmark.augmentations.perturbation_data import PerturbationError
from helm.benchmark.augmentations.synonym_perturbation import SynonymPerturbation
from helm.benchmark.augmentations.wordnet import WordNetForms

WORDNET = {
    "noun": (
        ["movie", "leaf", "leave", "axe", "ax", "axis", "man"],
        {"leaves": ["leaf", "leave"], "axes": ["ax", "axis"]},
    ),
    "verb": (["run", "leave", "watch", "hope", "hop"], {"ran": ["run"]}),
    "adj": (["good", "large"], {"better": ["good", "well"]}),
    "adv": (["quickly"], {}),
}
POS = {"NOUN": ["movie", "Movies", "leaves"], "VERB": ["watch", "ran"], "ADJ": ["Better", "good"], "ADV": ["QUICKLY"]}
SYNONYMS = {
    "movie:n": ["film", "movie", "movies"],
    "leaf:n": ["foliage"],
    "leave:n": ["parting", "foliage"],
    "watch:v": ["look"],
    "run:v": ["go"],
    "good:s": ["fine"],
    "quickly:r": ["fast"],
}


@pytest.fixture
def tables(tmp_path, monkeypatch):
    spacy = pytest.importorskip("spacy")
    monkeypatch.setenv("HELM_PERTURBATION_DATA", str(tmp_path))
    language = spacy.blank("en")
    ruler = language.add_pipe("attribute_ruler")
    for pos, words in POS.items():
        ruler.add([[{"ORTH": word}] for word in words], {"POS": pos})
    language.to_disk(tmp_path / "en_core_web_sm")
    (tmp_path / "wordnet_synonyms.json").write_text(json.dumps(SYNONYMS))
    write_wordnet(tmp_path / "wordnet")
    return tmp_path


def write_wordnet(folder):
    folder.mkdir()
    for name, (words, irregular) in WORDNET.items():
        lines = ["  1 This software ...", *(f"{word} {name[0]} 1 0 1 0 00000001  " for word in words)]
        (folder / f"index.{name}").write_text("\n".join(lines) + "\n")
        (folder / f"{name}.exc").write_text("".join(f"{form} {' '.join(bases)}\n" for form, bases in irregular.items()))


def test_words_become_synonyms_in_their_case(tables):
    perturb = SynonymPerturbation(prob=1.0).perturb
    assert perturb("The  QUICKLY ran\nBetter!", Random(0)) == "The  FAST go\nFine!"
    assert perturb("movie", Random(0)) in ("film", "movies")  # not by itself
    assert perturb("Movies", Random(0)) in ("Film", "Movie")
    assert perturb("leaves", Random(0)) in ("foliage", "parting")
    assert perturb("", Random(0)) == ""
    assert SynonymPerturbation(prob=0.0).perturb("movie", Random(0)) == "movie"


def test_what_is_missing_is_named(tables, monkeypatch):
    monkeypatch.setenv("HELM_OFFLINE", "1")
    monkeypatch.chdir(tables)
    (tables / "wordnet" / "noun.exc").unlink()
    with pytest.raises(PerturbationError, match="is not WordNet"):
        SynonymPerturbation(prob=1.0)
    (tables / "wordnet").rename(tables / "elsewhere")
    with pytest.raises(PerturbationError, match=r"needs wordnet.*wordnet\.zip and unpack it"):
        SynonymPerturbation(prob=1.0)


@pytest.mark.parametrize(
    "word, pos, expected",
    [
        ("movie", "n", ["movie"]),
        ("movies", "n", ["movie"]),
        ("leaves", "n", ["leaf", "leave"]),
        ("axes", "n", ["ax", "axis"]),
        ("men", "n", ["man"]),
        ("ran", "v", ["run"]),
        ("hoping", "v", ["hope", "hop"]),
        ("watches", "v", ["watch"]),
        ("better", "s", ["good"]),
        ("larger", "s", ["large"]),
        ("largest", "s", ["large"]),
        ("quickly", "r", ["quickly"]),
        ("quicklys", "r", []),
        ("zzz", "n", []),
    ],
)
def test_base_forms(word, pos, expected, tmp_path):
    write_wordnet(tmp_path / "wordnet")
    assert WordNetForms(str(tmp_path / "wordnet")).base_forms(word, pos) == expected
