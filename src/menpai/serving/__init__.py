"""The serving room: the HTTP service. Needs the extra `serve`."""
