"""Why an act of a climbing game may be worth its cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shuangkou.ai_player.climbing.core_policy import Weighed
from shuangkou.ai_player.remarks import Remarked, Words, rank_words, spent_beyond, told_apart
from shuangkou.fastplay.climbing.instant import FORCED, GOING_OUT
from shuangkou.rules.cards import JOKERS, Card, Rank
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import ClimbingOptions, Sides
from shuangkou.rules.climbing.suits import may_follow, read
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.seats import partner

_FEW = 6
"""Cards in a hand that may be gone soon."""
_MANY = 5
"""Cards of a play that gets rid of many."""
_TOP_RANKS = 3

_SETS: dict[int, Words] = {2: ("pair", "对子"), 3: ("triple", "三张")}


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """held: own cards by rank. lowest: of the plays that were weighed and are no bombs, by what is compared
    with what, the least. has_choice: there is more than one legal act."""

    options: ClimbingOptions
    view: SeatView
    held: Counter[Rank]
    lowest: dict[tuple[object, ...], int]
    has_choice: bool

    @property
    def is_partners(self) -> bool:
        """The partner's play is the one to beat."""
        view = self.view
        if view.seat is None or view.top is None or self.options.sides is not Sides.PARTNERS:
            return False
        return view.top.seat == partner(view.seat)

    def read(self, cards: Sequence[Card]) -> Combination | None:
        """What these cards are."""
        return read(move_table(self.options), cards)


def reasons_for(
    options: ClimbingOptions, view: SeatView, best: Sequence[Weighed], weighed: Sequence[Weighed]
) -> list[Words]:
    """One for each of the best, no two alike. weighed: all legal acts."""
    held = Counter(card.rank for card in view.hand)
    table = _Table(options, view, held, _lowest(options, view, weighed), len(weighed) > 1)
    said = [Remarked(tuple(_remarks(table, one)), _cards(one)) for one in best]
    return told_apart(said, lambda one, other: _difference(options, one, other))


def _cards(one: Weighed) -> tuple[Card, ...]:
    return one.act.cards if isinstance(one.act, PlayCards) else ()


def _lowest(
    options: ClimbingOptions, view: SeatView, weighed: Sequence[Weighed]
) -> dict[tuple[object, ...], int]:
    lowest: dict[tuple[object, ...], int] = {}
    for one in weighed:
        found = read(move_table(options), _cards(one)) if _cards(one) else None
        if found is not None and not found.is_bomb and _beats(options, view, found):
            lowest[_compared(found)] = min(found.strength, lowest.get(_compared(found), found.strength))
    return lowest


def _beats(options: ClimbingOptions, view: SeatView, found: Combination) -> bool:
    """It beats what is to be beaten, if anything is."""
    return view.top is None or may_follow(options, found, view.top.combination)


def _compared(found: Combination) -> tuple[object, ...]:
    return found.kind, found.size, found.length


def _remarks(table: _Table, one: Weighed) -> Iterator[Words]:
    cards = _cards(one)
    if not cards:
        yield from _on_passing(table)
        return
    left = len(table.view.hand) - len(cards)
    if one.worth >= GOING_OUT / 2 and not left:
        yield "goes out with its last cards", "最后一手，出完"
        return
    if one.worth >= FORCED / 2:
        yield "nothing can stop you any more", "已无人能拦，稳走"
    found = table.read(cards)
    yield from _on_play(table, found, cards)
    yield from _on_hand(table, cards)
    yield f"leaves {_number(left)}", f"还剩{left}张"


def _on_play(table: _Table, found: Combination | None, cards: Sequence[Card]) -> Iterator[Words]:
    if found is not None and not _beats(table.options, table.view, found):
        yield "gets rid of cards, does not beat the trick", "贴牌，不压"
        return
    if found is not None and found.is_bomb:
        yield _on_bomb(table, len(table.view.hand) - len(cards))
    elif table.view.top is not None:
        yield _on_beating(table, found)
    else:
        yield from _on_lead(table, found, cards)
    if table.is_partners:
        yield "takes it over from your partner", "接过对家的牌"


