from django.urls import path

from lexreview.reports import views

app_name = "reports"
urlpatterns = [
    path("<slug:slug>/", views.overview, name="overview"),
    path("<slug:slug>/layer/", views.layer, name="layer"),
    path("<slug:slug>/judges/<slug:code>/", views.calibration, name="calibration"),
    path("<slug:slug>/costs/", views.costs, name="costs"),
    path("<slug:slug>/costs.csv", views.costs_csv, name="costs_csv"),
    path("<slug:slug>/publish/", views.publish_benchmark, name="publish"),
    path("<slug:slug>/<int:number>/withdraw/", views.withdraw, name="withdraw"),
    path("<slug:slug>/<int:number>/make/", views.make_report, name="make_report"),
    path("<slug:slug>/<int:number>/<str:name>", views.file, name="file"),
]
