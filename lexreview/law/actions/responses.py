"""Keeping what a remote source answered."""

import zlib
from datetime import datetime

from django.db import transaction

from lexreview.law.models import StoredResponse
from lexreview.law.parsed import sha256_of


@transaction.atomic
def store_response(
    *,
    request_key: str,
    source: str,
    method: str,
    address: str,
    status: int,
    content_type: str,
    body: bytes,
    now: datetime,
) -> StoredResponse:
    """Keep one answer byte for byte; the same bytes for the same request are kept once, with the newest time.

    Fetching is no decision about the law, so no event is written: the import of what the answer holds writes one.
    """
    sha256 = sha256_of(body)
    same = StoredResponse.objects.filter(request_key=request_key, sha256=sha256, status=status)
    if not same.update(fetched_at=now):
        row = StoredResponse(
            request_key=request_key,
            source=source,
            method=method,
            address=address,
            fetched_at=now,
            status=status,
            content_type=content_type[:200],
            sha256=sha256,
            length=len(body),
            compressed_body=zlib.compress(body, 6),
        )
        # Another fetch may be keeping the same bytes at this moment.
        StoredResponse.objects.bulk_create([row], ignore_conflicts=True)
    return same.get()
