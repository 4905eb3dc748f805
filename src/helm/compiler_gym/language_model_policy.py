"""A language model as the optimizer: it sees a program, proposes passes, learns their rewards, and proposes again."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from helm.common.episode_request import STATUS_ERROR, STATUS_NO_ANSWER
from helm.common.errors import suggest
from helm.common.request import Request, RequestResult
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.errors import PolicyError
from helm.compiler_gym.policies import Policy

INSTRUCTIONS = (
    "You are optimizing a program with a compiler. Choose a sequence of compiler actions that earns as much reward as "
    "possible. The order matters, and an action may be used several times."
)

_MAX_IR_CHARACTERS = 20_000  # several thousand tokens, so that the prompt fits the window of most models
_MAX_SHOWN_REPLY = 4_000
_MAX_SHOWN_ACTIONS = 400
"""Limits the prompt: GCC has thousands of actions, of which the model sees the first ones."""
_ANSWER_MARK = "ACTIONS:"
_ANSWER = re.compile(r"^[ \t>*`#-]*ACTIONS[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)
_SPLIT = re.compile(r"[,\s]+")
_FEATURES = ("Autophase", "InstCount")
_MAX_READ_REPLY = 20_000
"""Number of characters at the end of a reply that are searched for an answer."""
_MAX_LISTS_TRIED = 20  # parsing at every bracket of a long reply would take quadratic time
# For the upper bound of `--dry-run`: the actions of an answer without `max_steps`, and the characters of the feedback
# around the list of rewards.
_USUAL_STEPS, _MAX_WORDS_OF_FEEDBACK = 64, 200


class UnusableReplyError(ValueError):
    """A reply contains no valid sequence of actions; the model is shown the text, too."""


class LanguageModelPolicy(Policy):
    """Asks a language model for sequences of actions, `rounds` times; the best of them is the answer.

    Each round is one request with the whole dialog so far in its prompt, so this works with any model. A reply that names
    no actions, an unknown action, or too many is unusable: the model is told so, and the round is used up. When no reply is
    usable, or a request fails, the episode fails; neither ever counts as an answer. `dialog` holds, for each
    round, the `prompt` (the first one whole, later ones without what came before), the `reply`, the `actions` in it,
    the `reward` and `rewards` they earned, or the `error`.
    """

    def __init__(
        self,
        model: str,
        model_deployment: str,
        ask: Callable[[Request], RequestResult],
        rounds: int = 3,
        show: str = "features",
        temperature: float = 0.0,
        max_tokens: int = 1000,
        stop_sequences: Sequence[str] = (),
        instructions: str = INSTRUCTIONS,
    ):
        """Choose the dialog's length and what the model is shown.

        Args:
            model: name of the model.
            model_deployment: name of its deployment.
            ask: sends a request to the model.
            rounds: number of proposals, >= 1.
            show: `features` (the numbers that describe the program), `ir` (its text) or `both`.
            temperature: as in `Request`.
            max_tokens: limit for one reply.
            stop_sequences: as in `Request`.
            instructions: the beginning of the first prompt.
        """
        if rounds < 1 or show not in ("features", "ir", "both"):
            raise ValueError(
                f"rounds must be at least 1 and show must be features, ir or both; got {rounds} and {show!r}."
            )
        self._ask, self.rounds, self._show = ask, rounds, show
        self._instructions = instructions
        self._request = Request(
            model=model,
            model_deployment=model_deployment,
            temperature=temperature,
            max_tokens=max_tokens,
            stop_sequences=list(stop_sequences),
        )
        self.dialog: list[dict[str, Any]] = []

    def make_first_request(self, env: CompilerEnvironment) -> Request:
        """Make the first request about the environment's program."""
        return replace(self._request, prompt=self._describe_task(env))

    def get_max_feedback_characters(self, env: CompilerEnvironment) -> int:
        """Estimate the length of the longest text, apart from the model's reply, that a round can add to the prompt."""
        longest = max((len(name) for name in env.action_names), default=0) + len(" +0.1234, ")
        length = _USUAL_STEPS if env.max_steps is None else env.max_steps
        return _MAX_WORDS_OF_FEEDBACK + longest * length

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        prompt = said = self._describe_task(env)
        best_reward, best = 0.0, None
        for number in range(1, self.rounds + 1):
            entry: dict[str, Any] = {"prompt": said}
            self.dialog.append(entry)
            reply = self._get_reply(replace(self._request, prompt=prompt), entry)
            try:
                actions = parse_actions(reply, env.action_names, env.max_steps)
                feedback, reward = self._try(env, actions, entry)
            except UnusableReplyError as error:
                entry["error"] = feedback = str(error)
            else:
                if best is None or reward > best_reward:
                    best_reward, best = reward, actions
            said = f"\n\n{feedback}\n\n{_ask_for_proposal(number + 1, self.rounds)}"
            prompt += reply[:_MAX_SHOWN_REPLY] + said
        if best is None:
            raise PolicyError(
                STATUS_NO_ANSWER,
                f"None of {self.rounds} replies named actions that can be used; the last: {self.dialog[-1]['error']}",
            )
        return best

    def _get_reply(self, request: Request, entry: dict[str, Any]) -> str:
        result = self._ask(request)
        if result.success and not result.completions:
            entry["reply"] = ""
            return ""
        if not result.success:
            entry["error"] = f"The request failed: {result.error}"
            raise PolicyError(STATUS_ERROR, f"The language model gave no reply: {result.error}")
        entry["reply"] = result.completions[0].text
        if result.usage is not None:
            entry["usage"] = {
                "prompt_tokens": result.usage.prompt_tokens,
                "completion_tokens": result.usage.completion_tokens,
            }
        return result.completions[0].text

    def _try(self, env: CompilerEnvironment, actions: list[str], entry: dict[str, Any]) -> tuple[str, float]:
        """Apply the actions; returns the feedback for the model and the reward.

        Raises: UnusableReplyError when the compiler refuses an action.
        """
        entry["actions"] = actions
        trial = env.try_actions([actions])[0]
        if trial.error is not None:
            raise UnusableReplyError(f"The compiler refused action {len(trial.rewards) + 1}: {trial.error}")
        entry["rewards"], entry["reward"] = list(trial.rewards), trial.total
        useful = [f"{name} {reward:+.4g}" for name, reward in zip(actions, trial.rewards, strict=False) if reward]
        effects = f" Actions that changed the reward: {', '.join(useful)}." if useful else " No action changed it."
        return f"That sequence earned {trial.total:.4g}.{effects}", trial.total

    # The prompt -----------------------------------------------------------------------------------------------------

    def _describe_task(self, env: CompilerEnvironment) -> str:
        names = env.action_names
        listed = ", ".join(names[:_MAX_SHOWN_ACTIONS])
        if len(names) > _MAX_SHOWN_ACTIONS:
            listed += f", ... ({len(names)} in all)"
        parts = [
            self._instructions,
            f"Reward: {env.reward_name}. {self._describe_costs(env)}".strip(),
            f"Actions: {listed}",
            *self._describe_program(env),
            f"At most {env.max_steps} actions." if env.max_steps is not None else "",
            f"End your reply with one line that begins with {_ANSWER_MARK} and lists the actions, in order, separated by "
            "commas.",
            _ask_for_proposal(1, self.rounds),
        ]
        return "\n\n".join(part for part in parts if part)

    @staticmethod
    def _describe_costs(env: CompilerEnvironment) -> str:
        names = [name for name in ("IrInstructionCount", "IrInstructionCountOz") if name in env.observation_names]
        values = env.observe(names)
        words = {"IrInstructionCount": "instructions now", "IrInstructionCountOz": "instructions after -Oz"}
        return ", ".join(f"{words[name]}: {value}" for name, value in values.items()) + ("." if values else "")

    def _describe_program(self, env: CompilerEnvironment) -> list[str]:
        known = env.observation_names
        parts = []
        if self._show in ("features", "both"):
            for name in _FEATURES:
                if name in known:
                    parts.append(f"{name} features: {_format_features(env[name], _get_feature_names(name))}")
        if self._show in ("ir", "both") or not parts:
            text = next((str(env[name]) for name in ("Ir", "source") if name in known), "")
            cut = len(text) - _MAX_IR_CHARACTERS
            if cut > 0:
                text = f"{text[:_MAX_IR_CHARACTERS]}\n... ({cut} more characters)"
            if text:
                parts.append(f"Program:\n```\n{text}\n```")
        return parts


