"""How an older ledger becomes one of today, step by step; run at start."""
