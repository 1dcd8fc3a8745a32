"""From what a client asks for to a ticket: checked, and written the one way that equal wishes share."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import grpc

from shuangkou.chassis.auth import CallerKind, caller
from shuangkou.chassis.errors import FailedPrecondition, InvalidArgument, NotFound, PermissionDenied
from shuangkou.matchmaking.asking import (
    avoided_by,
    bots_after_ms,
    check_different,
    check_ranked,
    games_asked,
    mode_of,
    partner_of,
    region_of,
    ticket_id_of,
)
from shuangkou.matchmaking.game import game_of
from shuangkou.matchmaking.ratings import Ratings
from shuangkou.matchmaking.rulesets import KnownRulesets
from shuangkou.rules.ruleset import MOST_DEALS, AnyRuleSet, RuleSetError, UnknownRuleSet, load
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_STATE_WAITING,
    CreateTicketRequest,
    Game,
    PlayerRecord,
    SkillEstimate,
    Ticket,
)
from shuangkou.wire.match_events import event_on, terms_to_wire
from shuangkou.wire.names import PLAYER_NAME_RULE, is_player_name
from shuangkou.wire.refusals import BAD_NAME, MalformedMessage, status_of


@dataclass(frozen=True, slots=True)
class Wishes:
    """Knows which games there are and how good players are."""

    rulesets: KnownRulesets
    ratings: Ratings
    rematch_ms: int

    async def ticket(self, request: CreateTicketRequest, player_id: str, now_ms: int) -> Ticket:
        """The ticket that is asked for; Refused where it makes no sense."""
        mode = mode_of(request)
        asked = games_asked(request)
        game, *others = games = [await self.game(each) for each in asked]
        check_different(games)
        check_ranked(mode, asked)
        bots_ms = bots_after_ms(request, mode)
        ticket = Ticket(
            ticket_id=ticket_id_of(request.ticket_id),
            player_id=player_id,
            ruleset_id=game.ruleset_id,
            options=game.options,
            deals=game.deals,
            event=game.event if game.HasField("event") else None,
            or_games=others,
            mode=mode,
            partner_id=partner_of(request, player_id),
            avoided=avoided_by(request, player_id),
            region=region_of(request),
            state=TICKET_STATE_WAITING,
            bots_at_ms=bots_ms or 0,
        )
        _check_together(ticket)
        ticket.fingerprint = _fingerprint(ticket)
        if bots_ms is not None:
            ticket.bots_at_ms += now_ms
        ticket.created_ms = now_ms
        skill = await self.ratings.of(player_id, game.ruleset_id)
        ticket.rating.CopyFrom(SkillEstimate(mu=skill.mu, sigma=skill.sigma))
        return ticket

    async def game(self, asked: Game) -> Game:
        """The game with its number of deals, its options and its event as a table would have them."""
        if asked.deals > MOST_DEALS:
            explanation = f"a match has at most {MOST_DEALS} deals, not {asked.deals}"
            raise InvalidArgument("match/bad_deals", explanation)
        await self.require_ruleset(asked.ruleset_id)
        game = Game(ruleset_id=asked.ruleset_id, deals=asked.deals)
        rules = _rules(asked)
        if rules is None:
            return game
        objection = rules.objection_to_deals(asked.deals)
        if objection is not None:
            raise InvalidArgument("match/bad_deals", f"{objection}, not {asked.deals}")
        game.options.update(rules.chosen)
        if asked.HasField("event"):
            _put_event(game, asked, rules)
        elif not game.deals:
            game.deals = rules.usual_deals
        return game

    async def require_ruleset(self, ruleset_id: str) -> None:
        """NotFound for a ruleset that no engine knows."""
        if not await self.rulesets.has(ruleset_id):
            known = ", ".join(sorted(self.rulesets.ids))
            missing = f"no ruleset {ruleset_id[:40]!r}" if ruleset_id else "name a ruleset"
            raise NotFound("ruleset/unknown", f"{missing}; there are {known}")

    def rematch(self, request: CreateTicketRequest, record: PlayerRecord, now_ms: int) -> Ticket:
        """The ticket to play a table of the player again; NotFound where that is unknown or forgotten."""
        if request != CreateTicketRequest(ticket_id=request.ticket_id, rematch_of=request.rematch_of):
            explanation = "a rematch is as the table was: leave everything else out"
            raise InvalidArgument("match/rematch_only", explanation)
        lately = (record.ticket, *record.ended)
        played = next((ticket for ticket in lately if ticket.table_id == request.rematch_of), None)
        if played is None:
            raise NotFound("match/unknown_table", "you had no seat at that table lately")
        if played.room_code:
            explanation = f"the table was made from room {played.room_code}: start it again there"
            raise FailedPrecondition("match/played_in_room", explanation)
        ticket = Ticket()
        ticket.CopyFrom(played)
        for spent in ("table_id", "seat", "claim_id", "returns", "ended_ms", "is_over", "bots_at_ms"):
            ticket.ClearField(spent)
        for asked in ("ready_by_ms", "answer"):
            ticket.ClearField(asked)
        ticket.ticket_id = ticket_id_of(request.ticket_id)
        ticket.rematch_of = request.rematch_of
        ticket.fingerprint = int.from_bytes(blake2b(request.rematch_of.encode(), digest_size=8).digest())
        ticket.state = TICKET_STATE_WAITING
        ticket.created_ms = now_ms
        ticket.lapses_ms = now_ms + self.rematch_ms
        return ticket


def player() -> str:
    """The calling player; PermissionDenied for a service, or for a name that no player may have."""
    identity = caller()
    if identity.kind is not CallerKind.PLAYER:
        raise PermissionDenied("match/players_only", "only a player can do this")
    # What the engine refuses to seat would take three others down with it.
    if not is_player_name(identity.subject):
        raise PermissionDenied(BAD_NAME, f"a player's name has {PLAYER_NAME_RULE}")
    return identity.subject


def _check_together(ticket: Ticket) -> None:
    """A party needs sides that last."""
    if not ticket.partner_id:
        return
    for game in (game_of(ticket), *(game_of(other) for other in ticket.or_games)):
        try:
            lasting = load(game.ruleset_id).with_options(dict(game.options)).has_lasting_sides
        except UnknownRuleSet:
            lasting = False
        if not lasting:
            explanation = f"nobody has the same partner throughout in {game.ruleset_id}"
            raise FailedPrecondition("match/no_partners", explanation)


def _rules(asked: Game) -> AnyRuleSet | None:
    """The ruleset with the options asked for; None where only the engine knows it."""
    try:
        return load(asked.ruleset_id).with_options(asked.options)
    except UnknownRuleSet as error:
        if asked.options or asked.HasField("event"):
            # The engine knows it, but nobody here can say whether they fit.
            raise FailedPrecondition("ruleset/unknown", str(error)) from None
        return None
    except RuleSetError as error:
        raise InvalidArgument("ruleset/bad_option", str(error)) from None


def _put_event(game: Game, asked: Game, rules: AnyRuleSet) -> None:
    """The event asked for, written the one way that equal wishes share; refused as the engine would."""
    try:
        game.event.CopyFrom(terms_to_wire(event_on(asked.event, rules, asked.deals)))
    except MalformedMessage as error:
        kind = NotFound if status_of(error.code) is grpc.StatusCode.NOT_FOUND else InvalidArgument
        raise kind(error.code, error.explanation) from None
    game.deals = 0


def _fingerprint(wish: Ticket) -> int:
    """Of everything asked for; times are still relative."""
    return int.from_bytes(blake2b(wish.SerializeToString(deterministic=True), digest_size=8).digest())
