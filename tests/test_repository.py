"""Files of the repository that nothing else reads agree with those that do."""

import configparser
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
MAKEFILE = (ROOT / "Makefile").read_text()


def test_the_citation_names_the_version():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (citation["version"], citation["license"]) == (setup["metadata"]["version"], setup["metadata"]["license"])


@pytest.mark.parametrize("path", [".ci/run", ".github/workflows/ci.yml", "CONTRIBUTING.md", "README.md"])
def test_targets_that_are_named_exist(path):
    named = set(re.findall(r"\bmake ([a-z-]+)\b", "\n".join(_code_lines((ROOT / path).read_text()))))
    assert named
    assert {target for target in named if not re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)} == set()


def _code_lines(text: str) -> list[str]:
    """Lines that are commands, or name them in backquotes."""
    return [line for line in text.splitlines() if re.match(r"\s*(- run: |exec )?make |^    make |.*`make ", line)]


def test_every_target_that_help_shows_is_phony():
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    shown = re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE)
    assert phony and set(shown) <= set(phony[1].split())


def test_the_makefile_names_tests_that_exist():
    named = re.findall(r"\btests/\S+\.py\b", MAKEFILE)
    assert len(named) > 20 and len(set(named)) == len(named)
    assert [path for path in named if not any(ROOT.glob(path))] == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github").rglob("*.yml")) + [ROOT / ".pre-commit-config.yaml"], ids=lambda path: path.name
)
def test_yaml_of_hosted_services_can_be_read(path):
    assert yaml.safe_load(path.read_text())


def test_every_folder_of_examples_says_what_it_is():
    folders = [path for path in (ROOT / "examples").iterdir() if path.is_dir() and path.name != "__pycache__"]
    index = (ROOT / "examples" / "README.md").read_text()
    for folder in folders:
        assert (folder / "README.md").exists(), folder
        assert f"]({folder.name})" in index, folder
