"""Names of answers for templates, as far as the person may know them."""

from typing import Any

from django import template
from django.urls import reverse

from lexreview.answers.masking import is_unmasked_for, masked_name
from lexreview.answers.models import Answer

register = template.Library()


@register.simple_tag(takes_context=True)
def answer_name(context: dict[str, Any], answer: Answer) -> str:
    """The identifier, or for a masked system a name that does not tell. `unmasked` in the context spares the query."""
    return answer.identifier if _is_unmasked(context, answer) else masked_name(answer)


@register.simple_tag(takes_context=True)
def answer_address(context: dict[str, Any], answer: Answer) -> str:
    """Where the answer is read; the address of a masked one does not name its system."""
    if _is_unmasked(context, answer):
        return reverse("answers:answer", args=[answer.question.benchmark.slug, answer.identifier])
    return reverse("answers:masked_answer", args=[answer.pk])


def _is_unmasked(context: dict[str, Any], answer: Answer) -> bool:
    if "unmasked" in context:
        return answer.pk in context["unmasked"]
    return is_unmasked_for(context["user"], answer)
