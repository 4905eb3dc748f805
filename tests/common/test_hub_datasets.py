"""Data sets of the Hub: which files hold a split, what their rows are, and that no script is run."""

import gzip
import json

import pytest

from data_server import Fault, data_server, jsonl_bytes, parquet_bytes, zstd_bytes
from helm.common.data.downloads import DownloadError, GatedDataError, OfflineError
from helm.common.data.hub_datasets import HubDatasetError, load_hub_split
from helm.common.data.hub_files import configurations, find_data_files, read_front_matter
from helm.common.data.tables import TableError
from helm.common.errors import ConfigError

ROWS = [{"question": "one?", "answer": 1}, {"question": "two?", "answer": 2}]
COMMIT = "3373e0b"


@pytest.fixture
def server(monkeypatch, tmp_path):
    with data_server() as server:
        for name in ("HELM_OFFLINE", "HF_HUB_OFFLINE", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {**server.environment(), "HF_HOME": str(tmp_path)}.items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.mark.parametrize("name, body", [
    ("data/test-00000-of-00001.parquet", parquet_bytes(ROWS)),
    ("test.jsonl", jsonl_bytes(ROWS)),
    ("test.jsonl.gz", gzip.compress(jsonl_bytes(ROWS), mtime=0)),
    ("my_dev_set.json", json.dumps(ROWS).encode()),
    ("validation/rows.json", jsonl_bytes(ROWS)),
    ("x/test_1.csv", b"question,answer\none?,1\ntwo?,2\n"),
    ("evaluation.tsv", b"question\tanswer\none?\t1\ntwo?\t2\n"),
    ("anything.json", json.dumps({"question": ["one?", "two?"], "answer": [1, 2]}).encode()),
])  # fmt: skip
def test_files_of_every_format_give_the_same_rows(server, tmp_path, name, body):
    server.add_dataset("owner/set", {name: body, "README.md": b"# Set\n"}, COMMIT)
    split = "validation" if "dev" in name or "valid" in name else "train" if "anything" in name else "test"
    found = load_hub_split("owner/set", split, revision=COMMIT, cache_dir=str(tmp_path))
    assert found.rows == ROWS
    assert list(found.rows[0]) == ["question", "answer"]
    assert found.commit.startswith(COMMIT) and found.files == [name]


def test_zstandard_is_read_too(server, tmp_path):
    server.add_dataset("owner/set", {"train.jsonl.zst": zstd_bytes(jsonl_bytes(ROWS))})
    assert load_hub_split("owner/set", "train", cache_dir=str(tmp_path)).rows == ROWS


def test_what_was_fetched_is_used_offline(server, tmp_path, monkeypatch):
    server.add_dataset("owner/set", {"train.jsonl": jsonl_bytes(ROWS)})
    load_hub_split("owner/set", "train", cache_dir=str(tmp_path))
    number = len(server.requests)
    monkeypatch.setenv("HELM_OFFLINE", "1")
    assert load_hub_split("owner/set", "train", cache_dir=str(tmp_path)).rows == ROWS
    assert len(server.requests) == number
    with pytest.raises(OfflineError, match="owner/other"):
        load_hub_split("owner/other", "train", cache_dir=str(tmp_path))


def test_a_revision_is_read_at_the_commit_it_names(server, tmp_path):
    server.add_dataset("owner/set", {"train.jsonl": jsonl_bytes(ROWS)}, "v1.0")
    server.add_dataset("owner/set", {"train.jsonl": jsonl_bytes(ROWS[:1])})
    assert len(load_hub_split("owner/set", "train", revision="v1.0", cache_dir=str(tmp_path))) == 2
    assert len(load_hub_split("owner/set", "train", cache_dir=str(tmp_path))) == 1


def test_a_repository_with_a_script_is_read_from_its_converted_copy(server, tmp_path):
    script = {"set.py": b"raise SystemExit\n", "train.jsonl": b"not what the script gives"}
    converted = {
        "first/train/0000.parquet": parquet_bytes(ROWS[:1], {"answer": ["zero", "one", "two"]}),
        "first/train/0001.parquet": parquet_bytes(ROWS[1:]),
        "second/test/0000.parquet": parquet_bytes(ROWS),
    }
    server.add_dataset("owner/set", script, COMMIT, converted)
    found = load_hub_split("owner/set", "train", config="first", revision=COMMIT, cache_dir=str(tmp_path))
    assert found.rows == ROWS
    assert found.class_labels == {"answer": ["zero", "one", "two"]}
    with pytest.raises(ConfigError, match="no configuration 'third', but first, second"):
        load_hub_split("owner/set", "train", config="third", revision=COMMIT, cache_dir=str(tmp_path))
    with pytest.raises(ConfigError, match="several configurations, so one must be named: first, second"):
        load_hub_split("owner/set", "train", revision=COMMIT, cache_dir=str(tmp_path))
    assert not any(path.endswith("set.py") for path in server.paths())


def test_a_script_without_a_converted_copy_is_an_error(server, tmp_path):
    server.add_dataset("owner/set", {"set.py": b"raise SystemExit\n"})
    with pytest.raises(HubDatasetError, match="made by a script, which is never run, and has no converted copy"):
        load_hub_split("owner/set", "train", cache_dir=str(tmp_path))


def test_data_files_and_data_dir_say_which_files(server, tmp_path):
    files = {"red/attempts.jsonl.gz": gzip.compress(jsonl_bytes(ROWS[:1])), "2needle.parquet": parquet_bytes(ROWS)}
    server.add_dataset("owner/set", files)
    options = {"path": "owner/set", "split": "train", "cache_dir": str(tmp_path)}
    assert load_hub_split(**options, data_files=["2needle.parquet"]).rows == ROWS
    assert load_hub_split(**options, data_dir="red").rows == ROWS[:1]
    with pytest.raises(ConfigError, match="no file that matches '3needle.parquet'.*Did you mean '2needle.parquet'"):
        load_hub_split(**options, data_files="3needle.parquet")
    with pytest.raises(ConfigError, match="no data files in the folder 'blue'"):
        load_hub_split(**options, data_dir="blue")


def test_class_labels_of_a_readme_number_the_names_of_text_files(server, tmp_path):
    readme = (
        "---\ndataset_info:\n  features:\n  - name: answer\n    dtype:\n      class_label:\n        names:\n"
        "          '0': 'no'\n          '1': 'yes'\n---\n"
    )
    server.add_dataset("owner/set", {"README.md": readme.encode(), "train.csv": b"q,answer\na,yes\nb,no\n"})
    found = load_hub_split("owner/set", "train", cache_dir=str(tmp_path))
    assert found.class_labels == {"answer": ["no", "yes"]}
    assert [row["answer"] for row in found] == [1, 0]


def test_missing_keys_are_none_at_every_depth(server, tmp_path):
    rows = [{"a": 1, "list": [{"x": 1}]}, {"b": 2, "list": [{"y": 2}, {}]}]
    server.add_dataset("owner/set", {"train.jsonl": jsonl_bytes(rows)})
    assert load_hub_split("owner/set", "train", cache_dir=str(tmp_path)).rows == [
        {"a": 1, "list": [{"x": 1, "y": None}], "b": None},
        {"a": None, "list": [{"x": None, "y": 2}, {"x": None, "y": None}], "b": 2},
    ]


def test_columns_of_csv_files_have_the_types_of_their_texts(server, tmp_path):
    text = 'i,f,m,t,b,u\n1,1.5,2,a,True,1_0\n-2,3,NA,"x, ""y""\nz",False,2\n'
    server.add_dataset("owner/set", {"train.csv": text.encode()})
    assert load_hub_split("owner/set", "train", cache_dir=str(tmp_path)).rows == [
        {"i": 1, "f": 1.5, "m": 2.0, "t": "a", "b": True, "u": "1_0"},
        {"i": -2, "f": 3.0, "m": None, "t": 'x, "y"\nz', "b": False, "u": "2"},
    ]


def test_a_split_that_is_not_there_is_named_with_those_that_are(server, tmp_path):
    server.add_dataset("owner/set", {"train.jsonl": b"{}", "test.jsonl": b"{}"})
    with pytest.raises(HubDatasetError, match="no split 'tset', but train, test. Did you mean 'test'"):
        load_hub_split("owner/set", "tset", cache_dir=str(tmp_path))


def test_bytes_that_are_not_those_the_hub_states_are_refused(server, tmp_path):
    name = "data/train-00000-of-00001.parquet"
    commit = server.add_dataset("owner/set", {name: parquet_bytes(ROWS)})
    server.add_fault(f"https://huggingface.co/datasets/owner/set/resolve/{commit}/{name}", Fault(body=b"else"), times=2)
    with pytest.raises(DownloadError, match="is not what was expected"):
        load_hub_split("owner/set", "train", cache_dir=str(tmp_path))


def test_gated_and_unknown_data_sets(server, tmp_path, monkeypatch):
    server.add_dataset("owner/set", {"train.jsonl": jsonl_bytes(ROWS)}, token="hf_mine")
    with pytest.raises(GatedDataError, match="Accept the terms at https://huggingface.co/datasets/owner/set, then"):
        load_hub_split("owner/set", "train", cache_dir=str(tmp_path))
    monkeypatch.setenv("HF_TOKEN", "hf_mine")
    assert load_hub_split("owner/set", "train", cache_dir=str(tmp_path)).rows == ROWS
    with pytest.raises(DownloadError, match="there is no such data set for the owner of the token"):
        load_hub_split("owner/nothing", "train", cache_dir=str(tmp_path))


@pytest.mark.parametrize("answer, message", [
    (b"<html>", "did not answer with a list of files"),
    (b"{}", "did not answer with a list of files"),
    (b'{"sha": "../x", "siblings": []}', "names the commit '../x', which is not a commit"),
    (b'{"sha": "abc", "siblings": [{"rfilename": "../../x"}]}', "would lie outside of its folder"),
])  # fmt: skip
def test_answers_of_the_hub_are_not_trusted(server, tmp_path, answer, message):
    server.add_file("https://huggingface.co/api/datasets/owner/set/revision/main?blobs=true", answer)
    with pytest.raises(HubDatasetError, match=message):
        load_hub_split("owner/set", "train", cache_dir=str(tmp_path))


@pytest.mark.parametrize("body, message", [
    (b'{"a": 1}\n{"a": \n', r"train.jsonl, line 2: not valid JSON"), (b"[1]\n", "row 1 is not an object, but list"),
])  # fmt: skip
def test_broken_files_are_named_with_the_line(server, tmp_path, body, message):
    server.add_dataset("owner/set", {"train.jsonl": body})
    with pytest.raises(TableError, match=message):
        load_hub_split("owner/set", "train", cache_dir=str(tmp_path))


@pytest.mark.parametrize("names, expected", [
    (["data/a-00000-of-00002.parquet", "data/a-00001-of-00002.parquet", "data/b-00000-of-00001.parquet"],
     {"a": ["data/a-00000-of-00002.parquet", "data/a-00001-of-00002.parquet"], "b": ["data/b-00000-of-00001.parquet"]}),
    (["train.csv", "dev.csv", "eval.csv", "README.md"],
     {"train": ["train.csv"], "validation": ["dev.csv"], "test": ["eval.csv"]}),
    (["my_train_file.jsonl", "x/testing/1.jsonl"], {"test": ["x/testing/1.jsonl"]}),
    (["a/my_train.jsonl", "b/2_test.json"], {"train": ["a/my_train.jsonl"], "test": ["b/2_test.json"]}),
    (["test/dev.csv", "my-dev/x.csv", "train0.csv"], {"validation": ["my-dev/x.csv"], "test": ["test/dev.csv"]}),
    (["train.csv", "train_2.jsonl", "train_3.jsonl"], {"train": ["train_2.jsonl", "train_3.jsonl"]}),
    (["contest.csv", "latest.csv"], {"train": ["contest.csv", "latest.csv"]}),
    (["a.csv", "b.csv", "notes.txt", ".hidden/c.csv", "dataset_infos.json"], {"train": ["a.csv", "b.csv"]}),
    (["pictures.zip"], {}),
])  # fmt: skip
def test_splits_by_the_names_of_files(names, expected):
    assert find_data_files(names) == expected


def test_splits_of_different_formats_are_an_error():
    with pytest.raises(ConfigError, match=r"different formats \(train: csv, test: json\), so data_files must say"):
        find_data_files(["train.csv", "test.jsonl"])


def test_configurations_of_a_readme():
    readme = """---
configs:
- config_name: main
  data_files: gpqa_*.csv
- config_name: sharded
  data_dir: folder
  default: true
- config_name: splits
  data_files:
  - split: train
    path: ["a/**/tr*", "b.csv"]
  - split: test
    path: "{c,d}.csv"
---
"""
    known = configurations(read_front_matter(readme, "x"))
    names = ["gpqa_main.csv", "folder/test.csv", "a/1/2/tr.csv", "a/tr.csv", "b.csv", "c.csv", "d.csv"]
    assert [configuration.is_default for configuration in known.values()] == [False, True, False]
    assert find_data_files(names, known["main"]) == {"train": ["gpqa_main.csv"]}
    assert find_data_files(names, known["sharded"]) == {"test": ["folder/test.csv"]}
    assert find_data_files(names, known["splits"]) == {
        "train": ["a/1/2/tr.csv", "a/tr.csv", "b.csv"],
        "test": ["c.csv", "d.csv"],
    }
    with pytest.raises(ConfigError, match="not valid YAML"):
        read_front_matter("---\na: [\n---\n", "x")


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_some_rows_are_selected_by_position_in_the_order_asked_for(server, tmp_path, kind):
    first, second = [{"n": i} for i in range(5)], [{"n": i} for i in range(5, 9)]
    encode = parquet_bytes if kind == "parquet" else jsonl_bytes
    files = {f"data/train-0000{i}-of-00002.{kind}": encode(rows) for i, rows in enumerate([first, second])}
    server.add_dataset("owner/set", files, COMMIT)
    numbers = []

    def select(number):
        numbers.append(number)
        return [7, 0, 4, 5, 7]

    found = load_hub_split("owner/set", "train", revision=COMMIT, cache_dir=str(tmp_path), select=select)
    assert [row["n"] for row in found.rows] == [7, 0, 4, 5, 7] and numbers == [9]
