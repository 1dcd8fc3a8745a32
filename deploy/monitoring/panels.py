"""What a Grafana dashboard is made of, in the few words that ours need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

_WIDTH: Final = 24
_SOURCE: Final = {"type": "prometheus", "uid": "${source}"}
_SCHEMA_VERSION: Final = 39


@dataclass(frozen=True, slots=True)
class Line:
    """A PromQL expression, and how its series are called (Grafana's ``{{label}}``)."""

    expression: str
    legend: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One graph. ``unit`` is Grafana's: s, ops, percentunit, short, …; ``warn_above`` draws a threshold."""

    title: str
    says: str
    lines: tuple[Line, ...]
    unit: str = "short"
    width: int = 8
    warn_above: float | None = None


@dataclass(frozen=True, slots=True)
class Dashboard:
    """One page: rows of panels under headings."""

    id: str
    title: str
    says: str
    rows: tuple[tuple[str, tuple[Panel, ...]], ...]

    def expressions(self) -> Iterator[str]:
        """Everything that it asks Prometheus."""
        for _, panels in self.rows:
            for panel in panels:
                yield from (line.expression for line in panel.lines)


def quantiles(metric: str, selector: str = "", by: str = "") -> tuple[Line, ...]:
    """Median, 95th and 99th percentile of a histogram, over all pods or by a label."""
    labels = ", ".join(filter(None, ("le", by)))
    name = f" {{{{{by}}}}}" if by else ""
    buckets = f"sum by ({labels}) (rate({metric}_bucket{selector}[$__rate_interval]))"
    return tuple(
        Line(f"histogram_quantile({share}, {buckets})", f"p{share * 100:g}{name}")
        for share in (0.5, 0.95, 0.99)
    )


def rate(metric: str, by: str, selector: str = "") -> Line:
    """Events per second by a label."""
    return Line(f"sum by ({by}) (rate({metric}{selector}[$__rate_interval]))", f"{{{{{by}}}}}")


def grafana(dashboard: Dashboard) -> dict[str, Any]:
    """The dashboard as Grafana reads it."""
    return {
        "uid": f"shuangkou-{dashboard.id}",
        "title": f"shuangkou · {dashboard.title}",
        "description": dashboard.says,
        "tags": ["shuangkou"],
        "schemaVersion": _SCHEMA_VERSION,
        "editable": False,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {
            "list": [{"name": "source", "label": "Source", "type": "datasource", "query": "prometheus"}]
        },
        "panels": list(_laid_out(dashboard.rows)),
    }


def _laid_out(rows: Sequence[tuple[str, Sequence[Panel]]]) -> Iterator[dict[str, Any]]:
    number, y = 1, 0
    for heading, panels in rows:
        yield {
            "id": number,
            "type": "row",
            "title": heading,
            "gridPos": _place(0, y, _WIDTH, 1),
            "panels": [],
        }
        number, y, x = number + 1, y + 1, 0
        for panel in panels:
            if x + panel.width > _WIDTH:
                x, y = 0, y + 8
            yield _graph(panel, number, _place(x, y, panel.width, 8))
            number, x = number + 1, x + panel.width
        y += 8


def _place(x: int, y: int, width: int, height: int) -> dict[str, int]:
    return {"x": x, "y": y, "w": width, "h": height}


def _graph(panel: Panel, number: int, place: dict[str, int]) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if panel.warn_above is not None:
        steps.append({"color": "red", "value": panel.warn_above})
    return {
        "id": number,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.says,
        "gridPos": place,
        "datasource": _SOURCE,
        "fieldConfig": {
            "defaults": {
                "unit": panel.unit,
                "min": 0,
                "thresholds": {"mode": "absolute", "steps": steps},
                "custom": {"thresholdsStyle": {"mode": "line" if panel.warn_above is not None else "off"}},
            },
            "overrides": [],
        },
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {"refId": chr(ord("A") + place), "expr": line.expression, "legendFormat": line.legend}
            for place, line in enumerate(panel.lines)
        ],
    }
