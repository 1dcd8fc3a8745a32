"""What the arena found, as one page that needs nothing beside itself and nothing known beforehand."""

from collections.abc import Iterable, Sequence
from html import escape

from shuangkou.ai_player.arena_plots import (
    Pace,
    budget_words,
    decision_times,
    histogram,
    ladder_plot,
    running_mean,
)
from shuangkou.ai_player.arena_report import (
    Run,
    clock_text,
    headline,
    meaning,
    pace_text,
    percentile,
    share_text,
    shares,
    unit_of,
)
from shuangkou.ai_player.ladder import Rung
from shuangkou.ai_player.tournament import Outcome

_STYLE = """
:root{color-scheme:light dark;--ink:#1b1b1b;--paper:#fff;--soft:#667;--grid:#dde;--bar:#2f6db5;--band:#c9dcf3;
--other:#b3541e}
@media(prefers-color-scheme:dark){:root{--ink:#e8e8e8;--paper:#15171a;--soft:#9aa;--grid:#333a44;--bar:#6aa5ea;
--band:#24405f;--other:#e8965c}}
body{font:16px/1.5 system-ui,sans-serif;max-width:50em;margin:2em auto;padding:0 1em;color:var(--ink);
background:var(--paper)}
table{border-collapse:collapse;width:100%}caption,th,td{text-align:left}
th,td{padding:.3em .7em .3em 0;border-bottom:1px solid var(--grid)}
td{font-variant-numeric:tabular-nums}figure{margin:1.5em 0}figcaption,.soft{color:var(--soft)}
code{overflow-wrap:anywhere}svg text{font:12px system-ui,sans-serif;fill:var(--soft)}
svg .name{fill:var(--ink)}.grid{stroke:var(--grid)}.zero{stroke:var(--ink)}
.mean{stroke:var(--other);stroke-width:2;stroke-dasharray:5 4}.bar{fill:var(--bar)}.band{fill:var(--band)}
.line{fill:none;stroke:var(--bar);stroke-width:2}.of1{stroke:var(--other)}
"""


def as_html(outcomes: Sequence[Outcome], rungs: Sequence[Rung] = (), run: Run | None = None) -> str:
    """One page for one contest or more."""
    title = _ladder_title(outcomes, rungs) if rungs else ", ".join(_title(outcome) for outcome in outcomes)
    parts = [f"<h1>Arena: {escape(title)}</h1>"]
    parts += _ladder(outcomes, rungs) if rungs else []
    for outcome in outcomes:
        parts += _contest(outcome, is_alone=len(outcomes) == 1)
    parts += _repeating(run) if run else []
    head = "<meta charset='utf-8'/><meta name='viewport' content='width=device-width, initial-scale=1'/>"
    head += f"<title>Arena: {escape(title)}</title><style>{_STYLE}</style>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{''.join(parts)}</body></html>\n"


def _title(outcome: Outcome) -> str:
    return f"{outcome.terms.first} – {outcome.terms.second} ({outcome.terms.ruleset})"


def _ladder_title(outcomes: Sequence[Outcome], rungs: Sequence[Rung]) -> str:
    return f"Elo of {len(rungs)} players ({outcomes[0].terms.ruleset})"


def _summary(outcome: Outcome) -> str:
    """A paragraph in words."""
    ahead, faults = outcome.ahead, sum(one.illegal + one.late for one in outcome.conducts)
    interval = f"95 % interval {ahead.low:.1%} to {ahead.high:.1%}"
    share = f"{ahead.mean:.1%} of {len(outcome.gains)} deals ({interval})"
    said = [
        f"{headline(outcome)}; {meaning(outcome)[0]}.",
        f"It is ahead in {share}, a deal that brings both the same counting half.",
        "No act was late or against the rules." if not faults else f"{faults} acts were late or illegal.",
        *(f"{warning}." for warning in meaning(outcome)[1:]),
    ]
    return " ".join(said)


