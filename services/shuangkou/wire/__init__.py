"""The one place that knows both protobuf messages and the rules."""
