"""Tasks of tau2-bench."""

import json
import os
from collections.abc import Mapping
from typing import Any

from helm.agents.tau2.world import DOMAINS
from helm.benchmark.scenarios.data_rows import numbered, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ConfigError, ScenarioError, suggest
from helm.common.hierarchical_logger import hwarn

_BASE_URL = (
    "https://raw.githubusercontent.com/sierra-research/tau2-bench/a2c024725189473d2d7cea3a5cfdbcc67478e41f/data/tau2"
)
_STOPS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")
_GREETING = "Hello! How can I help you today?"
_MOST_TURNS, _MOST_ERRORS = 100, 10
_WITH_USER_DATA = ("mock",)
_NOT_HERE = {"telecom": "its tools are not here", "banking_knowledge": "its tools are not here"}

_INSTRUCTIONS = """You are the agent of a company's customer service. You help the user by the policy below.

In each turn you either say something to the user or call tools, not both. Make only calls that the policy allows, and give \
the user only what the policy and the tools say.

<policy>
{policy}
</policy>"""


class Tau2Scenario(Scenario):
    """Help a customer by a policy, with tools that act on a company's data base.

    The customer is played by a model. Scores are those of tau2-bench; the words of tools' descriptions, the agent's
    instructions and its greeting are ours, so numbers are close to, but not equal to those of the original.

    Args:
        domain: mock, retail or airline.
        split: base, train or test.
        user_model: deployment that plays the customer; empty for the agent's own.
        judge_model: deployment that judges assertions in words; empty for the agent's own.
        path: the folder `data/tau2` of a checkout; None downloads the files.
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
    ):
        super().__init__()
        if domain not in DOMAINS:
            reason = f" ({_NOT_HERE[domain]})" if domain in _NOT_HERE else ""
            raise ConfigError(
                f"tau2: domain takes {', '.join(DOMAINS)}, not '{domain}'{reason}.{suggest(domain, DOMAINS)}"
            )
        self._domain, self._split, self._path = domain, split, path
        self._user_model, self._judge_model = user_model, judge_model

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = f"domains/{self._domain}"
        files = {name: self._file(f"{folder}/{name}", output_path) for name in ("tasks.json", "policy.md", "db.json")}
        user_db = self._file(f"{folder}/user_db.json", output_path) if self._domain in _WITH_USER_DATA else None
        guide = "simulation_guidelines_tools.md" if user_db else "simulation_guidelines.md"
        guidelines = _read_text(self._file(f"user_simulator/{guide}", output_path))
        policy, tasks = _read_text(files["policy.md"]), json.loads(_read_text(files["tasks.json"]))
        chosen = self._choose(f"{folder}/split_tasks.json", output_path)
        instances, left_out = [], 0
        for where, task in numbered(files["tasks.json"], tasks, "task"):
            with reading(where):
                if chosen is not None and str(task["id"]) not in chosen:
                    continue
                if (task.get("initial_state") or {}).get("message_history"):
                    left_out += 1
                    continue
                instances.append(self._make_instance(task, policy, guidelines, files["db.json"], user_db))
        if left_out:
            hwarn(f"tau2: {left_out} tasks that begin in the middle of a conversation are left out.")
        return instances

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

    def _make_instance(
        self, task: Mapping[str, Any], policy: str, guidelines: str, db: str, user_db: str | None
    ) -> Instance:
        scenario = describe_user(task["user_scenario"])
        user = {
            "instructions": f"{guidelines}\n\n<scenario>\n{scenario}\n</scenario>",
            "model_deployment": self._user_model,
            "stop": list(_STOPS),
        }
        world = {"domain": self._domain, "db": db, "user_db": user_db, "task": dict(task)}
        actions = (task.get("evaluation_criteria") or {}).get("actions") or []
        calls = [
            {"name": action["name"], "arguments": action["arguments"]}
            for action in actions
            if action.get("requestor", "assistant") == "assistant"
        ]
        said = (task.get("evaluation_criteria") or {}).get("communicate_info") or []
        greeting = {"greeting": _GREETING, "most_errors": _MOST_ERRORS}
        return Instance(
            Input(text=scenario),
            references=[],
            split=TEST_SPLIT,
            sub_split=self._domain,
            extra_data={
                "task": f"{self._domain}-{task['id']}",
                "messages": [{"role": "system", "content": _INSTRUCTIONS.format(policy=policy.strip())}],
                "agent": {"class_name": "helm.agents.agents.ConversationLoop", "args": greeting},
                "environment": {"class_name": "helm.agents.tau2.world.Tau2World", "args": world},
                "user": {"class_name": "helm.agents.users.model_user.ModelUser", "args": user},
                "check": {"class_name": "helm.agents.tau2.world.Tau2Check", "args": {"judge": self._judge_model}},
                "limits": {"turns": _MOST_TURNS},
                "solution": {"calls": calls, "answer": " ".join(said)},
            },
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
