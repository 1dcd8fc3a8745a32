"""The climbing family between protobuf and the rules."""