def _ask_for_proposal(number: int, rounds: int) -> str:
    return f"Proposal {number} of {rounds}:\n" if number <= rounds else ""


def _get_feature_names(observation: str) -> Sequence[str]:
    from helm.compiler_gym.backends.llvm_features import AUTOPHASE_NAMES, INST_COUNT_NAMES

    return {"Autophase": AUTOPHASE_NAMES, "InstCount": INST_COUNT_NAMES}[observation]


def _format_features(values: Any, names: Sequence[str]) -> str:
    numbers = [int(value) for value in values]
    if len(names) != len(numbers):
        return json.dumps(numbers)
    return ", ".join(f"{name}={number}" for name, number in zip(names, numbers, strict=True) if number)


def parse_actions(reply: str, action_names: Sequence[str], max_steps: int | None = None) -> list[str]:
    """Read the actions of a reply from its last line that begins with `ACTIONS:`, or else from a JSON list in it.

    Names are accepted with and without the leading dash.

    Raises: UnusableReplyError when there is neither, a name is unknown, there are none, or more than `max_steps`.
    """
    words = _find_words(reply[-_MAX_READ_REPLY:])
    if words is None:
        raise UnusableReplyError(f"Your reply has no line that begins with {_ANSWER_MARK}")
    known = set(action_names)
    actions, unknown = [], []
    for word in words:
        name = next((form for form in (word, f"-{word}", word.lstrip("-")) if form in known), None)
        if name is None:
            unknown.append(word)
        else:
            actions.append(name)
    if unknown:
        hint = suggest(unknown[0], list(action_names))
        shown = ", ".join(word[:60] for word in unknown[:10])
        raise UnusableReplyError(f"Your reply names actions that do not exist: {shown}.{hint}")
    if not actions:
        raise UnusableReplyError("Your reply names no actions.")
    if max_steps is not None and len(actions) > max_steps:
        raise UnusableReplyError(f"Your reply names {len(actions)} actions; at most {max_steps} are allowed.")
    return actions


def _find_words(reply: str) -> list[str] | None:
    marked = _ANSWER.findall(reply)
    if marked:
        return [word for raw in _SPLIT.split(marked[-1]) if (word := raw.strip("`*[]\"'.;()"))]
    decoder = json.JSONDecoder()
    start = len(reply)
    for _ in range(_MAX_LISTS_TRIED):
        start = reply.rfind("[", 0, start)
        if start < 0:
            break
        try:
            found, _ = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, list) and all(isinstance(item, str) for item in found):
            return [item.strip() for item in found]
    return None
