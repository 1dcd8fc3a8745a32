"""The `shuangkou` command: a suite on this machine, a table in the terminal, the event stream, the rules."""
