"""Rulesets as clients see them."""

from shuangkou.rules.climbing.ladder import Rung, ladder
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.point_sheet import ScoreLine
from shuangkou.rules.climbing.score_sheet import score_sheet
from shuangkou.rules.ruleset import Option, RuleSet
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_to_wire
from shuangkou.wire.combinations import KINDS, ranks_to_wire


def ruleset_to_wire(ruleset: RuleSet) -> table_pb2.Ruleset:
    """With every option, its choices and its meaning in both languages."""
    return table_pb2.Ruleset(
        id=ruleset.id,
        revision=ruleset.revision,
        family=ruleset.family,
        name=table_pb2.Text(en=ruleset.name_en, zh=ruleset.name_zh),
        description=table_pb2.Text(en=ruleset.description_en, zh=ruleset.description_zh),
        rulings=ruleset.rulings,
        options=[option_to_wire(option) for option in ruleset.option_rows],
    )


def whole_ruleset_to_wire(ruleset: RuleSet) -> table_pb2.Ruleset:
    """With the ladder of combinations and the score sheet as well; it may have to make the move table."""
    message = ruleset_to_wire(ruleset)
    message.ladder.extend(_rung_to_wire(rung) for rung in ladder(move_table(ruleset.options)))
    message.scoring.extend(_line_to_wire(line) for line in score_sheet(ruleset.options))
    return message


def _rung_to_wire(rung: Rung) -> table_pb2.LadderRow:
    return table_pb2.LadderRow(
        name=table_pb2.Text(en=rung.name_en, zh=rung.name_zh),
        kind=KINDS.to_wire(rung.kind),
        min_size=rung.min_size,
        max_size=rung.max_size,
        stars=rung.stars,
        lowest=cards_to_wire(rung.lowest),
        highest=cards_to_wire(rung.highest),
        wild_example=cards_to_wire(rung.wild_example),
        wild_as=ranks_to_wire(rung.wild_as),
    )


def _line_to_wire(line: ScoreLine) -> table_pb2.ScoringRow:
    return table_pb2.ScoringRow(name=table_pb2.Text(en=line.name_en, zh=line.name_zh), value=line.value)


def option_to_wire(option: Option) -> table_pb2.RuleOption:
    """One option with its choices and its meaning in both languages."""
    return table_pb2.RuleOption(
        key=option.key,
        value=option.value,
        kind=option.kind.value,
        allowed=option.allowed,
        description=table_pb2.Text(en=option.description_en, zh=option.description_zh),
    )
