"""A ruleset (规则) is one frozen value, read from one file in `rulesets/`."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, Generic, Protocol, TypeVar

import shuangkou.rules.climbing.options as climbing_options
import shuangkou.rules.tricks.options as tricks_options
from shuangkou.rules.climbing.contradictions import contradictions as climbing_contradictions
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.option_text import (
    OptionKind,
    OptionSpec,
    OptionValue,
    format_value,
    parse_value,
)
from shuangkou.rules.tricks.contradictions import contradictions as tricks_contradictions
from shuangkou.rules.tricks.options import TricksOptions

MOST_DEALS = 100
"""Of one match."""


class Options(Protocol):
    """What every family says of its options, beside what each of them means."""

    @property
    def players(self) -> int:
        """Seats that play."""

    @property
    def has_partners(self) -> bool:
        """Two sides of two seats play each deal, whoever they are in the next."""

    @property
    def has_lasting_sides(self) -> bool:
        """The same two sides of two seats meet in every deal of a match."""

    @property
    def ends_matches(self) -> bool:
        """A match may end before its deals are played, by its own rules."""

    @property
    def deals_of_match(self) -> int:
        """How many deals a whole match has, 0 where that is open."""

    @property
    def deals_in_pairs(self) -> bool:
        """Only two deals together are fair, for the sides change roles."""


OptionsT = TypeVar("OptionsT", bound=Options)


class RuleSetError(ValueError):
    """A ruleset or an option that cannot be used."""


class UnknownRuleSet(RuleSetError):
    """No ruleset has this id."""


class UnknownOption(RuleSetError):
    """The ruleset has no option with this key."""


class BadOptionValue(RuleSetError):
    """The option does not allow this value."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a ruleset, as a person reads it: all values as text.

    allowed: the values that a table may choose, only the default where the ruleset fixes it.
    """

    key: str
    value: str
    kind: OptionKind
    default: str
    description_en: str
    description_zh: str
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FamilyRuleSet(Generic[OptionsT]):
    """Everything that tells one game from another.

    family: `climbing` or `tricks`. revision: grows when a row's rules change. rulings: where its rulings
    are written. options: of the class that the family has for them. defaults: the options before any was
    chosen. allowed: option key to its choices.
    """

    id: str
    revision: int
    family: str
    name_en: str
    name_zh: str
    description_en: str
    description_zh: str
    rulings: str
    options: OptionsT
    defaults: OptionsT
    allowed: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def has_partners(self) -> bool:
        """Two sides of two seats play each deal, whoever they are in the next."""
        return self.options.has_partners

    @property
    def has_lasting_sides(self) -> bool:
        """The same two sides of two seats meet in every deal of a match."""
        return self.options.has_lasting_sides

    @property
    def ends_matches(self) -> bool:
        """A match may end before its deals are played, because of its points."""
        return self.options.ends_matches

    @property
    def usual_deals(self) -> int:
        """How many deals a match has at most when nobody says: one, or as many as the game needs."""
        return self.most_deals if self.ends_matches else 1

    @property
    def most_deals(self) -> int:
        """How many deals a match can have."""
        return self.options.deals_of_match or MOST_DEALS

    def objection_to_deals(self, deals: int) -> str | None:
        """Why no match has so many deals; None where one can have them. A single deal is always possible."""
        if deals > self.most_deals:
            return f"a match of {self.id} has at most {self.most_deals} deals"
        if deals > 1 and deals % 2 and self.options.deals_in_pairs:
            return f"a match of {self.id} has an even number of deals, or one"
        return None

    @property
    def option_rows(self) -> tuple[Option, ...]:
        """Every option with its value, default, meaning and choices."""
        return tuple(_option_row(self, spec) for spec in _specs(self).values())

    @property
    def chosen(self) -> dict[str, str]:
        """The options that differ from their default, as text: what `with_options` needs to get here."""
        return {row.key: row.value for row in self.option_rows if row.value != row.default}

    def with_options(self, texts: Mapping[str, str]) -> "FamilyRuleSet[OptionsT]":
        """The same ruleset with these options set from text.

        UnknownOption for a key that does not exist, BadOptionValue for a value that is not allowed.
        """
        values = {key: _allowed_value(self, key, text) for key, text in texts.items()}
        return replace(self, options=_with_values(self.options, values))


RuleSet = FamilyRuleSet[ClimbingOptions]
"""A game of the climbing family."""

TricksRuleSet = FamilyRuleSet[TricksOptions]
"""A game of the trick-taking family."""

AnyRuleSet = FamilyRuleSet[Any]
"""A game of a family that only who plays it has to know."""


def available(family: str | None = None) -> tuple[str, ...]:
    """Ids of all rulesets, or of those of one family, sorted."""
    return tuple(sorted(id for id in _files() if family in (None, _load(id).family)))


def families() -> tuple[str, ...]:
    """Every family of games."""
    return tuple(_FAMILIES)


def load(id: str) -> AnyRuleSet:
    """The ruleset with its default options; UnknownRuleSet when there is none."""
    if id not in _files():
        missing = f"no ruleset {id[:40]!r}" if id else "name a ruleset"
        raise UnknownRuleSet(f"{missing}; there are {', '.join(available())}")
    return _load(id)


def parse_ruleset(text: str) -> AnyRuleSet:
    """The ruleset written in this TOML; RuleSetError tells what is wrong with it."""
    row = tomllib.loads(text)
    if row["family"] not in _FAMILIES:
        raise RuleSetError(f"no family {row['family']!r}; there are {', '.join(_FAMILIES)}")
    options = _options(_FAMILIES[row["family"]], row["options"])
    allowed = {key: tuple(_text(value) for value in values) for key, values in row["allowed"].items()}
    names = ("id", "revision", "family", "name_en", "name_zh", "description_en", "description_zh", "rulings")
    ruleset: AnyRuleSet = FamilyRuleSet(
        **{name: row[name] for name in names},
        options=options,
        defaults=options,
        allowed=tuple(sorted(allowed.items())),
    )
    for key, values in ruleset.allowed:
        for value in values:
            ruleset.with_options({key: value})
    return ruleset


@dataclass(frozen=True, slots=True)
class _Family:
    """How a family's rows are read. contradictions: why options of its class cannot be played together."""

    options: Callable[..., Any]
    specs: Mapping[str, OptionSpec]
    required: frozenset[str]
    contradictions: Callable[[Any], list[str]]


