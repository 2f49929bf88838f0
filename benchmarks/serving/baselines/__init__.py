"""Other ways to serve the same pack, and one command that runs them in turn."""
