"""Every name that plugins, wrapper scripts and configuration import keeps its path, its value and its signature.

`public_api.txt` lists them, as HELM 0.5.16 has them: a module on each line that is not indented, below it its names with the
parameters of functions, constructors and methods (`...`: a default that is no plain value), and the values of constants.
What is here may take further parameters behind those, if they have defaults.
"""

import ast
import configparser
import importlib
import inspect
from pathlib import Path

import pytest

TABLE = Path(__file__).parent / "public_api.txt"


def read_table():
    """Module -> its lines."""
    table = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            table[module].append(line.strip())  # noqa: F821
        else:
            module = line
            table[module] = []
    return table


PUBLIC = read_table()


def find(module, dotted_name):
    found = module
    for part in dotted_name.split("."):
        found = getattr(found, part)
    return found


def expected_parameters(text):
    """Of `name(a, b=1, *c, **d)`: the `ast.arguments`."""
    return ast.parse(f"def promised({text.partition('(')[2]}: pass").body[0].args


def problems(promise, found):
    """How the signature of `found` breaks the promised one."""
    expected = expected_parameters(promise)
    parameters = dict(inspect.signature(found).parameters)
    positional = [p for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    names = [argument.arg for argument in expected.args]
    is_method = "." in promise.partition("(")[0]
    if is_method and names[:1] == ["self"] and not (positional and positional[0].name == "self"):
        names = names[1:]  # a static method serves calls through an object as well
        expected.args = expected.args[1:]
    defaults = [None] * (len(expected.args) - len(expected.defaults)) + list(expected.defaults)
    if [p.name for p in positional[: len(names)]] != names:
        yield f"takes {[p.name for p in positional]}, promised {names}"
        return
    for parameter, default in zip(positional, defaults, strict=False):
        if default is None:
            continue
        if parameter.default is parameter.empty:
            yield f"'{parameter.name}' has no default any more"
        elif not (isinstance(default, ast.Constant) and default.value is Ellipsis):
            if parameter.default != ast.literal_eval(default):
                yield f"'{parameter.name}' defaults to {parameter.default!r}, promised {ast.unparse(default)}"
    for name in [argument.arg for argument in expected.kwonlyargs]:
        if name not in parameters:
            yield f"has no '{name}'"
    further = positional[len(names) :] + [p for p in parameters.values() if p.kind is p.KEYWORD_ONLY]
    allowed = {argument.arg for argument in expected.kwonlyargs}
    yield from (f"'{p.name}' is required" for p in further if p.default is p.empty and p.name not in allowed)
    if expected.kwarg and not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        yield "takes no **kwargs any more"


@pytest.mark.parametrize("module_name", PUBLIC)
def test_public_names_keep_path_value_and_signature(module_name):
    module = importlib.import_module(module_name)
    wrong = []
    for promise in PUBLIC[module_name]:
        name = promise.partition("(")[0].partition(" = ")[0]
        try:
            found = find(module, name)
        except AttributeError:
            wrong.append(f"{name} is gone")
            continue
        if " = " in promise and "(" not in promise.partition(" = ")[0]:
            value = ast.literal_eval(promise.partition(" = ")[2])
            if found != value:
                wrong.append(f"{name} is {found!r}, promised {value!r}")
        elif "(" in promise:
            wrong += [f"{promise}: {problem}" for problem in problems(promise, found)]
    assert PUBLIC[module_name], "no names: is the table damaged?"
    assert not wrong, "\n".join(wrong)


def test_the_check_of_signatures_sees_what_would_break_a_caller():
    def call(a, b=1, *, c=2):
        pass

    assert list(problems("call(a, b=1)", call)) == []
    assert list(problems("call(a, b)", call)) == []
    assert "promised 3" in next(problems("call(a, b=3)", call))
    assert "promised ['b']" in next(problems("call(b)", call))
    assert "'a' is required" in next(problems("call()", call))
    assert "no **kwargs" in next(problems("call(a, **more)", call))


COMMANDS = {
    "helm-run": "helm.benchmark.run:main",
    "helm-summarize": "helm.benchmark.presentation.summarize:main",
}


def test_console_scripts_are_defined_and_importable():
    setup = configparser.ConfigParser()
    setup.read(Path(__file__).parent.parent / "setup.cfg", encoding="utf-8")
    lines = setup["options.entry_points"]["console_scripts"].strip().splitlines()
    scripts = dict(line.replace(" ", "").split("=", 1) for line in lines)
    assert COMMANDS.items() <= scripts.items()
    for command, target in scripts.items():
        module, _, function = target.partition(":")
        assert callable(getattr(importlib.import_module(module), function)), command


def test_a_runner_has_the_attributes_that_its_replacements_use(tmp_path):
    from helm.benchmark.executing.execution import ExecutionSpec
    from helm.benchmark.runner import Runner
    from helm.common.authentication import Authentication

    spec = ExecutionSpec(url=None, auth=Authentication(""), local_path=str(tmp_path / "env"), parallelism=1)
    runner = Runner(spec, str(tmp_path / "out"), "suite", False, False, False, True, False)
    services = "executor annotator_executor tokenizer_service metric_service".split()
    paths = "output_path instances_path runs_path eval_cache_path".split()
    flags = {"dry_run": False, "skip_instances": False, "cache_instances": False, "cache_instances_only": False}
    flags.update(skip_completed_runs=True, exit_on_error=False)
    assert all(getattr(runner, name) is not None for name in services)
    assert all(str(getattr(runner, name)).startswith(str(tmp_path)) for name in paths)
    assert {name: getattr(runner, name) for name in flags} == flags
