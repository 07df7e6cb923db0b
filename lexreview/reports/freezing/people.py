"""How a person is named to readers."""

from django.utils.translation import gettext as _

from lexreview.accounts.models import User


def display_name(person: User | None) -> str:
    """The full name, else the user name; never an address. "" for nobody."""
    if person is None:
        return ""
    return next((name for name in (person.get_full_name(), person.username) if name and "@" not in name), _("a member"))
