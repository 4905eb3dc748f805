"""The parser of command lines that offers the nearest name."""

import pytest

from helm.common.commands.arguments import SuggestingArgumentParser


@pytest.fixture
def parser():
    parser = SuggestingArgumentParser(prog="prog")
    parser.add_argument("--verbose", action="store_true")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    build = verbs.add_parser("build")
    build.add_argument("--output", required=True)
    build.add_argument("--kind", choices=["fast", "small"])
    verbs.add_parser("clean")
    return parser


@pytest.mark.parametrize(
    ("words", "hints", "error"),
    [
        (["biuld"], ["biuld: did you mean build?"], "prog: error: argument VERB: invalid choice: 'biuld' ("),
        (
            ["--verbsoe", "clean"],
            ["--verbsoe: did you mean --verbose?"],
            "prog: error: unrecognized arguments: --verbsoe",
        ),
        (
            ["build", "--outptu", "x"],
            ["--outptu: did you mean --output?"],
            "prog build: error: the following arguments are required: --output",
        ),
        (
            ["build", "--output", "x", "--knid=fast", "--verbsoe"],
            ["--knid: did you mean --kind?"],
            "prog build: error: unrecognized arguments: --knid=fast --verbsoe",
        ),
        (
            ["build", "--output", "x", "--kind", "fats"],
            ["fats: did you mean fast?"],
            "prog build: error: argument --kind: invalid choice: 'fats' (",
        ),
        (["build", "--output", "x", "--qqqqqq"], [], "prog build: error: unrecognized arguments: --qqqqqq"),
        (
            ["build", "--output", "x", "--out-put"],
            ["--out-put: did you mean --output?"],
            "prog build: error: unrecognized arguments: --out-put",
        ),
        (["build", "--output", "x", "--", "--outptu"], [], "prog build: error: unrecognized arguments: -- --outptu"),
    ],
)
def test_usage_errors_are_those_of_argparse_after_the_nearest_name_if_there_is_one(parser, capsys, words, hints, error):
    with pytest.raises(SystemExit) as exit_:
        parser.parse_args(words)
    assert exit_.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines[1:-1] if "did you mean" in line] == hints
    assert lines[-1].startswith(error) and (error.endswith("(") or lines[-1] == error)


def test_the_usage_shown_is_that_of_the_verb(parser, capsys):
    with pytest.raises(SystemExit):
        parser.parse_args(["build", "--output", "x", "--knid", "fast"])
    assert capsys.readouterr().err.startswith("usage: prog build ")


def test_what_is_right_is_parsed_and_flags_may_be_cut_short(parser):
    assert parser.parse_args(["build", "--out", "x"]).output == "x"
