"""What clients send, checked and turned into the engine's own words before anything else sees it."""

import hashlib
import re
from collections.abc import Iterable

from shuangkou.chassis.auth import CallerKind, Identity
from shuangkou.chassis.errors import InvalidArgument
from shuangkou.engine.commands import HostSeat, InvitePlayers, OpenTable, ReclaimSeat, SeatCommand, TakeSeat
from shuangkou.engine.decider import MOST_INVITED
from shuangkou.engine.refusals import malformed, refused_as
from shuangkou.engine.table import OPEN_SEAT, Holder, Table, Terms
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.match_events import MatchEvent, UnknownEvent, load_event
from shuangkou.rules.ruleset import AnyRuleSet, RuleSetError, UnknownRuleSet, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.v1 import table_pb2
from shuangkou.wire.commands import act_of
from shuangkou.wire.match_events import event_on
from shuangkou.wire.names import PERSONAS, PLAYER_NAME_RULE, is_player_name
from shuangkou.wire.refusals import BAD_NAME, MalformedMessage

_COMMAND_ID = re.compile(r"[A-Za-z0-9_:.\-]{1,64}")
_TABLE_ID = re.compile(r"[a-z0-9]{20}")
_ID_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_LONGEST_PAUSE_MS = 600_000
_PAUSE_WITH_PEOPLE_MS = 3000


def actor_of(caller: Identity) -> Identity:
    """The caller under whose name something is to be done; PermissionDenied for a name no player may have."""
    if caller.kind is CallerKind.PLAYER and not is_player_name(caller.subject):
        raise refused_as(BAD_NAME, f"a player's name has {PLAYER_NAME_RULE}")
    return caller


def table_id_of(text: str) -> str:
    """A well-formed table id. Anything else is unknown rather than malformed: no table has it."""
    if not _TABLE_ID.fullmatch(text):
        raise refused_as("table/unknown", f"there is no table {text[:64]!r}")
    return text


def command_id_of(text: str) -> str:
    """A well-formed command id."""
    if not _COMMAND_ID.fullmatch(text):
        explanation = "a command id has 1 to 64 of the characters A-Z a-z 0-9 - _ : ."
        raise InvalidArgument("request/bad_command_id", explanation)
    return text


def seat_of(number: int) -> Seat:
    """One of the four seats."""
    if number not in SEATS:
        raise InvalidArgument("request/no_such_seat", f"there is no seat {number}; seats are 0 to 3")
    return SEATS[number]


def new_table_id(creator: str, command_id: str) -> str:
    """The id of the table that this call opens: the same for every repeat of the call."""
    digest = hashlib.sha256(f"{creator}\n{command_id}".encode()).digest()
    number = int.from_bytes(digest[:13], "big") >> 4
    return "".join(_ID_LETTERS[number >> shift & 31] for shift in range(0, 100, 5))


def ruleset_of(ruleset_id: str, options: dict[str, str]) -> AnyRuleSet:
    """The ruleset with the table's own options."""
    try:
        return load(ruleset_id).with_options(options)
    except UnknownRuleSet as error:
        raise refused_as("ruleset/unknown", str(error)) from None
    except RuleSetError as error:
        raise refused_as("ruleset/bad_option", str(error)) from None


def event_of(event_id: str) -> MatchEvent:
    """The event with this id."""
    try:
        return load_event(event_id)
    except UnknownEvent as error:
        raise refused_as("event/unknown", str(error)) from None


def opening_of(request: table_pb2.CreateTableRequest, ruleset: AnyRuleSet, caller: Identity) -> OpenTable:
    """The terms and the holders that the caller asks for."""
    holders = _holders(request.seats)
    if any(not holder.is_open for holder in holders[ruleset.options.players :]):
        explanation = f"{ruleset.id} is played on {ruleset.options.players} seats"
        raise InvalidArgument("request/too_many_seats", explanation)
    if caller.kind is CallerKind.PLAYER:
        others = [holder.player_id for holder in holders if holder.player_id not in ("", caller.subject)]
        if others:
            explanation = f"a player may seat itself and bots, not {others[0]}"
            raise refused_as("seat/others", explanation)
    event = event_for(request, ruleset)
    objection = ruleset.objection_to_deals(request.deals)
    if objection is not None:
        raise InvalidArgument("request/bad_deals", objection)
    if request.deal_pause_ms > _LONGEST_PAUSE_MS:
        raise InvalidArgument("request/bad_pause", f"a pause is at most {_LONGEST_PAUSE_MS} ms")
    only_bots = all(holder.persona for holder in holders[: ruleset.options.players])
    pause_ms = 0 if only_bots else _PAUSE_WITH_PEOPLE_MS
    if request.HasField("deal_pause_ms"):
        pause_ms = request.deal_pause_ms
    deals = 0 if event else request.deals or ruleset.usual_deals
    is_private = _is_private(request)
    terms = Terms(caller.subject, deals, pause_ms, event, is_private)
    return OpenTable(terms, holders, invited_of(request.invited) if is_private else ())


