from django.urls import path

from lexreview.providers import views

app_name = "providers"

urlpatterns = [path("calls/<int:number>/response/", views.raw_response, name="raw")]
