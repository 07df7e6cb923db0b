from django.urls import path

from lexreview.accounts import views

app_name = "accounts"

urlpatterns = [
    path("account/me/", views.account, name="account"),
    path("account/language/", views.language, name="language"),
    path("look/", views.gallery, name="gallery"),
]
