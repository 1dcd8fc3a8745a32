"""A deal in play: what may be done, and what it does (§4 to §6), as `rules.climbing.play`."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.bits import count_bits, lowest_bit
from shuangkou.fastplay.climbing.hands import find_plays, spend, take_cards
from shuangkou.fastplay.climbing.layout import (
    ACTED,
    ACTS,
    BEST,
    BOMBS,
    CAN,
    DECLARED,
    DECLARER,
    EARNED,
    FACTOR,
    FACTS,
    FIRST,
    FIVES,
    FLUSH,
    FLUSH_SUIT,
    FOURS,
    GONE,
    HELD,
    LANDLORD,
    LAST,
    MARK,
    MASKS,
    ORDER,
    OUT,
    OVER,
    PAID,
    PASS,
    PASSED,
    PLAYS,
    PRODUCT,
    SIZE,
    SUIT_COUNT,
    TOP,
    TOP_SEAT,
    TOP_SUIT,
    TRICK_CARDS,
    TURN,
    WON,
)
from shuangkou.fastplay.climbing.plays import Pick
from shuangkou.fastplay.climbing.tables import (
    AFTER_WINNER,
    BEATERS,
    DEAL_END,
    DISCARDS,
    FIRST_OUT,
    FIRST_RUN,
    FLUSHES,
    GROUPED,
    IS_BOMB,
    IS_SET,
    LAST_RUN,
    LAST_TRICK,
    MARK_POINTS,
    MIN_STRAIGHT,
    MULTIPLIERS,
    ONE_ROUND,
    PARTNERS,
    PAYS,
    PICKS,
    PLAY_COUNT,
    RANKS,
    SIDE_OUT,
    STRIDE,
    TOPS,
    WORDS,
    WORTHS,
)
from shuangkou.fastplay.kernel import kernel
from shuangkou.rules.climbing.suits import LEAST_FLUSH

Array = npt.NDArray[Any]
_MIXED = int(Pick.MIXED)


@kernel
def begin(t: Array, d: Array, leader: int) -> None:
    """The start of play: the hands are in HELD, and in MASKS where suits count; all else is set here."""
    d[:FACTS] = 0
    d[TURN] = leader
    d[TOP], d[TOP_SEAT], d[FIRST], d[LAST] = PASS, -1, -1, PASS
    d[PRODUCT], d[FACTOR] = 1, 1
    d[DECLARER], d[LANDLORD] = -9, -1
    d[GONE : GONE + STRIDE] = 0
    for seat in range(4):
        d[BEST + seat], d[MARK + seat], d[ORDER + seat] = 1, -1, -1
        size = 0
        for rank in range(t[RANKS]):
            size += d[HELD + seat * STRIDE + rank]
        d[SIZE + seat] = size
        find_plays(t, d, seat)


@kernel
def legal_plays(t: Array, d: Array, into: Array) -> int:
    """Write the set of plays, flushes apart, that the seat to act may make; how many they are."""
    seat, top, total = d[TURN], d[TOP], 0
    if top == PASS or t[DISCARDS]:
        for word in range(t[WORDS]):
            into[word] = d[CAN + seat * t[WORDS] + word]
            total += count_bits(into[word])
        return total
    row = t[PLAY_COUNT] if top >= FLUSH else top
    for word in range(t[WORDS]):
        into[word] = d[CAN + seat * t[WORDS] + word] & t[t[BEATERS] + row * t[WORDS] + word]
        total += count_bits(into[word])
    return total


@kernel
def may_pass(t: Array, d: Array) -> bool:
    """§4.2, §4.8."""
    if d[TOP] == PASS:
        return False
    return not t[DISCARDS] or d[SIZE + d[TURN]] == 1


@kernel
def legal_flushes(t: Array, d: Array, into: Array) -> int:
    """Write the flushes that the seat to act may play, as many as there is room for; how many they are."""
    if not t[FLUSHES]:
        return 0
    seat, total = d[TURN], 0
    for suit in range(SUIT_COUNT):
        own = 0
        for rank in range(t[RANKS]):
            if d[MASKS + seat * STRIDE + rank] >> suit & 1:
                own |= 1 << rank
        if count_bits(own) < LEAST_FLUSH:
            continue
        part = own
        while part:
            if total < len(into) and is_flush(t, part) and flush_follows(t, d, part):
                into[total] = FLUSH | suit << FLUSH_SUIT | part
                total += 1
            part = (part - 1) & own
    return total


@kernel
def is_flush(t: Array, ranks: int) -> bool:
    """Ranks of one suit that are enough and no straight."""
    size = count_bits(ranks)
    if size < LEAST_FLUSH:
        return False
    low = lowest_bit(ranks)
    is_run = (ranks >> low) & ((ranks >> low) + 1) == 0
    within = low >= t[FIRST_RUN] and low + size - 1 <= t[LAST_RUN]
    return not (is_run and within and t[MIN_STRAIGHT] and size >= t[MIN_STRAIGHT])


@kernel
def flush_follows(t: Array, d: Array, ranks: int) -> bool:
    """§4.6: on a straight, and on a flush that is shorter or lower; ranks count from the highest down."""
    top = d[TOP]
    if top == PASS:
        return True
    if top >= FLUSH:
        beaten = top & ((1 << FLUSH_SUIT) - 1)
        size, beaten_size = count_bits(ranks), count_bits(beaten)
        return size > beaten_size or (size == beaten_size and ranks > beaten)
    return t[t[PICKS] + top] == _MIXED


@kernel
def follows(t: Array, d: Array, play: int) -> bool:
    """Whether a play may be played on the top play (§4.3)."""
    if d[TOP] == PASS:
        return True
    row = t[PLAY_COUNT] if d[TOP] >= FLUSH else d[TOP]
    return t[t[BEATERS] + row * t[WORDS] + (play >> 6)] >> (play & 63) & 1 == 1


@kernel
def next_holder(d: Array, seat: int) -> int:
    """§4.1."""
    for step in range(1, 4):
        other = (seat + step) & 3
        if d[SIZE + other]:
            return other
    return (seat + 1) & 3


@kernel
def _heir(t: Array, d: Array, seat: int) -> int:
    """§5.2, §5.4."""
    if t[PARTNERS] and d[SIZE + (seat ^ 2)]:
        return seat ^ 2
    return next_holder(d, seat)


@kernel
def _end_trick(t: Array, d: Array, inherits: bool) -> None:
    """§4.4, §4.7, §11.6."""
    f = d
    winner = f[TOP_SEAT]
    f[WON + winner] += f[TRICK_CARDS]
    if inherits:
        f[TURN] = _heir(t, d, winner)
    elif t[AFTER_WINNER]:
        f[TURN] = next_holder(d, winner)
    else:
        f[TURN] = winner
    f[TOP], f[TOP_SEAT], f[FIRST] = PASS, -1, -1
    f[PASSED], f[ACTED], f[TRICK_CARDS], f[FACTOR] = 0, 0, 0, 1


@kernel
def _pay_trick(t: Array, d: Array) -> None:
    """§13.5."""
    f = d
    winner, play = f[TOP_SEAT], f[TOP]
    f[EARNED + winner] += t[t[WORTHS] + play] * f[FACTOR]
    if f[MARK + winner] == t[t[TOPS] + play] * SUIT_COUNT + f[TOP_SUIT]:
        f[EARNED + winner] += t[MARK_POINTS]


@kernel
def _end_round(t: Array, d: Array) -> None:
    """§4.7, §4.8: nothing before every seat with cards has acted."""
    f = d
    if f[TOP] == PASS:
        return
    for seat in range(4):
        if f[SIZE + seat] and not f[ACTED] >> seat & 1:
            return
    is_last = t[DEAL_END] == LAST_TRICK
    if is_last:
        _pay_trick(t, d)
        if not f[SIZE + f[FIRST]]:
            f[OVER] = 1
            return
    _end_trick(t, d, not t[AFTER_WINNER] and not f[SIZE + f[TOP_SEAT]])


@kernel
def _book(t: Array, d: Array, seat: int, play: int) -> None:
    """What a play is worth at the settlement (§7, §11, §13)."""
    f = d
    f[PLAYS + seat] += 1
    if play >= FLUSH:
        return
    is_relative = t[t[IS_SET] + play] and f[TOP] != PASS
    if t[t[IS_BOMB] + play] or is_relative:
        f[BOMBS + seat] += 1
        f[PRODUCT] *= t[t[MULTIPLIERS] + play]
        f[BEST + seat] = max(f[BEST + seat], t[t[MULTIPLIERS] + play])
        f[PAID + seat] += t[t[PAYS] + play]
        f[FOURS + seat] += t[t[GROUPED] + play] == 4
        f[FIVES + seat] += t[t[GROUPED] + play] == 5
    if t[DEAL_END] != LAST_TRICK and (not t[t[IS_SET] + play] or is_relative):
        f[EARNED + seat] += t[t[WORTHS] + play]
    if f[DECLARER] == seat and f[DECLARED] == play:
        f[EARNED + seat] += t[t[WORTHS] + play]
        f[DECLARER] = -1 - seat


@kernel
def play_cards(t: Array, d: Array, play: int, cards: Array, number: int) -> None:
    """The seat to act plays these cards; nothing is checked."""
    f = d
    seat = f[TURN]
    is_beaten = f[TOP] != PASS and play < FLUSH and not follows(t, d, play)
    _book(t, d, seat, play)
    if f[TOP] == PASS:
        f[FIRST] = seat
    elif t[DISCARDS] and not is_beaten and t[t[WORTHS] + play] == 2 * t[t[WORTHS] + f[TOP]]:
        f[FACTOR] *= 2
    take_cards(t, d, seat, cards, number)
    f[ACTS] += 1
    f[LAST], f[PASSED] = play, 0
    f[ACTED] |= 1 << seat
    f[TRICK_CARDS] += number
    f[TURN] = next_holder(d, seat)
    if not is_beaten:
        f[TOP], f[TOP_SEAT] = play, seat
        f[TOP_SUIT] = cards[0] % SUIT_COUNT
    if f[SIZE + seat] == 0 and t[DEAL_END] != LAST_TRICK:
        f[ORDER + f[OUT]] = seat
        f[OUT] += 1
        if _is_over(t, d, seat):
            f[OVER] = 1
            return
    if t[ONE_ROUND]:
        _end_round(t, d)


@kernel
def _is_over(t: Array, d: Array, seat: int) -> bool:
    """§6.1."""
    if t[DEAL_END] == FIRST_OUT:
        return True
    if t[DEAL_END] == SIDE_OUT:
        return d[SIZE + (seat ^ 2)] == 0
    return d[OUT] == 3


@kernel
def pass_turn(t: Array, d: Array) -> None:
    """The seat to act passes (§4.4)."""
    f = d
    seat = f[TURN]
    f[ACTS] += 1
    f[PASSED] |= 1 << seat
    f[ACTED] |= 1 << seat
    f[TURN] = next_holder(d, seat)
    if t[ONE_ROUND]:
        _end_round(t, d)
        return
    rivals = 0
    for other in range(4):
        rivals += other != f[TOP_SEAT] and f[SIZE + other] > 0
    if count_bits(f[PASSED]) >= rivals:
        _end_trick(t, d, f[SIZE + f[TOP_SEAT]] == 0)


@kernel
def act(t: Array, d: Array, play: int, cards: Array) -> int:
    """Pass, or make a play with the cards that `spend` chooses and writes; how many they are."""
    if play == PASS:
        pass_turn(t, d)
        return 0
    number = spend(t, d, d[TURN], play, cards)
    play_cards(t, d, play, cards, number)
    return number
