"""Dashboards and alert rules as code; `make monitoring` writes what Grafana and Prometheus read."""
