from django.urls import path

from lexreview.law import views

app_name = "law"

urlpatterns = [
    path("law/", views.acts, name="acts"),
    path("law/acts/<path:eli>/", views.act, name="act"),
    path("law/changes/<path:eli>/", views.changes, name="changes"),
    path("law/units/<path:eli>/", views.unit, name="unit"),
    path("law/rulings/", views.rulings, name="rulings"),
    path("law/rulings/<int:pk>/", views.ruling, name="ruling"),
]
