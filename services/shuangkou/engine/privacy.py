"""Who may see a private table: its maker, those who have a seat there, those who are invited, and services.

Anyone else is told that the table is private, not that it does not exist: an id says nothing and cannot be
guessed, so whoever holds one was given it, and needs to hear that an invitation is missing.
"""

from shuangkou.chassis.auth import CallerKind, Identity
from shuangkou.engine.refusals import refused_as
from shuangkou.engine.table import Table
from shuangkou.wire.names import is_player_name


def check_may_see(table: Table, caller: Identity) -> None:
    """PermissionDenied, with nothing about the table in it, unless the caller may see it."""
    if table.terms.is_private and not (_belongs(table, caller) or caller.subject in table.invited):
        explanation = "this table is private: ask who plays there for an invitation"
        raise refused_as("table/private", explanation)


def check_may_invite(table: Table, caller: Identity) -> None:
    """PermissionDenied unless the caller may invite others."""
    check_may_see(table, caller)
    if table.terms.is_private and not _belongs(table, caller):
        explanation = "only who made the table or sits there may invite others"
        raise refused_as("table/not_yours", explanation)


def _belongs(table: Table, caller: Identity) -> bool:
    if caller.kind is CallerKind.SERVICE:
        return True
    has_made = caller.subject == table.terms.creator and is_player_name(caller.subject)
    return has_made or table.seat_of(caller.subject) is not None
