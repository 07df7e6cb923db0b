from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from lexreview.core.words import counted
from lexreview.providers.actions import BadPrice, add_price, import_prices
from lexreview.providers.listed_prices import LISTED, listed_prices
from lexreview.providers.models import Price


class Command(BaseCommand):
    help = "Price lists of model providers. A row is never changed: a later one replaces it from its own date on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        imported = commands.add_parser("import", help="add what genai-prices lists and is not on record yet")
        imported.add_argument("--on", type=date.fromisoformat, metavar="YYYY-MM-DD", help="day of the list; today")
        imported.add_argument("--providers", nargs="+", default=list(LISTED), metavar="NAME")
        listed = commands.add_parser("list", help="print the rows, newest first")
        listed.add_argument("--provider")
        listed.add_argument("--model", help="part of the model's name")
        added = commands.add_parser("add", help="add one row by hand")
        added.add_argument("provider")
        added.add_argument("model")
        added.add_argument("amounts", nargs="+", metavar="KIND=USD", help="per million tokens: input=3 output=15 …")
        added.add_argument("--from", dest="valid_from", type=date.fromisoformat, required=True, metavar="YYYY-MM-DD")
        added.add_argument("--source", required=True, help="where the price is from")

    def handle(self, *args: Any, **options: Any) -> None:
        {"import": self._import, "list": self._list, "add": self._add}[options["what"]](options)

    def _import(self, options: dict[str, Any]) -> None:
        now = timezone.now()
        rows = listed_prices(on=options["on"] or now.date(), providers=tuple(options["providers"]))
        new = import_prices(rows=rows, by=None, now=now)
        self.stdout.write(f"{counted(len(new), 'price')} added.")

    def _list(self, options: dict[str, Any]) -> None:
        rows = Price.objects.in_order()
        if options["provider"]:
            rows = rows.of(options["provider"])
        if options["model"]:
            rows = rows.filter(model__icontains=options["model"])
        if not rows:
            self.stdout.write("No price is on record for that; `prices import` adds those that genai-prices lists.")
        for row in rows:
            prices = " ".join(f"{kind}={amount}" for kind, amount in row.prices.items())
            above = "".join(f" above {tier['above']}: {tier['prices']}" for tier in row.tiers)
            self.stdout.write(f"{row.valid_from} {row.provider} {row.model} {prices}{above} ({row.source})")

    def _add(self, options: dict[str, Any]) -> None:
        pairs = [text.partition("=") for text in options["amounts"]]
        try:
            row = add_price(
                provider=options["provider"],
                model=options["model"],
                valid_from=options["valid_from"],
                prices={kind: amount for kind, _, amount in pairs},
                source=options["source"],
                by=None,
                now=timezone.now(),
            )
        except BadPrice as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Added: {row}.")
