from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from lexreview.ledger.histories import find_history, parts_of
from lexreview.ledger.models import Event
from lexreview.ledger.timeline import lines_of

PER_PAGE = 100


@require_safe
def history(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    """The time line of one thing, newest event first; what is not visible to the person is not found."""
    found = find_history(kind, person=request.user, name=name)
    if found is None:
        raise Http404
    events = Event.objects.about_any([(each[0], each[1]) for each in found.about]).newest_first()
    before = request.GET.get("before", "")
    if before.isdecimal() and len(before) < 19:
        events = events.filter(number__lt=int(before))
    page = list(events[: PER_PAGE + 1])
    shown = page[:PER_PAGE]
    context = {
        "history": found,
        "lines": lines_of(shown, found),
        "older": page[PER_PAGE:],
        "last_number": str(shown[-1].number) if shown else "",
        "parts": parts_of(kind, person=request.user, name=name),
    }
    return render(request, "ledger/history.html", context)
