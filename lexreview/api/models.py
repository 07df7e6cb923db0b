import hashlib
from datetime import datetime

from django.db import models
from django.db.models import Q

from lexreview.accounts.models import User


class ApiToken(models.Model):
    """A key to the API in its owner's name, with a scope and an expiry. Only a hash of the secret is kept."""

    class Scope(models.TextChoices):
        READ = "read"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=10, choices=Scope.choices, default=Scope.READ)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "name"], name="api_token_name_once_per_person"),
            models.CheckConstraint(condition=Q(expires_at__gt=models.F("created_at")), name="api_token_expires_later"),
        ]

    def __str__(self) -> str:
        return f"token {self.name} of user {self.user_id}"

    def is_valid(self, now: datetime) -> bool:
        return self.revoked_at is None and now < self.expires_at


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
