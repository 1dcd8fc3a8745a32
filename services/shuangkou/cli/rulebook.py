"""`shuangkou rulesets`: the rules and the events as rows of options, and what was chosen of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from shuangkou.cli.columns import left, rows
from shuangkou.cli.faces import card_row, rank_symbol
from shuangkou.cli.how_to_play import how_to_play
from shuangkou.cli.invocation import suggestion
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.terminal import Terminal
from shuangkou.cli.words import stars_of
from shuangkou.rules import ruleset
from shuangkou.rules.choice import BadChoice, read_options, read_ruleset
from shuangkou.rules.climbing.combinations import BOMBS
from shuangkou.rules.climbing.ladder import ladder
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import Scoring
from shuangkou.rules.climbing.score_sheet import score_sheet
from shuangkou.rules.match_events import (
    MatchEvent,
    MatchEventError,
    available_events,
    load_event,
    suitable_rulesets,
)
from shuangkou.rules.tricks.idle import idle_options
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.rulebook import rulebook
from shuangkou.rules.tricks.rulebook_lines import Words as SaidTwice
from shuangkou.v1 import events_pb2
from shuangkou.wire.match_events import terms_to_wire

_NAME_CELLS: Final = 28
_SCORE_CELLS: Final = 58
_SIZE_CELLS: Final = 15
_SHORT: Final = 10


@dataclass(frozen=True, slots=True)
class Game:
    """A ruleset with its options, in an event or not. deals: 0 where the event says how many."""

    rules: ruleset.AnyRuleSet
    event: MatchEvent | None
    deals: int

    @property
    def event_terms(self) -> events_pb2.EventTerms | None:
        """The event as a request names it."""
        return None if self.event is None else terms_to_wire(self.event)

    @property
    def name(self) -> str:
        """The ruleset's name in both languages; an event is told with the table."""
        return f"{self.rules.name_en} {self.rules.name_zh}"


def list_rulesets(terminal: Terminal) -> None:
    """One line for each ruleset and each event."""
    rulesets = [ruleset.load(each) for each in ruleset.available()]
    table: list[list[Text | str]] = [
        [Text(each.id, "bold"), f"{each.name_en} {each.name_zh}", each.family] for each in rulesets
    ]
    for line in rows(table):
        terminal.say(line)
    terminal.say(Text("\nEvents 赛事, for --event beside --ruleset", "bold"))
    events = [load_event(each) for each in available_events()]
    table = [[Text(each.id, "bold"), f"{each.name_en} {each.name_zh}", each.ruleset] for each in events]
    for line in rows(table):
        terminal.say(line)
    terminal.say(Text(f"\nOne with its rules: {suggestion('rulesets show ID')}", "dim"))


def show(choice: str, terminal: Terminal) -> None:
    """What one ruleset or event is, and all its options; Problem when there is none such."""
    id = choice.partition(",")[0]
    if id in available_events():
        show_event(load_event(id), terminal)
    elif id in ruleset.available():
        show_ruleset(choice, terminal)
    else:
        known = f"{', '.join(ruleset.available())}, and the events {', '.join(available_events())}"
        missing = f"no ruleset {id[:40]!r}" if id else "name a ruleset"
        raise Problem(f"{missing}; there are {known}", BAD_INPUT)


def show_event(event: MatchEvent, terminal: Terminal) -> None:
    """What one event is, what it can be played with, and all its options with their meaning."""
    terminal.say(Text(f"{event.id} · {event.name_en} {event.name_zh}", "bold"))
    terminal.say(f"{event.description_en}\n{event.description_zh}")
    terminal.say(Text(f"event 赛事 · revision {event.revision} · rulings {event.rulings}", "dim"))
    terminal.say(f"Rulesets 可用规则: {', '.join(suitable_rulesets(event))}")
    _show_options("What is chosen 选项", event.option_rows, terminal)


def show_ruleset(choice: str, terminal: Terminal) -> None:
    """What a ruleset is, how it is played, its combinations and scores, and all its options as chosen."""
    rules = read_choice(choice)
    terminal.say(Text(f"{rules.id} · {rules.name_en} {rules.name_zh}", "bold"))
    terminal.say(f"{rules.description_en}\n{rules.description_zh}")
    terminal.say(Text(f"{rules.family} · revision {rules.revision} · rulings {rules.rulings}", "dim"))
    if isinstance(rules.options, TricksOptions):
        _show_sections(rules.options, terminal)
    else:
        _show_climbing(rules, terminal)
    chosen = [option for option in rules.option_rows if len(option.allowed) > 1]
    _show_options("What a table may choose 可选", chosen, terminal)
    if chosen:
        terminal.say(Text("  For example: ", "dim").append(_example(rules, chosen), "not dim"))
    idle = idle_options(rules.options) if isinstance(rules.options, TricksOptions) else frozenset()
    fixed = [option for option in rules.option_rows if len(option.allowed) == 1 and option.key not in idle]
    _show_options("What is fixed 固定", fixed, terminal)


def _show_climbing(rules: ruleset.RuleSet, terminal: Terminal) -> None:
    terminal.say(Text("\nHow it is played 玩法", "bold"))
    for sentence in how_to_play(rules.options):
        terminal.say(f"  {sentence.en}")
        terminal.say(Text(f"    {sentence.zh}", "dim"))
    _show_ladder(rules, terminal)
    _show_scores(rules, terminal)


