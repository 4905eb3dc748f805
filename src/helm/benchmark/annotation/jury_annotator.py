"""The juries of clinical benchmarks."""

from typing import TYPE_CHECKING, ClassVar

from helm.benchmark.annotation.judge_models import AnnotatorModels
from helm.benchmark.annotation.jury_tasks import JURY_TASKS
from helm.benchmark.annotation.model_as_judge import LLMAsJuryAnnotator
from helm.common.errors import ConfigError

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient


class TaskJuryAnnotator(LLMAsJuryAnnotator):
    """A jury for the task in `JURY_TASKS` named `task_name`. The wording of the prompts is this package's own.

    Args:
        annotator_models: the judges by short name.
        template_name: name of the template; each benchmark has a single one, with its own name.
    """

    task_name: ClassVar[str]

    def __init__(self, auto_client: "AutoClient", annotator_models: AnnotatorModels, template_name: str | None = None):
        if template_name not in (None, self.task_name):
            raise ConfigError(f"{self.task_name} has no template '{template_name}', only '{self.task_name}'.")
        task = JURY_TASKS[self.task_name]
        super().__init__(self.task_name, auto_client, task.prompt_template, task.annotation_criteria, annotator_models)
