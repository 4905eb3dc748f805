from helm.common.errors import ScenarioError


class AdaptationError(ScenarioError, ValueError, AssertionError, RuntimeError):
    """An instance lacks what the adaptation method needs, or contains something it cannot use.

    HELM raises one of these three built-in errors, depending on the adapter; code that catches them keeps working.
    """
