"""The history of an answer, with the run and the system that gave it."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.accounts.rules import has_role
from lexreview.answers.masking import is_unmasked_for
from lexreview.answers.models import Answer
from lexreview.core.workflow import Role
from lexreview.ledger.histories import add_history
from lexreview.ledger.timeline import History


def answer_history(person: User, name: str) -> History | None:
    """`name` is `slug/identifier`, which tells the system: None while that is masked for the person.

    For leads and operators also what was checked in it: a reviewer whose card comes without proposals must not read
    them here.
    """
    slug, _sign, identifier = name.partition("/")
    visible = Answer.objects.visible_to(person).with_run()
    answer = visible.filter(question__benchmark__slug=slug, identifier=identifier).first()
    if answer is None or not is_unmasked_for(person, answer):
        return None
    about = [("answer", name, _("answer"))]
    if has_role(person, slug, Role.LEAD, Role.OPERATOR):
        about.append(("verification", name, _("check of the citations")))
    return History(
        title=identifier,
        back_url=reverse("answers:answer", args=[slug, identifier]),
        about=about,
        verbs={
            "store_answer": gettext_lazy("stored the answer"),
            "verify_answer": gettext_lazy("checked its citations"),
            "check_support": gettext_lazy("asked a model whether the source supports the claim"),
        },
    )


add_history("answer", answer_history)
