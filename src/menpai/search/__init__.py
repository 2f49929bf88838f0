"""search: the user's own addresses: stored in segments, indexed by parts, asked by suggest, search and nearby."""
