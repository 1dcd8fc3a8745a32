"""The commands of `shuangkou`: what can be typed, and what it starts."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Coroutine
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from shuangkou.chassis.auth import CallerKind
from shuangkou.chassis.logs import configure_logs
from shuangkou.chassis.settings import LogFormat, LogLevel, ServiceSettings, unknown_variables
from shuangkou.cli import rulebook
from shuangkou.cli.arguments import (
    USUAL_GAME,
    Choice,
    Data,
    Deals,
    Event,
    Name,
    Persona,
    Ruleset,
    TlsCa,
    TlsCertificate,
    TlsKey,
    Viewer,
    a_player,
    a_table,
    given,
    some_players,
)
from shuangkou.cli.clients import dev_token
from shuangkou.cli.demo import demo as play_demo
from shuangkou.cli.events import EventOptions, show_events
from shuangkou.cli.folder import DEFAULT, DataFolder
from shuangkou.cli.interruption import run
from shuangkou.cli.invite import invite as invite_players
from shuangkou.cli.ledger import rebuild_ledger
from shuangkou.cli.operating import add_operating
from shuangkou.cli.plan import MOST_ENGINES
from shuangkou.cli.play import USUAL_NAME, USUAL_PERSONA, PlayerOptions, TableOptions, come_back
from shuangkou.cli.play import play as take_seat
from shuangkou.cli.problem import BAD_INPUT, FAILED, INTERRUPTED, Problem
from shuangkou.cli.profile import FORMATS, STRANGER, show_head_to_head, show_player, show_sheet
from shuangkou.cli.queue_command import queue, queues
from shuangkou.cli.ranking import BoardOptions, show_leaderboard
from shuangkou.cli.rejoining import Place
from shuangkou.cli.room_commands import rooms_app
from shuangkou.cli.terminal import OutputLost, Terminal
from shuangkou.cli.up import UpOptions
from shuangkou.cli.up import up as run_suite
from shuangkou.cli.vectors import run_files
from shuangkou.cli.verify import verify as verify_table
from shuangkou.cli.watch import SPECTATOR
from shuangkou.cli.watch import watch as watch_table

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="双扣 on this machine: run the suite, play at a table, read its events, look up the rules.",
)
rulesets_app = typer.Typer(help="Show rulesets, events and their options.", invoke_without_command=True)
app.add_typer(rulesets_app, name="rulesets")
app.add_typer(rooms_app, name="room")
scoring_app = typer.Typer(help="Look after the ledger of a suite.", no_args_is_help=True)
app.add_typer(scoring_app, name="scoring")
add_operating(app)


def _sheet_format(text: str) -> str:
    if text not in FORMATS:
        raise typer.BadParameter(f"choose {', '.join(FORMATS)}")
    return text


_HOUR_SECONDS: Final = 3600
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_ONLY_TELLS: Final = frozenset({"--help", "--version"})


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"shuangkou {metadata.version('shuangkou')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
    tls_ca: TlsCa = None,
    tls_cert: TlsCertificate = None,
    tls_key: TlsKey = None,
) -> None:
    """Options that stand before every command."""


@app.command()
def up(
    data: Data = DEFAULT,
    engines: Annotated[int, typer.Option(min=1, max=MOST_ENGINES, help="How many engines to run.")] = 1,
    base_port: Annotated[
        int | None, typer.Option(min=1, max=65000, help="Number all ports from here on; all must be free.")
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Let bots play tables, and show the first.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show the logs of all services.")] = False,
) -> None:
    """Run the whole suite on this machine until Ctrl-C.

    It is NATS, engines, matchmaking, AI players and scoring. What ends is started again. Services read their
    SHUANGKOU_ variables from here, for example SHUANGKOU_LOG_FORMAT=json. The ledger is a file in the data
    folder, or the database that SHUANGKOU_DATABASE_URL names.
    """
    options = UpOptions(engines, base_port, verbose, demo)
    _finish(run_suite(DataFolder(data), options, Terminal()), interrupted=0)


@app.command()
def demo(
    ruleset: Choice = USUAL_GAME, deals: Deals = None, event: Event = None, data: Data = DEFAULT
) -> None:
    """Watch four bots play one table.

    Starts a suite for it when none is running.
    """
    _finish(play_demo(DataFolder(data), rulebook.read_game(ruleset, event, deals), Terminal()), INTERRUPTED)


@app.command()
def play(  # noqa: PLR0913  # one for each option that can be typed
    ruleset: Choice = USUAL_GAME,
    name: Name = USUAL_NAME,
    seat: Annotated[
        int | None,
        typer.Option(min=0, max=3, help="0 East 东 (the usual), 1 South 南, 2 West 西, 3 North 北."),
    ] = None,
    persona: Persona = USUAL_PERSONA,
    deals: Deals = None,
    event: Event = None,
    open_seats: Annotated[
        int, typer.Option("--open", min=0, max=3, help="Seats left to people, your partner's first.")
    ] = 0,
    table: Annotated[
        str | None,
        typer.Option(metavar="ID", callback=a_table, help="Come back to this table, or take an open seat."),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Show the table 私人桌 to nobody but those you invite.")
    ] = False,
    invite: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", callback=some_players, help="Invite a player to it; once for each."),
    ] = None,
    data: Data = DEFAULT,
) -> None:
    """Play a table yourself, with bots or people.

    Needs a running suite. With --table you come back to where you have a seat, or take one that is open.
    """
    player = PlayerOptions(name, persona)
    if table:
        if ruleset != USUAL_GAME or deals or event or open_seats or private or invite:
            raise typer.BadParameter("--table comes back to a table as it is; leave the other options out")
        _finish(come_back(DataFolder(data), player, Place(table, seat), Terminal()), INTERRUPTED)
    if invite and not private:
        raise typer.BadParameter("--invite is for a table that is --private")
    invited = tuple(invite or ()) if private else None
    opened = TableOptions(rulebook.read_game(ruleset, event, deals), seat or 0, open_seats, invited)
    _finish(take_seat(DataFolder(data), player, opened, Terminal()), INTERRUPTED)


@app.command()
def invite(
    table: Annotated[str, typer.Argument(metavar="ID", callback=a_table, help="Your private table.")],
    players: Annotated[
        list[str], typer.Argument(metavar="NAME", callback=some_players, help="Whom to invite.")
    ],
    name: Name = USUAL_NAME,
    data: Data = DEFAULT,
) -> None:
    """Invite players to a private table that you opened or sit at."""
    _finish(invite_players(DataFolder(data), name, table, players, Terminal()), INTERRUPTED)


app.command()(queue)
app.command()(queues)


@app.command()
def watch(
    table: Annotated[
        str | None,
        typer.Argument(metavar="ID", callback=a_table, help="The table; without it the next one."),
    ] = None,
    from_start: Annotated[bool, typer.Option("--from-start", help="Tell it from its beginning.")] = False,
    name: Viewer = SPECTATOR,
    data: Data = DEFAULT,
) -> None:
    """Watch a table from beside it, without any hidden card."""
    _finish(watch_table(DataFolder(data), table or "", name, from_start, Terminal()), INTERRUPTED)


@app.command()
def events(
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with events as they happen.")] = False,
    from_start: Annotated[
        bool, typer.Option("--from-start", help="With --follow: begin with all that are stored.")
    ] = False,
    table: Annotated[
        str | None, typer.Option(metavar="ID", callback=a_table, help="Only events of this table.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Protobuf JSON, one message a line.")] = False,
    data: Data = DEFAULT,
) -> None:
    """Read the public event stream.

    Without --follow what is stored.
    """
    options = EventOptions(follow, from_start, table or "", as_json)
    _finish(show_events(DataFolder(data), options, Terminal()), interrupted=0)


@app.command()
def verify(
    table: Annotated[str, typer.Argument(metavar="TABLE", callback=a_table, help="Table id.")],
    data: Data = DEFAULT,
) -> None:
    """Check a table by its public record: hands, acts, results.

    Exit code 1: something does not agree.
    """
    _finish(verify_table(DataFolder(data), table, Terminal()), INTERRUPTED)


@app.command()
def leaderboard(  # noqa: PLR0913  # one for each option that can be typed
    ruleset: Ruleset = USUAL_GAME,
    bots: Annotated[
        bool, typer.Option("--bots", help="Rank bots, too; with --ratings the deals at tables with bots.")
    ] = False,
    family: Annotated[bool, typer.Option("--family", help="All games of the same family together.")] = False,
    season: Annotated[
        str | None, typer.Option("--season", callback=given, help="Only this season, as in 2026q4.")
    ] = None,
    ratings: Annotated[bool, typer.Option("--ratings", help="By rating, not by points.")] = False,
    pairs: Annotated[bool, typer.Option("--pairs", help="Ratings of pairs.")] = False,
    mine: Annotated[bool, typer.Option("--mine", help="Show your own rank and who is beside you.")] = False,
    name: Name = USUAL_NAME,
    data: Data = DEFAULT,
) -> None:
    """Show who leads, by points or by rating."""
    if mine and pairs:
        raise typer.BadParameter("a pair is no one player; use --mine with --ratings", param_hint="--mine")
    options = BoardOptions(ruleset, bots, family, season or "", ratings, pairs, name if mine else "")
    _finish(show_leaderboard(DataFolder(data), options, Terminal()), INTERRUPTED)


@app.command()
def player(
    name: Annotated[
        str, typer.Argument(metavar="NAME", callback=given, help="A player id, or bot: and a persona.")
    ],
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="OTHER", callback=given, help="Compare the two: with and against each other."
        ),
    ] = None,
    viewer: Viewer = STRANGER,
    data: Data = DEFAULT,
) -> None:
    """Show a player's results, ratings, company and last matches."""
    folder, terminal = DataFolder(data), Terminal()
    if against is not None:
        _finish(show_head_to_head(folder, (name, against), terminal), INTERRUPTED)
    _finish(show_player(folder, name, viewer, terminal), INTERRUPTED)


