"""Data files of every format, row by row."""

import gzip

import pytest

from helm.common.data.tables import TableError, format_of, iterate_table, read_table
from helm.common.errors import ConfigError


def write(path, body):
    path.write_bytes(body if isinstance(body, bytes) else body.encode())
    return str(path)


def test_texts(tmp_path):
    path = write(tmp_path / "a.txt", "one\r\n\ntwo \n")
    assert list(iterate_table(path)) == ["one", "", "two "]
    assert read_table(path, "text") == "one\r\n\ntwo \n"
    assert read_table(write(tmp_path / "b.txt", "é".encode("latin-1")), "text", encoding="latin-1") == "é"


def test_tables_with_and_without_header(tmp_path):
    path = write(tmp_path / "a.csv", 'x,y\n1,"a\nb"\n')
    assert read_table(path) == [{"x": "1", "y": "a\nb"}]
    assert read_table(path, header=False) == [["x", "y"], ["1", "a\nb"]]
    assert read_table(path, delimiter=";", header=False)[0] == ["x,y"]
    assert read_table(write(tmp_path / "a.tsv.gz", gzip.compress(b"x\ty\n1\t2\n"))) == [{"x": "1", "y": "2"}]


def test_long_fields_are_read(tmp_path):
    assert len(read_table(write(tmp_path / "a.csv", "x\n" + "a" * 500_000 + "\n"))[0]["x"]) == 500_000


def test_json_documents_and_lines(tmp_path):
    assert read_table(write(tmp_path / "a.json", '{"rows": [1]}')) == {"rows": [1]}
    assert list(iterate_table(write(tmp_path / "b.json", "[1, 2]"))) == [1, 2]
    assert read_table(write(tmp_path / "c.jsonl", '1\n\n{"a": "\u2028"}\n')) == [1, {"a": "\u2028"}]
    with pytest.raises(TableError, match="bad.json is not valid JSON"):
        read_table(write(tmp_path / "bad.json", "{"))


def test_excel_sheets(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["q", "a"])
    book.active.append(["one?", 1])
    book.active.append([None, None])
    book.create_sheet("more").append(["x"])
    path = str(tmp_path / "a.xlsx")
    book.save(path)
    assert read_table(path) == [{"q": "one?", "a": 1}]
    assert read_table(path, header=False, sheet="more") == [["x"]]
    with pytest.raises(TableError, match="no sheet 'mroe'. Did you mean 'more'"):
        read_table(path, sheet="mroe")


def test_parquet_files(tmp_path):
    from data_server import parquet_bytes

    path = write(tmp_path / "a.parquet", parquet_bytes([{"a": i, "b": {"c": [i]}} for i in range(7)]))
    assert read_table(path)[6] == {"a": 6, "b": {"c": [6]}}
    assert read_table(path, columns=["a"])[0] == {"a": 0}
    with pytest.raises(TableError, match="bad.parquet is not a Parquet file"):
        read_table(write(tmp_path / "bad.parquet", "no"))


def test_formats_that_are_not_known(tmp_path):
    assert format_of("a/b.JSONL.gz") == "jsonl" and format_of("b.pdf") is None
    with pytest.raises(ConfigError, match="its ending is not that of a known format"):
        read_table(write(tmp_path / "a.dat", ""))
    with pytest.raises(ConfigError, match="not 'jsnl'. Did you mean 'jsonl'"):
        read_table(str(tmp_path / "a.dat"), "jsnl")
