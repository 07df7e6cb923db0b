from django.urls import path

from lexreview.ledger import views

app_name = "ledger"

urlpatterns = [
    path("history/<slug:kind>/<path:name>/", views.history, name="history"),
]
