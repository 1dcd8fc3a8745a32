"""One deal told in full: every trick, what everybody saw at the turning points, the settlement."""

from collections.abc import Iterator

from kit.climbing_calls import told_call
from kit.climbing_table import DECIDER, end_of, fold, new_deal, played_out
from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.climbing.commands import Command
from shuangkou.rules.climbing.ending import with_trick_won
from shuangkou.rules.climbing.events import (
    CardsPlayed,
    ContributionBooked,
    DealSettled,
    Event,
    FaceCardShown,
    GroupRated,
    KittyCardDrawn,
    KittyShown,
    LeadInherited,
    PhaseBegan,
    SeatWentOut,
    TrickEnded,
)
from shuangkou.rules.climbing.legal_acts import LegalPlay
from shuangkou.rules.climbing.notation import format_combination
from shuangkou.rules.climbing.options import Phase, Scoring, Sides
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.climbing.trick_pips import pips_of, trick_worth
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import Pass
from shuangkou.rules.events import CardsBuried, KittyBuried, KittyTaken, Passed, SeatsSwapped
from shuangkou.rules.notation import format_card, format_cards, format_rank, format_ranks
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import SEATS, Seat, partner

Step = tuple[MatchState, Command, tuple[Event, ...]]


def sensible_policy(state: MatchState, seat: Seat) -> Command:
    """Leads what sheds most cards, leaves its partner's plays alone, bombs a rival that is nearly out."""
    deal = state.deal
    assert deal is not None
    acts = DECIDER.legal_acts(state, seat)
    if deal.phase is Phase.BURY:
        return acts.before_play[0]
    if deal.phase is not Phase.PLAY:
        calls = [*([Pass(seat)] if acts.may_pass else []), *acts.before_play]
        return calls[sum(deal.hands[seat]) % len(calls)]
    plays = list(acts)
    has_partner = state.ruleset.options.sides is Sides.PARTNERS
    plain = [play for play in plays if not play.combination.is_bomb]
    if deal.top is None:
        return max(plain or plays, key=_shed).command
    if not acts.may_pass:
        higher = [play for play in plays if play.combination.beats(deal.top.combination)]
        return (higher or plays)[0].command
    if has_partner and deal.top.seat == partner(seat):
        return Pass(seat)
    step = 2 if has_partner else 4
    rivals = [size for rival, size in enumerate(deal.hand_sizes) if (rival - seat) % step and size]
    is_urgent = min(rivals, default=0) < 14
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
        *_scored_by(steps[-1]),
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
        if deal.hand_sizes[seat]:
            yield f"dealt to {seat}: {format_cards(deal.hands[seat])}"
    if deal.kitty:
        yield f"底牌 the kitty: {format_cards(deal.kitty)}"


def _told(steps: list[Step]) -> Iterator[str]:
    line: list[str] = []
    seen = {""}
    for (before, _, events), after in zip(
        steps, [*(state for state, _, _ in steps[1:]), end_of(steps)], strict=True
    ):
        has_bomb = _bombs(after) > _bombs(before)
        line += [_short(event) + _note(before, event, has_bomb) for event in events if _is_told(event)]
        line += _pips(before, events)
        news = _turning_point(events, has_bomb)
        if news not in seen or after.deal is None or after.deal.top is None:
            yield " | ".join(line)
            line = []
        if news not in seen and after.deal is not None:
            yield from _observed(news, after)
        seen.add(news)


def _is_told(event: Event) -> bool:
    return not isinstance(event, DealSettled | KittyBuried | PhaseBegan)


def _bombs(state: MatchState) -> int:
    played = state.deal or state.settled
    return 0 if played is None else len(played.bombs)


def _note(before: MatchState, event: Event, has_bomb: bool) -> str:
    """What is special about a play, given the table before it."""
    if not isinstance(event, CardsPlayed):
        return ""
    combination, deal = event.combination, before.deal
    top = None if deal is None or deal.top is None else deal.top.combination
    is_equal = top is not None and top.strength == combination.strength and not has_bomb
    name = f" {combination.kind.name_zh}" if combination.kind in _NAMED else ""
    return name + " 同点" * is_equal + " 炸弹" * has_bomb


_NAMED = frozenset((Kind.TWO_PAIR, Kind.FLUSH, Kind.STRAIGHT_FLUSH, Kind.QUAD2, Kind.SET))


