from typing import Self

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import benchmark_slugs_of
from lexreview.answers.models import Answer
from lexreview.choices import choices_of, values_of
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.law.models import Act, Edition, Ruling
from lexreview.providers.models import Call
from lexreview.questions.models import Benchmark


class VerificationQuerySet(models.QuerySet["Verification"]):
    def current(self) -> Self:
        return self.filter(is_current=True)

    def newest_first(self) -> Self:
        return self.order_by("-verified_at", "-pk")


class Verification(models.Model):
    """One pass of the citation check over an answer. A later pass leaves the earlier ones as they are.

    `corpus_fingerprint` says on which state of the law corpus the pass was made: the same layer on the same corpus
    need not run again.
    """

    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="verifications")
    layer_version = models.CharField(max_length=20)
    corpus_fingerprint = models.CharField(max_length=64, blank=True)
    legal_state_on = models.DateField()
    verified_at = models.DateTimeField()
    is_current = models.BooleanField(default=True)

    objects = VerificationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["answer"], condition=Q(is_current=True), name="verification_one_current_per_answer"
            ),
        ]

    def __str__(self) -> str:
        return f"verification {self.pk} of answer {self.answer_id}"


RESULT_LABELS = {
    CheckResult.CONFIRMED: _("confirmed"),
    CheckResult.WORDING_DIFFERS: _("wording differs"),
    CheckResult.WRONG_IDENTIFIER: _("wrong identifier"),
    CheckResult.NOT_FOUND: _("not found"),
    CheckResult.NOT_IN_FORCE: _("not in force"),
    CheckResult.AMBIGUOUS: _("ambiguous"),
    CheckResult.OUT_OF_SCOPE: _("out of scope"),
    CheckResult.UNDETERMINED: _("not established"),
}


class QuotationMatch(models.TextChoices):
    """How the quotation that belongs to a citation relates to the official wording on the legal-state date."""

    EXACT = "exact", _("verbatim")
    DIFFERS = "differs", _("differs")
    OTHER_EDITION = "other_edition", _("wording of another date")
    OTHER_UNIT = "other_unit", _("wording of another provision")


class CitationQuerySet(models.QuerySet["Citation"]):
    def in_text_order(self) -> Self:
        return self.order_by("verification_id", "number")

    def visible_to(self, user: User | AnonymousUser) -> Self:
        return self.filter(verification__answer__question__benchmark__slug__in=benchmark_slugs_of(user))

    def current_of(self, benchmark: Benchmark) -> Self:
        return self.filter(verification__is_current=True, verification__answer__question__benchmark=benchmark)

    def with_sources(self) -> Self:
        return self.select_related(
            "act", "edition", "other_edition", "ruling", "verification__answer__question__benchmark"
        )


