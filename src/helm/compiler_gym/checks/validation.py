"""Results of checks of recorded episodes."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from helm.compiler_gym.envs.env_state import CompilerEnvState
from helm.compiler_gym.records import Record

_SHOWN_ERRORS = 3
_MAX_SHOWN_DETAILS = 50


@dataclass(frozen=True)
class ValidationError(Record):
    """One error that a check found. It is a record, not an exception."""

    type: str
    """For example `Wrong output`."""

    data: dict[str, Any] = field(default_factory=dict)
    """Details, as JSON values."""


@dataclass(frozen=True, eq=False)
class ValidationResult(Record):
    """The results of the replay of a state and of the checks of its benchmark."""

    state: CompilerEnvState
    """The checked state."""

    walltime: float
    """Time that the check took, in seconds."""

    reward_validated: bool = False
    """Whether the reward was compared."""

    actions_replay_failed: bool = False
    """Whether the actions could not be applied again."""

    reward_validation_failed: bool = False
    """Whether the reward differed."""

    benchmark_semantics_validated: bool = False
    """Whether the program was run to check its behaviour."""

    benchmark_semantics_validation_failed: bool = False
    """Whether that check failed."""

    errors: list[ValidationError] = field(default_factory=list)
    """All errors found."""

    def okay(self) -> bool:
        """Return whether no check failed. Errors alone do not count."""
        return not (
            self.actions_replay_failed or self.reward_validation_failed or self.benchmark_semantics_validation_failed
        )

    @property
    def error_details(self) -> str:
        """The most frequent types of errors with their counts, on one line."""
        counts = Counter(error.type for error in self.errors).most_common()
        texts = [kind if count == 1 else f"{count}× {kind}" for kind, count in counts]
        if len(texts) <= 1:
            return "".join(texts)
        shown = [f"[{number}/{len(texts)}] {text}" for number, text in enumerate(texts, 1)]
        num_left = len(texts) - _SHOWN_ERRORS
        if num_left > _SHOWN_ERRORS:
            shown[_SHOWN_ERRORS:] = [f"... ({num_left} more errors)"]
        return ", ".join(shown)

    @classmethod
    def join(cls, results: Iterable["ValidationResult"]) -> "ValidationResult":
        """Join several checks of one state: times are added, failures kept, errors concatenated.

        Raises: ValueError without results, or with results of different states.
        """
        results = list(results)
        if not results:
            raise ValueError("There are no validation results to join.")
        state = results[0].state
        for result in results:
            if result.state != state:
                raise ValueError(f"Only results of one state can be joined, not those of {state} and {result.state}.")
        return cls(
            state=state,
            walltime=sum(result.walltime for result in results),
            reward_validated=any(result.reward_validated for result in results),
            actions_replay_failed=any(result.actions_replay_failed for result in results),
            reward_validation_failed=any(result.reward_validation_failed for result in results),
            benchmark_semantics_validated=any(result.benchmark_semantics_validated for result in results),
            benchmark_semantics_validation_failed=any(r.benchmark_semantics_validation_failed for r in results),
            errors=[error for result in results for error in result.errors],
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name; the same as `dict`."""
        return asdict(self)

    @classmethod
    def parse_obj(cls, obj: Mapping[str, Any]) -> "ValidationResult":
        """Make a result of the values of its fields.

        Raises: TypeError or ValueError when fields are missing, unknown or wrong.
        """
        state, errors = obj.get("state"), obj.get("errors", ())
        if isinstance(state, Mapping):
            state = CompilerEnvState.parse_obj(state)
        errors = [ValidationError.parse_obj(error) if isinstance(error, Mapping) else error for error in errors]
        return cls(**{**obj, "state": state, "errors": errors})

    from_dict = parse_obj

    def __eq__(self, other: object) -> bool:
        """Compare without the duration of the check and the order of errors."""
        if not isinstance(other, ValidationResult):
            return NotImplemented

        def key(result: ValidationResult) -> tuple[Any, ...]:
            errors = sorted(json.dumps(asdict(error), sort_keys=True, default=str) for error in result.errors)
            return (
                result.reward_validated,
                result.actions_replay_failed,
                result.reward_validation_failed,
                result.benchmark_semantics_validated,
                result.benchmark_semantics_validation_failed,
                errors,
            )

        return self.state == other.state and key(self) == key(other)

    __hash__ = None  # type: ignore[assignment]  # states are equal within a tolerance, so there is no fitting hash

    def __str__(self) -> str:
        name = self.state.benchmark.removeprefix("benchmark://")
        if not self.okay():
            details = self.error_details.replace("\n", ", ")
            if len(details) > _MAX_SHOWN_DETAILS:
                details = details[: _MAX_SHOWN_DETAILS - 3] + "..."
            return f"❌  {name}  {details}"
        reward = "" if self.state.reward is None else f"  {self.state.reward:.4f}"
        return f"✅  {name}{reward}"
