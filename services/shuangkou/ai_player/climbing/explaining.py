"""Advice at once: what the rule policy weighs, phase by phase, without playing anything out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import floor

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.climbing.before_play import (
    TO_BID,
    TO_GRAB,
    acts,
    boldness,
    cheapest,
    company,
    height,
    strength,
)
from shuangkou.ai_player.climbing.core_policy import Weighed, weigh
from shuangkou.ai_player.climbing.phases import act_for
from shuangkou.ai_player.climbing.reasons import reasons_for
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.remarks import Words, card_words, rank_words
from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.commands import (
    Bid,
    DeclareCombination,
    ExchangeCards,
    GrabLandlord,
    MarkCard,
    TakeFromKitty,
)
from shuangkou.rules.climbing.legal_acts import LegalActs
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.suits import read
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import BuryKitty, Pass, PlayCards
from shuangkou.wire.commands import SeatAct

_Told = Iterator[tuple[SeatAct, Words]]
"""Acts and why, the best first by what the rule policy weighs."""


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    options: ClimbingOptions
    view: SeatView
    persona: Persona
    legal: LegalActs


def explain(options: ClimbingOptions, view: SeatView, persona: Persona, most: int) -> list[Advice]:
    """At most so many acts, first what the persona does at once, with what it weighs; NoPolicy, or NotToAct.

    In play that one alone: how others compare is for `advise` to play out.
    """
    act = act_for(options, view, persona)
    if isinstance(act, PlayCards) or view.phase is Phase.PLAY:
        return [_play(options, view, persona, act)]
    legal = acts(options, view)
    told: dict[SeatAct, Words] = {}
    for one, why in _TELLING[view.phase](_Question(options, view, persona, legal)):
        told.setdefault(one, why)
    ranked = sorted((one for one in told if one in legal), key=lambda one: one != act)
    return [Advice(one, 0.0, 0.0, 0.0, 0, *told[one]) for one in ranked[:most]]


def _play(options: ClimbingOptions, view: SeatView, persona: Persona, act: SeatAct) -> Advice:
    assert isinstance(act, PlayCards | Pass)
    weighed = weigh(options, view, persona)
    one = next((one for one in weighed if one.act == act), Weighed(act, 0.0))
    return Advice(act, one.worth, 0.0, 0.0, 0, *reasons_for(options, view, [one], weighed)[0])


def _burials(asked: _Question) -> _Told:
    """The cheapest, and each further card in place of the last of them."""
    size, ranked = asked.options.kitty, cheapest(asked.options, asked.view)
    en, zh = card_words(ranked[:size])
    yield (
        BuryKitty(asked.legal.seat, ranked[:size]),
        (f"buries {en}, the lowest that stand alone", f"扣{zh}，最小的孤张"),
    )
    (last, last_zh), usual = card_words(ranked[size - 1 : size]), _worth(asked, ranked[size - 1])
    for card in ranked[size:]:
        en, zh = card_words((card,))
        stands = _worth(asked, card)
        why = (
            ("higher", "更大")
            if stands[0] == usual[0]
            else ("it belongs to others, or is high", "成对或是大牌")
        )
        yield (
            BuryKitty(asked.legal.seat, (*ranked[: size - 1], card)),
            (f"buries {en} instead of {last}: {why[0]}", f"用{zh}换{last_zh}来扣：{why[1]}"),
        )


def _worth(asked: _Question, card: Card) -> tuple[int, int]:
    return company(asked.options, asked.view, card), height(asked.options, card)


def _declarations(asked: _Question) -> _Told:
    declared = [act for act in asked.legal.before_play if isinstance(act, DeclareCombination)]
    for number, act in enumerate(reversed(declared)):
        found = read(move_table(asked.options), act.cards)
        en, zh = ("combination", "牌型") if found is None else (found.kind.name_en, found.kind.name_zh)
        cards = card_words(act.cards)
        rank = (
            ("the highest you may declare", "能叫的最大") if not number else ("not the highest", "不是最大")
        )
        yield (
            act,
            (
                f"declares the {en} {cards[0]}, {rank[0]}: paid if you play it",
                f"叫{zh}{cards[1]}，{rank[1]}，打出有奖",
            ),
        )
    why = ("gives up what is paid for it", "放弃奖分") if declared else ("you hold none", "手里没有")
    yield Pass(asked.legal.seat), (f"declares nothing: {why[0]}", f"不叫：{why[1]}")


def _bids(asked: _Question) -> _Told:
    share = strength(asked.options, asked.view.hand) * boldness(asked.persona)
    grabs = any(isinstance(act, GrabLandlord) for act in asked.legal.before_play)
    needed = TO_GRAB if grabs else TO_BID
    bids = [act for act in asked.legal.before_play if isinstance(act, Bid)]
    en, zh = _on_strength(share / boldness(asked.persona), needed / boldness(asked.persona), share >= needed)
    for act in asked.legal.before_play if share < needed else asked.legal.before_play[::-1]:
        if isinstance(act, Bid):
            is_most = act == bids[-1]
            how = (
                ("the most that may be bid", "最高叫分")
                if is_most
                else ("can be outbid, risks less", "可被压过，风险小")
            )
            yield act, (f"bids {act.points}, {how[0]}; {en}", f"叫{act.points}分，{how[1]}；{zh}")
        elif isinstance(act, GrabLandlord):
            yield act, (f"grabs the landlord; {en}", f"抢地主；{zh}")
    yield Pass(asked.legal.seat), (f"passes; {en}", f"不叫；{zh}")


def _on_strength(share: float, needed: float, is_enough: bool) -> Words:
    """share: of cards that win tricks."""
    held, wanted = _percent(share), _percent(needed)
    verdict = ("enough", "够了") if is_enough else ("not enough", "不够")
    return (
        f"{held} of your hand wins tricks (top ranks, fours), {verdict[0]}: it takes {wanted}",
        f"手牌{held}能得牌权（大牌、四张），{verdict[1]}：要{wanted}",
    )


def _percent(share: float) -> str:
    """Rounded down: what is not enough never looks as if it were more than that."""
    return f"{floor(100 * share + _NOISE)}%"


_NOISE = 1e-9


def _takings(asked: _Question) -> _Told:
    seat, kitty = asked.legal.seat, asked.view.kitty
    wanted = act_for(asked.options, asked.view, asked.persona)
    if isinstance(wanted, TakeFromKitty):
        en, zh = card_words(wanted.cards) if wanted.cards else ("nothing", "空")
        yield (
            wanted,
            (
                f"takes {en}: what beats the middle of the ranks or joins your cards",
                f"拿{zh}：大于中间点数，或与手牌成对的",
            ),
        )
    yield TakeFromKitty(seat, kitty), ("takes all, low cards that stand alone too", "全拿，小孤张也拿")
    yield TakeFromKitty(seat, ()), ("takes nothing, so that the hand stays short", "不拿，手牌少")


def _exchanges(asked: _Question) -> _Told:
    loose = act_for(asked.options, asked.view, asked.persona)
    if isinstance(loose, ExchangeCards) and loose.cards:
        en, zh = card_words(loose.cards)
        yield loose, (f"exchanges {en}, low cards that stand alone", f"换{zh}，都是小孤张")
        yield (
            ExchangeCards(asked.legal.seat, ()),
            ("keeps all, low cards that stand alone too", "不换，小孤张也留"),
        )
    else:
        yield ExchangeCards(asked.legal.seat, ()), ("keeps all: no low card stands alone", "不换：没有小孤张")


def _marks(asked: _Question) -> _Told:
    """The highest card of each rank."""
    first, *others = reversed({card.rank: card for card in asked.view.hand}.values())
    en, zh = card_words((first,))
    yield (
        MarkCard(asked.legal.seat, asked.view.hand[-1]),
        (f"marks {en}, the likeliest of your hand to win its trick", f"提{zh}，手里最可能得牌权的"),
    )
    highest = rank_words(first.rank)
    for card in others:
        en, zh = card_words((card,))
        yield (
            MarkCard(asked.legal.seat, card),
            (
                f"marks {en}, lower than your {highest[0]}, less likely to win its trick",
                f"提{zh}，比{highest[1]}小，更难得牌权",
            ),
        )


_TELLING: dict[Phase, Callable[[_Question], _Told]] = {
    Phase.BURY: _burials,
    Phase.DECLARE: _declarations,
    Phase.AUCTION: _bids,
    Phase.TAKE: _takings,
    Phase.EXCHANGE: _exchanges,
    Phase.MARK: _marks,
}
