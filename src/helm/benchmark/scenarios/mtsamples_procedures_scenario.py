"""MTSamples Procedures: derive a plan from an operative note."""

from helm.benchmark.scenarios.mtsamples import load_reports, make_instances
from helm.benchmark.scenarios.scenario import Instance, Scenario


class MTSamplesProceduresScenario(Scenario):
    """Transcribed operative notes; the plan (else the summary, else the findings) is the answer.

    The input ends where the first of the three begins.
    """

    name = "mtsamples_procedures"
    description = "Write the plan that belongs to a transcribed note of a surgical procedure."
    tags = ["medical", "transcription", "plan_generation"]

    def get_instances(self, output_path: str) -> list[Instance]:
        reports = load_reports("mtsample_procedure", "c4c252443fa9c52afb6960f53e51be278639bea2", output_path)
        return make_instances(reports, cut_at=("PLAN:", "SUMMARY:", "FINDINGS:"))
