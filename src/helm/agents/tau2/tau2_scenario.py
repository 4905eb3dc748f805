"""Tasks of tau2-bench."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from helm.agents.tau2.package_domain import PackageDomain, get_tau2_process
from helm.agents.tau2.world import DOMAINS
from helm.benchmark.scenarios.data_rows import numbered, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ConfigError, ScenarioError, suggest
from helm.common.hierarchical_logger import hwarn

_BASE_URL = (
    "https://raw.githubusercontent.com/sierra-research/tau2-bench/a2c024725189473d2d7cea3a5cfdbcc67478e41f/data/tau2"
)
_Task = tuple[str, Mapping[str, Any], Callable[[Mapping[str, Any]], dict[str, str]], dict[str, Any]]
"""Where a task stands, the task, what agent and user are told, and what its world is made from."""

_IN_THE_MIDDLE = "that begin in the middle of a conversation"
_WITHOUT_TICKET = "without a ticket, which an agent alone needs,"
_STOPS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")
_GREETING = "Hello! How can I help you today?"
_MOST_TURNS, _MOST_ERRORS = 100, 10
_WITH_USER_DATA = ("mock",)
OF_PACKAGE = ("telecom", "telecom-workflow", "banking_knowledge")
"""Domains that are in the package alone."""

_RULES = """You are the agent of a company's customer service. You help the user by the policy below.

In each turn you either say something to the user or call tools, not both. Make only calls that the policy allows, and give \
the user only what the policy and the tools say.
"""
_RULES_ALONE = """You are the agent of a company's customer service. You solve the ticket below by the policy below.