def invited_of(player_ids: Iterable[str]) -> tuple[str, ...]:
    """Well-formed names of players, each once; as many as a table can have at most."""
    names = tuple(dict.fromkeys(player_ids))
    if len(names) > MOST_INVITED:
        raise InvalidArgument("request/too_many_invited", f"at most {MOST_INVITED} players can be invited")
    for name in names:
        if not is_player_name(name):
            explanation = f"{name[:64]!r} cannot be invited: a player's name has {PLAYER_NAME_RULE}"
            raise InvalidArgument("request/bad_player", explanation)
    return names


def invitation_of(request: table_pb2.InvitePlayersRequest) -> InvitePlayers:
    """Whom the caller invites; at least one player."""
    names = invited_of(request.player_ids)
    if not names:
        raise InvalidArgument("request/nobody_invited", "the request invites nobody")
    return InvitePlayers(names)


def _is_private(request: table_pb2.CreateTableRequest) -> bool:
    if request.visibility not in table_pb2.TableVisibility.values():
        raise InvalidArgument("request/bad_visibility", f"there is no visibility {request.visibility}")
    is_private = request.visibility == table_pb2.TABLE_VISIBILITY_PRIVATE
    if request.invited and not is_private:
        explanation = "everyone may see a public table: nobody needs an invitation"
        raise InvalidArgument("request/invited_to_public", explanation)
    return is_private


def event_for(request: table_pb2.CreateTableRequest, ruleset: AnyRuleSet) -> MatchEvent | None:
    """The event that the caller asks for, None for none; Refused when the table cannot be in it."""
    if not request.HasField("event"):
        return None
    try:
        return event_on(request.event, ruleset, request.deals)
    except MalformedMessage as error:
        raise refused_as(error.code, error.explanation) from None


def command_of(request: table_pb2.ActRequest, caller: Identity) -> SeatCommand:
    """The command that the caller sends."""
    seat = seat_of(request.seat)
    try:
        act = act_of(request, seat)
    except MalformedMessage as error:
        raise malformed(error) from None
    if act is not None:
        return act
    match request.WhichOneof("command"):
        case "take_seat":
            return TakeSeat(seat, caller.subject)
        case "host_seat":
            return HostSeat(seat)
        case "reclaim_seat":
            return ReclaimSeat(seat)
        case _:
            raise InvalidArgument("request/no_command", "the request has no command that this engine knows")


def fingerprint_of(
    command: SeatCommand | OpenTable | InvitePlayers, ruleset: AnyRuleSet | None = None
) -> int:
    """A number that tells a repeated command from another one under the same id. `ruleset`: of an opening."""
    if isinstance(command, PlayCards):
        words = bytes((command.seat, *sorted(command.cards)))
    else:
        words = repr((command, ruleset and (ruleset.id, ruleset.chosen))).encode()
    if isinstance(command, OpenTable):
        words += _more_words(command)
    return int.from_bytes(hashlib.blake2b(words, digest_size=8).digest(), "big")


def _more_words(opening: OpenTable) -> bytes:
    """What an opening has that older engines knew nothing of: without it the fingerprint is as theirs."""
    event = opening.terms.event
    words = repr((event.id, event.chosen)) if event is not None else ""
    return (words + (repr(opening.invited) if opening.terms.is_private else "")).encode()


def check_plays_seat(table: Table, seat: Seat, caller: Identity) -> bool:
    """Whether the caller is the seat's own person; Refused unless it may play the seat."""
    holder = table.holders[seat]
    if caller.kind is CallerKind.SERVICE:
        if holder.is_played_by_bot:
            return False
        raise refused_as("seat/not_yours", f"no bot plays seat {seat}", seat=seat)
    own = table.seat_of(caller.subject)
    if own is None or own != seat:
        where = "you have no seat here" if own is None else f"you sit on seat {own}"
        raise refused_as("seat/not_yours", f"seat {seat} is not yours: {where}", seat=seat)
    if holder.forfeited:
        raise refused_as("seat/forfeited", f"you have left seat {seat} for good", seat=seat)
    return True


def _holders(seats: Iterable[table_pb2.SeatAssignment]) -> tuple[Holder, ...]:
    holders = dict.fromkeys(SEATS, OPEN_SEAT)
    for assignment in seats:
        seat = seat_of(assignment.seat)
        if not holders[seat].is_open:
            raise InvalidArgument("request/seat_twice", f"seat {seat} is named twice")
        holders[seat] = _holder(assignment)
    people = [holder.player_id for holder in holders.values() if holder.player_id]
    if len(set(people)) < len(people):
        raise InvalidArgument("request/player_twice", "a player can sit only once at a table")
    return tuple(holders.values())


def _holder(assignment: table_pb2.SeatAssignment) -> Holder:
    which, occupant = assignment.occupant.WhichOneof("kind"), assignment.occupant
    if which == "persona":
        if occupant.persona not in PERSONAS:
            explanation = f"no persona {occupant.persona[:40]!r}; there are {', '.join(PERSONAS)}"
            raise refused_as("seat/unknown_persona", explanation, seat=assignment.seat)
        return Holder(persona=occupant.persona)
    if which is None or not is_player_name(occupant.player_id):
        explanation = f"seat {assignment.seat} needs a persona or a player id: {PLAYER_NAME_RULE}"
        raise InvalidArgument("request/bad_occupant", explanation)
    return Holder(player_id=occupant.player_id)
