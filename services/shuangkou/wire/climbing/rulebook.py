"""What a climbing ruleset tells beside its options."""

from shuangkou.rules.climbing.ladder import Rung, ladder
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.score_sheet import ScoreLine, score_sheet
from shuangkou.rules.ruleset import RuleSet
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_to_wire
from shuangkou.wire.climbing.combinations import KINDS, ranks_to_wire


def put_rulebook(message: table_pb2.Ruleset, ruleset: RuleSet) -> None:
    """Add the ladder of combinations and the score sheet; it may have to make the move table."""
    message.ladder.extend(_rung_to_wire(rung) for rung in ladder(move_table(ruleset.options)))
    message.scoring.extend(_line_to_wire(line) for line in score_sheet(ruleset.options))


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
