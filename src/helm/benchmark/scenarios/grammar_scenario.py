"""Every text that a small context-free grammar derives."""

import os

from helm.benchmark.scenarios.grammar import generate_derivations, get_tags, get_values, read_grammar
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario
from helm.common.general import ensure_file_downloaded

_SHIPPED = ("best_chatgpt_prompts.yaml", "compositional_instructions.yaml")
_SHIPPED_URL = "https://raw.githubusercontent.com/stanford-crfm/helm/v0.5.16/src/helm/benchmark/scenarios/"


class GrammarScenario(Scenario):
    """Prompts derived from a grammar, without references.

    All derivations are test instances; the last category of a text varies fastest. A category without rules has no
    derivation (and logs a warning).

    Args:
        path: a YAML file, `rules:` with a list of `{category, expansions: [{text, tags}], tags}`; `${Name}` in a text
            can be replaced by any expansion of that category, and derivations start at `Root`. A relative path is
            looked up in the working directory; the two grammars that HELM ships are downloaded from its repository if
            they are not there.
        tags: comma-separated; only derivations with all of these tags are kept. Empty means all.

    Raises: ScenarioError, naming the file, for a malformed or recursive grammar, and one with more than a million
    derivations.
    """

    name = "grammar"
    description = "Scenarios based on a grammar"
    tags: list[str] = []

    def __init__(self, path: str, tags: str = ""):
        super().__init__()
        self.path = path
        self.tags = [tag for tag in tags.split(",") if tag]

    def get_instances(self, output_path: str) -> list[Instance]:
        return [
            Instance(Input(text="".join(get_values(derivation))), references=[], split=TEST_SPLIT)
            for derivation in generate_derivations(read_grammar(_find(self.path, output_path)))
            if set(self.tags) <= set(get_tags(derivation))
        ]


def _find(path: str, output_path: str) -> str:
    name = os.path.basename(path)
    if os.path.exists(path) or name not in _SHIPPED:
        return path
    copy = os.path.join(output_path, name)
    ensure_file_downloaded(source_url=_SHIPPED_URL + name, target_path=copy)
    return copy
