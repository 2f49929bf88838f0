"""The real handler in three frameworks and behind two servers."""
