"""The report on a load: some lines for a terminal, and a page with graphs that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from shuangkou.cli.load_costs import Costs
from shuangkou.cli.load_tally import Tally, share

_WIDTH: Final = 720
_HEIGHT: Final = 160
_STYLE: Final = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:760px;margin:2em auto;padding:0 1em}"
    "td{padding:.1em 1.5em .1em 0}svg{background:#f6f6f4;width:100%}figcaption{color:#666}"
    ".bad{color:#b00020}polyline{fill:none;stroke:#245;stroke-width:1.5}"
)


@dataclass(frozen=True, slots=True)
class Report:
    """A run of these ``games``: what clients saw, what it cost where that is known, and on what machine."""

    tally: Tally
    machine: str
    games: tuple[str, ...]
    tables_at_once: int
    costs: Costs | None = None

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What is worth knowing, as names with values."""
        return [*self._seen(), *self._spent()]

    @property
    def verdict(self) -> str:
        """One sentence on whether clients were served as they must be."""
        tally = self.tally
        if tally.faults:
            return f"{sum(tally.faults.values()):,} times a client saw what it must never see; see faults."
        again = sum(tally.repeats.values()) + sum(tally.streams.values())
        return f"{tally.acts:,} acts were answered, and clients saw no fault" + (
            f"; {again:,} calls and streams were sent again." if again else "."
        )

    def _seen(self) -> Iterator[tuple[str, str]]:
        tally = self.tally
        yield "machine", self.machine
        yield "tables at once", f"{self.tables_at_once:,}, of {', '.join(self.games)}"
        yield "deals played", f"{tally.deals:,} at {tally.tables:,} tables in {tally.lasted} s"
        if tally.deals:
            yield "acts a deal", f"{tally.deal_acts / tally.deals:,.0f}"
        yield "acts stored", f"{tally.acts:,}, {tally.acts / tally.lasted:,.0f} a second"
        yield "time of an act", _quantiles(tally.waits)
        if tally.lags:
            yield "lag of streams", _quantiles(tally.lags)
        yield "calls sent again", _counted(tally.repeats)
        yield "streams opened again", _counted(tally.streams)
        if tally.overtaken:
            yield "acts overtaken", f"{tally.overtaken:,}, by a clock"
        yield "faults", _counted(tally.faults)

    def _spent(self) -> Iterator[tuple[str, str]]:
        costs, tally = self.costs, self.tally
        if costs is None:
            return
        acts = max(1, tally.acts)
        acts_a_deal = tally.deal_acts / max(1, tally.deals)
        yield "engine CPU", f"{costs.engine_cpu:.1f} s, {costs.engine_cpu / acts * 1000:.2f} ms an act"
        for name, seconds in costs.cpu.items():
            yield f"  {name}", f"{seconds:.1f} s CPU, {costs.memory[name] / 2**20:,.0f} MiB resident"
        for stream, size in costs.stored.items():
            if size:
                a_deal = f", {size / acts * acts_a_deal:,.0f} a deal" if tally.deals else ""
                yield f"bytes in {stream}", f"{size:,}, {size / acts:,.0f} an act{a_deal}"


def page(report: Report) -> str:
    """The report as one HTML file."""
    tally = report.tally
    bad = ' class="bad"' if tally.faults else ""
    rows = "".join(
        f"<tr{bad if name == 'faults' else ''}><td>{escape(name)}</td><td>{escape(value)}</td></tr>"
        for name, value in report.rows
    )
    graphs = (
        _graph("acts stored a second", [float(second.acts) for second in tally.seconds]),
        _graph("95 % of acts within, ms", [share(second.waits, 0.95) * 1000 for second in tally.seconds]),
        _graph("calls sent again a second", [float(second.repeats) for second in tally.seconds]),
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>shuangkou load</title>'
        f"<style>{_STYLE}</style><h1>shuangkou load</h1><table>{rows}</table>{''.join(graphs)}</html>\n"
    )


def _graph(title: str, values: Sequence[float]) -> str:
    most = max(values, default=0.0) or 1.0
    step = _WIDTH / max(1, len(values) - 1)
    points = " ".join(
        f"{place * step:.1f},{_HEIGHT - value / most * (_HEIGHT - 10):.1f}"
        for place, value in enumerate(values)
    )
    caption = f"{title}: 0 to {most:,.0f} over {len(values)} s"
    return (
        f'<figure><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(caption)}">'
        f'<polyline points="{points}"/></svg><figcaption>{escape(caption)}</figcaption></figure>'
    )


def _quantiles(seconds: list[float]) -> str:
    return ", ".join(f"p{part * 100:g} {share(seconds, part) * 1000:,.1f} ms" for part in (0.5, 0.95, 0.99))


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{number:,} × {what}" for what, number in sorted(counts.items())) or "none"
