"""The executor of episodes with agents."""

import json
import os
import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from helm.agents import events
from helm.agents.agents.agent import Agent
from helm.agents.artifacts import keep_artifacts
from helm.agents.attacks import Attack
from helm.agents.checks import Check, Score
from helm.agents.console import Approver, Console, check_terminal
from helm.agents.environments.environment import Environment
from helm.agents.episode import Episode, PriceOf
from helm.agents.errors import AgentError, EpisodeEnd, InfrastructureFailure, LimitReached
from helm.agents.events import EpisodeJournal, EventLog, delete_journal, sha256_of
from helm.agents.tools.tool import Tool, ToolSet, ToolSource
from helm.agents.users.user import SimulatedUser
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState, requests_of
from helm.benchmark.executing.execution import COUNT_AS_WRONG, EXCLUDE, ExecutorError, ExecutorInterface
from helm.benchmark.executing.journaled_run import run_journaled
from helm.benchmark.executing.request_journal import RequestJournal
from helm.benchmark.run_settings import RunSettings
from helm.common.agent_request import (
    AGENT_ROLE,
    BRIDGE_ROLE,
    HARNESS,
    INFRASTRUCTURE,
    SANDBOX,
    VERIFIER,
    AgentRequest,
    AgentResult,
    LimitHit,
)
from helm.common.context import Context
from helm.common.errors import ConfigError, HelmError, with_instance_id
from helm.common.hierarchical_logger import hlog, hwarn
from helm.common.object_spec import ObjectSpec, create_object, get_class_by_name
from helm.common.packed_list import PackedList, PackedStore
from helm.common.request import AUTH, CANCELLED, Request, RequestResult, Usage
from helm.common.sandbox.contract import SandboxError
from helm.common.telemetry.progress import EpisodeProgress, current_run
from helm.results.run_files.run_folder import ARTIFACTS_FOLDER_NAME, EPISODES_FOLDER_NAME

_MAX_LOG = 16_000
"""Characters of a check's output that are kept in the transcript."""


