"""The trick-taking family in the fast core."""
