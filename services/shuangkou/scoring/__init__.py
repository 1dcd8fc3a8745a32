"""The scoring service: a ledger of settled deals, and what it says about players."""
