from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from lexreview.accounts.actions import membership_name
from lexreview.accounts.models import Membership, User
from lexreview.ledger.actions import EventDraft, record_events


class RecordedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """An admin whose every write is an event; names of changed fields are recorded, never a password."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        before = type(obj)._default_manager.filter(pk=obj.pk).first() if change else None
        super().save_model(request, obj, form, change)
        self._record(request, self.saved(obj, before, form.changed_data))

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self._record(request, self.gone(obj))
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_model(request, row)

    def saved(self, row: Any, before: Any, changed: list[str]) -> list[EventDraft]:
        """The events of a saved row; `before`: as it was stored, None for a new one. Every admin says its own."""
        raise NotImplementedError

    def gone(self, row: Any) -> list[EventDraft]:
        """The events of a row that is about to be deleted. Every admin says its own."""
        raise NotImplementedError

    def _record(self, request: HttpRequest, drafts: list[EventDraft]) -> None:
        record_events(by=request.user, drafts=drafts, now=timezone.now())


@admin.register(User)
class AccountAdmin(RecordedAdmin, UserAdmin):  # type: ignore[type-arg]
    def saved(self, row: User, before: User | None, changed: list[str]) -> list[EventDraft]:
        return [
            EventDraft(
                verb="change_user" if before else "create_user",
                object_type="user",
                object_id=row.username,
                after={"fields": changed},
            )
        ]

    def gone(self, row: User) -> list[EventDraft]:
        """The roles go with the person."""
        roles = row.memberships.select_related("user").by_benchmark()
        return [*map(_revoked, roles), EventDraft(verb="delete_user", object_type="user", object_id=row.username)]


@admin.register(Membership)
class MembershipAdmin(RecordedAdmin):
    """A membership that is changed is the old role revoked and the new one granted, whoever it was of and wherever."""

    list_display = ["user", "benchmark_slug", "role"]
    list_filter = ["role", "benchmark_slug"]

    def saved(self, row: Membership, before: Membership | None, changed: list[str]) -> list[EventDraft]:
        granted = EventDraft(
            verb="grant_role", object_type="membership", object_id=membership_name(row), after={"role": row.role}
        )
        return ([_revoked(before)] if before and changed else []) + ([granted] if changed or not before else [])

    def gone(self, row: Membership) -> list[EventDraft]:
        return [_revoked(row)]


def _revoked(row: Membership) -> EventDraft:
    return EventDraft(
        verb="revoke_role", object_type="membership", object_id=membership_name(row), before={"role": row.role}
    )
