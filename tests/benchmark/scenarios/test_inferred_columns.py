"""Columns of CSV files have the types that pandas infers (expected values: pandas 2.3)."""

import pytest

from helm.benchmark.scenarios.inferred_columns import infer_texts, read_rows
from helm.common.errors import ScenarioError
from helm.common.random_draws import pandas_sample


@pytest.mark.parametrize(
    "cells, expected",
    [
        (["5", "6"], ["5", "6"]),
        (["5", ""], ["5.0", "nan"]),
        (["5", "6.50"], ["5.0", "6.5"]),
        (["007", "-5", "+3", " 2 "], ["7", "-5", "3", "2"]),
        (["True", "FALSE"], ["True", "False"]),
        (["true", ""], ["True", "nan"]),
        (["True", "1"], ["True", "1"]),
        (["a", "NA", "None", "null"], ["a", "nan", "nan", "nan"]),
        (["", "NA"], ["nan", "nan"]),
        (["$1", "2"], ["$1", "2"]),
        (["1e5", "1E-7", "1e22"], ["100000.0", "1e-07", "1e+22"]),
        (["inf", "-Infinity"], ["inf", "-inf"]),
        (["9223372036854775808", "1"], ["9223372036854775808", "1"]),
        (["99999999999999999999", "1.5"], ["99999999999999999999", "1.5"]),
        (["1.5", "99999999999999999999"], ["1.5", "1.0000000000000002e+20"]),
        (["18446744073709551615", "-1"], ["18446744073709551615", "-1"]),
        (["0.1234567890123456789", "1"], ["0.1234567890123456", "1.0"]),
        (["9e309", "1"], ["9e309", "1"]),
        ([".5", "5."], ["0.5", "5.0"]),
        (["1_0", "1"], ["1_0", "1"]),
        ([], []),
    ],
)
def test_the_texts_of_a_column(cells, expected):
    assert infer_texts(cells) == expected


def test_a_row_of_another_length_is_named(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match="t.csv, line 3: 1 cells, but the header has 2"):
        read_rows(str(path))


def test_rows_know_their_line(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,"x\ny"\n\n2,\n', encoding="utf-8")
    rows = read_rows(str(path))
    assert [row.cells for row in rows] == [{"a": "1", "b": "x\ny"}, {"a": "2", "b": "nan"}]
    assert rows[1].where.endswith("line 5")


def test_samples_are_those_of_pandas():
    assert pandas_sample(25, round(0.1 * 25), 1234) == [7, 16]
    assert pandas_sample(0, 0, 1) == []
