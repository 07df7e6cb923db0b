from typing import Any

from django.core.management.base import BaseCommand, CommandError

from lexreview.core.words import counted
from lexreview.ledger.chain import first_break
from lexreview.ledger.models import Event

CHUNK = 2000


class Command(BaseCommand):
    help = "Proves that no event of the ledger was changed, removed or inserted; names the first broken event."

    def handle(self, *args: Any, **options: Any) -> None:
        broken = first_break(Event.objects.in_order().iterator(chunk_size=CHUNK))
        if broken:
            raise CommandError(f"The ledger is broken at event {broken.number}: {broken.problem}.")
        newest = Event.objects.newest_first().first()
        if newest is None:
            self.stdout.write("The ledger has no events yet.")
            return
        self.stdout.write(f"The ledger holds: {counted(newest.number, 'event')}, newest hash {newest.hash}.")
