"""One deal told in full: every trick, what everybody saw at the turning points, the settlement."""

from collections.abc import Iterator

from kit.climbing_table import DECIDER, end_of, new_deal, played_out
from shuangkou.rules.climbing.commands import Command, Pass
from shuangkou.rules.climbing.events import (
    BidMade,
    CallPassed,
    CardMarked,
    CardsPlayed,
    CombinationDeclared,
    ContributionBooked,
    DealSettled,
    Event,
    FaceCardShown,
    GroupRated,
    HandExchanged,
    KittyCardsTaken,
    KittyChosen,
    LandlordCalled,
    LandlordGrabbed,
    LandlordNamed,
    LeadInherited,
    MarkSet,
    MarksShown,
    Passed,
    PhaseBegan,
    SeatsSwapped,
    SeatWentOut,
    StockCardsDrawn,
    TrickEnded,
)
from shuangkou.rules.climbing.legal_acts import LegalPlay
from shuangkou.rules.climbing.notation import format_combination
from shuangkou.rules.climbing.options import Phase, Scoring
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.climbing.trick_pips import pips_of, trick_worth
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.notation import format_card, format_cards, format_rank, format_ranks
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import SEATS, Seat, partner

Step = tuple[MatchState, Command, tuple[Event, ...]]


def sensible_policy(state: MatchState, seat: Seat) -> Command:
    """Leads what sheds most cards, leaves its partner's plays alone, bombs a rival that is nearly out."""
    deal, acts = state.deal, DECIDER.legal_acts(state, seat)
    assert deal is not None
    if acts.before_play:
        calls = [*([Pass(seat)] if acts.may_pass else []), *acts.before_play]
        return calls[sum(deal.hands[seat]) % len(calls)]
    plays = list(acts)
    plain = [play for play in plays if not play.combination.is_bomb]
    if deal.top is None:
        return max(plain or plays, key=_shed).command
    if state.ruleset.options.discards and not acts.may_pass:
        higher = [play for play in plays if play.combination.beats(deal.top.combination)]
        return (higher or plays)[0].command
    if acts.may_pass and (deal.top.seat == partner(seat) or deal.phase is not Phase.PLAY):
        return Pass(seat)
    is_urgent = min(size for rival, size in enumerate(deal.hand_sizes) if (rival - seat) % 2 and size) < 14
    choice = plain or (plays if is_urgent else [])
    return choice[0].command if choice else Pass(seat)


def _shed(play: LegalPlay) -> tuple[int, int]:
    return play.combination.size, -play.combination.strength


def transcript(ruleset: RuleSet, seed: bytes) -> str:
    """The first deal of a match from this seed, as text."""
    start = new_deal(seed, ruleset)
    steps = played_out(start, sensible_policy)
    lines = [
        f"ruleset {ruleset.id} revision {ruleset.revision}, seed {seed.hex()}",
        *_dealt(start),
        *_observed("the deal starts", start),
        *_told(steps),
        *_observed("the deal is settled", end_of(steps)),
    ]
    return "\n".join(lines) + "\n"


def _dealt(state: MatchState) -> Iterator[str]:
    deal = state.deal
    assert deal is not None
    yield f"deal {deal.number}, seed hash {deal.seed_hash.hex()}, seat {deal.leader} leads"
    for event in deal.opening:
        yield f"{_short(event)}; dealt from seat {deal.dealt_from}, totals {list(state.standing.totals)}"
    for seat in SEATS:
        yield f"dealt to {seat}: {format_cards(deal.hands[seat])}"


def _told(steps: list[Step]) -> Iterator[str]:
    line: list[str] = []
    seen = {""}
    for (before, _, events), after in zip(
        steps, [*(state for state, _, _ in steps[1:]), end_of(steps)], strict=True
    ):
        line += [_short(event) for event in events if not isinstance(event, DealSettled)]
        line += _pips(before, events)
        news = _turning_point(events)
        if news not in seen or after.deal is None or after.deal.top is None:
            yield " | ".join(line)
            line = []
        if news not in seen and after.deal is not None:
            yield from _observed(news, after)
        seen.add(news)


def _pips(before: MatchState, events: tuple[Event, ...]) -> Iterator[str]:
    """Where tricks are worth the pips of their cards."""
    is_over = any(isinstance(event, TrickEnded) for event in events)
    if before.deal is not None and is_over and before.ruleset.options.scoring is Scoring.TRICK_PIPS:
        act = events[0]
        assert isinstance(act, CardsPlayed | Passed)
        top, worth = trick_worth((*before.deal.trick, act))
        yield f"{worth} pips" + " 翻倍" * (worth > pips_of(top.cards[0]))


def _turning_point(events: tuple[Event, ...]) -> str:
    last = events[-1]
    if isinstance(last, LeadInherited):
        return "the lead was inherited 接风"
    if isinstance(last, SeatWentOut):
        return "a seat went out"
    if isinstance(last, ContributionBooked):
        return "a bomb earned a contribution 贡献分"
    if isinstance(last, PhaseBegan):
        return f"the phase {last.phase.value} began"
    if isinstance(last, CardsPlayed) and last.combination.is_bomb:
        return "a bomb was played"
    return ""