@app.command()
def sheet(
    table: Annotated[str, typer.Argument(metavar="TABLE", callback=a_table, help="The table.")],
    kind: Annotated[str, typer.Option("--format", callback=_sheet_format, help="csv, json or html.")] = "csv",
    viewer: Viewer = STRANGER,
    data: Data = DEFAULT,
) -> None:
    """Print the score sheet 记分表 of a table."""
    _finish(show_sheet(DataFolder(data), table, kind, viewer, Terminal()), INTERRUPTED)


@scoring_app.command("rebuild")
def _rebuild(
    check: Annotated[
        bool, typer.Option("--check", help="Only compare with the ledger in use, and change nothing.")
    ] = False,
    data: Data = DEFAULT,
) -> None:
    """Make the ledger again from the event stream alone.

    It is the one in the data folder, or the database that SHUANGKOU_DATABASE_URL names. Exit code 1: the
    ledger in use is another; 3: nothing was done, since there is no ledger of this version, or it or NATS
    cannot be reached.
    """
    raise typer.Exit(rebuild_ledger(DataFolder(data), check, Terminal()))


@app.command()
def vectors(
    files: Annotated[list[Path], typer.Argument(help="Files of JSON lines, such as tests/vectors/*.jsonl.")],
) -> None:
    """Put recorded questions to the rules.

    Exit code 1: a mismatch, 3: some not supported, 2: a bad file.
    """
    raise typer.Exit(run_files(files, Terminal()))


