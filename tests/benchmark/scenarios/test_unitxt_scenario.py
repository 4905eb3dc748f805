"""Tasks of Unitxt; a module with its one function stands in for the library, which fetches from the Hub by itself."""

import sys
import types

import pytest

from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.scenarios.unitxt_scenario import UnitxtScenario
from helm.common.errors import ConfigError, ScenarioError

ROWS = {
    "train": [{"source": " q0 ", "target": "a", "references": ["a"]}],
    "validation": [{"source": "v", "target": "b", "references": ["b", "c"]}],
    "test": [
        {"source": "t0", "target": "t", "references": ["t "]},
        {"source": [{"role": "user", "content": "hi"}], "target": "t", "references": [3]},
    ],
    "other": [{"source": "o", "references": []}],
}


@pytest.fixture
def library(monkeypatch):
    calls = []
    module = types.ModuleType("unitxt")

    def load_dataset(*args, **kwargs):
        calls.append((args, kwargs))
        return module.rows

    module.rows, module.calls, module.load_dataset = ROWS, calls, load_dataset
    monkeypatch.setitem(sys.modules, "unitxt", module)
    return module


def test_rows_become_instances_with_the_ids_that_the_metric_looks_for(library):
    instances = UnitxtScenario(card="cards.a", template="templates.b").get_instances("unused")
    assert [
        (i.input.text, i.input.messages, [r.output.text for r in i.references], i.split, i.id) for i in instances
    ] == [
        (" q0 ", None, ["a"], "train", "train0"),
        ("t0", None, ["t "], "test", "test0"),
        ("", [{"role": "user", "content": "hi"}], ["3"], "test", "test1"),
        ("v", None, ["b", "c"], "valid", "validation0"),
    ]
    assert all(reference.is_correct for instance in instances for reference in instance.references)
    assert library.calls == [((), {"card": "cards.a", "template": "templates.b"})]


def test_a_recipe_is_given_as_it_is(library):
    UnitxtScenario(recipe="recipes.a").get_instances("unused")
    assert library.calls == [(("recipes.a",), {})]


def test_what_cannot_be_used_is_an_error(library):
    library.rows = {"other": []}
    with pytest.raises(ScenarioError, match="no rows in the splits train, test, validation"):
        UnitxtScenario(card="c").get_instances("unused")
    library.rows = {"test": [{"source": "s"}]}
    with pytest.raises(ScenarioError, match="row 0 of split test .* has no references"):
        UnitxtScenario(card="c").get_instances("unused")
    with pytest.raises(ScenarioError, match="a recipe, or a card and a template"):
        UnitxtScenario()


def test_a_missing_library_says_which_extra_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "unitxt", None)
    with pytest.raises(Exception, match="unitxt"):
        UnitxtScenario(card="c").get_instances("unused")


def test_the_run_spec_hands_on_whatever_a_recipe_takes():
    function = get_run_spec_function("unitxt")
    run_spec = function(card="cards.wnli", template="templates.x", num_demos=3)
    assert run_spec.name == "unitxt:card=cards.wnli,template=templates.x,num_demos=3"
    arguments = {"card": "cards.wnli", "template": "templates.x", "num_demos": 3}
    assert run_spec.scenario_spec.args == run_spec.metric_specs[0].args == arguments
    assert run_spec.groups == ["unitxt_cards.wnli"]
    assert function(recipe="recipes.a").groups == ["unitxt_recipes.a"]
    with pytest.raises(ConfigError, match="card"):
        function(template="templates.x")
