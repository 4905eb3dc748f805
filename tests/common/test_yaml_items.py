"""A long list in a YAML file, item by item."""

import pytest

from helm.common.errors import ConfigError
from helm.common.files import load_yaml
from helm.common.formats.yaml_items import YamlItems

TEXTS = {
    "plain": "defaults: {a: 1}\ntasks:\n  - {id: x, text: 'é'}\n  - id: y\n    when: 2020-01-01\n  - text\n  - [1, 2.5, null]\n",
    "list first": "tasks: [{id: x}]\nattacks: [{name: b}]\n",
    "anchors": "base: &base {a: 1, b: [2]}\ntasks:\n  - &one {<<: *base, c: 3}\n  - *one\n  - {<<: *one, a: 4}\nlast: *one\n",
    "no list": "tasks: 3\n",
    "null list": "tasks:\nother: 1\n",
    "other keys": "1: a\nnull: b\ntrue: c\n",
    "empty": "",
    "a list": "[1, 2]",
    "a text": "text",
    "merged": "base: &base {a: 1, tasks: [1, 2]}\n<<: *base\na: 2\n",
    "two lists": "tasks: [1]\na: 2\ntasks: [3, 4]\n",
    "a list, then none": "tasks: [1]\ntasks: 3\n",
    "end mark": "---\ntasks: [1]\n...\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_it_reads_what_the_loader_reads(name, tmp_path):
    path = str(tmp_path / "tasks.yaml")
    (tmp_path / "tasks.yaml").write_text(TEXTS[name], encoding="utf-8")
    whole = load_yaml(path)
    read = YamlItems(path, "tasks")
    rest, items = read.read_rest(), list(read)
    if isinstance(whole, dict) and isinstance(whole.get("tasks"), list):
        assert items == whole["tasks"] and rest == {**whole, "tasks": []} and list(rest) == list(whole)
    else:
        assert items == [] and rest == whole


@pytest.mark.parametrize(
    "text",
    ["tasks: [{a: 1}, {b: *none}]", "tasks: [1",
     "tasks:\n  - !!python/object/apply:os.system ['true']\n", "a: 1\n b: 2", "tasks: [{[1]: {}}]", "[1]: 2"],
    ids=["alias", "open", "object", "indentation", "key", "key of the file"],
)  # fmt: skip
def test_what_the_loader_refuses_is_refused_with_its_line(text, tmp_path):
    path = tmp_path / "tasks.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match="is not valid YAML"):
        load_yaml(str(path))
    with pytest.raises(ConfigError, match=r"(?s)tasks.yaml is not valid YAML.*line [123]"):
        read = YamlItems(str(path), "tasks")
        read.read_rest()
        list(read)
