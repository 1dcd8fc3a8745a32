"""Why a question about a seat's view gets no answer."""


class NotToAct(ValueError):
    """The view is a spectator's, or it is another seat's turn."""


class NoPolicy(ValueError):
    """Nothing decides in this phase: the engine makes the ruled default act when the bot's time is up."""


class ImplausibleView(ValueError):
    """No deal can look like this to the seat to act."""