class Citation(models.Model):
    """A citation found in an answer, with what the layer could establish about it on the legal-state date.

    `start`, `end`: code points of the answer's text, end exclusive. `reason` is a code, `explanation` a sentence.
    `diff`: [[op, text]] with op "same", "source" (only in the source) or "answer" (only in the answer), by words.
    `quotation_match` is empty where no quotation belongs to the citation; `other_unit_key` names the unit in which the
    quoted words do stand. `proposed_class`: the error class that the result suggests; a proposal, never a verdict.
    """

    verification = models.ForeignKey(Verification, on_delete=models.CASCADE, related_name="citations")
    number = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    raw = models.TextField()
    kind = models.CharField(max_length=12)
    act_name = models.CharField(max_length=200, blank=True)
    unit_key = models.CharField(max_length=200, blank=True)
    act = models.ForeignKey(Act, on_delete=models.PROTECT, null=True, related_name="+")
    edition = models.ForeignKey(Edition, on_delete=models.PROTECT, null=True, related_name="+")
    ruling = models.ForeignKey(Ruling, on_delete=models.PROTECT, null=True, related_name="+")
    result = models.CharField(max_length=18, choices=choices_of(RESULT_LABELS))
    reason = models.CharField(max_length=60, blank=True)
    explanation = models.TextField(blank=True)
    suggestion = models.TextField(blank=True)
    quotation = models.TextField(blank=True)
    quotation_spans = models.JSONField(default=list)
    quotation_match = models.CharField(max_length=14, choices=QuotationMatch.choices, blank=True)
    diff = models.JSONField(default=list)
    other_unit_key = models.CharField(max_length=200, blank=True)
    other_edition = models.ForeignKey(Edition, on_delete=models.PROTECT, null=True, related_name="+")
    source_text = models.TextField(blank=True)
    source_url = models.CharField(max_length=500, blank=True)
    source_sha256 = models.CharField(max_length=64, blank=True)
    certainty = models.CharField(max_length=20, blank=True)
    proposed_class = models.CharField(max_length=10, blank=True)

    objects = CitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["verification", "number"], name="citation_number_once"),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="citation_span_not_empty"),
            models.CheckConstraint(condition=Q(result__in=values_of(CheckResult)), name="citation_result_known"),
            models.CheckConstraint(
                condition=Q(quotation_match__in=["", *QuotationMatch.values]), name="citation_quotation_match_known"
            ),
        ]
        indexes = [models.Index(fields=["act", "unit_key"], condition=Q(act__isnull=False), name="citation_of_unit")]

    def __str__(self) -> str:
        return f"citation {self.verification_id}.{self.number}"

    @property
    def is_flagged(self) -> bool:
        """Whether a lawyer must open it before approving: anything but a plain confirmation."""
        return CheckResult(self.result).is_flagged


class Support(models.TextChoices):
    """What the source's text has to do with the claim."""

    SUPPORTS = "supports", _("supports the claim")
    CONTRADICTS = "contradicts", _("contradicts the claim")
    DOES_NOT_COVER = "does_not_cover", _("does not cover the claim")
    UNSURE = "unsure", _("unsure")


class SupportCheckQuerySet(models.QuerySet["SupportCheck"]):
    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.filter(citation__verification__answer__question__benchmark=benchmark)

    def oldest_first(self) -> Self:
        return self.order_by("checked_at", "pk")


class SupportCheck(models.Model):
    """What a model said of a claim and the source that it cites. Advice, never a verdict; a row is never changed.

    `content_sha256` is over the place in the answer, the day and the wording of the source: a citation of a later
    verification with the same content has the same advice. `request_sha256` is that of the call, with texts, model
    and prompt. `said` is the model's own word, `support` what is left of it after the look-up of `sentence` in the
    source; `reason` says why the two differ. `call` is null for advice that was asked for elsewhere and imported.
    """

    citation = models.ForeignKey(Citation, on_delete=models.PROTECT, related_name="support_checks")
    content_sha256 = models.CharField(max_length=64)
    request_sha256 = models.CharField(max_length=64)
    support = models.CharField(max_length=15, choices=Support.choices)
    said = models.CharField(max_length=15, choices=Support.choices)
    sentence = models.TextField(blank=True)
    reason = models.CharField(max_length=60, blank=True)
    provider = models.CharField(max_length=60)
    model = models.CharField(max_length=200)
    served_model = models.CharField(max_length=200, blank=True)
    prompt_version = models.CharField(max_length=20)
    prompt_sha256 = models.CharField(max_length=64)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, null=True, related_name="+")
    checked_at = models.DateTimeField()

    objects = SupportCheckQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["request_sha256"], name="support_check_by_request")]
        constraints = [
            models.UniqueConstraint(fields=["content_sha256", "request_sha256"], name="support_check_once"),
            models.CheckConstraint(condition=Q(support__in=Support.values), name="support_check_known"),
            models.CheckConstraint(condition=Q(said__in=Support.values), name="support_check_said_known"),
        ]

    def __str__(self) -> str:
        return f"support check {self.pk} of citation {self.citation_id}"
