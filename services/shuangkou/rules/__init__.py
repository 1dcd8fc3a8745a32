"""The games as pure functions: no clock, no input or output, no hidden randomness.

`decider.decider_for` is the way in; `ruleset.load` gives the rules of a table.
"""
