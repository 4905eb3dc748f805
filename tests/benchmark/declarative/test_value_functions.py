"""Value functions, one by one; texts over columns; conditions."""

import pytest

from helm.benchmark.declarative.conditions import compile_row_test, matches_parameters
from helm.benchmark.declarative.entry_rows import Test as Condition
from helm.benchmark.declarative.templates import (
    MissingColumn,
    TemplateError,
    Variables,
    compile_text,
    get_column,
    single_column,
)
from helm.benchmark.declarative.value_functions import (
    Context,
    FunctionError,
    ValueProblem,
    check_functions,
    compile_functions,
    names,
)

CONTEXT = Context({"label": ["no", "yes"]}, lambda name: {"a": "A", "else": "?"})

CASES = [
    (["strip"], "  a b ", "a b"),
    ([{"strip": "x"}], "xxaxx", "a"),
    (["lstrip"], " a ", "a "),
    ([{"lstrip": "."}], "..a.", "a."),
    (["rstrip"], " a ", " a"),
    ([{"rstrip": '"'}, {"rstrip": None}], 'a "', "a"),
    (["lower"], "AbÉ", "abé"),
    (["upper"], "ab", "AB"),
    (["capitalize"], "aBC d", "Abc d"),
    (["upper_first"], "aBC d", "ABC d"),
    (["lower_first"], "ABC", "aBC"),
    (["collapse_whitespace"], " a \n\t b ", "a b"),
    (["to_int"], "7", 7),
    (["to_int"], 7.0, 7),
    (["to_float"], "0.5", 0.5),
    (["to_string"], True, "True"),
    (["to_string"], None, "None"),
    (["json_dump"], [["a", "é"], [1]], '[["a", "\\u00e9"], [1]]'),
    (["parse_json"], '{"a": [1]}', {"a": [1]}),
    (["parse_literal"], "['a', (1, None)]", ["a", (1, None)]),
    (["words"], " one  two ", 2),
    (["length"], [1, 2], 2),
    (["length"], None, 0),
    (["lines"], "a\nb", ["a", "b"]),
    (["letter_index"], "c", 2),
    (["flatten"], [["a", ["b"]], "c"], ["a", "b", "c"]),
    (["flatten"], "a", ["a"]),
    (["unique"], ["b", "a", "b"], ["b", "a"]),
    (["keys"], {"a": 1}, ["a"]),
    (["values"], {"a": 1}, [1]),
    (["drop_empty"], ["a", "", None, " "], ["a", " "]),
    (["drop_blank"], ["a", "", None, " "], ["a"]),
    (["ratio"], ["1", 4], 0.25),
    (["ratio"], [1, 0], None),
    (["to_rows"], {"a": [1, 2], "b": [3, 4]}, [{"a": 1, "b": 3}, {"a": 2, "b": 4}]),
    ([{"append": "."}], "a", "a."),
    ([{"prepend": "- "}], "a", "- a"),
    ([{"ensure_suffix": "?"}], "a?", "a?"),
    ([{"ensure_prefix": "Q"}], "a", "Qa"),
    ([{"remove_suffix": "?"}], "a??", "a?"),
    ([{"remove_prefix": "a"}], "ab", "b"),
    ([{"split": ", "}], "a, b", ["a", "b"]),
    ([{"before": "-"}], "a-b-c", "a"),
    ([{"after": "-"}], "a-b-c", "b-c"),
    ([{"replace": ["a", "b"]}], "aa", "bb"),
    ([{"replace": [["a", "b"], ["b", "c"]]}], "ab", "cc"),
    ([{"join": "; "}], ["a", 1, None], "a; 1; "),
    ([{"map": {"0": "zero", "1": "one"}}], 1, "one"),
    ([{"map": "table"}], "b", "?"),
    ([{"each": ["strip", "upper"]}], [" a", "b "], ["A", "B"]),
    ([{"item": -1}], [1, 2], 2),
    ([{"item": 5}], [1, 2], None),
    ([{"item": "a"}], {"a": 1}, 1),
    ([{"slice": [1, None]}], [1, 2, 3], [2, 3]),
    ([{"slice": [None, 2]}], "abc", "ab"),
    ([{"pluck": "a.b"}], [{"a": {"b": 1}}, {}], [1, None]),
    ([{"first_where": {"rank": 1}}, {"item": "text"}], [{"rank": 2}, {"rank": "1", "text": "x"}], "x"),
    ([{"first_where": {"rank": 1}}], [{"rank": 2}], None),
    (
        [{"where": {"rank": 1}}, {"pluck": "text"}],
        [{"rank": 2}, {"rank": "1", "text": "x"}, {"rank": 1, "text": "y"}],
        ["x", "y"],
    ),
    ([{"where": {"rank": 1}}], [{"rank": 2}], []),
    ([{"default": "?"}], "", "?"),
    ([{"truncate_words": 2}], " a  b c", "a b"),
    ([{"truncate_words": None}], " a  b", " a  b"),
    ([{"regex_replace": [r"(\d)", r"<\1>"]}], "a1", "a<1>"),
    ([{"regex_split": r"\d"}], "a1b", ["a", "b"]),
    ([{"regex_extract": r"(\d+) km"}], "is 12 km", "12"),
    ([{"regex_extract": r"\d+"}], "none", None),
    ([{"regex_find_all": r"\d"}], "a1b2", ["1", "2"]),
    ([{"add": 1}], "4", 5),
    ([{"format": "{a}-{b.c}"}], {"a": 1, "b": {"c": 2}}, "1-2"),
    ([{"format": "<{value}>"}], "x", "<x>"),
    (["class_label"], 1, "yes"),
    (["class_label"], -1, None),
]


