"""Two who come as partners: what they must have in common, and how one's wish reads to the other."""

from __future__ import annotations

from typing import Final

from shuangkou.matchmaking.game import GameKey, games_of
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_BOTS,
    TICKET_MODE_CASUAL,
    TICKET_MODE_RANKED,
    TICKET_STATE_WAITING,
    Ticket,
)

PARTNER_DIFFERS: Final = "match/partner_differs"

_LONGEST: Final = 400
_MODES: Final = {TICKET_MODE_CASUAL: "casual", TICKET_MODE_RANKED: "ranked", TICKET_MODE_BOTS: "bots"}


def are_partners(one: Ticket, other: Ticket) -> bool:
    """Whether they name each other, and so wait for one another."""
    named_each_other = one.partner_id == other.player_id and other.partner_id == one.player_id
    return named_each_other and not (one.rematch_of or other.rematch_of)


def are_at_odds(one: Ticket, other: Ticket) -> bool:
    """Whether both wait, each for the other, and would wait for ever.

    They meet in the games that both name, with one mode and one region.
    """
    if not (one.state == other.state == TICKET_STATE_WAITING and are_partners(one, other)):
        return False
    is_alike = (one.mode, one.region) == (other.mode, other.region)
    return not is_alike or {*games_of(one)}.isdisjoint(games_of(other))


def wish_in_words(ticket: Ticket) -> str:
    """What a ticket asks for, as in ``qq (deals=1) or zsy (deals=1), casual, no region``.

    Games are cut short where they are too long for a refusal.
    """
    games = " or ".join(_game_in_words(game) for game in games_of(ticket))
    region = f"region {ticket.region}" if ticket.region else "no region"
    if len(games) > _LONGEST:
        games = f"{games[:_LONGEST]}…"
    return f"{games}, {_MODES.get(ticket.mode, 'casual')}, {region}"


def _game_in_words(game: GameKey) -> str:
    told = [f"{key}={value}" for key, value in game.options]
    if game.event_id:
        told += [f"event {game.event_id}", *(f"{key}={value}" for key, value in game.event_options)]
    else:
        told.append(f"deals={game.deals}")
    return f"{game.ruleset_id} ({', '.join(told)})"
