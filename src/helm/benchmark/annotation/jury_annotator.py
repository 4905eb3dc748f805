"""The juries of clinical benchmarks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from helm.benchmark.annotation.helm_wording import check_wording, get_helm_prompt
from helm.benchmark.annotation.judge_models import AnnotatorModels
from helm.benchmark.annotation.jury_tasks import JuryTask
from helm.benchmark.annotation.model_as_judge import LLMAsJuryAnnotator
from helm.common.errors import ConfigError

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient


class TaskJuryAnnotator(LLMAsJuryAnnotator):
    """A jury for the task of its row in `classes.yaml`.

    Args:
        annotator_models: the judges by short name.
        template_name: name of the template; each benchmark has a single one, with its own name.
        prompts: `helm` for HELM's wording, which `helm-data fetch helm-prompts` gets; None for this package's own, with which
            scores are not comparable with HELM's.
    """

    task_name: ClassVar[str]

    task: ClassVar[JuryTask]

    module_constants: ClassVar[Mapping[str, Any]] = {}
    """Names and values of constants of the class's module."""

    @classmethod
    def read_row(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        """Attributes of a class that a row of `classes.yaml` declares."""
        task = JuryTask(**row["task"])
        return {**row, "task": task, "module_constants": {"ANNOTATION_CRITERIA": task.annotation_criteria}}

    def __init__(
        self,
        auto_client: "AutoClient",
        annotator_models: AnnotatorModels,
        template_name: str | None = None,
        prompts: str | None = None,
    ):
        if template_name not in (None, self.task_name):
            raise ConfigError(f"{self.task_name} has no template '{template_name}', only '{self.task_name}'.")
        prompt, criteria = self.task.prompt_template, self.task.annotation_criteria
        if check_wording(self.task_name, prompts):
            prompt = get_helm_prompt(self.task_name).read()
        super().__init__(self.task_name, auto_client, prompt, criteria, annotator_models)
