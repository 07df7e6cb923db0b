from django.urls import include, path

from lexreview.public import views
from lexreview.public.feeds import decision_feed

app_name = "public"

PAGES = [
    path("", views.benchmark, name="benchmark"),
    path("questions/", views.questions, name="questions"),
    path("questions/<str:code>/", views.question, name="question"),
    path("cards/<str:identifier>/", views.card, name="card"),
    path("errors/", views.errors, name="errors"),
    path("judges/", views.judges, name="judges"),
    path("verification/", views.verification, name="verification"),
    path("cost/", views.cost, name="cost"),
    path("method/", views.method, name="method"),
    path("decisions/", views.decisions, name="decisions"),
    path("decisions/feed/", decision_feed, name="decision_feed"),
    path("versions/", views.versions, name="versions"),
    path("report.pdf", views.report_pdf, name="report_pdf"),
    path("report.html", views.report_html, name="report_html"),
]

urlpatterns = [
    path("", views.publications, name="publications"),
    path("<slug:slug>/", include(PAGES)),
    path("<slug:slug>/v<int:number>/", include(PAGES)),
]
