"""Tables under fire: clients remember what they were told, and a checker compares it with the log."""
