"""Invented families of Polish acts: a statute, acts that amend it, and its consolidated texts, with the truth known.

The truth is kept in a model of its own (nested lists of words) that shares no code with what is tested. The texts are
written in the markup of the Sejm's service.
"""

import random
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date, timedelta

MONTHS = (
    "stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca",
    "lipca", "sierpnia", "września", "października", "listopada", "grudnia",
)  # fmt: skip
SYLLABLES = ("ba", "ce", "do", "fi", "gu", "ka", "le", "mo", "ni", "pu", "ra", "se", "to", "wi", "zu")
KINDS = {"art": "arti", "par": "para", "pkt": "pint", "lit": "lett"}


@dataclass
class Node:
    """A unit of the model; `number` as written ("5a"), `text` before and `closing` behind its parts."""

    level: str
    number: str
    text: str = ""
    closing: str = ""
    parts: list["Node"] = field(default_factory=list)
    gone: bool = False

    @property
    def label(self) -> str:
        return {
            "art": f"Art. {self.number}.",
            "par": f"§ {self.number}.",
            "pkt": f"{self.number})",
            "lit": f"{self.number})",
        }[self.level]

    def words(self) -> str:
        lines = [self.text, *(f"{part.label} {part.words()}".strip() for part in self.parts), self.closing]
        return "\n".join(line for line in lines if line)


@dataclass
class Change:
    """One order of an amending act: the text of its clause, its quotation, and the day on which it takes effect."""

    clause: str
    quote: str
    effective_on: date


@dataclass
class AmendingAct:
    identifier: str
    promulgated_on: date
    effective_on: date
    changes: list[Change]

    @property
    def days(self) -> list[date]:
        return sorted({self.effective_on, *(change.effective_on for change in self.changes)})

    @property
    def force_note(self) -> str:
        """The staged entries as the metadata of the Sejm's service give them."""
        staged = [
            (i, c.effective_on) for i, c in enumerate(self.changes, start=1) if c.effective_on != self.effective_on
        ]
        return ";\n".join(
            f"{order}) art. 1 pkt {index} wchodzi w życie z dniem {spoken(day)}"
            for order, (index, day) in enumerate(staged, start=1)
        )


def spoken(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year} r."


