"""Train the net of `inference` on deals that the rule policy plays.

`python -m shuangkou.fastplay.climbing.learning` writes it into the package, in some minutes of a core. In
every other deal one act in ten is drawn by chance: the net must also know players who are no rule policy.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import below, stream_of, uniform
from shuangkou.fastplay.climbing.deal import act, begin
from shuangkou.fastplay.climbing.desk import Desk
from shuangkou.fastplay.climbing.evidence import COUNTED, note
from shuangkou.fastplay.climbing.inference import HELD_AT_MOST, INPUTS, Net, describe
from shuangkou.fastplay.climbing.instant import choose
from shuangkou.fastplay.climbing.layout import GONE, HELD, OVER, SIZE, TURN, blank_deal
from shuangkou.fastplay.climbing.selfplay import MOST_FLUSHES, deal_cards, random_act
from shuangkou.fastplay.climbing.tables import DECK, PLAYERS, RANKS, STRIDE, WORDS, Game, game_of
from shuangkou.fastplay.climbing.worlds import code_of
from shuangkou.fastplay.kernel import kernel
from shuangkou.rules.cards import full_deck
from shuangkou.rules.climbing.options import KittyUse
from shuangkou.rules.ruleset import available, load

Array = npt.NDArray[Any]

_LOOKED_AT = 0.08
"""Of the places of a deal, one after another tell too much the same."""
_BY_CHANCE = 0.1
_BATCH = 4096
_STEP = 3e-3
_MEAN_FADES, _SQUARE_FADES = 0.9, 0.999


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """inputs: [n, INPUTS]. held: [n] cards held. chances: [n, HELD_AT_MOST] logarithms of the chances of
    each number if hands are dealt by chance."""

    inputs: Array
    held: Array
    chances: Array

    def part(self, rows: Array | slice) -> "Lesson":
        """These rows of it."""
        return Lesson(self.inputs[rows], self.held[rows], self.chances[rows])


@kernel
def look_around(t: Array, d: Array, evidence: Array, room: tuple[Array, Array, Array], at: int) -> int:
    """Write a row for each other seat and unseen rank; the first row that is free then."""
    inputs, held, lots = room
    looking = d[TURN]
    counts = np.zeros(STRIDE, dtype=np.int64)
    for rank in range(t[RANKS]):
        counts[rank] = t[t[DECK] + rank] - d[HELD + looking * STRIDE + rank] - d[GONE + rank]
    total = counts.sum()
    for seat in range(4):
        if seat == looking or not d[SIZE + seat]:
            continue
        for rank in range(t[RANKS]):
            if counts[rank] and at < len(inputs):
                describe(t, d, evidence, (counts, total), (looking, seat, rank), inputs[at])
                held[at] = min(d[HELD + seat * STRIDE + rank], HELD_AT_MOST - 1)
                lots[at, 0], lots[at, 1], lots[at, 2] = counts[rank], d[SIZE + seat], total
                at += 1
    return at


@kernel
def watch_deals(
    t: Array,
    d: Array,
    desk: tuple[Array, Array],
    cards: tuple[Array, int],
    stream: Array,
    room: tuple[Array, Array, Array],
) -> None:
    """Play deals until there is no more room for what is seen. cards: the deck, and how many of it a seat
    gets."""
    x, n = desk
    deck, hand_size = cards
    spent, legal = np.zeros(64, dtype=np.int64), np.zeros(t[WORDS], dtype=np.int64)
    flushes = np.zeros(MOST_FLUSHES, dtype=np.int64)
    evidence = np.zeros((4, STRIDE, COUNTED), dtype=np.float64)
    at, deals = 0, 0
    while at < len(room[0]):
        deal_cards(t, d, hand_size, stream, deck)
        begin(t, d, below(stream, t[PLAYERS]))
        evidence[:] = 0.0
        by_chance = _BY_CHANCE if deals % 2 else 0.0
        deals += 1
        while not d[OVER]:
            if uniform(stream) < _LOOKED_AT:
                at = look_around(t, d, evidence, room, at)
            if uniform(stream) < by_chance:
                play = random_act(t, d, stream, legal, flushes)
            else:
                play = choose(t, d, x, n)
            note(t, d, play, evidence)
            act(t, d, play, spent)


def lesson_of(game: Game, rows: int, seed: str) -> Lesson:
    """So many rows of deals of one game."""
    options = game.options
    deck = np.array(
        [code_of(game, card) for card in full_deck(options.decks, options.jokers)], dtype=np.int64
    )
    dealt = options.most_cards if options.kitty_use is KittyUse.DRAWN else options.hand_size
    room = (
        np.zeros((rows, INPUTS), dtype=np.float32),
        np.zeros(rows, dtype=np.int64),
        np.zeros((rows, 3), dtype=np.int64),
    )
    desk = Desk(game)
    stream, tools = stream_of(seed.encode()), (desk.floats, desk.ints)
    watch_deals(game.tables, blank_deal(game), tools, (deck, dealt), stream, room)
    inputs, held, lots = room
    return Lesson(inputs, held, by_chance(*lots.T))


def by_chance(unseen: Array, size: Array, total: Array) -> Array:
    """[n, HELD_AT_MOST] logarithms of the hypergeometric chances that a hand of this size among `total`
    cards has so many of the `unseen` ones of a rank."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, 400.0)))])
    found = np.full((len(unseen), HELD_AT_MOST), -1e9, dtype=np.float32)
    for held in range(HELD_AT_MOST):
        can = (held <= unseen) & (held <= size) & (unseen - held <= total - size)
        u, h, n = unseen[can], size[can], total[can]
        ways = logs[u] - logs[held] - logs[u - held]
        ways += logs[n - u] - logs[h - held] - logs[n - u - h + held]
        found[can, held] = ways - (logs[n] - logs[h] - logs[n - h])
    return found


