"""Accounts and memberships: made by an administrator or a command, never by a visitor."""

from datetime import datetime

from django.db import transaction

from lexreview.accounts.models import Membership, User
from lexreview.core.workflow import Role
from lexreview.ledger.actions import record_event


@transaction.atomic
def create_account(*, username: str, password: str, name: str = "", by: User | None, now: datetime) -> User:
    """A new account that can sign in. Errors: django's ValidationError for a name or password that is refused."""
    first_name, _, last_name = name.partition(" ")
    user = User(username=username, first_name=first_name, last_name=last_name)
    user.set_password(password)
    user.full_clean(exclude=["password"])
    user.save()
    record_event(by=by, verb="create_account", object_type="user", object_id=username, after={"name": name}, now=now)
    return user


@transaction.atomic
def placeholder_account(*, username: str, by: User | None, now: datetime) -> User:
    """The account with that name, or a new one that nobody can sign in to: a person named in an imported record."""
    user = User.objects.filter(username=username).first()
    if user is not None:
        return user
    user = User(username=username, is_active=False)
    user.set_unusable_password()
    user.full_clean(exclude=["password"])
    user.save()
    record_event(
        by=by, verb="create_account", object_type="user", object_id=username, after={"placeholder": True}, now=now
    )
    return user


@transaction.atomic
def set_account_password(*, user: User, password: str, by: User | None, now: datetime) -> User:
    user.set_password(password)
    user.save(update_fields=["password"])
    record_event(by=by, verb="set_password", object_type="user", object_id=user.username, now=now)
    return user


@transaction.atomic
def set_account_name(*, user: User, first_name: str, last_name: str, by: User, now: datetime) -> User:
    """Idempotent: a name that is already there records nothing."""
    before = {"first_name": user.first_name, "last_name": user.last_name}
    after = {"first_name": first_name, "last_name": last_name}
    if before == after:
        return user
    user.first_name, user.last_name = first_name, last_name
    user.save(update_fields=["first_name", "last_name"])
    record_event(
        by=by,
        verb="set_name",
        object_type="user",
        object_id=user.username,
        before=before,
        after=after,
        now=now,
    )
    return user


@transaction.atomic
def set_account_language(*, user: User, language: str, by: User, now: datetime) -> User:
    """Idempotent: a language that is already chosen records nothing. "" means: as the browser asks."""
    before = user.language
    if before == language:
        return user
    user.language = language
    user.save(update_fields=["language"])
    record_event(
        by=by,
        verb="set_language",
        object_type="user",
        object_id=user.username,
        before={"language": before},
        after={"language": language},
        now=now,
    )
    return user


def membership_name(membership: Membership) -> str:
    """What the ledger calls the roles of a person in a benchmark."""
    return f"{membership.user.username}@{membership.benchmark_slug}"


@transaction.atomic
def grant_role(*, user: User, benchmark_slug: str, role: Role, by: User | None, now: datetime) -> Membership:
    """Idempotent: a role that is already held is left as it is and records nothing."""
    membership, created = Membership.objects.get_or_create(user=user, benchmark_slug=benchmark_slug, role=role)
    if created:
        record_event(
            by=by,
            verb="grant_role",
            object_type="membership",
            object_id=membership_name(membership),
            after={"role": role},
            now=now,
        )
    return membership


@transaction.atomic
def revoke_role(*, user: User, benchmark_slug: str, role: Role, by: User | None, now: datetime, reason: str) -> None:
    deleted, _ = Membership.objects.filter(user=user, benchmark_slug=benchmark_slug, role=role).delete()
    if deleted:
        record_event(
            by=by,
            verb="revoke_role",
            object_type="membership",
            object_id=f"{user.username}@{benchmark_slug}",
            before={"role": role},
            reason=reason,
            now=now,
        )
