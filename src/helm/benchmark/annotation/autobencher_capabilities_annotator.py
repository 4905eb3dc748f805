"""Judge of AutoBencher's questions of knowledge."""

from helm.benchmark.annotation.judge_annotator import TaggedScoreAnnotator


class AutoBencherCapabilitiesAnnotator(TaggedScoreAnnotator):
    """Whether an answer means the same as the reference: 1 or 0."""

    name = "autobencher_capabilities"
