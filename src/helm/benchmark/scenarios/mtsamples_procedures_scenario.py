"""MTSamples Procedures: derive a plan from an operative note."""

from helm.benchmark.scenarios.mtsamples import HEADINGS, REPOSITORY, load_reports, make_instances, section, text_before
from helm.benchmark.scenarios.scenario import Instance, Scenario


class MTSamplesProceduresScenario(Scenario):
    """Transcribed operative notes; the plan (else the summary, else the findings) is the answer.

    The input ends where the first of the three begins.
    """

    name = "mtsamples_procedures"
    description = "Write the plan that belongs to a transcribed note of a surgical procedure."
    tags = ["medical", "transcription", "plan_generation"]

    GIT_HASH = "c4c252443fa9c52afb6960f53e51be278639bea2"
    GITHUB_DIR_URL = f"https://github.com/{REPOSITORY}/tree/{GIT_HASH}/mtsample_procedure"
    RAW_BASE_URL = f"https://raw.githubusercontent.com/{REPOSITORY}/{GIT_HASH}/mtsample_procedure/"

    def get_instances(self, output_path: str) -> list[Instance]:
        return make_instances(load_reports("mtsample_procedure", self.GIT_HASH, output_path), cut_at=HEADINGS)

    def extract_sections(self, text: str) -> tuple[str | None, ...]:
        """Return the plan, the summary and the findings of a report; None for each that is missing."""
        return tuple(section(text, heading) for heading in HEADINGS)

    def remove_sections(self, text: str) -> str:
        """Return the text before the answer."""
        return text_before(text, HEADINGS)