def _short(event: Event) -> str:
    match event:
        case CardsPlayed():
            wild = f" (财神 {format_ranks(event.wild_as)})" if event.wild_as else ""
            kind = " 炸弹" * event.combination.is_bomb + " 贴牌" * event.is_discard
            return f"{event.seat} {format_cards(event.cards)}{wild}{kind}"
        case Passed():
            return f"{event.seat} -"
        case SeatWentOut():
            return f"{event.seat} is out, place {event.place}"
        case TrickEnded():
            return f"trick to {event.winner}"
        case LeadInherited():
            return f"{event.seat} leads for {event.from_seat} 接风"
        case FaceCardShown():
            return f"明牌 {format_card(event.card)}: first to {event.first}, second to {event.second}"
        case SeatsSwapped():
            return "换位 seats {} and {} swap".format(*event.seats)
        case GroupRated():
            return f"不相连 {event.bombs} separate bombs of {event.seat} count {event.stars}"
        case ContributionBooked():
            return f"贡献分 {list(event.amounts)} for {event.stars}"
        case _:
            return _called(event)


def _called(event: Event) -> str:
    """What happens in the phases before play."""
    match event:
        case CallPassed():
            return f"{event.seat} 不叫"
        case CombinationDeclared():
            what = f"{format_combination(event.combination)} ({format_cards(event.cards)})"
            return f"{event.seat} 叫牌 declares {what}"
        case BidMade():
            return f"{event.seat} 叫分 bids {event.points}"
        case LandlordCalled():
            return f"{event.seat} 叫地主 calls"
        case LandlordGrabbed():
            return f"{event.seat} 抢地主 grabs"
        case LandlordNamed():
            return f"{event.seat} is the landlord 地主 for {event.bid}"
        case KittyCardsTaken():
            return f"[hidden {format_cards(event.cards) or '-'}]"
        case KittyChosen():
            return f"{event.seat} 拿底牌 takes {event.number} of the kitty"
        case StockCardsDrawn():
            return f"[hidden {format_cards(event.discarded) or '-'} for {format_cards(event.drawn) or '-'}]"
        case HandExchanged():
            return f"{event.seat} 换牌 changes {event.number}"
        case CardMarked():
            return f"[hidden {format_card(event.card)}]"
        case MarkSet():
            return f"{event.seat} 提分 marks a card"
        case MarksShown():
            return f"marks {format_cards(mark for mark in event.marks if mark is not None)}"
        case PhaseBegan():
            return f"phase {event.phase.value}, {event.turn} to act"
        case _:
            return type(event).__name__


def _observed(when: str, state: MatchState) -> Iterator[str]:
    yield f"# {when}; everybody sees"
    yield from _public(DECIDER.observe(state, None))
    yield f"# spectator: hand {format_cards(DECIDER.observe(state, None).hand) or '-'}"
    for seat in SEATS:
        view, acts = DECIDER.observe(state, seat), DECIDER.legal_acts(state, seat)
        assert list(_public(view)) == list(_public(DECIDER.observe(state, None)))
        partner_hand = f"; 双明 partner {format_cards(view.partner_hand)}" if view.partner_hand else ""
        number = f"{len(acts.before_play)} acts" if acts.before_play else f"{len(acts)} legal plays"
        plays = f"; {number}" + ", may pass" * acts.may_pass if view.is_to_act else ""
        own = f"hand {format_cards(view.hand) or '-'}{partner_hand}{_known(view)}"
        yield f"# seat {seat}: {own}{plays}"


def _known(view: SeatView) -> str:
    """Hidden cards beside the hand."""
    kitty = f"; kitty {format_cards(view.kitty)}" if view.kitty else ""
    discarded = f"; discarded {format_cards(view.discarded)}" if view.discarded else ""
    return kitty + discarded + (f"; mark {format_card(view.mark)}" if view.mark is not None else "")


def _public(view: SeatView) -> Iterator[str]:
    top = "-" if view.top is None else f"{view.top.seat} {format_combination(view.top.combination)}"
    yield (
        f"#   deal {view.deal_number}, turn {view.turn}, leader {view.leader}, top {top}, "
        f"trick {len(view.trick)}, passed {list(view.passed)}, sizes {list(view.hand_sizes)}, "
        f"out {list(view.finish_order)}, history {len(view.history)}"
    )
    gone = " ".join(f"{format_rank(rank)}:{count}" for rank, count in sorted(view.gone.items()))
    bombs = ", ".join(f"{bomb.seat} {format_combination(bomb.combination)}" for bomb in view.bombs)
    booked = f"; contributions {list(view.contributions)}" * any(view.contributions)
    yield f"#   gone {gone or '-'}; bombs {bombs or '-'}; totals {list(view.standing.totals)}{booked}"
    if view.settled is not None:
        yield from _settled(view.settled)


def _settled(settled: DealSettled) -> Iterator[str]:
    bombs = ", ".join(f"{bomb.seat} {format_combination(bomb.combination)}" for bomb in settled.bombs)
    yield (
        f"#   deal {settled.number}: {settled.result.value} {settled.result.name_zh}, "
        f"order {list(settled.finish_order)}, base {settled.base} x {settled.multiplier}, "
        f"scores {list(settled.scores)}"
    )
    yield f"#   bombs {bombs or '-'}; seed {settled.seed.hex()}"
    if any(seat.contribution for seat in settled.breakdown):
        parts = "; ".join(
            f"{seat.base} x {seat.multiplier} {seat.contribution:+}" for seat in settled.breakdown
        )
        yield f"#   by seat {parts}"
