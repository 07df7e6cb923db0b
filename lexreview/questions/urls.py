from django.urls import path

from lexreview.questions import editing_views, views

app_name = "questions"

QUESTION = "benchmarks/<slug:slug>/questions/<str:code>/"

urlpatterns = [
    path("benchmarks/", views.benchmarks, name="benchmarks"),
    path("benchmarks/<slug:slug>/", views.benchmark, name="benchmark"),
    path("benchmarks/<slug:slug>/questions/new/", editing_views.new_question, name="new_question"),
    path(QUESTION, views.question, name="question"),
    path(f"{QUESTION}edit/", editing_views.edit_question, name="edit_question"),
    path(f"{QUESTION}key/", editing_views.edit_key, name="edit_key"),
    path(f"{QUESTION}key/compare/", editing_views.compare_key, name="compare_key"),
    path(f"{QUESTION}key/approve/", editing_views.approve, name="approve_key"),
    path(f"{QUESTION}key/basis/", editing_views.pick_basis, name="pick_basis"),
    path(f"{QUESTION}key/basis/remove/", editing_views.drop_basis, name="drop_basis"),
    path(f"{QUESTION}key/versions/", editing_views.key_versions, name="key_versions"),
]
