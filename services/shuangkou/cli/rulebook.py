"""`shuangkou rulesets`: the rules as rows of options."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from shuangkou.cli.columns import left, rows
from shuangkou.cli.faces import card_row, rank_symbol
from shuangkou.cli.invocation import suggestion
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.terminal import Terminal
from shuangkou.cli.words import stars_of
from shuangkou.rules import ruleset
from shuangkou.rules.climbing.combinations import BOMBS
from shuangkou.rules.climbing.ladder import ladder
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.score_sheet import score_sheet
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.rulebook import rulebook

_NAME_CELLS: Final = 28
_SCORE_CELLS: Final = 36
_SIZE_CELLS: Final = 15
_SHORT: Final = 10


def list_rulesets(terminal: Terminal) -> None:
    """One line for each ruleset."""
    rulesets = [ruleset.load(each) for each in ruleset.available()]
    table: list[list[Text | str]] = [
        [Text(each.id, "bold"), f"{each.name_en} {each.name_zh}", each.family] for each in rulesets
    ]
    for line in rows(table):
        terminal.say(line)
    terminal.say(Text(f"\nAll options of one: {suggestion('rulesets show ID')}", "dim"))


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
    if isinstance(rules.options, ClimbingOptions):
        _show_ladder(rules, terminal)
        _show_scores(rules, terminal)
    if isinstance(rules.options, TricksOptions):
        _show_sections(rules.options, terminal)


def _show_ladder(rules: ruleset.RuleSet, terminal: Terminal) -> None:
    terminal.say(Text("\nCombinations from low to high 牌型从小到大", "bold"))
    terminal.say(Text("Of each the lowest; what is no bomb beats only its own kind and size.", "dim"))
    stars = stars_of(rules.id)
    for rung in ladder(move_table(rules.options)):
        size = f"{rung.min_size}" if rung.min_size == rung.max_size else f"{rung.min_size} to {rung.max_size}"
        name = f"{rung.name_en} {rung.name_zh}"
        line = left(Text(name, "bold magenta" if rung.kind in BOMBS else "bold"), _NAME_CELLS)
        line.append_text(left(f"{size} card{'s'[: rung.max_size != 1]}", _SIZE_CELLS))
        line.append(f"{rung.stars} {stars.en} {rung.stars}{stars.zh}  " if rung.stars else "")
        line.append_text(card_row(rung.lowest))
        if 0 < len(rung.wild_example) <= _SHORT:
            ranks = ", ".join(f"BJ as {rank_symbol(rank)}" for rank in rung.wild_as)
            line.append("  or ", "dim").append_text(card_row(rung.wild_example)).append(f" ({ranks})", "dim")
        terminal.say(Text("  ").append_text(line))


def _show_scores(rules: ruleset.RuleSet, terminal: Terminal) -> None:
    terminal.say(Text("\nScoring 计分", "bold"))
    terminal.say(Text("Points by place, or of the seat concerned and the three others.", "dim"))
    sheet = [(Text(f"{line.name_en} {line.name_zh}"), line.value) for line in score_sheet(rules.options)]
    widths = [name.cell_len for name, _ in sheet]
    # A long sentence must not push the values of all others off the screen.
    column = max((width for width in widths if width <= _SCORE_CELLS), default=0)
    for name, value in sheet:
        line = Text("  ").append_text(left(name, column)).append(f"  {value}")
        line.rstrip()
        terminal.say(line)


def _show_sections(options: TricksOptions, terminal: Terminal) -> None:
    for section in rulebook(options):
        terminal.say(Text(f"\n{section.title.en} {section.title.zh}", "bold"))
        for line in section.lines:
            name = Text(f"  {line.name.en} {line.name.zh}").append("  ")
            value = f"{line.value.en} {line.value.zh}  " if line.value.en else ""
            terminal.say(name.append(value, "green").append_text(card_row(line.cards)))


def read_choice(text: str) -> ruleset.AnyRuleSet:
    """The ruleset in `qq` or `qq,turn_seconds=60`; Problem with what there is when there is none such."""
    ruleset_id, *texts = text.split(",")
    try:
        return known_ruleset(ruleset_id).with_options(dict(text.partition("=")[::2] for text in texts))
    except ruleset.RuleSetError as error:
        raise Problem(str(error), BAD_INPUT) from None


def known_ruleset(ruleset_id: str) -> ruleset.AnyRuleSet:
    """The ruleset; Problem with the known ones when there is none of this id."""
    try:
        return ruleset.load(ruleset_id)
    except ruleset.UnknownRuleSet as error:
        raise Problem(str(error), BAD_INPUT) from None