def _on_passing(table: _Table) -> Iterator[Words]:
    view = table.view
    if table.is_partners and view.top is not None:
        yield "leaves the trick to your partner", "对家的牌，让对家走"
        left = view.hand_sizes[view.top.seat]
        yield f"who has {_number(left)} left", f"对家还剩{left}张"
    elif not table.has_choice:
        yield "nothing in your hand beats it", "要不起"
    elif not table.lowest:
        yield "saves the bombs: nothing else would beat it", "留着炸弹，别的压不住"
    else:
        yield "passes: to beat it costs more than the lead is worth", "压牌得不偿失，先不要"


def _on_bomb(table: _Table, left: int) -> Words:
    view = table.view
    if view.top is None:
        return "leads a bomb, which keeps the lead", "先出炸弹，保住牌权"
    rival = view.hand_sizes[view.top.seat]
    if not table.is_partners and rival <= _FEW:
        return f"bombs, because the rival to beat has {_number(rival)} left", f"对手只剩{rival}张，用炸弹拦住"
    if left <= _FEW:
        return f"bombs, to play out the {_number(left)} left", f"炸下来，好走完剩下的{left}张"
    if not table.lowest:
        return "bombs for the lead: nothing else beats it", "别的压不住，用炸弹夺牌权"
    return "bombs for the lead: it is hardest to beat", "用炸弹夺牌权，最难再压"


def _on_beating(table: _Table, found: Combination | None) -> Words:
    if found is None:
        return "beats it", "压住"
    if found.strength <= table.lowest[_compared(found)]:
        return "beats it with the lowest that beats", "用最小的压住"
    return "beats it high, harder to beat again", "出大的压住，不易再被压"


def _on_lead(table: _Table, found: Combination | None, cards: Sequence[Card]) -> Iterator[Words]:
    order = table.options.rank_order
    top = order[-_TOP_RANKS:]
    en, zh = ("set", "牌") if found is None else (found.kind.name_en, found.kind.name_zh)
    if all(card.rank in top for card in cards):
        yield f"leads a high {en}, likely to keep the lead", f"出大{zh}，保牌权"
    elif len(cards) >= _MANY:
        yield f"gets rid of {len(cards)} cards at once ({en})", f"一手{zh}走{len(cards)}张"
    elif found is not None and found.strength <= table.lowest[_compared(found)]:
        yield f"leads the lowest {en}, which seldom wins later", f"先走最小的{zh}"
    else:
        yield f"leads a {en}, keeps a lower one", f"出{zh}，小的留后"
    partners = 0 if table.view.seat is None else table.view.hand_sizes[partner(table.view.seat)]
    if table.options.sides is Sides.PARTNERS and partners == len(cards):
        yield f"your partner has just {_number(partners)} left", f"对家正好剩{partners}张"


def _on_hand(table: _Table, cards: Sequence[Card]) -> Iterator[Words]:
    """What is taken apart, and what is spent that wins tricks."""
    spent = Counter(card.rank for card in cards)
    for rank, count in spent.items():
        held, (en, zh) = table.held[rank], rank_words(rank)
        if rank in JOKERS:
            yield (
                (f"spends the {en}" if held == 1 else f"spends {count} of {held} {en}s"),
                f"用去{count}张{zh}",
            )
        elif held > count:
            kind = _SETS.get(held, (f"{held} equal cards", f"{held}张"))
            yield f"breaks the {kind[0]} of {en}", f"拆了{zh}的{kind[1]}"


def _number(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _difference(options: ClimbingOptions, one: Remarked, other: Remarked) -> Words:
    """Of two plays of which the same is true."""
    own, others = (_heights(options, cards) for cards in spent_beyond(one, other))
    if own > others:
        return "higher, and worth more later", "牌更大，留着更值"
    if own < others:
        return "lower, and easier to beat", "牌更小，易被压"
    return "as high, of other suits", "一样大，花色不同"


def _heights(options: ClimbingOptions, cards: Counter[Card]) -> list[int]:
    """High to low."""
    return sorted((options.rank_order.index(card.rank) for card in cards.elements()), reverse=True)
