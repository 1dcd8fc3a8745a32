"""The trick-taking family between protobuf and the rules."""
