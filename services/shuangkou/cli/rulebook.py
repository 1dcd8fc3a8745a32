"""`shuangkou rulesets`: the rules as rows of options."""

from __future__ import annotations

from rich.text import Text

from shuangkou.cli.columns import rows
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.terminal import Terminal
from shuangkou.rules import ruleset


def list_rulesets(terminal: Terminal) -> None:
    """One line for each ruleset."""
    rulesets = [ruleset.load(each) for each in ruleset.available()]
    table: list[list[Text | str]] = [
        [Text(each.id, "bold"), f"{each.name_en} {each.name_zh}", each.family] for each in rulesets
    ]
    for line in rows(table):
        terminal.say(line)
    terminal.say(Text("\nAll options of one: shuangkou rulesets show ID", "dim"))


def show_ruleset(ruleset_id: str, terminal: Terminal) -> None:
    """What one ruleset is, and all its options with their meaning."""
    rules = known_ruleset(ruleset_id)
    terminal.say(Text(f"{rules.id} · {rules.name_en} {rules.name_zh}", "bold"))
    terminal.say(f"{rules.description_en}\n{rules.description_zh}")
    terminal.say(Text(f"{rules.family} · revision {rules.revision} · rulings {rules.rulings}\n", "dim"))
    for option in rules.option_rows:
        line = Text(f"{option.key} = ").append(option.value or "–", "bold")
        if len(option.allowed) > 1:
            line.append(f"   a table may choose: {', '.join(option.allowed)}", "green")
        terminal.say(line)
        terminal.say(Text(f"    {option.description_en} · {option.description_zh}", "dim"))


def known_ruleset(ruleset_id: str) -> ruleset.RuleSet:
    """The ruleset; Problem with the known ones when there is none of this id."""
    try:
        return ruleset.load(ruleset_id)
    except ruleset.UnknownRuleSet as error:
        raise Problem(str(error), BAD_INPUT) from None
