"""Writes a package `tau2` with the interface of the real one, whose domain is a telephone of our own."""

import json

REGISTRY = """
import json, os, sys
from pathlib import Path
from tau2.data_model.tasks import Task

DATA = json.loads(Path(__file__).with_name("data.json").read_text())
print("a package may print")


class Kind:
    def __init__(self, value):
        self.value = value


class Shown:
    def __init__(self, name, properties):
        self.openai_schema = {"type": "function", "function": {
            "name": name, "description": f"Does {name}.", "parameters": {"type": "object", "properties": properties}}}


class Db:
    def __init__(self, values):
        self.values = values

    def model_dump_json(self):
        return json.dumps(self.values)


class Kit:
    kinds = {}

    def __init__(self, values):
        self.db = Db(values)

    def get_tools(self):
        return {name: Shown(name, {}) for name in self.kinds}

    def tool_type(self, name):
        return Kind(self.kinds[name])


class Network(Kit):
    kinds = {"get_line": "read", "enable_roaming": "write"}

    def get_line(self):
        return json.dumps(self.db.values)

    def enable_roaming(self):
        self.db.values["roaming"] = True
        return "enabled"


class Phone(Kit):
    kinds = {"get_status_bar": "read", "toggle_airplane_mode": "write"}

    def get_status_bar(self):
        return "no signal" if self.db.values["airplane"] else "full signal"

    def toggle_airplane_mode(self):
        self.db.values["airplane"] = not self.db.values["airplane"]
        return str(self.db.values["airplane"])

    def assert_airplane(self, expected):
        return self.db.values["airplane"] == expected


class Answer:
    def __init__(self, content, error):
        self.content, self.error = content, error


class Environment:
    def __init__(self, solo_mode=False, *, plan="paper"):
        self.tools, self.user_tools = Network({"roaming": False, "plan": plan}), Phone({"airplane": False})
        self.solo = solo_mode

    def get_policy(self):
        return "Alone." if self.solo else "Be kind."

    def get_tools(self):
        return list(self.tools.get_tools().values())

    def get_user_tools(self):
        return list(self.user_tools.get_tools().values())

    def set_state(self, initialization_data, initialization_actions, message_history):
        for action in initialization_actions or []:
            kit = self.user_tools if action["env_type"] == "user" else self.tools
            getattr(kit, action["func_name"])(**action["arguments"])

    def get_response(self, call):
        if call.name == "enable_roaming" and os.path.exists(os.path.join(os.path.dirname(__file__), "die")):
            print("the network burns", file=sys.stderr)
            os._exit(3)
        kits = [self.user_tools] if call.requestor == "user" else [self.tools] + [self.user_tools] * self.solo
        for kit in kits:
            if call.name in kit.kinds:
                try:
                    return Answer(getattr(kit, call.name)(**call.arguments), False)
                except TypeError as e:
                    return Answer(f"Error: {e}", True)
        return Answer(f"Error: no tool {call.name}", True)

    def run_env_assertion(self, assertion, raise_assertion_error=True):
        kit = self.user_tools if assertion["env_type"] == "user" else self.tools
        return getattr(kit, assertion["func_name"])(**assertion["arguments"]) == assertion.get("assert_value", True)

    def get_db_hash(self):
        return self.tools.db.model_dump_json()

    def get_user_db_hash(self):
        return self.user_tools.db.model_dump_json()


class Registry:
    def get_info(self):
        class Info:
            domains, task_sets = ["telecom"], ["telecom", "telecom_small"]
        return Info

    def get_tasks_loader(self, name):
        def load(task_split_name="base"):
            return [Task.model_validate(task) for task in DATA[: 1 if name == "telecom_small" else None]]
        return load

    def get_task_splits_loader(self, name):
        return lambda: {"base": [task["id"] for task in DATA], "test": [DATA[-1]["id"]]}

    def get_env_constructor(self, name):
        return Environment


registry = Registry()
"""

MESSAGE = """
class ToolCall:
    def __init__(self, id, name, arguments, requestor):
        self.id, self.name, self.arguments, self.requestor = id, name, arguments, requestor
"""

TASKS = """
class EnvAssertion(dict):
    @classmethod
    def model_validate(cls, value):
        return cls(value)


class Task:
    @classmethod
    def model_validate(cls, value):
        made = cls()
        made.values, made.id, made.user_scenario = value, value["id"], value["user_scenario"]
        state = value.get("initial_state")
        made.initial_state = State(state) if state else None
        return made

    def model_dump(self, mode):
        return self.values


class State:
    def __init__(self, state):
        self.initialization_data = state.get("initialization_data")
        self.initialization_actions = state.get("initialization_actions")
"""

IN_THE_AIR = {
    "initialization_data": None,
    "initialization_actions": [{"env_type": "user", "func_name": "toggle_airplane_mode", "arguments": {}}],
    "message_history": None,
}
LANDED = {"env_type": "user", "func_name": "assert_airplane", "arguments": {"expected": False}, "assert_value": True}


def task(name, actions, basis):
    return {
        "id": name,
        "user_scenario": {"persona": None, "instructions": {"domain": "telecom", "reason_for_call": "No signal."}},
        "ticket": "There is no signal.",
        "initial_state": IN_THE_AIR,
        "evaluation_criteria": {
            "actions": [
                {
                    "action_id": f"{name}_{n}",
                    "requestor": requestor,
                    "name": tool,
                    "arguments": {},
                    "compare_args": None,
                }
                for n, (requestor, tool) in enumerate(actions)
            ],
            "env_assertions": [LANDED],
            "communicate_info": None,
            "nl_assertions": None,
            "reward_basis": basis,
        },
    }


LAND, ROAM = ("user", "toggle_airplane_mode"), ("assistant", "enable_roaming")


def write_package(folder, tasks=None):
    """Write a checkout with the package, and return its path."""
    tasks = tasks or [task("land", [LAND], ["ENV_ASSERTION"]), task("roam", [LAND, ROAM], ["ENV_ASSERTION", "ACTION"])]
    files = {
        "__init__.py": "",
        "registry.py": REGISTRY,
        "data.json": json.dumps(tasks),
        "data_model/__init__.py": "",
        "data_model/message.py": MESSAGE,
        "data_model/tasks.py": TASKS,
    }
    for name, text in files.items():
        path = folder / "src" / "tau2" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(folder)
