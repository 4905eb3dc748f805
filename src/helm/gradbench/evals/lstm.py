"""lstm: a network that predicts the next character of a text, and the gradient of its loss."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from helm.common.errors import HelmError
from helm.gradbench.comparison import Analysis
from helm.gradbench.evals.data_files import local_data
from helm.gradbench.evals.eval import LEGACY_SEED, Evaluation, RepeatedEval, analyze_by_functions, sorted_by_product
from helm.gradbench.evals.registry import ad_eval

# Letters and marks of an English text, common ones more often; the curly quote alone makes characters 14 bits wide.
_ALPHABET = (
    " " * 18
    + "eeeeeeeeeettttttttaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrddddllll"
    + ("uuuccmmmwwffggyyppbbvkxjqz,,..;!?\n\n\u2019THEROMIAS")
)


@ad_eval
@dataclass(frozen=True)
class LstmEval(RepeatedEval):
    """Loss of an elementwise LSTM of l layers over a text of c characters, and its gradient by the parameters."""

    l: tuple[int, ...] = (2, 4, 6)  # noqa: E741  (the flag's name)
    """Numbers of layers."""

    c: tuple[int, ...] = (1024, 4096, 8192)
    """Numbers of characters, each at least 2."""

    text: str | None = None
    """File with the text, UTF-8; None: letters drawn at random, as wide as those of the original's text."""

    seed: int = LEGACY_SEED
    """Seed of the text that is drawn, and of the parameters, which the original draws anew in every run."""

    no_validation: bool = False
    """Approve every output."""

    name = "lstm"
    primal = "objective"
    derivative = "jacobian"
    least = {**RepeatedEval.least, "l": 1, "c": 2, "seed": 0}
    run_doc = """Networks of ``l`` layers that predict a text of ``c`` characters, the beginning of the file ``text`` or made up.

    The original goes up to ``c=1024+4096+8192``.
    """
    run_defaults = {"l": "2+4+6", "c": 1024, "text": None}
    check_flags = ("-l", "2", "-c", "4")
    differentiated = ("main_params", "extra_params")

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("-l", type=int, nargs="+", default=cls.l, metavar="L", help="numbers of layers")
        parser.add_argument("-c", type=int, nargs="+", default=cls.c, metavar="C", help="numbers of characters")
        parser.add_argument("--text", metavar="FILE", help="file with the text to predict, or URL#sha256=...")
        parser.add_argument("--seed", type=int, default=cls.seed, help="seed of the generator")
        super().add_arguments(parser)
        parser.add_argument("--no-validation", action="store_true", help="approve every output")

    def config(self) -> dict[str, Any]:
        return {
            "l": list(self.l),
            "c": list(self.c),
            "min_runs": self.min_runs,
            "min_seconds": self.min_seconds,
            "no_validation": self.no_validation,
        }

    def evaluations(self) -> Iterator[Evaluation]:
        import numpy as np

        generator = np.random.RandomState(self.seed)
        text = self._text(max(self.c, default=0))
        bits = code_bits(text)
        for l, c in sorted_by_product(self.l, self.c):  # noqa: E741
            value = {
                # The order of the draws is that of the original: state, main parameters, others.
                "state": generator.random_sample((2 * l, bits)).tolist(),
                "main_params": generator.random_sample((2 * l, 4 * bits)).tolist(),
                "extra_params": generator.random_sample((3, bits)).tolist(),
            }
            names = ("main_params", "extra_params", "state")
            value = {**{name: value[name] for name in names}, "sequence": encode_text(text[:c], bits)}
            yield from self.primal_and_derivative(value, f"l={l},c={c}")

    def _text(self, length: int) -> str:
        """The first ``length`` characters. Raises ``HelmError`` when there are fewer."""
        import numpy as np

        if self.text is None:
            drawn = np.random.RandomState(self.seed).choice(list(_ALPHABET), size=length)
            drawn[min(length, 16) - 1 : min(length, 16)] = "\u2019"  # early enough for short texts
            return "".join(drawn)
        try:
            with open(local_data(self.text, unpack=False), encoding="utf-8", newline="") as file:
                text = file.read(length)
        except (OSError, UnicodeDecodeError) as error:
            raise HelmError(f"lstm: the text {self.text} cannot be read: {error}") from error
        if len(text) < length:
            raise HelmError(f"lstm: {self.text} has {len(text)} characters, fewer than the {length} to predict.")
        return text

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        if self.no_validation:
            return Analysis(True)
        golden = {"objective": golden_objective, "jacobian": golden_jacobian}
        return analyze_by_functions(golden, function, value, output, strict)


def code_bits(text: str) -> int:
    """How many binary digits the characters of ``text`` get: those below the largest code, log2 of it rounded up.

    HELM: one too few when that code is a power of two.
    """
    return (max(map(ord, text), default=1) - 1).bit_length()


def encode_text(text: str, bits: int) -> list[list[float]]:
    """Each character as ``bits`` zeros and ones, most significant first.

    Raises: ValueError for a character that needs more.
    """
    import numpy as np

    codes = np.array([ord(character) for character in text], dtype=np.int64)
    if codes.size and int(codes.max()).bit_length() > bits:
        raise ValueError(f"The character {chr(int(codes.max()))!r} needs more than {bits} bits.")
    return (codes[:, None] >> np.arange(bits - 1, -1, -1) & 1).astype(np.float64).tolist()


def _layers(value: Any) -> tuple[Any, Any, Any, Any]:
    import numpy as np

    return tuple(  # type: ignore[return-value]
        np.array(value[name], dtype=np.float64) for name in ("main_params", "extra_params", "state", "sequence")
    )


def golden_objective(value: Any) -> float:
    """Expected output of ``objective``, step by step as it is defined."""
    import numpy as np

    main, extra, state, sequence = _layers(value)
    b = sequence.shape[1]
    weights = [main[2 * i].reshape(4, b) for i in range(len(main) // 2)]
    biases = [main[2 * i + 1].reshape(4, b) for i in range(len(main) // 2)]
    hidden, cell = list(state[0::2]), list(state[1::2])
    tops = []
    for row in sequence[:-1]:
        x = row * extra[0]
        for i, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            inputs = np.stack([x, hidden[i], x, hidden[i]])  # of the gates forget, in, out, change
            z = inputs * weight + bias
            gates = 1 / (1 + np.exp(-z[:3]))
            cell[i] = cell[i] * gates[0] + gates[1] * np.tanh(z[3])
            x = hidden[i] = gates[2] * np.tanh(cell[i])
        tops.append(x)
    y = np.array(tops) * extra[1] + extra[2]
    predicted = y - np.log(2 + np.exp(y).sum(axis=1, keepdims=True))
    return float(-(sequence[1:] * predicted).sum() / predicted.size)


def golden_jacobian(value: Any) -> list[float]:
    """Expected output of ``jacobian``: by main_params row by row, then by extra_params.

    By the tool's derivative, which the golden vectors of other programs and complex steps hold to account: a second
    one by hand would be longer than the tool and slower than what it judges. The original's is wrong for two
    characters; this one is not.
    """
    from helm.gradbench.tools.numpy_derivatives import lstm

    return lstm.jacobian(lstm.prepare(value)).tolist()
