from django.urls import path

from lexreview.jobs import views

app_name = "jobs"

urlpatterns = [
    path("jobs/", views.job_list, name="list"),
    path("jobs/<int:number>/", views.job_page, name="page"),
    path("jobs/<int:number>/items/", views.item_list, name="items"),
    path("jobs/<int:number>/items/<int:item>/", views.item_page, name="item"),
    path("jobs/<int:number>/cancel/", views.cancel, name="cancel"),
    path("jobs/<int:number>/resume/", views.resume, name="resume"),
    path("jobs/<int:number>/retry/", views.retry, name="retry"),
]
