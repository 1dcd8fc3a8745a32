"""What each family of games needs to be played by bots."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shuangkou.ai_player.personas import Persona
from shuangkou.wire.commands import SeatAct


@dataclass(frozen=True, slots=True)
class Mind:
    """Functions of a ruleset's options and a seat's view.

    prepare: makes what takes far longer than an act, once for equal options. check_plausible: ImplausibleView
    for what no deal can look like. act: what the persona does; NotToAct, or NoPolicy.
    """

    prepare: Callable[[Any], None]
    check_plausible: Callable[[Any, Any], None]
    act: Callable[[Any, Any, Persona], SeatAct]
