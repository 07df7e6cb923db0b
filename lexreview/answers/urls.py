from django.urls import path, re_path

from lexreview.answers import views

app_name = "answers"

# An identifier ends in its repetition, so no other address under `answers/` is taken for one.
urlpatterns = [
    path("collect/<slug:slug>/", views.collect, name="collect"),
    path("collect/<slug:slug>/start/", views.start, name="start"),
    path("answers/<int:pk>/", views.masked_answer, name="masked_answer"),
    re_path(r"^answers/(?P<slug>[-\w]+)/(?P<identifier>[^/]+_r\d+)/$", views.answer, name="answer"),
]
