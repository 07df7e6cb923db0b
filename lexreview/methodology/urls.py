from django.urls import path

from lexreview.methodology import specification_views, views

app_name = "methodology"

urlpatterns = [
    path("decisions/", views.decisions, name="decisions"),
    path("decisions/<slug:slug>/new/", views.new_decision, name="new_decision"),
    path("decisions/<slug:slug>/feed/", views.feed, name="decision_feed"),
    path("decisions/<slug:slug>/<int:number>/", views.decision, name="decision"),
    path("decisions/<slug:slug>/<int:number>/edit/", views.edit_decision, name="edit_decision"),
    path("decisions/<slug:slug>/<int:number>/publish/", views.publish, name="publish_decision"),
    path("specifications/<slug:name>/<str:version>/new/", specification_views.write, name="new_specification"),
    path(
        "specifications/<slug:name>/<str:version>/new/text/",
        specification_views.write_text,
        name="new_specification_text",
    ),
    path("specifications/<slug:name>/<str:version>/", specification_views.specification, name="specification"),
]
