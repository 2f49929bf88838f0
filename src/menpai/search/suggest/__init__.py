"""suggest: completion as you type."""
