"""What the arena found, as text and as one HTML page that needs nothing beside itself."""

import time
from collections.abc import Sequence
from html import escape
from itertools import accumulate
from math import sqrt

from shuangkou.ai_player.arena import Measurement
from shuangkou.ai_player.ladder import Rung
from shuangkou.ai_player.tournament import Conduct, Outcome

_WIDTH, _HEIGHT = 720, 220
_BARS = 31


def as_text(outcome: Outcome) -> str:
    """Mean score first."""
    terms = outcome.terms
    lines = [
        f"{terms.first} against {terms.second}, {terms.ruleset}: {len(outcome.gains)} duplicate deals",
        f"  seeds           {outcome.seeds}",
        f"  points a deal   {_signed(outcome.score)}",
        f"  deals won       {_share(outcome.won)}",
        f"  won double      {_share(outcome.doubled)}",
        f"  deals ahead     {_share(outcome.ahead)}",
    ]
    for name, conduct in zip((terms.first, terms.second), outcome.conducts, strict=True):
        lines.append(f"  {name:<15} {conduct_text(conduct)}")
    clock = "processor" if terms.clock is time.process_time else "wall"
    lines.append(f"  budget of a search {terms.budget_ms:g} ms; times are {clock} time")
    return "\n".join(lines)


def conduct_text(conduct: Conduct) -> str:
    """Times of decisions, and acts that should not be."""
    times = conduct.milliseconds
    p50, p95, p99 = (percentile(times, share) for share in (0.5, 0.95, 0.99))
    most = times[-1] if times else 0.0
    return (
        f"illegal {conduct.illegal}, late {conduct.late}; "
        f"ms p50 {p50:.3f}, p95 {p95:.3f}, p99 {p99:.3f}, max {most:.1f} of {len(times)} acts"
    )


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of the ordered values lies, 0 without values."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def ladder_text(rungs: Sequence[Rung]) -> str:
    """One player a line."""
    return "\n".join(
        f"{place:>3}  {rung.name:<20} {rung.elo:+7.0f}  [{rung.low:+.0f}, {rung.high:+.0f}]"
        for place, rung in enumerate(rungs, start=1)
    )


def _signed(measured: Measurement) -> str:
    return f"{measured.mean:+.3f}  [{measured.low:+.3f}, {measured.high:+.3f}]"


def _share(measured: Measurement) -> str:
    return f"{measured.mean:.1%}  [{measured.low:.1%}, {measured.high:.1%}]"


def as_html(outcomes: Sequence[Outcome], rungs: Sequence[Rung] = ()) -> str:
    """One page for one contest or more."""
    parts = [f"<h2>Elo</h2><pre>{escape(ladder_text(rungs))}</pre>"] if rungs else []
    for outcome in outcomes:
        title = f"{outcome.terms.first} – {outcome.terms.second} ({outcome.terms.ruleset})"
        parts += [f"<h2>{escape(title)}</h2>", f"<pre>{escape(as_text(outcome))}</pre>"]
        parts += ["<h3>Points a deal 每局得分</h3>", _histogram(outcome.gains)]
        parts += ["<h3>Mean so far, 95 % 均值</h3>", _running_mean(outcome.gains)]
    style = "body{font-family:sans-serif;max-width:50em;margin:2em auto}pre{background:#f4f4f4;padding:1em}"
    head = f"<meta charset='utf-8'><title>Arena</title><style>{style}</style>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{''.join(parts)}</body></html>\n"


def _histogram(gains: Sequence[float]) -> str:
    low, high = min(gains), max(gains)
    width = (high - low) / _BARS or 1.0
    counts = [0] * _BARS
    for gain in gains:
        counts[min(_BARS - 1, int((gain - low) / width))] += 1
    step, top = _WIDTH / _BARS, max(counts)
    bars = "".join(
        f"<rect x='{place * step:.1f}' y='{_HEIGHT * (1 - count / top):.1f}' width='{step - 1:.1f}' "
        f"height='{_HEIGHT * count / top:.1f}' fill='#47a'>"
        f"<title>{low + place * width:+.2f}: {count}</title></rect>"
        for place, count in enumerate(counts)
    )
    return _svg(bars, f"{low:+.1f}", f"{high:+.1f}")


def _running_mean(gains: Sequence[float]) -> str:
    """The mean and its interval after each deal from the tenth on."""
    sums, squares = list(accumulate(gains)), list(accumulate(gain * gain for gain in gains))
    points = []
    for count in range(min(10, len(gains)), len(gains) + 1):
        mean = sums[count - 1] / count
        variance = max(0.0, squares[count - 1] / count - mean * mean)
        points.append((count, mean, 1.96 * sqrt(variance / count)))
    reach = max(abs(mean) + margin for _, mean, margin in points) or 1.0

    def at(count: int, value: float) -> str:
        return f"{_WIDTH * count / len(gains):.1f},{_HEIGHT / 2 * (1 - value / reach):.1f}"

    upper = [at(count, mean + margin) for count, mean, margin in points]
    lower = [at(count, mean - margin) for count, mean, margin in reversed(points)]
    line = " ".join(at(count, mean) for count, mean, _ in points)
    drawn = (
        f"<polygon points='{' '.join(upper + lower)}' fill='#cde'/><polyline points='{line}' fill='none' "
        f"stroke='#036' stroke-width='2'/><line x1='0' x2='{_WIDTH}' y1='{_HEIGHT / 2}' y2='{_HEIGHT / 2}' "
        "stroke='#999'/>"
    )
    return _svg(drawn, f"±{reach:.2f}", f"{len(gains)} deals")


def _svg(drawn: str, left: str, right: str) -> str:
    return (
        f"<svg viewBox='0 0 {_WIDTH} {_HEIGHT + 20}' width='100%'>{drawn}"
        f"<text x='0' y='{_HEIGHT + 16}'>{escape(left)}</text>"
        f"<text x='{_WIDTH}' y='{_HEIGHT + 16}' text-anchor='end'>{escape(right)}</text></svg>"
    )
