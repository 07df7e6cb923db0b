"""Addresses under which states and courts publish their law themselves."""

from urllib.parse import urlsplit

OFFICIAL_HOSTS = frozenset(
    {
        # Switzerland
        "fedlex.admin.ch", "fedlex.data.admin.ch", "bger.ch", "bvger.ch", "bstger.ch",
        # Poland
        "sejm.gov.pl", "dziennikustaw.gov.pl", "monitorpolski.gov.pl", "sn.pl", "nsa.gov.pl", "trybunal.gov.pl",
        "orzeczenia.ms.gov.pl",
        # European Union
        "europa.eu",
        # Italy
        "normattiva.it", "gazzettaufficiale.it", "giustizia.it", "cortedicassazione.it", "cortecostituzionale.it",
        "giustizia-amministrativa.it", "corteconti.it",
        # Germany, France, Luxembourg
        "gesetze-im-internet.de", "recht.bund.de", "bundesverfassungsgericht.de", "bundesgerichtshof.de",
        "legifrance.gouv.fr", "conseil-constitutionnel.fr", "courdecassation.fr", "conseil-etat.fr",
        "legilux.public.lu",
    }
)  # fmt: skip


def is_official_address(address: str) -> bool:
    """Whether the host is one of OFFICIAL_HOSTS or below one; False for anything that is no address of the web."""
    try:
        parts = urlsplit(address.strip())
        host = (parts.hostname or "").rstrip(".").lower()
    except ValueError:
        return False
    if parts.scheme not in {"http", "https"} or not host:
        return False
    labels = host.split(".")
    return any(".".join(labels[start:]) in OFFICIAL_HOSTS for start in range(len(labels) - 1))
