def describe(error: Exception) -> str:
    """What is stored and shown: the message, and the class where the message alone would say nothing."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
