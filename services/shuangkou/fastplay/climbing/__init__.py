"""The phase of play of the climbing family, for every ruleset that has one."""
