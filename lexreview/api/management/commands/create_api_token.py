from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.api.actions import LONGEST, TokenRefused, create_token


class Command(BaseCommand):
    help = "Makes a token for the API in a person's name and prints it once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="whose token it is")
        parser.add_argument("name", help="what the token is for")
        parser.add_argument("--days", type=int, default=90, help="how long it is valid (%(default)s)")

    def handle(self, *args: Any, username: str, name: str, days: int, **options: Any) -> None:
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no account {username}.")
        now = timezone.now()
        # Days beyond the calendar are refused like all that are too many.
        lasting = timedelta(days=min(max(days, 0), LONGEST.days + 1))
        try:
            token, secret = create_token(user=user, name=name, expires_at=now + lasting, by=None, now=now)
        except TokenRefused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{secret}\nValid until {token.expires_at:%Y-%m-%d}; it is not shown again.")
