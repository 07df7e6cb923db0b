"""A trained tester at the ten cards with planted errors: by keys of the registry alone, counted key by key.

What a person needs beyond reading is estimated by the keystroke-level model (S. K. Card, T. P. Moran, A. Newell, Comm.
ACM 23 (1980) 396): 0.28 s a key, 1.35 s to make up one's mind, once per card and once per decision that deviates from
what is proposed. Nothing here is timed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.planted import Aspect, Judgement, Place, Verdict, planted_in
from lexreview.review.judgements import restored
from lexreview.review.keys import KEYS
from lexreview.review.models import Card, RehearsalItem
from lexreview.review.rehearsals import RehearsalReport, report_record
from tests.browser.test_review import QUEUE
from tests.factories import make_user

PlaywrightTimeout = pytest.importorskip("playwright.sync_api").TimeoutError
pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
SLUG = "kestria-rehearsal"
KEY_SECONDS, MENTAL_SECONDS, SECONDS_PER_CARD = 0.28, 1.35, 25
STROKE = {key.does: key.key for key in reversed(KEYS)}
IDLE = (
    "() => new Promise(done => window.review.whenIdle(() => window.setTimeout(() => window.review.whenIdle(done), 10)))"
)
HAS_FOCUS = "() => document.activeElement && document.activeElement !== document.body"
NO_MOUSE = """() => {
    window.mouseEvents = 0;
    ['pointerdown', 'mousedown', 'pointermove', 'mousemove', 'wheel', 'touchstart'].forEach(
        name => document.addEventListener(name, () => { window.mouseEvents += 1; }, true));
}"""


@dataclass
class Reviewer:
    """Knows what is right on the card in front of them, reads the page, and touches nothing but keys."""

    page: Any
    keys: int = 0
    typed: int = 0
    used: set[str] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)

    def press(self, does: str) -> None:
        """The key that does this, as the sheet says."""
        stroke = STROKE[does]
        self.used.add(does)
        self._strike(stroke.replace("Ctrl+", "Control+"), f"{does} ({stroke})")

    def approve(self) -> None:
        """Leads to the next card, or to the queue after the last."""
        before = self.page.locator("#main").get_attribute("data-card")
        self.page.keyboard.press(STROKE["approve"])
        self.keys += 1
        self.used.add("approve")
        self.page.wait_for_function("card => !document.querySelector(`#main[data-card='${card}']`)", arg=before)
        self.page.wait_for_load_state()

    def digit(self, digit: str) -> None:
        self.used.add("points")
        self._strike(digit, f"digit {digit}")

    def type(self, words: str) -> None:
        self.page.keyboard.type(words)
        self.keys += len(words)
        self.typed += len(words)

    def send(self) -> None:
        """Ctrl Enter in a field sends what was written."""
        self._strike("Control+Enter", "Ctrl Enter")

    def leave(self) -> None:
        self._strike("Escape", "Esc")

    def _strike(self, key: str, words: str) -> None:
        assert self.keys < 200, f"no way out of {words}"
        self.page.keyboard.press(key)
        self.keys += 1
        self.page.evaluate(IDLE)
        try:
            # A page sets the focus once it has been laid out, which is a moment after its parts are there.
            self.page.wait_for_function(HAS_FOCUS, timeout=2000)
        except PlaywrightTimeout:
            self.lost.append(f"{self.page.url}: {words}")

    def review(self, right: Judgement, *, blind: bool) -> None:
        if self.page.locator("[data-do=confirm-in-bulk]").count() and not blind:
            self.press("confirm-in-bulk")
        while self.page.locator(".cite[data-open]").count():
            if not self.page.locator(".cite[data-open][aria-current]").count():
                self.press("next-open")
            self._decide(right, self.page.locator("#citation").get_attribute("data-number"))
        if self.page.locator("[data-do=accept-proposals]").count() and not blind:
            self.press("accept-proposals")
        while self.page.locator("form.crit.undecided").count():
            self._score(right)

    def _decide(self, right: Judgement, number: str) -> None:
        wanted = {aspect: right.get(Place(aspect, number)) for aspect in Aspect}
        has_finding = bool(self.page.locator("#citation[data-finding]").count())
        if wanted[Aspect.VERDICT] == Verdict.RIGHT:
            if has_finding:
                self.press("no-error")
                self.type("as the source")
                self.send()
            else:
                # Where nothing is proposed there is nothing to agree with.
                self.press("agree" if self.page.locator("[data-do=agree]").count() else "no-error")
            return
        shown = self._shown_error()
        if shown[Aspect.ERROR_CLASS] == wanted[Aspect.ERROR_CLASS]:
            self.press("agree")
        else:
            self.press(f"set-{wanted[Aspect.ERROR_CLASS]}".lower())
        shown = self._shown_error()
        if shown[Aspect.ORIGIN] != wanted[Aspect.ORIGIN]:
            self.press(f"origin-{wanted[Aspect.ORIGIN]}")
        if shown[Aspect.SCOPE] != wanted[Aspect.SCOPE]:
            self.press(f"scope-{wanted[Aspect.SCOPE]}")
        if not has_finding:
            self.press("edit-finding")
            self.type("says otherwise")
            self.send()

    def _shown_error(self) -> Mapping[Aspect, str]:
        """What is pressed among the buttons of class, origin and scope."""

        def pressed(prefix: str) -> str:
            found = self.page.locator(f"[id^='{prefix}-'][aria-pressed=true]")
            return str(found.first.get_attribute("id")).removeprefix(f"{prefix}-") if found.count() else ""

        return {
            Aspect.ERROR_CLASS: pressed("set").upper(),
            Aspect.ORIGIN: pressed("origin"),
            Aspect.SCOPE: pressed("scope"),
        }

    def _score(self, right: Judgement) -> None:
        self.press("next-criterion")
        code = self.page.evaluate("() => document.activeElement.closest('form.crit').dataset.criterion")
        self.digit(right[Place(Aspect.POINTS, code)])
        form = self.page.locator(f"#criterion-{code}.unfounded")
        if form.count():
            # Where a proposal was changed its evidence stands there, and the key leads to the reason.
            self.press("edit-evidence")
            self.type("not so" if form.locator("[name=reason]").count() else "see text")
            self.leave()


def test_6_8_a_tester_finds_all_planted_errors_by_keys_within_the_time(sign_in: SignIn, lead: User) -> None:
    anna = make_user("anna")
    call_command("prepare_rehearsal", lead=lead.username, give=[anna.username], stdout=StringIO())
    right = {row.answer_id: restored(row.right) for row in RehearsalItem.objects.all()}
    planted = {
        row.answer_id: planted_in(restored(row.right), restored(row.proposed)) for row in RehearsalItem.objects.all()
    }
    cards = list(Card.objects.rehearsed().filter(assigned_to=anna).in_queue_order())
    assert sum(map(len, planted.values())) == 12
    assert sum(card.citations.count() for card in cards) == 90
    page = sign_in(anna)
    page.add_init_script(f"({NO_MOUSE})()")
    page.goto(f"/review/cards/{cards[0].pk}/")
    page.wait_for_load_state()

    reviewers, mouse = {}, 0
    for card in cards:
        page.locator(f"#main[data-card='{card.pk}']").wait_for(state="attached")
        page.wait_for_load_state()
        reviewers[card] = tester = Reviewer(page)
        tester.review(right[card.answer_id], blind=card.blind)
        mouse += page.evaluate("() => window.mouseEvents")
        tester.approve()
    page.wait_for_url(QUEUE)

    report = RehearsalReport(cards[0].benchmark.rehearsal, lead)
    result = report.together
    assert (result.all.found.successes, result.all.found.n) == (12, 12), report_record(report)["planted"]
    assert result.all.spoiled.successes == 0, report.spoiled
    assert [(each.prefilled.cards, each.blind.cards) for each in report.results] == [(8, 2)]
    assert [words for each in reviewers.values() for words in each.lost] == []
    assert mouse == 0
    assert set().union(*(each.used for each in reviewers.values())) <= {key.does for key in KEYS}
    lines = [handling(card, each, deviating=len(planted[card.answer_id])) for card, each in reviewers.items()]
    figures = "\n".join(str(line) for line in lines)
    print(figures)
    assert max(line.seconds for line in lines if not line.card.blind) <= SECONDS_PER_CARD, figures
    # On a card without pre-fill the reviewer also writes the evidence of every criterion: that is no handling.
    assert max(line.seconds - line.written for line in lines if line.card.blind) <= SECONDS_PER_CARD, figures
    assert sum(line.seconds for line in lines) / len(lines) <= SECONDS_PER_CARD, figures


@dataclass
class Handling:
    """Estimated seconds at one card; `written`: those of the words of evidence and reasons among them."""

    card: Card
    keys: int
    seconds: float
    written: float

    def __str__(self) -> str:
        kind = "blind" if self.card.blind else "pre-filled"
        words = f"{self.seconds:.1f} s, of which {self.written:.1f} s words"
        return f"{self.card.queue_code} {kind}: {self.keys} keys, {words}"


def handling(card: Card, tester: Reviewer, *, deviating: int) -> Handling:
    """Where nothing is proposed no decision deviates, and none is made up beyond what reading the card brings."""
    minds = 1 + (0 if card.blind else deviating)
    return Handling(card, tester.keys, KEY_SECONDS * tester.keys + MENTAL_SECONDS * minds, KEY_SECONDS * tester.typed)