@app.command()
def token(
    name: Annotated[str, typer.Argument(callback=a_player, help="Whom the token is for.")],
    service: Annotated[bool, typer.Option("--service", help="For a service, not a player.")] = False,
    ttl: Annotated[int, typer.Option(min=1, help="Seconds it holds.")] = _HOUR_SECONDS,
    data: Data = DEFAULT,
) -> None:
    """Print a token signed with the development keys of a suite."""
    kind = CallerKind.SERVICE if service else CallerKind.PLAYER
    Terminal().whole(dev_token(DataFolder(data), name, kind, ttl))


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
)
def arena(context: typer.Context) -> None:
    """Measure bots against each other on duplicate deals."""
    # It needs the AI players' own code, which the command line does not import.
    asked = ("-m", "shuangkou.ai_player.arena_command", "--ruleset", USUAL_GAME, *context.args)
    os.execv(sys.executable, [sys.executable, *asked])


@rulesets_app.callback()
def _rulesets(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        rulebook.list_rulesets(Terminal())


@rulesets_app.command("show")
def _show(
    choice: Annotated[
        str, typer.Argument(metavar="ID", help="For example qq, ev_elder, or with options qq,surrender=true.")
    ],
) -> None:
    """Show how one game is played and scored, and its options, or those of an event."""
    rulebook.show(choice, Terminal())


def run_command_line() -> None:
    """Run the command line; whatever goes wrong is one line on standard error."""
    configure_logs("shuangkou", LogLevel.ERROR, LogFormat.TEXT)
    try:
        _refuse_unknown_variables()
        app(prog_name="shuangkou")
    except Problem as problem:
        Terminal().remark(Text(f"shuangkou: {problem}"))
        if isinstance(problem, OutputLost):
            _abandon_output()
        sys.exit(problem.exit_code)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _abandon_output()
        sys.exit(FAILED)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        where = f" for {error.filename}" if error.filename else ""
        Terminal().remark(Text(f"shuangkou: there is no room left{where}: {error.strerror}"))
        sys.exit(FAILED)


def _refuse_unknown_variables() -> None:
    unknown = unknown_variables(os.environ, ServiceSettings)
    if unknown and not _ONLY_TELLS.intersection(sys.argv):
        raise Problem("; ".join(unknown), BAD_INPUT)


def _abandon_output() -> None:
    """What could not be written must not be tried again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _finish(command: Coroutine[Any, Any, int], interrupted: int) -> None:
    raise typer.Exit(run(command, interrupted))
