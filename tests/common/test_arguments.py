"""The parser of command lines that offers the nearest name."""

import pytest

from helm.common.arguments import SuggestingArgumentParser


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
    ("words", "end"),
    [
        (["biuld"], "Did you mean 'build'?"),
        (["--verbsoe", "clean"], "Did you mean '--verbose'?"),
        (["build", "--outptu", "x"], "are required: --output. Unknown flag '--outptu'. Did you mean '--output'?"),
        (["build", "--output", "x", "--knid=fast"], "unrecognized arguments: --knid=fast. Unknown flag '--knid'."),
        (["build", "--output", "x", "--kind", "fats"], "Did you mean 'fast'?"),
        (["build", "--output", "x", "--qqqqqq"], "unrecognized arguments: --qqqqqq"),
        (["build", "--output", "x", "--", "--outptu"], "unrecognized arguments: -- --outptu"),
    ],
)
def test_usage_errors_end_with_the_nearest_name_if_there_is_one(parser, capsys, words, end):
    with pytest.raises(SystemExit) as exit_:
        parser.parse_args(words)
    assert exit_.value.code == 2
    last = capsys.readouterr().err.rstrip()
    assert last.removesuffix(" Did you mean '--kind'?").endswith(end)


def test_the_usage_shown_is_that_of_the_verb(parser, capsys):
    with pytest.raises(SystemExit):
        parser.parse_args(["build", "--output", "x", "--knid", "fast"])
    assert capsys.readouterr().err.startswith("usage: prog build ")


def test_what_is_right_is_parsed_and_flags_may_be_cut_short(parser):
    assert parser.parse_args(["build", "--out", "x"]).output == "x"
