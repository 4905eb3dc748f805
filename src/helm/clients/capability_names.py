"""What deployments can do, and which adapter method needs it. Finding it out is in `helm.clients.capabilities`."""

TEXT = "text"
MESSAGES = "messages"
LOGPROBS = "logprobs"
PROMPT_LOGPROBS = "prompt log-probabilities"
IMAGES = "images"
SOUNDS = "sounds"
TOOLS = "tools"
EMBEDDINGS = "embeddings"
CONTEXT_LENGTH = "context length"

DECLARED_NAMES: dict[str, str] = {
    "text": TEXT,
    "messages": MESSAGES,
    "logprobs": LOGPROBS,
    "prompt_logprobs": PROMPT_LOGPROBS,
    "images": IMAGES,
    "sounds": SOUNDS,
    "tools": TOOLS,
    "embeddings": EMBEDDINGS,
    "context_length": CONTEXT_LENGTH,
}
"""What `capabilities` of a deployment calls them -> what they are called here."""

NEEDS: dict[str, str] = {
    "generation": TEXT,
    "multiple_choice_joint": TEXT,
    "multiple_choice_joint_chain_of_thought": TEXT,
    "ranking_binary": TEXT,
    "ehr_instruction": TEXT,
    "chat": MESSAGES,
    "language_modeling": PROMPT_LOGPROBS,
    "multiple_choice_separate_original": PROMPT_LOGPROBS,
    "multiple_choice_separate_calibrated": PROMPT_LOGPROBS,
    "generation_multimodal": IMAGES,
    "multiple_choice_joint_multimodal": IMAGES,
}
"""Adapter method -> what it needs."""

WANTS: dict[str, str] = {"ranking_binary": LOGPROBS}
"""Adapter method -> what makes its scores finer; without it passages with equal answers are tied."""

INSTEAD: dict[str, str] = {
    "multiple_choice_separate_original": "multiple_choice_joint",
    "multiple_choice_separate_calibrated": "multiple_choice_joint",
    "chat": "generation",
    "generation_multimodal": "generation",
    "multiple_choice_joint_multimodal": "multiple_choice_joint",
}
"""Adapter method -> the one that asks the same in another way, and needs less."""
