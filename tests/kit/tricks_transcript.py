"""One deal told in full: draw, shows, kitty, tricks, what everybody saw at the turning points, the score."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from random import Random

from kit.tricks_table import DECIDER, PACE, fold
from kit.tricks_telling import cards_text, level_text, shape_text, told
from shuangkou.rules.commands import Pass, PlayCards, StartDeal
from shuangkou.rules.events import HandsDealt, KittyBuried
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS, Seat, partner
from shuangkou.rules.tricks.commands import Command, DrawOn
from shuangkou.rules.tricks.events import (
    CardsDrawn,
    DealSettled,
    DealStarted,
    Event,
    FaceDownShown,
    Phase,
    PhaseBegan,
    ThrowFailed,
    TrumpDeclared,
    TrumpFixed,
)
from shuangkou.rules.tricks.legal_acts import LegalActs
from shuangkou.rules.tricks.plays import LegalLeads
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.state import MatchState, order_of
from shuangkou.rules.tricks.view import SeatView, Standing
from shuangkou.rules.tricks.winning import winner


@dataclass(frozen=True, slots=True)
class Story:
    """A deal that is told: of which ruleset, from which seed, and after what.

    is_quiet: nobody shows anything for trump, and the telling ends when the play begins.
    """

    ruleset: TricksRuleSet
    seed: bytes
    standing: Standing | None = None
    is_quiet: bool = False

    def opening(self) -> MatchState:
        """The table before the deal; its cards are drawn round by round."""
        paced = self.ruleset.with_options({"draw_pace_ms": PACE})
        fresh = DECIDER.new_match(paced)
        return fresh if self.standing is None else DECIDER.resume(paced, self.standing)


def transcript(story: Story) -> str:
    """The deal as text."""
    ruleset, state = story.ruleset, story.opening()
    events = DECIDER.decide(state, StartDeal(story.seed))
    lines = [
        f"ruleset {ruleset.id} revision {ruleset.revision}, draw_pace_ms {PACE}, seed {story.seed.hex()}",
        *_standing(state.standing),
        *_dealt(events),
        *_told(fold(state, events), Random(story.seed), story.is_quiet),
    ]
    return "\n".join(lines) + "\n"


def _standing(standing: Standing) -> Iterator[str]:
    levels = " ".join(map(level_text, standing.levels))
    yield (
        f"before it: {standing.deals_played} deals, levels {levels}, declarer {_seat(standing.declarer)}, "
        f"totals {list(standing.totals)}"
    )


def _dealt(events: tuple[Event, ...]) -> Iterator[str]:
    started, dealt = events[:2]
    assert isinstance(started, DealStarted)
    assert isinstance(dealt, HandsDealt)
    turned = "".join(f", {turn.seat} turned {cards_text([turn.card])}" for turn in started.turned)
    yield (
        f"deal {started.number}, seed hash {started.seed_hash.hex()}, level {level_text(started.level)}, "
        f"declarer {_seat(started.declarer)}, {started.first} draws first{turned}"
    )
    for seat in SEATS:
        yield f"to be drawn by {seat}: {cards_text(dealt.hands[seat])}"
    if dealt.kitty:
        yield f"底牌 the kitty: {cards_text(dealt.kitty)}"


def _told(state: MatchState, rng: Random, is_quiet: bool) -> Iterator[str]:
    line: list[str] = []
    seen: set[str] = {""}
    drawn = 0
    while state.deal is not None and not (is_quiet and state.deal.phase is Phase.PLAY):
        events = DECIDER.decide(state, _quiet(state) if is_quiet else _choice(state, rng))
        before, state = state, fold(state, events)
        drawn += sum(event.count for event in events if isinstance(event, CardsDrawn))
        if drawn and not all(isinstance(event, CardsDrawn) for event in events):
            line += [f"摸牌 {drawn} rounds"]
            drawn = 0
        line += [text for event in events if (text := told(before, event))]
        news = _turning_point(events)
        if line and (news not in seen or _is_line_end(state)):
            yield " | ".join(line)
            line = []
        if news not in seen:
            yield from observed(news, state)
            seen.add(news)


def _is_line_end(state: MatchState) -> bool:
    return state.deal is None or not state.deal.trick


def _turning_point(events: tuple[Event, ...]) -> str:
    for event in reversed(events):
        match event:
            case DealSettled():
                return "the deal is settled"
            case ThrowFailed():
                return "a throw failed 甩牌失败"
            case TrumpFixed():
                return "the play begins"
            case KittyBuried():
                return "the kitty is buried 扣底"
            case TrumpDeclared() | FaceDownShown():
                return "trump was declared 亮主"
            case PhaseBegan() if event.phase is Phase.POST:
                return "the others are asked 反主"
    return ""


def _quiet(state: MatchState) -> Command:
    actors = DECIDER.actors(state)
    return DECIDER.fallback(state, actors[0]) if actors else DrawOn()


def _choice(state: MatchState, rng: Random) -> Command:
    """Shows what it can more often than not, throws now and then, and plays to win tricks with points."""
    deal = state.deal
    assert deal is not None
    if deal.phase is Phase.DRAW:
        shows = list(chain.from_iterable(DECIDER.legal_acts(state, seat).shows for seat in SEATS))
        return rng.choice(shows) if shows and rng.random() < 0.4 else DrawOn()
    seat = DECIDER.actors(state)[0]
    acts = DECIDER.legal_acts(state, seat)
    if deal.phase in (Phase.CLOSING, Phase.POST):
        return rng.choice(acts.shows) if acts.shows and rng.random() < 0.8 else Pass(seat)
    if deal.phase is not Phase.PLAY:
        return rng.choice(list(acts))
    leads = acts.leads
    return _follow(state, seat, acts) if leads is None else _lead(state, seat, leads, rng)


def _lead(state: MatchState, seat: Seat, leads: LegalLeads, rng: Random) -> Command:
    order = order_of(state, state.deal) if state.deal is not None else None
    assert order is not None
    if leads.throws and rng.random() < 0.7:
        return PlayCards(seat, tuple(card for unit in leads.throws[0].units for card in unit.cards))
    best = max(leads.units, key=lambda unit: (unit.shape.size, not order.is_trump(unit.cards[0]), unit.top))
    suit = order.suits[best.cards[0]]
    alike = [unit for unit in leads.units if order.suits[unit.cards[0]] is suit]
    other = max(alike, key=lambda unit: (not {*unit.cards} & {*best.cards}, unit.top))
    may_throw = state.ruleset.options.throws and not {*other.cards} & {*best.cards}
    both = (*best.cards, *other.cards)
    return PlayCards(seat, both if may_throw and rng.random() < 0.3 else best.cards)


def _follow(state: MatchState, seat: Seat, acts: LegalActs) -> Command:
    """Points to the partner's trick, the cheapest play that takes a trick of the others, else little."""
    follows, deal = acts.follows, state.deal
    assert follows is not None
    assert deal is not None
    order, table = order_of(state, deal), [play.cards for play in deal.trick]
    best = deal.trick[winner(order, table)].seat
    if best == partner(seat):
        return PlayCards(seat, max(follows.plays, key=points_of))
    winning = [cards for cards in follows.plays if winner(order, [*table, cards]) == len(table)]
    return PlayCards(seat, winning[0] if winning else min(follows.plays, key=points_of))


