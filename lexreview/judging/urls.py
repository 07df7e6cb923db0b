from django.urls import path

from lexreview.judging import asking_views, views

app_name = "judging"

urlpatterns = [
    path("<slug:slug>/", views.judges, name="judges"),
    path("<slug:slug>/verdicts.csv", views.verdicts_csv, name="verdicts_csv"),
    path("<slug:slug>/ask/", asking_views.ask, name="ask"),
    path("<slug:slug>/ask/start/", asking_views.start, name="start"),
    path("<slug:slug>/panels/", views.new_panel, name="new_panel"),
    path("<slug:slug>/panels/<slug:code>/", views.panel, name="panel"),
    path("<slug:slug>/results/<int:pk>/override/", views.override, name="override"),
    path("<slug:slug>/verdicts/<int:pk>/", views.verdict, name="verdict"),
]
