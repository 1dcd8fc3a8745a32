"""Queue and rooms in the words of whoever types: reasons, answers, options for the wire's fields."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

from shuangkou.cli.clients import Refused
from shuangkou.v1 import errors_pb2

ASK_AGAIN: Final = "Press Enter or y to sit down 按回车就座; n to decline 输入n拒绝."
"""What is said to an answer that is neither."""

_YES: Final = frozenset(("", "y", "yes", "ok", "是", "好", "就绪", "准备"))
_NO: Final = frozenset(("n", "no", "不", "不要", "否", "拒绝"))
_REASONS: Final = {
    "match/lapsed": "the others did not come 等待超时",
    "match/engine_out_of_reach": "no engine answers now; try again later 服务暂不可用",
    "match/partner_differs": "your partner waits for another game, mode or region 与搭档所选不同",
}
_OPTIONS: Final = {
    "allows_spectators": "--spectators",
    "bots_after_ms": "--bots-after",
    "or_games": "--or",
    "partner_id": "--with",
    "people_only": "--people",
    "rematch_of": "--rematch",
    "ruleset_id": "--ruleset",
}
_FIELD: Final = re.compile(rf"\b({'|'.join(_OPTIONS)})\b")


def read_answer(line: str) -> bool | None:
    """Whether somebody who is asked sits down; None for a line that is no answer."""
    word = normalize("NFKC", line).strip().casefold()
    return True if word in _YES else False if word in _NO else None


def why_no_table(code: str) -> str:
    """The sentence for a code with which a ticket or a room got no table; empty where there is none."""
    return _REASONS.get(code, "")


def as_typed(why: Refused) -> Refused:
    """The same refusal, with the options of the command line for the fields of the wire."""
    sentence = _FIELD.sub(lambda found: _OPTIONS[found[1]], why.refusal.explanation)
    return Refused(errors_pb2.Refusal(code=why.refusal.code, explanation=sentence))