def _example(rules: ruleset.AnyRuleSet, choices: Sequence[ruleset.Option]) -> str:
    """A table that has chosen something, with no space to be quoted."""
    all_choices = ((one.key, value) for one in choices for value in one.allowed if value != one.value)
    key, value = next(choice for choice in all_choices if " " not in choice[1])
    return f"play --ruleset {rules.id},{key}={value}"


def _show_options(title: str, options: Sequence[ruleset.Option], terminal: Terminal) -> None:
    terminal.say(Text(f"\n{title}", "bold"))
    for option in options:
        line = Text(f"  {option.key} = ").append(option.value or "–", "bold")
        if len(option.allowed) > 1:
            line.append(f"   a table may choose: {', '.join(option.allowed)}", "green")
        terminal.say(line)
        terminal.say(Text(f"      {option.description_en} · {option.description_zh}", "dim"))


def _show_ladder(rules: ruleset.RuleSet, terminal: Terminal) -> None:
    terminal.say(Text("\nCombinations from low to high 牌型从小到大", "bold"))
    terminal.say(Text("Of each the lowest and, where there is room, the highest.", "dim"))
    stars = stars_of(rules.id)
    for rung in ladder(move_table(rules.options)):
        size = f"{rung.min_size}" if rung.min_size == rung.max_size else f"{rung.min_size} to {rung.max_size}"
        name = f"{rung.name_en} {rung.name_zh}"
        line = left(Text(name, "bold magenta" if rung.kind in BOMBS else "bold"), _NAME_CELLS)
        line.append("" if line.plain.endswith(" ") else "  ")
        line.append_text(left(f"{size} card{'s'[: rung.max_size != 1]}", _SIZE_CELLS))
        line.append(f"{rung.stars} {stars.en} {rung.stars}{stars.zh}  " if rung.stars else "")
        line.append_text(card_row(rung.lowest))
        if rung.highest != rung.lowest and len(rung.highest) <= _SHORT // 2:
            line.append(" … ", "dim").append_text(card_row(rung.highest))
        if 0 < len(rung.wild_example) <= _SHORT:
            ranks = ", ".join(f"BJ as {rank_symbol(rank)}" for rank in rung.wild_as)
            line.append("  or ", "dim").append_text(card_row(rung.wild_example)).append(f" ({ranks})", "dim")
        terminal.say(Text("  ").append_text(line))


def _show_scores(rules: ruleset.RuleSet, terminal: Terminal) -> None:
    terminal.say(Text("\nScoring 计分", "bold"))
    if rules.options.scoring is Scoring.PLACES:
        terminal.say(Text("Points by place, or of the seat concerned and the three others.", "dim"))
    sheet = [(Text(f"{line.name_en} {line.name_zh}"), line.value) for line in score_sheet(rules.options)]
    widths = [name.cell_len for name, value in sheet if value]
    # A long sentence must not push the values of all others off the screen.
    column = max((width for width in widths if width <= _SCORE_CELLS), default=0)
    for name, value in sheet:
        line = Text("  ").append_text(left(name, column)).append(f"  {value}")
        line.rstrip()
        terminal.say(line)


def _show_sections(options: TricksOptions, terminal: Terminal) -> None:
    for section in rulebook(options):
        terminal.say(Text(f"\n{section.title.en} {section.title.zh}", "bold"))
        for line in section.lines:
            said = Text(f"  {both_languages(line.name)}").append("  ")
            value = f"{both_languages(line.value)}  " if line.value.en else ""
            said.append(value, "green").append_text(card_row(line.cards, suited=True)).rstrip()
            terminal.say(said)


def both_languages(words: SaidTwice) -> str:
    """English and 中文; what is the same in both, as a number or a level, stands only once."""
    english, chinese = words.en.split(), words.zh.split()
    shared = sum(one == other for one, other in zip(english, chinese, strict=False))
    if len(english) != len(chinese) or not shared:
        return f"{words.en} {words.zh}"
    pairs = zip(english, chinese, strict=True)
    return " ".join(one if one == other else f"{one} {other}" for one, other in pairs)


def read_choice(text: str) -> ruleset.AnyRuleSet:
    """The ruleset in `qq` or `qq,turn_seconds=60`; Problem with what there is when there is none such."""
    try:
        return read_ruleset(text)
    except ruleset.RuleSetError as error:
        raise Problem(str(error), BAD_INPUT) from None


def read_game(choice: str, event: str | None, deals: int | None) -> Game:
    """The ruleset, and the event in `ev_swiss` or `ev_swiss,round=2` if there is one.

    Problem for an event that there is not, one that does not fit the ruleset, or deals beside one.
    """
    rules = read_choice(choice)
    if not event:
        objection = rules.objection_to_deals(deals or 0)
        if objection is not None:
            raise Problem(objection, BAD_INPUT)
        return Game(rules, None, deals or rules.usual_deals)
    event_id, *texts = event.split(",")
    try:
        chosen = load_event(event_id).with_options(read_options(texts)).on(rules)
    except (BadChoice, MatchEventError) as error:
        raise Problem(str(error), BAD_INPUT) from None
    if deals is not None:
        raise Problem(f"{event_id} itself says how many deals are played; leave --deals out", BAD_INPUT)
    return Game(rules, chosen, 0)


def known_ruleset(ruleset_id: str) -> ruleset.AnyRuleSet:
    """The ruleset; Problem with the known ones when there is none of this id."""
    try:
        return ruleset.load(ruleset_id)
    except ruleset.UnknownRuleSet as error:
        raise Problem(str(error), BAD_INPUT) from None
