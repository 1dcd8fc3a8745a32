"""The matchmaking service: tickets wait until four people, or fewer and bots, become a table."""
