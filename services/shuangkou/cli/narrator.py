"""A table told commit by commit, the way a card player likes to read it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from shuangkou.cli.clock_words import seconds
from shuangkou.cli.columns import left
from shuangkou.cli.event_words import event_words, outcome_words
from shuangkou.cli.faces import LEGEND, card_row
from shuangkou.cli.opening_words import HELD_CHANGES, marks_words, seat_words
from shuangkou.cli.sayings import Chorus
from shuangkou.cli.settlement import SIDE_STYLES, points, settlement_lines, void_lines
from shuangkou.cli.telling import as_told
from shuangkou.cli.tricks_settlement import tricks_lines
from shuangkou.cli.tricks_words import decided_words, draw_header, fixed_words, turned_words
from shuangkou.cli.views import part_of
from shuangkou.cli.words import (
    BOMBS,
    DISCARDED,
    FORCED,
    PLACES,
    SEATS,
    STARS,
    Words,
    first_phase_words,
    has_partners,
    options_of,
    phase_words,
    play_words,
    side_words,
    stars_of,
    tricks_options_of,
)
from shuangkou.rules.climbing.options import ClimbingOptions, Scoring
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_from_wire

_NAME_CELLS: Final = 12
_CARD_CELLS: Final = 20
_SMALL_HAND: Final = 10
_Teller = Callable[..., list[Text]]
_TELLERS: Final[dict[str, _Teller]] = {
    "trump_turned": lambda event: [Text(turned_words(event), "bold")],
    "trump_fixed": lambda event: [Text(fixed_words(event), "bold")],
    "match_decided": lambda event: [Text(decided_words(event), "bold")],
    "marks_shown": lambda event: [Text(marks_words(event))],
}


class Narrator:
    """Turns commits into lines, in order; keeps only what the next line needs."""

    def __init__(self, personas: Mapping[str, Words], viewer: int | None = None) -> None:
        """``viewer`` is the seat that reads along, told as *you*."""
        self._personas = personas
        self._viewer = viewer
        self._chorus = Chorus(personas)
        self._occupants = [""] * 4
        self._held = [0] * 4
        self._fines = [0] * 4
        self._seed_hash = b""
        self._asks = True
        self._trick = 0
        self._trick_open = False
        self._chosen: Mapping[str, str] = {}
        self._options: ClimbingOptions | None = None
        self._tricks: TricksOptions | None = None
        self._has_show = False
        self._stars = STARS
        self._has_partners = True
        self._first_phase: Words | None = None
        self._tellers = _TELLERS | self._own_tellers()

    def _own_tellers(self) -> dict[str, _Teller]:
        """For events whose lines need to know the table."""
        return {
            "table_created": self._created,
            "players_invited": self._invited,
            "seat_taken": self._seated,
            "seat_hosted": self._hosted,
            "seat_reclaimed": self._reclaimed,
            "deadline_passed": self._late,
            "time_bank_used": self._overtime,
            "time_credited": self._credited,
            "deal_started": self._dealt,
            "phase_began": self._phase,
            "face_card_shown": self._face,
            "seats_swapped": self._swapped,
            "cards_played": self._played,
            "passed": self._passed,
            "seat_went_out": self._out,
            "trick_ended": self._trick_ended,
            "lead_inherited": self._inherited,
            "group_rated": self._group,
            "contribution_booked": self._contributed,
            "seat_forfeited": self._forfeited,
            "surrender_offered": self._offered,
            "side_surrendered": self._surrendered,
            "redeal_voted": self._voted,
            "deal_settled": self._settled,
            "deal_voided": self._voided,
            "match_finished": self._finished,
        }

    def begin(self, view: table_pb2.SeatView) -> None:
        """Start in the middle of a table: nothing of it is told again."""
        self._chosen = view.options
        self._chorus.begin(view)
        for state in view.seats:
            self._occupants[state.seat] = self.occupant(state.occupant)
            self._held[state.seat] = state.hand_size
        self._seed_hash = view.seed_hash
        self._trick_open = bool(part_of(view).trick)

    def sit(self, viewer: int) -> None:
        """The seat that reads along is this one now."""
        self._viewer = viewer

    def tell(self, commit: events_pb2.Commit) -> list[Text]:
        """The lines of one commit; the commits of a table come in the order of their versions."""
        # Whoever spoke last to what ends the deal is asked nothing any more.
        self._asks = not any(
            event.HasField("side_surrendered") or event.HasField("deal_voided") for event in commit.events
        )
        for event in commit.events:
            self._chosen = event.table_created.options if event.HasField("table_created") else self._chosen
        self._options = options_of(commit.ruleset_id, self._chosen)
        self._tricks = tricks_options_of(commit.ruleset_id, self._chosen)
        self._stars = stars_of(commit.ruleset_id)
        self._has_partners = has_partners(commit.ruleset_id)
        self._first_phase = first_phase_words(commit.ruleset_id)
        is_drawn = any(event.HasField("cards_drawn") for event in commit.events)
        lines: list[Text] = []
        for event in as_told(commit):
            kind = event.WhichOneof("event") or ""
            told = getattr(event, kind) if kind else None
            if kind in self._tellers:
                lines += self._tellers[kind](told)
            elif (does := seat_words(kind, told, self._tricks)) is not None:
                lines.append(self._before_play(kind, told, does))
            if told is not None and kind == "deal_started" and self._tricks is not None and not is_drawn:
                lines.append(draw_header(self._tricks, told.tricks.level))
        said = [
            self._line(seat, Text(f"“{words}”", "italic dim")) for seat, words in self._chorus.hear(commit)
        ]
        return [*lines, *said]

    def name(self, seat: int) -> Text:
        """`East 东` in the colour of its side, followed by * for the viewer's own seat."""
        mark = " *" if seat == self._viewer else ""
        return Text(f"{SEATS[seat]}{mark}", SIDE_STYLES[seat % 2])

    def occupant(self, occupant: table_pb2.Occupant) -> str:
        """A player by id, a bot by what its persona is called, an open seat as such."""
        if occupant.WhichOneof("kind") is None:
            return "open 空位"
        return occupant.player_id or self._persona(occupant.persona)

    def _persona(self, persona: str) -> str:
        return str(self._personas.get(persona, Words(persona, "")))

    def _created(self, event: events_pb2.TableCreated) -> list[Text]:
        told = [f"{event.deals} deal{'s'[: event.deals != 1]}"]
        if self._target:
            told = [f"to a total of {self._target} 打到{self._target}分, at most {told[0]}"]
        lines = []
        if event.HasField("event"):
            lines, told = [Text(f"Event 赛事: {event_words(event.event)}", "bold")], []
        told += [f"{key} = {value}" for key, value in sorted(event.options.items())]
        told += [LEGEND] if self._options is None or self._options.jokers else []
        return [*lines, Text(" · ".join(told), "dim")]

    @property
    def _target(self) -> int:
        return 0 if self._options is None else self._options.target_score

    def _seated(self, event: events_pb2.SeatTaken) -> list[Text]:
        self._occupants[event.seat] = event.player_id or self._persona(event.persona)
        kind = "bot" if event.persona else "player"
        partner = f", partner of {SEATS[(event.seat + 2) % 4].en}" if self._has_partners else ""
        return [self._line(event.seat, Text(f"{self._occupants[event.seat]}, {kind}{partner}"))]

    def _invited(self, event: events_pb2.PlayersInvited) -> list[Text]:
        return [Text(f"Invited 邀请: {', '.join(event.player_ids)}", "dim")]

    def _hosted(self, event: events_pb2.SeatHosted) -> list[Text]:
        why = " after missed deadlines" if event.reason == events_pb2.HOST_REASON_TIMEOUT else ""
        back = "; type reclaim to play again" if event.seat == self._viewer else ""
        return [self._line(event.seat, Text(f"is played by a bot now{why} 托管{back}", "italic"))]

    def _reclaimed(self, event: events_pb2.SeatReclaimed) -> list[Text]:
        return [self._line(event.seat, Text("is back 取消托管", "italic"))]

    def _late(self, event: events_pb2.DeadlinePassed) -> list[Text]:
        return [self._line(event.seat, Text("ran out of time 超时", "italic"))]

    def _overtime(self, event: events_pb2.TimeBankUsed) -> list[Text]:
        left = f"took {seconds(event.used_ms)} of its time bank 加时, {seconds(event.left_ms)} left"
        return [self._line(event.seat, Text(left, "dim"))]

    def _credited(self, event: events_pb2.TimeCredited) -> list[Text]:
        lost = seconds(event.credited_ms)
        return [Text(f"  The suite was out of reach; the clocks go back by {lost} 补时", "dim")]

    def _dealt(self, event: events_pb2.DealStarted) -> list[Text]:
        self._held = list(event.hand_sizes)
        self._seed_hash = event.seed_hash
        self._trick, self._trick_open, self._has_show = 0, False, False
        sizes = "/".join(str(size) for size in sorted({size for size in event.hand_sizes if size}))
        title = Text(f"Deal {event.number} 第{event.number}局", "bold")
        title.append(f" · {sizes} cards each · seed hash {event.seed_hash.hex()[:12]}… · ", "dim")
        if event.HasField("tricks"):
            return [Text(), title.append_text(self.name(event.dealt_from)).append(" draws first 先摸")]
        title.append_text(self.name(event.leader))
        if self._first_phase is None:
            return [Text(), title.append(" leads 首出")]
        return [Text(), title.append(" begins 先行"), Text(f"── {self._first_phase}", "dim")]

    def _before_play(self, kind: str, event: Any, does: str) -> Text:
        if kind in HELD_CHANGES:
            self._held[event.seat] += HELD_CHANGES[kind](event)
        if kind == "call_passed" and self._tricks is not None:
            does = f"passes {'不反' if self._has_show else '不亮'}"
        self._has_show |= kind == "trump_declared"
        return self._line(event.seat, Text(does))

    def _phase(self, event: events_pb2.PhaseBegan) -> list[Text]:
        if not event.HasField("turn"):
            return [Text(f"── {phase_words(event.phase)}", "dim")]
        told = Text(f"── {phase_words(event.phase)} · ", "dim")
        return [told.append_text(self.name(event.turn)).append(" begins", "not dim")]

    def _face(self, event: events_pb2.FaceCardShown) -> list[Text]:
        told = Text("Face-up card 明牌 ").append_text(card_row(cards_from_wire((event.card,)))).append(": ")
        told.append_text(self.name(event.first))
        if event.second == event.first:
            return [told.append(" has both copies and leads")]
        return [told.append(" has the first copy and leads, partner ").append_text(self.name(event.second))]

    def _swapped(self, event: events_pb2.SeatsSwapped) -> list[Text]:
        one, other = event.seats
        names, held, fines = self._occupants, self._held, self._fines
        names[one], names[other] = names[other], names[one]
        held[one], held[other] = held[other], held[one]
        fines[one], fines[other] = fines[other], fines[one]
        if self._viewer in event.seats:
            self._viewer = other if self._viewer == one else one
        moved = [Text(f"{names[seat]} to ").append_text(self.name(seat)) for seat in (other, one)]
        return [Text("Change of places 换位: ", "bold").append_text(Text(", ", "not bold").join(moved))]

    def _played(self, event: events_pb2.CardsPlayed) -> list[Text]:
        lines = self._trick_title()
        self._held[event.seat] -= len(event.cards)
        row = left(card_row(cards_from_wire(event.cards), self._tricks is not None), _CARD_CELLS).append("  ")
        style = "bold magenta" if event.combination.kind in BOMBS else ""
        row.append(play_words(event, self._stars), style)
        row.append(FORCED if event.is_forced else "", "dim")
        row.append(DISCARDED if event.is_discard else "", "dim")
        row.append(self._left(event.seat), "dim")
        row.rstrip()
        return [*lines, self._line(event.seat, row)]

    def _left(self, seat: int) -> str:
        left = self._held[seat]
        return f" · {left} left 剩{left}张" if 0 < left <= _SMALL_HAND else ""

    def _passed(self, event: events_pb2.Passed) -> list[Text]:
        if self._options is not None and self._options.discards:
            return [self._line(event.seat, Text("keeps the last card 报桌", "dim"))]
        return [self._line(event.seat, Text("pass 不要", "dim"))]

    def _out(self, event: events_pb2.SeatWentOut) -> list[Text]:
        self._held[event.seat] = 0
        return [self._line(event.seat, Text(f"is out {PLACES[event.place - 1]}", "bold green"))]

    def _trick_ended(self, event: events_pb2.TrickEnded) -> list[Text]:
        self._trick_open = False
        if not event.points:
            wins = Text("wins the trick 得墩", "dim")
            return [] if self._tricks is None else [self._line(event.winner, wins)]
        return [self._line(event.winner, Text(f"takes {event.points} points 得{event.points}分", "green"))]

    def _trick_title(self) -> list[Text]:
        if self._trick_open:
            return []
        self._trick += 1
        self._trick_open = True
        return [Text(f"── trick {self._trick} 第{self._trick}圈", "dim")]

    def _inherited(self, event: events_pb2.LeadInherited) -> list[Text]:
        told = Text("inherits the lead 接风 from ").append_text(self.name(event.from_seat))
        return [self._line(event.seat, told)]

    def _group(self, event: events_pb2.GroupRated) -> list[Text]:
        stars = f"{event.stars} {self._stars.en} {event.stars}{self._stars.zh}"
        return [self._line(event.seat, Text(f"{event.bombs} separate bombs 不相连 count {stars}", "magenta"))]

    def _contributed(self, event: events_pb2.ContributionBooked) -> list[Text]:
        others = [amount for seat, amount in enumerate(event.amounts) if seat != event.seat]
        paid = "/".join(sorted({points(amount) for amount in others}))
        told = f"earns {points(event.amounts[event.seat])} 贡献分, every other seat {paid}"
        return [self._line(event.seat, Text(told, "magenta"))]

    def _forfeited(self, event: events_pb2.SeatForfeited) -> list[Text]:
        told = "leaves for good 逃跑; a bot plays to the end"
        return [self._line(event.seat, Text(told, "bold red"))]

    def _offered(self, event: events_pb2.SurrenderOffered) -> list[Text]:
        is_partner = self._viewer == (event.seat + 2) % 4
        ask = "; type surrender to agree" if is_partner and self._asks else ""
        return [self._line(event.seat, Text(f"would surrender 投降{ask}", "italic"))]

    def _surrendered(self, event: events_pb2.SideSurrendered) -> list[Text]:
        return [Text(f"{side_words(event.side)} surrender 投降", "bold")]

    def _voted(self, event: events_pb2.RedealVoted) -> list[Text]:
        is_asked = self._viewer not in (None, event.seat) and self._asks
        ask = "; type redeal to agree" if is_asked else ""
        return [self._line(event.seat, Text(f"wants a new deal 重发{ask}", "italic"))]

    def _voided(self, event: events_pb2.DealVoided) -> list[Text]:
        self._trick_open = False
        self._book(event.scores)
        return [Text(), *void_lines(event, self._occupants), self._seed_line(event.seed)]

    def _settled(self, event: events_pb2.DealSettled) -> list[Text]:
        self._trick_open = False
        self._book([score.fine for score in event.climbing.breakdown])
        is_by_places = self._options is None or self._options.scoring is Scoring.PLACES
        lines = (
            tricks_lines(event, self._occupants, self._tricks)
            if event.HasField("tricks")
            else settlement_lines(event, self._occupants, is_by_places)
        )
        return [Text(), *lines, self._seed_line(event.seed)]

    def _seed_line(self, seed: bytes) -> Text:
        if not self._seed_hash:
            return Text(f"seed {seed.hex()}", "dim")
        if hashlib.sha256(seed).digest() == self._seed_hash:
            return Text(f"seed {seed.hex()[:16]}… fits the hash published before the deal 种子相符", "dim")
        return Text(f"seed {seed.hex()} does NOT fit the hash published before the deal 种子不符", "bold red")

    def _book(self, fines: Sequence[int]) -> None:
        for seat, fine in enumerate(fines):
            self._fines[seat] += fine

    def _finished(self, event: events_pb2.MatchFinished) -> list[Text]:
        totals = " · ".join(
            f"{SEATS[seat]} {points(total)}"
            for seat, total in enumerate(event.totals)
            if self._occupants[seat] or total
        )
        line = Text("Match over 终局", "bold").append(f": {totals}", "not bold")
        if 0 < self._target <= max(event.totals, default=0):
            line.append(f" · {self._target} reached 达到目标分", "not bold")
        lines = [line]
        if any(self._fines):
            fined = " · ".join(
                f"{SEATS[seat]} {points(fine)}" for seat, fine in enumerate(self._fines) if fine
            )
            lines.append(Text(f"  fines for leaving are part of it 其中逃跑罚分: {fined}"))
        if event.HasField("event"):
            lines.append(Text(outcome_words(event.event), "bold green"))
        return lines

    def _line(self, seat: int, told: Text) -> Text:
        return Text("  ").append_text(left(self.name(seat), _NAME_CELLS)).append_text(told)