class Family:
    """A statute with its history, made from a seed."""

    def __init__(self, seed: int, *, acts: int = 5, obscure: bool = False) -> None:
        self.random = random.Random(seed)
        self.obscure = obscure
        self.words_made = 0
        self.start = date(2020, 1, 1)
        self.identifier = "DU/2019/100"
        self.articles = [self.new_article(str(number)) for number in range(1, self.random.randint(4, 7))]
        self.states: list[tuple[date, list[Node]]] = [(self.start, deepcopy(self.articles))]
        self.amending: list[AmendingAct] = []
        self.consolidated: list[tuple[str, date]] = []
        self.make_history(acts)

    # --- the statute ---------------------------------------------------------------------------------------------

    def word(self) -> str:
        self.words_made += 1
        number, parts = self.words_made, []
        while number:
            number, rest = divmod(number, len(SYLLABLES))
            parts.append(SYLLABLES[rest])
        return "".join(parts) + "x"

    def sentence(self, length: int = 6) -> str:
        words = [self.word() for _ in range(length)]
        return words[0].capitalize() + " " + " ".join(words[1:]) + "."

    def new_article(self, number: str) -> Node:
        shape = self.random.choice(("plain", "paragraphs", "points"))
        if shape == "plain":
            return Node("art", number, self.sentence())
        if shape == "points":
            return self.with_points(Node("art", number), self.random.randint(2, 4))
        article = Node("art", number)
        for index in range(1, self.random.randint(3, 5)):
            paragraph = Node("par", str(index), self.sentence())
            article.parts.append(self.with_points(paragraph, 2) if self.random.random() < 0.3 else paragraph)
        return article

    def with_points(self, node: Node, count: int) -> Node:
        node.text = self.sentence(4).rstrip(".") + ":"
        node.parts = [
            Node("pkt", str(index), self.sentence(3).rstrip(".").lower() + ";") for index in range(1, count + 1)
        ]
        node.parts[-1].text = node.parts[-1].text.rstrip(";") + "."
        return node

    # --- amending acts -------------------------------------------------------------------------------------------

    def make_history(self, acts: int) -> None:
        day, position = self.start, 200
        for index in range(acts):
            day += timedelta(days=self.random.randint(40, 120))
            position += self.random.randint(5, 50)
            promulgated = day - timedelta(days=self.random.randint(14, 39))
            identifier = f"DU/{promulgated.year}/{position}"
            act = AmendingAct(identifier, promulgated, day, [])
            for _ in range(1, self.random.randint(2, 5)):
                if change := self.change(day):
                    act.changes.append(change)
            self.states.append((day, deepcopy(self.articles)))
            self.amending.append(act)
            if self.random.random() < 0.4 and (change := self.change(day + timedelta(days=9))):
                act.changes.append(change)
                self.states.append((change.effective_on, deepcopy(self.articles)))
            if index % 2 == 1:
                # A state date between two acts, so that some texts contain an amendment that takes effect later.
                state_on = promulgated + timedelta(days=self.random.randint(1, 12))
                self.consolidated.append((f"DU/{state_on.year}/{position + 2}", state_on))

    def change(self, day: date) -> Change | None:
        makers = [
            self.replace_article, self.replace_part, self.insert_article, self.insert_part, self.add_part,
            self.repeal_article, self.repeal_part, self.swap_words, self.add_words, self.drop_words, self.range_words,
            self.new_chapter, *([self.first_sentence, self.words_in_cases] if self.obscure else []),
        ]  # fmt: skip
        for _ in range(6):
            made = self.random.choice(makers)()
            if made:
                clause, quote = made
                return Change(clause, quote, day)
        return None

    def live_articles(self) -> list[Node]:
        return [article for article in self.articles if not article.gone]

    def pick(self, nodes: list[Node]) -> Node | None:
        return self.random.choice(nodes) if nodes else None

    def replace_article(self) -> tuple[str, str] | None:
        old = self.pick(self.live_articles())
        if old is None:
            return None
        new = self.new_article(old.number)
        self.articles[self.articles.index(old)] = new
        return f"art. {old.number} otrzymuje brzmienie:", html(new)

    def holders(self) -> list[tuple[str, Node]]:
        """Units with live parts, with the words that lead to them."""
        found = []
        for article in self.live_articles():
            if article.parts:
                found.append((f"art. {article.number}", article))
            for part in article.parts:
                if part.parts and not part.gone:
                    found.append((f"art. {article.number} w § {part.number}", part))
        return found

    def replace_part(self) -> tuple[str, str] | None:
        if not (holders := self.holders()):
            return None
        where, holder = self.random.choice(holders)
        old = self.pick([part for part in holder.parts if not part.gone])
        if old is None:
            return None
        new = Node(old.level, old.number, self.sentence(5) if old.level == "par" else self.word() + old.text[-1])
        holder.parts[holder.parts.index(old)] = new
        return f"w {where} {LEVEL[old.level]} {old.number} otrzymuje brzmienie:", html(new)

    def insert_article(self) -> tuple[str, str] | None:
        after = self.pick(self.live_articles())
        number = next_inserted(after.number) if after else ""
        if after is None or any(article.number == number for article in self.articles):
            return None
        new = self.new_article(number)
        self.articles.insert(self.articles.index(after) + 1, new)
        return f"po art. {after.number} dodaje się art. {number} w brzmieniu:", html(new)

    def insert_part(self) -> tuple[str, str] | None:
        if not (holders := self.holders()):
            return None
        where, holder = self.random.choice(holders)
        after = self.pick([part for part in holder.parts if not part.gone])
        number = next_inserted(after.number) if after else ""
        if after is None or any(part.number == number for part in holder.parts):
            return None
        new = Node(after.level, number, self.sentence(5) if after.level == "par" else self.word() + ";")
        holder.parts.insert(holder.parts.index(after) + 1, new)
        return (
            f"w {where} po {LEVEL[after.level]} {after.number} dodaje się {LEVEL[after.level]} {number} w brzmieniu:",
            html(new),
        )

    def add_part(self) -> tuple[str, str] | None:
        holders = [(where, node) for where, node in self.holders() if not node.parts[-1].gone]
        if not holders:
            return None
        where, holder = self.random.choice(holders)
        last = holder.parts[-1]
        number = str(int("".join(char for char in last.number if char.isdigit())) + 1)
        if last.level == "par":
            new = Node("par", number, self.sentence(5))
            holder.parts.append(new)
            return f"w {where} dodaje się § {number} w brzmieniu:", html(new)
        if not last.text.endswith("."):
            return None
        last.text = last.text.removesuffix(".") + ";"
        new = Node("pkt", number, self.word() + ".")
        holder.parts.append(new)
        return (
            f"w {where} w pkt {last.number} kropkę zastępuje się średnikiem i dodaje się pkt {number} w brzmieniu:",
            html(new),
        )

    def repeal_article(self) -> tuple[str, str] | None:
        if len(self.live_articles()) < 3 or (article := self.pick(self.live_articles())) is None:
            return None
        article.text, article.closing, article.parts, article.gone = "(uchylony)", "", [], True
        return f"uchyla się art. {article.number}", ""

    def repeal_part(self) -> tuple[str, str] | None:
        if not (holders := self.holders()):
            return None
        where, holder = self.random.choice(holders)
        live = [part for part in holder.parts if not part.gone]
        if len(live) < 2:
            return None
        part = self.random.choice(live)
        part.text, part.parts, part.gone = "(uchylony)", [], True
        return f"w {where} uchyla się {LEVEL[part.level]} {part.number}", ""

    def text_holders(self) -> list[tuple[str, Node]]:
        found = []
        for article in self.live_articles():
            found += [(f"art. {article.number}", article)] if article.text and not article.parts else []
            found += [
                (f"art. {article.number} w § {part.number}", part)
                for part in article.parts
                if part.level == "par" and not part.gone and not part.parts
            ]
        return found

    def swap_words(self) -> tuple[str, str] | None:
        if not (holders := self.text_holders()):
            return None
        where, node = self.random.choice(holders)
        words = node.text.rstrip(".").split()
        if len(words) < 4:
            return None
        old, new = " ".join(words[1:3]), f"{self.word()} {self.word()}"
        node.text = swapped(node.text, old, new)
        return f"w {where} wyrazy „{old}” zastępuje się wyrazami „{new}”", ""

    def add_words(self) -> tuple[str, str] | None:
        if not (holders := self.text_holders()):
            return None
        where, node = self.random.choice(holders)
        words = node.text.rstrip(".").split()
        if len(words) < 3:
            return None
        behind, new = words[1], self.word()
        node.text = swapped(node.text, behind, f"{behind} {new}")
        return f"w {where} po wyrazie „{behind}” dodaje się wyraz „{new}”", ""

    def drop_words(self) -> tuple[str, str] | None:
        if not (holders := self.text_holders()):
            return None
        where, node = self.random.choice(holders)
        words = node.text.rstrip(".").split()
        if len(words) < 4:
            return None
        node.text = swapped(node.text, words[1], "")
        return f"w {where} skreśla się wyraz „{words[1]}”", ""

    def range_words(self) -> tuple[str, str] | None:
        """Plant the same words in neighbouring articles by one order, then swap them over the range by another."""
        numbers = [article for article in self.articles if article.number.isdigit()]
        if len(numbers) < 3:
            return None
        first, last = numbers[0], numbers[2]
        low, high = self.articles.index(first), self.articles.index(last)
        old, new = None, self.word()
        for article in self.articles[low : high + 1]:
            if not article.gone and article.text and not article.parts:
                old = article.text.rstrip(".").split()[-1]
        if old is None:
            return None
        for article in self.articles[low : high + 1]:
            for node in nodes(article):
                node.text = swapped(node.text, old, new)
        return f"w art. {first.number}–{last.number} wyraz „{old}” zastępuje się wyrazem „{new}”", ""

    def new_chapter(self) -> tuple[str, str] | None:
        after = self.articles[-1]
        number = next_inserted(after.number)
        first, second = self.new_article(number), self.new_article(next_inserted(number))
        self.articles += [first, second]
        chapter = (
            "<div class='unit unit_chpt' id='chpt_1a' data-id='chpt_1a'><h3>Rozdział 1a</h3><div class='unit-inner'>"
        )
        return "po rozdziale 1 dodaje się rozdział 1a w brzmieniu:", f"{chapter}{html(first)}{html(second)}</div></div>"

    def first_sentence(self) -> tuple[str, str] | None:
        """An order that the rules do not claim to understand: where a sentence ends is not theirs to guess."""
        if not (holders := self.text_holders()):
            return None
        where, node = self.random.choice(holders)
        node.text = self.sentence()
        return f"w {where} zdanie pierwsze otrzymuje brzmienie: „{node.text}”", ""

    def words_in_cases(self) -> tuple[str, str] | None:
        """Another one: words replaced in every grammatical case."""
        if not (holders := self.text_holders()):
            return None
        where, node = self.random.choice(holders)
        old, new = node.text.rstrip(".").split()[0], self.word().capitalize()
        node.text = swapped(node.text, old, new)
        used = "użyte w różnej liczbie i różnym przypadku"
        return f"w {where} {used} wyrazy „{old.lower()}” zastępuje się wyrazami „{new}”", ""

    # --- the truth -----------------------------------------------------------------------------------------------

    def truth(self, day: date) -> list[Node]:
        return [state for begun, state in self.states if begun <= day][-1]

    def unit_keys(self) -> list[str]:
        return sorted({key for _, state in self.states for article in state for key in flat(article)})

    # --- the texts -----------------------------------------------------------------------------------------------

    def consolidated_html(self, state_on: date) -> bytes:
        """The text of a state date: what holds then, and beside it what promulgated acts will make of it later."""
        promulgated = [act for act in self.amending if act.promulgated_on < state_on]
        now = self.truth(state_on)
        blocks = []
        later = [(day, self.truth(day)) for act in promulgated for day in act.days if day > state_on]
        numbers = [article.number for article in (later[-1][1] if later else now)]
        for number in numbers:
            current = next((article for article in now if article.number == number), None)
            variants: list[tuple[date | None, Node]] = [(None, current)] if current else []
            for day, state in later:
                article = next((article for article in state if article.number == number), None)
                if article and (not variants or article.words() != variants[-1][1].words()):
                    variants.append((day, article))
            for order, (day, article) in enumerate(variants):
                note = ""
                if order + 1 < len(variants):
                    note = "W tym brzmieniu obowiązuje do wejścia w życie zmiany, o której mowa w odnośniku następnym."
                if day:
                    note += f" W brzmieniu ustalonym przez ustawę nowelizującą; wejdzie w życie z dniem {spoken(day)}."
                blocks.append(html(article, note=note.strip()))
        return page("Obwieszczenie", f"<section id='part_1'><h2>Obwieszczenie</h2></section>{section(blocks)}")

    def amending_html(self, act: AmendingAct) -> bytes:
        points = []
        for index, change in enumerate(act.changes, start=1):
            quote = f"<div class='cite-box'><div class='cite-body'>{change.quote}</div></div>" if change.quote else ""
            points.append(
                f"<div class='unit unit_pint' id='arti_1-pint_{index}' data-id='pint_{index}'><h3>{index})</h3>"
                f"<div class='unit-inner'><div data-template='xText'>{change.clause}</div>{quote}</div></div>"
            )
        head = (
            "W ustawie z dnia 3 grudnia 2019 r. – Prawo wymyślone (Dz. U. z 2019 r. poz. 100) "
            "wprowadza się następujące zmiany:"
        )
        article = (
            "<div class='unit unit_arti' id='arti_1' data-id='arti_1'><h3>Art. 1.</h3><div class='unit-inner'>"
            f"<div data-template='xText'>{head}</div>{''.join(points)}</div></div>"
        )
        return page("Ustawa", f"<section id='part_1'><div class='block'>{article}</div></section>")

    def promulgated_html(self) -> bytes:
        return page("Ustawa", section([html(article) for article in self.states[0][1]], part="part_1"))


