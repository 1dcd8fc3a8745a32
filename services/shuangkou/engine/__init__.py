"""The engine: authority over every table. Any engine serves any table; the log decides."""
