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
        ruff = _fear(now, lead.suit)
        return [(f"throws {len(cards)} cards at once, which {ruff[0]}", f"甩{len(cards)}张，{ruff[1]}")]
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
        yield f"draws trumps, with {higher} higher still out", f"吊主，外面还有{higher}张更大"
    if left:
        yield f"{left} trumps are still out", f"外面还有{left}张主"


def _on_plain(now: Situation, suit: EffectiveSuit, unit: Unit) -> Iterator[Words]:
    sign = suit_words(Suit(suit))[0]
    trump = EffectiveSuit.TRUMP
    ruffs = [seat for seat in now.others if now.lacks[seat][suit] and not now.lacks[seat][trump]]
    if now.partner in ruffs:
        yield f"leads {sign}, in which your partner is void and may ruff", f"出{sign}，对家缺门可毙"
    elif _is_highest(now, suit, unit):
        yield _on_highest(sign, unit, _fear(now, suit))
    elif unit.shape.is_tractor:
        yield f"leads a tractor of {sign}, seldom beaten", f"出{sign}拖拉机，不易被压"
    elif unit.shape.copies > 1:
        yield f"leads a pair of {sign}, seldom beaten", f"出{sign}对子，不易被压"
    else:
        higher = now.above[suit][unit.top]
        yield f"leads {sign}, with {higher} higher still out", f"出{sign}，外面还有{higher}张更大"
    if any(seat != now.partner for seat in ruffs):
        yield f"a rival is void in {sign} and may ruff", f"有一家对手{sign}缺门，可能毙"
    yield f"{now.suit_sizes[suit]} {sign} are still out", f"外面还有{now.suit_sizes[suit]}张{sign}"


def _on_highest(sign: str, unit: Unit, fear: Words) -> Words:
    if unit.shape.is_tractor:
        kind = "tractor", "的拖拉机"
    else:
        kind = ("pair", "的对子") if unit.shape.copies > 1 else ("card", "的")
    return f"leads the highest {kind[0]} of {sign}, which {fear[0]}", f"出{sign}最大{kind[1]}，{fear[1]}"


def _fear(now: Situation, suit: EffectiveSuit) -> Words:
    """What still beats a lead of this suit that nothing unseen of the suit does."""
    if suit is EffectiveSuit.TRUMP or not now.suit_sizes[EffectiveSuit.TRUMP]:
        return "nothing unseen beats", "无人能大"
    return "only a ruff beats", "只怕毙"


def _is_highest(now: Situation, suit: EffectiveSuit, unit: Unit) -> bool:
    """Nothing unseen of its suit beats it: too few copies, or too few neighbours, count as nothing."""
    copies, above = unit.shape.copies, now.order.lines[suit][unit.top + 1 :]
    return not any(now.unseen[face] >= copies for faces in above for face in faces)
