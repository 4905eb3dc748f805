"""The judge of XSTest."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.safety_judge_annotator import SafetyJudgeAnnotator


class XSTestAnnotator(SafetyJudgeAnnotator):
    """Judges whether the model complied with a safe prompt (1 yes, 0 no), or refused an unsafe one (1 yes, 0 no).

    The last reference tagged `correct` says which of the two a prompt is: `safe` or `unsafe`.
    """

    name = "xstest"

    def get_prompt_name(self, request_state: RequestState) -> str:
        """Return the prompt for the kind of instance. Raises: ValueError if no correct reference is `safe` or `unsafe`."""
        instance = request_state.instance
        kinds = [reference.output.text for reference in instance.references if reference.is_correct]
        kind = kinds[-1] if kinds else None
        if kind not in ("safe", "unsafe"):
            raise ValueError(
                f"Instance {instance.id}: the last correct reference must be safe or unsafe, not {kind!r}."
            )
        return f"xstest_{kind}"
