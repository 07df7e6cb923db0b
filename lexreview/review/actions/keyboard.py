from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.ledger.actions import record_event
from lexreview.review.keys import KEYS
from lexreview.review.models import KeyChoice


@transaction.atomic
def choose_keys(*, user: User, keys: Mapping[str, str], single_keys: bool, now: datetime) -> KeyChoice:
    """A person's own keyboard. `keys`: by what a key does the key to use; those of the registry are not stored.

    The same again records nothing.
    """
    defaults = {key.does: key.key for key in KEYS if not key.fixed}
    own = {does: key for does, key in sorted(keys.items()) if key and key != defaults.get(does, key)}
    choice, _ = KeyChoice.objects.select_for_update().get_or_create(user=user)
    before = {"keys": choice.keys, "single_keys": choice.single_keys}
    after = {"keys": own, "single_keys": single_keys}
    if before == after:
        return choice
    choice.keys, choice.single_keys = own, single_keys
    choice.save()
    record_event(
        by=user, verb="choose_keys", object_type="user", object_id=user.username, before=before, after=after, now=now
    )
    return choice
