"""What a source answered, byte for byte, so that nothing is fetched twice and everything works offline."""

import zlib
from typing import Self

from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import Exact


class StoredResponseQuerySet(models.QuerySet["StoredResponse"]):
    def for_request(self, request_key: str) -> Self:
        return self.filter(request_key=request_key)

    def newest_first(self) -> Self:
        return self.order_by("-fetched_at", "-pk")


class StoredResponse(models.Model):
    """One answer of a remote source. `request_key` is the SHA-256 over method, address and request body."""

    request_key = models.CharField(max_length=64)
    source = models.CharField(max_length=60)
    method = models.CharField(max_length=6)
    address = models.TextField()
    fetched_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField()
    content_type = models.CharField(max_length=200, blank=True)
    sha256 = models.CharField(max_length=64)
    length = models.PositiveIntegerField()
    compressed_body = models.BinaryField()

    objects = StoredResponseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["request_key", "sha256", "status"], name="response_once_per_bytes"),
            models.CheckConstraint(condition=Exact(Length("sha256"), 64), name="response_has_a_sha256"),
        ]
        indexes = [models.Index(fields=["request_key", "fetched_at"], name="response_by_request")]

    def __str__(self) -> str:
        return f"{self.status} {self.method} {self.address} at {self.fetched_at:%Y-%m-%d %H:%M} ({self.pk})"

    @property
    def body(self) -> bytes:
        return zlib.decompress(bytes(self.compressed_body))
