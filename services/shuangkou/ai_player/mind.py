"""What each family of games needs to be played by bots."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.personas import Persona
from shuangkou.wire.commands import SeatAct

Clock = Callable[[], float]
"""Seconds from any moment on."""


@dataclass(frozen=True, slots=True)
class Mind:
    """Functions of a ruleset's options and a seat's view.

    prepare: makes what takes far longer than an act, once for equal options. check_plausible: ImplausibleView
    for what no deal can look like. act: what the persona does at once; NotToAct, or NoPolicy. search: what it
    does within a budget of milliseconds on a clock, None where it has nothing to search in this view.
    advise: so many of the best acts, weighed within a budget, None where the view is not weighed.
    """

    prepare: Callable[[Any], None]
    check_plausible: Callable[[Any, Any], None]
    act: Callable[[Any, Any, Persona], SeatAct]
    search: Callable[[Any, Any, Persona, float, Clock], SeatAct | None]
    advise: Callable[[Any, Any, Persona, int, float, Clock], list[Advice] | None]