_FAMILIES: dict[str, _Family] = {
    "climbing": _Family(
        ClimbingOptions, climbing_options.SPECS, climbing_options.REQUIRED, climbing_contradictions
    ),
    "tricks": _Family(TricksOptions, tricks_options.SPECS, tricks_options.REQUIRED, tricks_contradictions),
}


def _specs(ruleset: AnyRuleSet) -> Mapping[str, OptionSpec]:
    return _FAMILIES[ruleset.family].specs


@cache
def _files() -> dict[str, str]:
    folder = resources.files("shuangkou.rules") / "rulesets"
    files = [entry for entry in folder.iterdir() if entry.name.endswith(".toml")]
    return {entry.name.removesuffix(".toml"): entry.read_text("utf-8") for entry in files}


@cache
def _load(id: str) -> AnyRuleSet:
    return parse_ruleset(_files()[id])


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _options(family: _Family, values: Mapping[str, Any]) -> Any:
    unknown, missing = values.keys() - family.specs.keys(), family.required - values.keys()
    if unknown or missing:
        raise RuleSetError(f"options unknown: {sorted(unknown)}, missing: {sorted(missing)}")
    parsed: dict[str, Any] = {key: _value(family.specs[key], _text(value)) for key, value in values.items()}
    options = family.options(**parsed)
    problems = family.contradictions(options)
    if problems:
        raise BadOptionValue("; ".join(problems))
    return options


def _with_values(options: Any, values: Mapping[str, Any]) -> Any:
    return replace(options, **values)


def _value(spec: OptionSpec, text: str) -> OptionValue:
    try:
        return parse_value(spec, text)
    except ValueError as error:
        raise BadOptionValue(f"option {spec.key}: {error}") from error


def _allowed_value(ruleset: AnyRuleSet, key: str, text: str) -> Any:
    specs = _specs(ruleset)
    if key not in specs:
        open_ones = ", ".join(name for name, values in ruleset.allowed if len(values) > 1) or "nothing"
        raise UnknownOption(f"{ruleset.id} has no option {key[:40]!r}; a table may choose {open_ones}")
    choices = _choices(ruleset, key)
    if text not in choices:
        wanted = ", ".join(choices)
        raise BadOptionValue(f"option {key} of {ruleset.id} must be one of {wanted}, not {text[:40]!r}")
    return _value(specs[key], text)


def _choices(ruleset: AnyRuleSet, key: str) -> tuple[str, ...]:
    fixed = (format_value(getattr(ruleset.defaults, key)),)
    return dict(ruleset.allowed).get(key, fixed)


def _option_row(ruleset: AnyRuleSet, spec: OptionSpec) -> Option:
    return Option(
        key=spec.key,
        value=format_value(getattr(ruleset.options, spec.key)),
        kind=spec.kind,
        default=format_value(getattr(ruleset.defaults, spec.key)),
        description_en=spec.description_en,
        description_zh=spec.description_zh,
        allowed=_choices(ruleset, spec.key),
    )
