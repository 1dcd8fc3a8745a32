"""`shuangkou arena`: measure players against each other."""

import shlex
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path
from signal import SIGINT, default_int_handler, signal
from threading import Event
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from shuangkou.ai_player.arena import endless_seeds
from shuangkou.ai_player.arena_page import as_html
from shuangkou.ai_player.arena_report import as_text, ladder_text, run_of, run_text
from shuangkou.ai_player.ladder import Rung, ladder
from shuangkou.ai_player.players import UnknownPlayer, is_searching, names_for, player_of
from shuangkou.ai_player.tiers import BadBudget, check_budget
from shuangkou.ai_player.tournament import Outcome, Played, Terms, contest, outcome_of
from shuangkou.chassis.writable import why_not_writable
from shuangkou.rules.choice import read_ruleset
from shuangkou.rules.ruleset import AnyRuleSet, RuleSetError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
MOST_DEALS = 100_000
"""Of a pair. All results are kept until they are told; `strong` at 50 ms plays so many in days."""
_LEAST_DEALS, _A_PAIR = 2, 2
_PARTS = 10
"""Lines that tell of progress where there is no terminal."""
_FAULTY, _INTERRUPTED = 1, 130


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be measured, as it was typed."""

    players: Sequence[str]
    ruleset: str
    deals: int
    budget_ms: float
    seeds: str
    processes: int
    cpu_clock: bool
    as_ladder: bool

    @property
    def command(self) -> str:
        """What measures the same again."""
        words = ["shuangkou", "arena", *self.players, "--ruleset", self.ruleset, "--deals", str(self.deals)]
        words += ["--budget", f"{self.budget_ms:g}", "--seeds", self.seeds]
        words += ["--processes", str(self.processes)] if self.processes > 1 else []
        words += ["--cpu-clock"] if self.cpu_clock else []
        return shlex.join(words + (["--ladder"] if self.as_ladder else []))


@app.command()
def arena(  # noqa: PLR0913  # one for each thing that can be typed
    players: Annotated[
        list[str], typer.Argument(help="Two players, or more with --ladder; `list` lists them.")
    ],
    ruleset: Annotated[
        str,
        typer.Option(
            help="Ruleset id, and options if you choose any, as in duel52,target_score=50; the usual game"
            " without it.",
            show_default=False,
        ),
    ] = "",
    deals: Annotated[
        int, typer.Option(help=f"Duplicate deals of each pair, {_LEAST_DEALS} to {MOST_DEALS:,}.")
    ] = 200,
    budget: Annotated[float, typer.Option(help="Milliseconds of a search; others decide at once.")] = 50.0,
    seeds: Annotated[str, typer.Option(help="Label that the seeds of the deals follow from.")] = "arena",
    processes: Annotated[int, typer.Option(min=1, help="Processes side by side.")] = 1,
    cpu_clock: Annotated[bool, typer.Option(help="Count processor time instead of wall time.")] = False,
    as_ladder: Annotated[bool, typer.Option("--ladder", help="All against all, as Elo.")] = False,
    report: Annotated[Path | None, typer.Option(help="File for a page with plots.")] = None,
) -> None:
    """Play duplicate deals between players: the same cards twice, sides swapped; the deal is the unit.

    Exit code 1: an act was late or against the rules. Ctrl-C tells what the deals say that are done.
    """
    asked = _Asked(players, ruleset, deals, budget, seeds, processes, cpu_clock, as_ladder)
    _check(asked)
    _check_report(report)
    run = run_of(asked.command)
    outcomes, rungs, is_stopped = _measure(asked)
    if outcomes:
        _say(run_text(run))
        if report is not None:
            report.write_text(as_html(outcomes, rungs, run), "utf-8")
    if is_stopped:
        raise typer.Exit(_INTERRUPTED)
    if any(outcome.is_faulty for outcome in outcomes):
        raise typer.Exit(_FAULTY)


def _measure(asked: _Asked) -> tuple[list[Outcome], list[Rung], bool]:
    """What was found, told as it is, and whether somebody stopped it before the end."""
    outcomes: list[Outcome] = []
    results: dict[tuple[str, str], list[float]] = {}
    pairs = list(combinations(asked.players, 2))
    is_stopped = False
    for first, second in pairs:
        clock = time.process_time if asked.cpu_clock else time.perf_counter
        terms = Terms(asked.ruleset, first, second, asked.budget_ms, clock)
        played, is_stopped = _played(terms, asked)
        if len(played) >= _LEAST_DEALS:
            results[first, second] = [deal.ahead for deal in played]
            seeds = f"{asked.seeds}/0 to {asked.seeds}/{len(played) - 1}"
            outcomes.append(outcome_of(terms, seeds, played, asked.deals))
            _say(as_text(outcomes[-1]))
        if is_stopped:
            break
    if is_stopped and not outcomes:
        _say(f"stopped before {_LEAST_DEALS} deals were played: nothing is known")
    if not asked.as_ladder or len(results) < len(pairs):
        if asked.as_ladder:
            _say("no Elo: not every pair has played")
        return outcomes, [], is_stopped
    rungs = ladder(results)
    _say(ladder_text(rungs))
    return outcomes, rungs, is_stopped


def _played(terms: Terms, asked: _Asked) -> tuple[list[Played], bool]:
    """The deals of a contest, and whether it was stopped."""
    played: list[Played] = []
    seeds = islice(endless_seeds(asked.seeds), asked.deals)
    with _heeding_ctrl_c() as came:
        try:
            with closing(contest(terms, seeds, asked.processes)) as running:
                for deal in _told(running, f"{terms.first} – {terms.second}", asked.deals):
                    played.append(deal)
                    if came.is_set():
                        break
        except KeyboardInterrupt:
            pass
        return played, came.is_set()


@contextmanager
def _heeding_ctrl_c() -> Iterator[Event]:
    """Set when Ctrl-C comes: its exception is lost where it meets code that nobody called."""
    came = Event()

    def heed(number: int, frame: FrameType | None) -> None:
        came.set()
        default_int_handler(number, frame)

    before = signal(SIGINT, heed)
    try:
        yield came
    finally:
        signal(SIGINT, before)


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


def _say(text: str) -> None:
    Console().print(text, markup=False, highlight=False, soft_wrap=True)


def _check(asked: _Asked) -> None:
    """typer.BadParameter, or the list of players where it is asked for."""
    players = asked.players
    try:
        check_budget(asked.budget_ms)
        game = read_ruleset(asked.ruleset)
        if players == ["list"]:
            _say("\n".join(_told_of(game, name) for name in names_for(game)))
            raise typer.Exit
        for name in players:
            player_of(game, name, asked.budget_ms)
    except (RuleSetError, UnknownPlayer, BadBudget) as error:
        raise typer.BadParameter(str(error)) from None
    if len(players) < _A_PAIR or (len(players) > _A_PAIR and not asked.as_ladder):
        raise typer.BadParameter("name two players, or two and more with --ladder")
    twice = sorted({name for name in players if players.count(name) > 1})
    if twice and asked.as_ladder:
        raise typer.BadParameter(f"{twice[0]} stands twice; name each player of a ladder once")
    if not _LEAST_DEALS <= asked.deals <= MOST_DEALS:
        told = f"a contest has {_LEAST_DEALS} to {MOST_DEALS:,} deals; for more, play others with --seeds"
        raise typer.BadParameter(told, param_hint="--deals")


def _told_of(game: AnyRuleSet, name: str) -> str:
    return f"{name} (searches with --budget)" if is_searching(game, name) else name


def _check_report(report: Path | None) -> None:
    reason = "" if report is None else why_not_writable(report)
    if reason:
        raise typer.BadParameter(f"cannot write {report}: {reason}", param_hint="--report")


if __name__ == "__main__":
    app(prog_name="shuangkou arena")
