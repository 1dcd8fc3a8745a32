"""Options as text: what can be said of one before it has a value, and its values both ways."""

from dataclasses import dataclass
from enum import Enum
from typing import Any, get_args

from shuangkou.rules.cards import Rank
from shuangkou.rules.notation import NotationError, format_ranks, parse_ranks


class OptionKind(Enum):
    """How an option's text is read."""

    INTEGER = "integer"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    CHOICES = "choices"
    RANKS = "ranks"
    TABLE = "table"


Ranks = tuple[Rank, ...]
Table = tuple[tuple[int, int], ...]
OptionValue = int | bool | Enum | Ranks | Table | tuple[Enum, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an option means, for a person."""

    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """choices: the values of a choice, None for any other kind."""

    key: str
    kind: OptionKind
    description_en: str
    description_zh: str
    choices: type[Enum] | None


_KINDS: dict[Any, OptionKind] = {
    int: OptionKind.INTEGER,
    bool: OptionKind.BOOLEAN,
    Ranks: OptionKind.RANKS,
    Table: OptionKind.TABLE,
}


def option_spec(key: str, annotation: Any) -> OptionSpec:
    """From an annotation `Annotated[type, Meaning]`."""
    value_type, meaning = get_args(annotation)
    if value_type in _KINDS:
        return OptionSpec(key, _KINDS[value_type], meaning.en, meaning.zh, None)
    if isinstance(value_type, type) and issubclass(value_type, Enum):
        return OptionSpec(key, OptionKind.CHOICE, meaning.en, meaning.zh, value_type)
    return OptionSpec(key, OptionKind.CHOICES, meaning.en, meaning.zh, get_args(value_type)[0])


def parse_value(spec: OptionSpec, text: str) -> OptionValue:
    """The typed value that `text` stands for; ValueError when it stands for none."""
    match spec.kind:
        case OptionKind.INTEGER:
            return _parse_integer(text)
        case OptionKind.BOOLEAN:
            if text not in ("true", "false"):
                raise ValueError(f"{text[:40]!r} is neither true nor false")
            return text == "true"
        case OptionKind.CHOICE:
            assert spec.choices is not None
            return spec.choices(text)
        case OptionKind.CHOICES:
            assert spec.choices is not None
            return tuple(map(spec.choices, text.split()))
        case OptionKind.RANKS:
            return _parse_distinct_ranks(text)
        case OptionKind.TABLE:
            return tuple(_parse_pair(pair) for pair in text.split())


def format_value(value: OptionValue) -> str:
    """Inverse of `parse_value`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum) and not isinstance(value, int):
        return str(value.value)
    if isinstance(value, tuple):
        return " ".join([_format_element(element) for element in value])
    return str(value)


def _format_element(element: Rank | tuple[int, int] | Enum) -> str:
    if isinstance(element, tuple):
        return f"{element[0]}:{element[1]}"
    return format_ranks((element,)) if isinstance(element, Rank) else str(element.value)


def _parse_integer(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise ValueError(f"{text[:40]!r} is no whole number from 0 to 999999")
    return int(text)


def _parse_distinct_ranks(text: str) -> Ranks:
    ranks = parse_ranks(text)
    if len(set(ranks)) != len(ranks):
        raise NotationError(f"{text[:60]!r} names a rank twice")
    return ranks


def _parse_pair(text: str) -> tuple[int, int]:
    size, separator, multiplier = text.partition(":")
    if not separator:
        raise ValueError(f"{text[:40]!r} is not size:multiplier")
    return _parse_integer(size), _parse_integer(multiplier)