@pytest.mark.parametrize("functions, value, expected", CASES, ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES)])
def test_a_value_function_gives(functions, value, expected):
    assert check_functions(functions) is None
    assert compile_functions(functions, CONTEXT, "label")(value) == expected


def test_every_value_function_has_a_case():
    tested = {next(iter(f)) if isinstance(f, dict) else f for functions, _, _ in CASES for f in functions}
    assert tested == set(names())


@pytest.mark.parametrize("name", ["strip", "lower", "words", "parse_json", "to_int", "letter_index"])
def test_null_stays_null(name):
    assert compile_functions([name], CONTEXT)(None) is None


@pytest.mark.parametrize(
    "functions, value",
    [
        (["to_int"], "x"),
        (["to_int"], "1.5"),
        (["to_float"], "nan"),
        (["to_float"], "inf"),
        (["parse_json"], "{"),
        (["parse_json"], "[" * 100000),
        (["parse_literal"], "__import__('os')"),
        (["letter_index"], "AB"),
        (["letter_index"], "5"),
        ([{"map": {"a": 1}}], "b"),
        ([{"join": ","}], "text"),
        (["keys"], [1]),
        (["class_label"], 2),
        (["class_label"], "1"),
        ([{"item": "a"}], [1]),
    ],
)
def test_what_a_function_cannot_take_is_a_problem_of_the_row(functions, value):
    with pytest.raises(ValueProblem):
        compile_functions(functions, CONTEXT, "label")(value)


@pytest.mark.parametrize("function", [{"replace": ["a"]}, {"replace": 5}, {"regex_replace": ["(", "x"]}, {"append": 1}])
def test_a_wrong_argument_is_a_problem_of_the_entry(function):
    with pytest.raises(FunctionError, match="cannot take"):
        compile_functions([function], CONTEXT)


def test_a_column_without_classes_is_a_problem_of_the_entry():
    with pytest.raises(FunctionError, match="no classes for the column 'other'. Columns with classes: label"):
        compile_functions(["class_label"], CONTEXT, "other")


# ---- Texts and columns

ROW = {"a": "x", "b": {"c": [1, {"d": None}]}, "e.f": 2, "0": "first", "_columns": ["first", "last"], "n": True}


@pytest.mark.parametrize(
    "text, expected",
    [
        ("plain", "plain"),
        ("{a}", "x"),
        ("<{a}|{b.c.0}>", "<x|1>"),
        ("{b.c.1.d}", ""),
        ("{e.f}", "2"),
        ("{0} {-1}", "first last"),
        ("{{a}} {n}", "{a} True"),
        ("{b.c.1.d.deeper}", ""),
    ],
)
def test_a_text_is_filled_from_the_row(text, expected):
    assert compile_text(text)(ROW) == expected


