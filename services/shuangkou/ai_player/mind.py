"""What each family of games needs to be played by bots."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.personas import Persona
from shuangkou.wire.commands import SeatAct

Clock = Callable[[], float]
"""Seconds from any moment on."""


Player = Callable[[Any, Any], SeatAct]
"""From a ruleset's options and a seat's view to an act."""


@dataclass(frozen=True, slots=True)
class Mind:
    """Functions of a ruleset's options and a seat's view.

    prepare: makes what takes far longer than an act, once for equal options. check_plausible: ImplausibleView
    for what no deal can look like as far as it is seen at once. check_genuine: the same of a whole ruleset
    and a view, by all that the view tells of the deal; it takes milliseconds. act: what the persona does at
    once; NotToAct, or NoPolicy. search: what it does within a budget of milliseconds on a clock, None where
    it has nothing to search in this view. advise: so many of the best acts, weighed within a budget, None
    where the view is not weighed. explain: at most so many acts at once, first that of `act`, with what it
    weighs; as `act` raises. players: whom personas can be measured against, by name. searches: whether
    `search` ever finds anything. unit: what a deal is scored in, in the plural. pays_double: whether a deal
    can be won double for more. is_double: whether a settled deal was won double, where games of the family
    know that.
    """

    prepare: Callable[[Any], None]
    check_plausible: Callable[[Any, Any], None]
    check_genuine: Callable[[Any, Any], None]
    act: Callable[[Any, Any, Persona], SeatAct]
    search: Callable[[Any, Any, Persona, float, Clock], SeatAct | None]
    advise: Callable[[Any, Any, Persona, int, float, Clock], list[Advice] | None]
    explain: Callable[[Any, Any, Persona, int], list[Advice]]
    players: Mapping[str, Player]
    searches: bool
    unit: Callable[[Any], str]
    pays_double: Callable[[Any], bool]
    is_double: Callable[[Any], bool]
