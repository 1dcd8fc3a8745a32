"""What a player types at the table: a word, a number from the list of legal plays, or ranks and cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from shuangkou.cli.faces import face, rank_symbol, typed_card
from shuangkou.rules.cards import Card, Rank, Suit
from shuangkou.rules.notation import NotationError, parse_card, parse_rank


class Word(Enum):
    """A word that is no play."""

    PASS = "pass"
    LEGAL = "legal"
    HINT = "hint"
    GO = "go"
    HAND = "hand"
    TABLE = "table"
    LAST = "last"
    SCORE = "score"
    SURRENDER = "surrender"
    REDEAL = "redeal"
    FORFEIT = "forfeit"
    HOST = "host"
    RECLAIM = "reclaim"
    HELP = "help"
    QUIT = "quit"
    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Listed:
    """A play by its number in the list of legal plays, from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """Cards from the hand."""

    cards: tuple[Card, ...]


Typed = Word | Listed | Chosen

_SYNONYMS: Final = {
    **{word.value: word for word in Word},
    **dict.fromkeys(("p", "不要", "过", "不出", "不叫", "不抢", "不亮", "不反"), Word.PASS),
    **dict.fromkeys(("l", "list"), Word.LEGAL),
    **dict.fromkeys(("h", "提示"), Word.HINT),
    **dict.fromkeys(("手牌",), Word.HAND),
    **dict.fromkeys(("look", "trick", "t"), Word.TABLE),
    **dict.fromkeys(("last trick", "上一墩", "上一圈"), Word.LAST),
    **dict.fromkeys(("scores",), Word.SCORE),
    **dict.fromkeys(("投降",), Word.SURRENDER),
    **dict.fromkeys(("重发",), Word.REDEAL),
    **dict.fromkeys(("逃跑",), Word.FORFEIT),
    **dict.fromkeys(("托管",), Word.HOST),
    **dict.fromkeys(("back", "取消托管"), Word.RECLAIM),
    **dict.fromkeys(("?", "帮助"), Word.HELP),
    **dict.fromkeys(("exit", "leave", "bye"), Word.QUIT),
    **dict.fromkeys(("y",), Word.YES),
    **dict.fromkeys(("n",), Word.NO),
}
_MOST: Final = 1000
_NUMBER: Final = re.compile(r"#(\d{1,4})|1")
_REPEATED: Final = re.compile(r"(?P<rank>10|[2-9TJQKA]|LJ|BJ)[*X](?P<count>\d+)")
_RANKS: Final = re.compile(r"LJ|BJ|10|[2-9TJQKA]")
_SUITS: Final = {"♠": Suit.SPADES, "♥": Suit.HEARTS, "♣": Suit.CLUBS, "♦": Suit.DIAMONDS}
_JOKERS: Final = {"小王": "LJ", "大王": "BJ"}


def read_typed(text: str, hand: Sequence[Card], suited: bool = False) -> Typed:
    """What the line means; ValueError with a sentence for its writer when it means nothing or is not held.

    suited: as in `choose_cards`.
    """
    line = text.strip()
    word = word_of(line)
    if word is not None:
        return word
    number = _NUMBER.fullmatch(line)
    if number is not None:
        return Listed(int(number[1] or 1))
    return Chosen(choose_cards(line, hand, suited))


def word_of(text: str) -> Word | None:
    """The word that the line is, None for any other line."""
    return _SYNONYMS.get(text.strip().casefold())


def choose_cards(line: str, hand: Sequence[Card], suited: bool = False) -> tuple[Card, ...]:
    """The cards of the hand that the line names; ValueError with a sentence for its writer.

    suited: a rank must not leave open which of its suits is meant.
    """
    left = list(hand)
    chosen = []
    wanted = [want for token in re.split(r"[\s,]+", line) for want in _wanted(token)]
    if suited:
        _check_clear(wanted, hand)
    # Exact cards first: `7 7h` must not spend the only 7h on the bare 7.
    for want in sorted(wanted, key=lambda want: isinstance(want, Rank)):
        card = next((card for card in left if want in (card, card.rank) and _same_kind(want, card)), None)
        if card is None:
            raise ValueError(_not_held(want, wanted, hand))
        left.remove(card)
        chosen.append(card)
    return tuple(chosen)


def _check_clear(wanted: Sequence[Card | Rank], hand: Sequence[Card]) -> None:
    for rank in {want for want in wanted if isinstance(want, Rank)}:
        held = [card for card in hand if card.rank is rank]
        named = sum(1 for want in wanted if (want if isinstance(want, Rank) else want.rank) is rank)
        if len({*held}) > 1 and named < len(held):
            faces = " or ".join(map(typed_card, sorted({*held})))
            symbol = rank_symbol(rank)
            raise ValueError(f"you hold {symbol} of several suits: say which, {faces} · 请说明花色")


def _same_kind(want: Card | Rank, card: Card) -> bool:
    # Both are integers, so a rank would also equal the card of the same number.
    return want is card if isinstance(want, Card) else want is card.rank


def _wanted(token: str) -> list[Card | Rank]:
    upper = _JOKERS.get(token, token).upper()
    repeated = _REPEATED.fullmatch(upper)
    if repeated is not None:
        return [_rank(repeated["rank"])] * _count(repeated["count"], token)
    ranks = _RANKS.findall(upper)
    if "".join(ranks) == upper:
        return [_rank(rank) for rank in ranks]
    return [_card(token)]


def _count(digits: str, token: str) -> int:
    """Beyond any hand the number makes no difference."""
    plain = digits.lstrip("0")
    if not plain:
        raise ValueError(f"{token[:20]!r} plays no card · 没有牌")
    return int(plain) if len(plain) < len(str(_MOST)) else _MOST


def _rank(token: str) -> Rank:
    return parse_rank("T" if token == "10" else token)


def _card(token: str) -> Card:
    for symbol, suit in _SUITS.items():
        token = token.replace(symbol, "shcd"[suit])
    plain = token.lower().replace("10", "t")
    suit_first = plain[:1] in "shcd"
    rank, suit_token = (plain[1:], plain[:1]) if suit_first else (plain[:-1], plain[-1:])
    try:
        return parse_card(rank.upper() + suit_token)
    except NotationError:
        if token.casefold() in _SYNONYMS:
            raise ValueError(f"{token!r} is typed alone, nothing beside it · 须单独输入") from None
        said = f"{token[:20]!r} is no word and no card: type ranks like 7 7, or help · 看不懂"
        raise ValueError(said) from None


def _not_held(want: Card | Rank, wanted: Sequence[Card | Rank], hand: Sequence[Card]) -> str:
    if isinstance(want, Card):
        said, have = wanted.count(want), sum(1 for card in hand if card is want)
        count = f"only {have} {face(want).plain}, not {said}" if have else f"no {face(want).plain}"
        return f"you hold {count}; type hand to see your cards · 你没有这些牌"
    held = Counter(card.rank for card in hand)[want]
    count = f"only {held} of rank" if held else "no"
    return f"you hold {count} {rank_symbol(want)}; type hand to see your cards · 你没有这些牌"
