"""Events around a game (赛事): options of a match, beside those of the ruleset whose deals it plays.

An event is a row of options, like a ruleset: it never changes how cards are played or scored. What its
options do to a match is in `meeting`; the rulings are in docs/rules/climbing.md, "Events".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from importlib import resources
from tomllib import loads
from typing import Annotated, Any, get_type_hints

from shuangkou.rules.option_text import (
    Meaning,
    OptionSpec,
    Table,
    format_value,
    option_spec,
    parse_value,
)
from shuangkou.rules.ruleset import Option, RuleSet, available, load


class MatchEventError(ValueError):
    """An event or an option of it that cannot be used."""


class UnknownEvent(MatchEventError):
    """No event has this id."""


class BadEventOption(MatchEventError):
    """The event has no option with this key, or does not allow this value."""


class UnsuitableRuleSet(MatchEventError):
    """The deals of the ruleset cannot decide between two sides as the event asks for."""


class DecidedBy(Enum):
    """What a match is decided by."""

    DEAL = "deal"
    """The last deal; a draw decides nothing and another is played."""
    TOTALS = "totals"
    """The points of all deals; level totals ask for one more deal."""


class AtBell(Enum):
    """What becomes of a deal in progress when its time is up."""

    LESS_THINKING = "less_thinking"
    """It ends at once, and the side that thought longer loses."""
    FINISHED = "finished"
    """It is played to its end and counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOptions:
    """The meaning of each option stands beside it, in English and 中文."""

    decided_by: Annotated[DecidedBy, Meaning("What a match is decided by", "一场以何定胜负")]
    at_bell: Annotated[AtBell, Meaning("What becomes of a deal at the bell", "到时未完的一局如何处理")]
    deal_seconds: Annotated[int, Meaning("Seconds for a deal, 0: no bell", "每局时限（秒），0为不限")] = 0
    round: Annotated[int, Meaning("The round that the match is", "第几轮")] = 1
    round_seconds: Annotated[
        Table, Meaning("Seconds for a match of each round, none: no bell", "各轮时限（秒），空为不限")
    ] = ()
    lot_after: Annotated[
        int, Meaning("Deals without a winner until a lot decides, 0: never", "平几局后抽签，0为不抽")
    ] = 0
    max_deals: Annotated[
        int, Meaning("Deals after which it is as if the bell had rung, 0: no limit", "最多局数，0为不限")
    ] = 0


SPECS: dict[str, OptionSpec] = {
    key: option_spec(key, annotation)
    for key, annotation in get_type_hints(EventOptions, include_extras=True).items()
}
"""All options of events by key, in the order in which a person reads them."""


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """ruleset: id of the one that the event was written for; others may fit as well.

    rulings: where its rulings are written. defaults: the options before any was chosen. allowed: option key
    to its choices.
    """

    id: str
    revision: int
    name_en: str
    name_zh: str
    description_en: str
    description_zh: str
    rulings: str
    ruleset: str
    options: EventOptions
    defaults: EventOptions
    allowed: tuple[tuple[str, tuple[str, ...]], ...] = field(repr=False)

    @property
    def round_seconds(self) -> int:
        """Seconds for a match of this round, 0 for no bell."""
        return dict(self.options.round_seconds).get(self.options.round, 0)

    @property
    def option_rows(self) -> tuple[Option, ...]:
        """Every option with its value, default, meaning and choices."""
        return tuple(_option_row(self, spec) for spec in SPECS.values())

    @property
    def chosen(self) -> dict[str, str]:
        """The options that differ from their default, as text: what `with_options` needs to get here."""
        return {row.key: row.value for row in self.option_rows if row.value != row.default}

    def with_options(self, texts: Mapping[str, str]) -> "MatchEvent":
        """The same event with these options set from text; BadEventOption for what it does not allow."""
        values: dict[str, Any] = {key: _allowed_value(self, key, text) for key, text in texts.items()}
        return replace(self, options=replace(self.options, **values))

    def fits(self, ruleset: RuleSet) -> bool:
        """The same two sides meet in every deal, and nothing but the event ends the match."""
        return ruleset.has_lasting_sides and not ruleset.ends_matches

    def on(self, ruleset: RuleSet) -> "MatchEvent":
        """The event itself, to be played with this ruleset; UnsuitableRuleSet when it does not fit."""
        if not self.fits(ruleset):
            why = (
                "ends a match itself"
                if ruleset.has_lasting_sides
                else "has not the same two sides in every deal"
            )
            there_are = ", ".join(suitable_rulesets(self))
            raise UnsuitableRuleSet(
                f"{self.id} cannot be played with {ruleset.id}, which {why}; these fit: {there_are}"
            )
        return self


def available_events() -> tuple[str, ...]:
    """Ids of all events, sorted."""
    return tuple(sorted(_events()))


def load_event(id: str) -> MatchEvent:
    """The event with its default options; UnknownEvent when there is none."""
    if id not in _events():
        raise UnknownEvent(f"no event {id[:40]!r}; there are {', '.join(available_events())}")
    return _events()[id]


def suitable_rulesets(event: MatchEvent) -> tuple[str, ...]:
    """Ids of the rulesets whose deals the event can be played with, sorted."""
    return tuple(id for id in available() if event.fits(load(id)))


@cache
def _events() -> dict[str, MatchEvent]:
    folder = resources.files("shuangkou.rules") / "events_rows"
    rows = (entry.read_text("utf-8") for entry in folder.iterdir() if entry.name.endswith(".toml"))
    events = (_event(loads(row)) for row in rows)
    return {event.id: event for event in sorted(events, key=lambda event: event.id)}


def _event(row: Mapping[str, Any]) -> MatchEvent:
    values: dict[str, Any] = {
        key: parse_value(SPECS[key], str(value)) for key, value in row["options"].items()
    }
    options = EventOptions(**values)
    allowed = {key: tuple(str(value) for value in choices) for key, choices in row["allowed"].items()}
    names = ("id", "revision", "name_en", "name_zh", "description_en", "description_zh", "rulings", "ruleset")
    texts = {name: row[name] for name in names}
    return MatchEvent(**texts, options=options, defaults=options, allowed=tuple(sorted(allowed.items())))


def _allowed_value(event: MatchEvent, key: str, text: str) -> Any:
    if key not in SPECS:
        raise BadEventOption(f"event {event.id} has no option {key[:40]!r}; there are {', '.join(SPECS)}")
    choices = _choices(event, key)
    if text not in choices:
        wanted = ", ".join(choices) or "nothing"
        raise BadEventOption(f"option {key} of {event.id} must be one of {wanted}, not {text[:40]!r}")
    return parse_value(SPECS[key], text)


def _choices(event: MatchEvent, key: str) -> tuple[str, ...]:
    fixed = (format_value(getattr(event.defaults, key)),)
    return dict(event.allowed).get(key, fixed)


def _option_row(event: MatchEvent, spec: OptionSpec) -> Option:
    return Option(
        key=spec.key,
        value=format_value(getattr(event.options, spec.key)),
        kind=spec.kind,
        default=format_value(getattr(event.defaults, spec.key)),
        description_en=spec.description_en,
        description_zh=spec.description_zh,
        allowed=_choices(event, spec.key),
    )
