"""A person's seat at a table: what it hears from the table, and what its player types."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from unicodedata import normalize

from rich.text import Text

from shuangkou.cli.advice import advise, sentence
from shuangkou.cli.calls import is_for_draw, is_out_of_phase, read_call
from shuangkou.cli.clients import STALE, Clients, Refused
from shuangkou.cli.deal_notes import holding_in
from shuangkou.cli.drawing import Drawing, returned_lines
from shuangkou.cli.follow import Update
from shuangkou.cli.hints import hint_in
from shuangkou.cli.legal import legal_lines, listed_requests, play_request
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.own_seat import OwnSeat
from shuangkou.cli.seat_view import hand_lines, score_lines, table_lines, turn_lines
from shuangkou.cli.seating import Input, Interrupted, Seating, is_drawing_after, is_hosted_after
from shuangkou.cli.table_help import help_text
from shuangkou.cli.tables import is_last
from shuangkou.cli.terminal import Terminal
from shuangkou.cli.tricks_asking import nothing_to_show
from shuangkou.cli.tricks_table import last_trick_lines
from shuangkou.cli.tricks_view import is_drawing
from shuangkou.cli.typed import Chosen, Listed, Word, read_typed
from shuangkou.cli.views import part_of
from shuangkou.cli.words import any_options_of, options_of
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.v1 import ai_pb2, table_pb2

_OUT_OF_TURN = frozenset(("surrender", "vote_redeal", "forfeit", "host_seat", "reclaim_seat"))


class SeatSession:
    """One seat from the first card to the end of the match. Lines from a pipe wait for the seat's turn."""

    def __init__(self, clients: Clients, seating: Seating, narrator: Narrator, terminal: Terminal) -> None:
        self._clients = clients
        self._seating = seating
        self._seat = OwnSeat(clients, seating.table_id, seating.player, seating.seat)
        self._narrator = narrator
        self._terminal = terminal
        self._updates: deque[Update] = deque()
        self._inputs: deque[Input] = deque()
        self._something = asyncio.Event()
        self._view = table_pb2.SeatView()
        self._version = 0
        self._shown_version = 0
        self._is_my_turn = self._is_hosted = False
        self._if_yes: Callable[[], Awaitable[None]] | None = None
        self._is_over = self._has_finished = False
        self._is_returning = False
        self._hint: table_pb2.ActRequest | None = None
        self._listed: Sequence[table_pb2.ActRequest] = ()
        self._told_hand: list[int] = []
        self._hand: list[int] = []
        self._has_new_hand = False
        self._drawing = Drawing()
        self._draws = False
        self._words: dict[Word, Callable[[], Awaitable[None]]] = {
            Word.PASS: lambda: self._act_on_turn(_pass()),
            Word.LEGAL: self._show_legal,
            Word.HINT: self._show_hint,
            Word.GO: self._take_hint,
            Word.HAND: self._show_hand,
            Word.TABLE: self._show_table,
            Word.LAST: self._show_last_trick,
            Word.SCORE: self._show_score,
            Word.SURRENDER: self._surrender,
            Word.REDEAL: self._vote_redeal,
            Word.FORFEIT: self._ask_to_forfeit,
            Word.HOST: self._host,
            Word.RECLAIM: self._reclaim,
            Word.HELP: self._show_help,
            Word.QUIT: self._leave,
        }

    def on_update(self, update: Update) -> None:
        """The table has something to say."""
        self._updates.append(update)
        self._something.set()

    def on_line(self, line: Input) -> None:
        """The player has typed a line, or stops typing."""
        if isinstance(line, Interrupted):
            self._inputs.appendleft(line)
        else:
            self._inputs.append(line)
        self._something.set()

    async def run(self) -> bool:
        """Until the match is over, True, or the player has left. Problem when the suite is gone for good."""
        self._terminal.say(Text("Type what you play, for example 7 7, or 5h; help lists all words.", "dim"))
        while not self._is_over:
            if self._updates:
                self._hear(self._updates.popleft())
            elif self._is_returning:
                await self._show_where_it_stands()
            elif self._is_my_turn and self._shown_version != self._version:
                await self._show_turn()
            elif self._draws and self._shown_version != self._version:
                await self._show_draw()
            elif self._has_new_hand:
                await self._show_new_hand()
            elif self._inputs and self._may_obey(self._inputs[0]):
                await self._obey(self._inputs.popleft())
            else:
                self._something.clear()
                await self._something.wait()
        return self._has_finished

    def _hear(self, update: Update) -> None:
        if isinstance(update, table_pb2.SeatView):
            # Every commit is streamed from the first one on, so a view brings nothing new.
            return
        commit = update.commit
        lines = self._narrator.tell(commit)
        if update.HasField("seat"):
            self._seat.number = update.seat
        seat = self._seat.number
        self._version = commit.version
        self._is_hosted = is_hosted_after(commit, seat, self._is_hosted)
        if commit.version <= self._seating.told_version:
            self._narrator.sit(seat)
            self._is_returning = commit.version == self._seating.told_version
        else:
            self._say(lines)
            self._say(returned_lines(commit, seat, self._hand, update.own_hand))
        self._hand = list(update.own_hand) or self._hand
        self._draws = is_drawing_after(commit, self._draws)
        self._has_new_hand |= bool(update.own_hand) and not self._draws and not self._is_behind
        self._is_my_turn = seat in commit.next.seats and not self._is_hosted and not self._is_behind
        self._hint, self._listed = None, ()
        self._is_over = self._has_finished = is_last(commit)

    async def _show_where_it_stands(self) -> None:
        self._is_returning = False
        if self._is_my_turn:
            return
        view = await self._look()
        if view.phase == table_pb2.TABLE_PHASE_DEAL:
            self._say((*table_lines(view), *hand_lines(view)))
        else:
            self._say(score_lines(view, self._narrator.occupant))

    async def _show_turn(self) -> None:
        view = await self._look()
        self._shown_version = self._version
        if view.version == self._version:
            self._told_hand = list(view.hand)
            self._say(turn_lines(view, self._seat.number))
            self._terminal.prompt()

    async def _show_draw(self) -> None:
        view = await self._look()
        self._shown_version = self._version
        lines = self._drawing.lines(view) if view.version == self._version and is_drawing(view) else ()
        if lines:
            self._told_hand = list(view.hand)
            self._say(lines)
            self._terminal.prompt()

    async def _show_new_hand(self) -> None:
        """Told unasked, so only when it has changed since it was told."""
        self._has_new_hand = False
        view = await self._look()
        if view.version == self._version and view.hand and list(view.hand) != self._told_hand:
            self._told_hand = list(view.hand)
            self._say(hand_lines(view))

    async def _look(self) -> table_pb2.SeatView:
        self._view = await self._seat.view(self._version)
        return self._view

    @property
    def _is_behind(self) -> bool:
        """Whether what is known of the table is from before its player came back."""
        return self._version < self._seating.told_version

    def _may_obey(self, line: Input) -> bool:
        if isinstance(line, Interrupted):
            return True
        if self._is_behind:
            return False
        if sys.stdin.isatty():
            return True
        if self._draws and not self._is_hosted:
            return self._drawing.is_invited and isinstance(line, str) and is_for_draw(line)
        return self._is_my_turn or self._is_hosted or self._if_yes is not None

    async def _obey(self, line: Input) -> None:
        if isinstance(line, Interrupted) and line.may_ask and self._if_yes is None:
            self._ask(
                "Leave the table? A bot will play your seat on 托管, and you can come back.", self._leave
            )
        elif not isinstance(line, str):
            await self._leave()
        else:
            self._terminal.typed(line)
            await self._understand(line)
            if not self._is_over and (self._is_my_turn or self._draws) and self._if_yes is None:
                self._terminal.prompt()

    async def _understand(self, line: str) -> None:
        # Full-width letters and digits are what a Chinese keyboard gives.
        line = normalize("NFKC", line)
        if not line.strip():
            return
        if self._view.version != self._version:
            await self._look()
        if not self._if_yes and is_out_of_phase(line, part_of(self._view).phase):
            self._complain(sentence("state/other_phase"))
            return
        holding = holding_in(self._view)
        try:
            call = None if self._if_yes else read_call(line, holding)
            typed = None if call is not None else read_typed(line, holding.hand, holding.suited)
        except ValueError as error:
            self._complain(str(error))
            return
        if self._if_yes is not None:
            agreed, self._if_yes = self._if_yes, None
            if typed is Word.YES:
                await agreed()
        elif call is not None:
            await self._act_on_turn(call)
        elif isinstance(typed, Chosen):
            await self._act_on_turn(play_request(typed.cards))
        elif isinstance(typed, Listed):
            await self._play_listed(typed.number)
        elif typed in self._words:
            await self._words[typed]()

    def _ask(self, question: str, if_yes: Callable[[], Awaitable[None]]) -> None:
        self._if_yes = if_yes
        self._terminal.say(f"{question} (y/n)")
        self._terminal.prompt()

    async def _options(self) -> ClimbingOptions | None:
        view = await self._look()
        return options_of(view.ruleset_id, view.options)

    async def _surrender(self) -> None:
        if await self._act(table_pb2.ActRequest(surrender=table_pb2.Surrender())):
            await self._warn_of_bots((self._seat.number + 2) % 4)

    async def _vote_redeal(self) -> None:
        if await self._act(table_pb2.ActRequest(vote_redeal=table_pb2.VoteRedeal())):
            await self._warn_of_bots(*range(4))

    async def _warn_of_bots(self, *seats: int) -> None:
        view = await self._look()
        if any(state.occupant.persona for state in view.seats if state.seat in seats):
            self._terminal.say(Text("  (bots play on and never agree; it takes people)", "dim"))

    async def _ask_to_forfeit(self) -> None:
        options = await self._options()
        fine = "the fine 罚分" if options is None else f"{options.forfeit_fine} 罚{options.forfeit_fine}分"
        self._ask(
            f"Leave for good 逃跑? You pay {fine}, a bot plays to the end, and there is no way back.",
            self._forfeit,
        )

    async def _forfeit(self) -> None:
        if await self._act(table_pb2.ActRequest(forfeit=table_pb2.Forfeit())):
            self._terminal.say(
                "You have left for good 逃跑; a bot plays your seat to the end. The fine is booked"
                " when the deal is settled."
            )
            self._is_over = True

    async def _host(self) -> None:
        await self._act(table_pb2.ActRequest(host_seat=table_pb2.HostSeat()))

    async def _reclaim(self) -> None:
        await self._act(table_pb2.ActRequest(reclaim_seat=table_pb2.ReclaimSeat()))

    async def _act_on_turn(self, request: table_pb2.ActRequest) -> None:
        is_show = request.WhichOneof("command") == "declare_trump"
        if self._is_my_turn or (self._draws and is_show):
            await self._act(request)
        elif self._draws:
            self._complain("cards are still drawn; declare, or wait until you are asked · 正在摸牌，只可亮主")
        else:
            self._complain("it is not your turn; wait, or type table to see whose it is · 还没轮到你")

    async def _act(self, request: table_pb2.ActRequest) -> bool:
        """Whether the table took it."""
        is_out_of_turn = request.WhichOneof("command") in _OUT_OF_TURN
        if not is_out_of_turn and not self._draws:
            # What was decided on an older table must not be played on a newer one; but while cards are drawn
            # the table is another one with every card, and the rules judge a show by what stands.
            request.expected_version = self._version
        try:
            await self._seat.act(request)
        except Refused as refused:
            self._complain(advise(refused.refusal, self._view))
            self._is_my_turn &= refused.refusal.code != STALE
            return False
        self._is_my_turn &= is_out_of_turn
        return True

    async def _legal(self) -> table_pb2.ListLegalActsResponse:
        answer = await self._seat.legal_acts()
        self._listed = listed_requests(answer)
        return answer

    async def _show_legal(self) -> None:
        answer = await self._legal()
        self._say(legal_lines(answer, self._view))

    async def _play_listed(self, number: int) -> None:
        if not self._listed:
            await self._legal()
        acts = self._listed
        if not acts:
            self._complain(self._why_nothing())
        elif not 1 <= number <= len(acts):
            many = len(acts)
            self._complain(f"the list has the numbers #1 to #{many}; type legal to see it · 编号为1到{many}")
        else:
            await self._act_on_turn(acts[number - 1])

    def _why_nothing(self) -> str:
        if self._is_my_turn:
            return "nothing can be played: type pass · 无牌可出，请输入 pass"
        if self._draws:
            why = nothing_to_show(self._view)
            return f"{why.en} · {why.zh}"
        return "wait for your turn · 请等轮到你"

    async def _show_hint(self) -> None:
        if not self._is_my_turn:
            when = "is not given while cards are drawn" if self._draws else "can be had on your turn"
            self._complain(f"a hint {when} · 轮到你时才有提示")
            return
        request = ai_pb2.WeighActsRequest(view=await self._look(), persona=self._seating.persona)
        try:
            answer = await self._clients.ask(self._clients.advisor.WeighActs, request)
        except Refused as refused:
            self._complain(advise(refused.refusal, self._view))
            return
        hint = hint_in(answer, self._view)
        self._hint = hint.best
        if hint.best is None:
            self._complain("the bot suggests something that this program does not know · 提示不明")
        self._say(hint.lines)

    async def _take_hint(self) -> None:
        if self._hint is None:
            self._complain("there is no hint to follow; type hint first · 请先输入 hint")
        else:
            await self._act_on_turn(self._hint)

    async def _show_hand(self) -> None:
        self._say(hand_lines(await self._look()))

    def _say(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self._terminal.say(line)

    async def _show_table(self) -> None:
        self._say(table_lines(await self._look()))

    async def _show_last_trick(self) -> None:
        try:
            self._say(last_trick_lines(await self._look()))
        except ValueError as error:
            self._complain(str(error))

    async def _show_score(self) -> None:
        self._say(score_lines(await self._look(), self._narrator.occupant))

    async def _show_help(self) -> None:
        view = await self._look()
        self._terminal.say(help_text(any_options_of(view.ruleset_id, view.options)))

    async def _leave(self) -> None:
        if not self._is_hosted or self._is_behind:
            await self._host()
        self._terminal.say("You have left; a bot plays your seat on 托管. Come back with:")
        self._terminal.whole(f"  {self._seating.way_back}")
        self._is_over = True

    def _complain(self, sentence: str) -> None:
        self._terminal.say(Text(f"  ✗ {sentence}", "red"))


def _pass() -> table_pb2.ActRequest:
    return table_pb2.ActRequest(pass_turn=table_pb2.Pass())
