"""Rows as JSON. What a client may see is decided by the QuerySets of the views, never here."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from lexreview.answers.models import ANSWER_STATE_LABELS, Answer
from lexreview.answers.trace_line import masked_trace
from lexreview.choices import choices_of
from lexreview.methodology.models import DECISION_STATE_LABELS, Decision
from lexreview.methodology.naming import touched_cards
from lexreview.questions.models import KEY_STATE_LABELS, Benchmark, KeyVersion, Question
from lexreview.review.models import CARD_STATE_LABELS, LABEL_LABELS, Card
from lexreview.review.snapshot import shown_record_of

KEY_STATES = choices_of(KEY_STATE_LABELS)
ANSWER_STATES = choices_of(ANSWER_STATE_LABELS)
CARD_STATES = choices_of(CARD_STATE_LABELS)
CARD_LABELS = choices_of(LABEL_LABELS)
DECISION_STATES = choices_of(DECISION_STATE_LABELS)


class BenchmarkSerializer(serializers.ModelSerializer[Benchmark]):
    specification = serializers.CharField(source="specification.version")

    class Meta:
        model = Benchmark
        fields = [
            "slug",
            "titles",
            "summaries",
            "limitations",
            "language",
            "jurisdiction",
            "legal_state_on",
            "method",
            "canary",
            "specification",
        ]


class KeyVersionSerializer(serializers.ModelSerializer[KeyVersion]):
    class Meta:
        model = KeyVersion
        fields = [
            "number",
            "state",
            "dated",
            "core_answer",
            "rubric",
            "penalties",
            "bases",
            "calibration",
            "condition",
            "disputed",
            "verification_note",
            "reason",
            "approved_on",
            "frozen_at",
            "departure",
        ]


class QuestionSerializer(serializers.ModelSerializer[Question]):
    benchmark = serializers.CharField(source="benchmark.slug")
    set = serializers.CharField(source="set.code")
    mirror = serializers.CharField(source="mirror.code", allow_null=True, default=None)
    key_versions = KeyVersionSerializer(many=True)
    canary = serializers.UUIDField(source="benchmark.canary")

    class Meta:
        model = Question
        fields = [
            "id",
            "benchmark",
            "code",
            "set",
            "type",
            "language",
            "area",
            "task_type",
            "original_text",
            "benchmark_text",
            "asked",
            "expected",
            "trap",
            "mirror",
            "disclosure",
            "key_versions",
            "canary",
        ]


MASKED = (
    "identifier",
    "system",
    "repetition",
    "block_reason",
    "answered_at",
    "served_model",
    "settings",
    "usage",
    "cost_usd",
    "cost_is_lower_bound",
)


class AnswerSerializer(serializers.ModelSerializer[Answer]):
    """What tells the system is null while that is masked for the person; of the trace it is left out."""

    benchmark = serializers.CharField(source="question.benchmark.slug")
    question = serializers.CharField(source="question.code")
    system = serializers.CharField(source="run.system.code")
    condition = serializers.CharField(source="run.condition.code")
    repetition = serializers.IntegerField(source="run.repetition")
    canary = serializers.UUIDField(source="question.benchmark.canary")
    cost_usd = serializers.DecimalField(max_digits=15, decimal_places=10, normalize_output=True, read_only=True)

    class Meta:
        model = Answer
        fields = [
            "id",
            "identifier",
            "benchmark",
            "question",
            "system",
            "condition",
            "repetition",
            "state",
            "block_reason",
            "text",
            "sha256",
            "answered_at",
            "served_model",
            "settings",
            "trace",
            "usage",
            "cost_usd",
            "cost_is_lower_bound",
            "canary",
        ]

    def to_representation(self, instance: Answer) -> dict[str, Any]:
        fields: dict[str, Any] = super().to_representation(instance)
        if instance.pk not in self.context["view"].unmasked:
            fields.update(dict.fromkeys(MASKED), trace=masked_trace(instance.trace))
        return fields


class CardSerializer(serializers.ModelSerializer[Card]):
    identifier = serializers.CharField()
    benchmark = serializers.CharField(source="benchmark.slug")
    question = serializers.CharField(source="answer.question.code")
    specification = serializers.CharField(source="specification.version")
    key_version = serializers.IntegerField(source="key_version.number")
    canary = serializers.UUIDField(source="benchmark.canary")

    def to_representation(self, instance: Card) -> dict[str, Any]:
        fields: dict[str, Any] = super().to_representation(instance)
        if instance.answer_id not in self.context["view"].unmasked:
            fields["identifier"] = None
            if "record" in fields:
                fields["record"] = _without_answer(fields["record"])
        return fields

    class Meta:
        model = Card
        fields = [
            "id",
            "identifier",
            "benchmark",
            "question",
            "specification",
            "key_version",
            "state",
            "version",
            "label",
            "label_rule",
            "a_points",
            "a_available",
            "revision",
            "approved_at",
            "canary",
        ]


def _without_answer(record: dict[str, Any]) -> dict[str, Any]:
    """The record of a card without the identifier of its answer, there and in the revisions."""
    revisions = [{**row, "snapshot": {**row["snapshot"], "answer": None}} for row in record["revisions"]]
    return {**record, "answer": None, "revisions": revisions}


class WholeCardSerializer(CardSerializer):
    record = serializers.SerializerMethodField()

    class Meta(CardSerializer.Meta):
        fields = [*CardSerializer.Meta.fields, "record"]

    @extend_schema_field({"type": "object", "description": "scores, citations, findings and revisions"})
    def get_record(self, card: Card) -> dict[str, Any]:
        return shown_record_of(card)


class DecisionSerializer(serializers.ModelSerializer[Decision]):
    benchmark = serializers.CharField(source="benchmark_slug")
    supersedes = serializers.IntegerField(source="supersedes.number", allow_null=True, default=None)

    def to_representation(self, instance: Decision) -> dict[str, Any]:
        fields: dict[str, Any] = super().to_representation(instance)
        if cards := instance.touches.get("cards"):
            named = touched_cards(self.context["person"], instance.benchmark_slug, cards)
            fields["touches"] = {**instance.touches, "cards": [card.name for card in named]}
        return fields

    class Meta:
        model = Decision
        fields = [
            "id",
            "benchmark",
            "number",
            "decided_on",
            "state",
            "question",
            "decision",
            "reason",
            "touches",
            "specification_version",
            "rules_changed",
            "supersedes",
        ]
