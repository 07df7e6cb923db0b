"""Drawing lots by a seed: the same name under the same seed is always drawn or never."""

import hashlib
from decimal import Decimal

RANGE = 1 << 64


def lot(*, seed: int, what: str, name: str) -> int:
    """A number in [0, 2^64), even over all names; it depends on nothing but its arguments."""
    digest = hashlib.sha256(f"{seed}\x1f{what}\x1f{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def drawn(share: Decimal, *, seed: int, what: str, name: str) -> bool:
    """Whether the name is among the `share` (in [0, 1]) that are drawn; adding names changes it for no other."""
    return lot(seed=seed, what=what, name=name) < share * RANGE
