"""No card that a player must not see leaves the engine: by the public log, a view or a stream."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.pure_table import PEOPLE, PureTable, climbing_match, deal_starts, dealt, folded
from shuangkou.engine.table import Phase, Table
from shuangkou.engine.views import seat_view
from shuangkou.engine.watchers import SPECTATOR, Viewer, public_part, update_for
from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.climbing.commands import Bid
from shuangkou.rules.events import Trait
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import SEATS, Seat, partner
from shuangkou.v1.events_pb2 import Commit, HandsDealt, SecretEvent
from shuangkou.wire.secrets import hands_from_wire

SEED = st.binary(min_size=32, max_size=32)
SECRET_MESSAGES = tuple(
    f"{field.message_type.full_name}."
    for field in SecretEvent.DESCRIPTOR.fields
    if field.message_type is not None
)
HALF_SECRET = {
    f"shuangkou.v1.Event.{name}" for name in ("kitty_buried", "kitty_chosen", "hand_exchanged", "mark_set")
}
"""Public events beside which a secret one says which cards."""
ENDS = ("deal_settled", "deal_voided")


def fields_of(message: Message) -> set[str]:
    """The names of all fields that are set, at any depth."""
    names = set()
    for descriptor, value in message.ListFields():
        names.add(descriptor.full_name)
        if descriptor.message_type is None or descriptor.message_type.GetOptions().map_entry:
            continue
        for part in value if isinstance(value, list) or hasattr(value, "add") else [value]:
            names |= fields_of(part)
    return names


def swapped(table: Table, rng: Random, seat: Seat | None) -> Table:
    """The same table with all hidden cards dealt anew among the places that `seat` cannot see."""
    match = climbing_match(table)
    deal = match.deal
    assert deal is not None
    is_open = table.ruleset.options.open_partner_hands
    known = {seat, partner(seat)} if is_open and seat is not None else {seat}
    hidden = [other for other in SEATS if other not in known]
    sees_kitty = deal.kitty_is_shown or (seat is not None and seat == deal.kitty_owner)
    piles = [*(deal.hands[other] for other in hidden), *(deal.discarded[other] for other in hidden)]
    piles += [] if sees_kitty else [deal.kitty]
    cards = [card for pile in piles for card in pile]
    rng.shuffle(cards)
    taken = iter(cards)
    mixed = [tuple(islice(taken, len(pile))) for pile in piles]
    hands, discarded, marks = list(deal.hands), list(deal.discarded), list(deal.marks)
    for place, other in enumerate(hidden):
        hands[other] = match.table.sort(mixed[place])
        discarded[other] = mixed[len(hidden) + place]
        marks[other] = None if marks[other] is None else rng.choice(CARDS)
    twin = replace(
        deal,
        hands=tuple(hands),
        packed_hands=tuple(map(match.table.pack, hands)),
        discarded=tuple(discarded),
        marks=tuple(marks),
        kitty=deal.kitty if sees_kitty else mixed[-1],
        seed=rng.randbytes(32),
    )
    return replace(table, match=replace(match, deal=twin))


def some_steps_in(seed: bytes, ruleset_id: str = "qq") -> PureTable:
    """A table somewhere in its first deal."""
    pure, rng = dealt(seed=seed, ruleset=load(ruleset_id)), Random(seed)
    for _ in range(seed[0] % 90):
        if pure.table.phase is not Phase.DEAL:
            return dealt(seed=seed, ruleset=load(ruleset_id))
        pure.play_lively(rng)
    return pure if pure.table.phase is Phase.DEAL else dealt(seed=seed, ruleset=load(ruleset_id))


@pytest.mark.parametrize("ruleset_id", available("climbing"))
@given(seed=SEED, rng=st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_tables_that_differ_only_in_hidden_cards_look_the_same(
    ruleset_id: str, seed: bytes, rng: Random
) -> None:
    table = some_steps_in(seed, ruleset_id).table
    for seat in (*SEATS, None):
        twin = swapped(table, rng, seat)
        assert seat_view(twin, seat).SerializeToString(deterministic=True) == seat_view(
            table, seat
        ).SerializeToString(deterministic=True)


@pytest.mark.parametrize("ruleset_id", available("climbing"))
@given(seed=SEED, rng=st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_a_play_out_of_other_hidden_cards_is_the_same_commit(
    ruleset_id: str, seed: bytes, rng: Random
) -> None:
    one = some_steps_in(seed, ruleset_id)
    other = PureTable(replace(one.warm, table=swapped(one.table, rng, one.table.actors[0])), one.now_ms)
    other.ids = iter(range(10_000, 20_000))
    one.ids = iter(range(10_000, 20_000))
    one.play_lively(Random(seed))
    other.play_lively(Random(seed))
    if one.table.phase is Phase.DEAL and "shuangkou.v1.Event.kitty_shown" not in fields_of(
        one.log[-1].commit
    ):
        assert one.log[-1].public == other.log[-1].public


@pytest.mark.parametrize("ruleset_id", available("climbing"))
@given(seed=SEED)
@settings(max_examples=8)
def test_a_public_commit_names_no_card_before_it_is_played(ruleset_id: str, seed: bytes) -> None:
    pure, rng = dealt(seed=seed, deals=2, ruleset=load(ruleset_id)), Random(seed)
    start = pure.log[-1]
    assert not {name for name in fields_of(start.commit) if name.endswith((".cards", ".hands"))}
    while pure.table.phase is Phase.DEAL:
        pure.play_lively(rng)
    for stored in pure.log:
        names = fields_of(stored.commit)
        assert not {name for name in names if name.startswith(SECRET_MESSAGES)}
        if names & HALF_SECRET:
            assert stored.secret is not None
            assert not {name for name in names if name.endswith((".cards", ".card"))}
        if "shuangkou.v1.CardsPlayed.cards" in names:
            assert stored.secret is None


@pytest.mark.parametrize("ruleset_id", available("climbing"))
@given(seed=SEED)
@settings(max_examples=3)
def test_the_seed_is_published_only_with_the_settlement(ruleset_id: str, seed: bytes) -> None:
    pure = dealt(seed=seed, deals=2, ruleset=load(ruleset_id))
    while pure.table.phase is Phase.DEAL:
        for seat in (*SEATS, None):
            assert seed not in seat_view(pure.table, seat).SerializeToString()
        pure.play_lowest()
    holders = [stored for stored in pure.log if seed in stored.public]
    assert holders == [pure.log[-1]]
    ends = [event for event in pure.log[-1].commit.events if event.WhichOneof("event") in ENDS]
    assert [event.deal_settled.seed or event.deal_voided.seed for event in ends] == [seed]


def test_a_stream_brings_each_seat_its_own_new_hand_and_spectators_none() -> None:
    pure = dealt()
    secret = pure.log[-1].secret_commit
    assert secret is not None
    hands = hands_from_wire(secret.events[0].hands_dealt).hands
    public = public_part(pure.log[-1].commit)
    for seat, name in enumerate(PEOPLE):
        update = update_for(Viewer(name), public, pure.table, Trait.SHOWS_HAND)
        assert list(update.own_hand) == [card + 1 for card in hands[seat]]
        assert update.seat == seat
    assert not update_for(SPECTATOR, public, pure.table, Trait.SHOWS_HAND).own_hand


def test_a_stream_brings_the_kitty_to_the_landlord_alone() -> None:
    pure = dealt(ruleset=load("landlord52"))
    landlord = pure.table.actors[0]
    pure.perform(Bid(landlord, 3))
    public, deal = public_part(pure.log[-1].commit), pure.table.match.deal
    assert deal is not None
    for seat, name in enumerate(PEOPLE):
        update = update_for(Viewer(name), public, pure.table, Trait.SHOWS_KITTY)
        assert list(update.kitty) == ([card + 1 for card in deal.kitty] if seat == landlord else [])
        assert not update.own_hand
    assert not update_for(SPECTATOR, public, pure.table, Trait.SHOWS_KITTY).kitty


def test_what_engines_keep_for_themselves_is_not_streamed() -> None:
    commit = dealt().log[-1].commit
    assert commit.HasField("bookkeeping")
    assert not public_part(commit).HasField("bookkeeping")


@given(SEED)
def test_a_spectator_sees_no_hand(seed: bytes) -> None:
    view = seat_view(some_steps_in(seed).table, None)
    assert not view.hand
    assert not view.HasField("seat")


def test_only_the_secret_part_of_a_deal_holds_its_hands() -> None:
    stored = dealt().log[-1]
    secret = stored.secret_commit
    assert secret is not None
    hands = hands_from_wire(secret.events[0].hands_dealt).hands
    everything = sorted(card for hand in hands for card in hand)
    assert everything == sorted([Card(value) for value in range(54)] * 2)
    assert HandsDealt.DESCRIPTOR.full_name not in str(Commit.FromString(stored.public))


@pytest.mark.parametrize("ruleset_id", available())
def test_no_public_number_tells_which_cards_a_hidden_act_was_about(ruleset_id: str) -> None:
    pure, rng = dealt(deals=2, ruleset=load(ruleset_id)), Random(7)
    while len(deal_starts(pure.log)) < 2 and pure.table.phase is not Phase.FINISHED:
        pure.go_on(rng)
    hidden = {stored.secret_commit.fingerprint for stored in pure.log if stored.secret_commit is not None} - {
        0
    }
    told = {stored.commit.bookkeeping.fingerprint for stored in pure.log}
    for stored in pure.log:
        told |= {answer.fingerprint for answer in stored.commit.bookkeeping.summary.answered}
    assert hidden
    assert not hidden & told
    # A repeat is still told from another command, also by an engine that begins with the last deal.
    answers = folded(pure.log[deal_starts(pure.log)[-1] :]).answers
    assert answers.items() <= pure.warm.answers.items()
    assert len(answers) > 1