@pytest.mark.parametrize("column", ["x", "a.b", "b.c.2", "b.x", "5", "-3", "e.g"])
def test_a_missing_column_is_named(column):
    with pytest.raises(MissingColumn, match=f"there is no column '{column}'"):
        get_column(ROW, column)


@pytest.mark.parametrize("text", ["{", "}", "{}", "{ }", "a{b", "{a{b}}"])
def test_an_unreadable_text_is_refused(text):
    with pytest.raises(TemplateError):
        compile_text(text)


def test_a_single_column_is_told_from_a_text():
    assert single_column("{a b}") == "a b"
    assert single_column("{a}.") is None


# ---- ${...}


@pytest.fixture
def variables():
    table = {"x_y": {"k": [1, 2]}, "z": "Z"}
    return Variables({"a": "x_y", "n": 5, "t": table, "none": None}, lambda name, value: f"{name}={value}")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("${n}", 5),
        ("${none}", None),
        ("n=${n}", "n=5"),
        ("${a.spaces}", "x y"),
        ("${a.upper}!", "X_Y!"),
        ("${a.lookup}", "a=x_y"),
        ("${t.z}", "Z"),
        ("${t.${a}.k.1}", 2),
        ("${ n }", 5),
        ("$n {n}", "$n {n}"),
    ],
)
def test_variables_are_filled_in(variables, text, expected):
    assert variables.fill(text) == expected


@pytest.mark.parametrize("text", ["${m}", "${", "${n", "${t.q}", "${t.x_y.k.7}", "${a.shout}", "${t.${m}}"])
def test_an_unknown_variable_is_an_error(variables, text):
    with pytest.raises(TemplateError):
        variables.fill(text)


def test_variables_in_mappings_and_lists_are_filled_in_keys_too(variables):
    assert variables.fill_all({"${t.z}": ["${n}", {"b": "${a}"}]}) == {"Z": [5, {"b": "x_y"}]}


# ---- Conditions


@pytest.mark.parametrize(
    "condition, value, holds",
    [
        ({"eq": 5}, "5", True),
        ({"eq": "True"}, True, True),
        ({"eq": None}, None, True),
        ({"eq": ""}, None, False),
        ({"ne": "a"}, "b", True),
        ({"in_": ["a", 1]}, 1, True),
        ({"not_in": ["a"]}, "a", False),
        ({"gte": 0.5}, "0.5", True),
        ({"gte": 0.5}, None, False),
        ({"gte": 0.5}, "text", False),
        ({"gt": 1, "lt": 3}, 2, True),
        ({"lte": 1}, 2, False),
        ({"not_null": True}, "", True),
        ({"not_null": False}, None, True),
        ({"not_empty": True}, float("nan"), False),
        ({"not_empty": True}, [], False),
        ({"not_blank": True}, " ", False),
        ({"starts_with": "a"}, "ab", True),
        ({"contains": "b"}, "abc", True),
        ({"contains": "b"}, ["a", "b"], True),
        ({"not_contains": ["x", "b"]}, "abc", False),
        ({"matches": r"^\d+$"}, 12, True),
        ({"do": ["words"], "lte": 2}, "a b c", False),
    ],
    ids=str,
)
def test_a_condition_holds_or_not(condition, value, holds):
    assert compile_row_test(Condition(field="x", **condition), CONTEXT)({"x": value}) is holds


def test_an_absent_column_is_null_only_where_null_is_asked_for():
    assert compile_row_test(Condition(field="x", not_empty=True), CONTEXT)({}) is False
    with pytest.raises(MissingColumn):
        compile_row_test(Condition(field="x", eq=1), CONTEXT)({})


@pytest.mark.parametrize(
    "wanted, holds",
    [
        ({"a": "x"}, True),
        ({"a": ["y", "x"]}, True),
        ({"param": "a", "eq": "y"}, False),
        ({"flag": "true"}, True),
        ({"flag": True, "a": "y"}, False),
        ({"none": None}, True),
        ({"a": None}, False),
    ],
)
def test_parameters_match(wanted, holds):
    assert matches_parameters(wanted, {"a": "x", "flag": True, "none": None}) is holds
