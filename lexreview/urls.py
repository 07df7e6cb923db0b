from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.http import require_safe


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Readers go to the published pages, members to their benchmarks."""
    return redirect("questions:benchmarks" if request.user.is_authenticated else "public:publications")


urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("account/", include("allauth.urls")),
    path("", include("lexreview.accounts.urls")),
    path("", include("lexreview.jobs.urls")),
    path("", include("lexreview.ledger.urls")),
    path("", include("lexreview.providers.urls")),
    path("", include("lexreview.questions.urls")),
    path("", include("lexreview.answers.urls")),
    path("", include("lexreview.methodology.urls")),
    path("", include("lexreview.law.urls")),
    path("review/", include("lexreview.review.urls")),
    path("review/", include("lexreview.review.lead_urls")),
    path("verification/", include("lexreview.verification.urls")),
    path("judges/", include("lexreview.judging.urls")),
    path("reports/", include("lexreview.reports.urls")),
    path("api/", include("lexreview.api.urls")),
    path("admin/", admin.site.urls),
    *i18n_patterns(path("p/", include("lexreview.public.urls"))),
]
