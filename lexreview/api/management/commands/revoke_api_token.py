from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from lexreview.api.actions import revoke_token
from lexreview.api.models import ApiToken


class Command(BaseCommand):
    help = "Ends a token of the API at once, as when it was lost or seen by others. Without a name it lists a person's."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("name", nargs="?", help="what the token is for, as it was said when it was made")

    def handle(self, *args: Any, username: str, name: str | None, **options: Any) -> None:
        now = timezone.now()
        tokens = ApiToken.objects.filter(user__username=username).select_related("user").order_by("created_at", "pk")
        if not tokens:
            raise CommandError(f"There is no token of an account {username}.")
        if name is None:
            for token in tokens:
                state = "valid until" if token.is_valid(now) else "revoked;" if token.revoked_at else "expired"
                day = token.revoked_at or token.expires_at
                self.stdout.write(f"{token.name}  {state} {day:%Y-%m-%d}")
            return
        found = next((token for token in tokens if token.name == name), None)
        if found is None:
            listed = ", ".join(token.name for token in tokens)
            raise CommandError(f"{username} has no token named {name}, but: {listed}.")
        revoke_token(token=found, by=None, now=now)
        self.stdout.write(f"{name}: revoked.")