LEVEL = {"art": "art.", "par": "§", "pkt": "pkt", "lit": "lit."}


def swapped(text: str, old: str, new: str) -> str:
    """Whole words exchanged in a sentence, word by word."""
    sign = text[-1:] if text[-1:] in ".;:" else ""
    words, wanted, result, index = text.removesuffix(sign).split(" "), old.split(" "), [], 0
    while index < len(words):
        if words[index : index + len(wanted)] == wanted:
            result += new.split()
            index += len(wanted)
        else:
            result.append(words[index])
            index += 1
    return " ".join(result) + sign


def next_inserted(number: str) -> str:
    return f"{number}a" if number[-1].isdigit() else f"{number[:-1]}{chr(ord(number[-1]) + 1)}"


def nodes(node: Node) -> list[Node]:
    return [node, *(inner for part in node.parts for inner in nodes(part))]


def flat(node: Node, above: str = "") -> dict[str, Node]:
    key = f"{above}/{node.level}={node.number}".lstrip("/")
    found = {key: node}
    for part in node.parts:
        found |= flat(part, key)
    return found


def html(node: Node, above: str = "", note: str = "") -> str:
    kind = KINDS[node.level]
    own = f"{above}-{kind}_{node.number}".lstrip("-")
    mark = f"<a class='gloss-link'><sup>1)</sup><span class='tooltip-text'>{note}</span></a>" if note else ""
    text = f"<div data-template='xText'>{node.text}</div>" if node.text else ""
    closing = f"<div data-template='xText'>{node.closing}</div>" if node.closing else ""
    parts = "".join(html(part, own) for part in node.parts)
    return (
        f"<div class='unit unit_{kind}' id='{own}' data-id='{kind}_{node.number}'><h3>{node.label}{mark}</h3>"
        f"<div class='unit-inner'>{text}{parts}{closing}</div></div>"
    )


def section(blocks: list[str], part: str = "part_2") -> str:
    return f"<section id='{part}'><h2 class='part'>Załącznik</h2><div class='block'>{''.join(blocks)}</div></section>"


def page(kind: str, body: str) -> bytes:
    head = f"<h1><span class='head-type'>{kind}</span></h1>"
    return (
        f"<!DOCTYPE html><html lang='pl'><head><meta charset='utf-8'></head><body>{head}{body}</body></html>".encode()
    )