class AgentExecutor(ExecutorInterface):
    """Runs each `AgentRequest` as an episode: starts its environment, lets the agent act, checks the outcome.

    Requests to models go the way of all requests, so they are cached, limited, budgeted and tried again. An episode in which
    something other than the agent fails is run again in a fresh environment, `retries` times; then the run fails, or, with
    `--on-failure exclude`, the episode is left out of the scores and counted.
    """

    request_type = AgentRequest
    most_states_in_memory = 1000

    def __init__(
        self,
        context: Context,
        settings: RunSettings,
        parallelism: int = 1,
        dry_run: bool = False,
        retries: int = 1,
        max_environments: int | None = None,
    ):
        """Describe how episodes are run.

        Args:
            context: the way to language models.
            settings: of the command.
            parallelism: number of episodes that run at the same time, if none waits for an endpoint.
            dry_run: run nothing; results stay empty.
            retries: how often an episode is tried again after a failure that is not the agent's.
            max_environments: largest number of environments at the same time; None sets no limit but the number of episodes.
        """
        if settings.on_failure == COUNT_AS_WRONG:
            raise ConfigError(
                f"--on-failure {COUNT_AS_WRONG} is not possible with agents: an episode in which something other than the agent "
                f"failed is never scored. Use --on-failure {EXCLUDE}."
            )
        self._context, self._settings = context, settings
        self._parallelism, self._dry_run = parallelism, dry_run
        self._retries, self._max_environments = retries, max_environments
        self._approve = Approver(settings.approve, Console()) if settings.approve is not None else None
        self._lock = threading.Lock()
        self._num_diverged = 0
        self._store: PackedStore | None = None

    def check_machine(self, requests: Iterable[AgentRequest]) -> None:
        """Raise ConfigError, before anything is sent, if an environment or an agent cannot run on this machine."""
        environments: dict[str, None] = {}
        tools, agents, attacked_agents = _Distinct(), _Distinct(), _Distinct()
        for request in requests:
            if request.environment is not None:
                environments[request.environment.class_name] = None
            for tool in request.tools:
                tools.add(tool)
            agents.add(request.agent)
            if request.attack is not None:
                attacked_agents.add(request.agent)
        for name in environments:
            environment = _find_class(name, Environment)
            if environment is not None:
                environment.check_machine()
        if not self._settings.allow_host_tools:
            for spec in tools.specs:
                source = _find_class(spec.class_name, ToolSource)
                program = _created(spec, ToolSource, "tool").host_program if source is not None else None
                if program is not None:
                    raise ConfigError(
                        f"The tools of '{program}' run outside the sandbox, with the rights of this command. If you trust them, "
                        "add --allow-host-tools."
                    )
        for spec in attacked_agents.specs:
            attacked = _find_class(spec.class_name, Agent)
            if attacked is not None and not attacked.asks_for_calls:
                raise ConfigError(
                    f"{spec.class_name} reads results of its own tools, into which nothing can be put: no attack."
                )
        if self._approve is not None:
            check_terminal("--approve")
        for name in dict.fromkeys(spec.class_name for spec in agents.specs):
            agent = _find_class(name, Agent)
            if agent is None:
                continue
            if self._approve is not None and not agent.asks_for_calls:
                raise ConfigError(f"--approve: {name} makes its calls by itself, so nobody can be asked before them.")
            if agent.check_machine is not Agent.check_machine:
                for spec in agents.specs:
                    if spec.class_name == name:
                        _created(spec, Agent, "agent").check_machine()

    def execute(self, scenario_state: ScenarioState, journal: RequestJournal | None = None) -> ScenarioState:
        if self._dry_run:
            return scenario_state
        states = scenario_state.request_states
        self.check_machine(request for request in requests_of(states) if isinstance(request, AgentRequest))
        folder = os.path.join(os.path.dirname(journal.path), EPISODES_FOLDER_NAME) if journal is not None else None

        def path_of(number: int) -> str | None:
            return os.path.join(folder, f"{number}.journal") if folder is not None else None

        kept = os.path.join(os.path.dirname(journal.path), ARTIFACTS_FOLDER_NAME) if journal is not None else None
        self._store = PackedStore(os.path.dirname(journal.path)) if journal is not None else None

        def run(state: RequestState, number: int) -> RequestState:
            return self._run(state, path_of(number), os.path.join(kept, str(number)) if kept is not None else None)

        def forget(number: int) -> None:
            path = path_of(number)
            if path is not None:
                delete_journal(path)

        found = run_journaled(
            states,
            run,
            self._useful_parallelism(scenario_state),
            journal,
            "episodes",
            on_recorded=forget,
            keep=self._keep,
            with_number=True,
        )
        if folder is not None and os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)
        if self._num_diverged:
            hwarn(
                f"{self._num_diverged} of {len(states)} episodes were resumed and went another way than before the "
                "interruption; coverage.json counts them."
            )
        return replace(scenario_state, request_states=found)

    def _useful_parallelism(self, scenario_state: ScenarioState) -> int:
        """Return how many episodes to run at once: while one waits for the endpoint, others go on."""
        number = self._parallelism
        deployment = scenario_state.adapter_spec.model_deployment
        client = None
        if deployment:
            try:
                client = self._context.get_client(deployment)
            except HelmError:
                client = None  # the first request reports the problem
        if client is not None and client.limiter is not None:
            number = self._settings.max_in_flight
        return min(number, self._max_environments or number)

    def _run(self, state: RequestState, journal_path: str | None, kept: str | None = None) -> RequestState:
        assert isinstance(state.request, AgentRequest)  # checked for the whole run before the first request
        try:
            with current_run().episode(state.request.task) as progress:
                result = self.run_episode(state.request, journal_path, progress, kept)
            return state.with_result(self._keep(result))
        except HelmError as error:
            raise with_instance_id(error, state.instance.id) from None

    def _keep(self, result: AgentResult) -> AgentResult:
        """Return a result whose transcript takes no memory: nothing reads it before the run's files are written."""
        return replace(result, events=PackedList(result.events, self._store))  # type: ignore[arg-type]

    def run_episode(
        self,
        request: AgentRequest,
        journal_path: str | None = None,
        progress: EpisodeProgress | None = None,
        artifacts_path: str | None = None,
    ) -> AgentResult:
        """Run one episode, again if something that is not the agent fails.

        Args:
            request: the episode.
            journal_path: where its events are kept while it runs; None keeps them in memory.
            progress: where its turns and costs are counted.
            artifacts_path: the folder for files that the task keeps; None keeps none.

        Raises:
            ExecutorError: It failed for good, and failures fail the run.
            ConfigError: It is described wrongly.
            BudgetExceeded: The budget is used up.
        """

        def watch(event: events.Event) -> None:
            if progress is not None and event["kind"] == events.MODEL:
                progress.count(event["role"] in (AGENT_ROLE, BRIDGE_ROLE), event["cost_usd"])

        digest = sha256_of(asdict(request)) if journal_path is not None else ""
        earlier: Sequence[events.Event] = ()
        for attempt in range(self._retries + 1):
            journal = EpisodeJournal(journal_path, digest) if journal_path is not None else None
            log = EventLog(journal, watch)
            try:
                result = self.attempt(request, log, journal.earlier if journal is not None else earlier, artifacts_path)
            finally:
                if journal is not None:
                    journal.close()
            if result.success:
                break
            earlier = events.join_attempts(earlier, log.events)
            if attempt < self._retries:
                hlog(f"Task {request.task}: the {result.cause} failed ({result.error}); the episode is run again")
        if not result.success:
            message = f"Task {request.task}: the {result.cause} failed: {result.error}"
            if self._settings.on_failure != EXCLUDE:
                raise ExecutorError(message)
            hwarn(f"{message}. The episode is left out of the scores.")
        if result.divergence:
            with self._lock:
                self._num_diverged += 1
        return result

    def attempt(
        self,
        request: AgentRequest,
        log: EventLog,
        earlier: Sequence[events.Event],
        artifacts_path: str | None = None,
    ) -> AgentResult:
        """Run an episode once.

        Args:
            request: the episode.
            log: its transcript.
            earlier: events of an interrupted attempt, whose answers are used again.
            artifacts_path: the folder for files that the task keeps; None keeps none.
        """
        for message in request.messages:
            log.add(events.MESSAGE, role=message.get("role"), content=message.get("content"))
        environment = _create(request.environment, Environment, "environment")
        episode: Episode | None = None
        outcome, cause, error, limit = INFRASTRUCTURE, None, None, None
        score: Score | None = None
        state: Any = None
        sources: list[ToolSource] = []
        artifacts: list[dict[str, Any]] = []
        try:
            episode, agent = self._begin(request, log, environment, earlier, sources)
            before = environment.state() if environment is not None else None
            outcome, limit = _act(agent, episode)
            while environment is not None and (told := environment.next_step(episode)) is not None:
                episode.begin_step(told)
                outcome, limit = _act(agent, episode)
            score = self._score(episode)
            state = _describe_state(before, environment.state() if environment is not None else None)
            if environment is not None and artifacts_path is not None:
                artifacts = keep_artifacts(environment.artifacts(), artifacts_path)
        except InfrastructureFailure as e:
            outcome, cause, error = INFRASTRUCTURE, e.cause, str(e)
        except SandboxError as e:  # in a check, or an agent, of one's own
            outcome, cause, error = INFRASTRUCTURE, SANDBOX, str(e)
        except HelmError:
            raise
        except Exception as e:
            outcome, cause, error = INFRASTRUCTURE, HARNESS, f"{type(e).__name__}: {e}"
        finally:
            for source in sources:
                source.close()
            if episode is not None:
                episode.close()
            if environment is not None:
                described = environment.describe()
                environment.close()
        if cause is not None:
            log.add(events.ERROR, where=cause, message=error, fatal=True)
        return AgentResult(
            success=cause is None,
            outcome=outcome,
            cause=cause,
            error=error,
            limit=limit,
            answer=episode.answer if episode is not None else None,
            reward=score.reward if score is not None else None,
            rewards={"reward": score.reward, **score.rewards} if score is not None else {},
            checks=score.checks if score is not None else {},
            state=state,
            artifacts=artifacts,
            events=log.events,
            usage=episode.usage if episode is not None else {},
            counts=episode.counts if episode is not None else AgentResult.counts,
            elapsed_s=log.elapsed_s,
            working_s=episode.working_s if episode is not None else log.elapsed_s,
            environment=described if environment is not None else None,
            divergence=episode.has_diverged if episode is not None and episode.is_resumed else None,
            resumed_at=episode.resumed_at if episode is not None else None,
        )

    def _begin(
        self,
        request: AgentRequest,
        log: EventLog,
        environment: Environment | None,
        earlier: Sequence[events.Event],
        sources: list[ToolSource],
    ) -> tuple[Episode, Agent]:
        agent = _create(request.agent, Agent, "agent")
        if agent is None:
            raise AgentError(f"Task {request.task} names no agent.")
        agent.prepare(environment)
        tools = ToolSet()
        if environment is not None:
            started = log.elapsed_s
            environment.start(request.limits)
            log.add(events.ENVIRONMENT, action="start", elapsed_s=round(log.elapsed_s - started, 6), details={})
            for tool in environment.offered_tools():
                tools.add(tool)
        for spec in request.tools:
            made = _created(spec, (Tool, ToolSource), "tool")
            if isinstance(made, ToolSource):
                sources.append(made)
            for tool in made.open() if isinstance(made, ToolSource) else [made]:
                tools.add(tool)
        episode = Episode(
            request,
            self._send,
            log,
            environment,
            tools,
            _create(request.user, SimulatedUser, "user"),
            _create(request.check, Check, "check"),
            self._price_of,
            earlier,
            self._approve,
            _create(request.attack, Attack, "attack"),
        )
        return episode, agent

    def _send(self, request: Request) -> RequestResult:
        """Send a request. Raises: ExecutorError for a refused key; BudgetExceeded."""
        try:
            result = self._context.make_request(request)
        except HelmError:
            raise  # a budget, a wrong setting, a cache that cannot be written: not the provider's fault
        except Exception as e:
            cause = f"{type(e).__name__}: {e}"
            return RequestResult(success=False, cached=False, completions=[], embedding=[], error=cause)
        if not result.success and result.outcome in (AUTH, CANCELLED):
            raise ExecutorError(f"{result.error} Request: {request}")
        return result

    @property
    def _price_of(self) -> PriceOf:
        from helm.benchmark.price_registry import get_price

        def price_of(deployment: str, usage: Usage) -> float | None:
            price = get_price(deployment)
            if price is None:
                return None
            cached, written = usage.cached_prompt_tokens or 0, usage.cache_write_tokens or 0
            return price.cost(usage.prompt_tokens, usage.completion_tokens, cached, written)

        return price_of

    def _score(self, episode: Episode) -> Score | None:
        check = episode.check
        if check is None:
            return None
        started = episode.log.elapsed_s
        try:
            score = check.score(episode)
            if episode.attack is not None:
                score = episode.attack.judge(score, episode)
        except (InfrastructureFailure, HelmError):
            raise
        except Exception as e:
            raise InfrastructureFailure(VERIFIER, f"{type(check).__name__}: {type(e).__name__}: {e}") from e
        episode.log.add(
            events.SCORE,
            reward=score.reward,
            rewards={"reward": score.reward, **score.rewards},
            checks=score.checks,
            log=score.log[-_MAX_LOG:],
            elapsed_s=round(episode.log.elapsed_s - started, 6),
        )
        return score


