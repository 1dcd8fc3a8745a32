"""The trick-taking family (升级): a trump, pairs and tractors, and points that raise a side's level."""
