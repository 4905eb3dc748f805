"""Drive an eval over the protocol: messages out, responses in, an analysis after every successful evaluation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.errors import HelmError
from helm.gradbench.evals.eval import Eval
from helm.gradbench.evals.registry import get_eval_class
from helm.gradbench.protocol import (
    DefineResponse,
    EncodedJson,
    EvaluateResponse,
    ProtocolError,
    Response,
    check_response,
    decode_value,
    encode_json,
    encode_message,
    parse_message,
    parse_response,
)


class _Closed(Exception):
    """The other side is gone; there is nobody left to ask."""


class EvalDriver:
    """One pass of an eval over a pair of streams. Ids start at 0 and count every message.

    Args:
        strict: judge as ``Eval.analyze`` does when strict, and say so in the configuration.
    """

    def __init__(self, eval_: Eval, stdin: BinaryIO, stdout: BinaryIO, strict: bool = False):
        self._eval, self._stdin, self._stdout, self._strict = eval_, stdin, stdout, strict
        self._next_id = 0
        self._last_input: tuple[Any, EncodedJson] = (None, encode_json(None))

    def run(self) -> None:
        """Ask everything. Ends quietly when the other side closes its streams, or lacks the module.

        Raises: HelmError when a response cannot be read or answers another message.
        """
        try:
            self._run()
        except (_Closed, BrokenPipeError):
            return

    def _run(self) -> None:
        config = self._eval.config()
        if self._strict:
            config = {**(config or {}), "strict": True}
        self._ask("start", eval=self._eval.name, **({} if config is None else {"config": config}))
        definition = self._ask("define", module=self._eval.name)
        assert isinstance(definition, DefineResponse)
        if not definition.success:
            return
        output: Any = None
        for evaluation in self._eval.evaluations():
            value = output if evaluation.continues else evaluation.input
            message_id = self._next_id
            optional = {} if evaluation.description is None else {"description": evaluation.description}
            response = self._ask(
                "evaluate",
                module=self._eval.name,
                function=evaluation.function,
                input=self._encoded(value),
                **optional,
            )
            assert isinstance(response, EvaluateResponse)
            output = None
            if response.success:
                assert response.output is not None  # checked with the response
                output = decode_value(response.output)
                analysis = self._eval.analyze(evaluation.function, value, output, self._strict)
                error = {} if analysis.error is None else {"error": analysis.error}
                self._ask("analysis", of=message_id, valid=analysis.valid, **error)

    def _encoded(self, value: Any) -> EncodedJson:
        """The input as text; the primal and the derivative of a workload share one object, made into text once."""
        if value is not self._last_input[0]:
            self._last_input = (value, encode_json(value))
        return self._last_input[1]

    def _ask(self, kind: str, **fields: Any) -> Response:
        line = encode_message(self._next_id, kind, **fields)
        self._stdout.write(line)
        self._stdout.flush()
        answer = self._stdin.readline()
        if not answer:
            raise _Closed
        try:
            response = parse_response(answer, parse_message(line))
            check_response(response)
        except ProtocolError as error:
            raise HelmError(f"Invalid response to {kind} message {self._next_id}: {error}") from error
        if response.id != self._next_id:
            raise HelmError(f"Expected the response to {kind} message {self._next_id}, got one with id {response.id}.")
        self._next_id += 1
        return response


def parse_eval(name: str, arguments: Sequence[str]) -> Eval:
    """The eval ``name`` with the settings that its flags say. Usage errors exit with code 2, as argparse does.

    Raises: ConfigError for an unknown eval, and for settings that ask for nothing.
    """
    return _parse(name, arguments)[0]


def _parse(name: str, arguments: Sequence[str]) -> tuple[Eval, bool]:
    """The eval, and whether to judge strictly."""
    eval_class = get_eval_class(name)
    parser = SuggestingArgumentParser(prog=f"gradbench eval {name}", description=eval_class.__doc__, allow_abbrev=False)
    eval_class.add_arguments(parser)
    eval_class.add_remaining_arguments(parser)
    parser.add_argument(
        "--strict",
        action="store_true",
        help="judge as helm-run does: zeros pass for no gradient, NaN for nothing; otherwise as the original",
    )
    parsed = parser.parse_args(arguments)
    return eval_class.from_arguments(parsed), parsed.strict


def run_eval(name: str, arguments: Sequence[str], stdin: BinaryIO | None = None) -> None:
    """Drive the eval ``name`` over standard input and output."""
    eval_, strict = _parse(name, arguments)
    EvalDriver(eval_, stdin or sys.stdin.buffer, sys.stdout.buffer, strict).run()
