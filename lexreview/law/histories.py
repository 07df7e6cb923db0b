"""The histories of acts with their editions, of rulings, and of how a state is cited: for everybody who signs in."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.law.models import Act, Amendment, Edition, Jurisdiction, Ruling, SourceCoverage
from lexreview.ledger.histories import add_history
from lexreview.ledger.timeline import History
from lexreview.ledger.values import add_values

VERBS = {
    "act_imported": gettext_lazy("imported the act"),
    "act_changed": gettext_lazy("changed what is known of the act"),
    "amendment_recorded": gettext_lazy("recorded an amendment"),
    "edition_imported": gettext_lazy("imported the edition"),
    "edition_ended": gettext_lazy("set the last day of the edition"),
    "ruling_imported": gettext_lazy("imported the ruling"),
    "coverage_recorded": gettext_lazy("recorded what a source of rulings covers"),
    "jurisdiction_recorded": gettext_lazy("recorded how the state is cited"),
}


def act_history(person: User, eli: str) -> History | None:
    act = Act.objects.filter(eli=eli).first()
    if act is None:
        return None
    editions = act.editions.order_by("valid_from", "language", "pk").values_list("pk", "valid_from", "language")
    return History(
        title=eli,
        back_url=reverse("law:act", args=[eli]),
        about=[
            ("law.act", eli, _("act")),
            *(("law.edition", str(pk), f"{day.isoformat()} {language}") for pk, day, language in editions),
        ],
        verbs=VERBS,
    )


def ruling_history(person: User, name: str) -> History | None:
    """`name` is the primary key."""
    if not name.isdecimal() or len(name) > 18:
        return None
    ruling = Ruling.objects.filter(pk=int(name)).only("docket").first()
    if ruling is None:
        return None
    return History(
        title=ruling.docket,
        back_url=reverse("law:ruling", args=[ruling.pk]),
        about=[("law.ruling", str(ruling.pk), "")],
        verbs=VERBS,
    )


def jurisdiction_history(person: User, code: str) -> History | None:
    """How the state is cited, and of which courts and periods the rulings are complete."""
    coverages = SourceCoverage.objects.filter(jurisdiction=code).order_by("court", "covered_from", "pk")
    about = [("law.coverage", str(each.pk), str(each)) for each in coverages]
    if Jurisdiction.objects.filter(code=code).exists():
        about.insert(0, ("law.jurisdiction", code, code))
    if not about:
        return None
    return History(title=code, back_url=f"{reverse('law:acts')}?state={code}", about=about, verbs=VERBS)


add_history("act", act_history, of=["law.act", "law.edition"])
add_history("ruling", ruling_history, of=["law.ruling"])
add_history("jurisdiction", jurisdiction_history, of=["law.coverage", "law.jurisdiction"])
add_values("law.act", Act)
add_values("law.act", Amendment)
add_values("law.edition", Edition)
