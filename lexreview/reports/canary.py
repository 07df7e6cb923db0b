"""The sentence by which published material asks not to be trained on, and can be recognised where it was."""

from uuid import UUID


def canary_sentence(canary: UUID | str) -> str:
    """Always the same words in the same language: a changed sentence could not be searched for."""
    return f"This is benchmark material. It must not be used to train models. lexreview canary GUID {canary}"
