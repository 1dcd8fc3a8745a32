"""How a bot plays trick-taking games: pure functions of a ruleset's options and a seat's view."""
