from typing import Any

from helm.compiler_gym.backends import gcc_options
from helm.compiler_gym.backends.gcc import OBJECT_WORDS
from helm.compiler_gym.backends.gcc_options import ABSENT, get_option_words, get_space_size, make_actions, parse_options
from vectors_support import vector_cases


def _describe(option: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"class": type(option).__name__, "str": str(option), "len": len(option)}
    found.update(first=option[0], last=option[len(option) - 1])
    for name in ("name", "values", "min", "max", "no_fno"):
        if hasattr(option, name) and not (name == "name" and isinstance(option, gcc_options.GccOOption)):
            value = getattr(option, name)
            found[name] = list(value) if isinstance(value, tuple) else value
    return found


def test_vector_gcc_options_actions_and_command_lines():
    for case in vector_cases("compiler-gym/gcc_options.json"):
        options = parse_options(case["help_optimize"], case["help_param"])
        assert [_describe(option) for option in options] == case["options"], case["id"]
        assert str(get_space_size(options)) == case["space_size"], case["id"]
        actions = make_actions(options)
        assert [action.name for action in actions] == case["actions"], case["id"]
        choices = [ABSENT] * len(options)
        for step in case["walk"]:
            action = actions[step["action"]]
            assert action.name == step["name"], case["id"]
            index = action.option_index
            choices[index] = action.apply(choices[index], len(options[index]))
            assert choices == step["choices"], (case["id"], step["name"])
            assert [*get_option_words(options, choices), *OBJECT_WORDS] == step["arguments"], (case["id"], step["name"])


def test_an_option_that_no_rule_knows_is_left_out():
    help_optimize = "The following options\n  -fa\n  -fexcess-precision=[fast|standard|16]\n  -gstatement-frontiers\n"
    assert [str(option) for option in parse_options(help_optimize, "\n")] == ["-fa"]


def test_a_range_has_no_setting_outside_its_bounds():
    option = gcc_options.GccParamIntOption("x", 3, 5)
    assert [option[i] for i in range(len(option))] == ["--param=x=3", "--param=x=4", "--param=x=5"]
    for choice in (-1, 3):
        try:
            option[choice]
        except IndexError:
            continue
        raise AssertionError(choice)
