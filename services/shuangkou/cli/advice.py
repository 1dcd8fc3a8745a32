"""A refusal as one sentence that says what to do."""

from __future__ import annotations

from typing import Final

from shuangkou.v1 import errors_pb2

_ADVICE: Final = {
    "turn/not_your_turn": "wait for your turn",
    "cards/not_held": "type hand to see your cards",
    "climbing/no_such_combination": "type legal to see what you may play",
    "climbing/does_not_beat": "type legal to see what does, or pass",
    "climbing/pass_on_empty_trick": "you lead, so play something; legal lists what",
    "state/other_phase": "type legal to see what you may do now",
    "climbing/not_declarable": "type legal to see what you may declare, or pass",
    "climbing/declared_too_low": "type legal to see what you may declare, or pass",
    "climbing/bid_too_low": "type legal to see what you may bid, or pass",
    "climbing/must_play": "play the card that you want to lie beside the trick",
    "cards/not_in_kitty": "type table to see the kitty",
    "state/stale_version": "the table has moved on, look again",
    "climbing/no_surrender": "a table that allows it is opened by --ruleset qq,surrender=true",
    "climbing/no_redeal": "a table that allows it is opened by --ruleset qq,redeal_vote=true",
    "climbing/surrender_too_late": "play on",
    "climbing/redeal_too_late": "play on",
    "state/no_deal_in_progress": "wait for the next deal",
    "state/match_over": "the match is over",
}


def advise(refusal: errors_pb2.Refusal) -> str:
    """Why not, and what now."""
    advice = _ADVICE.get(refusal.code)
    explanation = refusal.explanation or refusal.code
    return f"{explanation}; {advice}" if advice else explanation
