"""Sessions as Django keeps them in its table, read by a query that is made once: every request reads one."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from lexreview.prepared import Prepared

_by_key = Prepared(lambda key: Session.objects.filter(session_key=key), str)


class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Session | None:
        """A session that is not there or has ended gives its key up, as in Django's store."""
        row = _by_key.first(self.session_key) if self.session_key else None
        if row is None or row.expire_date <= timezone.now():
            self._session_key = None
            return None
        return row
