"""Remembers what was built for a language, a set of run-time acts and a profile."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from lexreview.core.citations.act_entry import ActEntry

Built = TypeVar("Built")
Kept = TypeVar("Kept")
KEPT = 16


class BuiltForActs(Generic[Built]):
    """The last ``KEPT`` results, found by the identity of the acts (frozen, kept alive here) or by equal content.

    Callers often make new but equal entries for every text; comparing their content is still far cheaper than
    building the rules anew.
    """

    def __init__(self) -> None:
        self._by_identity: OrderedDict[Hashable, tuple[tuple[ActEntry, ...], Built]] = OrderedDict()
        self._by_content: OrderedDict[Hashable, Built] = OrderedDict()

    def get(self, key: Hashable, acts: Sequence[ActEntry], build: Callable[[], Built]) -> Built:
        """What ``build`` makes, remembered for ``key`` and these acts."""
        identity = (key, tuple(map(id, acts)))
        known = self._by_identity.get(identity)
        if known is None:
            content = (key, repr(acts))
            built = self._by_content[content] if content in self._by_content else build()
            self._keep(self._by_content, content, built)
            known = (tuple(acts), built)
        self._keep(self._by_identity, identity, known)
        return known[1]

    def _keep(self, kept: OrderedDict[Hashable, Kept], key: Hashable, value: Kept) -> None:
        kept[key] = value
        kept.move_to_end(key)
        while len(kept) > KEPT:
            kept.popitem(last=False)


def by_acts(build: Callable[[str, Sequence[ActEntry]], Built]) -> Callable[[str, Sequence[ActEntry]], Built]:
    """Remember ``build(lang, acts)``."""
    cache: BuiltForActs[Built] = BuiltForActs()

    def built(lang: str, acts: Sequence[ActEntry]) -> Built:
        return cache.get(lang, acts, lambda: build(lang, tuple(acts)))

    return built
