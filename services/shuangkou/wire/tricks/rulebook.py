"""What a trick-taking ruleset tells beside its options."""

from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.tricks.rulebook import rulebook
from shuangkou.rules.tricks.rulebook_lines import Line, Section, Words
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_to_wire


def put_rulebook(message: table_pb2.Ruleset, ruleset: TricksRuleSet) -> None:
    """Add the order of the cards, the tractors and the tables of points and levels."""
    message.sections.extend(_section_to_wire(section) for section in rulebook(ruleset.options))


def _section_to_wire(section: Section) -> table_pb2.RulebookSection:
    return table_pb2.RulebookSection(
        title=_words_to_wire(section.title), lines=[_line_to_wire(line) for line in section.lines]
    )


def _line_to_wire(line: Line) -> table_pb2.RulebookLine:
    return table_pb2.RulebookLine(
        name=_words_to_wire(line.name),
        value=_words_to_wire(line.value) if line.value.en else None,
        cards=cards_to_wire(line.cards),
    )


def _words_to_wire(words: Words) -> table_pb2.Text:
    return table_pb2.Text(en=words.en, zh=words.zh)
