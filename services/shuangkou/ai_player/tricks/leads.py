"""Why a lead may be worth its cards."""

from collections.abc import Iterator

from shuangkou.ai_player.remarks import Words, suit_words
from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.rules.cards import Card, Suit
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.units import Unit, format_of


def remarks_on_lead(now: Situation, cards: tuple[Card, ...]) -> list[Words]:
    """The most telling first; at least one."""
    lead = format_of(now.order, cards)
    if lead is None:
        return [("leads", "出牌")]
    if lead.is_throw:
        return [
            (f"throws {len(cards)} cards at once, nothing unseen beats them", f"甩{len(cards)}张，无人能大")
        ]
    if lead.suit is EffectiveSuit.TRUMP:
        return list(_on_trump(now, lead.key))
    return list(_on_plain(now, lead.suit, lead.key))


def _on_trump(now: Situation, unit: Unit) -> Iterator[Words]:
    left = now.suit_sizes[EffectiveSuit.TRUMP]
    if not left:
        yield "leads a trump that nobody can beat any more", "外面已无主，稳拿"
    elif _is_highest(now, EffectiveSuit.TRUMP, unit):
        yield "draws trumps with what nobody can beat, keeps the lead", "用最大的吊主，保住牌权"
    elif unit.shape.copies > 1:
        yield f"draws trumps {unit.shape.size} at a time", f"一次吊{unit.shape.size}张主"
    else:
        higher = now.above[EffectiveSuit.TRUMP][unit.top]
        yield f"draws trumps, {higher} higher ones are still out", f"吊主，外面还有{higher}张更大"
    if left:
        yield f"{left} trumps are still out", f"外面还有{left}张主"


def _on_plain(now: Situation, suit: EffectiveSuit, unit: Unit) -> Iterator[Words]:
    sign = suit_words(Suit(suit))[0]
    trump = EffectiveSuit.TRUMP
    ruffs = [seat for seat in now.others if now.lacks[seat][suit] and not now.lacks[seat][trump]]
    if now.partner in ruffs:
        yield f"leads {sign}, in which your partner is void and may ruff", f"出{sign}，对家缺门可毙"
    elif _is_highest(now, suit, unit):
        yield from _on_highest(sign, unit)
    elif unit.shape.is_tractor:
        yield f"leads a tractor of {sign}, seldom beaten", f"出{sign}拖拉机，不易被压"
    elif unit.shape.copies > 1:
        yield f"leads a pair of {sign}, seldom beaten", f"出{sign}对子，不易被压"
    else:
        higher = now.above[suit][unit.top]
        yield f"leads {sign}, {higher} higher ones are still out", f"出{sign}，外面还有{higher}张更大"
    if any(seat != now.partner for seat in ruffs):
        yield f"a rival is void in {sign} and may ruff", f"有一家对手{sign}缺门，可能毙"
    yield f"{now.suit_sizes[suit]} {sign} are still out", f"外面还有{now.suit_sizes[suit]}张{sign}"


def _on_highest(sign: str, unit: Unit) -> Iterator[Words]:
    if unit.shape.is_tractor:
        yield f"leads the highest tractor of {sign}, which only a ruff beats", f"出{sign}最大的拖拉机，只怕毙"
    elif unit.shape.copies > 1:
        yield f"leads the highest pair of {sign}, which only a ruff beats", f"出{sign}最大的对子，只怕毙"
    else:
        yield f"leads the highest of {sign}, which only a ruff beats", f"出{sign}最大的，只怕毙"


def _is_highest(now: Situation, suit: EffectiveSuit, unit: Unit) -> bool:
    """Nothing unseen of its suit beats it: too few copies, or too few neighbours, count as nothing."""
    copies, above = unit.shape.copies, now.order.lines[suit][unit.top + 1 :]
    return not any(now.unseen[face] >= copies for faces in above for face in faces)
