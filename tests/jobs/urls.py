"""The pages of the processes that tests start: signing in, and this room's."""

from django.urls import include, path

urlpatterns = [
    path("account/", include("allauth.urls")),
    path("", include("lexreview.accounts.urls")),
    path("", include("lexreview.jobs.urls")),
]
