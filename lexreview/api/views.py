"""Read access for members of a benchmark. What is not visible does not exist: 404."""

from typing import TYPE_CHECKING, Any, cast

import django_filters
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, viewsets
from rest_framework.authentication import SessionAuthentication
from rest_framework.decorators import api_view, authentication_classes
from rest_framework.request import Request

from lexreview.accounts.models import User
from lexreview.accounts.rules import benchmark_slugs_of
from lexreview.answers.masking import answers_unmasked_for, in_unmasked_benchmarks
from lexreview.answers.models import Answer
from lexreview.api.authentication import PasswordTokenAuthentication, TokenAuthentication
from lexreview.api.pages import check_parameters
from lexreview.api.serializers import (
    ANSWER_STATES,
    CARD_LABELS,
    CARD_STATES,
    DECISION_STATES,
    AnswerSerializer,
    BenchmarkSerializer,
    CardSerializer,
    DecisionSerializer,
    QuestionSerializer,
    WholeCardSerializer,
)
from lexreview.core.workflow import ASIDE
from lexreview.methodology.feeds import DecisionFeed
from lexreview.methodology.models import Decision
from lexreview.questions.models import Benchmark, Question
from lexreview.review.models import Card

if TYPE_CHECKING:
    from rest_framework.serializers import BaseSerializer


class ReadOnly(mixins.RetrieveModelMixin, mixins.ListModelMixin, viewsets.GenericViewSet[Any]):
    """Lists and single rows; the signed-in person is always a `User` here (IsAuthenticated)."""

    http_method_names = ["get", "head", "options"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        filters = getattr(self, "filterset_class", None)
        known = [*(filters.base_filters if filters else ()), "limit", "offset"]
        check_parameters(request, known if self.action == "list" else [])

    @property
    def person(self) -> User:
        user = self.request.user
        if not isinstance(user, User):
            raise TypeError("a view of the API ran without a signed-in person")
        return user


class OfAnswers(ReadOnly):
    """Rows that tell which system answered; `unmasked`: primary keys of the answers that may, for this person."""

    unmasked: frozenset[int] | set[int] = frozenset()

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset)
        self.unmasked = answers_unmasked_for(self.person, [self.answer_of(row) for row in page or ()])
        return page

    def get_object(self) -> Any:
        row = super().get_object()
        self.unmasked = answers_unmasked_for(self.person, [self.answer_of(row)])
        return row

    def answer_of(self, row: Any) -> Answer:
        return row if isinstance(row, Answer) else row.answer


class BenchmarkViewSet(ReadOnly):
    """The benchmarks of which the person is a member."""

    queryset = Benchmark.objects.none()
    serializer_class = BenchmarkSerializer
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Benchmark]:
        return Benchmark.objects.visible_to(self.person).select_related("specification").by_slug()


class QuestionFilter(django_filters.FilterSet):
    benchmark = django_filters.CharFilter(field_name="benchmark__slug")
    code = django_filters.CharFilter()
    set = django_filters.CharFilter(field_name="set__code")


class QuestionViewSet(ReadOnly):
    """Questions with all versions of their keys, in the order of their codes."""

    queryset = Question.objects.none()
    serializer_class = QuestionSerializer
    filterset_class = QuestionFilter

    def get_queryset(self) -> QuerySet[Question]:
        rows = Question.objects.visible_to(self.person).select_related("benchmark", "set", "mirror")
        return rows.prefetch_related("key_versions").by_code()


class AnswerFilter(django_filters.FilterSet):
    benchmark = django_filters.CharFilter(field_name="question__benchmark__slug")
    question = django_filters.CharFilter(field_name="question__code")
    system = django_filters.CharFilter(method="of_system")
    condition = django_filters.CharFilter(field_name="run__condition__code")
    state = django_filters.ChoiceFilter(choices=ANSWER_STATES)

    def of_system(self, rows: QuerySet[Answer], name: str, value: str) -> QuerySet[Answer]:
        """Only where the person learns every system: a filter would tell the masked ones."""
        return in_unmasked_benchmarks(rows, cast(User, self.request.user)).filter(run__system__code=value)


class AnswerViewSet(OfAnswers):
    """Answers with their text. While their system is masked for the person, what tells it is null."""

    queryset = Answer.objects.none()
    serializer_class = AnswerSerializer
    filterset_class = AnswerFilter

    def get_queryset(self) -> QuerySet[Answer]:
        return Answer.objects.visible_to(self.person).with_run().order_by("question__code", "sha256", "pk")


class CardFilter(django_filters.FilterSet):
    benchmark = django_filters.CharFilter(field_name="answer__question__benchmark__slug")
    question = django_filters.CharFilter(field_name="answer__question__code")
    state = django_filters.ChoiceFilter(choices=CARD_STATES)
    label = django_filters.ChoiceFilter(choices=CARD_LABELS)


class CardViewSet(OfAnswers):
    """Reference cards; a single one with its scores, citations, findings and revisions in `record`."""

    queryset = Card.objects.none()
    filterset_class = CardFilter

    def get_queryset(self) -> QuerySet[Card]:
        cards = Card.objects.visible_to(self.person).exclude(round__in=ASIDE)
        return (cards.with_answer() if self.action == "retrieve" else cards.with_list_data()).in_queue_order()

    def get_serializer_class(self) -> "type[BaseSerializer[Card]]":
        return WholeCardSerializer if self.action == "retrieve" else CardSerializer


class DecisionFilter(django_filters.FilterSet):
    benchmark = django_filters.CharFilter(field_name="benchmark_slug")
    state = django_filters.ChoiceFilter(choices=DECISION_STATES)


class DecisionViewSet(ReadOnly):
    """Entries of the decision log, drafts too, by benchmark and number."""

    queryset = Decision.objects.none()
    serializer_class = DecisionSerializer
    filterset_class = DecisionFilter

    def get_queryset(self) -> QuerySet[Decision]:
        rows = Decision.objects.filter(benchmark_slug__in=benchmark_slugs_of(self.person))
        return rows.select_related("supersedes").order_by("benchmark_slug", "number", "pk")

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "person": self.person}


@extend_schema(exclude=True)
@api_view(["GET"])
@authentication_classes([PasswordTokenAuthentication, TokenAuthentication, SessionAuthentication])
def decision_feed(request: Request, slug: str) -> HttpResponse:
    """The log of one benchmark as Atom, published entries only; a feed reader signs in with a token as password."""
    if slug not in benchmark_slugs_of(request.user):
        raise Http404
    return DecisionFeed(slug)(request._request)