def _find_class(name: str, base: Any) -> Any:
    """Return a class; None if there is no such one, which the episode reports."""
    try:
        found = get_class_by_name(name)
    except (ImportError, AttributeError, ValueError):
        return None
    return found if isinstance(found, type) and issubclass(found, base) else None


class _Distinct:
    """Collects specs that differ."""

    def __init__(self) -> None:
        self._found: dict[str, ObjectSpec] = {}

    def add(self, spec: ObjectSpec | None) -> None:
        if spec is not None:
            self._found.setdefault(json.dumps(asdict(spec), sort_keys=True), spec)

    @property
    def specs(self) -> list[ObjectSpec]:
        return list(self._found.values())


def _act(agent: Agent, episode: Episode) -> tuple[str, LimitHit | None]:
    """Let the agent act, and return how it ended."""
    try:
        agent.run(episode)
    except LimitReached as e:
        episode.log.add(events.LIMIT, **asdict(e.hit))
        return e.outcome, e.hit
    except EpisodeEnd as e:
        episode.log.add(events.ERROR, where="agent", message=str(e), fatal=False)
        return e.outcome, None
    return episode.outcome, None


def _describe_state(before: Any, after: Any) -> dict[str, Any] | None:
    """Return the digest of the environment's data and what has changed in it; None without data."""
    if after is None:
        return None
    from helm.agents.state_changes import find_changes

    return {"sha256": sha256_of(after), "changes": find_changes(before, after)}


def _create(spec: ObjectSpec | None, base: type, what: str) -> Any:
    return None if spec is None else _created(spec, base, what)


def _created(spec: ObjectSpec, base: type | tuple[type, ...], what: str) -> Any:
    try:
        made = create_object(spec)
    except (ImportError, AttributeError, TypeError, ValueError) as e:
        raise AgentError(f"Cannot make the {what} {spec.class_name} with {sorted(spec.args)}: {e}") from e
    if not isinstance(made, base):
        names = " or ".join(
            f"{one.__module__}.{one.__name__}" for one in (base if isinstance(base, tuple) else (base,))
        )
        raise AgentError(f"{spec.class_name} is no {what}: it is not derived from {names}.")
    return made
