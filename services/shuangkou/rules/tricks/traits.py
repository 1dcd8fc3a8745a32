"""What events mean to the host of a table; nothing where they are not named."""

from shuangkou.rules.events import (
    CardsBuried,
    DealVoided,
    HandsDealt,
    KittyBuried,
    KittyTaken,
    Passed,
    SeatForfeited,
    Trait,
)
from shuangkou.rules.tricks.events import (
    CardsDrawn,
    CardsPlayed,
    CardsReturned,
    DealSettled,
    DealStarted,
    FaceDownShown,
    MatchDecided,
    PairTopped,
    ShapeNamed,
    ThrowFailed,
    TrumpDeclared,
)

TRAITS: dict[type, Trait] = {
    DealStarted: Trait.STARTS_DEAL,
    DealSettled: Trait.ENDS_DEAL,
    DealVoided: Trait.ENDS_DEAL,
    MatchDecided: Trait.ENDS_MATCH,
    SeatForfeited: Trait.OUT_OF_TURN,
    **dict.fromkeys(
        (TrumpDeclared, Passed, KittyBuried, CardsPlayed, ThrowFailed, ShapeNamed), Trait.OWN_ACT
    ),
    **dict.fromkeys(
        (HandsDealt, CardsDrawn, FaceDownShown, PairTopped, CardsReturned, CardsBuried), Trait.SHOWS_HAND
    ),
    KittyTaken: Trait.SHOWS_HAND | Trait.SHOWS_KITTY,
}
