"""The process harness every service stands on: settings, logs, metrics, gRPC, NATS. It knows no card."""