def observed(when: str, state: MatchState) -> Iterator[str]:
    """What everybody sees, and what each seat sees beside that."""
    yield f"# {when}; everybody sees"
    spectator = DECIDER.observe(state, None)
    yield from _public(spectator)
    yield f"# spectator:{_known(spectator)}"
    for seat in SEATS:
        view, acts = DECIDER.observe(state, seat), DECIDER.legal_acts(state, seat)
        assert list(_public(view)) == list(_public(spectator))
        yield f"# seat {seat}:{_known(view)}{_may(acts)}"


def _known(view: SeatView) -> str:
    parts = [f" hand {cards_text(view.hand) or '-'}"]
    if view.trump is not None:
        parts.append(f"trump {view.trump.value}")
    if view.own_face_down:
        parts.append(f"face-down {cards_text(view.own_face_down)}")
    if view.kitty:
        parts.append(f"kitty {cards_text(view.kitty)}")
    return "; ".join(parts)


def _may(acts: LegalActs) -> str:
    if acts.leads is not None:
        return f"; {acts.leads.count} leads, {len(acts.leads.throws)} safe throws"
    if acts.follows is not None:
        return f"; {acts.follows.count} follows, owes {len(acts.follows.forced)} cards"
    if acts.free:
        return f"; buries some of {len(acts.free)} cards"
    texts = [cards_text(show.cards) for show in acts.shows]
    shows = f"; may show {', '.join(texts)}" if texts else ""
    named = [shape_text(act.shape) for act in acts if hasattr(act, "shape")]
    return shows + "; may pass" * acts.may_pass + f"; may name {', '.join(named)}" * bool(named)


def _public(view: SeatView) -> Iterator[str]:
    shown = ", ".join(
        f"{show.seat} {show.kind.value} {cards_text(show.cards) or f'{show.size} face-down'}"
        for show in view.shows
    )
    phase = "-" if view.phase is None else view.phase.value
    yield (
        f"#   deal {view.deal_number}, {phase}, turn {_seat(view.turn)}, leader {_seat(view.leader)}, "
        f"declarer {_seat(view.declarer)}, level {level_text(view.level)}, sizes {list(view.hand_sizes)}"
        + f", undrawn {view.undrawn}"
        * bool(view.undrawn)
    )
    trick = " | ".join(f"{play.seat} {cards_text(play.cards)}" for play in view.trick)
    taken = f"taken {list(view.taken)}, fines {list(view.fines)}, score {view.score}"
    kitty = f"; kitty of {view.kitty_size} by {_seat(view.kitty_owner)}" * bool(view.kitty_size)
    yield f"#   shown {shown or '-'}; trick {trick or '-'}; best {_seat(view.best)}; {taken}{kitty}"
    standing = view.standing
    levels = " ".join(map(level_text, standing.levels))
    yield (
        f"#   {standing.deals_played} deals, totals {list(standing.totals)}, levels {levels}, "
        f"coins {list(standing.coins)}, next declarer {_seat(standing.declarer)}, decided {_decided(view)}"
    )


def _decided(view: SeatView) -> str:
    decided = view.standing.decided
    return "-" if decided is None else f"for side {decided.winner} by {decided.by.value}"


def _seat(seat: Seat | None) -> str:
    return "-" if seat is None else str(seat)
