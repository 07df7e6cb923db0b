"""Tokens of the API: made, and revoked."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.api.models import ApiToken, digest_of
from lexreview.ledger.actions import record_event

LONGEST = timedelta(days=366)


class TokenRefused(ValueError):
    """The token cannot be made as asked for; the text says why."""


@transaction.atomic
def create_token(
    *, user: User, name: str, expires_at: datetime, by: User | None, now: datetime
) -> tuple[ApiToken, str]:
    """A new token and its secret, which is shown once and not kept. Raises TokenRefused."""
    longest = ApiToken._meta.get_field("name").max_length or 0
    if not name.strip() or len(name) > longest:
        raise TokenRefused(f"A token needs a name of at most {longest} characters, which says what it is for.")
    if not now < expires_at <= now + LONGEST:
        raise TokenRefused(f"A token lasts from now for at most {LONGEST.days} days.")
    if not user.is_active:
        raise TokenRefused("An account that is switched off gets no token.")
    if ApiToken.objects.filter(user=user, name=name).exists():
        raise TokenRefused(f"There is a token named {name} already; give another name.")
    secret = secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user, name=name, digest=digest_of(secret), created_at=now, expires_at=expires_at
    )
    record_event(
        by=by,
        verb="create_token",
        object_type="api_token",
        object_id=f"{user.username}/{name}",
        after={"scope": token.scope, "expires_at": expires_at},
        now=now,
    )
    return token, secret


@transaction.atomic
def revoke_token(*, token: ApiToken, by: User | None, now: datetime) -> ApiToken:
    """Ends the token at once. Revoking it again changes nothing."""
    if token.revoked_at is None:
        token.revoked_at = now
        token.save(update_fields=["revoked_at"])
        record_event(
            by=by,
            verb="revoke_token",
            object_type="api_token",
            object_id=f"{token.user.username}/{token.name}",
            now=now,
        )
    return token
