"""Events around a game (赛事) between protobuf and the rules."""

from shuangkou.rules.match_events import (
    BadEventOption,
    MatchEvent,
    UnknownEvent,
    UnsuitableRuleSet,
    load_event,
    suitable_rulesets,
)
from shuangkou.rules.meeting import Outcome, Reason
from shuangkou.rules.ruleset import RuleSet
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.enums import WireEnum
from shuangkou.wire.outcomes import points_from_wire, side_from_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.rulesets import option_to_wire

REASONS = WireEnum(Reason, events_pb2.EventReason.Value, "EVENT_REASON")


def terms_to_wire(event: MatchEvent) -> events_pb2.EventTerms:
    """The event with what was chosen of it."""
    return events_pb2.EventTerms(event_id=event.id, options=event.chosen)


def event_of_terms(message: events_pb2.EventTerms) -> MatchEvent:
    """The event with its options; MalformedMessage for an unknown one, or an option it does not allow."""
    try:
        return load_event(message.event_id).with_options(message.options)
    except UnknownEvent as error:
        raise MalformedMessage("event/unknown", str(error)) from None
    except BadEventOption as error:
        raise MalformedMessage("event/bad_option", str(error)) from None


def event_on(message: events_pb2.EventTerms, ruleset: RuleSet, deals: int) -> MatchEvent:
    """The event asked for with this ruleset and number of deals; MalformedMessage where it cannot be."""
    event = event_of_terms(message)
    if deals:
        explanation = f"{event.id} itself says how many deals are played; ask for none"
        raise MalformedMessage("event/counts_deals", explanation)
    try:
        return event.on(ruleset)
    except UnsuitableRuleSet as error:
        raise MalformedMessage("event/unsuitable_ruleset", str(error)) from None


def match_event_to_wire(event: MatchEvent) -> table_pb2.MatchEvent:
    """With every option, its choices and its meaning in both languages."""
    return table_pb2.MatchEvent(
        id=event.id,
        revision=event.revision,
        name=table_pb2.Text(en=event.name_en, zh=event.name_zh),
        description=table_pb2.Text(en=event.description_en, zh=event.description_zh),
        rulings=event.rulings,
        ruleset_id=event.ruleset,
        suitable_ruleset_ids=suitable_rulesets(event),
        options=[option_to_wire(option) for option in event.option_rows],
    )


def outcome_to_wire(event: MatchEvent, outcome: Outcome) -> events_pb2.EventOutcome:
    """Which side won a match in this event."""
    return events_pb2.EventOutcome(
        terms=terms_to_wire(event),
        winner=outcome.winner,
        reason=REASONS.to_wire(outcome.reason),
        side_totals=outcome.side_totals,
        think_ms=outcome.think_ms,
        drawn_deals=outcome.drawn,
    )


def outcome_from_wire(message: events_pb2.EventOutcome) -> Outcome:
    """The same; MalformedMessage for one that no engine writes."""
    return Outcome(
        winner=side_from_wire(message.winner),
        reason=REASONS.from_wire(message.reason, "reason"),
        side_totals=tuple(message.side_totals),
        think_ms=points_from_wire(message.think_ms),
        drawn=message.drawn_deals,
    )
