from django.urls import path

from lexreview.verification import views

app_name = "verification"

urlpatterns = [
    path("benchmarks/<slug:slug>/", views.benchmark, name="benchmark"),
    path("benchmarks/<slug:slug>/start/", views.start, name="start"),
    path("benchmarks/<slug:slug>/support/", views.support, name="support"),
    path("benchmarks/<slug:slug>/support/start/", views.start_support, name="start_support"),
    path("answers/<int:pk>/verification/", views.report, name="report"),
    path("citations/<int:pk>/source/", views.source, name="source"),
]
