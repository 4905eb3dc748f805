"""The International Corpus of English: its markup, its folders, and who speaks."""

import json

import pytest

from helm.benchmark.scenarios.ice_scenario import ICEScenario
from helm.benchmark.scenarios.ice_tags import remove_tags
from helm.common.errors import ConfigError, ScenarioError

EAST_AFRICA = "ICE-EA/corpus/retagged for wsmith/all east africa"
USA = "ICE-USA"


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """A function that writes files of the corpus and makes the working directory theirs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "ice_scenario_pinned_file_order.json").write_text("{}", encoding="utf-8")

    def write(files, order=None):
        if order is not None:
            (tmp_path / "cache" / "ice_scenario_pinned_file_order.json").write_text(json.dumps(order), encoding="utf-8")
        for name, content in files.items():
            path = tmp_path / "restricted" / "ice" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))

    return write


def texts(**arguments):
    return [instance.input.text for instance in ICEScenario(**arguments).get_instances("cache")]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("<#> The road <it>was</it> long <,,> and dry.", "The road was long, and dry."),
        ("one <O>gap</O> two", "one  two"),
        ("<w>it</w> is", "is"),
        ("a </w> b", "a  b"),
        ("<-> one <-> two </-> three </-> four", "four"),
        ("&ldquo;caf&eacute;&ldquo; 5&percent; &dash; x", '"café" 5% -; x'),
        ("a\n\n \nb\nc", "a\n\nb\nc"),
        ("<ICE-IND:S1A-002#1:1:A> left out <b>", ""),
        ("W1A-003 text", "text"),
        ("foo><+_bar> x", "bar x"),
        ("<$A>kept", "<$A>kept"),
    ],
)
def test_markup_is_removed(text, expected):
    assert remove_tags(text) == expected


def test_many_nested_tags_end(tmp_path):
    assert remove_tags("<O>" * 2000 + "</O>" * 2000) == ""


def test_texts_of_one_country_in_the_order_of_the_list(corpus):
    files = {f"{USA}/Corpus/{name}.txt": f"text of {name[0]}" for name in ("S1A", "W1A", "w2a")}
    corpus(files)
    assert texts(subset="usa") == ["text of S", "text of W", "text of w"]
    assert texts(subset="usa", category="W") == ["text of W", "text of w"]
    assert texts(subset="usa", category="S1") == ["text of S"]
    corpus({}, {f"restricted/ice/{USA}/Corpus": ["w2a.txt", "S1A.txt"]})
    assert texts(subset="usa") == ["text of w", "text of S"]


def test_genders_stand_in_header_files(corpus):
    corpus(
        {f"{USA}/Corpus/{name}.txt": name.replace("-", "_") for name in ("S1A-001", "S1A-002", "W1A-001", "W1A-002")}
    )
    corpus(
        {
            f"{USA}/Headers/S1A-001.hdr": "<gender>M</gender><gender>Male</gender>",
            f"{USA}/Headers/S1A-002.hdr": "<gender>M</gender><gender>F</gender>",
            f"{USA}/Headers/w1a-001.hdr": "<gender>f</gender>",
            f"{USA}/Headers/W1A-002.hdr": "nothing",
        }
    )
    assert texts(subset="usa", gender="male") == ["S1A_001"]
    assert texts(subset="usa", gender="female") == ["W1A_001"]


def test_genders_stand_in_spreadsheets(corpus, tmp_path):
    xlwt = pytest.importorskip("xlwt")
    pytest.importorskip("xlrd")
    names = ("S1A-001", "S1A-002", "W1A-001", "W1A-002")
    corpus({**{f"ICE-CAN/Corpus/{name}.txt": name.replace("-", "_") for name in names}, "ICE-CAN/Headers/x": ""})

    def save(name, rows):
        book = xlwt.Workbook()
        sheet = book.add_sheet("all")
        for number, row in enumerate([{0: "Text"}, *rows]):
            for column, value in row.items():
                sheet.write(number, column, value)
        book.save(str(tmp_path / "restricted/ice/ICE-CAN/Headers" / name))

    save("Spoken ICE-CAN metadata.xls", [{0: "S1A-001", 12: "M"}, {0: "S1A-001", 12: "F"}, {0: "S1A-002", 12: "F"}])
    save("Written ICE-CAN metadata.xls", [{0: "W1A-001", 19: "Male"}, {0: "W1A-002", 13: "M"}, {0: 5.0, 12: "M"}])
    assert texts(subset="can", gender="male") == ["S1A_001", "W1A_001"]
    assert texts(subset="can", gender="female") == ["S1A_001", "S1A_002"]


def test_files_of_east_africa_hold_several_texts(corpus):
    text = "W1A001K\nfirst\nS2B012AT\nsecond"
    corpus(
        {f"{EAST_AFRICA}/brdisc-k.txt": text, f"{EAST_AFRICA}/buslet-t.txt": "third", f"{EAST_AFRICA}/new-t.txt": "x"}
    )
    assert texts(subset="ea") == ["first", "second", "third", "x"]
    assert texts(subset="ea", category="S") == ["first", "second"]
    assert texts(subset="ea", category="W1") == ["third"]


def test_old_encodings_are_read(corpus):
    corpus({f"{USA}/Corpus/S1A-001.txt": "café\r\nau lait".encode("iso-8859-1")})
    assert texts(subset="usa") == ["café\nau lait"]


def test_the_error_says_where_the_corpus_belongs(corpus):
    with pytest.raises(ScenarioError, match="restricted/ice"):
        texts(subset="usa")
    corpus({f"{USA}/x": ""})
    with pytest.raises(ScenarioError, match="no folder restricted/ice/ICE-USA/Corpus.*www.ice-corpora"):
        texts(subset="usa")


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"subset": "us"}, "Did you mean 'usa'"),
        ({"gender": "men"}, "gender takes one of male, female"),
        ({"category": "T"}, "category takes one of all, S"),
        ({"subset": "ja", "gender": "male"}, "genders are known for the subsets can, hk, ind, usa, not for 'ja'"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(arguments, message):
    with pytest.raises(ConfigError, match=message):
        ICEScenario(**arguments)
