from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from lexreview.accounts.models import User
from lexreview.providers.models import Call, RawResponse
from lexreview.providers.rules import can_see_call


class MemberRequest(HttpRequest):
    user: User


@require_safe
def raw_response(request: MemberRequest, number: int) -> HttpResponse:
    """What the provider sent, as a file: it is a stranger's text and never shown as a page."""
    raw = get_object_or_404(RawResponse.objects.select_related("call"), call__in=Call.objects.filter(pk=number))
    if not can_see_call(request.user, raw.call):
        raise Http404
    return HttpResponse(
        raw.body,
        content_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="call-{number}.json"', "X-SHA256": raw.sha256},
    )
