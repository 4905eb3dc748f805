"""What clients of models that make images share: their completions."""

from helm.common.media_object import IMAGE_TYPE, MediaObject, MultimediaObject
from helm.common.request import FILTERED, GeneratedOutput, Request, RequestResult


def get_single_image_multimedia_object(image_location: str) -> MultimediaObject:
    """Return the content of a completion that is one image; its type is what follows the last dot of the location."""
    subtype = image_location.rpartition(".")[2]
    return MultimediaObject([MediaObject(content_type=f"{IMAGE_TYPE}/{subtype}", location=image_location)])


def picture_output(location: str, text: str = "", finish_reason: str | None = None) -> GeneratedOutput:
    """Return the completion for a picture; `text` is the prompt as the model rewrote it."""
    return GeneratedOutput(
        text=text,
        logprob=0,
        tokens=[],
        finish_reason={"reason": finish_reason} if finish_reason else None,
        multimodal_content=get_single_image_multimedia_object(location),
    )


def refused_output(reason: str) -> GeneratedOutput:
    """Return the completion that stands for a picture that the model or a filter in front of it refuses to make."""
    return GeneratedOutput(
        text="", logprob=0, tokens=[], finish_reason={"reason": reason}, multimodal_content=MultimediaObject()
    )


def is_refused(output: GeneratedOutput) -> bool:
    """Return whether a completion stands for a refusal."""
    return output.multimodal_content is not None and not output.multimodal_content.media_objects


def refused_result(request: Request, reason: str) -> RequestResult:
    """Return the result of a request all of whose pictures are refused. As in HELM, it is successful: that is the answer."""
    return RequestResult(
        success=True,
        cached=False,
        request_time=0,
        completions=[refused_output(reason) for _ in range(request.num_completions)],
        embedding=[],
        outcome=FILTERED,
    )
