"""A game as people write it: `qq`, or with options `qq,turn_seconds=60`."""

from collections.abc import Sequence

from shuangkou.rules.ruleset import AnyRuleSet, RuleSetError, load


class BadChoice(RuleSetError):
    """Options are not written as key=value, each once."""


def read_ruleset(text: str) -> AnyRuleSet:
    """The ruleset with the options that are chosen; RuleSetError tells what there is when there is none
    such."""
    ruleset_id, *texts = text.split(",")
    return load(ruleset_id).with_options(read_options(texts))


def read_options(texts: Sequence[str]) -> dict[str, str]:
    """Values by key, from texts such as `turn_seconds=60`; BadChoice."""
    if "" in texts:
        raise BadChoice("nothing stands behind a comma; write key=value there")
    pairs = [text.partition("=")[::2] for text in texts]
    twice = {key for key, _ in pairs if [other for other, _ in pairs].count(key) > 1}
    if twice:
        raise BadChoice(f"option {min(twice)} is chosen twice")
    return dict(pairs)
