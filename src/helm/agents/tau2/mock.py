"""The domain `mock`: a list of tasks, and a user with notifications."""

from typing import Any, Literal

from helm.agents.tau2.domain import READ, WRITE, Domain, Tools, tool_kind


class MockTools(Tools):
    """What the agent can do."""

    @tool_kind(WRITE)
    def create_task(self, user_id: str, title: str, description: str | None = None) -> dict[str, Any]:
        """Create a task for a user.

        Args:
            user_id: whose task it is.
            title: its title.
            description: more about it.
        """
        if user_id not in self.db["users"]:
            raise ValueError(f"User {user_id} not found")
        task_id = f"task_{len(self.db['tasks']) + 1}"
        task = {"task_id": task_id, "title": title, "description": description, "status": "pending"}
        self.db["tasks"][task_id] = task
        self.db["users"][user_id]["tasks"].append(task_id)
        return task

    @tool_kind(READ)
    def get_users(self) -> list[Any]:
        """List all users."""
        return list(self.db["users"].values())

    @tool_kind(WRITE)
    def update_task_status(self, task_id: str, status: Literal["pending", "completed"]) -> dict[str, Any]:
        """Change the status of a task.

        Args:
            task_id: which task.
            status: its new status.
        """
        if task_id not in self.db["tasks"]:
            raise ValueError(f"Task {task_id} not found")
        self.db["tasks"][task_id]["status"] = status
        return dict(self.db["tasks"][task_id])

    def assert_number_of_tasks(self, user_id: str, expected_number: int) -> bool:
        """Whether a user has this many tasks."""
        return len(self.db["users"][user_id]["tasks"]) == expected_number

    def assert_task_status(self, task_id: str, expected_status: str) -> bool:
        """Whether a task has a status."""
        if task_id not in self.db["tasks"]:
            raise ValueError(f"Task {task_id} not found")
        return bool(self.db["tasks"][task_id]["status"] == expected_status)


class MockUserTools(Tools):
    """What the user can do."""

    @tool_kind(READ)
    def check_notifications(self) -> list[Any]:
        """List your notifications."""
        return list(self.db.get("notifications", {}).values())

    @tool_kind(WRITE)
    def dismiss_notification(self, notification_id: str) -> str:
        """Mark a notification as read.

        Args:
            notification_id: which one.
        """
        self._find(notification_id)["status"] = "read"
        return f"Notification {notification_id} dismissed"

    def _find(self, notification_id: str) -> dict[str, Any]:
        found = self.db.get("notifications", {}).get(notification_id)
        if found is None:
            raise ValueError(f"Notification {notification_id} not found")
        return found

    def add_notification(self, notification_id: str, message: str, task_id: str | None = None) -> None:
        """Add a notification; for initial states."""
        made = {"notification_id": notification_id, "message": message, "status": "unread", "task_id": task_id}
        self.db.setdefault("notifications", {})[notification_id] = made

    def assert_notification_status(self, notification_id: str, expected_status: str) -> bool:
        """Whether a notification has a status."""
        return bool(self._find(notification_id)["status"] == expected_status)

    @classmethod
    def kinds(cls) -> dict[str, str]:
        """Return the tools; a user is not handed over."""
        return {name: kind for name, kind in super().kinds().items() if name != "transfer_to_human_agents"}


class MockDomain(Domain):
    """A list of tasks."""

    name = "mock"
    tools_class = MockTools
    user_tools_class = MockUserTools
