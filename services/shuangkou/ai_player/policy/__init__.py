"""How a bot chooses: pure functions of a ruleset's options and a seat's view."""
