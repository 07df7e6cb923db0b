from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import DefaultRouter

from lexreview.api import views

app_name = "api"

router = DefaultRouter()
router.include_root_view = False
router.register("benchmarks", views.BenchmarkViewSet)
router.register("questions", views.QuestionViewSet)
router.register("answers", views.AnswerViewSet)
router.register("cards", views.CardViewSet)
router.register("decisions", views.DecisionViewSet)

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("decisions/<slug:slug>/feed/", views.decision_feed, name="decision_feed"),
    path("", include(router.urls)),
]
