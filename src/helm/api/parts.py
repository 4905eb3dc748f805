"""The decorators that make parts of evaluations from functions: `helm.scenario`, `helm.metric`, `helm.model`.

A decorated function stays what it was, and can be called as before; the decorator notes on it how it is used.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from helm.api.traits import ScenarioTraits
from helm.common.errors import ConfigError, suggest
from helm.common.live_functions import short_name

F = TypeVar("F", bound=Callable[..., Any])


@overload
def scenario(function: F) -> F: ...
@overload
def scenario(
    *,
    name: str | None = None,
    instructions: str = "",
    metrics: Sequence[Callable[..., Any]] = (),
    max_tokens: int | None = None,
    stop_sequences: Sequence[str] = (),
) -> Callable[[F], F]: ...
def scenario(
    function: Any = None,
    *,
    name: str | None = None,
    instructions: str = "",
    metrics: Sequence[Callable[..., Any]] = (),
    max_tokens: int | None = None,
    stop_sequences: Sequence[str] = (),
) -> Any:
    """Make a task of a function that returns or yields rows.

    A row is a dict with `input`, and optionally `target` (a text, or a list of acceptable ones), `choices` (which makes it a
    multiple-choice question), `id` and `split`; whatever else it has is available to metrics as `extra`. The task is evaluated
    with `helm.evaluate(function, model)`. Its name is also that of a run spec, so `helm.evaluate("function:n=3", model)` and,
    for a function in a file, `helm-run -r function:n=3,model=... --plugins FILE` work as well; parameters of the function
    are arguments of the run spec.

    Args:
        function: The function.
        name: The name of the task; the function's name by default.
        instructions: Text that precedes each question.
        metrics: Functions that score the answers (see `helm.metric`). The first one gives the headline score. Exact matches
            with the target are always computed.
        max_tokens: The most tokens of an answer; 1024 by default, and 16 for multiple-choice questions.
        stop_sequences: An answer ends before the first of these.

    Raises:
        ConfigError: Something else has this name.

    Example:
        ```python
        @helm.scenario
        def sums(n: int = 10):
            for i in range(n):
                yield {"input": f"{i} + {i} =", "target": str(2 * i)}

        helm.evaluate(sums, lambda prompt: str(2 * int(prompt.split()[0])))
        ```
    """

    def decorate(function: F) -> F:
        traits = ScenarioTraits(
            name or short_name(function), instructions, max_tokens, tuple(stop_sequences), tuple(metrics)
        )
        function.__helm_scenario__ = traits  # type: ignore[attr-defined]
        _register(function, traits.name)
        return function

    return decorate if function is None else decorate(function)


def _register(function: Callable[..., Any], name: str) -> None:
    """Make the function a run spec of that name."""
    from helm.api.functions import function_run_spec
    from helm.benchmark.run_spec import RunSpec, redefine_run_spec_function

    def recipe(**args: Any) -> RunSpec:
        return function_run_spec(function, args)

    recipe.__doc__ = function.__doc__
    try:
        annotations = dict(getattr(function, "__annotations__", {}))
    except NameError:  # of names for type checkers only, which Python 3.14 looks up now
        annotations = {}
    recipe.__annotations__ = {name: hint for name, hint in annotations.items() if name != "return"}
    recipe.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    recipe.helm_function = function  # type: ignore[attr-defined]
    if not redefine_run_spec_function(name, recipe, lambda earlier: hasattr(earlier, "helm_function")):
        raise ConfigError(
            f"There is already a run spec '{name}'. Give the scenario another name: @helm.scenario(name=...)."
        )


@overload
def metric(function: F) -> F: ...
@overload
def metric(*, name: str | None = None, lower_is_better: bool = False, unit: str | None = None) -> Callable[[F], F]: ...
def metric(
    function: Any = None, *, name: str | None = None, lower_is_better: bool = False, unit: str | None = None
) -> Any:
    """Make a metric of a function that scores one answer.

    The function names what it needs in its parameters: `output` (the text of the answer; of a multiple-choice question the
    text of the choice), `target`, `targets`, `input`, `choices`, `thinking`, `extra`, `instance` or `request_state`. It returns
    a number, True or False, a dict of several named numbers, or None for no score. It is used with
    `helm.evaluate(..., metrics=[function])` or `@helm.scenario(metrics=[function])`.

    Args:
        function: The function.
        name: The name of the score; the function's name by default.
        lower_is_better: Whether smaller values are better.
        unit: The unit of the values, for example `s`.

    Raises:
        MetricError: The function has a parameter that stands for nothing.

    Example:
        ```python
        @helm.metric
        def is_short(output: str) -> bool:
            return len(output) < 80
        ```
    """

    def decorate(function: F) -> F:
        from helm.benchmark.metrics.function_metrics import MetricTraits, check_metric_function

        check_metric_function(function)
        function.__helm_metric__ = MetricTraits(name or short_name(function), lower_is_better, unit)  # type: ignore[attr-defined]
        return function

    return decorate if function is None else decorate(function)


@overload
def model(function: F) -> F: ...
@overload
def model(
    *, takes: str | None = None, batch_size: int | None = None, concurrency: int | None = None
) -> Callable[[F], F]: ...
def model(
    function: Any = None, *, takes: str | None = None, batch_size: int | None = None, concurrency: int | None = None
) -> Any:
    """Say how a function that stands for a model is called.

    Any function can be a model without it: `helm.evaluate(tasks, function)`. It gets the prompt and returns the answer, or, if
    its first parameter is annotated so, gets `list[dict]` (a chat), `list[str]` (a batch of prompts, for a list of answers) or
    `list[list[dict]]`. With parameters `max_tokens`, `temperature`, `top_p`, `stop` or `seed`, it gets these, too. It may be
    asynchronous.

    A function of a notebook or a script is another model once its code, defaults, attributes (of an object) or plain values
    from around it change, and then answers of an interrupted run are not continued. Lists and dicts around it, and
    global variables, are not looked at: give the function another name when you change these.

    Args:
        function: The function.
        takes: `text` or `messages`; None goes by the annotation.
        batch_size: The most prompts in a batch; None goes by the annotation, and then it is 32.
        concurrency: How many calls may run at the same time. By default `num_threads` of the call; without that, one, or 32
            for an asynchronous function.

    Raises:
        ConfigError: `takes` is something else, or a number is not positive.

    Example:
        ```python
        @helm.model(batch_size=8)
        def pipeline(prompts: list[str]) -> list[str]:
            return [generate(prompt) for prompt in prompts]
        ```
    """
    from dataclasses import replace

    from helm.clients.function_client import KINDS_OF_PROMPT, traits_of

    if takes is not None and takes not in KINDS_OF_PROMPT:
        raise ConfigError(
            f"takes is {' or '.join(KINDS_OF_PROMPT)}, not '{takes}'.{suggest(str(takes), KINDS_OF_PROMPT)}"
        )
    for what, value in (("batch_size", batch_size), ("concurrency", concurrency)):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise ConfigError(f"{what} is a whole number, 1 or more, not {value!r}.")

    def decorate(function: F) -> F:
        traits = traits_of(function)
        function.__helm_model__ = replace(  # type: ignore[attr-defined]
            traits, takes=takes or traits.takes, batch_size=batch_size or traits.batch_size, concurrency=concurrency
        )
        return function

    return decorate if function is None else decorate(function)
