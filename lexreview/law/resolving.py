"""From a name as people write it to the act it means."""

import re

from lexreview.law.models import Act, ActName
from lexreview.law.names import fold_name

_PREFIXED = re.compile(r"(?P<jurisdiction>[A-Z]{2,8}):(?P<name>.+)", re.DOTALL)
_FEDLEX_ADDRESS = re.compile(
    r"https?://(?:www\.)?fedlex(?:\.data)?\.admin\.ch/(?P<eli>eli/(?:cc|oc|fga)/[0-9A-Za-z_]+(?:/[0-9_]+)?)",
    re.IGNORECASE,
)
_POLISH_ADDRESS = re.compile(r"(?:https?://\S*/acts/|eli/pl/)(?P<eli>(?:DU|MP)/\d{4}/\d+)", re.IGNORECASE)
_ISAP = re.compile(r"W(?P<journal>DU|MP)(?P<year>\d{4})\d{3}(?P<position>\d{4})")
_JOURNAL = re.compile(
    r"(?:t\.?\s?j\.?\s*:?\s*)?(?P<journal>Dz\.?\s*U\.?|M\.?\s*P\.?)\s*(?:z\s+)?(?P<year>\d{4})\s*(?:r\.?)?\s*,?\s*"
    r"(?:nr\s*\d+\s*,?\s*)?poz\.?\s*(?P<position>\d+)",
    re.IGNORECASE,
)
_CELEX = re.compile(r"(?:CELEX[:\s]*)?(?P<celex>[0-9]\d{4}[A-Z]{1,2}\d{4}(?:\(\d+\))?)(?:-\d{8})?", re.IGNORECASE)


def canonical_number(name: str) -> str:
    """The identifier that is stored for addresses and journal positions in their many spellings; other text unchanged.

    `https://www.fedlex.admin.ch/eli/cc/2022/491/de` gives `eli/cc/2022/491`, `Dz.U. z 2023 r. poz. 1963` and
    `WDU20230001963` give `DU/2023/1963`, `celex:32014R0596` gives `32014R0596`.
    """
    name = name.strip()
    if match := _FEDLEX_ADDRESS.match(name) or _POLISH_ADDRESS.match(name):
        return match["eli"] if match.re is _FEDLEX_ADDRESS else match["eli"].upper()
    if match := _ISAP.fullmatch(name):
        return f"{match['journal']}/{match['year']}/{int(match['position'])}"
    if match := _JOURNAL.fullmatch(name):
        journal = "DU" if match["journal"].casefold().startswith("dz") else "MP"
        return f"{journal}/{match['year']}/{int(match['position'])}"
    if match := _CELEX.fullmatch(name):
        return match["celex"].upper()
    return name


def resolve_act(name: str, *, jurisdiction: str | None = None, lang: str | None = None) -> list[Act]:
    """The acts that a name may mean, ordered by key: none, one, or several where the name is shared.

    `name` is an abbreviation, a title, a number (SR, CELEX, journal position), the key itself, an address of an
    official site, or a registry id with the state in front (`CH:DSG`, `EU:32016R0679`). An exact spelling beats a
    folded one, and with `lang` a name of that language (or of none) beats others. One number can name several acts
    (an act and its repealed predecessor): the caller decides by date.
    """
    prefixed = _PREFIXED.fullmatch(name.strip())
    if prefixed and Act.objects.of_jurisdiction(prefixed["jurisdiction"]).exists():
        jurisdiction, name = prefixed["jurisdiction"], prefixed["name"]
    canonical = canonical_number(name)
    folded = fold_name(canonical)
    acts = Act.objects.filter(eli=canonical)
    if jurisdiction:
        acts = acts.of_jurisdiction(jurisdiction)
    if by_key := list(acts):
        return by_key
    names = ActName.objects.filter(folded=folded) if folded else ActName.objects.none()
    if jurisdiction:
        names = names.filter(act__jurisdiction=jurisdiction.upper())
    matches = list(names.select_related("act"))
    for prefer in (
        lambda match: match.value == canonical,
        lambda match: lang is None or match.language in {"", lang},
    ):
        matches = [match for match in matches if prefer(match)] or matches
    return sorted({match.act_id: match.act for match in matches}.values(), key=lambda act: act.eli)