def _contest(outcome: Outcome, *, is_alone: bool) -> list[str]:
    terms, unit = outcome.terms, unit_of(outcome.terms)
    paces = [
        Pace(name, conduct.milliseconds, terms.budget_ms if terms.searches(name) else None)
        for name, conduct in zip((terms.first, terms.second), outcome.conducts, strict=True)
    ]
    return [
        "" if is_alone else f"<h2>{escape(_title(outcome))}</h2>",
        _paragraph(_summary(outcome)),
        _result_table(outcome),
        _conduct_table(outcome),
        _figure("Gain of each deal 每局得分", histogram(outcome.gains, unit), "The dashed line is the mean."),
        _figure("Mean so far 均值", running_mean(outcome.gains, unit), "The band is the 95 % interval."),
        _figure(
            "Times of decisions 用时",
            decision_times(paces, clock_text(terms)),
            f"Blue {terms.first}, orange {terms.second}: how many of its decisions take longer than a time."
            + budget_words(paces),
        ),
        _paragraph(f"Seeds of the deals: {outcome.seeds}.", "soft"),
    ]


def _result_table(outcome: Outcome) -> str:
    score, unit = outcome.score, unit_of(outcome.terms)
    rows = [(f"gain, {unit} a deal (halved)", f"{score.mean:+.3f}", f"{score.low:+.3f} to {score.high:+.3f}")]
    for name, share in shares(outcome):
        mean, interval = share_text(share).split("  ")
        rows.append((name, mean, interval.strip("[]").replace(", ", " to ")))
    return _table(
        f"{outcome.terms.first} against {outcome.terms.second}", ("", "mean", "95 % interval"), rows
    )


def _conduct_table(outcome: Outcome) -> str:
    terms = outcome.terms
    rows = []
    for name, conduct in zip((terms.first, terms.second), outcome.conducts, strict=True):
        times = conduct.milliseconds
        shown = [f"{percentile(times, share):.3f}" for share in (0.5, 0.95, 0.99)]
        most = f"{times[-1] if times else 0:.1f}"
        acts = (str(len(times)), str(conduct.illegal), str(conduct.late))
        rows.append((name, pace_text(terms, name), *acts, *shown, most))
    head = ("", "how it decides", "acts", "illegal", "late", "p50", "p95", "p99", "max")
    return _table(f"Decisions, milliseconds of {clock_text(terms)}", head, rows)


def _ladder(outcomes: Sequence[Outcome], rungs: Sequence[Rung]) -> list[str]:
    rows = [(one.name, f"{one.elo:+.0f}", f"{one.low:+.0f} to {one.high:+.0f}") for one in rungs]
    best, deals = rungs[0], max(len(outcome.gains) for outcome in outcomes)
    interval = f"95 % interval {best.low:+.0f} to {best.high:+.0f}"
    said = [
        f"{best.name} stands highest, at Elo {best.elo:+.0f} ({interval}).",
        f"Each pair has met in up to {deals} deals, each played twice with the sides swapped.",
        "Who scored more in a deal over both plays has won it.",
        "Where intervals overlap widely, nobody knows who is better.",
    ]
    note = (
        "The mean of these players is 0; 100 more is to win 64 % of deals. Half a deal won and half a deal "
        "lost are added to each pair, so that who won every deal has a rating as well; how far above the "
        "others it is, nobody knows."
    )
    return [
        _paragraph(" ".join(said)),
        _figure("Elo 等级分", ladder_plot(rungs), note),
        _table("Elo", ("", "Elo", "95 % interval"), rows),
    ]


def _repeating(run: Run) -> list[str]:
    return [
        "<h2>To repeat it</h2>",
        f"<p><code>{escape(run.command)}</code></p>",
        _paragraph(f"Measured {run.date} with {run.versions}.", "soft"),
    ]


def _figure(title: str, plot: str, note: str) -> str:
    return f"<figure><h3>{escape(title)}</h3>{plot}<figcaption>{escape(note)}</figcaption></figure>"


def _paragraph(said: str, kind: str = "") -> str:
    return f"<p class='{kind}'>{escape(said)}</p>" if kind else f"<p>{escape(said)}</p>"


def _table(caption: str, head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    heads = "".join(f"<th scope='col'>{escape(cell)}</th>" for cell in head)
    lines = (f"<tr><th scope='row'>{escape(name)}</th>{_cells(cells)}</tr>" for name, *cells in rows)
    return f"<table><caption>{escape(caption)}</caption><tr>{heads}</tr>{''.join(lines)}</table>"


def _cells(cells: Iterable[str]) -> str:
    return "".join(f"<td>{escape(cell)}</td>" for cell in cells)
