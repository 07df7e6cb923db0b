class CopyFailed(Exception):
    """A copy could not be made, is not whole, or cannot be put back; the message says why and what helps."""