class Pupil:
    """A net that is being trained (by Adam, its steps fading like a cosine)."""

    def __init__(self, lesson: Lesson, units: int) -> None:
        random = np.random.default_rng(1)
        self.mean = lesson.inputs.mean(axis=0, dtype=np.float64).astype(np.float32)
        self.spread = lesson.inputs.std(axis=0, dtype=np.float64).astype(np.float32) + np.float32(1e-3)
        inner = random.normal(0.0, INPUTS**-0.5, (INPUTS + 1, units))
        self.weights = [inner.astype(np.float32), np.zeros((units + 1, HELD_AT_MOST), dtype=np.float32)]
        self._means = [np.zeros_like(each) for each in self.weights]
        self._squares = [np.zeros_like(each) for each in self.weights]
        self._steps = 0

    def guesses(self, lesson: Lesson) -> tuple[Array, Array, Array]:
        """The inputs in like measure, the hidden units, and the chances of each number of cards."""
        inputs = (lesson.inputs - self.mean) / self.spread
        inner, outer = self.weights
        hidden = np.tanh(inputs @ inner[:-1] + inner[-1])
        logs = hidden @ outer[:-1] + outer[-1] + lesson.chances
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        return inputs, hidden, chances / chances.sum(axis=1, keepdims=True)

    def learn(self, lesson: Lesson, done: float) -> None:
        """One step. done: share of the training that lies behind."""
        rows = len(lesson.held)
        inputs, hidden, slope = self.guesses(lesson)
        slope[np.arange(rows), lesson.held] -= 1.0
        slope /= rows
        below_it = (slope @ self.weights[1][:-1].T) * (1.0 - hidden**2)
        slopes = [
            np.vstack([layer.T @ each, each.sum(axis=0)])
            for layer, each in ((inputs, below_it), (hidden, slope))
        ]
        self._steps += 1
        rate = _STEP * 0.5 * (1.0 + np.cos(np.pi * done))
        for weights, mean, square, now in zip(self.weights, self._means, self._squares, slopes, strict=True):
            mean += (1.0 - _MEAN_FADES) * (now - mean)
            square += (1.0 - _SQUARE_FADES) * (now**2 - square)
            spread = np.sqrt(square / (1.0 - _SQUARE_FADES**self._steps)) + 1e-8
            weights -= (rate * mean / (1.0 - _MEAN_FADES**self._steps) / spread).astype(np.float32)

    def net(self) -> Net:
        """What has been learned, for inputs as they come."""
        inner = self.weights[0].astype(np.float64)
        inner[:-1] /= self.spread[:, None]
        inner[-1] -= self.mean @ inner[:-1]
        return Net(inner, self.weights[1].astype(np.float64))


