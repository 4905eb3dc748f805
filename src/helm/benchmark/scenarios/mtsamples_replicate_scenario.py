"""MTSamples Replicate: derive a treatment plan from the transcript of a visit."""

from helm.benchmark.scenarios.mtsamples import load_reports, make_instances
from helm.benchmark.scenarios.scenario import Instance, Scenario


class MTSamplesReplicateScenario(Scenario):
    """Transcribed medical reports of many specialties; the plan (else the summary, else the findings) is the answer.

    HELM: only a plan is removed from the input, so a report with a summary or findings instead reveals its answer.
    """

    name = "mtsamples_replicate"
    description = "Write a treatment plan from a transcribed medical report."
    tags = ["medical", "transcription", "plan_generation"]

    def get_instances(self, output_path: str) -> list[Instance]:
        reports = load_reports("mtsamples_processed", "ebc104a4f96c5b7602242f301e081e9934a23344", output_path)
        return make_instances(reports, cut_at=("PLAN:",))
