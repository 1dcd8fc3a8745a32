"""`shuangkou arena`: measure players against each other."""

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from shuangkou.ai_player.arena import seeds_from
from shuangkou.ai_player.arena_report import as_html, as_text, ladder_text
from shuangkou.ai_player.ladder import ladder
from shuangkou.ai_player.players import UnknownPlayer, names_for, player_of
from shuangkou.ai_player.tiers import BadBudget
from shuangkou.ai_player.tournament import Outcome, Played, Terms, contest, outcome_of
from shuangkou.chassis.writable import why_not_writable
from shuangkou.rules.ruleset import UnknownRuleSet, load

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
_LEAST_DEALS, _A_PAIR = 2, 2
_PARTS = 10
"""Lines that tell of progress where there is no terminal."""


@app.command()
def arena(  # noqa: PLR0913  # one for each thing that can be typed
    players: Annotated[
        list[str], typer.Argument(help="Two players, or more with --ladder; `list` lists them.")
    ],
    ruleset: Annotated[str, typer.Option(help="Ruleset id; `shuangkou rulesets` lists them.")],
    deals: Annotated[int, typer.Option(min=_LEAST_DEALS, help="Duplicate deals of each pair.")] = 200,
    budget: Annotated[float, typer.Option(help="Milliseconds of a search.")] = 50.0,
    seeds: Annotated[str, typer.Option(help="Label that the seeds of the deals follow from.")] = "arena",
    processes: Annotated[int, typer.Option(min=1, help="Processes side by side.")] = 1,
    cpu_clock: Annotated[bool, typer.Option(help="Count processor time instead of wall time.")] = False,
    as_ladder: Annotated[bool, typer.Option("--ladder", help="All against all, as Elo.")] = False,
    report: Annotated[Path | None, typer.Option(help="File for a page with plots.")] = None,
) -> None:
    """Play duplicate deals between players: the same cards twice, sides swapped; the deal is the unit."""
    console = Console()
    _check(players, ruleset, budget, as_ladder=as_ladder)
    _check_report(report)
    clock = time.process_time if cpu_clock else time.perf_counter
    pairs = list(combinations(players, 2))
    played: dict[tuple[str, str], Sequence[Played]] = {}
    outcomes: list[Outcome] = []
    for first, second in pairs:
        terms = Terms(ruleset, first, second, budget, clock)
        label = f"{first} – {second}"
        running = contest(terms, seeds_from(seeds, deals), processes)
        played[first, second] = list(_told(running, label, deals))
        outcomes.append(outcome_of(terms, f"{seeds}/0 to {seeds}/{deals - 1}", played[first, second]))
        console.print(as_text(outcomes[-1]), markup=False, highlight=False, soft_wrap=True)
    results = {pair: [deal.ahead for deal in found] for pair, found in played.items()}
    rungs = ladder(results) if as_ladder else []
    if rungs:
        console.print(ladder_text(rungs), markup=False, highlight=False, soft_wrap=True)
    if report is not None:
        report.write_text(as_html(outcomes, rungs), "utf-8")
    if any(conduct.illegal for outcome in outcomes for conduct in outcome.conducts):
        raise typer.Exit(1)


def _told(running: Iterable[Played], label: str, deals: int) -> Iterator[Played]:
    """The same deals, with a bar on a terminal, and a line for each tenth anywhere else."""
    console = Console(stderr=True)
    if console.is_terminal:
        yield from track(running, label, deals, console=console)
        return
    for number, deal in enumerate(running, 1):
        if number * _PARTS // deals > (number - 1) * _PARTS // deals:
            console.print(f"{label}: {number} of {deals} deals", markup=False, highlight=False)
        yield deal


def _check(players: list[str], ruleset: str, budget: float, *, as_ladder: bool) -> None:
    """typer.BadParameter, or the list of players where it is asked for."""
    try:
        game = load(ruleset)
        if players == ["list"]:
            Console().print("\n".join(names_for(game)))
            raise typer.Exit
        for name in players:
            player_of(game, name, budget)
    except (UnknownRuleSet, UnknownPlayer, BadBudget) as error:
        raise typer.BadParameter(str(error)) from None
    if len(players) < _A_PAIR or (len(players) > _A_PAIR and not as_ladder):
        raise typer.BadParameter("name two players, or two and more with --ladder")


def _check_report(report: Path | None) -> None:
    reason = "" if report is None else why_not_writable(report)
    if reason:
        raise typer.BadParameter(f"cannot write {report}: {reason}", param_hint="--report")


if __name__ == "__main__":
    app(prog_name="shuangkou arena")
