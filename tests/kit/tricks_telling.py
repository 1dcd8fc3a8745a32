"""Events of a trick-taking deal as one line of text each."""

from collections.abc import Iterable

from shuangkou.rules.cards import Card
from shuangkou.rules.events import CardsBuried, DealVoided, KittyTaken, Passed, SeatForfeited
from shuangkou.rules.notation import format_tricks_card
from shuangkou.rules.tricks.events import (
    CardsPlayed,
    CardsReturned,
    DealSettled,
    DeclarerNamed,
    Event,
    FaceDownShown,
    ForfeitPaid,
    KittyCaptured,
    MatchDecided,
    PairTopped,
    Phase,
    ShapeNamed,
    ThrowFailed,
    TrickEnded,
    TrumpDeclared,
    TrumpFixed,
    TrumpTurned,
)
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.shows import ShowKind
from shuangkou.rules.tricks.state import MatchState
from shuangkou.rules.tricks.units import Shape

_SHOWS_ZH = {ShowKind.DECLARE: "亮主", ShowKind.REINFORCE: "加固", ShowKind.OVERTURN: "反主"}


def cards_text(cards: Iterable[Card]) -> str:
    """`S7 HT LJ`."""
    return " ".join(map(format_tricks_card, cards))


def level_text(level: Level | None) -> str:
    """`T`, or a dash where there is none."""
    return "-" if level is None else level.value


def shape_text(shape: Shape) -> str:
    """`2x3` for a tractor of three pairs."""
    return f"{shape.copies}x{shape.length}"


def told(before: MatchState, event: Event) -> str:
    """What happened; nothing for events that another one tells of. before: the act that caused it."""
    match event:
        case TrumpDeclared() | FaceDownShown() | PairTopped() | CardsReturned() | Passed():
            return _of_show(before, event)
        case TrumpTurned():
            turned = f" turned {cards_text(event.cards)}," * bool(event.cards)
            return f"翻底 nobody declared,{turned} trump {event.trump.value}"
        case DeclarerNamed():
            had = before.deal is not None and before.deal.declarer is not None
            return f"{'夺庄' if had else '坐庄'} {event.seat} at {level_text(event.level)}"
        case TrumpFixed():
            shows = ", ".join(f"{show.seat} {cards_text(show.cards)}" for show in event.revealed)
            return f"定主 trump {event.trump.value}" + f", turned up {shows}" * bool(shows)
        case KittyTaken():
            is_stir = before.deal is not None and before.deal.phase is Phase.POST
            return f"{'炒底' if is_stir else '拿底'} {event.seat} takes the kitty of {event.number}"
        case CardsBuried():
            return f"扣底 {event.seat} buries {cards_text(event.cards)}"
        case CardsPlayed() | ThrowFailed() | ShapeNamed() | TrickEnded() | KittyCaptured():
            return _of_play(event)
        case _:
            return _of_end(event)


def _of_show(before: MatchState, event: Event) -> str:
    match event:
        case TrumpDeclared():
            late = " after the bury" * event.is_after_bury
            hidden = f"{event.size} face-down 暗" if event.is_face_down else cards_text(event.cards)
            return f"{_SHOWS_ZH[event.kind]} {event.seat} {event.kind.value} {hidden}{late}"
        case FaceDownShown():
            return f"({cards_text(event.cards)})"
        case PairTopped():
            return f"压 takes {cards_text(event.taken)} from {event.owner}"
        case CardsReturned():
            return f"returns {cards_text(event.cards)}"
        case Passed():
            return f"{event.seat} -"
    return ""


def _of_play(event: Event) -> str:
    match event:
        case CardsPlayed():
            return f"{event.seat} {cards_text(event.cards)}" + " 强出" * event.is_forced
        case ThrowFailed():
            fine = f", fine {event.fine}" * bool(event.fine) + f", coins {list(event.coins)}" * any(
                event.coins
            )
            return (
                f"甩牌失败 {event.seat} {cards_text(event.cards)}, blocked {cards_text(event.blocked)}{fine}"
            )
        case ShapeNamed():
            return f"指定 {event.seat} names {shape_text(event.shape)}"
        case TrickEnded():
            return f"trick to {event.winner}" + f", {event.points} points" * bool(event.points)
        case KittyCaptured():
            return (
                f"抠底 {event.seat} captures {cards_text(event.cards)} x {event.multiplier}: {event.points}"
            )
    return ""


def _of_end(event: Event) -> str:
    match event:
        case DealSettled():
            outcome = event.outcome
            feat = "" if outcome.feat is None else f", {outcome.feat.name_zh} {outcome.feat.value}"
            levels = " ".join(map(level_text, (*outcome.levels_before, *outcome.levels_after)))
            passed = "下台 passes" if outcome.deal_passes else "守住 held"
            return (
                f"score {outcome.score}, {passed}, scores {list(event.scores)}, "
                f"won by {list(event.winners)}, levels before and after {levels}, "
                f"coins {list(event.coins)}{feat}"
            )
        case DealVoided():
            return f"void: {event.reason.value}"
        case MatchDecided():
            return f"一场结束 side {event.winner} wins by {event.by.value}"
        case SeatForfeited():
            return f"逃跑 {event.seat}"
        case ForfeitPaid():
            return f"{event.seat} pays {list(event.coins)}"
    return ""