def bits_known(net: Net, lesson: Lesson) -> float:
    """What the net knows beyond chance of how many cards of a rank a seat holds, on average."""
    hidden = np.tanh(lesson.inputs @ net.inner[:-1] + net.inner[-1])
    before = lesson.chances.astype(np.float64)
    after = hidden @ net.outer[:-1] + net.outer[-1] + before
    rows = np.arange(len(lesson.held))
    gained = _logs_of_shares(after)[rows, lesson.held] - _logs_of_shares(before)[rows, lesson.held]
    return float(gained.mean() / np.log(2.0))


def _logs_of_shares(logs: Array) -> Array:
    highest = logs.max(axis=1, keepdims=True)
    shares: Array = logs - highest - np.log(np.exp(logs - highest).sum(axis=1, keepdims=True))
    return shares


def _joined(lessons: Sequence[Lesson]) -> Lesson:
    return Lesson(
        np.concatenate([lesson.inputs for lesson in lessons]),
        np.concatenate([lesson.held for lesson in lessons]),
        np.concatenate([lesson.chances for lesson in lessons]),
    )


def train(games: Sequence[Game], rows: int, rounds: int, units: int) -> Iterator[Pupil]:
    """The pupil after each round through so many rows of every game."""
    lessons = [lesson_of(game, rows, f"lesson {number}") for number, game in enumerate(games)]
    lesson = _joined(lessons)
    del lessons
    pupil, random = Pupil(lesson.part(slice(None, None, 16)), units), np.random.default_rng(2)
    batches = len(lesson.held) // _BATCH
    for number in range(rounds):
        order = random.permutation(len(lesson.held))
        for batch in range(batches):
            done = (number + batch / batches) / rounds
            pupil.learn(lesson.part(order[batch * _BATCH : (batch + 1) * _BATCH]), done)
        yield pupil


def main() -> None:
    """Train, tell what is known, and write the net."""
    asked = _arguments()
    ids = asked.ruleset or available("climbing")
    games = [game_of(load(ruleset_id).options) for ruleset_id in ids]
    exams = {ruleset_id: lesson_of(game, 50_000, "exam") for ruleset_id, game in zip(ids, games, strict=True)}
    for number, pupil in enumerate(train(games, asked.rows, asked.rounds, asked.units), 1):
        net = pupil.net()
        known = {ruleset_id: bits_known(net, exam) for ruleset_id, exam in exams.items()}
        told = ", ".join(f"{ruleset_id} {known[ruleset_id]:.3f}" for ruleset_id in ids)
        sys.stdout.write(f"round {number} of {asked.rounds}: bits known of a rank and seat: {told}\n")
        sys.stdout.flush()
        np.savez_compressed(asked.to, inner=net.inner.astype(np.float32), outer=net.outer.astype(np.float32))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m shuangkou.fastplay.climbing.learning", description=__doc__
    )
    parser.add_argument("--ruleset", action="append", help="a ruleset to learn; all climbing ones")
    parser.add_argument("--rows", type=int, default=800_000, help="rows of each ruleset (800000)")
    parser.add_argument("--rounds", type=int, default=8, help="times that all rows are gone through (8)")
    parser.add_argument("--units", type=int, default=128, help="hidden units (128)")
    parser.add_argument("--to", type=Path, default=Path(__file__).with_name("inference.npz"), help="file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
