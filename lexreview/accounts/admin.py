from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from lexreview.accounts.models import Membership, User
from lexreview.ledger.actions import record_event


class RecordedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """An admin whose every write is an event; names of changed fields are recorded, never a password."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        self._record(request, "change" if change else "create", obj, {"fields": form.changed_data})

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self._record(request, "delete", obj, None)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_model(request, row)

    def _record(self, request: HttpRequest, verb: str, row: Model, after: Any) -> None:
        record_event(
            by=request.user,
            verb=f"{verb}_{row._meta.model_name}",
            object_type=str(row._meta.model_name),
            object_id=str(row),
            after=after,
            now=timezone.now(),
        )


@admin.register(User)
class AccountAdmin(RecordedAdmin, UserAdmin):  # type: ignore[type-arg]
    pass


@admin.register(Membership)
class MembershipAdmin(RecordedAdmin):
    list_display = ["user", "benchmark_slug", "role"]
    list_filter = ["role", "benchmark_slug"]
