"""What a bot would do on a person's turn: the best acts, what each is expected to bring, and why."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from shuangkou.cli.columns import left
from shuangkou.cli.legal import act_line
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import ai_pb2, table_pb2
from shuangkou.wire.commands import act_of, put_act

_ACT_CELLS = 20


@dataclass(frozen=True, slots=True)
class Hint:
    """best: what `go` plays, None where nothing is known that this program could play."""

    best: table_pb2.ActRequest | None
    lines: list[Text]


def hint_in(answer: ai_pb2.WeighActsResponse, view: table_pb2.SeatView) -> Hint:
    """The advisor's answer to a view, the best act first."""
    requests = [_request(weighed.act, view) for weighed in answer.acts]
    if not requests or requests[0] is None:
        return Hint(None, [])
    lines = [Text("  hint 提示: ").append(f"{_counted(answer)} (go plays the first)", "dim")]
    for number, (weighed, request) in enumerate(zip(answer.acts, requests, strict=True)):
        if request is not None:
            lines += _lines(weighed, request, view, is_best=number == 0)
    return Hint(requests[0], lines)


def _request(act: ai_pb2.SuggestActResponse, view: table_pb2.SeatView) -> table_pb2.ActRequest | None:
    known = act_of(act, SEATS[view.seat])
    if known is None:
        return None
    request = table_pb2.ActRequest()
    put_act(request, known)
    return request


def _lines(
    weighed: ai_pb2.WeighedAct, request: table_pb2.ActRequest, view: table_pb2.SeatView, *, is_best: bool
) -> list[Text]:
    line = Text("   go  " if is_best else "   or  ", "bold" if is_best else "dim")
    line.append_text(left(act_line(request, view), _ACT_CELLS)).append("  ")
    line.append(_points(weighed)).rstrip()
    return [line, Text(f"       {weighed.reason.en} · {weighed.reason.zh}", "dim")]


def _counted(answer: ai_pb2.WeighActsResponse) -> str:
    """What the numbers beside the acts are."""
    if not any(weighed.worlds for weighed in answer.acts):
        return "by what the rule policy weighs 规则打法"
    if answer.acts[0].unit == ai_pb2.POINTS_UNIT_LEVELS:
        return "levels beyond the other side 期望净升级数"
    return "points beyond the other side 期望净胜分"


def _points(weighed: ai_pb2.WeighedAct) -> str:
    if not weighed.worlds:
        return ""
    digits = 2 if weighed.unit == ai_pb2.POINTS_UNIT_LEVELS else 1
    points = round(weighed.points, digits) + 0.0  # no minus before nothing
    error = f" ± {weighed.points_error:.{digits}f}" if weighed.worlds > 1 else ""
    return f"{points:+.{digits}f}{error}"
