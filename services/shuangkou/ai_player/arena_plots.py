"""Plots as SVG that stands inside a page: axes, units, a line at zero, and a title that can be read aloud."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from math import ceil, floor, log10, sqrt

from shuangkou.ai_player.intervals import student_t
from shuangkou.ai_player.ladder import Rung

_WIDTH, _HEIGHT = 720.0, 260.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 70.0, 16.0, 12.0, 48.0
_BARS = 31
_TICKS = 6
_FIRST_SHOWN = 10
"""Deals before a mean is worth a look."""
_MOST_POINTS = 400
_LEAST_MS = 0.01


@dataclass(frozen=True, slots=True)
class Axis:
    """From low to high over so many pixels from the first on; name: with its unit."""

    name: str
    low: float
    high: float
    first: float
    last: float

    def at(self, value: float) -> float:
        """Where a value lies."""
        return self.first + (self.last - self.first) * (value - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[float]:
        """Round values, some six of them."""
        step = _round_step((self.high - self.low) / _TICKS)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def across(name: str, low: float, high: float) -> Axis:
    """The axis from left to right."""
    return Axis(name, low, high, _LEFT, _WIDTH - _RIGHT)


def upwards(name: str, low: float, high: float, height: float = _HEIGHT) -> Axis:
    """The axis from the bottom up."""
    return Axis(name, low, high, height - _BOTTOM, _TOP)


def histogram(gains: Sequence[float], unit: str) -> str:
    """How many deals brought how much."""
    low, high = min(0.0, *gains), max(0.0, *gains)
    width = (high - low) / (_BARS - 1) or 1.0
    counts: dict[int, int] = {}
    for gain in gains:
        place = round(gain / width)
        counts[place] = counts.get(place, 0) + 1
    x = across(f"gain of a deal, {unit}", low - width, high + width)
    y = upwards("deals", 0, max(counts.values()) * 1.05)
    bars = [
        f"<rect class='bar' x='{x.at((place - 0.45) * width):.1f}' y='{y.at(count):.1f}' "
        f"width='{x.at(0.9 * width) - x.at(0):.1f}' height='{y.at(0) - y.at(count):.1f}'>"
        f"<title>{place * width:+.2f}: {count} deals</title></rect>"
        for place, count in sorted(counts.items())
    ]
    mean = sum(gains) / len(gains)
    drawn = [_scale_across(x), _scale_up(y), *bars, _upright(x, 0, "zero"), _upright(x, mean, "mean")]
    told = (
        f"Gains of {len(gains)} deals, from {min(gains):+.2f} to {max(gains):+.2f} {unit}, mean {mean:+.2f}"
    )
    return _svg(f"{told}. The dashed line is the mean.", drawn)


def running_mean(gains: Sequence[float], unit: str) -> str:
    """The mean and its interval after each deal from the tenth on."""
    points = _means(gains)
    low = min(0.0, *(mean - margin for _, mean, margin in points))
    high = max(0.0, *(mean + margin for _, mean, margin in points))
    room = 0.05 * (high - low) or 1.0
    x = across("deals", 0, len(gains))
    y = upwards(f"mean gain, {unit}", low - room, high + room)
    band = [(count, mean + margin) for count, mean, margin in points]
    band += [(count, mean - margin) for count, mean, margin in reversed(points)]
    drawn = [
        _scale_across(x),
        _scale_up(y),
        f"<polygon class='band' points='{_path(x, y, band)}'/>",
        _level(y, 0, "zero"),
        f"<polyline class='line' points='{_path(x, y, [(count, mean) for count, mean, _ in points])}'/>",
    ]
    _, mean, margin = points[-1]
    told = f"Mean gain as deals were played, at last {mean:+.3f} plus or minus {margin:.3f} {unit}"
    return _svg(f"{told}. The band is the 95 % interval.", drawn)


def _means(gains: Sequence[float]) -> list[tuple[int, float, float]]:
    """Deals, mean and margin, at most some hundreds of them."""
    sums, squares = list(accumulate(gains)), list(accumulate(gain * gain for gain in gains))
    first = min(_FIRST_SHOWN, len(gains))
    step = max(1, (len(gains) - first) // _MOST_POINTS)
    points = []
    for count in dict.fromkeys((*range(first, len(gains), step), len(gains))):
        mean = sums[count - 1] / count
        variance = max(0.0, squares[count - 1] / count - mean * mean) * count / max(1, count - 1)
        points.append((count, mean, student_t(max(1, count - 1)) * sqrt(variance / count)))
    return points


@dataclass(frozen=True, slots=True)
class Pace:
    """times: of decisions in milliseconds, ordered. budget_ms: of a search, None for who has none."""

    name: str
    times: Sequence[float]
    budget_ms: float | None


def decision_times(paces: Sequence[Pace], clock: str) -> str:
    """What share of decisions took longer than so many milliseconds, both on logarithmic axes."""
    longest = max((pace.times[-1] for pace in paces if pace.times), default=1.0)
    budgets = [pace.budget_ms for pace in paces if pace.budget_ms is not None]
    most = max(longest, 1.0, *budgets)
    acts = max((len(pace.times) for pace in paces), default=1) or 1
    x = across(f"milliseconds of a decision, {clock}", log10(_LEAST_MS), log10(most) + 0.2)
    y = upwards("share that takes longer", log10(0.5 / acts), 0)
    drawn = [_decades(x, _across_tick), _decades(y, _up_tick), _names(x, y), *_edges(x, y)]
    for number, pace in enumerate(paces):
        drawn.append(f"<polyline class='line of{number}' points='{_slower(x, y, pace.times)}'/>")
    drawn += [_upright(x, log10(budget), "mean") for budget in dict.fromkeys(budgets)]
    told = "; ".join(
        f"{pace.name} (line {number + 1}) at most {pace.times[-1] if pace.times else 0:.1f} ms"
        for number, pace in enumerate(paces)
    )
    return _svg(f"Times of decisions: {told}.{budget_words(paces)}", drawn)


def budget_words(paces: Sequence[Pace]) -> str:
    """What the dashed line of times of decisions is, where somebody searches."""
    is_drawn = any(pace.budget_ms is not None for pace in paces)
    return " The dashed line is the budget of a search." if is_drawn else ""


def _slower(x: Axis, y: Axis, times: Sequence[float]) -> str:
    """After each time, the share that took longer; the longest stands for itself."""
    count = len(times)
    places = {round(count * (1 - 10 ** (-step / 40))) for step in range(400)}
    shown = sorted({min(place, count - 1) for place in places} if count else set())
    return _path(x, y, [(log10(max(_LEAST_MS, times[at])), log10((count - at) / count)) for at in shown])


def ladder_plot(rungs: Sequence[Rung]) -> str:
    """Ratings with their intervals, the best player above."""
    low = min(0.0, *(rung.low for rung in rungs))
    high = max(0.0, *(rung.high for rung in rungs))
    room, row = 0.05 * (high - low) or 1.0, 28.0
    height = _TOP + row * len(rungs) + _BOTTOM
    x = Axis("Elo, the mean of these players being 0", low - room, high + room, 190.0, _WIDTH - _RIGHT)
    drawn = [_scale_across(x, height), _upright(x, 0, "zero", height)]
    for number, rung in enumerate(rungs):
        middle = _TOP + row * (number + 0.5)
        drawn.append(f"<text x='180' y='{middle + 4:.1f}' text-anchor='end'>{escape(rung.name)}</text>")
        ends = f"x1='{x.at(rung.low):.1f}' x2='{x.at(rung.high):.1f}' y1='{middle:.1f}' y2='{middle:.1f}'"
        said = f"{rung.name} {rung.elo:+.0f}, {rung.low:+.0f} to {rung.high:+.0f}"
        place = f"cx='{x.at(rung.elo):.1f}' cy='{middle:.1f}'"
        drawn.append(f"<line class='line' {ends}/>")
        drawn.append(f"<circle class='bar' {place} r='5'><title>{escape(said)}</title></circle>")
    told = "; ".join(f"{rung.name} {rung.elo:+.0f}" for rung in rungs)
    return _svg(f"Elo with 95 % intervals: {told}.", drawn, height)


def _round_step(least: float) -> float:
    """1, 2 or 5 times a power of ten, not below this."""
    power: float = 10.0 ** floor(log10(least))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= least * (1 - 1e-9))


def _path(x: Axis, y: Axis, points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x.at(one):.1f},{y.at(other):.1f}" for one, other in points)


def _scale_across(x: Axis, height: float = _HEIGHT) -> str:
    ticks = [_across_tick(x, value, f"{value:g}", height) for value in x.ticks]
    name = f"<text class='name' x='{(x.first + x.last) / 2:.1f}' y='{height - 8}' text-anchor='middle'>"
    return "".join(ticks) + f"{name}{escape(x.name)}</text>"


def _scale_up(y: Axis) -> str:
    ticks = [_up_tick(y, value, f"{value:g}") for value in y.ticks if y.name != "deals" or value % 1 == 0]
    return "".join(ticks) + _up_name(y)


def _up_name(y: Axis) -> str:
    middle = (y.first + y.last) / 2
    place = f"transform='rotate(-90 16 {middle:.1f})' x='16' y='{middle:.1f}'"
    return f"<text class='name' {place} text-anchor='middle'>{escape(y.name)}</text>"


def _names(x: Axis, y: Axis) -> str:
    place = f"x='{(x.first + x.last) / 2:.1f}' y='{_HEIGHT - 8}'"
    return f"<text class='name' {place} text-anchor='middle'>{escape(x.name)}</text>{_up_name(y)}"


def _decades(axis: Axis, tick: Callable[[Axis, float, str], str]) -> str:
    powers = range(ceil(axis.low), floor(axis.high) + 1)
    return "".join(tick(axis, power, f"{10.0**power:g}") for power in powers)


def _across_tick(x: Axis, value: float, said: str, height: float = _HEIGHT) -> str:
    at = f"{x.at(value):.1f}"
    bottom = height - _BOTTOM
    return (
        f"<line class='grid' x1='{at}' x2='{at}' y1='{_TOP}' y2='{bottom}'/>"
        f"<text x='{at}' y='{bottom + 16}' text-anchor='middle'>{said}</text>"
    )


def _up_tick(y: Axis, value: float, said: str) -> str:
    at = y.at(value)
    return (
        f"<line class='grid' x1='{_LEFT}' x2='{_WIDTH - _RIGHT}' y1='{at:.1f}' y2='{at:.1f}'/>"
        f"<text x='{_LEFT - 6}' y='{at + 4:.1f}' text-anchor='end'>{said}</text>"
    )


def _edges(x: Axis, y: Axis) -> list[str]:
    return [
        f"<line class='zero' x1='{x.first}' x2='{x.last}' y1='{y.first}' y2='{y.first}'/>",
        f"<line class='zero' x1='{x.first}' x2='{x.first}' y1='{y.first}' y2='{y.last}'/>",
    ]


def _upright(x: Axis, value: float, kind: str, height: float = _HEIGHT) -> str:
    at = f"{x.at(value):.1f}"
    return f"<line class='{kind}' x1='{at}' x2='{at}' y1='{_TOP}' y2='{height - _BOTTOM}'/>"


def _level(y: Axis, value: float, kind: str) -> str:
    at = f"{y.at(value):.1f}"
    return f"<line class='{kind}' x1='{_LEFT}' x2='{_WIDTH - _RIGHT}' y1='{at}' y2='{at}'/>"


def _svg(told: str, drawn: Iterable[str], height: float = _HEIGHT) -> str:
    """told: what the plot shows, for who cannot see it."""
    said = escape(told, quote=True)
    head = f"<svg role='img' viewBox='0 0 {_WIDTH:g} {height:g}' width='100%' aria-label=\"{said}\">"
    return f"{head}<title>{said}</title>{''.join(drawn)}</svg>"
