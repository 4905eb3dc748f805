"""MTSamples Replicate: derive a treatment plan from the transcript of a visit."""

from helm.benchmark.scenarios.mtsamples import HEADINGS, REPOSITORY, load_reports, make_instances, section, text_before
from helm.benchmark.scenarios.scenario import Instance, Scenario


class MTSamplesReplicateScenario(Scenario):
    """Transcribed medical reports of many specialties; the plan (else the summary, else the findings) is the answer.

    HELM: only a plan is removed from the input, so a report with a summary or findings instead reveals its answer.
    """

    name = "mtsamples_replicate"
    description = "Write a treatment plan from a transcribed medical report."
    tags = ["medical", "transcription", "plan_generation"]

    GIT_HASH = "ebc104a4f96c5b7602242f301e081e9934a23344"
    API_BASE_URL = f"https://api.github.com/repos/{REPOSITORY}/contents/mtsamples_processed?ref={GIT_HASH}"
    RAW_BASE_URL = f"https://raw.githubusercontent.com/{REPOSITORY}/{GIT_HASH}/mtsamples_processed/"

    def get_instances(self, output_path: str) -> list[Instance]:
        return make_instances(load_reports("mtsamples_processed", self.GIT_HASH, output_path), cut_at=("PLAN:",))

    def extract_sections(self, text: str) -> tuple[str | None, ...]:
        """Return the plan, the summary and the findings of a report; None for each that is missing."""
        return tuple(section(text, heading) for heading in HEADINGS)

    def remove_plan_section(self, text: str) -> str:
        """Return the text before the answer."""
        return text_before(text, ("PLAN:",))
