"""What a request for a ticket may say: whatever means nothing beside the rest is refused, not dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from shuangkou.chassis.errors import InvalidArgument
from shuangkou.matchmaking.game import game_of
from shuangkou.rules.ruleset import UnknownRuleSet, available, load
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_BOTS,
    TICKET_MODE_CASUAL,
    TICKET_MODE_RANKED,
    CreateTicketRequest,
    Game,
    TicketMode,
)
from shuangkou.wire.names import PLAYER_NAME_RULE, is_player_name

_TICKET_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_REGION = re.compile(r"(?=.{1,32}\Z)[a-z0-9]+(-[a-z0-9]+)*")
_BOTS_AFTER_MS = 10_000
_LONGEST_WAIT_MS = 3_600_000
_MOST_GAMES = 8
_MOST_AVOIDED = 50
_SHOWN = 64


def ticket_id_of(text: str) -> str:
    """A well-formed ticket id."""
    if not _TICKET_ID.fullmatch(text):
        raise InvalidArgument("match/bad_ticket_id", "a ticket id has 1 to 64 of A-Z a-z 0-9 - _")
    return text


def games_asked(request: CreateTicketRequest) -> list[Game]:
    """All games of the request as they are written there, the first choice first."""
    if len(request.or_games) > _MOST_GAMES:
        raise InvalidArgument("match/too_many_games", f"name at most {_MOST_GAMES} other games")
    first = Game(
        ruleset_id=request.ruleset_id,
        options=request.options,
        deals=request.deals,
        event=request.event if request.HasField("event") else None,
    )
    return [first, *request.or_games]


def check_different(games: Sequence[Game]) -> None:
    """Each game is named once."""
    [(most, times)] = Counter(game_of(game) for game in games).most_common(1)
    if times > 1:
        explanation = f"{most.ruleset_id} is named {times} times with the same options; once is enough"
        raise InvalidArgument("match/repeated_game", explanation)


def check_ranked(mode: TicketMode.ValueType, games: Sequence[Game]) -> None:
    """Ranked play is by the ruleset's own options, for as many deals as usual, in no event.

    A ticket has one rating, that of a family.
    """
    if mode != TICKET_MODE_RANKED:
        return
    families = {load(game.ruleset_id).family for game in games if game.ruleset_id in available()}
    if len(families) > 1:
        explanation = "each family of games has ratings of its own; name ranked games of one family"
        raise InvalidArgument("match/ranked_families", explanation)
    for game in games:
        if game.options:
            raise InvalidArgument("match/ranked_options", "ranked play keeps to the ruleset's own options")
        if game.HasField("event"):
            raise InvalidArgument("match/ranked_event", "ranked play is in no event; leave the event out")
        usual = _usual_deals(game.ruleset_id)
        if game.deals not in (0, usual):
            deals = f"{usual} deal{'s'[: usual != 1]}"
            explanation = f"a ranked match of {game.ruleset_id} has {deals}, not {game.deals}"
            raise InvalidArgument("match/ranked_deals", explanation)


def mode_of(request: CreateTicketRequest) -> TicketMode.ValueType:
    """The mode; with bots alone nobody else can be waited for or avoided."""
    mode = request.mode or TICKET_MODE_CASUAL
    if mode not in (TICKET_MODE_CASUAL, TICKET_MODE_RANKED, TICKET_MODE_BOTS):
        raise InvalidArgument("match/unknown_mode", f"there is no mode {mode}")
    if mode != TICKET_MODE_BOTS:
        return mode
    if request.people_only or request.avoided:
        raise InvalidArgument("match/no_people", "play with bots has no other people to wait for or to avoid")
    if request.region and not request.partner_id:
        explanation = "play with bots has no other people who could be elsewhere; leave the region out"
        raise InvalidArgument("match/no_people", explanation)
    if request.or_games and not request.partner_id:
        explanation = "play with bots starts with the first game at once; name no others"
        raise InvalidArgument("match/first_game_only", explanation)
    return mode


def bots_after_ms(request: CreateTicketRequest, mode: TicketMode.ValueType) -> int | None:
    """After how long bots come; None for never, or for at once in play with bots."""
    if mode != TICKET_MODE_CASUAL or request.people_only:
        if request.HasField("bots_after_ms"):
            explanation = "bots come only in casual play that is not for people only; leave bots_after_ms out"
            raise InvalidArgument("match/no_bots", explanation)
        return None
    if request.bots_after_ms > _LONGEST_WAIT_MS:
        raise InvalidArgument("match/bad_wait", f"bots come after {_LONGEST_WAIT_MS} ms at the latest")
    return request.bots_after_ms if request.HasField("bots_after_ms") else _BOTS_AFTER_MS


def partner_of(request: CreateTicketRequest, player_id: str) -> str:
    """The partner's name; empty for none."""
    name = request.partner_id
    if name == player_id:
        raise InvalidArgument("match/bad_partner", "you cannot be your own partner; name somebody else")
    if name and not is_player_name(name):
        raise InvalidArgument(
            "match/bad_partner", f"partner {name[:_SHOWN]!r}: a name has {PLAYER_NAME_RULE}"
        )
    return name


def avoided_by(request: CreateTicketRequest, player_id: str) -> list[str]:
    """Who is avoided, by name."""
    names = sorted(set(request.avoided))
    if len(request.avoided) > _MOST_AVOIDED:
        raise InvalidArgument("match/too_many_avoided", f"avoid at most {_MOST_AVOIDED} players")
    for name in names:
        objection = _objection_to_avoiding(name, request, player_id)
        if objection:
            raise InvalidArgument("match/bad_avoided", objection)
    return names


def region_of(request: CreateTicketRequest) -> str:
    """The region; empty for none."""
    if request.region and not _REGION.fullmatch(request.region):
        explanation = (
            "a region is words of a-z 0-9 with one - between them, up to 32 characters, as in cn-east"
        )
        raise InvalidArgument("match/bad_region", explanation)
    return request.region


def _objection_to_avoiding(name: str, request: CreateTicketRequest, player_id: str) -> str:
    shown = repr(name[:_SHOWN])
    if name == player_id:
        return "you cannot avoid yourself"
    if not is_player_name(name):
        return f"avoided {shown}: a name has {PLAYER_NAME_RULE}"
    if name == request.partner_id:
        return f"{shown} is your partner, whom you cannot avoid"
    return f"{shown} is named more than once" if list(request.avoided).count(name) > 1 else ""


def _usual_deals(ruleset_id: str) -> int:
    try:
        return load(ruleset_id).usual_deals
    except UnknownRuleSet:
        return 0
