"""How a bot plays climbing games: pure functions of a ruleset's options and a seat's view."""
