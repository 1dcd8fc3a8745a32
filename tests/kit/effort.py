"""How hard the laws are tried: a few examples in every run, many with the profile `thorough`."""

from hypothesis import settings

_DEFAULT = 60
"""Examples of the default profile in tests/conftest.py."""


def effort(examples: int) -> settings:
    """`examples` in the default profile, and as many times more as another profile asks for."""
    return settings(deadline=None, max_examples=max(1, examples * settings().max_examples // _DEFAULT))


def rounds(few: int, many: int) -> int:
    """How often a test without generated examples goes round: many times in the profile `thorough`."""
    return few if settings().max_examples <= _DEFAULT else many
