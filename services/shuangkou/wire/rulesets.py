"""Rulesets as clients see them."""

from shuangkou.rules.ruleset import AnyRuleSet, Option
from shuangkou.v1 import table_pb2


def ruleset_to_wire(ruleset: AnyRuleSet) -> table_pb2.Ruleset:
    """With every option, its choices and its meaning in both languages."""
    return table_pb2.Ruleset(
        id=ruleset.id,
        revision=ruleset.revision,
        family=ruleset.family,
        name=table_pb2.Text(en=ruleset.name_en, zh=ruleset.name_zh),
        description=table_pb2.Text(en=ruleset.description_en, zh=ruleset.description_zh),
        rulings=ruleset.rulings,
        options=[_option_to_wire(option) for option in ruleset.option_rows],
    )


def _option_to_wire(option: Option) -> table_pb2.RuleOption:
    return table_pb2.RuleOption(
        key=option.key,
        value=option.value,
        kind=option.kind.value,
        allowed=option.allowed,
        description=table_pb2.Text(en=option.description_en, zh=option.description_zh),
    )
