"""The fast core: compiled kernels on fixed arrays that play by the same compiled rulesets as `rules`.

`rules` stays the authority. Nothing here is played at a table before `rules` has accepted it.
"""
