"""What the arena found, in words: the mean first, then the rest."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.intervals import Measurement
from shuangkou.ai_player.ladder import Rung
from shuangkou.ai_player.tournament import Conduct, Outcome, Terms

_PARTS = ("shuangkou", "numba", "numpy")


@dataclass(frozen=True, slots=True)
class Run:
    """By which command, when (UTC) and with what something was measured."""

    command: str
    date: str
    versions: str


def run_of(command: str) -> Run:
    """What is measured now, with what is installed here."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in _PARTS)
    return Run(command, time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), versions)


def as_text(outcome: Outcome) -> str:
    """The mean with its interval and what it means, then shares, conduct and times."""
    terms = outcome.terms
    lines = [
        headline(outcome),
        *(f"  {line}" for line in meaning(outcome)),
        f"  {terms.first} against {terms.second}, {terms.ruleset}: {len(outcome.gains)} duplicate deals",
        *(f"  {name:<15} {share_text(share)}" for name, share in shares(outcome)),
    ]
    for name, conduct in zip((terms.first, terms.second), outcome.conducts, strict=True):
        lines.append(f"  {name:<15} {conduct_text(conduct)}")
        lines.append(f"  {'':<15} {pace_text(terms, name)}")
    if terms.clock is not time.process_time and any(conduct.late for conduct in outcome.conducts):
        lines.append(
            "  a machine that does other work makes acts late: count processor time with --cpu-clock"
        )
    lines.append(f"  times are {clock_text(terms)}; seeds {outcome.seeds}")
    return "\n".join(lines)


def headline(outcome: Outcome) -> str:
    """One sentence with the mean and its interval."""
    terms, score = outcome.terms, outcome.score
    verdict = "nothing is shown" if score.low <= 0 <= score.high else ""
    if score.has_no_width:
        interval, verdict = f"no interval: all {score.deals} deals brought just that", ""
    else:
        interval = f"95 % interval {score.low:+.3f} to {score.high:+.3f}"
    said = f"{terms.first} gains {score.mean:+.3f} {unit_of(terms)} a deal on {terms.second} ({interval})"
    return f"{said}: {verdict}" if verdict else said


def meaning(outcome: Outcome) -> list[str]:
    """What the mean counts, and how far it can be trusted, a sentence each."""
    terms, unit = outcome.terms, unit_of(outcome.terms)
    half = f"half of the {unit} by which a seat of {terms.first} ends a deal above one of {terms.second}"
    said = [f"that is {half}; each deal is played twice, sides swapped"]
    if outcome.is_stopped:
        played = f"{len(outcome.gains)} of {outcome.planned} deals"
        said.append(f"stopped early, after {played}: to stop at will flatters whoever is ahead")
    return said


def unit_of(terms: Terms) -> str:
    """What deals are scored in, in the plural."""
    game = terms.game
    return mind_for(game).unit(game.options)


def shares(outcome: Outcome) -> list[tuple[str, Measurement]]:
    """Every share of the first player, with its name."""
    named = [("plays won", outcome.won), ("won double", outcome.doubled), ("deals ahead", outcome.ahead)]
    return [(name, share) for name, share in named if share is not None]


def share_text(share: Measurement) -> str:
    """In percent, with its interval."""
    return f"{share.mean:.1%}  [{share.low:.1%}, {share.high:.1%}]"


def conduct_text(conduct: Conduct) -> str:
    """Times of decisions, and acts that should not be."""
    times = conduct.milliseconds
    p50, p95, p99 = (percentile(times, share) for share in (0.5, 0.95, 0.99))
    most = times[-1] if times else 0.0
    return (
        f"illegal {conduct.illegal}, late {conduct.late}; "
        f"ms p50 {p50:.3f}, p95 {p95:.3f}, p99 {p99:.3f}, max {most:.1f} of {len(times)} acts"
    )


def pace_text(terms: Terms, name: str) -> str:
    """Whether this player searches, and after what it is late."""
    thinks = f"searches for {terms.budget_ms:g} ms" if terms.searches(name) else "decides at once"
    return f"{thinks}; late after {terms.most_ms(name):g} ms"


def clock_text(terms: Terms) -> str:
    """Which time is counted."""
    return "processor time" if terms.clock is time.process_time else "wall time"


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of the ordered values lies, 0 without values."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def ladder_text(rungs: Sequence[Rung]) -> str:
    """One player a line."""
    head = "Elo, the mean of these players being 0, with 95 % intervals; half a deal won and half a deal lost"
    lines = [
        f"{place:>3}  {rung.name:<20} {rung.elo:+7.0f}  [{rung.low:+.0f}, {rung.high:+.0f}]"
        for place, rung in enumerate(rungs, start=1)
    ]
    return "\n".join(
        [head, "are added to each pair, so that who won every deal has a rating as well", *lines]
    )


def run_text(run: Run) -> str:
    """How to measure it again."""
    return f"measured {run.date} with {run.versions}\nto repeat: {run.command}"