Nobody answers you: call tools only, also those of the user's own devices and accounts, and call `done` at the end. Make \
only calls that the policy allows.
"""


class Tau2Scenario(Scenario):
    """Help a customer by a policy, with tools that act on a company's data base.

    The customer is played by a model. Scores are those of tau2-bench. Without the package, the words of tools' descriptions, the
    agent's instructions and its greeting are ours, so numbers are close to, but not equal to those of the original.

    Args:
        domain: mock, retail or airline; with the package also telecom, and any other of its domains.
        split: base, train or test; telecom also small and full.
        user_model: deployment that plays the customer; empty for the agent's own.
        judge_model: deployment that judges assertions in words; empty for the agent's own.
        path: the folder `data/tau2` of a checkout; None downloads the files. Without the package only.
        solo: whether the agent does the tasks alone, with the user's tools too; not in retail and airline.
        tau2_path: a virtual environment with the package tau2, or a checkout of tau2-bench, whose domains, words and data are
            used. For domains that are not here, None is the interpreter that runs this.
        settings: further arguments of a domain of the package, such as its way of retrieval.
    """

    name = "tau2"
    description = "tau2-bench: conversations with a customer, with a policy and tools"
    tags = ["agents", "tools"]

    def __init__(
        self,
        domain: str = "retail",
        split: str = "base",
        user_model: str = "",
        judge_model: str = "",
        path: str | None = None,
        solo: bool = False,
        tau2_path: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ):
        super().__init__()
        known = (*DOMAINS, *OF_PACKAGE)
        self._uses_package = tau2_path is not None or domain in OF_PACKAGE
        if domain not in known and not self._uses_package:
            raise ConfigError(f"tau2: domain takes {', '.join(known)}, not '{domain}'.{suggest(domain, known)}")
        if self._uses_package and path is not None:
            raise ConfigError("tau2: path is for the domains that are here; the package brings its own data.")
        if settings and not self._uses_package:
            raise ConfigError("tau2: settings are for domains of the package; say tau2_path.")
        if solo and domain in ("retail", "airline"):
            raise ConfigError(f"tau2: {domain} has no tasks for an agent alone; mock and telecom have.")
        self._domain, self._split, self._path, self._solo = domain, split, path, solo
        self._user_model, self._judge_model = user_model, judge_model
        self._tau2_path, self._settings = tau2_path, dict(settings or {})

    def get_instances(self, output_path: str) -> list[Instance]:
        instances, left_out = [], dict.fromkeys((_IN_THE_MIDDLE, _WITHOUT_TICKET), 0)
        tasks = self._tasks_of_package() if self._uses_package else self._own_tasks(output_path)
        for where, task, told, world in tasks:
            with reading(where):
                if (task.get("initial_state") or {}).get("message_history"):
                    left_out[_IN_THE_MIDDLE] += 1
                elif self._solo and not task.get("ticket"):
                    left_out[_WITHOUT_TICKET] += 1
                else:
                    instances.append(self._make_instance(task, told(task), world))
        for reason, number in left_out.items():
            if number:
                hwarn(f"tau2: {number} tasks {reason} are left out.")
        return instances

    def _tasks_of_package(self) -> Iterator[_Task]:
        process = get_tau2_process(self._tau2_path)
        found = process.call("domains")
        if self._domain not in found["domains"]:
            raise ConfigError(
                f"tau2: the package has the domains {', '.join(found['domains'])}, not '{self._domain}'."
                f"{suggest(self._domain, found['domains'])}"
            )
        sets = found["task_sets"]
        size = f"{self._domain}_{self._split}"  # some sizes of a domain are sets of their own
        task_set, split = (size, None) if size in sets else (self._domain, self._split)
        tasks, splits = process.call("tasks", task_set=task_set, split=split)
        if split is not None and split != "base" and split not in splits:
            raise ConfigError(f"tau2: split takes {', '.join(splits)}, not '{split}'.{suggest(split, splits)}")
        package = {"path": self._tau2_path, "settings": self._settings}
        world = {"package": {name: value for name, value in package.items() if value}}
        domain = PackageDomain(process, self._domain, self._solo, tasks[0] if tasks else None, self._settings)
        try:
            for task in tasks:
                yield f"task {task['id']} of {self._domain}", task, lambda t: self._words_of_package(domain, t), world
        finally:
            domain.close()

    def _words_of_package(self, domain: PackageDomain, task: Mapping[str, Any]) -> dict[str, str]:
        words = domain.prompts(task)
        policy = words["policy"]
        return {
            "agent": words["agent"] or self._instructions(policy, task),
            "user": words["user"] or describe_user(task["user_scenario"]),
            "greeting": words["greeting"] or _GREETING,
        }

    def _own_tasks(self, output_path: str) -> Iterator[_Task]:
        folder = f"domains/{self._domain}"
        policy_name = "policy_solo.md" if self._solo else "policy.md"
        files = {name: self._file(f"{folder}/{name}", output_path) for name in ("tasks.json", policy_name, "db.json")}
        user_db = self._file(f"{folder}/user_db.json", output_path) if self._domain in _WITH_USER_DATA else None
        guide = "simulation_guidelines_tools.md" if user_db else "simulation_guidelines.md"
        guidelines = _read_text(self._file(f"user_simulator/{guide}", output_path))
        policy, tasks = _read_text(files[policy_name]), json.loads(_read_text(files["tasks.json"]))
        chosen = self._choose(f"{folder}/split_tasks.json", output_path)

        def told(task: Mapping[str, Any]) -> dict[str, str]:
            scenario = describe_user(task["user_scenario"])
            user = f"{guidelines}\n\n<scenario>\n{scenario}\n</scenario>"
            return {"agent": self._instructions(policy, task), "user": user, "greeting": _GREETING}

        world = {"db": files["db.json"], "user_db": user_db}
        for where, task in numbered(files["tasks.json"], tasks, "task"):
            with reading(where):
                is_chosen = chosen is None or str(task["id"]) in chosen
            if is_chosen:
                yield where, task, told, world

    def _instructions(self, policy: str, task: Mapping[str, Any]) -> str:
        ticket = f"\n<ticket>\n{task['ticket']}\n</ticket>\n" if self._solo else ""
        return f"{_RULES_ALONE if self._solo else _RULES}{ticket}\n<policy>\n{policy.strip()}\n</policy>"

    def _choose(self, name: str, folder: str) -> set[str] | None:
        """Return the ids of the split's tasks; None for all."""
        if self._domain == "mock" and self._split == "base":
            return None
        path = self._file(name, folder)
        splits = json.loads(_read_text(path))
        if self._split not in splits:
            raise ConfigError(
                f"tau2: split takes {', '.join(splits)}, not '{self._split}'.{suggest(self._split, splits)}"
            )
        return {str(task_id) for task_id in splits[self._split]}

    def _make_instance(self, task: Mapping[str, Any], told: Mapping[str, str], world: Mapping[str, Any]) -> Instance:
        user = {"instructions": told["user"], "model_deployment": self._user_model, "stop": list(_STOPS)}
        talking = {"greeting": told["greeting"], "most_errors": _MOST_ERRORS}
        alone = {"class_name": "helm.agents.tau2.solo.SoloAgent", "args": {"most_errors": _MOST_ERRORS}}
        agent = alone if self._solo else {"class_name": "helm.agents.agents.ConversationLoop", "args": talking}
        of_world = {"domain": self._domain, **world, "task": dict(task), **({"solo": True} if self._solo else {})}
        extra_data = {
            "task": f"{self._domain}-{task['id']}",
            "messages": [{"role": "system", "content": told["agent"]}],
            "agent": agent,
            "environment": {"class_name": "helm.agents.tau2.world.Tau2World", "args": of_world},
            "check": {"class_name": "helm.agents.tau2.world.Tau2Check", "args": {"judge": self._judge_model}},
            "limits": {"turns": _MOST_TURNS},
        }
        if not self._solo:
            extra_data["user"] = {"class_name": "helm.agents.users.model_user.ModelUser", "args": user}
        shown = task["ticket"] if self._solo else describe_user(task["user_scenario"])
        return Instance(
            Input(text=shown), references=[], split=TEST_SPLIT, sub_split=self._domain, extra_data=extra_data
        )

    def _file(self, name: str, folder: str) -> str:
        if self._path is not None:
            path = os.path.join(self._path, *name.split("/"))
            if not os.path.isfile(path):
                raise ScenarioError(f"There is no file {path}; `path` is the folder data/tau2 of a checkout.")
            return path
        from helm.common.data.downloads import ensure_downloaded

        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        ensure_downloaded(f"{_BASE_URL}/{name}", path, license="MIT")
        return path

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_success",
            main_split=TEST_SPLIT,
            display_name="tau2-bench",
            description=self.description,
        )


def describe_user(scenario: Mapping[str, Any]) -> str:
    """Return persona and instructions of a user, in the form of the original: a title, and its text indented by a tab."""
    instructions = scenario["instructions"]
    titles = {
        "domain": "Domain",
        "reason_for_call": "Reason for call",
        "known_info": "Known info",
        "unknown_info": "Unknown info",
        "task_instructions": "Task instructions",
    }
    parts = [("Persona", scenario.get("persona"))]
    if isinstance(instructions, str):
        parts.append(("Instructions", instructions))
    else:
        parts += [(title, instructions.get(key)) for key, title in titles.items()]
    return "\n".join(f"{title}:\n" + _indented(str(text)) for title, text in parts if text)


def _indented(text: str) -> str:
    return "\n".join(f"\t{line}" for line in text.splitlines())


def _read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
