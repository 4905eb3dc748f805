"""HELM's helper for the data of NLTK."""


def install_nltk_resources() -> None:
    """Download NLTK's data for splitting texts into sentences and words, unless they are there.

    The metrics of this package do not call it: they say what is missing and how to install it.
    Raises: MissingExtraError without NLTK.
    """
    from helm.common.optional_dependencies import needs_extra

    with needs_extra("metrics"):
        import nltk
    for resource in ("punkt", "punkt_tab"):
        try:
            nltk.data.find(f"tokenizers/{resource}")
        except LookupError:
            nltk.download(resource, quiet=True)
