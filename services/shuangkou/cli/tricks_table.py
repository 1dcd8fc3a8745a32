"""What a trick-taking table shows beside hands and trick: trump, roles, points so far, the last trick."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.text import Text

from shuangkou.cli.faces import card_row
from shuangkou.cli.settlement import SIDE_STYLES
from shuangkou.cli.tricks_asking import standing_show
from shuangkou.cli.tricks_view import score_of_view, tricks_options
from shuangkou.cli.tricks_words import level_words, trump_words
from shuangkou.cli.words import SEATS, side_words
from shuangkou.rules.tricks.options import Rotation
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.v1 import table_pb2, tricks_pb2
from shuangkou.wire.cards import cards_from_wire


def trump_line(view: table_pb2.SeatView) -> Text:
    """The trump, the level, and what the attacking side has."""
    part = view.tricks
    told = [str(trump_words(part.trump))]
    if part.level:
        told.append(str(level_words(part.level)))
    line = Text(f"  Trump 主: {' · '.join(told)}")
    if part.HasField("attackers"):
        first, second = SEATS[part.attackers].en, SEATS[part.attackers + 2].en
        score = score_of_view(part)
        line.append(f" · {first} and {second} have {score} 抓分{score}")
    return line


def attack_text(view: table_pb2.SeatView) -> str:
    """Who attacks, and how many points they have so far."""
    score = score_of_view(view.tricks)
    return f"{side_words(view.tricks.attackers)} attack 抓分: {score} points {score}分"


def points_line(view: table_pb2.SeatView) -> list[Text]:
    """Points of the running deal, where there are any to take."""
    part = view.tricks
    if not part.phase or not part.HasField("attackers"):
        return []
    fines = [f"{side_words(side)} fined 罚 {fine}" for side, fine in enumerate(part.fines) if fine]
    return [Text("  This deal 本局: ").append(" · ".join((attack_text(view), *fines)))]


def role_notes(view: table_pb2.SeatView) -> Iterator[tuple[str, str]]:
    """The declarer and the show that stands, by name, as far as there are any."""
    part, options = view.tricks, tricks_options(view)
    has_declarer = options is None or options.rotation is not Rotation.ROLES_ALTERNATE
    if part.HasField("declarer") and has_declarer:
        yield "Declarer 庄家", str(SEATS[part.declarer])
    elif part.HasField("attackers") and not has_declarer:
        yield "Holders 守方", side_words(1 - part.attackers)
    standing = standing_show(view)
    if standing is not None:
        yield "Shown 亮主", _shown(standing.trump_declared, part)
    fines = [f"{side_words(side)} {fine}" for side, fine in enumerate(part.fines) if fine]
    if fines:
        yield "Fines 罚分", " · ".join(fines)


def last_trick_lines(view: table_pb2.SeatView) -> list[Text]:
    """The trick before the one on the table; ValueError with a sentence where there is none to be seen."""
    part, options = view.tricks, tricks_options(view)
    if not view.HasField("tricks"):
        raise ValueError("this game does not show the last trick · 本游戏不看上一墩")
    if options is not None and not options.last_trick_shown:
        raise ValueError("this table does not show the last trick · 本桌不可看上一墩")
    if not part.last_trick:
        raise ValueError("no trick has been taken in this deal · 还没有上一墩")
    cards = [card for play in part.last_trick for card in cards_from_wire(play.cards)]
    line = Text("  Last trick 上一墩: ").append_text(trick_row(part.last_trick))
    taker = part.trick[0].seat if part.trick else part.leader
    worth = points_of(cards)
    return [line, Text(f"  {SEATS[taker]} took it 得墩, {worth} points {worth}分")]


def trick_row(plays: Iterable[table_pb2.Play]) -> Text:
    """Each seat with what it played."""
    acts = (
        Text(f"{SEATS[play.seat]} ", SIDE_STYLES[play.seat % 2]).append_text(
            card_row(cards_from_wire(play.cards), suited=True)
        )
        for play in plays
    )
    return Text(" · ").join(acts)


def _shown(show: tricks_pb2.TrumpDeclared, part: table_pb2.TricksView) -> str:
    cards = card_row(cards_from_wire(show.cards), suited=True).plain
    if not cards:
        own = card_row(cards_from_wire(part.own_face_down), suited=True).plain
        cards = f"{show.size} face down 暗叫" + f" (yours 自己的 {own})" * bool(own)
    late = " after the bury 扣底后" if show.is_after_bury else ""
    return f"{cards} of {SEATS[show.seat]}{_KINDS.get(show.kind, '')}{late}"


_KINDS = {
    tricks_pb2.SHOW_KIND_REINFORCE: ", locked 加固",
    tricks_pb2.SHOW_KIND_OVERTURN: ", an overturn 反主",
}