def _pips(before: MatchState, events: tuple[Event, ...]) -> Iterator[str]:
    """Where tricks are worth the pips of their cards."""
    is_over = any(isinstance(event, TrickEnded) for event in events)
    if before.deal is not None and is_over and before.ruleset.options.scoring is Scoring.TRICK_PIPS:
        act = events[0]
        assert isinstance(act, CardsPlayed | Passed)
        top, worth = trick_worth((*before.deal.trick, act))
        yield f"{worth} pips" + " 翻倍" * (worth > pips_of(top.cards[0]))


def _turning_point(events: tuple[Event, ...], has_bomb: bool) -> str:
    last = events[-1]
    if isinstance(last, LeadInherited):
        return "the lead was inherited 接风"
    if isinstance(last, SeatWentOut):
        return "a seat went out"
    if isinstance(last, KittyShown):
        return "the first seat went out and the kitty was shown 亮底"
    if isinstance(last, PhaseBegan):
        has_buried = any(isinstance(event, KittyBuried) for event in events)
        return "the dealer has buried 扣底" if has_buried else f"the phase {last.phase.value} began"
    if isinstance(last, ContributionBooked):
        return "a bomb earned a contribution 贡献分"
    return "a bomb was played" if has_bomb and isinstance(last, CardsPlayed) else ""


def _short(event: Event) -> str:
    match event:
        case CardsPlayed():
            wild = f" (财神 {format_ranks(event.wild_as)})" if event.wild_as else ""
            return f"{event.seat} {format_cards(event.cards)}{wild}" + " 贴牌" * event.is_discard
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
        case KittyTaken():
            return f"拿底 {event.seat} takes the kitty of {event.number}"
        case KittyCardDrawn():
            return f"摸底 {event.seat} draws one card of the kitty"
        case CardsBuried():
            return f"扣底 {event.seat} buries {format_cards(event.cards)}"
        case KittyShown():
            return f"亮底 {format_cards(event.cards)}"
        case GroupRated():
            return f"不相连 {event.bombs} separate bombs of {event.seat} count {event.stars}"
        case ContributionBooked():
            return f"贡献分 {list(event.amounts)} for {event.stars}"
        case _:
            return told_call(event)


def _scored_by(last: Step) -> Iterator[str]:
    """The cards that the scores come from, where they are no places."""
    before, _, events = last
    deal, options = fold(before, events[:-1]).deal, before.ruleset.options
    assert deal is not None
    if options.scoring is Scoring.CARDS_WON:
        won = list(with_trick_won(deal))
        yield f"cards won {won}, the kitty {format_cards(deal.kitty)} to the side of {deal.finish_order[0]}"
    elif options.scoring is not Scoring.PLACES:
        left = "; ".join(f"{seat} {format_cards(deal.hands[seat])}" for seat in SEATS if deal.hands[seat])
        yield f"left: {left}"


def _observed(when: str, state: MatchState) -> Iterator[str]:
    yield f"# {when}; everybody sees"
    yield from _public(DECIDER.observe(state, None))
    spectator = DECIDER.observe(state, None)
    yield f"# spectator: hand {format_cards(spectator.hand) or '-'}{_known(spectator)}"
    for seat in SEATS:
        view, acts = DECIDER.observe(state, seat), DECIDER.legal_acts(state, seat)
        assert list(_public(view)) == list(_public(DECIDER.observe(state, None)))
        partner_hand = f"; 双明 partner {format_cards(view.partner_hand)}" if view.partner_hand else ""
        is_playing = view.is_to_act and not acts.before_play
        plays = f"; {len(acts)} legal plays" + ", may pass" * acts.may_pass if is_playing else ""
        what = "ways to bury" if view.phase is Phase.BURY else "acts before play"
        plays += f"; {len(acts.before_play)} {what}" * bool(acts.before_play)
        yield f"# seat {seat}: hand {format_cards(view.hand) or '-'}{partner_hand}{_known(view)}{plays}"


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
    booked += f"; kitty of {view.kitty_size}" * bool(view.kitty_size)
    booked += f"; cards won {list(view.cards_won)}" * any(view.cards_won)
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
    if settled.finish_order[0] not in settled.winners:
        yield f"#   won by {list(settled.winners)}"
    if any(seat.contribution for seat in settled.breakdown):
        parts = "; ".join(
            f"{seat.base} x {seat.multiplier} {seat.contribution:+}" for seat in settled.breakdown
        )
        yield f"#   by seat {parts}"
