from django.db import models

from lexreview.accounts.models import User


class KeyChoice(models.Model):
    """The keyboard of the card page as one person set it.

    `keys`: by what a key does (`keys.Key.does`) the key that does it instead; what is not named keeps its own key.
    `single_keys`: whether keys without Ctrl do anything at all.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="+")
    keys = models.JSONField(default=dict)
    single_keys = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"keys of {self.user_id}"
